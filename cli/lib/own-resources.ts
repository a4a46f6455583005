/**
 * The resources of a stack that are this provider's, of either provider, and how commands treat
 * each kind of them.
 */

import type { FileKindName } from "../../projects/access-files";
import { type Identity, sameName } from "../../provider/access/person";
import { ROLE_TO_SEE_TAGS } from "../../provider/api/hints";
import type { TeamName } from "../../provider/api/teams";
import { resourceNamed } from "../../provider/resources";
import { checkedAs, toProperties } from "../../provider/resources/contract/border";
import { knownTexts } from "../../provider/resources/contract/canonical";
import { recordsIn, textIn } from "../../provider/resources/contract/declared";
import { type RecordedPerson, recordedPeople } from "../../provider/resources/contract/people-outputs";
import { ignoresPart, type PropertyPath } from "../../provider/resources/contract/property-path";
import { propertiesRead } from "../../provider/resources/contract/read-marker";
import { plannedId } from "../../provider/resources/contract/resource";
import { isRecord, type Properties, type Value } from "../../provider/resources/contract/values";
import { isResourceKind, type ResourceKind, resourceKinds } from "../../provider/resources/kinds";
import type { NoticeSubject } from "../../provider/text/notices";
import { OBJECT_ID, splitId } from "../../provider/text/object-id";
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

/** A person of a project or team, as a resource has read them. */
export type PresentPerson = Identity & Pick<RecordedPerson, "username" | "status" | "roles">;

/** A pending invitation, as a resource has recorded it. */
export interface RecordedInvitation {
  readonly invitationId: string;
  /** The name of the person, and the one in the program if that is another. */
  readonly names: readonly string[];
  /** ISO 8601, UTC. */
  readonly expiresAt: string | undefined;
}

/** The properties of a project that give roles to groups. */
export const MAPPINGS = ["ldapGroupMappings", "idpGroupMappings"] as const;
export type MappingProperty = (typeof MAPPINGS)[number];

/** What a resource of a state owns in its project or organization. */
export interface Owned {
  /** It owns the project itself. */
  readonly project?: boolean;
  /** The group mappings of the project that it declares. */
  readonly mappings?: readonly MappingProperty[];
  /** The team of the organization that it owns. */
  readonly team?: TeamName;
  /** The people that it declares: in its team, if it owns one, and otherwise in its project. */
  readonly people?: readonly Identity[];
  /** The people that it declares in its organization. */
  readonly peopleOfOrganization?: readonly Identity[];
  /** IDs of teams that it declares in the project. */
  readonly teams?: readonly string[];
  /** The API keys that it declares in its project or organization, by ID or by public key. */
  readonly keys?: readonly string[];
  /** The state does not show the declared people, because the program keeps them secret. */
  readonly peopleAreSecret?: boolean;
  /** It declares all people of the project or team, except those whom these patterns match. */
  readonly exceptFor?: readonly string[];
  /** Everyone whom the last read found in the project or team. */
  readonly present?: readonly PresentPerson[];
  /** The name of the project. */
  readonly projectName?: string | undefined;
  /** The account that the creation of the project made its owner. */
  readonly appointedOwner?: string | undefined;
}

/** How a property has names of people. */
export type NamesForm = "name" | "list" | "keys";

/** How an input says who has access. */
export type HoldersForm = NamesForm | "mappings";

/** Where a kind has names of people, for `--mask-people`. */
interface NamesOfPeople {
  /** Properties at any depth. */
  readonly properties: Readonly<Record<string, NamesForm>>;
  /** The part of an id that is the name of a person. */
  inId?(id: string): string | undefined;
  /** The part of a logical name that is the name of a person, if files gave the logical name. */
  inLogicalName?(name: string): string | undefined;
}

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

