/** The refusal to remove the only owner of a project, a person or a team. */

import { RefusedError } from "../../text/errors";
import type { ProjectContext } from "../contract/resource";
import { howToKeep } from "../contract/until";
import { isLastOwnerRefusal } from "../evidence/meaning";
import { ObservationLog } from "../session/observations";

/**
 * Names the solutions if the service protects the last owner.
 *
 * @param holder the start of the sentence: `ada@example.com`, `Team operators`
 * @returns the error itself if it is another one
 */
export function explainOnlyOwner(
  holder: string,
  { session, projectId, end }: ProjectContext,
  error: unknown,
): unknown {
  if (!isLastOwnerRefusal(error)) return error;
  const only = `${holder} is the only owner of project ${projectId} and was not removed.`;
  const response = [error.status, error.errorCode, error.detail].filter(Boolean).join(" ");
  if (end !== undefined) {
    const next = `The access ends with the first update after another owner is there. ${howToKeep(end, "")}`;
    return new RefusedError(`${only} ${next} (${response})`, { cause: error });
  }
  const solutions = [
    "Add an owner first",
    'or set onDestroy to "release" and run pulumi up (if the member is being replaced, revert the program first)',
  ];
  // With deletedWith a released project, the engine would not call Delete, and the member would
  // remain.
  if (session.of(ObservationLog).originOf(projectId) === "created") {
    solutions.push(
      "or, to delete the project with all its members, set the resource option deletedWith to the Project",
    );
  }
  return new RefusedError(`${only} ${solutions.join("; ")}. (${response})`, { cause: error });
}
