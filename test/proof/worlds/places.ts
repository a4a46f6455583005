/**
 * Organizations contain projects and teams, so four deletions take access away in other places as well: of a person or an API key
 * of the organization, of a team, and of a project. What has to be true of them, and of the removals of a run.
 */

import type { RequestRecord } from "../../../sandbox";
import type { Declaration, Recorded } from "../engine-model";
import { orgId } from "./beginning";
import type { Holds } from "./command";
import { candidatesOf } from "./oracle";
import { fold, type ServiceView } from "./service-view";
import { isRecordOf, type TeamSituation } from "./teams";

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

export type Below = Pick<
  TeamSituation,
  "before" | "after" | "stateBefore" | "program" | "entries" | "identities"
> & { readonly state: readonly Recorded[] };

/**
 * The resources of the program that lose what they declare if the deletion is carried out.
 *
 * @param isCertain without those that may mean another account, because accounts were renamed
 */
export function declaredBelow(deletion: Deletion, situation: Below, isCertain: boolean): readonly string[] {
  const { before, stateBefore, program, state } = situation;
  const { id } = deletion;
  const held = stateBefore.filter((record) => deletionOf(record, before)?.id === id);
  const isDeletedFirst = program.some(
    (one) => one.options?.deleteBeforeReplace && held.some((record) => isRecordOf(one, record)),
  );
  if (deletion.of === "person")
    return isDeletedFirst ? livePlaces(id, before) : declarersOf(id, situation, isCertain);
  if (isDeletedFirst && deletion.of === "API key") return projectsOf(id, before);
  // What is declared is not known yet.
  if (isDeletedFirst) return [];
  const records = (one: Declaration) =>
    state.filter((record) => record.type === one.type && isRecordOf(one, record) && !record.pendingDelete);
  const isBelow = (one: Declaration): boolean => {
    const { type, inputs } = one;
    if (deletion.of === "project") return type !== "Project" && inputs.projectId === id;
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
const livePlaces = (account: string, { projects, teams }: ServiceView): readonly string[] => [
  ...[...projects.values()]
    .filter((project) => project.orgId === orgId && project.members.has(account))
    .map(({ name }) => name),
  ...[...teams.values()].filter(({ userIds }) => userIds.includes(account)).map(({ name }) => name),
];

function declarersOf(
  account: string,
  { before, after, entries, program, stateBefore, identities }: Below,
  isCertain: boolean,
): readonly string[] {
  const present = before.names.get(account) ?? "";
  const names = isCertain ? new Set([present]) : identities.namesOf(account);
  const inProjects = entries.filter((entry) => {
    const { accounts, ambiguous } = candidatesOf(entry, before, identities);
    const project = after.projects.get(entry.projectId) ?? before.projects.get(entry.projectId);
    const isHere = project?.orgId === orgId;
    const isPresent = entry.userId === account || fold(entry.username ?? "") === present;
    const isOnly = accounts.size === 1 && (!ambiguous || isPresent);
    return isHere && accounts.has(account) && (isOnly || !isCertain);
  });
  // A name means the account that is recorded under it, whoever has the name now.
  const isOfAnother = (team: Declaration, name: string) =>
    stateBefore
      .filter((record) => isRecordOf(team, record))
      .flatMap(({ outputs }) => (outputs.people ?? []) as unknown as readonly RecordedPerson[])
      .some(
        (one) =>
          one.declared && fold(one.declaredAs ?? one.username) === fold(name) && one.userId !== account,
      );
  // Ignored changes leave what the last run declared.
  const usernamesOf = (team: Declaration) => {
    const isIgnored = team.options?.ignoreChanges?.includes("usernames") ?? false;
    const recorded = stateBefore.find((record) => isRecordOf(team, record) && !record.pendingDelete);
    const { usernames } = (isIgnored ? recorded : undefined)?.inputs ?? team.inputs;
    return (usernames ?? []) as readonly string[];
  };
  const teams = program.filter(
    (one) =>
      one.type === "Team" &&
      usernamesOf(one).some((name) => names.has(fold(name)) && !isOfAnother(one, name)),
  );
  return [...inProjects.map(({ resource }) => resource), ...teams.map((team) => team.name)];
}

interface RecordedPerson {
  readonly userId: string;
  readonly username: string;
  readonly declared: boolean;
  readonly declaredAs?: string;
}

interface Outcome extends Below {
  readonly requests: readonly RequestRecord[];
  readonly maxRemovalsPerRun: number;
}

/** What holds after every command, however it ended. */
export function checkPlaces(outcome: Outcome, holds: Holds): void {
  const { before, after, requests } = outcome;
  for (const { method, path } of requests) {
    if (method !== "DELETE") continue;
    for (const [of, pattern] of paths) {
      const [, id] = pattern.exec(path) ?? [];
      if (id === undefined || !isGone({ of, id }, before, after)) continue;
      const declared = declaredBelow({ of, id }, outcome, true);
      holds(
        "a deletion takes nothing away that the program declares below",
        declared.length === 0,
        () => `the ${of} ${id} is deleted, which ${declared.join(", ")} had below`,
      );
    }
  }
  const removals = removalsIn(outcome);
  holds(
    "a run removes no more than maxRemovalsPerRun allows",
    removals.length <= outcome.maxRemovalsPerRun,
    () => `${outcome.maxRemovalsPerRun}, and it removed ${removals.join(", ")}`,
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

/** Each holder who is no longer in a place that still exists. Who left a team that is deleted counts as well. */
function removalsIn({ before, after, stateBefore, state }: Outcome): readonly string[] {
  const removals: string[] = [];
  const compare = (
    place: string,
    was: Iterable<string>,
    is: { has(holder: string): boolean } | undefined,
  ) => {
    for (const holder of was) if (!is?.has(holder)) removals.push(`${holder} from ${place}`);
  };
  const members = (people: ServiceView["organization"]) =>
    [...people].filter(([, { status }]) => status === "active").map(([id]) => id);
  compare("the organization", members(before.organization), new Set(members(after.organization)));
  for (const team of before.teams.values())
    compare(`team ${team.name}`, team.userIds, new Set(after.teams.get(team.id)?.userIds));
  for (const project of before.projects.values()) {
    const now = after.projects.get(project.id);
    if (now === undefined) continue;
    compare(project.name, project.members.keys(), now.members);
    compare(project.name, project.teams.keys(), now.teams);
  }
  for (const key of before.apiKeys.values()) {
    const now = after.apiKeys.get(key.id);
    const { name } =
      stateBefore.find(({ type, outputs }) => type === "ApiKey" && outputs.keyId === key.id) ?? {};
    // The resource has made another key in its place.
    const isReplaced = state.some(
      (one) => one.type === "ApiKey" && one.name === name && one.outputs.keyId !== key.id,
    );
    if (now === undefined && isReplaced) continue;
    if (now === undefined) removals.push(`API key ${key.description} from the organization`);
    const places = [...key.projectRoles.keys()].filter((id) => after.projects.has(id));
    compare(`API key ${key.description}`, places, now?.projectRoles);
  }
  return removals;
}
