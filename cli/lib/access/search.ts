/** Searches everything that organizations have, for one name or none, and reads what a stack declares. */
import { sameName } from "../../../provider/access/person";
import type { Holder } from "../../../provider/access/places";
import type { ApiClient } from "../../../provider/api/client";
import { messageOf, OpsManagerError } from "../../../provider/text/errors";
import { exportArguments, readStackExport, type StateResource } from "../stack-export";
import { runUnlessStopped } from "../stacks";
import type { Terminal } from "../terminal";
import { Declarations } from "./declared";
import { everyone } from "./everyone";
import { type KnownNames, namesOf } from "./names";
import { type Bearer, type Gap, type OrganizationAccess, Reader } from "./read";
import { Reading } from "./reading";
import type { Found, FoundKey, FoundPerson, FoundServiceAccount } from "./report";

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
  /** The person, the API keys and the service accounts with the name; without one, everyone and everything. */
  readonly found: readonly Found[];
  readonly organizations: readonly OrganizationAccess[];
  /** Whether the global API keys are among the others. */
  readonly hasGlobalKeys: boolean;
  /** Those of the stack; `undefined` if they are unknown. */
  readonly resources: readonly StateResource[] | undefined;
}

type KeyName = Pick<Extract<Holder, { kind: "API key" }>, "keyId" | "publicKey">;

export async function searchAccess(
  client: ApiClient,
  terminal: Terminal,
  { name, people: sought = [], orgIds, stack }: Sought,
): Promise<Reading<Search, Gap>> {
  const reader = new Reader(client, terminal);
  const resources = await readResources(stack, reader);
  const declared = resources && new Declarations(resources);
  const organizations = await reader.organizations(orgIds);
  const isNamed = ({ keyId, publicKey }: KeyName) => publicKey === name || keyId === name?.toLowerCase();
  const isNamedAccount = ({ clientId, name: own }: Pick<FoundServiceAccount, "clientId" | "name">) =>
    name !== undefined && [clientId, own].includes(name);
  const inLists = organizations.flatMap(({ places }) => places.flatMap(({ lists }) => lists.keys ?? []));
  const listed = new Set(inLists.filter(isNamed).map(({ keyId }) => keyId));
  const accounts = organizations.flatMap(({ places }) =>
    places.flatMap(({ lists }) => lists.serviceAccounts ?? []),
  );
  const globalKeys = sought.length > 0 ? undefined : await reader.globalKeys();
  const isGlobal = ({ holder }: Bearer) => holder.kind === "API key" && isNamed(holder);
  const isOther = listed.size > 0 || accounts.some(isNamedAccount) || globalKeys?.some(isGlobal);
  const isPerson = !isOther || namesOf(name ?? "", organizations).userIds.length > 0;
  const known: Awaited<ReturnType<typeof lookedUp>>[] = [];
  for (const each of [...(name !== undefined && isPerson ? [name] : []), ...sought])
    known.push(await lookedUp(each, organizations, resources, reader));
  const all = everyone(
    organizations,
    [...known.flatMap(({ account }) => account ?? []), ...(globalKeys ?? [])],
    declared,
  );
  const people = known.map(({ account: _, ...each }) => ({ ...each, person: personNamed(all, each) }));
  const keys: FoundKey[] = [];
  for (const key of all) {
    if (key.kind !== "key" || !isNamed(key)) continue;
    const isOfKey = ({ holder }: Bearer) => holder.kind === "API key" && holder.keyId === key.keyId;
    const orgId = organizations.find(({ bearers }) => bearers.some(isOfKey))?.orgId;
    const isThere = listed.has(key.keyId);
    const accessListEntries = isThere ? await reader.accessListEntries(orgId, key) : undefined;
    keys.push({ ...key, accessListEntries });
  }
  const named = all.filter((each) => each.kind === "service account").filter(isNamedAccount);
  const found =
    name === undefined ? all : [...people.flatMap(({ person }) => person ?? []), ...keys, ...named];
  const hasGlobalKeys = globalKeys !== undefined;
  return new Reading({ found, people, organizations, hasGlobalKeys, resources }, reader.gaps());
}

/** How a person is known, with the account that no organization has, if that has to be looked up. */
async function lookedUp(
  name: string,
  organizations: readonly OrganizationAccess[],
  resources: Search["resources"],
  reader: Reader,
): Promise<KnownNames & { readonly account: Bearer | undefined }> {
  const known = namesOf(name, organizations, resources);
  const { userIds } = known;
  const isSought = ({ holder, name: own }: Bearer) =>
    holder.kind === "person" && (sameName(own, name) || userIds.includes(holder.userId ?? ""));
  if (organizations.some(({ bearers }) => bearers.some(isSought))) return { ...known, account: undefined };
  for (const each of known.names) {
    const account = await reader.account(each);
    if (account && (userIds.length === 0 || isSought(account))) return { ...known, account };
  }
  return { ...known, account: undefined };
}

/** Everything that somebody has, by each name. */
function personNamed(all: readonly Found[], { names, userIds }: KnownNames): FoundPerson | undefined {
  const isNamed = ({ name, accounts }: FoundPerson) =>
    names.some((each) => sameName(each, name)) || accounts.some(({ userId }) => userIds.includes(userId));
  const same = all.filter((each) => each.kind === "person").filter(isNamed);
  if (same.length === 0) return undefined;
  const accounts = same.flatMap((each) => each.accounts);
  const [name = ""] = [...accounts.map(({ username }) => username), ...names];
  return { kind: "person", name, accounts, access: same.flatMap(({ access }) => access) };
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
