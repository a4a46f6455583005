/** What the engine of grants asks of a kind. A grant is the roles that one holder has in one project. */

import type { Holder } from "../../access/places";
import type { removeByDefault } from "../contract/on-destroy";
import type { Context, ProjectContext, Resource } from "../contract/resource";
import type { Session } from "../contract/session";
import type { Refusal } from "../evidence/refusal";
import type { Goal } from "../evidence/reread";
import type { Purpose } from "../session/shared-reads";

/** A team or an API key by its ID, by its name, or by both. */
export interface HolderIdentity {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
}

export interface FoundHolder extends HolderIdentity {
  readonly id: string;
}

/** A holder, and the organization of the project if it is recorded. */
export interface RecordedHolder extends FoundHolder {
  readonly orgId: string | undefined;
}

/** A holder that has roles in the project. Not every list shows its name. */
export interface Grant extends FoundHolder {
  /** Sorted. */
  readonly roles: readonly string[];
}

export interface Write<Now> {
  readonly holder: FoundHolder;
  /** The organization of the project, if it is known. */
  readonly orgId: string | undefined;
  readonly goal: Goal<Now>;
}

export interface RolesWrite extends Write<Grant | undefined> {
  /** What the holder has; `undefined` if it has no role in the project. */
  readonly grant: Grant | undefined;
  /** What it gets. */
  readonly roles: readonly string[];
  /** Reports roles that another program gave the holder since they were read. */
  adopt(present: Grant): void;
}

/** What a kind declares: parts of its `Resource`, and what the engine has to know of its inputs. */
export interface GrantDeclaration<Name extends string = string>
  extends Pick<Resource<Name>, "name" | "description" | "inputs" | "outputs" | "listing" | "duties"> {
  /** The inputs and outputs that have the ID and the name of the holder. A program gives one of them. */
  readonly identity: readonly [id: string, name: string];
  readonly onDestroy: ReturnType<typeof removeByDefault>;
}

type ClaimContext = Pick<ProjectContext, "session" | "urn" | "projectId">;

export interface GrantPort {
  /** What messages call a holder. */
  readonly noun: "team" | "API key";
  /** What the warning about an unreadable list of the project is about. */
  readonly unread: "teams" | "keys";
  /**
   * Whether holders have their names for life, and the list of the project shows them. Then the list is asked first, and
   * `find` only for a holder that it lacks.
   */
  readonly keepsName: boolean;
  /** The name that this run gives the holder in place of the recorded one. */
  newName(recorded: RecordedHolder, session: Session): string | undefined;
  /** The name to record: the recorded one, or the one that a response shows. */
  nameToRecord(recorded: string | undefined, shown: string | undefined): string | undefined;
  /** The holder as `declares` and `found` report it. */
  toHolder(identity: HolderIdentity): Holder;
  /**
   * Claims the holder as the program gives it or, once it is found, what is known of it.
   *
   * @returns another resource that has claimed it
   */
  claim(declared: HolderIdentity, found: FoundHolder | undefined, context: ClaimContext): string | undefined;
  /** The resource that declares what a Delete is about to remove. */
  declarerOf(holder: FoundHolder, context: ClaimContext): string | undefined;
  /** All holders that have roles in the project, with IDs in lower case as `check` writes them. */
  grants(purpose: Purpose, context: ProjectContext): Promise<readonly Grant[] | Refusal>;
  /** Whether the holder does not exist yet, or gives up its name, and this program will create one of the name. */
  isPlanned(declared: HolderIdentity, orgId: string | undefined, context: Context): Promise<boolean>;
  /**
   * Finds a holder in the organization of the project, with its present name if the service shows it. A holder that is
   * given by its ID need not be proven: the write is the proof.
   *
   * @returns `undefined` if the organization has none, or is not known; then the error says so
   * @throws RefusedError if another holder may be meant; the error of a list that is refused
   */
  find(
    wanted: HolderIdentity,
    orgId: string | undefined,
    purpose: Purpose,
    context: ProjectContext,
  ): Promise<FoundHolder | undefined>;
  /**
   * Refuses that a holder loses roles which it must keep.
   *
   * @param change what is refused, as the predicate of a sentence
   */
  refuseLoss(holder: HolderIdentity, change: string, context: Pick<Context, "session" | "end">): void;
  /** Whether another holder has the same access in its place, so that the removal does not count. */
  isReplaced(grant: Grant, context: ProjectContext): boolean;
  /**
   * Writes the roles, and discards what was read of them; the engine reads again.
   *
   * @returns `found` if another program gave roles since they were read, after `adopt`
   */
  write(write: RolesWrite, context: ProjectContext): Promise<"found" | "written">;
  /** Takes all roles in the project from the holder. */
  remove(removal: Write<readonly Grant[] | Refusal>, context: ProjectContext): Promise<unknown>;
}

export type GrantKind = GrantDeclaration & GrantPort;
