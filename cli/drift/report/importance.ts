/** What matters most in a report, and what only follows from something else. Pure. */
import { canOwn } from "../../../provider/access/rights";
import { knownTexts } from "../../../provider/resources/contract/canonical";
import { splitId } from "../../../provider/text/object-id";
import { kindOf } from "../../lib/own-resources";
import { type Finding, notIgnored } from "./model";

/**
 * The differences with those first that concern who owns something, then those of other people, keys, teams and groups,
 * then the rest, and last what rules ignore. Those of a resource stay together, and beside that the order stays the same.
 */
export function byImportance(findings: readonly Finding[]): Finding[] {
  const resources = [...Map.groupBy(findings, ({ stack, urn }) => JSON.stringify([stack, urn])).values()];
  const rankOf = (own: readonly Finding[]) => Math.min(...own.map(rank));
  return resources.sort((one, other) => rankOf(one) - rankOf(other)).flat();
}

function rank({ type, property, live, object, ignored }: Finding): number {
  if (ignored) return 3;
  if (canOwn(rolesIn(live))) return 0;
  return object !== undefined || kindOf(type) !== "Project" || /^(ldap|idp)GroupMappings/.test(property)
    ? 1
    : 2;
}

/** The roles that a live value has at any depth. */
function rolesIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(rolesIn);
  return typeof value === "object" && value !== null
    ? Object.values(value).flatMap(rolesIn)
    : knownTexts(value);
}

/**
 * The resources that no longer exist because their project does not: each with the difference of the project. Where a rule
 * ignores one of the two, both stand for themselves.
 */
export function consequences(findings: readonly Finding[]): ReadonlyMap<Finding, Finding> {
  const deleted = notIgnored(findings).filter(({ kind, property }) => kind === "deleted" && property === "");
  const projects = new Map(
    deleted
      .filter(({ type }) => kindOf(type) === "Project")
      .map((finding) => [JSON.stringify([finding.stack, finding.id?.toLowerCase()]), finding]),
  );
  return new Map(
    deleted.flatMap((finding) => {
      const { stack, id = "", type } = finding;
      const project = projects.get(JSON.stringify([stack, splitId(id).placeId]));
      return project === undefined || kindOf(type) === "Project" ? [] : [[finding, project] as const];
    }),
  );
}
