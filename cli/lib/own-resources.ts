/**
 * The resources of a stack that are this provider's, of either provider, and how commands treat
 * each kind of them.
 */

import type { FileKindName } from "../../projects/access-files";
import type { MappingProperty } from "../../provider/access/places";
import { ROLE_TO_SEE_TAGS } from "../../provider/api/hints";
import { resourceNamed } from "../../provider/resources";
import { checkedAs, toProperties } from "../../provider/resources/contract/border";
import { knownTexts } from "../../provider/resources/contract/canonical";
import { recordsIn, textIn } from "../../provider/resources/contract/declared";
import { ignoresPart, type PropertyPath } from "../../provider/resources/contract/property-path";
import { plannedId } from "../../provider/resources/contract/resource";
import type { Properties, Value } from "../../provider/resources/contract/values";
import { isResourceKind, type ResourceKind, resourceKinds } from "../../provider/resources/kinds";
import type { NoticeSubject } from "../../provider/text/notices";
import { splitId } from "../../provider/text/object-id";
import { own } from "../../provider/text/own";
import { IGNORE_CHANGES } from "../../provider/text/sentinels";
import { partsOfUrn } from "../../provider/text/urn";
import type { Step } from "./engine-events";
import type { StateResource } from "./stack-export";

const PLUGIN = "opsmanager:index:";
const DYNAMIC = "pulumi-nodejs:dynamic/opsmanager:";

/** A kind of this release or of a later one; `undefined` for a resource of another package. */
export function kindOf(type: string): string | undefined {
  const prefix = [PLUGIN, DYNAMIC].find((candidate) => type.startsWith(candidate));
  return prefix === undefined ? undefined : type.slice(prefix.length);
}

/** Whether a resource of a state is the provider's, and none of its components. */
export function isOwnResource({ type, custom }: Pick<StateResource, "type" | "custom">): boolean {
  return custom === true && kindOf(type) !== undefined;
}

/** Whether a step is of such a resource. */
export function isOwnStep({ type, old, new: live }: Pick<Step, "type" | "old" | "new">): boolean {
  return isOwnResource({ type, custom: (live ?? old)?.custom });
}

/** The logical name in the program: the last part of the URN, which may itself hold `::`. */
export function logicalName(urn: string): string {
  return partsOfUrn(urn).name;
}

/** How messages name a resource: `payments (Project)` */
export function resourceText(urn: string): string {
  const type = typeOf(urn);
  return `${logicalName(urn)} (${kindOf(type) ?? type})`;
}

/** The resource's own type, without those of its parents. */
export function typeOf(urn: string): string {
  return partsOfUrn(urn).type;
}

type RecordedValues = Readonly<Record<string, unknown>>;

/** A pending invitation, as a resource has recorded it. */
export interface RecordedInvitation {
  readonly invitationId: string;
  /** The name of the person, and the one in the program if that is another. */
  readonly names: readonly string[];
  /** ISO 8601, UTC. */
  readonly expiresAt: string | undefined;
}

export type { MappingProperty };

/** The properties of a project that give roles to groups. */
export const MAPPINGS: readonly MappingProperty[] = ["ldapGroupMappings", "idpGroupMappings"];

/** How a property has names of people. */
export type NamesForm = "name" | "list" | "keys";

/** How an input says who has access. */
export type HoldersForm = NamesForm | "mappings";

/** Where files declare a kind of resources. */
export interface PlaceInFile {
  readonly of: FileKindName;
  /**
   * The path in the file; empty if the file as a whole declares it.
   *
   * @param name the logical name without the key of the file: `ada@example.com`
   */
  path(name: string): PropertyPath;
}

/**
 * What commands know of a kind beside what it says itself: who has access through it, and where. The compiler requires an
 * entry for each kind.
 */
interface KindEntry {
  /** It is itself the project or the team that it belongs to. */
  readonly isContainer?: boolean;
  /** The inputs that say who has access through it, unless they are those that identify it. */
  readonly holders?: Readonly<Record<string, HoldersForm>>;
  /** The output with everyone whom the last read found, if it lists people. */
  readonly found?: "memberDetails" | "people";
  /** The properties that have names of people at any depth, for `--mask-people`. */
  readonly namesOfPeople: Readonly<Record<string, NamesForm>>;
  /** The notices of the provider that concern it. */
  readonly subjects: readonly NoticeSubject[];
  /** Where a file of a folder declares it; `undefined` if none does. `adopt` imports what files declare. */
  readonly inFile: PlaceInFile | undefined;
  /**
   * Why a read does not show whether the object is as declared, although no value differs.
   *
   * @param declared the inputs of the state
   * @param live the outputs of the read
   */
  whyUndetermined?(declared: RecordedValues, live: RecordedValues): string | undefined;
}

