/** Reads what the service has of each kind of files, and plans which of it gets a new one. */
import type { DeclaredFile } from "../../projects/declared-file";
import type { OrganizationFile } from "../../projects/organization-file";
import type { ProjectFile } from "../../projects/project-file";
import type { TeamFile } from "../../projects/team-file";
import type { ApiClient } from "../../provider/api/client";
import { getOrganization } from "../../provider/api/organizations";
import type { ResourceKind } from "../../provider/resources/kinds";
import { toLive } from "../../provider/resources/organization/inputs";
import { joinId } from "../../provider/text/object-id";
import { orReason, reportedElsewhere } from "../lib/access/reading";
import {
  completeProjects,
  type ProjectOutput,
  readAccessLists,
  readKeysOfOrganization,
  readPeopleOfOrganization,
  readPeopleOfTeams,
  readTeamsOfOrganization,
} from "../lib/organization";
import { withProgress } from "../lib/progress";
import { type ListGap, projectLists, readProjectLists, type WantedLists } from "../lib/project-access";
import type { Terminal } from "../lib/terminal";
import type { ExistingFolder } from "./existing";
import { type Access, type AccessKey, type AdoptedObject, type NewFile, objectOfProject } from "./objects";
import type { AdoptOptions } from "./options";
import {
  type DeclaredObject,
  declaredObjects,
  type Existing,
  filesWithoutObject,
  type Plan,
  planFiles,
} from "./plan";
import { chosen } from "./selection";

export interface Run {
  readonly client: ApiClient;
  readonly options: AdoptOptions;
  readonly existing: ExistingFolder;
  readonly terminal: Terminal;
  /** The organization, in lower case. */
  readonly orgId: string;
  /** The stack whose state was read, if one was. */
  readonly stack: string | undefined;
}

/** A list that could not be read, and what this leaves out. */
export interface Unread {
  /** `people of project "payments"` */
  readonly what: string;
  readonly reason: string;
  /** A property of the new file, the file itself, new files of the list, or entries of the import list. */
  readonly without: { readonly property: string } | "its file" | "new files" | "entries";
}

export interface FoundOfKind<File extends DeclaredFile = DeclaredFile> {
  readonly plan: Plan;
  /** How many objects the options chose. */
  readonly chosen: number;
  /** Existing files whose object the organization does not show. */
  readonly gone: readonly DeclaredFile[];
  /** The new files, with all that is known of their objects. */
  readonly files: readonly NewFile[];
  /** Who has access to an object, as its new file will declare. */
  accessOf(object: AdoptedObject): Access;
  readonly declared: readonly DeclaredObject<File>[];
  /** Who has access to an object whose file exists. */
  liveOf(object: AdoptedObject): Access;
  readonly unread: readonly Unread[];
}

export async function findProjects(
  { client, options, existing, terminal, orgId }: Run,
  projects: readonly ProjectOutput[],
): Promise<FoundOfKind<ProjectFile>> {
  const { stop: signal } = terminal;
  const complete = completeProjects(client, { orgId: options.org?.toLowerCase(), signal });
  const selected = await chosen(projects, options, complete);
  const all = projects.map(objectOfProject);
  const plan = planFiles(selected.map(objectOfProject), all, existing.projects);
  const declared = declaredObjects(all, existing.projects);
  // Only the projects that get a file are read again.
  const isNew = new Set(plan.files.map(({ object }) => object.id));
  const completed = await complete(projects.filter(({ projectId }) => isNew.has(projectId)));
  const facts = new Map(completed.map((project) => [project.projectId, objectOfProject(project)]));
  const files = plan.files.map((file) => ({ ...file, object: facts.get(file.object.id) ?? file.object }));
  const projectOf = new Map(projects.map((project) => [project.projectId, project]));
  const listed = ({ id }: AdoptedObject) => projectOf.get(id) ?? [];
  const unheld = unreadAccess(declared, existing.projects);
  const { liveOf, unreadable } = await readAccess(client, terminal, {
    people: [...(options.members ? completed : []), ...unheld.people.flatMap(listed)],
    teams: [...(options.teams ? completed : []), ...unheld.teams.flatMap(listed)],
    keys: [...(options.keys ? completed : []), ...unheld.keys.flatMap(listed)],
    // No file has service accounts, and the project itself has its groups.
    serviceAccounts: [],
    groups: [],
  });
  return {
    plan,
    chosen: selected.length,
    gone: filesWithoutObject(all, existing.projects, orgId),
    files,
    accessOf: (object) => {
      const access = liveOf(object);
      return { ...access, keys: access.keys?.filter(({ publicKey }) => publicKey !== client.publicKey) };
    },
    declared,
    liveOf,
    unread: unreadable.map(({ list, projectId, projectName, reason }) => ({
      what: `${projectLists[list].noun} of project "${projectName}"`,
      reason,
      without: isNew.has(projectId) ? { property: projectLists[list].property } : "entries",
    })),
  };
}

