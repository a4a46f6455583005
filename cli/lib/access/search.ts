/** Searches everything that organizations have, for one name or none, and reads what a stack declares. */
import { sameName } from "../../../provider/access/person";
import type { ApiClient } from "../../../provider/api/client";
import type { UserResponse } from "../../../provider/api/users";
import { messageOf, OpsManagerError } from "../../../provider/text/errors";
import { exportArguments, readStackExport, type StateResource } from "../stack-export";
import { runUnlessStopped } from "../stacks";
import type { Terminal } from "../terminal";
import type { OfState } from "./declaration";
import { Declarations } from "./declared";
import { type KnownNames, namesOf } from "./names";
import { accountsIn, type KeyFacts, keysIn, reachOfKey, reachOfPerson } from "./reach";
import { type Gap, type OrganizationAccess, Reader } from "./read";
import { Reading } from "./reading";
import type { FoundKey, FoundPerson } from "./report";

interface Sought {
  /** `undefined`: nothing in particular. */
  readonly name: string | undefined;
  /** People alone, each by any name of the account. */
  readonly people?: readonly string[];
  readonly orgIds: readonly string[];
  /** `undefined`: no stack is selected. */
  readonly stack: string | undefined;
}

/** Whoever was searched, found or not. */
export interface SearchedPerson extends KnownNames {
  readonly person: FoundPerson | undefined;
}

export interface Search {
  /** For each of the people that were sought. */
  readonly people: readonly SearchedPerson[];
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
  { name, people: sought = [], orgIds, stack }: Sought,
): Promise<Reading<Search, Gap>> {
  const reader = new Reader(client, terminal);
  const resources = await readResources(stack, reader);
  const declared = resources && new Declarations(resources);
  const organizations = await reader.organizations(orgIds);
  const known = { reader, resources, declared };
  const found = name === undefined ? [] : await foundNamed(name, organizations, known);
  const people: SearchedPerson[] = [];
  for (const each of sought) people.push(await personNamed(each, organizations, known));
  return new Reading({ found, people, organizations, resources, declared }, reader.gaps());
}

interface Known extends Pick<Search, "resources" | "declared"> {
  readonly reader: Reader;
}

async function foundNamed(
  name: string,
  organizations: readonly OrganizationAccess[],
  known: Known,
): Promise<(FoundPerson | FoundKey)[]> {
  const { reader, declared } = known;
  const keys: FoundKey[] = [];
  const isNamed = ({ keyId, publicKey }: KeyFacts) => publicKey === name || keyId === name.toLowerCase();
  for (const { key, orgId } of keysIn(organizations).filter((each) => isNamed(each.key))) {
    const accessListEntries = await reader.accessListEntries(orgId, key);
    keys.push({ ...reachOfKey(key, organizations, declared), accessListEntries });
  }
  if (keys.length > 0 && namesOf(name, organizations).userIds.length === 0) return keys;
  const { person } = await personNamed(name, organizations, known);
  return [...(person ? [person] : []), ...keys];
}

async function personNamed(
  name: string,
  organizations: readonly OrganizationAccess[],
  { reader, resources, declared }: Known,
): Promise<SearchedPerson> {
  const known = namesOf(name, organizations, resources);
  const isSought = ({ id, username }: UserResponse) => sameName(username, name) || known.userIds.includes(id);
  const accounts = accountsIn(organizations).filter(isSought);
  for (const each of known.names) {
    if (accounts.length > 0) break;
    const account = await reader.account(each);
    if (account && (known.userIds.length === 0 || known.userIds.includes(account.id))) accounts.push(account);
  }
  const search = { name, otherNames: known.names, accounts, declared };
  return { ...known, person: reachOfPerson(organizations, search) };
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
