/**
 * Who has the name of a project, and writes of a name that the service has not released yet. A deletion
 * that was accepted (202) may take a while. Until it is finished, lists may contain the project, and its
 * name may be refused.
 */
import { findProjectsByName } from "../../api/organizations";
import { getProject, type ProjectResponse } from "../../api/projects";
import { type ApiError, RefusedError } from "../../text/errors";
import type { Context } from "../contract/resource";
import { CHECK_BASE_URL, isNameTaken, meaningOf } from "../evidence/meaning";
import { ProjectCache } from "../reads/projects";
import type { ProjectName } from "../session/observations";
import { waitForDeletion, whileRefused } from "../session/pause";
import { nameIsTaken, renameIsTaken } from "../session/taken-name";

interface ProjectsOfName {
  readonly existing: readonly ProjectResponse[];
  /** One is still listed, but deleted: the service takes a while to finish a deletion. */
  readonly isBeingDeleted: boolean;
}

export async function findByName(wanted: ProjectName, context: Context): Promise<ProjectsOfName> {
  try {
    const listed = await findProjectsByName(context.session.client, wanted, context.signal);
    const states = await Promise.all(listed.map(({ id }) => isDeleted(id, context)));
    return { existing: listed.filter((_, index) => !states[index]), isBeingDeleted: states.includes(true) };
  } catch (error) {
    if (meaningOf(error) !== "missing-operation") throw error;
    throw new RefusedError(
      `Project "${wanted.name}" cannot be created: this service does not offer listing the projects of an organization (GET /orgs/${wanted.orgId}/groups), so the provider cannot tell whether it exists already. Set projectId to manage an existing project. ${CHECK_BASE_URL}`,
      { cause: error },
    );
  }
}

/**
 * Whether the project was deleted: this operation deleted it, or the service responds that it does
 * not exist.
 */
async function isDeleted(projectId: string, { session, signal }: Context): Promise<boolean> {
  if (session.of(ProjectCache).isDeleted(projectId)) return true;
  return getProject(session.client, projectId, signal).then(
    () => false,
    (error: unknown) => meaningOf(error) === "deleted",
  );
}

/** A name, and the project that gets it if it exists already. */
interface Naming extends ProjectName {
  readonly projectId?: string;
}

/** The error for a name that other projects of the organization have. */
export function nameOfOthers(
  { projectId, orgId, name }: Naming,
  others: readonly ProjectResponse[],
  context: Context,
): RefusedError {
  const ids = others.map(({ id }) => id);
  if (projectId !== undefined) return renameIsTaken({ kind: "Project", orgId, name, ids }, context);
  const isNew = ids.some((id) => context.session.of(ProjectCache).isNew(id));
  return nameIsTaken({ kind: "Project", orgId, name, ids, isNew }, context);
}

/**
 * Runs a write that gives a project its name, and repeats it while a deleted project holds the name.
 *
 * @throws RefusedError if another project has the name, or it was not released in time
 */
export async function underName<T>(wanted: Naming, write: () => Promise<T>, context: Context): Promise<T> {
  let isBeingDeleted = false;
  const attempt = async () => {
    try {
      return await write();
    } catch (refusal) {
      if (!isNameTaken(refusal)) throw refusal;
      const found = await findByName(wanted, context).catch(() => {
        throw refusal;
      });
      const others = found.existing.filter(({ id }) => id !== wanted.projectId);
      if (others.length > 0) throw nameOfOthers(wanted, others, context);
      isBeingDeleted = found.isBeingDeleted;
      throw refusal;
    }
  };
  const waitOf = (error: unknown, refusals: number) =>
    isNameTaken(error) ? waitForDeletion(refusals, isBeingDeleted) : undefined;
  return whileRefused(attempt, waitOf, context.signal).catch((error: unknown) => {
    throw isNameTaken(error) ? notReleased(wanted, isBeingDeleted, error) : error;
  });
}

function notReleased(
  { projectId, orgId, name }: Naming,
  isBeingDeleted: boolean,
  cause: ApiError,
): RefusedError {
  const what =
    projectId === undefined
      ? `Creating project "${name}" in organization ${orgId}`
      : `Renaming project ${projectId} to "${name}"`;
  const reason = isBeingDeleted
    ? "a deleted project still holds the name: the service has accepted the deletion and not finished it. Run pulumi up again in a few minutes."
    : "the service refuses the name as taken, and these credentials see no project of that name. A project that was just deleted may still hold it: run pulumi up again in a few minutes. Otherwise choose another name, or use a key that sees all projects of the organization.";
  return new RefusedError(`${what} failed (${cause.errorCode}): ${reason}`, { cause });
}
