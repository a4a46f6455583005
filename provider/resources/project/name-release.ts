/**
 * Creates a project under a name that the service has not released yet. A deletion that was
 * accepted (202) may take a while. Until it is finished, lists may contain the project, and its
 * name may be refused.
 */
import { type ApiError, RefusedError } from "../../text/errors";
import type { Context } from "../contract/resource";
import { isNameTaken } from "../evidence/meaning";
import type { ProjectName } from "../session/observations";
import { waitForDeletion, whileRefused } from "../session/pause";

/**
 * Repeats an attempt while the service refuses the name as taken.
 *
 * @param attempt rejects with the service's refusal; any other failure ends the attempts
 * @param isBeingDeleted whether a deleted project still holds the name
 * @throws RefusedError when the name was not released in time
 */
export async function whenNameIsFree<T>(
  { orgId, name }: ProjectName,
  attempt: () => Promise<T>,
  isBeingDeleted: () => boolean,
  { signal }: Pick<Context, "signal">,
): Promise<T> {
  const waitOf = (error: unknown, refusals: number) =>
    isNameTaken(error) ? waitForDeletion(refusals, isBeingDeleted()) : undefined;
  return whileRefused(attempt, waitOf, signal).catch((error: unknown) => {
    throw isNameTaken(error) ? notReleased(orgId, name, isBeingDeleted(), error) : error;
  });
}

function notReleased(orgId: string, name: string, isBeingDeleted: boolean, cause: ApiError): RefusedError {
  const reason = isBeingDeleted
    ? "a deleted project still holds the name: the service has accepted the deletion and not finished it. Run pulumi up again in a few minutes."
    : "the service refuses the name as taken, and these credentials see no project of that name. A project that was just deleted may still hold it: run pulumi up again in a few minutes. Otherwise choose another name, or use a key that sees all projects of the organization.";
  return new RefusedError(
    `Creating project "${name}" in organization ${orgId} failed (${cause.errorCode}): ${reason}`,
    { cause },
  );
}
