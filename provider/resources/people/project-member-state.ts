/** What is recorded of one person, and how it differs from the program. Pure. */
import { z } from "zod";
import { type Difference, setDifferences } from "../difference";
import type { Origin } from "../project/project-state";
import type { Sighting } from "../session";
import { hasUnknown, type Properties, withoutUndefined } from "../values";
import { type Identity, type Place, rolesOf, sameName, usernameOf } from "./person";
import { recordedUserId } from "./person-fields";
import type { ProjectFacts } from "./project-facts";
import type { MemberInputs } from "./project-member-inputs";
import { entriesOf, isRefused, type Roster } from "./rosters";

/** `unverified`: the service lists nobody, or the read after a write failed. */
type MemberStatus = Place["status"] | "unverified";

/** Outputs beside those that hold the live value of an input. */
export const projectMemberOutputs = z.object({
  status: z.enum(["active", "pending", "unverified"]).meta({
    description:
      "`active`: in the project. `pending`: invited, not yet accepted. `unverified`: not known, because the service offers no way to read it, or the read after a write failed.",
  }),
  username: z.string().optional().meta({
    description: "Name of the person as the service spells it; absent while `unverified` by a `userId`.",
  }),
  userId: recordedUserId,
  invitationId: z
    .string()
    .optional()
    .meta({ description: "Id of the invitation while it is pending, 24 hexadecimal digits." }),
  createdAt: z
    .string()
    .optional()
    .meta({ description: "When the pending invitation was sent: ISO 8601, UTC." }),
  expiresAt: z
    .string()
    .optional()
    .meta({ description: "When the pending invitation expires: ISO 8601, UTC." }),
  inviterUsername: z
    .string()
    .optional()
    .meta({ description: "User or API key that sent the pending invitation." }),
  groupName: z.string().optional().meta({ description: "Name of the project." }),
  orgId: z.string().optional().meta({
    description:
      "Id of the organization in which the project lives, 24 hexadecimal digits, where the service tells.",
  }),
  origin: z.enum(["created", "adopted", "imported"]).meta({
    description:
      "Whether this resource let the person in or invited them, found them there, or imported them.",
  }),
  onDestroy: z.enum(["remove", "release"]).meta({ description: "What destroying will do." }),
});

export interface MemberState extends Identity {
  readonly projectId: string;
  readonly status: MemberStatus;
  readonly roles?: readonly string[] | undefined;
  readonly createdAt?: string | undefined;
  readonly expiresAt?: string | undefined;
  readonly inviterUsername?: string | undefined;
  readonly groupName?: string | undefined;
  readonly orgId?: string | undefined;
  readonly origin: Origin;
  readonly onDestroy: "remove" | "release";
}

/** State comes from our own replies. An older one may lack what came later; the id has the project in any case. */
export function asMemberState(state: Properties, id: string): MemberState {
  const recorded = state as Partial<MemberState>;
  return {
    ...recorded,
    projectId: recorded.projectId ?? splitId(id).projectId,
    status: recorded.status ?? "unverified",
    origin: recorded.origin ?? "adopted",
    onDestroy: recorded.onDestroy ?? "remove",
  };
}

/** `<projectId>/<username or id>`; a username may hold a slash of its own. */
export function splitId(id: string): { readonly projectId: string; readonly person: string } {
  const slash = id.indexOf("/");
  return slash < 0
    ? { projectId: id.toLowerCase(), person: "" }
    : { projectId: id.slice(0, slash).toLowerCase(), person: id.slice(slash + 1) };
}

export function memberId(projectId: string, { username, userId, invitationId }: Identity): string {
  return `${projectId}/${username ?? userId ?? invitationId}`;
}

export function toMemberState(
  projectId: string,
  place: Place,
  inputs: Partial<MemberInputs>,
  origin: Origin,
  facts: ProjectFacts,
): MemberState {
  const common = {
    projectId,
    status: place.status,
    username: usernameOf(place),
    roles: rolesOf(place),
    ...facts,
    origin,
    onDestroy: effectiveOnDestroy(inputs),
  };
  if (place.status === "active") {
    // Destroying takes it back too, also if the account has another name by then.
    return { ...common, userId: place.member.userId, invitationId: place.invitations[0]?.invitationId };
  }
  const { invitationId, createdAt, expiresAt, inviterUsername, groupName } = place.invitations[0];
  const { userId } = place;
  return { ...common, userId, invitationId, createdAt, expiresAt, inviterUsername, groupName };
}

/** The recorded invitation of a member stays recorded if the list of invitations cannot be read: it may still be pending. */
export function withRecordedInvitation(
  state: MemberState,
  recorded: MemberState,
  { invitations }: Roster,
): MemberState {
  if (!isRefused(invitations)) return state;
  return { ...state, invitationId: state.invitationId ?? recorded.invitationId };
}

export function asProperties(state: MemberState): Properties {
  return withoutUndefined(state) as unknown as Properties;
}

/**
 * The person that a record means. If the program gives a `userId`, names do not count, because another account may get a name.
 * An `invitationId` counts alone while the invitation is pending. After that, only the name to which it was sent leads to the
 * account that accepted it.
 *
 * @param declared what the program gives
 */
