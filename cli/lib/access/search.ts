/** Searches what was read for one name, and reads what a stack declares. */
import { OpsManagerError } from "../../../provider/text/errors";
import { exportArguments, readStackExport, type StateResource } from "../stack-export";
import { runUnlessStopped } from "../stacks";
import type { OfState } from "./declaration";
import { Declarations } from "./declared";
import { accountsNamed, keysNamed, reachOfKey, reachOfPerson } from "./reach";
import type { OrganizationAccess, Reader } from "./read";
import type { FoundKey, FoundPerson } from "./report";

interface SearchedPlaces {
  readonly orgIds: readonly string[];
  /** `undefined`: no stack is selected. */
  readonly stack: string | undefined;
}

/** What a stack declares, and everything that the organizations have. */
export async function readToSearch(reader: Reader, { orgIds, stack }: SearchedPlaces) {
  const resources = await readResources(stack, reader);
  const declared = resources && new Declarations(resources);
  return { resources, declared, organizations: await reader.organizations(orgIds) };
}

/** The person and the API keys with this name. */
export async function foundNamed(
  name: string,
  organizations: readonly OrganizationAccess[],
  { reader, declared }: { readonly reader: Reader; readonly declared: OfState },
): Promise<(FoundPerson | FoundKey)[]> {
  const keys: FoundKey[] = [];
  for (const { key, orgId } of keysNamed(name, organizations)) {
    const accessListEntries = await reader.accessListEntries(orgId, key);
    keys.push({ ...reachOfKey(key, organizations, declared), accessListEntries });
  }
  const listed = accountsNamed(name, organizations);
  const isElsewhere = listed.length === 0 && keys.length === 0;
  const account = isElsewhere ? await reader.account(name) : undefined;
  const accounts = account === undefined ? listed : [account];
  const person = reachOfPerson(organizations, { name, accounts, declared });
  return [...(person ? [person] : []), ...keys];
}

/** The resources in the state of the stack; `undefined` if there is no stack or if they are unknown. */
async function readResources(
  stack: string | undefined,
  reader: Reader,
): Promise<readonly StateResource[] | undefined> {
  if (stack === undefined) return undefined;
  try {
    return readStackExport(await runUnlessStopped(exportArguments(stack), reader.terminal), stack).resources;
  } catch (error) {
    if (!(error instanceof OpsManagerError)) throw error;
    reader.recordUnknown(`what stack ${stack} declares`, error);
    return undefined;
  }
}
