/** Decides whether a recorded object was deleted or only cannot be read, which requires a second read. */
import { ApiError, messageOf } from "../errors";
import { meaningOf } from "./meaning";
import type { Context } from "./resource";

export type Absence = "deleted" | "unreadable" | "missing-operation";

/**
 * Decides what a failed read of a recorded project means.
 *
 * The result is "deleted" only after the recorded organization has answered in this process and its list
 * lacks the ID. With a wrong `baseUrl`, every object of the state would seem to be deleted.
 *
 * @throws the error itself if it does not concern the object, and an error that names `baseUrl` if the
 * deletion cannot be confirmed
 */
export async function absenceOfProject(
  error: unknown,
  { projectId, orgId }: { readonly projectId: string; readonly orgId?: string | undefined },
  context: Context,
): Promise<Absence> {
  const meaning = meaningOf(error);
  if (meaning === "failure") throw error;
  if (meaning === "unreadable" || meaning === "missing-operation") return meaning;
  // The record lacks the organization, which is needed to confirm the deletion.
  if (!orgId) throw cannotConfirm(projectId, "the record names no organization", error, context);
  const listed = await projectIdsOf({ projectId, orgId }, context, error);
  return listed.has(projectId) ? "unreadable" : "deleted";
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
    `Project ${projectId} seems to be deleted, but ${why}, so the state retains it. (${messageOf(answer)}) Check baseUrl (${session.client.origin}): it may be the address of another service. After correcting it, run: pulumi up --refresh --run-program. If you know that the project or its organization was deleted, run: pulumi state delete '${urn}'.`,
    { ...doubted },
  );
}
