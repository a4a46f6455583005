/** Whether a recorded object is gone, or only cannot be read: the part of the question that needs a second look. */
import { ApiError, messageOf } from "../errors";
import { meaningOf } from "./meaning";
import type { Context } from "./resource";

export type Absence = "gone" | "unreadable" | "missing-operation";

/**
 * Decides what a failed look at a recorded project means.
 *
 * "Gone" is believed only after the recorded organization has answered in this process and its list lacks the id: with
 * a wrong `baseUrl` every object of the state would seem gone.
 *
 * @throws the error itself when it says nothing about the object, and an error naming `baseUrl` when nobody can confirm
 */
export async function absenceOfProject(
  error: unknown,
  { projectId, orgId }: { readonly projectId: string; readonly orgId?: string | undefined },
  context: Context,
): Promise<Absence> {
  const meaning = meaningOf(error);
  if (meaning === "failure") throw error;
  if (meaning === "unreadable" || meaning === "missing-operation") return meaning;
  // A record from a look that could not tell the organization: nobody can confirm anything.
  if (!orgId) throw cannotConfirm(projectId, "the record names no organization to ask", error, context);
  const listed = await projectIdsOf({ projectId, orgId }, context, error);
  return listed.has(projectId) ? "unreadable" : "gone";
}

async function projectIdsOf(
  { projectId, orgId }: { readonly projectId: string; readonly orgId: string },
  context: Context,
  doubted: unknown,
): Promise<ReadonlySet<string>> {
  const { session, signal } = context;
  try {
    return await session.projectCache.idsIn(orgId, signal);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const why = `its organization ${orgId} does not answer either`;
    throw cannotConfirm(projectId, why, doubted instanceof ApiError ? doubted : error, context, error);
  }
}

function cannotConfirm(
  projectId: string,
  why: string,
  doubted: unknown,
  { session, urn }: Context,
  answer: unknown = doubted,
): unknown {
  if (!(doubted instanceof ApiError)) return doubted;
  return new ApiError(
    `Project ${projectId} seems to be gone, but ${why}, so it is kept in the state. (${messageOf(answer)}) Check baseUrl (${session.client.origin}): it may lead to another service. After correcting it, run: pulumi up --refresh --run-program. If you know that the project or its organization was deleted, run: pulumi state delete '${urn}'.`,
    { ...doubted },
  );
}
