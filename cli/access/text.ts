/** The report for a terminal: who or what was found, where it has access, and what was searched. */
import { serviceAccountText } from "../../provider/access/places";
import { capitalized } from "../../provider/text/capitalized";
import { visibleText } from "../../provider/text/visible-text";
import type { Unread } from "../lib/access/reading";
import {
  type AccessEntry,
  type AccessReport,
  type Found,
  type FoundKey,
  type FoundPerson,
  nounsOfHolders,
  type RemovedAccess,
  type ReportedProject,
  type Searched,
} from "../lib/access/report";
import { eventText, OF_THIS_COMMAND, timeText } from "../lib/last-event";
import { groupKind, organizationText, withId } from "../lib/organization";
import { resourceText } from "../lib/own-resources";
import { counted, listed, section, styled, type Terminal } from "../lib/terminal";
import { isAbove } from "./effective";

export type Format = (report: AccessReport, terminal: Pick<Terminal, "hasColors">) => string;

/** Of one name by holder, of everyone by place. */
export const text: Format = (report, terminal) => {
  const { found, name, stack } = report;
  const entryLine = (entry: AccessEntry, start: string) =>
    visibleText(`  ${start}${declaredText(entry, stack !== undefined)}${endText(entry)}${sinceText(entry)}`);
  const ofHolder = (subject: Found) => [
    [titleText(subject, report, terminal), ...remarksOn(subject)].join("\n"),
    ...[...Map.groupBy(subject.access, headingOf)].flatMap(([heading, entries]) =>
      section(
        terminal,
        visibleText(heading),
        entries.map((entry) => entryLine(entry, entryText(entry, placeOf(entry)))),
      ),
    ),
  ];
  const inPlace = ({ heading, holders, others }: InPlace) =>
    section(terminal, visibleText(heading), [
      ...holders.map(([subject, entry]) => {
        const place = entry.isOutside ? `, ${placeOf(entry)}` : "";
        return entryLine(entry, entryText(entry, `${holderText(subject)}${place}`));
      }),
      ...others.map((line) => visibleText(`  ${line}`)),
    ]);
  return sectionsText([
    ...headText(report, terminal),
    ...(name === undefined ? byPlace(report).flatMap(inPlace) : found.flatMap(ofHolder)),
    ...tailText(report, terminal),
  ]);
};

/** Beside files that have everything. */
export const summary: Format = (report, terminal) => {
  const { found, name } = report;
  const titles = name === undefined ? [] : found.map((subject) => titleText(subject, report, terminal));
  return sectionsText([...headText(report, terminal), ...titles, ...tailText(report, terminal, MOST_UNREAD)]);
};

/** A summary has so many reasons, each with so many lists. */
const MOST_UNREAD = 3;

function sectionsText(sections: readonly string[]): string {
  return `${sections.join("\n\n")}\n`;
}

function headText(report: AccessReport, terminal: Pick<Terminal, "hasColors">): string[] {
  const lines = report.found.length === 0 ? [notFound(report)] : countsText(report);
  return lines.map((line) => styled(terminal, "bold", visibleText(line)));
}

function titleText(subject: Found, report: AccessReport, terminal: Pick<Terminal, "hasColors">): string {
  return styled(terminal, "bold", visibleText(titleOf(subject, report)));
}

/** What was searched, and what is unknown. */
function tailText(
  report: AccessReport,
  terminal: Pick<Terminal, "hasColors">,
  mostUnread = Number.POSITIVE_INFINITY,
): string[] {
  const { searched, unknown, removed = [], eventsUnread = [] } = report;
  const unread = (all: readonly Unread[]) => {
    const byReason = [...Map.groupBy(all, ({ reason }) => reason)];
    const lines = byReason.slice(0, mostUnread).map(([reason, same]) => {
      const names = same.slice(0, mostUnread).map(({ what }) => what);
      return `${names.join(", ")}${andMore(same.length - names.length)}: ${reason}`;
    });
    const left = byReason.slice(mostUnread).flatMap(([, same]) => same).length;
    return [...lines, ...(left > 0 ? [`${left} more, for other reasons`] : [])].map((line) =>
      visibleText(`  ? ${line}`),
    );
  };
  return [
    ...section(
      terminal,
      "Removed, as far as events show:",
      removed.map((each) =>
        visibleText(`  ${each.username} from ${removedFrom(each)}: ${eventText(each.lastEvent)}`),
      ),
    ),
    [...searched.map(searchedText), ...remarks(report)].map(visibleText).join("\n"),
    ...section(terminal, "Unknown:", unread(unknown)),
    ...section(terminal, "Events that could not be read:", unread(eventsUnread)),
  ];
}

