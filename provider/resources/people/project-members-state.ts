/** What is recorded of everybody in a project. Pure. */
import { z } from "zod";
import type { Origin } from "../project/project-state";
import { inOrder, type Properties, withoutUndefined } from "../values";
import { type Identity, type Place, placeAmong, rolesOf, sameName, usernameOf } from "./person";
import { isIgnoredUser, type MembersInputs } from "./project-members-inputs";
import { entriesOf, type Roster } from "./rosters";

const memberDetail = z
  .object({
    username: z.string().meta({ description: "Name of the person as the service spells it." }),
    status: z
      .enum(["active", "pending"])
      .meta({ description: "`active`: in the project. `pending`: invited, not yet accepted." }),
    roles: z.array(z.string()).meta({ description: "Project roles, sorted." }),
    userId: z.string().optional().meta({ description: "Id of the account; absent while `pending`." }),
    invitationId: z
      .string()
      .optional()
      .meta({ description: "Id of the pending invitation, if there is one." }),
    createdAt: z.string().optional().meta({ description: "When the invitation was sent: ISO 8601, UTC." }),
    expiresAt: z.string().optional().meta({ description: "When the invitation expires: ISO 8601, UTC." }),
    declared: z.boolean().meta({ description: "Whether the last create or update declared the person." }),
    declaredAs: z.string().optional().meta({
      description: "The name in the program, where the account has been renamed since.",
    }),
    ignored: z.boolean().meta({ description: "Whether `ignoreUsers` leaves the person to others." }),
  })
  .meta({ typeName: "ProjectMemberDetail", description: "One person of a project." });

/** Outputs beside those that hold the live value of an input. */
export const projectMembersOutputs = z.object({
  members: z.record(z.string(), z.array(z.string())).meta({
    description:
      "Everybody in the project or invited to it, without those whom `ignoreUsers` leaves to others: roles by username.",
  }),
  memberDetails: z
    .array(memberDetail)
    .meta({ description: "Everybody in the project or invited to it, with all that is known, by name." }),
  orgId: z
    .string()
    .optional()
    .meta({ description: "Id of the organization in which the project lives, where the service tells." }),
  origin: z.enum(["created", "imported"]).meta({
    description: "Whether this resource was created by a program or imported.",
  }),
  onDestroy: z.enum(["release", "remove"]).meta({ description: "What destroying will do." }),
});

export interface MemberDetail extends Identity {
  readonly username: string;
  readonly status: Place["status"];
  readonly roles: readonly string[];
  readonly createdAt?: string | undefined;
  readonly expiresAt?: string | undefined;
  readonly declared: boolean;
  readonly declaredAs?: string | undefined;
  readonly ignored: boolean;
}

type RolesByName = Readonly<Record<string, readonly string[]>>;

export interface MembersState {
  readonly projectId: string;
  readonly members: RolesByName;
  readonly memberDetails: readonly MemberDetail[];
  readonly orgId?: string | undefined;
  readonly origin: Origin;
  readonly onDestroy: "release" | "remove";
  readonly ignoreUsers?: readonly string[] | undefined;
  readonly maxRemovals?: number | undefined;
  readonly removeUnlistedOnCreate?: boolean | undefined;
}

/** State comes from our own replies. An older one may lack what came later, so the absent is read as the harmless. */
export function asMembersState(state: Properties, id: string): MembersState {
  const recorded = state as Partial<MembersState>;
  return {
    ...recorded,
    projectId: recorded.projectId ?? id,
    members: recorded.members ?? {},
    memberDetails: recorded.memberDetails ?? [],
    origin: recorded.origin ?? "imported",
    onDestroy: recorded.onDestroy ?? "release",
  };
}

export function asProperties(state: MembersState): Properties {
  return withoutUndefined({
    ...state,
    memberDetails: state.memberDetails.map(withoutUndefined),
  }) as unknown as Properties;
}

export function effectiveOnDestroy({ onDestroy }: Partial<MembersInputs>): "release" | "remove" {
  return onDestroy === "remove" ? "remove" : "release";
}

/** Everybody, each once: somebody who is both in and invited is in. */
export function everybodyIn(roster: Roster): Place[] {
  const members = entriesOf(roster.members);
  const invitations = entriesOf(roster.invitations);
  const places = [
    ...members.map(({ userId }) => placeAmong(members, invitations, { userId })),
    ...invitations.map(({ username }) => placeAmong(members, invitations, { username })),
  ];
  const byName = new Map<string, Place>();
  for (const place of places) if (place) byName.set(keyOf(place), place);
  return [...byName.values()].sort((one, other) => inOrder(usernameOf(one), usernameOf(other)));
}