/** The projects whose people, teams and keys must be read to know which entries of their files exist. */
export function unreadAccess(
  declared: readonly DeclaredObject<ProjectFile>[],
  { holdings }: Pick<Existing, "holdings">,
) {
  const missing = (kind: ResourceKind, namesOf: (file: ProjectFile) => object | undefined) =>
    declared
      .filter(({ file }) =>
        Object.keys(namesOf(file) ?? {}).some((name) => !holdings.has(kind, `${file.key}/${name}`)),
      )
      .map(({ object }) => object);
  return {
    people: missing("ProjectMember", ({ membership, members }) =>
      membership === "additive" ? members : undefined,
    ),
    teams: missing("ProjectTeam", ({ teams, externalTeams }) => ({ ...teams, ...externalTeams })),
    keys: missing("ProjectApiKey", ({ apiKeys, externalApiKeys }) => ({ ...apiKeys, ...externalApiKeys })),
  };
}

/** Reads the people, the teams and the API keys of projects. */
async function readAccess(client: ApiClient, terminal: Terminal, wanted: WantedLists) {
  return withProgress(terminal, "projects read", async (report) => {
    const gaps: ListGap[] = [];
    const read = await readProjectLists(client, wanted, {
      signal: terminal.stop,
      onProgress: report,
      // A file without the invited people would revoke their invitations.
      isStrict: true,
      isOneSample: true,
    });
    const of = read.take((gap) => gaps.push(gap));
    // What is not offered gives no one access.
    return {
      liveOf: ({ id }: AdoptedObject): Access => of(id),
      unreadable: gaps.filter(({ why }) => why === "unread"),
    };
  });
}

export async function findTeams(run: Run): Promise<FoundOfKind<TeamFile>> {
  const { client, options, existing, terminal, orgId } = run;
  const isAdopted = options.isWhole && options.teams === true;
  const isWanted = isAdopted || existing.teams.files.length > 0;
  const teams = isWanted
    ? await listOr(run, "teams", () => readTeamsOfOrganization(client, orgId, { signal: terminal.stop }))
    : notRead;
  const all = teams.list.map(({ id, name }): AdoptedObject => ({ id: id.toLowerCase(), name, orgId }));
  const plan = planFiles(isAdopted ? all : [], all, existing.teams);
  const { people, unread } = await peopleOfTeams(run, plan.files);
  return {
    plan,
    chosen: isAdopted ? all.length : 0,
    gone: teams.failed.length > 0 ? [] : filesWithoutObject(all, existing.teams, orgId),
    files: plan.files.filter(({ object }) => people.has(object.id)),
    accessOf: ({ id }) => ({ people: people.get(id) }),
    declared: declaredObjects(all, existing.teams),
    liveOf: () => ({}),
    unread: [
      ...teams.failed.map((each): Unread => ({ ...each, without: isAdopted ? "new files" : "entries" })),
      ...unread,
    ],
  };
}

async function peopleOfTeams({ client, terminal, orgId }: Run, files: readonly NewFile[]) {
  const teams = files.map(({ object: { id, name } }) => ({ teamId: id, teamName: name }));
  const read = await withProgress(terminal, "teams read", (report) =>
    readPeopleOfTeams(client, orgId, teams, {
      signal: terminal.stop,
      onProgress: (done) => report(done, teams.length),
    }),
  );
  const person = ({ username }: { readonly username: string }) =>
    ({ username, status: "active", roles: [] }) as const;
  const unread: Unread[] = [];
  const found = read.take(({ of: { teamName }, reason }) =>
    unread.push({ what: `people of team ${JSON.stringify(teamName)}`, reason, without: "its file" }),
  );
  return { people: new Map([...found].map(([{ teamId }, users]) => [teamId, users.map(person)])), unread };
}

interface FoundOrganization extends FoundOfKind<OrganizationFile> {
  /** People and keys that another resource of the stack declares. */
  readonly elsewhere: readonly { readonly what: string; readonly urn: string }[];
  /** Everyone whom the options chose is in the new file, unless a file cannot declare them. */
  readonly isWhole: boolean;
}

