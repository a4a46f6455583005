/** What the service stored after it accepted the roles of a team or of an API key in a project. */
import type { Holder } from "../../access/places";
import { messageOf, PartialFailure } from "../../text/errors";
import { joinId } from "../../text/object-id";
import type { ProjectContext } from "../contract/resource";
import { type Properties, sameSet } from "../contract/values";
import { RUN_AGAIN, rereadAfterWrite } from "./reread";

interface Entry {
  readonly id: string;
  readonly name?: string | undefined;
  readonly roles: readonly string[];
}

interface AcceptedRoles {
  readonly noun: Holder["kind"];
  readonly holder: Omit<Entry, "roles">;
  /** What was written. */
  readonly roles: readonly string[];
  /** Reads the entry in the complete list of the project. */
  read(signal: AbortSignal): Promise<Entry | undefined>;
  /** What to record of an entry. */
  stateOf(entry: Entry): Properties;
}

/**
 * Reads back the roles that the service accepted.
 *
 * @returns what to record
 * @throws PartialFailure if the service stored other roles, or if they cannot be read
 */
export async function storedRoles(
  { noun, holder, roles, read, stateOf }: AcceptedRoles,
  { projectId, signal }: Pick<ProjectContext, "projectId" | "signal">,
): Promise<Properties> {
  const { id, name = id } = holder;
  const accepted = `The service accepted ${roles.join(", ")} for ${noun} ${name} in project ${projectId}`;
  const failed = (entry: Entry, reason: string) =>
    new PartialFailure(joinId(projectId, id), stateOf(entry), [reason]);
  const written = { ...holder, roles };
  const now = await rereadAfterWrite(read, signal).catch((error: unknown) => {
    const reason = `${accepted}, but the result could not be read. ${RUN_AGAIN} (${messageOf(error)})`;
    throw failed(written, reason);
  });
  if (now && sameSet(now.roles, roles)) return stateOf(now);
  const stored = now ? `stored ${now.roles.join(", ")}` : `does not list the ${noun} there`;
  throw failed(now ?? written, `${accepted}, but it ${stored}.`);
}
