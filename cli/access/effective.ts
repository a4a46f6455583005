/** Who reaches which project, by which way, and whether that is declared. Pure. */
import { countsInEachProject } from "../../provider/access/rights";
import type { OrganizationAccess } from "../lib/access/read";
import type { AccessEntry, DeclarationStatus, Found, ReportedProject, Way } from "../lib/access/report";

/** What was found, each access with its way and with the roles that count in projects below. */
export function effective(found: readonly Found[]): readonly Found[] {
  return found.map((subject) => {
    const inTeams = Map.groupBy(
      subject.access.filter((entry) => entry.in === "team"),
      ({ teamId }) => teamId,
    );
    const access = subject.access.map((entry) => {
      // Access through a team is declared only if it is declared who is in the team.
      const team = entry.in === "project" ? (inTeams.get(entry.teamId) ?? []) : [];
      return {
        ...entry,
        way: wayOf(subject, entry),
        declaration: declarationOf(entry, team),
        inEachProject: rolesBelow(entry, true),
        perhapsInEachProject: rolesBelow(entry, "unknown"),
      };
    });
    return { ...subject, access };
  });
}

function wayOf({ kind }: Found, { in: place, status, teamId }: AccessEntry): Way {
  if (place === "service") return "global role";
  const isOfOrganization = place === "organization";
  if (kind === "group") return isOfOrganization ? "group mapping of the organization" : "group mapping";
  if (teamId !== undefined) return "team";
  if (status === "pending") return isOfOrganization ? "invitation to the organization" : "invitation";
  return isOfOrganization ? "organization role" : "own role";
}

function declarationOf(entry: AccessEntry, others: readonly AccessEntry[]): DeclarationStatus {
  if (entry.status === "ended") return "ended";
  const parts = new Set([entry, ...others].map(ownDeclaration));
  return LEAST_FIRST.find((each) => parts.has(each)) ?? "ended";
}

const LEAST_FIRST = ["undeclared", "unknown", "ending", "declared"] as const;

function ownDeclaration({ status, declaredBy, until }: AccessEntry): DeclarationStatus {
  if (status === "ended") return "ended";
  if (declaredBy === undefined) return "unknown";
  if (declaredBy.length === 0) return "undeclared";
  return until === undefined ? "declared" : "ending";
}

function rolesBelow(
  { in: place, status, roles }: AccessEntry,
  counts: true | "unknown",
): readonly string[] | undefined {
  if (status === "ended" || (place !== "organization" && place !== "service")) return undefined;
  const below = roles.filter((role) => countsInEachProject(role) === counts);
  return below.length === 0 ? undefined : below;
}

/** Whether an access outside of projects may count in the project. */
export function isAbove(entry: AccessEntry, { orgId }: ReportedProject): boolean {
  return entry.in === "service" || (entry.in === "organization" && entry.orgId === orgId);
}

/** The access in each project that an access outside of projects gives, or may give. */
export function accessBelow(entry: AccessEntry, projects: readonly ReportedProject[]) {
  const below = [
    ...(entry.inEachProject ? [{ roles: entry.inEachProject, way: entry.way }] : []),
    ...(entry.perhapsInEachProject ? [{ roles: entry.perhapsInEachProject, way: "unknown" as const }] : []),
  ];
  if (below.length === 0) return [];
  return projects
    .filter((project) => isAbove(entry, project))
    .flatMap((project) => below.map((part) => ({ ...entry, ...project, ...part })));
}

/** The projects of an organization, with the lists that lack somebody who may reach them. */
export function projectsOf({ orgId, orgName, places }: OrganizationAccess): ReportedProject[] {
  const unreadAt = new Map(places.map(({ place, unread }) => [place.id, unread]));
  return places.flatMap(({ place, lists: { teams = [] } }): ReportedProject[] => {
    if (place.kind !== "project") return [];
    const { id: projectId, name: projectName } = place;
    const ids = [projectId, ...teams.map(({ teamId }) => teamId), orgId];
    return [{ projectId, projectName, orgId, orgName, unread: ids.flatMap((id) => unreadAt.get(id) ?? []) }];
  });
}
