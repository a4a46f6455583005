/** Deletes or releases a project. */

import { deleteProject } from "../../api/projects";
import { RefusedError } from "../../text/errors";
import type { Context, DeleteRequest } from "../contract/resource";
import { CHECK_BASE_URL, meaningOf } from "../evidence/meaning";
import { refuseToEndDeclared } from "../people/declared-below";
import { type Absence, absenceOfProject } from "../reads/absence";
import { ProjectCache } from "../reads/projects";
import { Claims } from "../session/claims";
import { ObservationLog } from "../session/observations";
import { pauseUnlessCanceled } from "../session/pause";
import { anyProject } from "./claims";
import { asProjectInputs, onDestroySetting } from "./inputs";
import { asProjectState, observationOf, type ProjectState } from "./state";

export async function remove({ id, state, oldInputs, context }: DeleteRequest): Promise<void> {
  const recorded = asProjectState(state, id);
  const { session } = context;
  const inputs = asProjectInputs(oldInputs);
  const declared = anyProject(id, recorded);
  const successor = session.of(Claims).declarerOf(declared);
  // A replacement that deletes first creates next, and then finds a project that stays.
  if (successor !== undefined) session.of(ObservationLog).record(successor, observationOf(inputs, recorded));
  if (onDestroySetting.effective(inputs, recorded.origin) === "release") {
    context.log.info(
      `Project ${id} ("${recorded.name}", ${recorded.origin}) was released: it stays in the service with its members.`,
    );
    return;
  }
  const declarer = session.of(Claims).declarerOf(declared, context.urn);
  if (declarer !== undefined) {
    context.log.info(`Project ${id} was kept because ${declarer} declares it.`);
    return;
  }
  const refused = `Project ${id} ("${recorded.name}") was not deleted`;
  await refuseToEndDeclared([{ of: "project", id }], refused, context);
  try {
    const request = deleteProject(session.client, id, context.signal);
    await session.of(ProjectCache).followDeletion(id, recorded.orgId, request);
  } catch (error) {
    const absence = await absenceAfterDeletion(error, recorded, context);
    if (absence === "deleted") return;
    if (absence !== "missing-operation") throw error;
    throw new RefusedError(
      `Deleting project ${id} failed: this service does not offer it (DELETE /groups/{id}). Set onDestroy: "release", run pulumi up, and destroy again: then the project stays in the service. ${CHECK_BASE_URL}`,
      { cause: error },
    );
  }
}

/** Milliseconds before each further read of the organization's list. */
const WAITS_FOR_LIST = [500, 1000, 2000];

/**
 * What a refused deletion means. The response to an earlier deletion may have been lost. Then the
 * service may report that the project does not exist, and list it until the deletion is finished.
 */
async function absenceAfterDeletion(
  error: unknown,
  recorded: ProjectState,
  context: Context,
): Promise<Absence> {
  let absence = await absenceOfProject(error, recorded, context);
  for (const milliseconds of meaningOf(error) === "deleted" ? WAITS_FOR_LIST : []) {
    if (absence !== "unreadable") break;
    await pauseUnlessCanceled(milliseconds, context.signal);
    context.session.of(ProjectCache).ids.written(recorded.orgId);
    absence = await absenceOfProject(error, recorded, context);
  }
  return absence;
}
