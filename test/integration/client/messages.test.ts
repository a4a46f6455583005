/** An error contains the operation, the object, the cause and what the user can do next. */
import type { ApiClient } from "../../../provider/api/client";
import { readEvents } from "../../../provider/api/events";
import { getInvitation, sendInvitation } from "../../../provider/api/invitations";
import { listProjectsOfOrganization } from "../../../provider/api/organizations";
import { createProject, deleteProject, getProject, updateProject } from "../../../provider/api/projects";
import type { FaultRule, KeyFacts, Sandbox, SandboxOptions } from "../../../sandbox";
import { clientFactory, failureOf } from "./with-client";

const start = clientFactory();
const unknownId = "5f00000000000000000000a9";

interface Failure {
  readonly options?: SandboxOptions;
  readonly key?: KeyFacts;
  readonly fault?: FaultRule["fault"];
  readonly call: (client: ApiClient, place: { id: string; sandbox: Sandbox }) => Promise<unknown>;
  readonly code?: string;
  readonly texts: readonly string[];
}

const readUnknown: Failure["call"] = (client) => getProject(client, unknownId);
const read: Failure["call"] = (client, { id }) => getProject(client, id);
const patch =
  (fields: Parameters<typeof updateProject>[2]): Failure["call"] =>
  (client, { id }) =>
    updateProject(client, id, fields);
const ofToday = { since: new Date(), mostPages: 1, signal: new AbortController().signal };
/** Roles of a key are roles in the one project. */
const memberOnly = (roleName: string): KeyFacts => ({ roles: [{ roleName }] });