/** The file of an organization has its people and keys, and with the people the groups that have roles in it. */
export async function findOrganization(run: Run): Promise<FoundOrganization> {
  const { options, existing, orgId } = run;
  const isAdopted = options.isWhole && (options.members === true || options.keys === true);
  const { people, keys } = await organizationLists(run);
  const itself = isAdopted ? await organizationItself(run) : undefined;
  const declarer = existing.holdings.declarer("Organization", orgId);
  const object: AdoptedObject = {
    ...{ id: orgId, name: itself?.name ?? "", orgId },
    ...(options.members === true && declarer === undefined && itself),
  };
  const plan = planFiles(isAdopted ? [object] : [], [object], existing.organizations);
  const isNew = plan.files.length > 0;
  const live: Access = { people: people.list, keys: keys.list };
  const own = isNew ? ofNewFile(run, live) : { access: {}, elsewhere: [] };
  const complete = await withAccessLists(run, own.access);
  const lost = ({ failed }: Pick<OrganizationList<never>, "failed">, property: string) =>
    failed.map((each): Unread => ({ ...each, without: isNew ? { property } : "entries" }));
  const unread = [...lost(people, "members"), ...lost(keys, "apiKeys")];
  return {
    plan,
    chosen: isAdopted ? 1 : 0,
    gone: [],
    files: plan.files,
    accessOf: () => complete.access,
    declared: declaredObjects([object], existing.organizations),
    liveOf: () => live,
    unread: [...unread, ...complete.unread],
    elsewhere: own.elsewhere,
    isWhole: unread.length === 0 && own.elsewhere.length === 0,
  };
}

/** Its name and group mappings; `undefined` if it cannot be read. */
async function organizationItself({ client, terminal: { stop }, orgId }: Run) {
  const read = await orReason(getOrganization(client, orgId, stop), stop);
  const shown = read.take(reportedElsewhere);
  return shown && toLive(shown);
}

/** The people and keys of the organization, as far as a new or an existing file has them. */
async function organizationLists(run: Run) {
  const { client, options, existing, terminal, orgId } = run;
  const { stop: signal } = terminal;
  const { files } = existing.organizations;
  const isWanted = (option: boolean | undefined, isDeclared: boolean) =>
    (options.isWhole && option === true) || isDeclared;
  return {
    people: isWanted(
      options.members,
      files.some(({ file }) => file.members),
    )
      ? await listOr(run, "people", () => readPeopleOfOrganization(client, orgId, { signal }))
      : notRead,
    keys: isWanted(
      options.keys,
      files.some(({ file }) => file.apiKeys),
    )
      ? await listOr(run, "API keys", () => readKeysOfOrganization(client, orgId, { signal }))
      : notRead,
  };
}

/** Whom and which keys the new file of an organization has. */
function ofNewFile(
  { client, options, existing: { holdings }, orgId }: Run,
  { people = [], keys = [] }: Access,
): Pick<FoundOrganization, "elsewhere"> & { readonly access: Access } {
  const wantedPeople = people
    .filter(() => options.members === true)
    .filter(({ roles }) => roles.some((role) => options.everyone === true || role !== "ORG_MEMBER"))
    .map((person) => ({
      person,
      what: JSON.stringify(person.username),
      urn: holdings.declarer("OrganizationMember", joinId(orgId, person.username)),
    }));
  const wantedKeys = keys
    .filter(({ publicKey }) => options.keys === true && publicKey !== client.publicKey)
    .filter(({ roles }) => roles.length > 0)
    .map((key) => ({
      key,
      what: `API key ${key.publicKey}`,
      urn: holdings.declarer("ApiKey", joinId(orgId, key.keyId)),
    }));
  return {
    access: {
      people: wantedPeople.filter(({ urn }) => urn === undefined).map(({ person }) => person),
      keys: wantedKeys.filter(({ urn }) => urn === undefined).map(({ key }) => key),
    },
    elsewhere: [...wantedPeople, ...wantedKeys].flatMap(({ what, urn }) =>
      urn === undefined ? [] : [{ what, urn }],
    ),
  };
}

/** A key whose list cannot be read has none in its file: then it is not managed. */
async function withAccessLists(
  { client, terminal, orgId }: Run,
  { people, keys = [] }: Access,
): Promise<{ readonly access: Access; readonly unread: readonly Unread[] }> {
  const lists = await withProgress(terminal, "API keys read", (report) =>
    readAccessLists(client, orgId, keys, {
      signal: terminal.stop,
      onProgress: (done) => report(done, keys.length),
    }),
  );
  const unread: Unread[] = [];
  const found = lists.take(({ of: { publicKey }, reason }) =>
    unread.push({
      what: `access list of API key ${publicKey}`,
      reason,
      without: { property: "accessList" },
    }),
  );
  return {
    access: { people, keys: keys.map((key): AccessKey => ({ ...key, accessList: found.get(key) })) },
    unread,
  };
}

interface OrganizationList<T> {
  readonly list: readonly T[];
  /** Why there is no list. */
  readonly failed: readonly Pick<Unread, "what" | "reason">[];
}

const notRead = { list: [], failed: [] };

/** A list of the organization, or why it cannot be read: everything else is written. */
async function listOr<T>(
  { orgId, terminal: { stop } }: Pick<Run, "orgId" | "terminal">,
  what: string,
  read: () => Promise<readonly T[]>,
): Promise<OrganizationList<T>> {
  const failed: Pick<Unread, "what" | "reason">[] = [];
  const list = (await orReason(read(), stop)).take((reason) =>
    failed.push({ what: `${what} of organization ${orgId}`, reason }),
  );
  return { list: list ?? [], failed };
}
