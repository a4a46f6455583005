/** Searches everything that organizations have, for one name or none, and reads what a stack declares. */
import { sameName } from "../../../provider/access/person";
import type { ApiClient } from "../../../provider/api/client";
import { messageOf, OpsManagerError } from "../../../provider/text/errors";
import { exportArguments, readStackExport, type StateResource } from "../stack-export";
import { runUnlessStopped } from "../stacks";
import type { Terminal } from "../terminal";
import type { OfState } from "./declaration";
import { Declarations } from "./declared";
import { accountsIn, type KeyFacts, keysIn, reachOfKey, reachOfPerson } from "./reach";
import { type Gap, type OrganizationAccess, Reader } from "./read";
import { Reading } from "./reading";
import type { FoundKey, FoundPerson } from "./report";

interface Sought {
  /** `undefined`: nothing in particular. */
  readonly name: string | undefined;
  readonly orgIds: readonly string[];
  /** `undefined`: no stack is selected. */
  readonly stack: string | undefined;
}

interface Search {
  /** The person and the API keys with the name. */
  readonly found: readonly (FoundPerson | FoundKey)[];
  readonly organizations: readonly OrganizationAccess[];
  /** Those of the stack; `undefined` if they are unknown. */
  readonly resources: readonly StateResource[] | undefined;
  readonly declared: OfState;
}

export async function searchAccess(
  client: ApiClient,
  terminal: Terminal,
  { name, orgIds, stack }: Sought,
): Promise<Reading<Search, Gap>> {
  const reader = new Reader(client, terminal);
  const resources = await readResources(stack, reader);
  const declared = resources && new Declarations(resources);
  const organizations = await reader.organizations(orgIds);
  const found = name === undefined ? [] : await foundNamed(name, organizations, { reader, declared });
  return new Reading({ found, organizations, resources, declared }, reader.gaps());
}

async function foundNamed(
  name: string,
  organizations: readonly OrganizationAccess[],
  { reader, declared }: { readonly reader: Reader; readonly declared: OfState },
): Promise<(FoundPerson | FoundKey)[]> {
  const keys: FoundKey[] = [];
  const isNamed = ({ keyId, publicKey }: KeyFacts) => publicKey === name || keyId === name.toLowerCase();
  for (const { key, orgId } of keysIn(organizations).filter((each) => isNamed(each.key))) {
    const accessListEntries = await reader.accessListEntries(orgId, key);
    keys.push({ ...reachOfKey(key, organizations, declared), accessListEntries });
  }
  const listed = accountsIn(organizations).filter(({ username }) => sameName(username, name));
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
    reader.signal.throwIfAborted();
    reader.note({ what: `what stack ${stack} declares`, reason: messageOf(error) });
    return undefined;
  }
}
