/** The report for a terminal: who or what was found, where it has access, and what was searched. */
import { capitalized } from "../../provider/text/capitalized";
import { visibleText } from "../../provider/text/visible-text";
import type { AccessEntry, AccessReport, Found, FoundKey, FoundPerson, Searched } from "../lib/access/report";
import { eventText, timeText } from "../lib/last-event";
import { organizationText, withId } from "../lib/organization";
import { resourceText } from "../lib/own-resources";
import { counted, listed, section, styled, type Terminal } from "../lib/terminal";

export type Format = (report: AccessReport, terminal: Pick<Terminal, "hasColors">) => string;

export const text: Format = (report, terminal) => {
  const { found, searched, unknown, stack } = report;
  const isCompared = stack !== undefined;
  const sections = [
    ...(found.length === 0 ? [styled(terminal, "bold", visibleText(notFound(report)))] : []),
    ...countsText(report).map((line) => styled(terminal, "bold", line)),
    ...found.flatMap((subject) => [
      [styled(terminal, "bold", visibleText(titleOf(subject, report))), ...remarksOn(subject)].join("\n"),
      ...[...Map.groupBy(subject.access, headingOf)].flatMap(([heading, entries]) =>
        section(
          terminal,
          visibleText(heading),
          entries.map((entry) =>
            visibleText(
              `  ${entryText(entry)}${declaredText(entry, isCompared)}${endText(entry)}${sinceText(entry)}`,
            ),
          ),
        ),
      ),
    ]),
    [...searched.map(searchedText), ...remarks(report)].map(visibleText).join("\n"),
    ...section(
      terminal,
      "Unknown:",
      [...Map.groupBy(unknown, ({ reason }) => reason)].map(([reason, same]) =>
        visibleText(`  ? ${same.map(({ what }) => what).join(", ")}: ${reason}`),
      ),
    ),
    ...section(
      terminal,
      "Events that could not be read:",
      (report.eventsUnread ?? []).map(({ what, reason }) => visibleText(`  ? ${what}: ${reason}`)),
    ),
  ];
  return `${sections.join("\n\n")}\n`;
};

/** A name that leads nowhere may be a typing error, so this is never called "no access". */
function notFound({ name, isComplete }: AccessReport): string {
  if (name === undefined) return isComplete ? "No one has access." : `No one was found. ${INCOMPLETE}`;
  return isComplete
    ? `No person or API key is named ${name}. Global API keys belong to no organization, so they are not searched.`
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
    [access.filter(({ status }) => status === "pending").length, "pending invitation"],
  ] as const;
  const texts = counts.filter(([count]) => count > 0).map(([count, one]) => counted(count, one));
  const none = isComplete ? "no access" : "no access found";
  const reach = texts.length > 0 ? listed(texts) : active.length > 0 ? "global roles" : none;
  const who =
    subject.kind === "person"
      ? personText(subject)
      : subject.kind === "key"
        ? keyText(subject)
        : `${GROUPS[subject.property]} ${JSON.stringify(subject.name)}`;
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

const GROUPS = { ldapGroupMappings: "LDAP group", idpGroupMappings: "identity provider group" } as const;

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

function headingOf({ in: place, orgId = "", orgName, isOutside }: AccessEntry): string {
  if (isOutside) return "Not searched, but shown by the roles";
  return place === "service" ? "Everywhere" : capitalized(organizationText({ orgId, orgName }));
}

/** Roles of an organization that give access to all of its projects. */
const ROLES_IN_ALL_PROJECTS: readonly string[] = ["ORG_OWNER", "ORG_READ_ONLY"];

function entryText(entry: AccessEntry): string {
  const { status, roles, expiresAt, isOutside, teamId, teamName } = entry;
  const place = placeOf(entry);
  if (entry.in === "team") return place;
  const invited = status === "pending" ? ["invited"] : [];
  const expiry = expiresAt === undefined ? [] : [`expires ${expiresAt}`];
  const all = [...invited, ...(roles.length > 0 ? roles : ["no role"]), ...expiry].join(", ");
  if (teamId !== undefined) return `${place}: ${all} through team ${withId(teamName, teamId)}`;
  const reachesAll = status === "active" && roles.some((role) => ROLES_IN_ALL_PROJECTS.includes(role));
  return `${place}: ${all}${reachesAll && !isOutside ? " (in every project)" : ""}`;
}

function placeOf(entry: AccessEntry): string {
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
  const { in: place, isOutside, declaredBy, declaredRoles, areDeclaredRolesUnknown } = entry;
  if (!isCompared || isOutside || place === "service") return "";
  if (declaredBy === undefined) return " [unknown whether declared]";
  if (declaredBy.length === 0) return " [not declared]";
  const resources = declaredBy.map(resourceText).join(", ");
  if (areDeclaredRolesUnknown) return ` [declared by ${resources} with unknown roles]`;
  if (declaredRoles === undefined) return ` [declared by ${resources}]`;
  return ` [declared by ${resources} with other roles: ${listed(declaredRoles)}]`;
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
function sinceText({ lastEvent }: AccessEntry): string {
  return lastEvent?.outcome === "found" ? ` (${eventText(lastEvent)})` : "";
}

function searchedText({ orgId, orgName, projects, people, teams, keys }: Searched): string {
  const counts = [
    counted(projects, "project"),
    ...(people === undefined ? [] : [counted(people, "person", "people")]),
    counted(teams, "team"),
    ...(keys === undefined ? [] : [counted(keys, "API key")]),
  ];
  return `Searched in ${organizationText({ orgId, orgName })}: ${listed(counts)}.`;
}

/** How many people, API keys and groups have access; only in a report on all of them. */
function countsText({ name, found, isComplete }: AccessReport): string[] {
  if (name !== undefined || found.length === 0) return [];
  const present = found.filter(({ access }) => access.some(({ status }) => status !== "ended"));
  const count = (kind: Found["kind"]) => present.filter((subject) => subject.kind === kind).length;
  const counts = [
    counted(count("person"), "person", "people"),
    counted(count("key"), "API key"),
    counted(count("group"), "group"),
  ];
  const ends = endsText(found.flatMap(({ access }) => access));
  return [
    [`${capitalized(listed(counts))} with access.`, ...ends, ...(isComplete ? [] : [INCOMPLETE])].join(" "),
  ];
}

function remarks({ found, stack, withGroupMappings, notOffered, eventsSince }: AccessReport): string[] {
  return [
    ...(found.length === 0 ? [] : [comparisonText(stack)]),
    ...(eventsSince === undefined
      ? []
      : [
          `Times are those of the latest matching events since ${timeText(eventsSince)}. They are no proof: an earlier event may have given the access.`,
        ]),
    ...mappingsText(withGroupMappings),
    ...(notOffered.length === 0 ? [] : [`The service does not offer ${listed(notOffered)}.`]),
  ];
}

function mappingsText({ organizations, projects }: AccessReport["withGroupMappings"]): string[] {
  const counts = [
    ...(organizations === 0 ? [] : [counted(organizations, "organization")]),
    ...(projects === 0 ? [] : [counted(projects, "project")]),
  ];
  if (counts.length === 0) return [];
  return [
    `Groups of LDAP or of an identity provider have roles in ${listed(counts)}. A login may give roles through them, and the API does not show who is in these groups.`,
  ];
}

function comparisonText(stack: string | undefined): string {
  return stack === undefined
    ? "No stack is selected, so it is unknown what is declared."
    : `The declaring resources are those of stack ${stack}.`;
}