/** How commands treat a kind of resources. */
interface KindTreatment extends KindEntry {
  /** What it belongs to in a summary of changes: a project, a team, or an organization itself. */
  readonly belongsTo: "project" | "team" | "organization";
  readonly isContainer: boolean;
  /** The inputs that say who has access through it; none if each creation makes a new holder. */
  readonly holders: Readonly<Record<string, HoldersForm>>;
}

const aboutPeople: readonly NoticeSubject[] = ["people", "invitation"];

const entries: Readonly<Record<ResourceKind, KindEntry>> = {
  Project: {
    namesOfPeople: {},
    isContainer: true,
    holders: { ldapGroupMappings: "mappings", idpGroupMappings: "mappings" },
    subjects: ["project", "tags"],
    inFile: { of: "projects", path: () => [] },
    // The provider records the declared tags where it cannot read the live ones.
    whyUndetermined: ({ tags }, { tagsVisible }) =>
      tagsVisible === false && tags !== undefined
        ? `The API key may not see tags, so it cannot be determined whether they are as declared. Seeing tags needs ${ROLE_TO_SEE_TAGS}.`
        : undefined,
  },
  ProjectMember: {
    namesOfPeople: { username: "name", declaredAs: "name", inviterUsername: "name" },
    subjects: aboutPeople,
    inFile: { of: "projects", path: (name) => ["members", name] },
    whyUndetermined: (_, { status }) =>
      status === "unverified"
        ? "The service offers no operation that shows whether the person is in the project."
        : undefined,
  },
  ProjectMembers: {
    namesOfPeople: { members: "keys", username: "name", declaredAs: "name" },
    holders: { members: "keys" },
    found: "memberDetails",
    subjects: aboutPeople,
    inFile: { of: "projects", path: () => [] },
  },
  ProjectTeam: {
    namesOfPeople: {},
    subjects: ["teams"],
    inFile: { of: "projects", path: (name) => ["teams", name] },
  },
  Team: {
    namesOfPeople: { usernames: "list", username: "name", declaredAs: "name" },
    isContainer: true,
    holders: { usernames: "list" },
    found: "people",
    subjects: ["organization"],
    inFile: { of: "teams", path: () => [] },
  },
  // Agents and other tools create keys of their own, so a key without a resource is normal and never unmanaged.
  AgentApiKey: {
    namesOfPeople: {},
    subjects: ["agent keys"],
    // The service shows a key once, so an import has no key that a program could use.
    inFile: undefined,
  },
  ApiKey: {
    namesOfPeople: {},
    subjects: ["organization keys"],
    inFile: { of: "organizations", path: (name) => ["apiKeys", name] },
  },
  ProjectApiKey: {
    namesOfPeople: {},
    subjects: ["keys"],
    inFile: { of: "projects", path: (name) => ["apiKeys", name] },
  },
  OrganizationMember: {
    namesOfPeople: { username: "name", inviterUsername: "name" },
    subjects: ["organization people"],
    inFile: { of: "organizations", path: (name) => ["members", name] },
  },
  Organization: {
    namesOfPeople: {},
    holders: { ldapGroupMappings: "mappings", idpGroupMappings: "mappings" },
    subjects: ["organization itself"],
    inFile: { of: "organizations", path: () => [] },
  },
};

const treatments = new Map<ResourceKind, KindTreatment>(
  resourceKinds.map((kind) => {
    const [place, ...names] = resourceNamed(kind).duties.identifiedBy;
    const holders = Object.fromEntries(names.map((name) => [name, "name" as const]));
    const inOrganization = names.includes("teamId") ? "team" : "organization";
    const belongsTo = place === "projectId" ? "project" : inOrganization;
    return [kind, { holders, belongsTo, isContainer: false, ...entries[kind] }];
  }),
);

/** Files name a person by key and username: `payments/ada@example.com`. */
export function nameInFile(name: string): string {
  return name.split("/").slice(1).join("/");
}

/** @returns `undefined` for a resource of another package, and for a kind of a later release */
export function ownKindOf(type: string): ResourceKind | undefined {
  const kind = kindOf(type);
  return kind !== undefined && isResourceKind(kind) ? kind : undefined;
}

