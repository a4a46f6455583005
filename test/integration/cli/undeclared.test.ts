/** People and teams of managed projects that no resource declares, read from the sandbox. */
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { declarersToRead, findUndeclared } from "../../../cli/drift/find-undeclared";
import { text } from "../../../cli/drift/formats/text";
import { reportOn } from "../../../cli/drift/index";
import { withEarlier } from "../../../cli/drift/previous";
import { documentOf } from "../../../cli/drift/report/document";
import { UNMANAGED_UNKNOWN } from "../../../cli/drift/report/model";
import { findBeside } from "../../../cli/drift/search";
import { Ownership } from "../../../cli/lib/ownership";
import { clientFactory } from "../client/with-client";

const start = clientFactory();
const owner = ["GROUP_OWNER"];
const reader = ["GROUP_READ_ONLY"];

/** A project with an owner and a reader, an invited owner, and two teams; olga is declared. */
async function setup(kind: "ProjectMember" | "ProjectMembers") {
  const { sandbox, client } = await start.sandbox({
    seed: {
      projects: [
        {
          name: "payments",
          members: { "olga@example.com": owner, "ada@example.com": reader },
          invitations: [{ username: "mallory@example.com", roles: owner }],
        },
      ],
    },
  });
  const projectId = sandbox.state.projects[0]?.id ?? "";
  const team = (name: string, roles: string[]) => {
    const { id } = sandbox.addTeam({ name });
    sandbox.setProjectTeam(projectId, { teamId: id, roleNames: roles });
    return id;
  };
  const [admins, viewers] = [team("admins", owner), team("viewers", reader)];
  const resource = (name: string, type: string, id: string) => ({
    urn: `urn:pulumi:test::platform::opsmanager:index:${type}::${name}`,
    type: `opsmanager:index:${type}`,
    stack: "test",
    id,
    inputs: {},
    outputs: { orgId: sandbox.orgId, groupName: "payments" },
    isRead: true,
  });
  const people = resource(
    "people",
    kind,
    kind === "ProjectMember" ? `${projectId}/olga@example.com` : projectId,
  );
  const find = async (more: readonly ReturnType<typeof resource>[] = [], planned = more.slice(0, 0)) => {
    const owners = new Ownership([people, ...more]);
    const declared = { owners, planned: new Ownership(planned), comparison: "program" } as const;
    sandbox.clearRequests();
    const signal = new AbortController().signal;
    const search = { declared, client, ownKeys: new Set([client.publicKey ?? ""]), signal };
    const result = await findUndeclared(search, declarersToRead(owners, "test"));
    return { ...result, properties: result.findings.map(({ property }) => property) };
  };
  return { sandbox, projectId, admins, viewers, resource, people, find };
}

it("beside a ProjectMember, only owners are undeclared: members, invited people and teams", async () => {
  const { find } = await setup("ProjectMember");
  const { findings, properties, undetermined } = await find();
  expect(properties).toEqual(['members["mallory@example.com"]', "teams.admins"]);
  expect(findings[0]).toMatchObject({
    name: "people",
    stack: "test",
    kind: "undeclared",
    live: owner,
    object: { status: "pending", containerName: "payments" },
  });
  expect(undetermined).toEqual([]);
});

it("beside a ProjectMember, a resource of the stack or of the program declares an owner", async () => {
  const { find, resource, projectId, admins } = await setup("ProjectMember");
  const mallory = resource("mallory", "ProjectMember", `${projectId}/mallory@example.com`);
  const team = resource("admins", "ProjectTeam", `${projectId}/${admins}`);
  expect((await find([mallory, team])).properties).toEqual([]);
  const byName = resource("admins", "ProjectTeam", `${projectId}/admins`);
  expect((await find([], [mallory, byName])).properties).toEqual([]);
});

it("in a project with ProjectMembers, each team without a resource is undeclared", async () => {
  const { find, resource, sandbox, projectId, viewers } = await setup("ProjectMembers");
  expect((await find()).properties).toEqual(["teams.admins", "teams.viewers"]);
  const requests = sandbox.requests.filter(({ status }) => status === 200).map(({ path }) => path);
  const listed = requests.map((path) => path.replace(/^.*v1.0/, "").replaceAll(/\/[0-9a-f]{24}/g, ""));
  expect(listed).toEqual([
    "/groups/teams",
    "/orgs/teams",
    "/groups/apiKeys",
    "/groups",
    "/orgs/teams/users",
    "/orgs/invites",
  ]);
  const team = resource("viewers", "ProjectTeam", `${projectId}/${viewers}`);
  expect((await find([team])).properties).toEqual(["teams.admins"]);
});