/** How commands treat a kind of resources. The compiler requires an entry for each kind. */
interface KindTreatment {
  /** What `drift --unmanaged` counts as owned, and `access` as declared. */
  owned(id: string, inputs: Properties, outputs: Properties): Owned;
  /** `undefined`: it has none. */
  readonly namesOfPeople: NamesOfPeople | undefined;
  /** What it belongs to in a summary of changes: a project, a team, or an organization itself. */
  readonly belongsTo: "project" | "team" | "organization";
  /** It is itself the project or the team that it belongs to. */
  readonly isContainer: boolean;
  /** The inputs that say who has access through it; none if each creation makes a new holder. */
  readonly holders: Readonly<Record<string, HoldersForm>>;
  /** The pending invitations that it declares, as its last create, update or read recorded them. */
  invitations(outputs: Properties): readonly RecordedInvitation[];
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

const aboutPeople: readonly NoticeSubject[] = ["people", "invitation"];

const treatments: Readonly<Record<ResourceKind, KindTreatment>> = {
  Project: {
    owned: (_id, inputs, outputs) => ({
      project: true,
      mappings: MAPPINGS.filter((property) => inputs[property] !== undefined),
      projectName: textIn(outputs, "name"),
      appointedOwner: textIn(inputs, "projectOwnerId") ?? textIn(outputs, "projectOwnerId"),
    }),
    namesOfPeople: undefined,
    belongsTo: "project",
    isContainer: true,
    holders: { ldapGroupMappings: "mappings", idpGroupMappings: "mappings" },
    invitations: () => [],
    subjects: ["project", "tags"],
    inFile: { of: "projects", path: () => [] },
    // The provider records the declared tags where it cannot read the live ones.
    whyUndetermined: ({ tags }, { tagsVisible }) =>
      tagsVisible === false && tags !== undefined
        ? `The API key may not see tags, so it cannot be determined whether they are as declared. Seeing tags needs ${ROLE_TO_SEE_TAGS}.`
        : undefined,
  },
  ProjectMember: {
    owned: (id, inputs, outputs) => ({
      people: memberIdentities(splitId(id).name, inputs, outputs),
      projectName: textIn(outputs, "groupName"),
    }),
    namesOfPeople: {
      properties: { username: "name", declaredAs: "name", inviterUsername: "name" },
      inId: (id) => splitId(id).name,
      inLogicalName: nameInFile,
    },
    belongsTo: "project",
    isContainer: false,
    holders: { username: "name", userId: "name", invitationId: "name" },
    invitations: invitationIn,
    subjects: aboutPeople,
    inFile: { of: "projects", path: (name) => ["members", name] },
    whyUndetermined: (_, { status }) =>
      status === "unverified"
        ? "The service offers no operation that shows whether the person is in the project."
        : undefined,
  },
  ProjectMembers: {
    owned: (_id, inputs, { memberDetails }) => ({
      people: declaredPeople(inputs, "members", memberDetails),
      peopleAreSecret: isRecord(memberDetails) || [inputs.ignoreUsers].flat().some(isRecord),
      exceptFor: knownTexts(inputs.ignoreUsers),
      present: recordedPeople(memberDetails),
    }),
    namesOfPeople: { properties: { members: "keys", username: "name", declaredAs: "name" } },
    belongsTo: "project",
    isContainer: false,
    holders: { members: "keys" },
    invitations: ({ memberDetails }) => declaredIn(memberDetails).flatMap(invitationIn),
    subjects: aboutPeople,
    inFile: { of: "projects", path: () => [] },
  },
  ProjectTeam: {
    // The id keeps the first team of a name; the output is the team of today.
    owned: (id, _inputs, { teamId }) => ({
      teams: [typeof teamId === "string" ? teamId : splitId(id).name],
    }),
    namesOfPeople: undefined,
    belongsTo: "project",
    isContainer: false,
    holders: { teamId: "name", teamName: "name" },
    invitations: () => [],
    subjects: ["teams"],
    inFile: { of: "projects", path: (name) => ["teams", name] },
  },
  Team: {
    owned: (id, inputs, outputs) => {
      const teamId = textIn(outputs, "teamId") ?? splitId(id).name;
      return {
        team: { teamId, teamName: textIn(outputs, "name") ?? teamId },
        people: declaredPeople(inputs, "usernames", outputs.people),
        // A secret list, or a list with a secret name.
        peopleAreSecret: isRecord(outputs.people) || [inputs.usernames].flat().some(isRecord),
        exceptFor: [],
        present: recordedPeople(outputs.people),
      };
    },
    namesOfPeople: { properties: { usernames: "list", username: "name", declaredAs: "name" } },
    belongsTo: "team",
    isContainer: true,
    holders: { usernames: "list" },
    invitations: () => [],
    subjects: ["organization"],
    inFile: { of: "teams", path: () => [] },
  },
  AgentApiKey: {
    // Agents and other tools create keys of their own, so a key without a resource is normal and
    // never unmanaged.
    owned: () => ({}),
    namesOfPeople: undefined,
    belongsTo: "project",
    isContainer: false,
    holders: {},
    invitations: () => [],
    subjects: ["agent keys"],
    // The service shows a key once, so an import has no key that a program could use.
    inFile: undefined,
  },
  ApiKey: {
    owned: ownedKeys,
    namesOfPeople: undefined,
    belongsTo: "organization",
    isContainer: false,
    holders: {},
    invitations: () => [],
    subjects: ["organization keys"],
    inFile: { of: "organizations", path: (name) => ["apiKeys", name] },
  },
  ProjectApiKey: {
    owned: ownedKeys,
    namesOfPeople: undefined,
    belongsTo: "project",
    isContainer: false,
    holders: { keyId: "name", publicKey: "name" },
    invitations: () => [],
    subjects: ["keys"],
    inFile: { of: "projects", path: (name) => ["apiKeys", name] },
  },
  OrganizationMember: {
    owned: (id, inputs, outputs) => ({
      peopleOfOrganization: memberIdentities(splitId(id).name, inputs, outputs),
    }),
    namesOfPeople: {
      properties: { username: "name", inviterUsername: "name" },
      inId: (id) => splitId(id).name,
      inLogicalName: nameInFile,
    },
    belongsTo: "organization",
    isContainer: false,
    holders: { username: "name" },
    invitations: invitationIn,
    subjects: ["organization people"],
    inFile: { of: "organizations", path: (name) => ["members", name] },
  },
};

/** The key of an ApiKey or a ProjectApiKey. The program may give its public key alone. */
function ownedKeys(id: string, { keyId, publicKey }: Properties): Owned {
  return { keys: knownTexts([splitId(id).name, keyId, publicKey]) };
}

/** Files name a person by key and username: `payments/ada@example.com`. */
export function nameInFile(name: string): string {
  return name.split("/").slice(1).join("/");
}

/** @returns `undefined` for a resource of another package, and for a kind of a later release */
function ownKindOf(type: string): ResourceKind | undefined {
  const kind = kindOf(type);
  return kind !== undefined && isResourceKind(kind) ? kind : undefined;
}

/** @returns `undefined` as for `ownKindOf` */
export function treatmentOf(type: string): KindTreatment | undefined {
  const kind = ownKindOf(type);
  return kind && treatments[kind];
}

/** @returns `undefined` as for `ownKindOf` */
export function resourceOf(type: string) {
  const kind = ownKindOf(type);
  return kind && resourceNamed(kind);
}

/** The pending invitations that a resource declares, by its outputs. */
export function invitationsOf(type: string, outputs: RecordedValues): readonly RecordedInvitation[] {
  return treatmentOf(type)?.invitations(checkedAs<Properties>(outputs)) ?? [];
}

/** The ID of a resource that is only planned; without what is not known yet. */
export function plannedIdOf(type: string, inputs: RecordedValues): string {
  const resource = resourceOf(type);
  return resource === undefined ? "" : plannedId(resource.duties, toProperties(inputs));
}

/** The properties of all kinds that have names of people. */
export const propertiesWithPeople: ReadonlyMap<string, NamesForm> = new Map(
  resourceKinds.flatMap((kind) => Object.entries(treatments[kind].namesOfPeople?.properties ?? {})),
);

/** The type token of the provider plugin. */
export function pluginType(kind: ResourceKind): string {
  return `${PLUGIN}${kind}`;
}

/** The plugin's types of the kinds that files declare. */
export function typesInFiles(): string[] {
  return resourceKinds.filter((kind) => treatments[kind].inFile !== undefined).map(pluginType);
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

/**
 * The person of a ProjectMember or an OrganizationMember. In an exported state, a secret username is
 * an object, so the id of the resource identifies the person. If the state records no account, an ID
 * of Ops Manager may be the ID of an account or of an invitation.
 *
 * @param person the part of the resource's id that names the person
 */
function memberIdentities(person: string, inputs: Properties, outputs: Properties): Identity[] {
  const recorded = identityInState(outputs);
  const userId = recorded.userId ?? textIn(inputs, "userId");
  if (!OBJECT_ID.test(person)) {
    return [{ ...recorded, userId, username: recorded.username ?? person }];
  }
  const invitationId = recorded.invitationId ?? person;
  return userId === undefined
    ? [{ userId: person }, { ...recorded, invitationId }]
    : [{ ...recorded, userId, invitationId }];
}

function identityInState(recorded: Properties): Identity {
  return {
    username: textIn(recorded, "username"),
    userId: textIn(recorded, "userId"),
    invitationId: textIn(recorded, "invitationId"),
  };
}

/** The invitation in the record of one person. */
function invitationIn(person: Properties): RecordedInvitation[] {
  const invitationId = textIn(person, "invitationId");
  if (person.status !== "pending" || invitationId === undefined) return [];
  const names = knownTexts([person.username, person.declaredAs]);
  return [{ invitationId, names, expiresAt: textIn(person, "expiresAt") }];
}

/**
 * A refresh records all people of the project or team. Only those that the last create or update
 * declared count.
 */
function declaredIn(details: Value | undefined): readonly Properties[] {
  return recordsIn(details).filter(({ declared }) => declared === true);
}

/**
 * The people that a list declares. The resource keeps the account that it recorded under a name, so this name
 * identifies no other account. An input counts if it comes from the program and not from a read.
 *
 * @param property lists the people as keys or as texts
 * @param details what the resource recorded of each person
 */
function declaredPeople(
  inputs: Properties,
  property: "members" | "usernames",
  details: Value | undefined,
): Identity[] {
  const recorded = declaredIn(details);
  const isRecorded = (name: string) =>
    recorded.some((person) => sameName(textIn(person, "declaredAs") ?? textIn(person, "username"), name));
  const listed = propertiesRead(inputs).includes(property) ? [] : inputs[property];
  const names = isRecord(listed) ? Object.keys(listed) : knownTexts(listed);
  const others = names.filter((name) => !isRecorded(name)).map((username) => ({ username }));
  return [...recorded.map(identityInState), ...others];
}

interface WithIgnored {
  readonly type: string;
  /** The resource option in the state. The dynamic provider has it among the inputs as well, as the program gives it now. */
  readonly ignoreChanges?: readonly string[] | null | undefined;
  readonly inputs?: RecordedValues | null | undefined;
}

/** Whether the program ignores changes of the list of people that a resource declares. */
export function ignoresPeople({ type, ignoreChanges, inputs }: WithIgnored): boolean {
  const ignores = ignoresPart(knownTexts(inputs?.[IGNORE_CHANGES] ?? ignoreChanges));
  return listsOfPeople(type).some(ignores);
}

/** The inputs of a type that list people. */
export function listsOfPeople(type: string): string[] {
  return Object.entries(treatmentOf(type)?.holders ?? {}).flatMap(([property, form]) =>
    form === "list" || form === "keys" ? [property] : [],
  );
}
