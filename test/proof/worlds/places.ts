/**
 * Organizations contain projects and teams, so four deletions take access away in other places as well: of a person or an API key
 * of the organization, of a team, and of a project. What has to be true of them, and of the removals of a run.
 */

import type { Declaration, Recorded } from "../engine-model";
import { type Access, accessIn, type Holder } from "./access";
import { orgId } from "./beginning";
import type { Holds, Situation } from "./command";
import { isOver } from "./days";
import { candidatesOf } from "./oracle";
import { ignores, isDeletedFirst, isRecordOf, lasting, peopleIn, textsIn } from "./records";
import { fold, type ServiceView } from "./service-view";

interface Deletion {
  readonly of: "person" | "API key" | "team" | "project";
  readonly id: string;
}

const paths = [
  ["person", /\/orgs\/\w+\/users\/(\w+)$/],
  ["API key", /\/orgs\/\w+\/apiKeys\/(\w+)$/],
  ["team", /\/orgs\/\w+\/teams\/(\w+)$/],
  ["project", /\/groups\/(\w+)$/],
] as const;

/** The deletion that the resource may send when it is destroyed. */
export function deletionOf({ type, outputs }: Recorded, { organization }: ServiceView): Deletion | undefined {
  const { projectId, teamId, keyId, userId, username } = outputs;
  if (type === "Project") return { of: "project", id: String(projectId) };
  if (type === "Team") return { of: "team", id: String(teamId) };
  if (type === "ApiKey") return { of: "API key", id: String(keyId) };
  if (type !== "OrganizationMember") return undefined;
  const named = [...organization.values()].find(({ name }) => name === fold(String(username)));
  const id = userId ?? named?.account;
  return id === undefined ? undefined : { of: "person", id: String(id) };
}

/**
 * The resources of the program that lose what they declare if the deletion is carried out.
 *
 * @param isCertain without those that may mean another account, because accounts were renamed
 */
export function declaredBelow(
  deletion: Deletion,
  situation: Situation,
  isCertain: boolean,
): readonly string[] {
  const { before, stateBefore, program, entries, result } = situation;
  const { id } = deletion;
  const held = stateBefore.filter((record) => deletionOf(record, before)?.id === id);
  const goesFirst = program.some(
    (one) => isDeletedFirst(one) && held.some((record) => isRecordOf(one, record)),
  );
  if (deletion.of === "person")
    return goesFirst ? livePlaces(id, before) : declarersOf(id, situation, isCertain);
  if (goesFirst && deletion.of === "API key") return projectsOf(id, before);
  // What is declared is not known yet.
  if (goesFirst) return [];
  const records = (one: Declaration) =>
    result.state.filter(
      (record) => record.type === one.type && isRecordOf(one, record) && !record.pendingDelete,
    );
  const isBelow = (one: Declaration): boolean => {
    const { type, inputs } = one;
    // A list may name no one but those whose access has ended.
    const isEmpty = type === "ProjectMembers" && !entries.some(({ resource }) => resource === one.name);
    if (deletion.of === "project") return type !== "Project" && !isEmpty && inputs.projectId === id;
    const isRecorded = (property: string) => records(one).some(({ outputs }) => outputs[property] === id);
    if (deletion.of === "team") {
      const name = before.teams.get(id)?.name;
      return type === "ProjectTeam" && (isRecorded("teamId") || inputs.teamName === name);
    }
    const publicKey = before.apiKeys.get(id)?.publicKey;
    return type === "ProjectApiKey" && (isRecorded("keyId") || inputs.publicKey === publicKey);
  };
  return program.filter(isBelow).map(({ name }) => name);
}

const projectsOf = (key: string, { apiKeys, projects }: ServiceView): readonly string[] =>
  [...projects.values()].filter(({ id }) => apiKeys.get(key)?.projectRoles.has(id)).map(({ name }) => name);

/** Where the person is in projects and teams of the organization. */
export const livePlaces = (account: string, { projects, teams }: ServiceView): readonly string[] => [
  ...[...projects.values()]
    .filter((project) => project.orgId === orgId && project.members.has(account))
    .map(({ name }) => name),
  ...[...teams.values()].filter(({ userIds }) => userIds.includes(account)).map(({ name }) => name),
];

