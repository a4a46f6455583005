/** Reads who and what has access to the projects of a stack without being declared. */

import { foldName } from "../../provider/access/person";
import type { ApiClient } from "../../provider/api/client";
import type { TeamName } from "../../provider/api/teams";
import type { UserResponse } from "../../provider/api/users";
import { readSingly } from "../../provider/functions/project-fields";
import { inOrder } from "../../provider/resources/contract/values";
import { joinId } from "../../provider/text/object-id";
import type { PeopleDeclarer } from "../lib/access/declared";
import { orReason, reportedElsewhere } from "../lib/access/reading";
import {
  type ListedProject,
  type ListGap,
  readInvitedToTeams,
  readKeys,
  readMappings,
  readPeople,
  readPeopleOfTeams,
  readTeams,
  withoutDoubtful,
} from "../lib/organization";
import { unreadList } from "../lib/project-access";
import { noOneOwnsAbove, OwnersAbove } from "./owners-above";
import type { Finding, Undetermined } from "./report/model";
import {
  type Declared,
  findingsIn,
  type OwningTeam,
  owningTeams,
  type PersonInProject,
  type PersonOfTeam,
  type ProjectContent,
  peopleOfTeam,
  undeclaredIn,
  undeclaredInTeam,
  undeclaredOwnersOf,
} from "./undeclared";

/** The resources of a stack that declare people of projects, and whose projects were not compared. */
export function declarersToRead(
  owners: Declared["owners"],
  stack: string,
  compared: ReadonlySet<string> = new Set(),
): PeopleDeclarer[] {
  return owners
    .declarers()
    .filter(({ resource }) => resource.isRead === true && resource.stack === stack)
    .filter(({ owner }) => owners.teamOf(owner) === undefined && !compared.has(owner));
}

