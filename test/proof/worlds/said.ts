/** What `opsmanager summarize` says of access after a run, compared with the service before and after it. */

import { EventReader } from "../../../cli/lib/engine-events";
import { summaryOf } from "../../../cli/summarize/changes";
import type { StateOptions } from "../../../cli/summarize/places";
import type { Json, Values } from "../engine-model";
import { type Access, accessIn, placesOf } from "./access";
import type { Holds } from "./command";
import { API_KEY } from "./oracle";
import { accountNamed, fold, type ServiceView } from "./service-view";
import { hasLeft } from "./teams";

interface Holder {
  /** The names by which a summary may call the holder, folded. */
  readonly names: ReadonlySet<string>;
  /** Of a person who has one. */
  readonly account?: string | undefined;
  readonly keyId?: string | undefined;
}

interface Place {
  readonly what: "project" | "team" | "organization";
  readonly names: ReadonlySet<string>;
  readonly holders: ReadonlyMap<string, Holder>;
}

const namesOf = (...texts: readonly string[]): ReadonlySet<string> => new Set(texts.map(fold));

/** The names by which a summary may call the holder. */
export function saidNames(holder: Access["holder"]): readonly string[] {
  const { kind, id, name, account, publicKey, invitation } = holder;
  // A preview of somebody who is declared by userId alone, and is not there yet, knows no name.
  if (kind === "person")
    return [name, invitation ?? id, ...(account === undefined ? [] : [`user ${account}`])];
  if (kind === "group") return [`${id === "ldapGroupMappings" ? "LDAP" : "identity provider"} group ${name}`];
  const other = publicKey === undefined ? id : publicKey;
  const names = kind === "team" ? [name, id] : [name, other, id, `${name} (${other})`];
  return names.map((one) => `${kind} ${one}`);
}

/** A key by its public key alone: the run may have changed its description. */
function withoutDescription(name: string): string {
  return name.replace(/^api key .* \((.+)\)$/, "api key $1");
}

function holdersOf(access: readonly Access[]): ReadonlyMap<string, Holder> {
  const others = access.filter(({ holder }) => holder.publicKey !== API_KEY);
  return new Map(
    others.map(({ holder }) => {
      const { kind, id, name, account } = holder;
      const names = namesOf(...saidNames(holder));
      const keyId = kind === "API key" ? id : undefined;
      return [kind === "group" ? `${id} ${name}` : id, { names, account, keyId }];
    }),
  );
}

function placesIn(service: ServiceView): Map<string, Place> {
  const access = Map.groupBy(accessIn(service), ({ place }) => place.id);
  return new Map(
    placesOf(service).map(({ kind, id, name }) => {
      const names = kind === "team" ? namesOf(name) : namesOf(name, id);
      return [id, { what: kind, names, holders: holdersOf(access.get(id) ?? []) }];
    }),
  );
}

interface Run {
  readonly before: ServiceView;
  readonly after: ServiceView;
  /** The engine's events, one a line. */
  readonly events: string;
  /** The resources of the state before. */
  readonly resources: readonly ({ readonly urn: string; readonly outputs: Json } & Omit<
    StateOptions,
    "outputs"
  >)[];
  readonly ok: boolean;
}

/** What the command says of a run, or of its preview, and what it has read of it. */
export function summarized(
  command: "preview" | "up",
  { events, resources, ok }: Pick<Run, "events" | "resources" | "ok">,
) {
  const reader = new EventReader();
  reader.take(events);
  const run = reader.end();
  const facts = {
    command,
    stack: undefined,
    failure: ok ? undefined : "the run failed",
    options: new Map(resources.map((each) => [each.urn, { ...each, outputs: each.outputs as Values }])),
  };
  return { run, summary: summaryOf(run, facts) };
}

