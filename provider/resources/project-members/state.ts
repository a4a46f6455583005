/** The state of ProjectMembers. Pure. */
import { z } from "zod";
import { foldName, type Invitation, listedName, type Membership, sameName } from "../../access/person";
import { type Present, recordedAs, type StateOf } from "../contract/border";
import { type MemberDetail, memberDetail, recordedOrgId } from "../contract/people-outputs";
import { effectiveRemovals } from "../contract/removal-settings";
import { projectRoles } from "../contract/roles";
import { inOrder, known, type Properties, withoutUndefined } from "../contract/values";
import { type EndsOf, endsAfter, endsOutput, identitiesOf, resolveEnds } from "../lists/ends";
import { recordOf } from "../people/resolve";
import type { Observation } from "../session/observations";
import { ignoredUsers, type MemberListInputs, onDestroySetting, type projectMembersInputs } from "./inputs";

/** Outputs beside those that hold the live value of an input. */
export const projectMembersOutputs = z.object({
  members: z.record(z.string(), z.array(z.string().meta(projectRoles.suggestions))).meta({
    description:
      "The declared people who are in the project or invited to it, and those who still are although their last day is over: roles by username, sorted. With `removeUnlisted`, also all others whom `ignoreUsers` does not match.",
  }),
  memberDetails: z.array(memberDetail).meta({
    description: "All members of the project and all invited people, with all that is known, sorted by name.",
  }),
  ends: endsOutput,
  orgId: recordedOrgId,
  origin: z.enum(["created", "imported"]).meta({
    description: "Whether this resource was created by a program or imported.",
  }),
  onDestroy: onDestroySetting.output,
});

/** The settings have the value that applies, whether the program gives it or not. */
export type MemberListState = Present<
  StateOf<typeof projectMembersInputs, typeof projectMembersOutputs>,
  "ignoreUsers" | "maxRemovals" | "removeUnlisted"
>;

/**
 * State comes from our own replies. An older one may lack what came later, so the absent is read as
 * the harmless.
 */
export function asMemberListState(state: Properties, id: string): MemberListState {
  const recorded = recordedAs<MemberListState>(state);
  return {
    ...recorded,
    projectId: recorded.projectId ?? id,
    members: recorded.members ?? {},
    memberDetails: recorded.memberDetails ?? [],
    origin: recorded.origin ?? "imported",
    onDestroy: recorded.onDestroy ?? "release",
    ignoreUsers: recorded.ignoreUsers ?? [],
    ...withoutUndefined({ ends: recorded.ends }),
    ...effectiveRemovals(recorded),
  };
}

/** Whether the record has an invited person, which proves that the service offers invitations. */
export function recordsInvitation(recorded: readonly MemberDetail[]): boolean {
  return recorded.some(({ status, invitationId }) => status === "pending" || invitationId !== undefined);
}

interface Recording {
  readonly projectId: string;
  readonly memberships: readonly Membership[];
  /** Names as the program, or the last record, spells them. */
  readonly names: readonly string[];
  readonly recorded: readonly MemberDetail[];
  /**
   * People whom the service accepted, but whose membership or invitation could not be read
   * afterwards.
   */
  readonly unread?: readonly { readonly username: string; readonly roles: readonly string[] }[];
  readonly inputs: Partial<MemberListInputs>;
  readonly orgId?: string | undefined;
  readonly origin: MemberListState["origin"];
  /** Absent for an import. */
  readonly ends?: EndsOf;
}

/** After a create, an update or an import: all named people are declared. */
export function stateAfterWrite(recording: Recording): MemberListState {
  return stateOf(recording, true);
}

/** After a read: people who were declared before stay declared, and a name declares no one else. */
export function stateAfterRead(recording: Recording): MemberListState {
  return stateOf(recording, false);
}

function stateOf(recording: Recording, declaresNamed: boolean): MemberListState {
  const { projectId, memberships, names, recorded, unread = [], inputs, orgId, origin, ends } = recording;
  const { ended = [], until } = inputs;
  const named = { names, ended, recorded, ends: ends === undefined ? [] : identitiesOf(ends) };
  const { found, others, ending } = resolveEnds(named, memberships);
  const settings = { ignoreUsers: known(inputs.ignoreUsers) ?? [], ...effectiveRemovals(inputs) };
  const isIgnored = ignoredUsers(settings.ignoreUsers);
  const nameFor = new Map([...found, ...ending].map(([name, membership]) => [membership, name]));
  const recordedOf = recordOf(recorded, memberships);
  // Declared people stay declared until they are removed, so a failed removal is repeated.
  const isDeclared = (membership: Membership) =>
    (declaresNamed && nameFor.has(membership)) ||
    (recordedOf(membership)?.declared === true && (nameFor.has(membership) || !isIgnored(membership)));
  const declared = [...found].filter(([, membership]) => settings.removeUnlisted || isDeclared(membership));
  // One name has one entry: an account that has got the former name of a declared one is in the
  // details alone.
  const taken = new Set([...found.keys()].map(foldName));
  const unnamed = others
    .filter((membership) => settings.removeUnlisted || isDeclared(membership))
    .filter((membership) => !isIgnored(membership) && !taken.has(foldName(membership.username)))
    .map((membership) => [membership.username, membership] as const);
  const memberDetails = memberships.map((membership): MemberDetail => {
    const { username, status, roles, teamRoles, userId, invitationId } = membership;
    const { createdAt, expiresAt }: Partial<Invitation> = membership.invitations[0] ?? {};
    const former = recordedOf(membership);
    const declared = isDeclared(membership);
    // A read has the names of the last success: whom a failed update added keeps the name by which the program declares them.
    const name = nameFor.get(membership) ?? (declared && former ? listedName(former) : undefined);
    const declaredAs = name !== undefined && !sameName(name, username) ? name : undefined;
    const ignored = !nameFor.has(membership) && isIgnored(membership);
    const invitation = { invitationId, createdAt, expiresAt };
    return { username, status, roles, teamRoles, userId, ...invitation, declared, declaredAs, ignored };
  });
  const unreadDetails = unread.map((one): MemberDetail => {
    return { ...one, status: "pending", declared: true, ignored: false };
  });
  const byName = [...declared, ...ending, ...unnamed].sort(([one], [other]) => inOrder(one, other));
  return {
    projectId,
    members: Object.fromEntries(byName.map(([name, membership]) => [name, membership.roles])),
    memberDetails: [...memberDetails, ...unreadDetails],
    orgId,
    origin,
    onDestroy: onDestroySetting.effective(inputs),
    ...settings,
    ...(ends !== undefined && ended.length > 0 && { ends: endsAfter(ended, ending, ends) }),
    ...withoutUndefined({ until: known(until) as MemberListState["until"] }),
  };
}

export function observationOf({ projectId, origin, memberDetails, ends = [] }: MemberListState): Observation {
  return { kind: "ProjectMembers", id: projectId, origin, names: [], recorded: memberDetails, ends };
}