it("a resource is undetermined if the teams or the people of its project cannot be read", async () => {
  const { find, sandbox } = await setup("ProjectMember");
  sandbox.addFault({ pathPattern: "/groups/[0-9a-f]+/(teams|users)", fault: { status: 403 }, times: 0 });
  const { findings, undetermined } = await find();
  expect(findings).toEqual([]);
  expect(undetermined).toMatchObject([
    {
      what: expect.stringMatching(/::people$/),
      stack: "test",
      reason: expect.stringMatching(/^The teams of project/),
    },
    {
      what: expect.stringMatching(/::people$/),
      stack: "test",
      reason: expect.stringMatching(/^The people of project/),
    },
  ]);
});

describe("if another stack cannot be read", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "opsmanager-undeclared-"));
    await writeFile(join(folder, "Pulumi.yaml"), "name: platform\nruntime: nodejs\n");
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** A script stands in for `pulumi`. It prints the settings of the stack `test` alone. */
  async function terminalFor({
    baseUrl,
    publicKey,
    privateKey,
  }: Awaited<ReturnType<typeof setup>>["sandbox"]) {
    const settings = { baseUrl, publicKey, privateKey };
    const config = Object.entries(settings).map(([name, value]) => [`opsmanager:${name}`, { value }]);
    const file = join(folder, "pulumi");
    await writeFile(
      file,
      `#!${process.execPath}
if (!process.argv.includes("test")) process.exit(255);
console.log(${JSON.stringify(JSON.stringify(Object.fromEntries(config)))});
`,
    );
    await chmod(file, 0o755);
    const streams = { stdout: () => {}, stderr: () => {}, isWatched: false, hasColors: false, columns: 80 };
    const env = { PATH: [folder, process.env.PATH].join(delimiter) };
    return { ...streams, env, cwd: folder, stop: new AbortController().signal };
  }

  const options = { orgIds: [], comparison: "program", isUnmanagedWanted: false } as const;

  it("without a state, what the earlier report has is not checked, and the report contains why", async () => {
    const { sandbox, people, find } = await setup("ProjectMembers");
    const earlier = reportOn([], [], {
      generatedAt: "2026-03-01T06:00:00.000Z",
      beside: await find(),
    });
    const organization = "urn:pulumi:test::platform::opsmanager:index:OrganizationFile::acme";
    const complete = [{ urn: organization, stack: "test", orgId: sandbox.orgId }];
    const stacks = new Map([
      ["test", { inStack: [people], planned: [], complete }],
      ["nope", undefined],
    ]);
    const beside = await findBeside(await terminalFor(sandbox), {
      stacks,
      ...options,
      isUnmanagedWanted: true,
    });
    const state = {
      stack: "test",
      project: "platform",
      resources: [],
      replaced: [],
      pending: [],
      components: [],
      isShared: false,
    };
    const checked = [{ state, findings: [], undetermined: [] }];
    const report = reportOn(checked, [], { generatedAt: "2026-03-02T06:00:00.000Z", beside });
    expect(report.unreadable).toEqual([
      {
        what: people.urn,
        reason: "The state of nope could not be read, so the undeclared people and teams are unknown.",
        stack: "test",
      },
      {
        what: organization,
        reason: "The state of nope could not be read, so the undeclared owners are unknown.",
        stack: "test",
      },
      {
        what: "unmanaged objects",
        reason: "The state of nope could not be read, so the owned objects are unknown.",
      },
    ]);
    expect(text(documentOf(report))).not.toContain("as declared");
    const second = withEarlier(report, { report: earlier });
    expect(second.previous?.resolved).toEqual([]);
    expect(second.previous?.notChecked).toHaveLength(2);
    const third = reportOn(checked, [], {
      generatedAt: "2026-03-03T06:00:00.000Z",
      beside: await find(),
    });
    expect(withEarlier(third, { report: second }).previous).toMatchObject({
      resolved: [
        { what: "people (ProjectMembers)", kind: "undetermined" },
        { what: "acme (OrganizationFile)", kind: "undetermined" },
      ],
      notChecked: [],
    });
  });

  it("without settings, the teams in the projects of the other stacks are compared", async () => {
    const { sandbox, people, resource } = await setup("ProjectMembers");
    const other = { ...resource("others", "ProjectMembers", "5f00000000000000000000ff"), stack: "nope" };
    const stacks = new Map([
      ["test", { inStack: [people], planned: [], complete: [] }],
      ["nope", { inStack: [other], planned: [], complete: [] }],
    ]);
    const { findings, undetermined } = await findBeside(await terminalFor(sandbox), {
      stacks,
      ...options,
    });
    expect(undetermined).toMatchObject([{ what: "settings of stack nope", stack: "nope" }]);
    expect(findings?.map(({ property }) => property)).toEqual(["teams.admins", "teams.viewers"]);

    const all = await findBeside(await terminalFor(sandbox), {
      stacks,
      ...options,
      isUnmanagedWanted: true,
    });
    expect(all).toMatchObject({ findings, undetermined: [...undetermined, { what: UNMANAGED_UNKNOWN }] });
    expect(all.unmanaged).toBeUndefined();
  });
});