export function checkSaid({ before, after, ...said }: Run, holds: Holds): void {
  const { resources } = said;
  const { run, summary } = summarized("up", said);
  const { groups } = summary;
  const failed = fold(JSON.stringify(run.failed));
  // What became of a failed operation is open.
  const isOpen = ({ names }: Holder) =>
    [...names].some((name) => failed.includes(name.replace(/^(team|api key) /, "")));
  const [was, is] = [placesIn(before), placesIn(after)];
  for (const id of new Set([...was.keys(), ...is.keys()])) {
    const [old, now] = [was.get(id), is.get(id)];
    const place = now ?? old;
    if (place === undefined) continue;
    // A summary may have the name from the state.
    const recorded = resources.flatMap(({ outputs }) => {
      const { projectId, teamId, name, groupName } = outputs as Values;
      return projectId === id || teamId === id ? [name, groupName].map(String) : [];
    });
    const names = new Set([...(old?.names ?? []), ...place.names, ...recorded.map(fold)]);
    const said = groups.filter(({ what, name }) => what === place.what && names.has(fold(name)));
    // Two places had the name in this run.
    if (
      [...was, ...is].some(
        ([other, { what, names: others }]) =>
          other !== id && what === place.what && [...others].some((one) => names.has(one)),
      )
    )
      continue;
    const coming = said.flatMap(({ gained }) => gained.map(({ name }) => fold(name)));
    const going = said.flatMap(({ lost }) => lost.map(({ name }) => fold(name)));
    const unclear = said.flatMap((group) => group.unclear.map(fold));
    const isNamed = (list: readonly string[], { names: own }: Holder) =>
      [...list, ...unclear].some((name) => own.has(name) || own.has(withoutDescription(name)));
    // A key that replaces another one has its description.
    const holdersOnlyIn = (one: Place | undefined, other: Place | undefined) => {
      const others = [...(other?.holders.values() ?? [])];
      return [...(one?.holders ?? [])].filter(
        ([, { names: own }]) => !others.some((holder) => [...holder.names].some((name) => own.has(name))),
      );
    };
    const noted = summary.notes.flatMap((note) => note.names.map((name) => fold(String(name))));
    const where = `${place.what} ${[...place.names][0]}`;
    for (const [, holder] of now === undefined ? [] : holdersOnlyIn(old, now)) {
      // An invitation was sent to a name, which may have got an account since then.
      const account =
        holder.account ?? [...holder.names].map((name) => accountNamed(before, name)).find(Boolean);
      const isCascade =
        place.what !== "organization" &&
        (hasLeft(account, { before, after }) ||
          (holder.keyId !== undefined && !after.apiKeys.has(holder.keyId)));
      holds(
        "who loses access is named in the summary",
        (isCascade && isNamed(noted, holder)) || isOpen(holder) || isNamed(going, holder),
        () => `${[...holder.names][0]} in ${where}`,
      );
    }
    for (const [, holder] of holdersOnlyIn(now, old)) {
      // The service gives a new project an owner, and who joins a project joins its organization.
      const isByService = place.what === "project" && old === undefined;
      const isJoined = place.what === "organization" && holder.account !== undefined;
      holds(
        "who gets access is named in the summary",
        isByService || isJoined || isOpen(holder) || isNamed(coming, holder),
        () => `${[...holder.names][0]} in ${where}`,
      );
    }
    if (now === undefined) continue;
    const has = (name: string) => [...now.holders.values()].find((holder) => holder.names.has(name));
    const kept = going.filter((name) => {
      const holder = has(name);
      return holder !== undefined && !isOpen(holder);
    });
    holds(
      "who keeps access is not said to lose it",
      kept.length === 0,
      () => `${kept.join(", ")} in ${where}`,
    );
    const absent = coming.filter((name) => has(name) === undefined && !failed.includes(name));
    holds(
      "who has no access is not said to get it",
      absent.every((name) => name === "[secret]"),
      () => `${absent.join(", ")} in ${where}`,
    );
  }
}
