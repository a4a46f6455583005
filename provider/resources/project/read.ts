/** Reads a project for a refresh or an import. */

import { isDeepStrictEqual } from "node:util";
import { ROLE_TO_SEE_TAGS } from "../../api/hints";
import { getProject } from "../../api/projects";
import { RefusedError } from "../../text/errors";
import { formatNotice } from "../../text/notices";
import { OBJECT_ID } from "../../text/object-id";
import { toProperties } from "../contract/border";
import type { Context, ReadRequest, ReadResult } from "../contract/resource";
import { withoutUndefined } from "../contract/values";
import { CHECK_BASE_URL, meaningOf } from "../evidence/meaning";
import { warnOfUnreadable } from "../evidence/unread-warning";
import { absenceOfProject } from "../reads/absence";
import type { JudgeEntry } from "../reads/organization-list";
import { ProjectCache } from "../reads/projects";
import { ObservationLog } from "../session/observations";
import { asProjectInputs, type ProjectInputs } from "./inputs";
import { managed } from "./managed";
import {
  asProjectState,
  type LiveProject,
  observationOf,
  type ProjectState,
  toLive,
  toState,
  withHiddenTags,
} from "./state";

export async function read({ id, state, oldInputs, context }: ReadRequest): Promise<ReadResult | undefined> {
  if (state === undefined || oldInputs === undefined) return readForImport(id, context);
  const recorded = asProjectState(state, id);
  const declared = asProjectInputs(oldInputs);
  const found = await observeRecorded(recorded, declared, context);
  if (found === "deleted") return undefined;
  if (found === "unknown") return { id, state: toProperties(recorded), inputs: oldInputs };
  const { live, tagsVisible, tagsShown } = withHiddenTags(found, recorded);
  // If `tagsVisible: false` is recorded, the write of the tags already warned.
  if (!tagsShown && tagsVisible && declared.tags !== undefined) {
    context.log.warn(
      formatNotice(
        { code: "unreadable", subject: "tags", placeId: recorded.projectId },
        `The tags of project ${recorded.projectId} are no longer visible to these credentials, so the state keeps the last known tags. Seeing tags requires ${ROLE_TO_SEE_TAGS}.`,
      ),
    );
  }
  const current = toState(live, declared, { origin: recorded.origin, tagsVisible });
  context.session.of(ObservationLog).record(context.urn, observationOf(declared, recorded, current));
  // The organization remains the recorded one, because Diff needs both.
  return { id, state: toProperties(current), inputs: managed.liveInputs(oldInputs, current) };
}

async function readForImport(id: string, { session, signal }: Context): Promise<ReadResult | undefined> {
  const projectId = id.toLowerCase();
  if (!OBJECT_ID.test(projectId)) {
    throw new RefusedError(
      `"${id}" is not the id of a project: a Project is imported by its projectId, 24 hexadecimal digits.`,
    );
  }
  const response = await getProject(session.client, projectId, signal).catch((error: unknown) => {
    if (meaningOf(error) === "deleted") return undefined;
    throw error;
  });
  if (!response) return undefined;
  const live = toLive(response);
  const inputs = withoutUndefined({
    orgId: live.orgId,
    ...managed.imported(live),
  });
  const state = toState(live, {}, { origin: "imported", tagsVisible: true });
  return { id: projectId, state: toProperties(state), inputs: toProperties(inputs) };
}

/**
 * An entry of a list replaces a read of the project only if nothing has changed. The project itself
 * is read if the entry differs or lacks a field. It is also read if a declared field is empty in all
 * entries.
 */
function judgeBy(recorded: ProjectState, declared: ProjectInputs): JudgeEntry {
  return (entry, isShown) => {
    const isLacking = managed.names
      .filter((property) => managed.table[property].listMayLackIt)
      .some((property) =>
        entry[property]
          ? entry[property].length === 0 && declared[property] !== undefined && !isShown(property)
          : declared[property] !== undefined || recorded[property] !== undefined,
      );
    if (isLacking) return "lacking";
    const { live, tagsVisible } = withHiddenTags(toLive(entry), recorded);
    const current = toState(live, declared, { origin: recorded.origin, tagsVisible });
    return isDeepStrictEqual(withoutUndefined(current), withoutUndefined(recorded))
      ? "sufficient"
      : "unexpected";
  };
}

/** A recorded project: its live form, or what its absence means. */
async function observeRecorded(
  recorded: ProjectState,
  declared: ProjectInputs,
  context: Context,
): Promise<LiveProject | "deleted" | "unknown"> {
  const { projectId, orgId } = recorded;
  const judge = judgeBy(recorded, declared);
  try {
    return toLive(await context.session.of(ProjectCache).read(projectId, orgId, judge, context.signal));
  } catch (error) {
    const absence = await absenceOfProject(error, recorded, context);
    if (absence === "deleted") return "deleted";
    if (absence === "unreadable") {
      warnOfUnreadable({ subject: "project", placeId: projectId }, `Project ${projectId}`, error, context);
    } else {
      context.log.warn(
        formatNotice(
          { code: "missing operation", subject: "project" },
          `This service does not offer reading a project (GET /groups/{id}), so the state keeps the last known values and drift is not detected. ${CHECK_BASE_URL}`,
        ),
      );
    }
    return "unknown";
  }
}
