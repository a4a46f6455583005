/**
 * Decides whether a recorded object was deleted or only cannot be read, which requires a second
 * read.
 */

import { causeOfMissingOrganization } from "../../api/hints";
import { ApiError, messageOf } from "../../text/errors";
import type { Context } from "../contract/resource";
import { meaningOf } from "../evidence/meaning";
import { urnForShell } from "../session/claims";
import type { Purpose } from "../session/shared-reads";
import { ProjectCache } from "./projects";

type Reader = Pick<Context, "session" | "urn" | "signal">;

interface RecordedProject {
  readonly projectId: string;
  readonly orgId?: string | undefined;
}

export type Absence = "deleted" | "unreadable" | "missing-operation";

/**
 * Decides what a failed read of a recorded project means.
 *
 * The result is "deleted" only after the recorded organization has responded in this process and its
 * list lacks the ID. With a wrong `baseUrl`, every object of the state would seem to be deleted.
 *
 * @param purpose for a write, the projects of the organization are read after this call; otherwise once per operation
 * @throws the error itself if it does not concern the object, and an error that names `baseUrl` if
 * the deletion cannot be confirmed
 */
export async function absenceOfProject(
  error: unknown,
  project: RecordedProject,
  context: Reader,
  purpose: Purpose = "reading",
): Promise<Absence> {
  const { projectId, orgId } = project;
  const meaning = meaningOf(error);
  // What is no response of the API is a failure too.
  if (meaning === "failure" || !(error instanceof ApiError)) throw error;
  if (meaning === "unreadable" || meaning === "missing-operation") return meaning;
  // The record lacks the organization, which is needed to confirm the deletion.
  if (!orgId) throw cannotConfirm(project, "the record names no organization", error, context);
  const listed = await context.session
    .of(ProjectCache)
    .ids.read(orgId, purpose, context.signal)
    .catch((response: unknown) => {
      if (!(response instanceof ApiError)) throw response;
      const why = `its organization ${orgId} cannot be read either`;
      throw cannotConfirm(project, why, error, context, response);
    });
  return listed.has(projectId) ? "unreadable" : "deleted";
}

/**
 * Whether a removal was rejected because the project no longer exists. Pulumi deletes resources in
 * parallel unless one depends on the other, so the project may be deleted between a read and the
 * removal. What cannot be read proves nothing.
 */
export async function isProjectDeleted(
  rejection: unknown,
  project: RecordedProject,
  context: Reader,
): Promise<boolean> {
  // A list that was read before may be older than the deletion.
  const absence = absenceOfProject(rejection, project, context, "writing").catch(() => undefined);
  return (await absence) === "deleted";
}

/** @param response of the organization, which concerns all of its projects */
function cannotConfirm(
  { projectId, orgId }: RecordedProject,
  why: string,
  doubted: ApiError,
  { session, urn }: Reader,
  response?: ApiError,
): ApiError {
  const explanation = `(${messageOf(response ?? doubted)}) Check baseUrl (${session.client.origin}): it may be the address of another service. After correcting it, run: pulumi up --refresh --run-program. If you know that the project or its organization was deleted, run: pulumi state delete`;
  // Another refusal says nothing about the other projects of the organization.
  const cause = response?.status === 404 ? causeOfMissingOrganization(orgId) : undefined;
  return new ApiError(
    `Project ${projectId} stays in the state: it seems to be deleted, but ${why}. ${explanation} ${urnForShell(urn)}.`,
    { ...doubted },
    cause && { sharedCause: { ...cause, explanation } },
  );
}
