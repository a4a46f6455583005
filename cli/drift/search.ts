/** The search for undeclared and unmanaged objects, for all stacks of a run: each service is read once. */
import type { Settings } from "../../provider/settings/config";
import { identityOf } from "../../provider/settings/credentials";
import { CanceledError, messageOf, OpsManagerError, stopsAll } from "../../provider/text/errors";
import { Declarations, type PeopleDeclarer } from "../lib/access/declared";
import { withClient } from "../lib/connection";
import { readCommandSettings } from "../lib/settings";
import type { Terminal } from "../lib/terminal";
import {
  declarersToRead,
  type FoundInService,
  findUndeclared,
  findUnmanaged,
  nothingFound,
  type Search,
} from "./find";
import {
  type Finding,
  UNMANAGED_UNKNOWN,
  type Undetermined,
  type Unmanaged,
  unmanagedOf,
} from "./report/model";
import type { DeclaringResources } from "./stack-drift";
import { type Compared, undeclaredInReads } from "./undeclared";

interface SearchOptions {
  /** By the stack's name; `undefined` if the state could not be read. */
  readonly stacks: ReadonlyMap<string, DeclaringResources | undefined>;
  readonly orgIds: readonly string[];
  readonly comparison: Finding["comparison"];
  /** Whether all objects of the organizations are read, or only those of managed projects. */
  readonly isUnmanagedWanted: boolean;
}

export interface FoundBeside {
  /** The undeclared objects. */
  readonly findings: readonly Finding[];
  readonly undetermined: readonly Undetermined[];
  /** Absent if it was not requested, if the owned objects are unknown, or if no organization could be read. */
  readonly unmanaged?: Unmanaged;
}

/**
 * Finds the undeclared and the unmanaged objects of all stacks. Services are identified by their addresses. Several
 * stacks of one service own objects together, and the settings of the first of them are used.
 *
 * @throws CanceledError
 */
export async function findBeside(terminal: Terminal, options: SearchOptions): Promise<FoundBeside> {
  try {
    const undetermined = unreadStates(options);
    return undetermined.length > 0 ? { findings: [], undetermined } : await findInServices(terminal, options);
  } catch (error) {
    throw terminal.stop.aborted ? new CanceledError("Stopped; no report was written.") : error;
  }
}

/**
 * What the missing state of a stack leaves undetermined: everything that it declares or owns would be
 * reported. The stack itself is undetermined beside that.
 */
function unreadStates({ stacks, isUnmanagedWanted }: SearchOptions): Undetermined[] {
  const unknown = [...stacks].filter(([, resources]) => resources === undefined).map(([stack]) => stack);
  if (unknown.length === 0) return [];
  const reason = `The state of ${unknown.join(", ")} could not be read, so`;
  const declaring = [...stacks.values()].flatMap((each) => new Declarations(each?.inStack ?? []).declarers());
  return [
    ...declaring
      .filter(({ resource }) => resource.isRead === true || resource.isGone === true)
      .map(({ resource: { urn: what = "", stack } }) => ({
        what,
        reason: `${reason} the undeclared people and teams are unknown.`,
        stack,
      })),
    ...[...stacks.values()]
      .flatMap((each) => each?.complete ?? [])
      .map(({ urn: what, stack }) => ({
        what,
        reason: `${reason} the undeclared owners are unknown.`,
        stack,
      })),
    ...(isUnmanagedWanted
      ? [{ what: UNMANAGED_UNKNOWN, reason: `${reason} the owned objects are unknown.` }]
      : []),
  ];
}

async function findInServices(terminal: Terminal, options: SearchOptions): Promise<FoundBeside> {
  const { stacks, orgIds, comparison, isUnmanagedWanted } = options;
  const { services, unread } = await readServices(terminal, options);
  const everything = declaredBy(
    [...stacks.values()].filter((each) => each !== undefined),
    comparison,
  );
  const whyUnknown = isUnmanagedWanted ? whyUnmanagedUnknown(unread, services, orgIds) : undefined;
  const isSearched = isUnmanagedWanted && whyUnknown === undefined;
  const searches: FoundInService[] = [];
  const undeclared: Omit<FoundBeside, "unmanaged">[] = [];
  const compared = new Set<string>();
  for (const service of services) {
    if (isSearched) searches.push(await searchService(terminal, service, options));
    for (const id of searches.flatMap((found) => found.compared)) compared.add(id);
    // Each stack may have a key that sees only its own organization.
    for (const stack of service.stacks) {
      const declarers = declarersToRead(everything.owners, stack.stack, compared);
      const found = await findOfStack(terminal, stack, declarers, {
        declared: everything,
        ownKeys: service.ownKeys,
        complete: stack.resources.complete.filter(({ orgId }) => !compared.has(orgId)),
        signal: terminal.stop,
      });
      for (const id of found.compared) compared.add(id);
      undeclared.push(found);
    }
  }
  const parts = [...searches, ...undeclared, undeclaredInReads(everything, compared)];
  const stopped = searches.flatMap((found) =>
    found.stopped === undefined ? [] : [messageOf(found.stopped)],
  );
  const findings = parts.flatMap((part) => part.findings);
  const organizations = searches.flatMap(({ organizations }) => organizations);
  const rows = searches.flatMap(({ rows }) => rows);
  const isNothingRead = isSearched && stopped.length === 0 && organizations.length + rows.length === 0;
  const unknown = [
    ...(whyUnknown === undefined ? [] : [whyUnknown]),
    ...stopped,
    ...(isNothingRead ? ["No organization could be read."] : []),
  ];
  return {
    findings,
    undetermined: [
      ...unread,
      ...unknown.map((reason) => ({ what: UNMANAGED_UNKNOWN, reason })),
      ...parts.flatMap(({ undetermined }) => undetermined),
    ],
    ...(isSearched &&
      unknown.length === 0 && {
        unmanaged: unmanagedOf({ organizations, rows }),
      }),
  };
}

