/** What a kind of members declares and answers, so that the engine in this folder never asks which kind it serves. */

import type { Identity, Membership } from "../../access/person";
import type { CheckFailure } from "../contract/check";
import type { EndOfAccess, OnDestroyInput, Origin, removeByDefault } from "../contract/on-destroy";
import type { Context, Resource } from "../contract/resource";
import type { RoleKind } from "../contract/roles";
import type { Properties, Unsure } from "../contract/values";
import type { Refusal } from "../evidence/refusal";
import type { PeoplePlace } from "../people/place";
import type { Accepted, FoundInstead } from "../people/write";
import type { ProjectFacts } from "../reads/project-facts";
import type { PeopleLists } from "../reads/project-people";

/** Checked inputs, beside the place. A kind may offer fewer. */
export interface MemberInputs extends OnDestroyInput<EndOfAccess> {
  readonly username?: Unsure<string> | undefined;
  readonly userId?: Unsure<string> | undefined;
  readonly invitationId?: Unsure<string> | undefined;
  readonly roles?: Unsure<readonly Unsure<string>[]> | undefined;
}

/** What is recorded of a person, beside the place. A kind may record less. */
export interface MemberState extends Identity, ProjectFacts {
  /** `ended`: not there, because the last day is over. */
  readonly status: "active" | "pending" | "unverified" | "ended";
  readonly roles?: readonly string[] | undefined;
  readonly teamRoles?: readonly string[] | undefined;
  /** The invitation, while it is pending; likewise the next two. */
  readonly createdAt?: string | undefined;
  readonly expiresAt?: string | undefined;
  readonly inviterUsername?: string | undefined;
  readonly origin: Origin;
  readonly onDestroy: EndOfAccess;
}

/** The place of a member, with what its own resource needs beyond every other writer of its people. */
export interface MemberPlace extends PeoplePlace {
  /** Runs an operation on the people of the place. Where that saves requests, it shares reads with others that run at the same time. */
  sharingReads<T>(operation: () => Promise<T>): Promise<T>;
  /**
   * The people, or the responses that replace the lists. `shared`: for reading; `gathered`: for the first read before
   * a write, inside `sharingReads`; `fresh`: a read that starts now.
   */
  lists(how: "shared" | "gathered" | "fresh"): Promise<PeopleLists>;
  /** The response because of which it is not known who is invited; `isRecorded`: an invitation is recorded. */
  unknownInvitations(people: PeopleLists, isRecorded: boolean): Refusal | undefined;
  /** Adds or invites a person who is not there. */
  add(who: Identity, roles: readonly string[]): Promise<Accepted | FoundInstead>;
  /** What the service shows of the place for the record, or what is recorded. */
  facts(recorded?: ProjectFacts): Promise<ProjectFacts>;
  /** The membership without those of the suspected roles that come through a team. */
  ownRoles(membership: Membership, suspected: readonly string[]): Promise<Membership>;
}

type KindOfMember = "ProjectMember" | "OrganizationMember";

/** What a kind declares: parts of its `Resource`, and what the engine has to know of its inputs. */
export interface MemberDeclaration<Name extends KindOfMember = KindOfMember>
  extends Pick<
    Resource<Name>,
    "name" | "description" | "inputs" | "outputs" | "listing" | "declares" | "deletes" | "duties"
  > {
  /** The property that names the place. */
  readonly placeProperty: "projectId" | "orgId";
  /** The inputs by which an import may name the person. */
  readonly importedBy: readonly (keyof Identity)[];
  /** The roles that a person may have in the place. */
  readonly roles: RoleKind;
  readonly onDestroy: ReturnType<typeof removeByDefault>;
}

