/** List of the provider protocol: the objects that exist, over a real connection to the plugin's service. */
import { credentials, Server, ServerCredentials, type ServiceError, status } from "@grpc/grpc-js";
import { ResourceProviderClient, ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import {
  ConfigureRequest,
  ListRequest,
  type ListResponse,
  ReadRequest,
  type ReadResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { construct } from "../../../projects/construct";
import { createService } from "../../../provider/plugin/service";
import { resourceNamed } from "../../../provider/resources";
import { type ResourceKind, resourceKinds } from "../../../provider/resources/kinds";
import { UNKNOWN_TEXT } from "../../../provider/text/sentinels";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../../sandbox";

const ends: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

interface Page {
  readonly objects: readonly { readonly id: string; readonly name: string }[];
  readonly next: string;
  readonly isComputed: boolean;
}

interface Paging {
  readonly limit?: number;
  readonly pageSize?: number;
  readonly token?: string;
}

type Query = Readonly<Record<string, string>>;

async function connect(options: SandboxOptions = {}) {
  const sandbox = await startSandbox(options);
  ends.push(() => sandbox.close());
  const service = createService(undefined, () => undefined, construct);
  const server = new Server();
  server.addService(ResourceProviderService, service.handlers);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure(), {
    "grpc.enable_http_proxy": 0,
  });
  ends.push(async () => {
    client.close();
    service.close();
    server.forceShutdown();
  });
  const { baseUrl, publicKey, privateKey } = sandbox;
  const settings = Struct.fromJavaScript({ baseUrl, publicKey, privateKey, maxRetries: 0 });
  const urn = "urn:pulumi:test::platform::pulumi:providers:opsmanager::default";
  await new Promise<void>((resolve, reject) => {
    const request = new ConfigureRequest().setUrn(urn).setArgs(settings);
    client.configure(request, (error) => (error ? reject(error) : resolve()));
  });
  return { sandbox, client, list: (...args: ListArguments) => list(client, ...args) };
}

type ListArguments = [kind: ResourceKind, query: Query, paging?: Paging];

function list(client: ResourceProviderClient, ...[kind, query, paging = {}]: ListArguments): Promise<Page> {
  const request = new ListRequest()
    .setToken(`opsmanager:index:${kind}`)
    .setQuery(Struct.fromJavaScript({ ...query }))
    .setLimit(paging.limit ?? 0)
    .setPageSize(paging.pageSize ?? 0)
    .setContinuationToken(paging.token ?? "");
  return new Promise((resolve, reject) => {
    const objects: { id: string; name: string }[] = [];
    let [next, isComputed] = ["", false];
    const stream = client.list(request);
    stream.on("data", (response: ListResponse) => {
      const result = response.getResult();
      if (result) objects.push({ id: result.getId(), name: result.getName() });
      next ||= response.getContinuation()?.getContinuationToken() ?? "";
      isComputed ||= response.hasComputed();
    });
    stream.on("error", reject);
    stream.on("end", () => resolve({ objects, next, isComputed }));
  });
}

/** The ID of the object that an import by this ID finds; empty if there is none. */
function importedId(client: ResourceProviderClient, kind: ResourceKind, id: string): Promise<string> {
  const request = new ReadRequest()
    .setUrn(`urn:pulumi:test::platform::opsmanager:index:${kind}::imported`)
    .setId(id);
  return new Promise((resolve, reject) => {
    client.read(request, (error: ServiceError | null, response: ReadResponse) =>
      error ? reject(error) : resolve(response.getId()),
    );
  });
}

/** A project with a member, an invited person, a team and keys of both kinds, beside another project. */
function fill(sandbox: Sandbox) {
  const { id: projectId } = sandbox.addProject({ name: "payments" });
  const { id: otherId } = sandbox.addProject({ name: "orders" });
  sandbox.setMember(projectId, { username: "ada@example.com" }, ["GROUP_READ_ONLY"]);
  sandbox.setMember(otherId, { username: "eve@example.com" }, ["GROUP_READ_ONLY"]);
  sandbox.addInvitation(projectId, { username: "new@example.com", roles: ["GROUP_READ_ONLY"] });
  const { id: teamId } = sandbox.addTeam({ name: "dba" });
  const { id: unusedId } = sandbox.addTeam({ name: "unused" });
  sandbox.setProjectTeam(projectId, { teamId, roleNames: ["GROUP_OWNER"] });
  sandbox.addAgentKey(projectId, { desc: "backup agents" });
  const { orgId } = sandbox;
  sandbox.addOrgInvitation(orgId, { username: "soon@example.com", roles: ["ORG_MEMBER"] });
  const role = { groupId: projectId, roleName: "GROUP_READ_ONLY" };
  const { id: keyId } = sandbox.addKey({ orgId, desc: "ci", roles: [role] });
  return { projectId, otherId, teamId, unusedId, orgId, keyId };
}

const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);

