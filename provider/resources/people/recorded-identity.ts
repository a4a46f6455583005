import type { Observation, ObservationLog } from "../session/observations";
import { type Identity, listedName, sameName } from "./person";

/**
 * Finds the account or invitation that a `username` or `userId` of the program meant when a
 * resource last recorded it. All resources that this operation has read count. A renamed account
 * keeps its membership if the resource is renamed too, or if another resource type declares it.
 *
 * @returns the recorded IDs; `undefined` if they identify the member no better than the program
 */
export function recordedIdentity(
  observations: ObservationLog,
  projectId: string,
  declared: Identity,
): Identity | undefined {
  const { userId } = declared;
  const records = observations
    .all()
    .flatMap((observation) => recordedIn(observation, projectId, declared) ?? []);
  const invited = records.find((record) => record.invitationId !== undefined);
  if (userId !== undefined) return invited && { userId, invitationId: invited.invitationId };
  const found = records.find((record) => record.userId !== undefined) ?? invited;
  return found && { userId: found.userId, invitationId: found.invitationId, username: found.username };
}

function recordedIn(
  observation: Observation,
  projectId: string,
  { userId, username }: Identity,
): Identity | undefined {
  switch (observation.kind) {
    case "Project":
    case "Team":
    case "AgentApiKey":
      return undefined;
    case "ProjectMember": {
      // The ID keeps the first name of the program. Another account may have that name now.
      const isMeant = observation.names.some((name) =>
        userId === undefined ? sameName(name.username, username) : name.userId === userId,
      );
      return observation.projectId === projectId && isMeant ? observation.recorded : undefined;
    }
    case "ProjectMembers":
      if (observation.id !== projectId || userId !== undefined) return undefined;
      // A member whom no program declared was never meant by a name of the program.
      return observation.recorded.find((detail) => detail.declared && sameName(listedName(detail), username));
  }
}