/** @returns `undefined` as for `ownKindOf` */
export function treatmentOf(type: string): KindTreatment | undefined {
  const kind = ownKindOf(type);
  return kind && treatments.get(kind);
}

/** @returns `undefined` as for `ownKindOf` */
export function resourceOf(type: string) {
  const kind = ownKindOf(type);
  return kind && resourceNamed(kind);
}

/** The pending invitations that a resource declares, as its last create, update or read recorded them. */
export function invitationsOf(type: string, outputs: RecordedValues): readonly RecordedInvitation[] {
  const declared = recordsIn(foundBy(type, outputs)).filter((person) => person.declared === true);
  return [checkedAs<Properties>(outputs), ...declared].flatMap(invitationIn);
}

/** The ID of a resource that is only planned; without what is not known yet. */
export function plannedIdOf(type: string, inputs: RecordedValues): string {
  const resource = resourceOf(type);
  return resource === undefined ? "" : plannedId(resource.duties, toProperties(inputs));
}

/** The properties of all kinds that have names of people. */
export const propertiesWithPeople: ReadonlyMap<string, NamesForm> = new Map(
  resourceKinds.flatMap((kind) => Object.entries(entries[kind].namesOfPeople)),
);

/** The name of the person that a resource is about: the end of its ID. */
export function personInId(type: string, id = ""): string | undefined {
  return isOfPerson(type) ? splitId(id).name : undefined;
}

/** The same by its logical name, if files gave that. */
export function personInName(type: string, name: string): string | undefined {
  return isOfPerson(type) ? nameInFile(name) : undefined;
}

function isOfPerson(type: string): boolean {
  return treatmentOf(type)?.holders.username === "name";
}

/** The type token of the provider plugin. */
export function pluginType(kind: ResourceKind): string {
  return `${PLUGIN}${kind}`;
}

/** The plugin's types of the kinds that files declare. */
export function typesInFiles(): string[] {
  return resourceKinds.filter((kind) => entries[kind].inFile !== undefined).map(pluginType);
}

/** A file of a folder, and the object of the service to which it belongs. */
export interface OwnFile {
  readonly of: FileKindName;
  /** ID of the project, the team or the organization. */
  readonly id: string;
  /** The key of the file. */
  readonly key: string;
}

/** The file that declares a resource of this type, ID and logical name; `undefined` if none declares its kind. */
export function fileOf(type: string, id: string, name: string): OwnFile | undefined {
  const of = treatmentOf(type)?.inFile?.of;
  if (of === undefined) return undefined;
  const parts = splitId(id);
  const object = of === "teams" ? parts.name.toLowerCase() : parts.placeId;
  return { of, id: object, key: name.split("/")[0] ?? "" };
}

function invitationIn(person: Properties): RecordedInvitation[] {
  const invitationId = textIn(person, "invitationId");
  if (person.status !== "pending" || invitationId === undefined) return [];
  const names = knownTexts([person.username, person.declaredAs]);
  return [{ invitationId, names, expiresAt: textIn(person, "expiresAt") }];
}

/** Everyone whom the last read of a list found, as its outputs have them; `undefined` if it is none. */
export function foundBy(type: string, outputs: RecordedValues): Value | undefined {
  const property = treatmentOf(type)?.found;
  return property && own(checkedAs<Properties>(outputs), property);
}

interface WithIgnored {
  readonly type: string;
  /** The resource option in the state. The dynamic provider has it among the inputs as well, as the program gives it now. */
  readonly ignoreChanges?: readonly string[] | null | undefined;
  readonly inputs?: RecordedValues | null | undefined;
}

/** Whether the program ignores changes of a property, or of a part of it. */
export function ignores({ ignoreChanges, inputs }: WithIgnored): (property: string) => boolean {
  return ignoresPart(knownTexts(inputs?.[IGNORE_CHANGES] ?? ignoreChanges));
}

/** Whether the program ignores changes of the list of people that a resource declares. */
export function ignoresPeople(resource: WithIgnored): boolean {
  return listsOfPeople(resource.type).some(ignores(resource));
}

/** The inputs of a type that list people. */
export function listsOfPeople(type: string): string[] {
  return Object.entries(treatmentOf(type)?.holders ?? {}).flatMap(([property, form]) =>
    form === "list" || form === "keys" ? [property] : [],
  );
}