test("each kind lists what exists, by the ids that an import takes", async () => {
  const { sandbox, client, list } = await connect();
  const { projectId, otherId, teamId, unusedId, orgId, keyId } = fill(sandbox);
  const keys = sandbox.project(projectId)?.agentKeys ?? [];
  expect(keys).toHaveLength(2);
  /** Names by the last parts of the ids. */
  const named = (place: string, names: Readonly<Record<string, string>>) =>
    Object.entries(names).map(([id, name]) => ({ id: `${place}/${id}`, name }));
  const people = (place: string, ...accounts: readonly string[]) =>
    named(place, Object.fromEntries(accounts.map((name) => [`${name}@example.com`, `${name}@example.com`])));
  const inProject: Partial<Record<ResourceKind, readonly { id: string; name: string }[]>> = {
    ProjectMember: people(projectId, "ada", "new"),
    ProjectMembers: [{ id: projectId, name: "payments" }],
    ProjectTeam: named(projectId, { [teamId]: "dba" }),
    AgentApiKey: named(projectId, Object.fromEntries(keys.map(({ id, desc }) => [id, desc]))),
    ProjectApiKey: named(projectId, { [keyId]: "ci" }),
  };
  const inOrganization: typeof inProject = {
    Project: [
      { id: projectId, name: "payments" },
      { id: otherId, name: "orders" },
    ],
    Team: named(orgId, { [teamId]: "dba", [unusedId]: "unused" }),
    ApiKey: named(orgId, { [keyId]: "ci" }),
    OrganizationMember: people(orgId, "ada", "eve", "owner", "soon"),
    Organization: [{ id: orgId, name: "Example Org" }],
  };
  for (const kind of resourceKinds) {
    const selects = Object.keys(resourceNamed(kind).listing.inputs.shape);
    const places = Object.entries({ projectId, orgId }).filter(([place]) => selects.includes(place));
    const query: Query = Object.fromEntries(places);
    const expected = [...(inProject[kind] ?? inOrganization[kind] ?? [])].sort(byId);
    const { objects, next } = await list(kind, query);
    expect({ kind, objects, next }).toEqual({ kind, objects: expected, next: "" });
    for (const { id } of objects) expect(await importedId(client, kind, id)).toBe(id);
  }
});

describe("pages", () => {
  const projects = Array.from({ length: 7 }, (_, index) => ({ name: `project-${index}` }));

  /** The sizes of all pages, and the names in them. */
  async function pages(connection: Awaited<ReturnType<typeof connect>>, paging: Paging) {
    const { sandbox, list } = connection;
    const [sizes, names]: [number[], string[]] = [[], []];
    let token = "";
    do {
      const { objects, next } = await list("Project", { orgId: sandbox.orgId }, { ...paging, token });
      sizes.push(objects.length);
      names.push(...objects.map(({ name }) => name));
      token = next;
    } while (token !== "");
    return { sizes, names };
  }

  test("contain each object once, and end at the limit, which counts the objects of all pages", async () => {
    const connection = await connect({ seed: { projects } });
    const { sizes, names } = await pages(connection, { pageSize: 3 });
    expect([sizes, names.sort()]).toEqual([[3, 3, 1], projects.map(({ name }) => name)]);
    expect((await pages(connection, { pageSize: 3, limit: 5 })).sizes).toEqual([3, 2]);
    expect((await pages(connection, { pageSize: 3, limit: 6 })).sizes).toEqual([3, 3]);
    expect((await pages(connection, { limit: 5 })).sizes).toEqual([5]);
  });

  test("continue after the last object, although it was deleted meanwhile", async () => {
    const { sandbox, list } = await connect({ seed: { projects } });
    const query = { orgId: sandbox.orgId };
    const first = await list("Project", query, { pageSize: 3 });
    sandbox.removeProject(first.objects.at(-1)?.id ?? "");
    const { objects } = await list("Project", query, { token: first.next });
    const all = [...first.objects, ...objects].map(({ name }) => name);
    expect(all.sort()).toEqual(projects.map(({ name }) => name));
  });
});

test("a query that is not known yet has no list", async () => {
  const { list } = await connect();
  expect(await list("Team", { orgId: UNKNOWN_TEXT })).toEqual({ objects: [], next: "", isComputed: true });
});

describe("a list fails", () => {
  const failure = (details: RegExp) =>
    expect.objectContaining({ code: status.FAILED_PRECONDITION, details: expect.stringMatching(details) });

  test.each<{ reason: string; kind: ResourceKind; query: Query; paging?: Paging; details: RegExp }>([
    {
      reason: "without what it needs",
      kind: "ProjectMember",
      query: {},
      details: /^Listing ProjectMember failed: .*projectId/,
    },
    {
      reason: "with a misspelled input",
      kind: "Project",
      query: { orgID: "5f00000000000000000000b1" },
      details: /orgID.*orgId/,
    },
    {
      reason: "with a token of another provider",
      kind: "Project",
      query: {},
      paging: { token: "next" },
      details: /^The continuation token "next" is not one/,
    },
    {
      reason: "if the service rejects it, with the reason",
      kind: "AgentApiKey",
      query: { projectId: "5f0000000000000000000101" },
      details: /^Listing the agent API keys of project 5f0000000000000000000101 failed: /,
    },
  ])("$reason", async ({ kind, query, paging, details }) => {
    const { list } = await connect();
    await expect(list(kind, query, paging)).rejects.toEqual(failure(details));
  });

  test.each([
    { kind: "ProjectMember", unreadable: "/invites", details: /invitations.*403/ },
    { kind: "OrganizationMember", unreadable: "/invites", details: /invitations.*403/ },
    {
      kind: "OrganizationMember",
      unreadable: "/orgs/\\w+/users",
      details: /the people of organization.*403/,
    },
  ] as const)("rather than lack people: $kind, if GET $unreadable is rejected", async (row) => {
    const { sandbox, list } = await connect();
    const { projectId, orgId } = fill(sandbox);
    sandbox.addFault({ method: "GET", pathPattern: row.unreadable, times: 0, fault: { status: 403 } });
    const query: Query = row.kind === "ProjectMember" ? { projectId } : { orgId };
    await expect(list(row.kind, query)).rejects.toEqual(failure(row.details));
  });
});
