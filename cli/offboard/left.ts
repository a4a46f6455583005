/** What a person can still reach after the files were changed. Pure. */
import { resolve } from "node:path";
import { ACCESS_FOLDER_TYPE } from "../../provider/component";
import { partsOfUrn } from "../../provider/text/urn";
import { visibleText } from "../../provider/text/visible-text";
import type { Unread } from "../lib/access/reading";
import type { AccessEntry } from "../lib/access/report";
import { organizationText, withId } from "../lib/organization";
import { logicalName, resourceText } from "../lib/own-resources";
import type { StateResource } from "../lib/stack-export";
import { counted } from "../lib/terminal";
import type { Plan } from "./files";

interface EditedFolder {
  readonly folder: string;
  readonly cwd: string;
}

interface CreatedKey {
  readonly publicKey: string;
  readonly description: string | undefined;
  readonly orgId: string;
  readonly orgName: string | undefined;
}

export interface Left {
  /** What the next up does not end. */
  readonly entries: readonly AccessEntry[];
  /** How many ways of access the next up ends. */
  readonly ending: number;
  /** API keys that the person created, and may know. */
  readonly keys: readonly CreatedKey[];
  readonly unknown: readonly Unread[];
  /** Whether groups of LDAP or of an identity provider have roles. */
  readonly hasGroups: boolean;
}

/**
 * Divides the access of a person: what resources of the edited files declare ends with the next up. What comes through
 * a team ends with the membership in the team.
 *
 * @param resources those of the state; `undefined` if it was not read
 * @param read the folder whose files were edited. What other files declare does not end
 */
export function leftAfter(
  access: readonly AccessEntry[],
  { edits, keptKeys }: Plan,
  resources: readonly StateResource[] | undefined,
  read: EditedFolder,
): Pick<Left, "entries" | "ending"> {
  const isKept = (urn: string) =>
    keptKeys === "unknown" || keptKeys.includes(logicalName(urn).split("/")[0] ?? "");
  const isOfFiles = declaredBy(read, resources ?? []);
  const ofFiles = new Set(
    (resources ?? [])
      .map(({ urn }) => urn)
      .filter((urn) => edits.length > 0 && isOfFiles(urn) && !isKept(urn)),
  );
  const ends = ({ declaredBy = [] }: AccessEntry) =>
    declaredBy.length > 0 && declaredBy.every((urn) => ofFiles.has(urn));
  const leaving = new Set(
    access.filter((entry) => entry.in === "team" && ends(entry)).map(({ teamId }) => teamId),
  );
  const isLeft = (entry: AccessEntry) =>
    entry.in === "project" && entry.teamId !== undefined ? !leaving.has(entry.teamId) : !ends(entry);
  const entries = access.filter(isLeft);
  return { entries, ending: access.length - entries.length };
}

/**
 * Whether the component of these files has a resource. The type of its component is part of its URN, but not the name: if
 * another component reads another folder, it is not known which of them has it.
 */
function declaredBy(
  { folder, cwd }: EditedFolder,
  resources: readonly StateResource[],
): (urn: string) => boolean {
  const isRead = resources
    .filter(({ type }) => type === ACCESS_FOLDER_TYPE)
    .every(({ outputs }) => resolve(cwd, String(outputs?.folder ?? folder)) === resolve(cwd, folder));
  return (urn) => isRead && partsOfUrn(urn).types.includes(`${ACCESS_FOLDER_TYPE}$`);
}

export function leftText(name: string, left: Left): string {
  const { entries, ending, keys, unknown, hasGroups } = left;
  const isNothing = entries.length + keys.length + unknown.length === 0;
  const lines = [
    ...(ending > 0 ? [`The next up ends ${counted(ending, "way", "ways")} of access.`] : []),
    ...(isNothing ? [`Nothing else is left of ${name}.`] : []),
    ...section("Left, because the edited files do not declare it:", entries.map(entryText)),
    ...section(
      `API keys that ${name} created, as far as events show, and may know. Rotate or delete them:`,
      keys.map(keyText),
    ),
    ...section(
      "Unknown:",
      unknown.map(({ what, reason }) => `? ${what}: ${reason}`),
    ),
    ...(hasGroups
      ? [
          "Groups of LDAP or of an identity provider have roles here, and a login can give them again. Take the person out of these groups.",
        ]
      : []),
  ];
  return lines.map(visibleText).join("\n");
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)];
}

function keyText({ publicKey, description, ...organization }: CreatedKey): string {
  const purpose = description ? ` ${JSON.stringify(description)}` : "";
  return `API key ${publicKey}${purpose} of ${organizationText(organization)}`;
}

function entryText(entry: AccessEntry): string {
  const { roles, status, declaredBy } = entry;
  const invited = status === "pending" ? ["invited"] : [];
  const what = [...invited, ...roles].join(", ");
  return `${placeText(entry)}${what === "" ? "" : `: ${what}`}. ${howToEnd(entry, declaredBy)}`;
}

function placeText({
  in: place,
  orgId,
  orgName,
  projectId,
  projectName,
  teamId,
  teamName,
}: AccessEntry): string {
  const through = teamId === undefined ? "" : ` through team ${withId(teamName, teamId)}`;
  switch (place) {
    case "service":
      return "global roles";
    case "organization":
      return organizationText({ ...(orgId !== undefined && { orgId }), orgName });
    case "team":
      return `team ${withId(teamName, teamId)}`;
    case "project":
      return `project ${withId(projectName, projectId)}${through}`;
  }
}

/** Whom a reader asks, or what to change. */
function howToEnd({ in: place, isOutside }: AccessEntry, declaredBy: readonly string[] | undefined): string {
  if (place === "service" || isOutside) return "An administrator of the service can end it.";
  if (declaredBy === undefined) return "It is unknown what declares it.";
  if (declaredBy.length > 0) {
    const resources = declaredBy.map(resourceText).join(", ");
    return `Declared by ${resources}: change that.`;
  }
  // Of all versions of Ops Manager, only Cloud Manager offers an operation that removes a member.
  return place === "organization"
    ? "Nothing declares it. Remove the person in the service, whose API may not offer that."
    : "Nothing declares it. Remove the person in the service.";
}
