import { type Identity, listedName, sameName } from "../../access/person";
import type { Origin } from "../contract/on-destroy";
import type { MemberDetail, TeamPerson } from "../contract/people-outputs";
import type { EndRecord } from "../contract/until";

/** What a program calls a project whose ID it does not know. */
export interface ProjectName {
  readonly orgId: string;
  readonly name: string;
}

/** What a list has recorded of the people whose last day is over. */
type RecordedEnds = readonly (EndRecord & {
  readonly username: string;
  readonly userId?: string | undefined;
})[];

interface ObservedName extends Identity {
  readonly orgId?: string | undefined;
  readonly name?: string | undefined;
}

interface ObservedObject {
  readonly id: string;
  readonly origin: Origin;
  /** What the program or the service called the object. */
  readonly names: readonly ObservedName[];
}

/** An object that a resource held when this operation read or compared it. */
export type Observation = ObservedObject &
  (
    | { readonly kind: "Project" }
    | { readonly kind: "Team"; readonly recorded: readonly TeamPerson[]; readonly ends: RecordedEnds }
    | {
        readonly kind: "ProjectMember" | "OrganizationMember";
        /** The project, or the organization. */
        readonly placeId: string;
        /** Only if this operation found the member: a recorded account may no longer exist. */
        readonly recorded?: Identity | undefined;
      }
    | {
        readonly kind: "ProjectMembers";
        readonly recorded: readonly MemberDetail[];
        readonly ends: RecordedEnds;
      }
    | { readonly kind: "AgentApiKey" }
    | { readonly kind: "ApiKey" }
  );

/** What Read, Diff and Delete of this operation leave for Check and Create, by URN. */
export class ObservationLog {
  readonly #byUrn = new Map<string, Observation>();

  /** Earlier names of the same object remain: a change outside Pulumi makes it no other object. */
  record(urn: string, observation: Observation): void {
    const before = this.#byUrn.get(urn);
    const earlier = before?.id === observation.id ? before.names : [];
    this.#byUrn.set(urn, { ...observation, names: [...earlier, ...observation.names] });
  }

  last(urn: string): Observation | undefined {
    return this.#byUrn.get(urn);
  }

  all(): readonly Observation[] {
    return [...this.#byUrn.values()];
  }

  /** A resource other than `urn` that holds the object. */
  otherResourceWith(kind: Observation["kind"], id: string, urn: string): string | undefined {
    return [...this.#byUrn].find(([by, seen]) => by !== urn && seen.kind === kind && seen.id === id)?.[0];
  }

  /** How the project came into the stack, if a resource of the stack holds it. */
  originOf(projectId: string): Origin | undefined {
    return this.all().find(({ kind, id }) => kind === "Project" && id === projectId)?.origin;
  }

  /**
   * The ID of the project that the resource held, if that was declared or found under this name.
   */
  projectUnder(urn: string, { orgId, name }: ProjectName): string | undefined {
    const seen = this.#byUrn.get(urn);
    const isNamed =
      seen?.names.some((known) => known.orgId === orgId) && seen.names.some((known) => known.name === name);
    return isNamed ? seen?.id : undefined;
  }

  /**
   * The account or invitation that a `username` or `userId` of the program meant when a resource last recorded
   * it. All resources that this operation has read count. A renamed account keeps its membership if the resource
   * is renamed too, or if another resource type declares it.
   *
   * @param placeId ID of the project or organization
   * @returns the recorded IDs; `undefined` if they identify the member no better than the program
   */
  identityOf(placeId: string, declared: Identity): Identity | undefined {
    const { userId } = declared;
    const records = this.all().flatMap((observation) => recordedIn(observation, placeId, declared) ?? []);
    const invited = records.find((record) => record.invitationId !== undefined);
    if (userId !== undefined) return invited && { userId, invitationId: invited.invitationId };
    const found = records.find((record) => record.userId !== undefined) ?? invited;
    return found && { userId: found.userId, invitationId: found.invitationId, username: found.username };
  }
}

function recordedIn(
  observation: Observation,
  placeId: string,
  { userId, username }: Identity,
): Identity | undefined {
  switch (observation.kind) {
    case "Project":
    case "Team":
    case "AgentApiKey":
    case "ApiKey":
      return undefined;
    case "ProjectMember":
    case "OrganizationMember": {
      // The ID keeps the first name of the program. Another account may have that name now.
      const isMeant = observation.names.some((name) =>
        userId === undefined ? sameName(name.username, username) : name.userId === userId,
      );
      return observation.placeId === placeId && isMeant ? observation.recorded : undefined;
    }
    case "ProjectMembers":
      if (observation.id !== placeId || userId !== undefined) return undefined;
      // A member whom no program declared was never meant by a name of the program.
      return observation.recorded.find((detail) => detail.declared && sameName(listedName(detail), username));
  }
}