function declaredBy(
  resources: readonly DeclaringResources[],
  comparison: SearchOptions["comparison"],
): Compared {
  return {
    owners: new Declarations(resources.flatMap(({ inStack }) => inStack)),
    planned: new Declarations(resources.flatMap(({ planned }) => planned)),
    comparison,
  };
}

interface StackOfService {
  readonly stack: string;
  readonly settings: Settings;
  readonly resources: DeclaringResources;
}

interface Service {
  readonly address: string;
  readonly stacks: readonly StackOfService[];
  /** The credentials of the stacks, as `identityOf` has them. */
  readonly ownKeys: ReadonlySet<string>;
}

/** The services of the stacks that need one, and the stacks whose settings could not be read. */
async function readServices(
  terminal: Terminal,
  { stacks, isUnmanagedWanted }: SearchOptions,
): Promise<{ readonly services: readonly Service[]; readonly unread: readonly Undetermined[] }> {
  const found: StackOfService[] = [];
  const unread: Undetermined[] = [];
  for (const [stack, resources] of stacks) {
    if (resources === undefined) continue;
    const needsClient =
      resources.complete.length > 0 || declarersToRead(new Declarations(resources.inStack), stack).length > 0;
    if (!isUnmanagedWanted && !needsClient) continue;
    const settings = await settingsOf(terminal, stack);
    if (typeof settings !== "string") found.push({ stack, settings, resources });
    else unread.push({ what: `settings of stack ${stack}`, reason: settings, stack });
  }
  const byAddress = Map.groupBy(found, ({ settings: { origin, pathPrefix } }) => `${origin}${pathPrefix}`);
  const services = [...byAddress].map(([address, same]) => {
    return {
      address,
      stacks: same,
      ownKeys: new Set(same.map(({ settings }) => identityOf(settings))),
    };
  });
  return { services, unread };
}

async function searchService(
  terminal: Terminal,
  { stacks, ownKeys }: Service,
  { orgIds, comparison }: SearchOptions,
): Promise<FoundInService> {
  const [first] = stacks;
  if (first === undefined) throw new Error("A service without a stack.");
  const declared = declaredBy(
    stacks.map(({ resources }) => resources),
    comparison,
  );
  const complete = stacks.flatMap(({ resources }) => resources.complete);
  const { stop: signal } = terminal;
  try {
    return await withClient(first.settings, terminal, (client) =>
      findUnmanaged({ declared, client, ownKeys, complete, orgIds, signal, terminal }),
    );
  } catch (error) {
    if (!stopsAll(error)) throw error;
    return nothingFound(error);
  }
}

/**
 * What is undeclared in the projects and organizations of a stack. A cause that stops every call is one
 * entry, whatever was to be read.
 */
async function findOfStack(
  terminal: Terminal,
  { stack, settings }: StackOfService,
  declarers: readonly PeopleDeclarer[],
  search: Omit<Search, "client">,
): ReturnType<typeof findUndeclared> {
  if (declarers.length + search.complete.length === 0)
    return { findings: [], undetermined: [], compared: [] };
  try {
    return await withClient(settings, terminal, (client) => findUndeclared({ ...search, client }, declarers));
  } catch (error) {
    if (!stopsAll(error)) throw error;
    const what = "undeclared people, teams, API keys and service accounts";
    return { findings: [], undetermined: [{ what, reason: messageOf(error), stack }], compared: [] };
  }
}

/**
 * @param withoutSettings the stacks whose settings could not be read. Their states show what they
 * declare.
 */
function whyUnmanagedUnknown(
  withoutSettings: readonly Undetermined[],
  services: readonly Service[],
  orgIds: readonly string[],
): string | undefined {
  if (withoutSettings.length > 0) {
    const stacks = withoutSettings.map(({ stack }) => stack).join(", ");
    return `The settings of ${stacks} could not be read, so the owned objects are unknown.`;
  }
  if (orgIds.length > 0 && services.length > 1)
    return `The stacks belong to several services (${services.map(({ address }) => address).join(", ")}), and the service of --org is unknown. Run the command once for each service.`;
  return undefined;
}

async function settingsOf(terminal: Terminal, stack: string): Promise<Settings | string> {
  try {
    return (await readCommandSettings(terminal, stack)).settings;
  } catch (error) {
    if (!(error instanceof OpsManagerError) || terminal.stop.aborted) throw error;
    return messageOf(error);
  }
}