/** The answers of one kind. What the service does in its place is asked of `MemberPlace`. */
export interface MemberPort {
  /** Faults between inputs, beside those of shape and of roles. */
  failuresIn(given: Properties): readonly CheckFailure[];
  /** What a record means that lacks these; the status is also that of a person whom no read after a write shows. */
  defaults(name: string): Partial<MemberState> & Pick<MemberState, "status">;
  /** Roles as they are recorded: without those that the service adds by itself to the declared ones. */
  shownRoles(live: readonly string[], declared: readonly string[] | undefined): readonly string[];
  /** The project or the organization with this ID. */
  place(placeId: string, context: Context): MemberPlace;
  /** Claims the person as the program gives them. @returns the conflict with another resource */
  claim(
    declared: Identity,
    placeId: string,
    context: Pick<Context, "session" | "urn">,
  ): CheckFailure | undefined;
  /** Claims for the declared person what is recorded of them. @returns the conflict with another resource */
  claimRecorded(
    recorded: MemberState,
    declared: Identity,
    placeId: string,
    context: Pick<Context, "session">,
  ): CheckFailure | undefined;
  /** The identity that finds a recorded person in the lists, if `who` may not; `unknown`: that cannot be read. */
  identify(
    recorded: MemberState,
    who: Identity,
    people: PeopleLists,
    place: MemberPlace,
  ): Promise<Identity | "unknown">;
  /** Finds the person before a write, claims them, and refuses what cannot be written. */
  find(search: MemberSearch): Promise<FoundMember>;
  /** What to do without the lists; absent if a person stays recorded, and is not written, until there is a list. */
  readonly unlisted?: UnlistedMembers;
  /** Removes a person who is there, within the limits of the run. */
  remove(
    membership: Membership,
    recorded: MemberState,
    declared: Identity,
    place: MemberPlace,
  ): Promise<void>;
  /** Fails in a preview as the removal would. */
  refuseEnd?(recorded: MemberState, declared: Identity, place: MemberPlace): Promise<void>;
  /** What a failed removal means. Succeeds if nobody is there any more. @throws the explained error */
  removalFailed(error: unknown, recorded: MemberState, place: MemberPlace): Promise<void>;
}

export type MemberKind = MemberDeclaration & MemberPort;

/** Whom a write concerns. */
export interface MemberSearch {
  readonly declared: Identity;
  /** `undefined`: not managed. */
  readonly roles: readonly string[] | undefined;
  /** Whether `ignoreChanges` leaves the roles of a person who is there as they are. */
  readonly keepsRoles: boolean;
  readonly preview: boolean;
  readonly people: PeopleLists;
  readonly place: MemberPlace;
  /** What an update has of the person before. */
  readonly before?: { readonly recorded: MemberState; readonly oldInputs: MemberInputs };
}

export interface FoundMember {
  readonly membership: Membership | undefined;
  /** The person by all known identities: the one to add if there is no membership. */
  readonly who: Identity;
  /** Whether the membership is the recorded one. */
  readonly isRecorded: boolean;
}

/**
 * `unverified`: the invitation is no longer pending, and the service does not show whether it was accepted. A refusal:
 * this key or this service does not show the person.
 */
export type Presence = Membership | "deleted" | "unverified" | Refusal;

/** What a kind does where the service does not show the lists. */
export interface UnlistedMembers {
  /** The state after a create or an update. @throws the response, if the person cannot be managed without the list */
  write(
    kind: MemberKind,
    members: Refusal,
    inputs: MemberInputs,
    place: MemberPlace,
    recorded?: MemberState,
  ): Promise<MemberState>;
  /** What became of a recorded person whom the lists that can be read do not show. */
  read(recorded: MemberState, people: PeopleLists, place: MemberPlace): Promise<Presence>;
  /** The person that an import names; `search`: the lists that can be read suffice. */
  import(
    name: string,
    people: PeopleLists,
    place: MemberPlace,
  ): Promise<{ readonly membership: Membership; readonly by: Identity } | "search" | undefined>;
  /** Removes a person, unless `isKept` says otherwise after the last read. */
  remove(members: Refusal, recorded: MemberState, place: MemberPlace, isKept: () => boolean): Promise<void>;
}