export function recordedPerson(recorded: MemberState, declared: Identity, roster: Roster): Identity {
  const { userId, username = declared.username } = recorded;
  // A member who has left is not the invited person.
  const hasLeft =
    recorded.status === "active" && !entriesOf(roster.members).some((one) => one.userId === userId);
  const invitationId = (hasLeft ? undefined : recorded.invitationId) ?? declared.invitationId;
  if (declared.userId !== undefined) return { userId: declared.userId, invitationId };
  const isPending = entriesOf(roster.invitations).some(
    (invitation) => invitation.invitationId === invitationId,
  );
  const namesInvitation = declared.username === undefined && userId === undefined;
  return namesInvitation && isPending ? { invitationId } : { userId, invitationId, username };
}

/** Under which name a sighting keeps the id that the program gives. */
export function idName(userId: string): string {
  return `user ${userId}`;
}

/**
 * @param declared what the program said when this was recorded
 * @param recorded only where it is known that the person is there: an account may be gone since it was recorded
 */
export function sightingOf(
  id: string,
  origin: Origin,
  { username, userId }: Partial<MemberInputs>,
  recorded?: MemberState,
): Sighting {
  const names = [
    ...(typeof username === "string" ? [username] : []),
    ...(typeof userId === "string" ? [idName(userId)] : []),
  ];
  return { id, origin, orgIds: [], names, ...(recorded && { recorded: asProperties(recorded) }) };
}

export function effectiveOnDestroy({ onDestroy }: Partial<MemberInputs>): "remove" | "release" {
  return onDestroy === "release" ? "release" : "remove";
}

/** Differences between the program and the recorded live values. */
export function memberDifferences(
  state: MemberState,
  inputs: MemberInputs,
  oldInputs: Partial<MemberInputs>,
  isIgnored: (property: string) => boolean,
): Difference[] {
  const differences = [
    ...projectDifferences(state, inputs),
    ...personDifferences(state, inputs, oldInputs),
    ...roleDifferences(state, inputs, oldInputs),
    ...onDestroyDifferences(inputs, oldInputs),
  ];
  return differences.filter(({ path }) => !isIgnored(String(path[0])));
}

function projectDifferences(state: MemberState, { projectId }: MemberInputs): Difference[] {
  if (projectId === state.projectId) return [];
  return [{ path: ["projectId"], kind: "update", replace: !hasUnknown(projectId) }];
}

const IDENTITY = ["userId", "username", "invitationId"] as const;

/** Whether the program still means the recorded person in the recorded project. */
export function staysTheSame(differences: readonly Difference[]): boolean {
  const places = ["projectId", ...IDENTITY];
  return !differences.some(({ path }) => places.includes(String(path[0])));
}

/**
 * Another person replaces this one; the same one, however the program names them, is no change. An invitation that was
 * accepted, and an account that was renamed, still are who the program named before.
 */
function personDifferences(
  state: MemberState,
  inputs: MemberInputs,
  oldInputs: Partial<MemberInputs>,
): Difference[] {
  const declared = IDENTITY.filter((property) => inputs[property] !== undefined);
  const kindOf = (property: (typeof IDENTITY)[number]) =>
    oldInputs[property] === undefined ? "add" : "update";
  const unknown = declared.find((property) => hasUnknown(inputs[property]));
  if (unknown) return [{ path: [unknown], kind: kindOf(unknown) }];
  const isRecorded = (property: (typeof IDENTITY)[number]) =>
    [state[property], oldInputs[property]].some((recorded) =>
      property === "username"
        ? sameName(recorded as string | undefined, inputs.username as string)
        : recorded === inputs[property],
    );
  const strays = declared.filter((property) => !isRecorded(property));
  const [stray] = strays;
  if (stray === undefined) return [];
  // One name that fits is enough to stay the same person; whether the others fit, Update finds out and says.
  return [{ path: [stray], kind: kindOf(stray), replace: strays.length === declared.length }];
}

function roleDifferences(
  state: MemberState,
  { roles }: MemberInputs,
  oldInputs: Partial<MemberInputs>,
): Difference[] {
  if (roles === undefined) {
    return oldInputs.roles === undefined ? [] : [{ path: ["roles"], kind: "delete", inputDiff: true }];
  }
  const kind = oldInputs.roles === undefined ? "add" : "update";
  if (hasUnknown(roles)) return [{ path: ["roles"], kind }];
  if (state.roles === undefined) return [{ path: ["roles"], kind: "add" }];
  const differences = setDifferences(["roles"], state.roles, roles as readonly string[], (role) => role);
  return oldInputs.roles === undefined && differences.length > 0
    ? [{ path: ["roles"], kind: "add" }]
    : differences;
}

/** Writing the default down changes nothing, so the effective values are compared. */
function onDestroyDifferences(inputs: MemberInputs, oldInputs: Partial<MemberInputs>): Difference[] {
  const { onDestroy } = inputs;
  if (!hasUnknown(onDestroy) && effectiveOnDestroy(inputs) === effectiveOnDestroy(oldInputs)) return [];
  return [{ path: ["onDestroy"], kind: onDestroy === undefined ? "delete" : "update" }];
}