export interface Search {
  readonly declared: Declared;
  readonly client: ApiClient;
  /** Public keys of the given stacks. */
  readonly ownKeys: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

interface Found {
  readonly findings: Finding[];
  readonly undetermined: Undetermined[];
  /** The projects whose people were compared. */
  readonly compared: readonly string[];
}

/**
 * Reads the teams, the API keys and the group mappings of the projects in which a resource declares
 * people, the people beside a ProjectMember, and the people of teams that can own such a project. A
 * ProjectMembers or a Team has read its people itself, but does not record which roles an invitation of
 * a member gives. A list that cannot be read makes the resource undetermined.
 */
export async function findUndeclared(search: Search, declarers: readonly PeopleDeclarer[]): Promise<Found> {
  const { declared, client, ownKeys, signal } = search;
  const { owners } = declared;
  const listed = await Promise.all(declarers.map(({ owner }) => projectOf(owner, search)));
  const recorded = ({ projectId }: ListedProject) => {
    const { exceptFor, present = [] } = owners.declarerOf(projectId) ?? {};
    return exceptFor === undefined ? undefined : present;
  };
  const isInvited = ({ invitationId }: PersonInProject) => invitationId !== undefined;
  const toRead = listed.filter((project) => recorded(project)?.some(isInvited) ?? true);
  const gaps: ListGap<string>[] = [];
  const note = (gap: ListGap<string>) => gaps.push(gap);
  const ofPeople = withoutDoubtful(await readPeople(client, toRead, { includeIndirect: false, signal }));
  const teams = (await readTeams(client, listed, { signal })).take(note);
  const people = ofPeople.take(note);
  const keys = (await readKeys(client, listed, { signal })).take(note);
  const groups = (await readMappings(client, listed, { signal })).take(note);
  const contents = listed.map((project) => {
    const { projectId: id, name, orgId } = project;
    return {
      ...{ id, name, orgId },
      people: withOffers(recorded(project), people.get(id)),
      teams: teams.get(id),
      keys: keys.get(id),
      groups: groups.get(id),
    };
  });
  const ownersAbove = new OwnersAbove(client, signal);
  const inProjects = await Promise.all(
    contents.map(async (content) => {
      const found = undeclaredIn(declared, content, { ownsAbove: noOneOwnsAbove, ownKeys });
      if (found.people.size === 0) return found;
      return undeclaredIn(declared, content, { ownsAbove: await ownersAbove.in(content.orgId), ownKeys });
    }),
  );
  // What is not offered gives no one access.
  const unreadable = gaps.filter(({ why }) => why === "unread");
  const inTeams = await findOwnersOfTeams(search, contents, ownersAbove);
  return {
    findings: [...inProjects.flatMap(findingsIn), ...inTeams.findings],
    undetermined: [
      ...unreadable.map((list) => undeterminedList(owners, list)),
      ...inProjects.flatMap(({ undetermined }) => undetermined),
      ...inTeams.undetermined,
    ],
    compared: listed
      .map(({ projectId }) => projectId)
      .filter((projectId) => owners.declarerOf(projectId)?.peopleAreSecret === false),
  };
}

/** The people whom a resource has recorded, if one has, with the invitations that were read. */
function withOffers(
  recorded: readonly PersonInProject[] | undefined,
  read: readonly PersonInProject[] | undefined,
): readonly PersonInProject[] | undefined {
  if (recorded === undefined || read === undefined) return recorded ?? read;
  const invitationsOf = new Map(read.map(({ username, invitations }) => [foldName(username), invitations]));
  return recorded.map((person) => ({
    ...person,
    invitations: invitationsOf.get(foldName(person.username)) ?? [],
  }));
}

/** A project as the resources record it. Not each record has its organization. */
async function projectOf(
  projectId: string,
  { declared: { owners }, client, signal }: Search,
): Promise<ListedProject> {
  const { name = projectId, orgId } = owners.factsOf(projectId);
  if (orgId !== undefined) return { projectId, name, orgId: orgId.toLowerCase() };
  // Its people, which need the organization, are then undetermined.
  const project = (await orReason(readSingly(client, projectId, signal), signal)).take(reportedElsewhere);
  return { projectId, name, orgId: project?.orgId };
}

/**
 * The people who own projects through teams whose people no Team declares, and those who will by accepting an
 * invitation to the organization. A Team has read its people itself, but no invitation.
 */
async function findOwnersOfTeams(
  { declared, client, signal }: Search,
  contents: readonly ProjectContent<unknown>[],
  ownersAbove: OwnersAbove,
): Promise<Pick<Found, "findings" | "undetermined">> {
  const findings: Finding[] = [];
  const undetermined: Undetermined[] = [];
  for (const [orgId, projects] of Map.groupBy(contents, (content) => content.orgId)) {
    const teams = owningTeams(declared, orgId ?? "", projects);
    if (orgId === undefined) {
      const reason = "The organization of the team is not known, so its people cannot be read.";
      undetermined.push(...teams.map((each) => undeterminedTeam(each, reason)));
      continue;
    }
    if (teams.length === 0) continue;
    const others = teams.filter(({ isDeclared }) => !isDeclared).map(({ team }) => team);
    const unread = new Map<TeamName, string>();
    const read = (await readPeopleOfTeams(client, orgId, others, { signal })).take(({ of, reason }) =>
      unread.set(of, reason),
    );
    const invited = await orReason(readInvitedToTeams(client, orgId, { signal }), signal);
    for (const owning of teams) {
      const reason = unread.get(owning.team);
      if (reason !== undefined) {
        undetermined.push(undeterminedTeam(owning, reason));
        continue;
      }
      const ofTeams = invited.take((why) => {
        const text = `The pending invitations to the organization cannot be read: ${why}`;
        undetermined.push(undeterminedTeam(owning, text));
      });
      const pending = ofTeams?.get(owning.team.teamId);
      if (owning.isDeclared) {
        const found = invitedToDeclared(declared, owning, pending);
        findings.push(...found.findings);
        undetermined.push(...found.undetermined);
        continue;
      }
      const people = peopleIn(read.get(owning.team), pending);
      const ownsAbove = people.length === 0 ? noOneOwnsAbove : await ownersAbove.in(orgId);
      const found = undeclaredOwnersOf(declared, owning, people, ownsAbove);
      findings.push(...found.people.values());
      undetermined.push(...found.undetermined);
    }
  }
  return { findings, undetermined };
}

/** @param invited who will be in a team whose people a Team declares */
function invitedToDeclared(
  declared: Declared,
  owning: OwningTeam,
  invited: readonly string[] = [],
): Pick<Found, "findings" | "undetermined"> {
  const { orgId, team } = owning;
  const { present = [], peopleAreSecret } = declared.owners.declarerOf(joinId(orgId, team.teamId)) ?? {};
  const names = new Set(present.map(({ username }) => foldName(username)));
  const joining = peopleIn(
    [],
    invited.filter((username) => !names.has(foldName(username))),
  );
  if (joining.length > 0 && peopleAreSecret)
    return { findings: [], undetermined: [undeterminedTeam(owning, SECRET_USERNAMES)] };
  return { findings: [...undeclaredInTeam(declared, orgId, team, joining).values()], undetermined: [] };
}

export const SECRET_USERNAMES =
  "The program keeps the usernames of this team secret, so the state does not show which people it declares.";

function undeterminedTeam({ team, projects }: OwningTeam, reason: string): Undetermined {
  return { what: peopleOfTeam(team), reason, stack: projects[0]?.declarer.resource.stack };
}

/** The people of a team by account and name, and who joins it by accepting an invitation, sorted. */
export function peopleIn(users: readonly UserResponse[] = [], invited: readonly string[] = []) {
  const names = new Set(users.map(({ username }) => foldName(username)));
  const pending = new Map(invited.map((username) => [foldName(username), username]));
  return [
    ...users.map(({ id: userId, username }): PersonOfTeam => ({ userId, username })),
    ...[...pending]
      .filter(([name]) => !names.has(name))
      .map(([, username]): PersonOfTeam => ({ userId: undefined, username, status: "pending" })),
  ].sort((one, other) => inOrder(one.username, other.username));
}

/**
 * What is undetermined without a list of a project: the resource that declares people there, whose
 * undeclared people, teams, API keys and groups are unknown, or else the list.
 */
export function undeterminedList(owners: Declared["owners"], list: ListGap<string>): Undetermined {
  const declarer = owners.declarerOf(list.projectId);
  if (declarer === undefined) return unreadList(list);
  const { what, projectId, reason } = list;
  const { urn = "", stack } = declarer.resource;
  const text = `The ${what} of project ${projectId} cannot be read, so undeclared ones would not be found: ${reason}`;
  return { what: urn, reason: text, stack };
}
