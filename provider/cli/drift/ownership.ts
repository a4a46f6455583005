/** What the resources of a state own, with either provider. Pure. */

import { OBJECT_ID } from "../../resources/fields";
import { foldName, type Identity, sameName } from "../../resources/membership/membership";
import { splitId } from "../../resources/project-member/state";
import { propertiesRead } from "../../resources/read-marker";
import { isRecord } from "../../resources/values";
import type { LivePerson } from "../organization";
import { kindOf } from "../own-resources";

/** A resource as `pulumi stack export` writes it. */
export interface OwnedResource {
  readonly type: string;
  readonly id?: string | undefined;
  readonly inputs?: Readonly<Record<string, unknown>> | undefined;
  readonly outputs?: Readonly<Record<string, unknown>> | undefined;
  /** Replaced, and still to be deleted: its successor owns the object by now. */
  readonly delete?: boolean | undefined;
  /** Read only by its id; another stack or a user owns the object. */
  readonly external?: boolean | undefined;
}

interface Ownership {
  /** Organizations of owned objects, as recorded. */
  readonly orgIds: ReadonlySet<string>;
  ownsProject(projectId: string): boolean;
  /**
   * Projects with a ProjectMembers whose members are secret, so the state does not show which
   * people it declares.
   */
  readonly secretProjects: ReadonlySet<string>;
  /** The members and invitations of a project that a resource declares. */
  peopleOwned<Person extends LivePerson>(projectId: string, people: readonly Person[]): ReadonlySet<Person>;
}

export function ownership(resources: readonly OwnedResource[]): Ownership {
  const orgIds = new Set<string>();
  const projects = new Set<string>();
  const secretProjects = new Set<string>();
  /** Declared people by project. */
  const declared = new Map<string, Identity[]>();
  for (const { type, id = "", inputs = {}, outputs = {}, delete: isReplaced, external } of resources) {
    const kind = kindOf(type);
    if (kind === undefined || isReplaced || external || id === "") continue;
    const { projectId, person } = splitId(id);
    if (typeof outputs.orgId === "string") orgIds.add(outputs.orgId.toLowerCase());
    if (kind === "Project") projects.add(projectId);
    if (kind === "ProjectMember")
      declared.set(projectId, [...(declared.get(projectId) ?? []), ...memberIn(person, inputs, outputs)]);
    if (kind === "ProjectMembers") {
      const details = outputs.memberDetails;
      if (isRecord(details)) secretProjects.add(projectId);
      declared.set(projectId, [
        ...(declared.get(projectId) ?? []),
        ...declaredIn(details),
        ...listedIn(inputs),
      ]);
    }
  }
  return {
    orgIds,
    ownsProject: (projectId) => projects.has(projectId.toLowerCase()),
    secretProjects,
    peopleOwned: (projectId, people) =>
      new Set((declared.get(projectId) ?? []).flatMap((who) => personAmong(people, who) ?? [])),
  };
}

/**
 * Finds a person by id or name. An account with another id is another account, even if it has the
 * former name.
 */
function personAmong<Person extends LivePerson>(
  people: readonly Person[],
  who: Identity,
): Person | undefined {
  const direct = people.filter(({ status }) => status !== "indirect");
  return (
    direct.find(({ userId }) => userId !== undefined && userId === who.userId) ??
    direct.find(({ invitationId }) => invitationId !== undefined && invitationId === who.invitationId) ??
    direct.find(
      ({ userId, username }) =>
        sameName(username, who.username) && (userId === undefined || who.userId === undefined),
    )
  );
}

/**
 * The person of a ProjectMember. A secret is an object in an exported state, but the resource's id
 * is always there. If that is the id of an object of unknown kind, it may be that of an account or
 * of an invitation.
 *
 * @param person the part of the resource's id that names the person
 */
function memberIn(
  person: string,
  inputs: Readonly<Record<string, unknown>>,
  outputs: Readonly<Record<string, unknown>>,
): Identity[] {
  const recorded = recordedIdentity(outputs);
  const userId = recorded.userId ?? textIn(inputs, "userId");
  if (!OBJECT_ID.test(person)) {
    return [{ ...recorded, userId, username: recorded.username ?? foldName(person) }];
  }
  const invitationId = recorded.invitationId ?? person;
  return userId === undefined
    ? [{ userId: person }, { ...recorded, invitationId }]
    : [{ ...recorded, userId, invitationId }];
}

function recordedIdentity(recorded: Readonly<Record<string, unknown>>): Identity {
  const username = textIn(recorded, "username");
  return {
    username: username === undefined ? undefined : foldName(username),
    userId: textIn(recorded, "userId"),
    invitationId: textIn(recorded, "invitationId"),
  };
}

function textIn(values: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
}

/**
 * People in the inputs. Inputs from the program (not from a read) list the declared people, even
 * without an update after an import.
 */
function listedIn(inputs: Readonly<Record<string, unknown>>): Identity[] {
  const { members } = inputs;
  if (!isRecord(members) || propertiesRead(inputs).includes("members")) return [];
  return Object.keys(members).map((username) => ({ username: foldName(username) }));
}

/**
 * People of the last create or update. A refresh records everyone in the project, but only these
 * are declared.
 */
function declaredIn(details: unknown): Identity[] {
  if (!Array.isArray(details)) return [];
  return details.flatMap((detail: unknown) =>
    isRecord(detail) && detail.declared === true ? [recordedIdentity(detail)] : [],
  );
}