const failures: Record<string, Failure> = {
  "a project that does not exist": {
    call: readUnknown,
    texts: [
      `Reading project ${unknownId} failed: 404 GROUP_NOT_FOUND`,
      "Check the project id. Check that baseUrl",
    ],
  },
  "a project that does not exist, or is hidden": {
    options: { unknownProject: "NOT_IN_GROUP" },
    call: readUnknown,
    texts: ["401 NOT_IN_GROUP", "has no role in that project, or the project does not exist"],
  },
  "a refused key": {
    key: { privateKey: "another" },
    call: read,
    code: "OPSMANAGER_KEY_REFUSED",
    texts: [
      "Reading project {id} failed: 401 You are not authorized for this resource. The service refused API key {publicKey} from the provider's arguments. Possible causes:",
      "the key pair is wrong or was deleted",
      "the key belongs to another service or organization",
      "it has an access list without this machine's address",
      "it lacks the role for this, or the project does not exist",
      "pulumi up --refresh --run-program",
    ],
  },
  "a machine that is not on the access list": {
    key: { ipAllowed: false },
    call: read,
    code: "OPSMANAGER_KEY_REFUSED",
    texts: [
      "403 IP_ADDRESS_NOT_ON_ACCESS_LIST",
      "Add the address above to the access list of API key {publicKey}",
    ],
  },
  "an invitation that the key may not read": {
    key: memberOnly("GROUP_READ_ONLY"),
    call: (client, { id }) => getInvitation(client, id, unknownId),
    texts: [`Reading invitation ${unknownId} to project {id} failed: 401 `, "Project User Admin"],
  },
  "an invitation that is deleted": {
    call: (client, { id }) => getInvitation(client, id, unknownId),
    texts: ["404 INVALID_INVITATION_ID", "The invitation was accepted, has expired or was deleted"],
  },
  "a project that the key may not rename": {
    options: { renaming: "refuse" },
    call: patch({ name: "other" }),
    texts: ["Updating name of project {id} failed: 403 CANNOT_CHANGE_GROUP_NAME", "Grant it Project Owner"],
  },
  "events that the key may not read": {
    options: { events: "refused" },
    call: (client, { id }) => readEvents(client, { projectId: id }, ofToday),
    texts: [
      "Listing the events of project {id} failed: 403 USER_UNAUTHORIZED",
      "The API key {publicKey} needs the role Project Read Only.",
    ],
  },
  "events of an organization that the key may not read": {
    options: { events: "refused" },
    call: (client, { sandbox: { orgId } }) => readEvents(client, { orgId }, ofToday),
    texts: ["403 USER_UNAUTHORIZED", "The API key {publicKey} needs the role Organization Member."],
  },
  "tags that the key may not write": {
    options: { tagsWithoutGlobalRole: "refuse" },
    key: memberOnly("GROUP_OWNER"),
    call: patch({ tags: ["A"] }),
    texts: [
      "Updating tags of project {id} failed: 401 USER_UNAUTHORIZED",
      "Tags require the role Project Automation Admin, in older versions Global Owner",
    ],
  },
  "too many tags, as documented": {
    call: patch({ tags: Array.from("ABCDEFGHIJK") }),
    texts: ["400 TOO_MANY_GROUP_TOKENS", "at most 10 tags"],
  },
  "too many tags, as seen live": {
    options: { tooManyTags: "TOO_MANY_GROUP_TAGS" },
    call: patch({ tags: Array.from("ABCDEFGHIJK") }),
    texts: ["401 TOO_MANY_GROUP_TAGS", "at most 10 tags"],
  },
  "a tag that the service refuses": {
    options: { lowerCaseTags: "refuse" },
    call: patch({ tags: ["a"] }),
    texts: ["400 INVALID_GROUP_TOKEN", "some versions require capitals"],
  },
  "mappings on a service without LDAP": {
    call: patch({ ldapGroupMappings: [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=a"] }] }),
    texts: [
      "400 DISALLOWED_ATTRIBUTE_TURN_ON_LDAP",
      "This service does not use LDAP. Remove ldapGroupMappings",
    ],
  },
  "mappings that lack a role": {
    options: { ldap: true, requiredLdapRole: "GROUP_OWNER" },
    call: patch({ ldapGroupMappings: [{ roleName: "GROUP_READ_ONLY", ldapGroups: ["cn=a"] }] }),
    texts: ["400 MISSING_ROLE_ENTRY_IN_LDAP_MAPPING", "Map GROUP_OWNER to at least one LDAP group"],
  },
  "a name that is taken": {
    call: (client, { sandbox }) => createProject(client, { name: "payments", orgId: sandbox.orgId }),
    texts: [
      'Creating project "payments" in organization {orgId} failed: 409 GROUP_ALREADY_EXISTS',
      "adopt the existing project by its projectId",
    ],
  },
  "an organization that is not there": {
    call: (client) => listProjectsOfOrganization(client, unknownId),
    texts: [`Listing the projects of organization ${unknownId} failed: 404 ORG_NOT_FOUND`, "Check orgId"],
  },
  "a key that may not create": {
    key: memberOnly("GROUP_OWNER"),
    call: (client, { sandbox }) => createProject(client, { name: "orders", orgId: sandbox.orgId }),
    texts: ["401 ", "The API key"],
  },
  "a service without billing": {
    options: { defaultAlerts: "refuse" },
    call: (client, { sandbox }) => createProject(client, { name: "orders", orgId: sandbox.orgId }),
    texts: ["401 BILLING_UNSUPPORTED", "Set withDefaultAlertsSettings to false"],
  },
  "a project with backups": {
    call: (client, { id, sandbox }) => {
      sandbox.changeProject(id, { hasBackups: true });
      return deleteProject(client, id);
    },
    texts: [
      "Deleting project {id} failed: 409 CANNOT_CLOSE_GROUP_ACTIVE_BACKUP",
      'set onDestroy to "release"',
    ],
  },
  "an operation that this service does not have": {
    options: { onlyDocumented: true },
    call: read,
    texts: [
      "Reading project {id} failed: 404",
      "no such operation or no such object. Check baseUrl ({baseUrl})",
    ],
  },
  "an id that is none": {
    call: (client) => getProject(client, "payments"),
    texts: ["Reading project payments failed: 404 INVALID_GROUP_ID", "24 hexadecimal digits"],
  },
  "a limit on requests": {
    fault: { status: 429 },
    call: read,
    texts: ["429 RATE_LIMITED", "Set requestsPerSecond or a lower maxConcurrentRequests"],
  },
  "a fault of the service": {
    fault: { status: 500 },
    call: read,
    texts: ["500 UNEXPECTED_ERROR", "The service failed internally"],
  },
  "a service that is being upgraded": {
    fault: { status: 405, body: { error: 405, errorCode: "WRITES_NOT_ALLOWED_DURING_APP_UPGRADES" } },
    call: patch({ name: "other" }),
    texts: ["405 WRITES_NOT_ALLOWED_DURING_APP_UPGRADES", "Run the command again after the upgrade"],
  },
  "an unknown code of this kind": {
    fault: { status: 403, body: { error: 403, errorCode: "NOT_SOMETHING_NEW" } },
    call: read,
    texts: ["403 NOT_SOMETHING_NEW", "The API key {publicKey} lacks a role for this."],
  },
  "a code that is a name of Object.prototype": {
    fault: { status: 400, body: { error: 400, errorCode: "constructor", detail: "Odd." } },
    call: read,
    texts: ["Reading project {id} failed: 400 constructor Odd."],
  },
  "an operation that the service does not know": {
    fault: { status: 404, body: { error: 404, errorCode: "RESOURCE_NOT_FOUND" } },
    call: read,
    texts: ["404 RESOURCE_NOT_FOUND", "The service has no such operation or no such object. Check baseUrl"],
  },
  "a service that takes its people from LDAP": {
    fault: { status: 403, body: { error: 403, errorCode: "INVITATION_ONLY_MODE_OR_LDAP" } },
    call: (client, { id }) =>
      sendInvitation(client, id, { username: "ada@example.com", roles: ["GROUP_OWNER"] }),
    texts: [
      "403 INVITATION_ONLY_MODE_OR_LDAP",
      "add the person to a group in the project's ldapGroupMappings",
    ],
  },
  "an Atlas project": {
    fault: { status: 404, body: { error: 404, errorCode: "ATLAS_GROUP" } },
    call: read,
    texts: ["404 ATLAS_GROUP", "This is an Atlas project"],
  },
};

test.each(Object.entries(failures))("of %s", async (_, { options, key, fault, call, code, texts }) => {
  const { sandbox } = await start.sandbox(options);
  const { id } = sandbox.addProject({ name: "payments" });
  const { baseUrl, orgId, publicKey } = sandbox;
  if (fault) sandbox.addFault({ fault });
  const roles = key?.roles?.map(({ roleName }) => ({ groupId: id, roleName }));
  const used = key ? sandbox.addKey({ roles: [], ...key, ...(roles ? { roles } : {}) }) : sandbox;
  const privateKey = key?.privateKey ? "not-this-one" : used.privateKey;
  const { client } = start.client({ baseUrl, publicKey: used.publicKey, privateKey });

  const error = await failureOf(call(client, { id, sandbox }));

  const values: Record<string, string> = { id, baseUrl, orgId, publicKey: key ? used.publicKey : publicKey };
  const expected = texts.map((part) =>
    part.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole),
  );
  for (const part of expected) expect(error.message).toContain(part);
  expect(error.code).toBe(code ?? "OPSMANAGER_API");
  expect(error.message).toMatch(/\.$/);
});