function declarersOf(
  account: string,
  { before, after, entries, program, stateBefore, identities }: Situation,
  isCertain: boolean,
): readonly string[] {
  const present = before.names.get(account) ?? "";
  const names = isCertain ? new Set([present]) : identities.namesOf(account);
  const inProjects = entries.filter((entry) => {
    const { accounts, ambiguous } = candidatesOf(entry, before, identities);
    const project = after.projects.get(entry.projectId) ?? before.projects.get(entry.projectId);
    // Of a project that is gone, the provider doesn't know the organization.
    const isHere = project ? project.orgId === orgId : !isCertain;
    const isPresent = entry.userId === account || fold(entry.username ?? "") === present;
    const isOnly = accounts.size === 1 && (!ambiguous || isPresent);
    // A name that nobody has any more may still mean the account that had it.
    const isFormer = accounts.size === 0 && names.has(fold(entry.username ?? ""));
    return isHere && (accounts.has(account) || isFormer) && (isOnly || !isCertain);
  });
  // A name means the account that is recorded under it, whoever has the name now.
  const isOfAnother = (team: Declaration, name: string) =>
    stateBefore
      .filter((record) => isRecordOf(team, record))
      .flatMap(peopleIn)
      .some(
        (one) =>
          one.declared && fold(one.declaredAs ?? one.username) === fold(name) && one.userId !== account,
      );
  // Ignored changes leave what the last run declared.
  const usernamesOf = (team: Declaration) => {
    const recorded = stateBefore.find((record) => isRecordOf(team, record) && !record.pendingDelete);
    const { usernames } = ((ignores(team, "usernames") && recorded) || team).inputs;
    return usernames === undefined ? [] : textsIn(lasting({ ...team.inputs, usernames }), "usernames");
  };
  const teams = program.filter(
    (one) =>
      one.type === "Team" &&
      usernamesOf(one).some((name) => names.has(fold(name)) && !isOfAnother(one, name)),
  );
  return [...inProjects.map(({ resource }) => resource), ...teams.map((team) => team.name)];
}

/** What holds after every command, however it ended. */
export function checkPlaces(situation: Situation, holds: Holds): void {
  const { before, after, requests, world, stateBefore, program, whole } = situation;
  const { maxRemovalsPerRun = 100 } = world.settings ?? {};
  // A key whose last day is over takes its roles along, also those that are declared for longer.
  const isEnd = (id: string) =>
    stateBefore.some(
      (record) =>
        record.outputs.keyId === id &&
        // Also a day that the program gives in this run.
        [record, ...whole.filter((one) => isRecordOf(one, record))].some(({ inputs }) =>
          isOver(inputs.until, Date.now()),
        ) &&
        !program.some((one) => isRecordOf(one, record)),
    );
  for (const { method, path } of requests) {
    if (method !== "DELETE") continue;
    for (const [of, pattern] of paths) {
      const [, id] = pattern.exec(path) ?? [];
      if (id === undefined || !isGone({ of, id }, before, after) || isEnd(id)) continue;
      const unregistered = new Set(unregisteredIn(situation));
      const declared = declaredBelow({ of, id }, situation, true).filter((name) => !unregistered.has(name));
      holds(
        "a deletion takes nothing away that the program declares below",
        declared.length === 0,
        () => `the ${of} ${id} is deleted, which ${declared.join(", ")} had below`,
      );
    }
  }
  const removals = removalsIn(situation);
  holds(
    "a run removes no more than maxRemovalsPerRun allows",
    removals.length <= maxRemovalsPerRun,
    () => `${maxRemovalsPerRun}, and it removed ${removals.join(", ")}`,
  );
}

function isGone({ of, id }: Deletion, before: ServiceView, after: ServiceView): boolean {
  const tables = {
    person: "organization",
    "API key": "apiKeys",
    team: "teams",
    project: "projects",
  } as const;
  return before[tables[of]].has(id) && !after[tables[of]].has(id);
}

/**
 * The new resources that depend on one that failed: the engine registers none of them, so no provider knows what they declare
 * (docs/reliability.md).
 */
function unregisteredIn({ program, stateBefore, result }: Situation): readonly string[] {
  const failed = new Set(result.failures.map(({ name }) => name));
  const unregistered: string[] = [];
  for (const one of program) {
    const dependencies = [
      ...Object.values(one.references).map(({ resource }) => resource),
      ...(one.dependsOn ?? []),
    ];
    if (!dependencies.some((name) => failed.has(name))) continue;
    failed.add(one.name);
    if (!stateBefore.some((record) => isRecordOf(one, record))) unregistered.push(one.name);
  }
  return unregistered;
}

/** Each holder who is no longer in a place that still exists. Who left a team that is deleted counts as well. */
function removalsIn({ before, after, stateBefore, result, plannedEnds }: Situation): readonly string[] {
  const counted = ({ isPending, holder: { kind } }: Access) =>
    !isPending && (kind === "person" || kind === "team" || kind === "API key");
  const keyOf = ({ place, holder }: Access) => `${place.id} ${holder.kind} ${holder.id}`;
  const remaining = new Set(accessIn(after).filter(counted).map(keyOf));
  // The resource has made another key in its place.
  const isReplaced = ({ kind, id }: Holder) => {
    if (kind !== "API key" || after.apiKeys.has(id)) return false;
    const former = stateBefore.find(({ type, outputs }) => type === "ApiKey" && outputs.keyId === id);
    return result.state.some(({ type, name, outputs }) => {
      return type === "ApiKey" && name === former?.name && outputs.keyId !== id;
    });
  };
  const isPlanned = ({ place, holder }: Access) =>
    plannedEnds.some(({ placeId = place.id, holders }) => {
      return placeId === place.id && holders.includes(holder.id);
    });
  return accessIn(before)
    .filter((access) => counted(access) && !remaining.has(keyOf(access)) && !isPlanned(access))
    .filter(({ place }) => place.kind !== "project" || after.projects.has(place.id))
    .filter(({ holder }) => !isReplaced(holder))
    .map(
      ({ place, holder }) => `${holder.kind} ${holder.name || holder.id} from ${place.kind} ${place.name}`,
    );
}
