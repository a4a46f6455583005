import {
  canCreateIn,
  canRead,
  canSeeTags,
  canWriteTags,
  hasGlobalRole,
  isOwner,
  readableOrg,
  readableProject,
} from "../access";
import { refuse } from "../errors";
import { readIdpMappings, readMappings } from "../facts";
import { isLdapBacked } from "../ldap-people";
import { newOrg, newProject } from "../make";
import type { IdpGroupMapping, LdapGroupMapping, Org, Project } from "../model";
import { page } from "../paging";
import { dropProject, listedProjects, oldestOrgOwner, setProjectRoles } from "../people";
import type { Call, Reply, Route } from "../router";
import { projectView, projectViewWithKey } from "../views";
import { readBody } from "./body";
import { checkMappings, storedMappings } from "./mappings";
import { checkName, readOnlyProjectFields, storedTags } from "./project-fields";

const requestedProject = (call: Call): Project =>
  readableProject(call.world, call.key, call.param("groupId"));

function listProjects(call: Call): Reply {
  const { world, key, query } = call;
  const wanted = query.getAll("tag");
  const hasTag = (project: Project) => (tag: string) =>
    canSeeTags(world, key, project) && project.tags.includes(tag);
  const fits = (project: Project): boolean =>
    wanted.length === 0 ||
    (world.switches.tagFilter === "all" ? wanted.every(hasTag(project)) : wanted.some(hasTag(project)));
  const projects = listedProjects(world).filter((project) => canRead(key, project) && fits(project));
  return page(call, projects, (project) => projectView(call, project));
}

function getProject(call: Call): Reply {
  return { status: 200, body: projectView(call, requestedProject(call)) };
}

function getProjectByName(call: Call): Reply {
  const { world, key } = call;
  const name = call.param("name");
  const [project, another] = world.store.projects.filter((row) => row.name === name && canRead(key, row));
  if (another !== undefined) throw refuse.multipleGroups(name);
  if (project === undefined) {
    throw world.switches.unknownName === "NOT_IN_GROUP"
      ? refuse.notInGroup(name)
      : refuse.groupNameNotFound(name);
  }
  return { status: 200, body: projectViewWithKey(call, project) };
}

interface NewProjectBody {
  readonly name: string;
  readonly orgId: string | undefined;
  readonly withDefaultAlertsSettings: boolean | undefined;
  readonly tags: readonly string[] | undefined;
  readonly ldapGroupMappings: readonly LdapGroupMapping[] | undefined;
  readonly idpGroupMappings: readonly IdpGroupMapping[] | undefined;
}

function readNewProject({ body, world }: Call): NewProjectBody {
  const readOnly = readOnlyProjectFields.filter((field) => field !== "orgId");
  return readBody(body, readOnly, (fields) => ({
    name: fields.required("name", fields.text("name")),
    orgId: fields.text("orgId"),
    withDefaultAlertsSettings: fields.flag("withDefaultAlertsSettings"),
    tags: world.switches.tagsInPost === "refuse" ? undefined : fields.texts("tags"),
    ldapGroupMappings: readMappings(fields),
    idpGroupMappings: readIdpMappings(fields),
  }));
}

/** The organization a new project goes to, if the key may create there; undefined: the service has to make one. */
function targetOrg(call: Call, orgId: string | undefined): Org | undefined {
  const { world, key } = call;
  if (orgId === undefined) {
    if (!hasGlobalRole(key, "GLOBAL_OWNER")) throw refuse.cannotCreateOrg();
    return undefined;
  }
  const org = readableOrg(world, key, orgId);
  if (org.isDeleted) throw refuse.orgNotFound(orgId);
  if (!canCreateIn(key, org.id)) throw refuse.notProjectCreator(org.id);
  return org;
}

/** The owner is the account of `projectOwnerId`, or the organization's oldest owner if there is one. */
function giveOwner(call: Call, project: Project, ownerId: string | null): void {
  const { store } = call.world;
  const owner = ownerId === null ? oldestOrgOwner(store, project.orgId) : store.users.get(ownerId);
  if (owner !== undefined) setProjectRoles(store, owner, project.id, ["GROUP_OWNER"]);
  // A key that may only create projects owns the ones it made; otherwise it could not continue working with them.
  if (!isOwner(call.key, project)) {
    const roles = [...call.key.roles, { groupId: project.id, roleName: "GROUP_OWNER" }];
    if ("publicKey" in call.key) store.keys.put({ ...call.key, roles });
    else store.serviceAccounts.put({ ...call.key, roles });
  }
}

function createProject(call: Call): Reply {
  const { store, clock, switches } = call.world;
  const { name, orgId, withDefaultAlertsSettings, tags, ldapGroupMappings, idpGroupMappings } =
    readNewProject(call);
  const ownerId = call.query.get("projectOwnerId");
  const known = targetOrg(call, orgId);
  if (ownerId !== null && store.users.get(ownerId) === undefined) throw refuse.userNotFound(ownerId);
  if (switches.defaultAlerts === "refuse" && withDefaultAlertsSettings !== false)
    throw refuse.billingUnsupported();
  const mappings = { ldapGroupMappings, idpGroupMappings };
  const isRequired = isLdapBacked(call.world) && switches.ldapMappingsInPost === "required";
  if (ldapGroupMappings === undefined && isRequired)
    throw refuse.ldapRoleMissing(switches.requiredLdapRole || "GROUP_OWNER");
  checkMappings(call.world, mappings, "project");
  const given = tags === undefined ? undefined : storedTags(call.world, tags);
  checkName(call.world, name, known?.id ?? "");
  // Without an orgId the service makes an organization of the project's name, even if there is one already.
  const org = known ?? store.orgs.put(newOrg({ name }));
  const kept = switches.tagsInPost === "store" ? given : undefined;
  const facts = { name, tags: kept, ...storedMappings(call.world, mappings), orgId: org.id };
  const project = store.projects.put(newProject(facts, clock.iso()));
  giveOwner(call, project, ownerId);
  return { status: 201, body: projectViewWithKey({ ...call, key: currentKey(call) }, project) };
}

