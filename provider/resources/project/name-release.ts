/**
 * Creates a project under a name that the service has not released yet. A deletion that was
 * accepted (202) may take a while. Until it is finished, lists may contain the project, and its
 * name may be refused.
 */
import { type ApiError, RefusedError } from "../../errors";
import type { ProjectName } from "../claims";
import { isNameTaken } from "../meaning";
import { pauseUnlessCanceled } from "../pause";
import type { Context } from "../resource";

/** Milliseconds before each further attempt: about a minute together. */
const WAITS = [500, 1000, 2000, 4000, 8000, 16_000, 30_000] as const;
/**
 * Where no deletion is known: a project that this key cannot see may have the name, and then
 * waiting does not help.
 */
const ATTEMPTS_ON_SUSPICION = 3;

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
  for (let refusals = 0; ; refusals += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!isNameTaken(error)) throw error;
      const milliseconds = refusals < ATTEMPTS_ON_SUSPICION || isBeingDeleted() ? WAITS[refusals] : undefined;
      if (milliseconds === undefined) throw notReleased(orgId, name, isBeingDeleted(), error);
      await pauseUnlessCanceled(milliseconds, signal);
    }
  }
}

function notReleased(orgId: string, name: string, isBeingDeleted: boolean, cause: ApiError): RefusedError {
  const reason = isBeingDeleted
    ? "a deleted project still holds the name: the service has accepted the deletion and not finished it. Run pulumi up again in a few minutes."
    : "the service refuses the name as taken, and this API key sees no project of that name. A project that was just deleted may still hold it: run pulumi up again in a few minutes. Otherwise choose another name, or use a key that sees all projects of the organization.";
  return new RefusedError(
    `Creating project "${name}" in organization ${orgId} failed (${cause.errorCode}): ${reason}`,
    { cause },
  );
}
