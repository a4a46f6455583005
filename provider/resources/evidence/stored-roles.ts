/** What the service stored after it accepted the roles of a team or of an API key in a project. */
import { messageOf, PartialFailure } from "../../text/errors";
import { joinId } from "../../text/object-id";
import type { ProjectContext } from "../contract/resource";
import { type Properties, sameSet } from "../contract/values";
import { rereadAfterWrite } from "./reread";

interface AcceptedRoles<Entry> {
  readonly noun: "team" | "API key";
  readonly name: string;
  readonly objectId: string;
  /** The entry that was written. */
  readonly written: Entry;
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
export async function storedRoles<Entry extends { readonly roles: readonly string[] }>(
  { noun, name, objectId, written, read, stateOf }: AcceptedRoles<Entry>,
  { projectId, signal }: Pick<ProjectContext, "projectId" | "signal">,
): Promise<Properties> {
  const accepted = `The service accepted ${written.roles.join(", ")} for ${noun} ${name} in project ${projectId}`;
  const failed = (entry: Entry, reason: string) =>
    new PartialFailure(joinId(projectId, objectId), stateOf(entry), [reason]);
  const now = await rereadAfterWrite(read, signal).catch((error: unknown) => {
    const reason = `${accepted}, but the result could not be read. Run pulumi up again: it continues from what exists. (${messageOf(error)})`;
    throw failed(written, reason);
  });
  if (now && sameSet(now.roles, written.roles)) return stateOf(now);
  const stored = now ? `stored ${now.roles.join(", ")}` : `does not list the ${noun} there`;
  throw failed(now ?? written, `${accepted}, but it ${stored}.`);
}