/** The calling key as it is now; creating a project may have given it a role. */
const currentKey = ({ key, world: { store } }: Call) =>
  ("publicKey" in key ? store.keys.get(key.publicKey) : store.serviceAccounts.get(key.clientId)) ?? key;

interface ProjectPatch {
  readonly name?: string | undefined;
  readonly tags?: string[] | undefined;
  readonly ldapGroupMappings?: LdapGroupMapping[] | undefined;
  readonly idpGroupMappings?: IdpGroupMapping[] | undefined;
}

function readPatch(call: Call, project: Project): ProjectPatch {
  return readBody(call.body, readOnlyProjectFields, (fields) => {
    // An official client sends back what it read: its own id, orgId and agentApiKey have no effect.
    fields.text("agentApiKey");
    const id = fields.text("id");
    const orgId = fields.text("orgId");
    if (id !== undefined && id !== project.id) throw refuse.groupMismatch(id);
    if (orgId !== undefined && orgId !== project.orgId) throw refuse.readOnlyAttribute("orgId");
    return {
      name: fields.text("name"),
      tags: fields.texts("tags"),
      ldapGroupMappings: readMappings(fields),
      idpGroupMappings: readIdpMappings(fields),
    };
  });
}

function isEmpty(patch: ProjectPatch): boolean {
  return Object.values(patch).every((value) => value === undefined);
}

function checkPatch(call: Call, project: Project, patch: ProjectPatch): void {
  const { world, key } = call;
  const { name, tags, ldapGroupMappings, idpGroupMappings } = patch;
  const owns = isOwner(key, project);
  const mapsGroups = ldapGroupMappings !== undefined || idpGroupMappings !== undefined;
  const mayWrite =
    (name === undefined || owns) &&
    (!mapsGroups || owns || hasGlobalRole(key, "GLOBAL_USER_ADMIN")) &&
    (tags === undefined || canWriteTags(world, key, project));
  // An accepted PATCH without any field changes nothing, and still needs the owner.
  if (!mayWrite || (isEmpty(patch) && !owns)) throw refuse.unauthorized();
  if (name !== undefined && name !== project.name) {
    if (world.switches.renaming === "refuse") throw refuse.cannotRename();
    checkName(world, name, project.orgId, project.id);
  }
  checkMappings(world, patch, "project");
}

function updateProject(call: Call): Reply {
  const { store, switches } = call.world;
  const project = requestedProject(call);
  const patch = readPatch(call, project);
  const { name, tags } = patch;
  if (isEmpty(patch) && switches.emptyPatch !== "accept") {
    throw refuse.missingAny(switches.emptyPatch, ["name", "tags", "ldapGroupMappings"]);
  }
  checkPatch(call, project, patch);
  const updated = store.projects.put({
    ...project,
    name: name ?? project.name,
    tags: tags === undefined ? project.tags : storedTags(call.world, tags),
    ...storedMappings(call.world, patch, project),
  });
  const view = switches.agentApiKeyInPatch ? projectViewWithKey : projectView;
  return { status: 200, body: view(call, updated) };
}

function deleteProject(call: Call): Reply {
  const project = requestedProject(call);
  if (!isOwner(call.key, project)) throw refuse.unauthorized();
  if (project.hasBackups) throw refuse.activeBackup(call.world.switches.activeBackupCode);
  const { store, clock, switches } = call.world;
  store.deletedProjects.put({ project, deletedAt: clock.now() });
  dropProject(call.world, project.id);
  return { status: Number(switches.deleteProjectStatus) };
}

/** The sandbox has no clusters, so none is backed up. */
function listBackupConfigs(call: Call): Reply {
  readableProject(call.world, call.key, call.param("groupId"));
  return page(call, [], () => ({}));
}

function getProjectByAgentKey(call: Call): Reply {
  const key = call.param("agentApiKey");
  const project = call.world.store.projects.find(({ agentKeys }) => agentKeys.some((one) => one.key === key));
  if (project === undefined) throw refuse.unauthorized();
  return { status: 200, body: projectView(call, readableProject(call.world, call.key, project.id)) };
}

export const projectRoutes: readonly Route[] = [
  { method: "GET", pattern: "/groups", handle: listProjects },
  { method: "POST", pattern: "/groups", handle: createProject },
  { method: "GET", pattern: "/groups/byName/{name}", handle: getProjectByName },
  { method: "GET", pattern: "/groups/byAgentApiKey/{agentApiKey}", handle: getProjectByAgentKey },
  { method: "GET", pattern: "/groups/{groupId}", handle: getProject },
  { method: "GET", pattern: "/groups/{groupId}/backupConfigs", handle: listBackupConfigs },
  { method: "PATCH", pattern: "/groups/{groupId}", documented: true, handle: updateProject },
  { method: "DELETE", pattern: "/groups/{groupId}", handle: deleteProject },
];