function removedFrom({ in: place, orgId = "", orgName, projectId, projectName }: RemovedAccess): string {
  return place === "organization"
    ? organizationText({ orgId, orgName })
    : `project ${withId(projectName, projectId)}`;
}

function andMore(count: number): string {
  return count > 0 ? ` and ${count} more` : "";
}

type Placed = Pick<
  AccessEntry,
  "in" | "orgId" | "orgName" | "projectId" | "projectName" | "teamId" | "teamName" | "isOutside"
>;
type Held = readonly [Found, AccessEntry];

/** A place, with everyone and everything that has access there. */
interface InPlace {
  readonly heading: string;
  readonly holders: readonly Held[];
  /** Of a project, who reaches it from above, and what could not be read. */
  readonly others: readonly string[];
}

/** Each organization with its teams and projects. */
function byPlace({ found, searched, projects }: AccessReport): InPlace[] {
  const all = found.flatMap((subject) => subject.access.map((entry): Held => [subject, entry]));
  const fromAbove = all.filter(([, entry]) => entry.inEachProject ?? entry.perhapsInEachProject);
  const holders = Map.groupBy(all, ([, entry]) => placeHeading(entry));
  const teams = all.map(([, entry]) => entry).filter((entry) => entry.in === "team");
  const others = new Map(projects.map((each) => [headingOfProject(each), othersIn(each, fromAbove)]));
  const isOf = (orgId: string) => (place: { readonly orgId?: string | undefined }) => place.orgId === orgId;
  const headings = new Set([
    EVERYWHERE,
    ...searched.flatMap((organization) => [
      placeHeading({ in: "organization", ...organization }),
      ...teams.filter(isOf(organization.orgId)).map(placeHeading),
      ...projects.filter(isOf(organization.orgId)).map(headingOfProject),
    ]),
    ...holders.keys(),
  ]);
  return [...headings].map((heading) => {
    return { heading, holders: holders.get(heading) ?? [], others: others.get(heading) ?? [] };
  });
}

function headingOfProject(project: ReportedProject): string {
  return placeHeading({ in: "project", ...project });
}

function placeHeading(entry: Placed): string {
  const isWithin = entry.in === "team" || entry.in === "project";
  return isWithin && !entry.isOutside ? capitalized(placeOf(entry)) : headingOf(entry);
}

/** Who reaches a project from above is listed there. */
function othersIn(project: ReportedProject, fromAbove: readonly Held[]): string[] {
  const above = fromAbove.filter(([, entry]) => isAbove(entry, project));
  const line = (part: "inEachProject" | "perhapsInEachProject", start: string, role: string) => {
    const holders = new Set(above.filter(([, entry]) => entry[part]).map(([subject]) => subject));
    return holders.size === 0 ? [] : [`${start}${countedHolders(holders)} with a role ${role}, listed above`];
  };
  return [
    ...line("inEachProject", "", "in every project"),
    ...line("perhapsInEachProject", "? ", "that may count here"),
    ...project.unread.map((name) => `? ${name}: not read`),
  ];
}

/** A name that leads nowhere may be a typing error, so this is never called "no access". */
function notFound({ name, isComplete }: AccessReport): string {
  if (name === undefined) return isComplete ? "No one has access." : `No one was found. ${INCOMPLETE}`;
  return isComplete
    ? `No person, API key or service account is named ${name}. Global API keys belong to no organization, so they are not searched.`
    : `${name} was not found. ${INCOMPLETE}`;
}

const INCOMPLETE = "Not everything could be read.";

