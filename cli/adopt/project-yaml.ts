/** Writes an existing project as the project file that declares it. */
import { Document, isMap, isScalar, isSeq, visit } from "yaml";
import { inOrder } from "../../provider/resources/contract/values";
import { faultsOfName } from "../../provider/text/names";
import { OBJECT_ID } from "../../provider/text/object-id";
import { hasHidden, visibleText, visibleYaml } from "../../provider/text/visible-text";
import type { LiveKey, LivePerson, LiveTeam, ProjectOutput } from "../lib/organization";

/** A file that will be written. */
export interface NewFile {
  /** Logical name of its resources. */
  readonly key: string;
  /** Name of its file in the folder. */
  readonly file: string;
  readonly project: ProjectOutput;
}

/** A project that gets a file. */
export interface Adoption extends NewFile {
  /**
   * Members and pending invitations; empty if not requested, not readable, or if there are none.
   */
  readonly people: readonly LivePerson[];
  readonly membership: "exclusive" | "additive";
  /** Teams of the project; empty if not requested, not readable, or if there are none. */
  readonly teams: readonly LiveTeam[];
  /** API keys with roles in the project; empty if not requested, not readable, or if there are none. */
  readonly keys: readonly LiveKey[];
}

/** How an adoption does without a property of its file. Such a property is not managed then. */
const omissions = {
  tags: ({ project, ...adoption }: Adoption) => ({ ...adoption, project: { ...project, tags: undefined } }),
  ldapGroupMappings: ({ project, ...adoption }: Adoption) => ({
    ...adoption,
    project: { ...project, ldapGroupMappings: undefined },
  }),
  idpGroupMappings: ({ project, ...adoption }: Adoption) => ({
    ...adoption,
    project: { ...project, idpGroupMappings: undefined },
  }),
  members: (adoption: Adoption) => ({ ...adoption, people: [] }),
  teams: (adoption: Adoption) => ({ ...adoption, teams: [] }),
  apiKeys: (adoption: Adoption) => ({ ...adoption, keys: [] }),
};
type Omissible = keyof typeof omissions;

/** Whether a file may lack the property, and then says nothing wrong about the project. */
export function isOmissible(property: string | undefined): property is Omissible {
  return property !== undefined && Object.hasOwn(omissions, property);
}

export function without(adoption: Adoption, property: Omissible): Adoption {
  return omissions[property](adoption);
}

const header = [
  " Written by `opsmanager adopt` from the existing project. You can edit this file: adopt never replaces it.",
  " Properties that are not in this file are not managed.",
].join("\n");

const defaultsHeader =
  " Written by `opsmanager adopt`. The project files of this folder and its subfolders inherit these values.";

const keyComment = " Name in Pulumi. Do not change it when you rename the file.";
const additiveComment = " Groups add other people. Only the people below are managed.";

/**
 * Formats the file in a fixed order, so two runs write the same text.
 *
 * @param schema path of the JSON Schema for editors, relative to the file, if there is one
 * @param inheritsOrganization the defaults of the folder have the organization
 */
export function projectFileText(
  adoption: Adoption,
  schema: string | undefined,
  inheritsOrganization = false,
): string {
  const document = documentOf(fileContent(adoption, inheritsOrganization), header, schema);
  comment(document.get("key", true), keyComment);
  comment(document.get("membership", true), additiveComment);
  inOneLine(document.get("tags", true));
  for (const property of ["members", "teams", "apiKeys"]) {
    const roles = document.get(property, true);
    if (isMap(roles)) for (const { value } of roles.items) inOneLine(value);
  }
  for (const { publicKey, description } of adoption.keys) {
    // A public key says nothing about its purpose.
    if (description) comment(document.getIn(["apiKeys", publicKey], true), ` ${visibleText(description)}`);
  }
  quoteHidden(document);
  return visibleYaml(document.toString({ lineWidth: 0, flowCollectionPadding: false }));
}

/** The file of defaults of a folder whose projects are of one organization. */
export function defaultsFileText(orgId: string, schema: string | undefined): string {
  return documentOf({ orgId }, defaultsHeader, schema).toString({ lineWidth: 0 });
}

function documentOf(content: object, comment: string, schema: string | undefined): Document {
  // Texts that only YAML 1.1 reads as another type (`NO`, `1:30`) are quoted, because other tools
  // read these files too.
  const document = new Document(content, { compat: "yaml-1.1" });
  const schemaLine = schema === undefined ? "" : ` yaml-language-server: $schema=${schema}\n`;
  document.commentBefore = schemaLine + comment;
  return document;
}

/** A reviewer of the file must see the name that is loaded, so hidden characters are escaped. */
function quoteHidden(document: Document): void {
  visit(document, {
    Scalar(_, scalar) {
      if (typeof scalar.value === "string" && hasHidden(scalar.value)) scalar.type = "QUOTE_DOUBLE";
    },
  });
}

function fileContent(
  { key, project, people, membership, teams, keys }: Adoption,
  inheritsOrganization: boolean,
): Record<string, unknown> {
  const { name, orgId, tags = [], ldapGroupMappings = [], idpGroupMappings = [] } = project;
  return {
    key,
    name,
    ...(!inheritsOrganization && { orgId }),
    ...(tags.length > 0 && { tags: [...tags] }),
    ...(ldapGroupMappings.length > 0 && { ldapGroupMappings }),
    ...(idpGroupMappings.length > 0 && { idpGroupMappings }),
    ...(people.length > 0 && membership === "additive" && { membership }),
    ...(people.length > 0 && { members: memberRoles(people) }),
    ...(teams.length > 0 && { teams: teamRoles(teams) }),
    ...(keys.length > 0 && { apiKeys: keyRoles(keys) }),
  };
}

function memberRoles(people: readonly LivePerson[]): Record<string, readonly string[]> {
  const sorted = [...people].sort((one, other) => inOrder(one.username, other.username));
  return Object.fromEntries(sorted.map(({ username, roles }) => [username, [...roles].sort(inOrder)]));
}

function teamRoles(teams: readonly LiveTeam[]): Record<string, readonly string[]> {
  return Object.fromEntries(teams.map((team) => [teamKey(team), team.roles]));
}

function keyRoles(keys: readonly LiveKey[]): Record<string, readonly string[]> {
  const sorted = [...keys].sort((one, other) => inOrder(one.publicKey, other.publicKey));
  return Object.fromEntries(sorted.map(({ publicKey, roles }) => [publicKey, roles]));
}

/**
 * How a project file names a team: by its name, or by its ID if the service does not show the
 * name, or a file cannot have it. A name in the form of an ID would mean the team with this ID.
 */
export function teamKey({ teamId, name }: LiveTeam): string {
  const isUsable =
    name !== undefined && !OBJECT_ID.test(name) && name !== "<<" && faultsOfName(name).length === 0;
  return isUsable ? name : teamId;
}

function comment(node: unknown, text: string): void {
  if (isScalar(node) || isSeq(node)) node.comment = text;
}

function inOneLine(node: unknown): void {
  if (isSeq(node)) node.flow = true;
}