function keyOf(place: Place): string {
  return place.status === "active" ? place.member.userId : place.invitations[0].invitationId;
}

/** The names under which a program or a record calls people, and who of those in the project that is. */
export interface Assignment {
  /** By name, those who are there. */
  readonly found: ReadonlyMap<string, Place>;
  /** Names of people who are not there. */
  readonly missing: readonly string[];
  /** People who are there without being named. */
  readonly others: readonly Place[];
}

/**
 * Finds the named people among those in the project: by the account that was recorded under that name, then by the name that
 * this account has got since, then by name without case. Whose name is which does not depend on the order of the names.
 */
export function assign(
  names: readonly string[],
  places: readonly Place[],
  recorded: readonly MemberDetail[],
): Assignment {
  const found = new Map<string, Place>();
  const taken = new Set<Place>();
  const placeOf = (known: MemberDetail | undefined) =>
    places.find((candidate) => isAccount(candidate, known?.userId));
  const take = (name: string, place: Place | undefined) => {
    if (!place || taken.has(place)) return;
    found.set(name, place);
    taken.add(place);
  };
  for (const name of names) {
    const detail = recorded.find(({ username, declaredAs }) => sameName(declaredAs ?? username, name));
    take(name, placeOf(detail));
  }
  for (const name of names.filter((name) => !found.has(name))) {
    const renamed = recorded.find(({ username }) => sameName(username, name));
    take(name, placeOf(renamed) ?? places.find((candidate) => sameName(usernameOf(candidate), name)));
  }
  return {
    found,
    missing: names.filter((name) => !found.has(name)),
    others: places.filter((place) => !taken.has(place)),
  };
}

function isAccount(place: Place, userId: string | undefined): boolean {
  return userId !== undefined && place.status === "active" && place.member.userId === userId;
}

interface Recording {
  readonly projectId: string;
  readonly places: readonly Place[];
  /** Names as the program, or the last record, spells them. */
  readonly names: readonly string[];
  readonly recorded: readonly MemberDetail[];
  /** Who counts as declared: the names, or where only a look was taken whoever did before. */
  readonly declares: "names" | "as recorded";
  readonly inputs: Partial<MembersInputs>;
  readonly orgId?: string | undefined;
  readonly origin: Origin;
}

export function toMembersState(recording: Recording): MembersState {
  const { projectId, places, names, recorded, declares, inputs, orgId, origin } = recording;
  const { found, others } = assign(names, places, recorded);
  const ignoreUsers = (inputs.ignoreUsers as readonly string[] | undefined) ?? [];
  const isIgnored = (place: Place) => isIgnoredUser(ignoreUsers, usernameOf(place));
  const named = [...found].map(([name, place]) => [name, rolesOf(place)] as const);
  const unnamed = others
    .filter((place) => !isIgnored(place))
    .map((place) => [usernameOf(place), rolesOf(place)] as const);
  const nameFor = new Map([...found].map(([name, place]) => [place, name]));
  const memberDetails = places.map((place) => {
    const before = recordedDetail(place, recorded);
    const declared = declares === "names" ? nameFor.has(place) : (before?.declared ?? false);
    return detailOf(place, {
      declared,
      name: nameFor.get(place) ?? before?.declaredAs,
      ignored: !nameFor.has(place) && isIgnored(place),
    });
  });
  const byName = [...named, ...unnamed].sort(([one], [other]) => inOrder(one, other));
  return {
    projectId,
    members: Object.fromEntries(byName),
    memberDetails,
    orgId,
    origin,
    onDestroy: effectiveOnDestroy(inputs),
    ignoreUsers: inputs.ignoreUsers as readonly string[] | undefined,
    maxRemovals: inputs.maxRemovals as number | undefined,
    removeUnlistedOnCreate: inputs.removeUnlistedOnCreate as boolean | undefined,
  };
}

function recordedDetail(place: Place, recorded: readonly MemberDetail[]): MemberDetail | undefined {
  return (
    recorded.find(({ userId }) => isAccount(place, userId)) ??
    recorded.find(({ username }) => sameName(username, usernameOf(place)))
  );
}

function detailOf(
  place: Place,
  { declared, name, ignored }: { declared: boolean; name: string | undefined; ignored: boolean },
): MemberDetail {
  const [invitation] = place.invitations;
  const username = usernameOf(place);
  return {
    username,
    status: place.status,
    roles: rolesOf(place),
    userId: place.status === "active" ? place.member.userId : undefined,
    invitationId: invitation?.invitationId,
    createdAt: invitation?.createdAt,
    expiresAt: invitation?.expiresAt,
    declared,
    declaredAs: name !== undefined && !sameName(name, username) ? name : undefined,
    ignored,
  };
}