function titleOf(subject: Found, { isComplete }: AccessReport): string {
  const { access } = subject;
  const active = access.filter(({ status }) => status === "active");
  const distinct = (place: AccessEntry["in"], id: (entry: AccessEntry) => string | undefined) =>
    new Set(active.filter((entry) => entry.in === place).map(id)).size;
  const counts = [
    [distinct("organization", ({ orgId }) => orgId), "organization"],
    [distinct("team", ({ teamId }) => teamId), "team"],
    [distinct("project", ({ projectId }) => projectId), "project"],
    [
      access.filter(({ status, teamId }) => status === "pending" && teamId === undefined).length,
      "pending invitation",
    ],
  ] as const;
  const texts = counts.filter(([count]) => count > 0).map(([count, one]) => counted(count, one));
  const none = isComplete ? "no access" : "no access found";
  const reach = texts.length > 0 ? listed(texts) : active.length > 0 ? "global roles" : none;
  const who = subject.kind === "person" ? personText(subject) : holderText(subject);
  return [`${who}: ${reach}.`, ...endsText(access), ...(isComplete ? [] : [INCOMPLETE])].join(" ");
}

/** How much of it is over. */
function endsText(access: readonly AccessEntry[]): string[] {
  const overdue = access.filter(({ overdueSince }) => overdueSince !== undefined).length;
  const ended = access.filter(({ status }) => status === "ended").length;
  return [
    ...(overdue === 0 ? [] : [`${counted(overdue, "access is", "accesses are")} overdue.`]),
    ...(ended === 0 ? [] : [`${counted(ended, "access has", "accesses have")} ended.`]),
  ];
}

function holderText(subject: Found): string {
  if (subject.kind === "person") return subject.name;
  if (subject.kind === "key" || subject.kind === "service account") {
    const own = subject.kind === "key" ? keyText(subject) : serviceAccountText(subject);
    return subject.isOwn ? `${own}${OF_THIS_COMMAND}` : own;
  }
  return `${groupKind(subject.property)} ${JSON.stringify(subject.name)}`;
}

function personText({ name, accounts }: FoundPerson): string {
  const ids = accounts.map(({ userId }) => userId);
  if (ids.length === 0) return name;
  return `${name} (${ids.length === 1 ? "account" : "accounts"} ${ids.join(", ")})`;
}

function keyText({ keyId, publicKey, description }: FoundKey): string {
  const purpose = description ? ` ${JSON.stringify(description)}` : "";
  return `API key ${publicKey}${purpose} (${keyId})`;
}

function remarksOn(subject: Found): string[] {
  if (subject.kind !== "key" || subject.accessListEntries === undefined) return [];
  return [`Access list: ${counted(subject.accessListEntries, "entry", "entries")}.`];
}

const EVERYWHERE = "Everywhere";

function headingOf({ in: place, orgId = "", orgName, isOutside }: Placed): string {
  if (isOutside) return "Not searched, but shown by the roles";
  return place === "service" ? EVERYWHERE : capitalized(organizationText({ orgId, orgName }));
}

/** @param start where or who it is */
function entryText(entry: AccessEntry, start: string): string {
  const { status, roles, expiresAt, isOutside, teamId, teamName, inEachProject, perhapsInEachProject } =
    entry;
  const invited = status === "pending" ? ["invited"] : [];
  const expiry = expiresAt === undefined ? [] : [`expires ${expiresAt}`];
  if (entry.in === "team") return [start, ...invited, ...expiry].join(", ");
  const all = [...invited, ...(roles.length > 0 ? roles : ["no role"]), ...expiry].join(", ");
  if (teamId !== undefined) return `${start}: ${all} through team ${withId(teamName, teamId)}`;
  const below = [
    ...(inEachProject && !isOutside ? ["in every project"] : []),
    ...(perhapsInEachProject ? [`unknown whether ${listed(perhapsInEachProject)} counts in projects`] : []),
  ];
  return `${start}: ${all}${below.length > 0 ? ` (${below.join("; ")})` : ""}`;
}

function placeOf(entry: Placed): string {
  const { orgId, projectId, projectName, teamId, teamName, isOutside } = entry;
  switch (entry.in) {
    case "service":
      return "global roles";
    case "organization":
      return isOutside ? `organization ${orgId}` : "organization";
    case "team":
      return `team ${withId(teamName, teamId)}`;
    case "project":
      return `project ${withId(projectName, projectId)}`;
  }
}

