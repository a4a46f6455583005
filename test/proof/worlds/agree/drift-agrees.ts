/** `drift` with and without `--unmanaged` find the same differences; what nothing declares, `access` does not call declared. */
import type { Holds } from "../command";
import { canOwn } from "../drift";
import type { AccessReported, DriftReported, ReportedWay, Undeclared } from "./reports";
import { differenceOf } from "./ways";

/** @param isRenamed an account has another name than at first */
export function checkDrifts(
  plain: DriftReported,
  whole: DriftReported,
  isRenamed: boolean,
  holds: Holds,
): void {
  const isKnown = plain.unreadable.length === 0 && whole.unreadable.length === 0;
  const difference = differenceOf(new Set(plain.differences), new Set(whole.differences));
  holds(
    isRenamed
      ? "drift finds the same with --unmanaged, also where accounts were renamed"
      : "drift finds the same with --unmanaged",
    !isKnown || difference.length === 0,
    () => difference.join("; "),
  );
  for (const report of [plain, whole]) {
    const { exitCode, unreadable, differences, stderr } = report;
    const expected = unreadable.length > 0 ? 1 : differences.length > 0 ? 2 : 0;
    holds(
      "the exit code of drift is what it reports",
      exitCode === expected,
      () => `${exitCode} for ${differences.length} differences, ${unreadable.join("; ")} ${stderr}`,
    );
  }
}

const textOf = ({ place, holder }: Pick<Undeclared, "place" | "holder">): string => `${holder} in ${place}`;

/** @param isBeside what the program leaves alone, or declares without the state */
export function checkDeclared(
  whole: DriftReported,
  review: AccessReported,
  isBeside: (way: ReportedWay) => boolean,
  holds: Holds,
): void {
  if (whole.unreadable.length > 0 || !review.isComplete) return;
  const reported = [...whole.undeclared, ...whole.unmanaged].filter(({ isIndirect }) => !isIndirect);
  const undeclared = new Set(reported.map(textOf));
  const direct = review.ways.filter((one) => isOfProject(one) && !isBeside(one));
  for (const [, [way, beside]] of Map.groupBy(direct, textOf)) {
    // Of a member whom the program declares, what an invitation offers beyond that is a difference of its own.
    if (way === undefined || beside !== undefined) continue;
    const isReported = undeclared.has(textOf(way));
    holds(
      "access calls declared what drift does",
      way.isDeclared === undefined || way.isDeclared !== isReported,
      () => `${textOf(way)}: declared for access: ${way.isDeclared}, undeclared for drift: ${isReported}`,
    );
  }
}

/**
 * `drift --unmanaged` shows every undeclared holder of roles in a project, and of groups and service accounts only those
 * with a right to own it.
 */
const isOfProject = ({ place, team, holder, roles }: ReportedWay): boolean =>
  place.startsWith("project ") &&
  team === undefined &&
  !holder.startsWith("group ") &&
  (!holder.startsWith("service account ") || canOwn(roles));