function declaredText(entry: AccessEntry, isCompared: boolean): string {
  const { isOutside, declaration, declaredBy, declaredRoles, areDeclaredRolesUnknown } = entry;
  if (!isCompared || isOutside) return "";
  if (declaredBy === undefined) return " [unknown whether declared]";
  if (declaredBy.length === 0) return " [not declared]";
  const roles = areDeclaredRolesUnknown
    ? " with unknown roles"
    : declaredRoles && ` with other roles: ${listed(declaredRoles)}`;
  const but = declaration === "undeclared" ? ", but not who is in the team" : "";
  return ` [declared by ${declaredBy.map(resourceText).join(", ")}${roles ?? ""}${but}]`;
}

/** The last day, and what became of it. */
function endText({ status, until, endedAt, overdueSince, overdueReason = "" }: AccessEntry): string {
  if (until === undefined) return "";
  const ended = endedAt && timeText(endedAt);
  if (status === "ended") return ` (ended ${ended}, last day ${until})`;
  if (ended !== undefined) return ` (brought back: it ended ${ended}, last day ${until})`;
  if (overdueSince === undefined) return ` (until ${until})`;
  return ` (overdue since ${timeText(overdueSince)}, last day ${until}: ${overdueReason.replace(/\.$/, "")})`;
}

/** Of an access whose events were read, what they show. */
function sinceText({ lastEvent, status }: AccessEntry): string {
  if (lastEvent?.outcome !== "found") return "";
  return ` (${status === "ended" ? "removed " : ""}${eventText(lastEvent)})`;
}

function searchedText({
  orgId,
  orgName,
  projects,
  people,
  teams,
  keys,
  serviceAccounts = 0,
}: Searched): string {
  const counts = [
    counted(projects, "project"),
    ...(people === undefined ? [] : [counted(people, "person", "people")]),
    counted(teams, "team"),
    ...(keys === undefined ? [] : [counted(keys, "API key")]),
    ...(serviceAccounts === 0 ? [] : [counted(serviceAccounts, "service account")]),
  ];
  return `Searched in ${organizationText({ orgId, orgName })}: ${listed(counts)}.`;
}

/** How many people, API keys, service accounts and groups have access; only in a report on all of them. */
function countsText({ name, found, isComplete }: AccessReport): string[] {
  if (name !== undefined) return [];
  const present = found.filter(({ access }) => access.some(({ status }) => status !== "ended"));
  const ends = endsText(found.flatMap(({ access }) => access));
  return [
    [
      `${capitalized(countedHolders(present))} with access.`,
      ...ends,
      ...(isComplete ? [] : [INCOMPLETE]),
    ].join(" "),
  ];
}

function countedHolders(holders: Iterable<Found>): string {
  const byKind: ReadonlyMap<string, readonly Found[]> = Map.groupBy(holders, ({ kind }) => kind);
  const texts = Object.entries(nounsOfHolders).flatMap(([kind, nouns]) => {
    const count = byKind.get(kind)?.length ?? 0;
    return count === 0 ? [] : [counted(count, ...nouns)];
  });
  return texts.length === 0 ? "no one" : listed(texts);
}

function remarks({
  name,
  found,
  stack,
  withGroupMappings,
  notListed,
  notOffered,
  eventsSince,
}: AccessReport): string[] {
  return [
    ...(name === undefined ? [`The report does not show ${listed(notListed)}.`] : []),
    ...(found.length === 0 ? [] : [comparisonText(stack)]),
    ...(eventsSince === undefined
      ? []
      : [
          `Times are those of the latest matching events since ${timeText(eventsSince)}. They are no proof: an earlier event may have given the access.`,
        ]),
    ...mappingsText(name, withGroupMappings),
    ...(notOffered.length === 0 ? [] : [`The service does not offer ${listed(notOffered)}.`]),
  ];
}

/** @param name without it, the report says already that nobody knows who is in a group */
function mappingsText(
  name: string | undefined,
  { organizations, projects }: AccessReport["withGroupMappings"],
): string[] {
  const counts = [
    ...(organizations === 0 ? [] : [counted(organizations, "organization")]),
    ...(projects === 0 ? [] : [counted(projects, "project")]),
  ];
  if (counts.length === 0) return [];
  const where = `Groups of LDAP or of an identity provider have roles in ${listed(counts)}.`;
  const why = "A login may give roles through them, and the API does not show who is in these groups.";
  return [name === undefined ? where : `${where} ${why}`];
}

function comparisonText(stack: string | undefined): string {
  return stack === undefined
    ? "No stack is selected, so it is unknown what is declared."
    : `The declaring resources are those of stack ${stack}.`;
}
