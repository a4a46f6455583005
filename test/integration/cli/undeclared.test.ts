/** People and teams of managed projects that no resource declares, read from the sandbox. */
import { text } from "../../../cli/drift/formats/text";
import { reportOn } from "../../../cli/drift/index";
import { withEarlier } from "../../../cli/drift/previous";
import { documentOf } from "../../../cli/drift/report/document";
import { UNMANAGED_UNKNOWN } from "../../../cli/drift/report/model";
import { findBeside } from "../../../cli/drift/search";
import type { OwnedResource } from "../../../cli/lib/access/declared";
import type { FaultRule } from "../../../sandbox";
import { clientFactory } from "../client/with-client";
import { commandFolder } from "./command-folder";
import { declared, findAlone, owner, printsSettings, reader } from "./drift-search";

const start = clientFactory();

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
  const { orgId } = sandbox;
  const projectId = sandbox.state.projects[0]?.id ?? "";
  const team = (name: string, roleNames: string[]) => {
    const { id } = sandbox.addTeam({ name });
    sandbox.setProjectTeam(projectId, { teamId: id, roleNames });
    return id;
  };
  const admins = team("admins", owner);
  team("viewers", reader);
  const id = kind === "ProjectMember" ? `${projectId}/olga@example.com` : projectId;
  const people = declared(kind, id, { name: "people", outputs: { orgId, groupName: "payments" } });
  const find = async (more: readonly OwnedResource[] = [], planned: readonly OwnedResource[] = []) => {
    const result = await findAlone({ client }, [people, ...more], { planned });
    return { ...result, properties: result.findings.map(({ property }) => property) };
  };
  return { sandbox, client, projectId, admins, people, find };
}

it("beside a ProjectMember, only owners are undeclared, unless a resource of the stack or of the program declares them", async () => {
  const { find, projectId, admins } = await setup("ProjectMember");
  expect((await find()).properties).toEqual(['members["mallory@example.com"]', "teams.admins"]);
  const mallory = declared("ProjectMember", `${projectId}/mallory@example.com`);
  const team = (name: string) => declared("ProjectTeam", `${projectId}/${name}`);
  expect((await find([mallory, team(admins)])).properties).toEqual([]);
  expect((await find([], [mallory, team("admins")])).properties).toEqual([]);
});

it("where the only declared person was removed, owners are undeclared, unless the project itself is gone", async () => {
  const { sandbox, client, projectId, people } = await setup("ProjectMember");
  const gone = { ...people, isRead: false, isGone: true };
  const { findings } = await findAlone({ client }, [gone]);
  expect(findings.map(({ object }) => object?.name)).toEqual(["mallory@example.com", "admins"]);
  sandbox.removeProject(projectId);
  expect(await findAlone({ client }, [gone])).toMatchObject({ findings: [], undetermined: [] });
});

it("whoever leaves with the next update because a last day is over is declared until an update has tried that", async () => {
  const { find, projectId, admins } = await setup("ProjectMember");
  const inputs = { roles: owner, until: "2026-01-31", ended: true };
  const ending = (outputs: object) =>
    [
      declared("ProjectMember", `${projectId}/mallory@example.com`, { inputs, outputs: { ...outputs } }),
      declared("ProjectTeam", `${projectId}/${admins}`, { inputs, outputs: { ...outputs } }),
    ] as const;
  expect((await find(ending({}))).properties).toEqual([]);
  for (const output of ["endedAt", "overdueSince"])
    expect((await find(ending({ [output]: "2026-02-01T02:00:00.000Z" }))).properties).toHaveLength(2);
});

it.each([
  { kind: "ProjectMember", lists: 9 },
  // It has read its people itself.
  { kind: "ProjectMembers", lists: 6 },
] as const)("a search beside a $kind sends one request for each list", async ({ kind, lists }) => {
  const { find, sandbox } = await setup(kind);
  sandbox.clearRequests();
  await find();
  const paths = sandbox.requests.filter(({ status }) => status === 200).map(({ path }) => path);
  expect([paths.length, new Set(paths).size]).toEqual([lists, lists]);
});

it("a listed name stands for the account that was recorded under it, and not for a stranger who has it now", async () => {
  const { client, people, projectId } = await setup("ProjectMembers");
  const renamed = { userId: "5f00000000000000000000c1", username: "new@example.com", roles: reader };
  const stranger = { userId: "5f00000000000000000000c2", username: "olga@example.com", roles: owner };
  const list = {
    ...people,
    inputs: { projectId, members: { "olga@example.com": reader } },
    outputs: {
      ...people.outputs,
      memberDetails: [
        { ...renamed, declaredAs: "olga@example.com", declared: true, status: "active" },
        { ...stranger, declared: false, status: "active" },
      ],
    },
  };
  const { findings } = await findAlone({ client }, [list]);
  const objectAt = (property: string) => findings.find((finding) => finding.property === property)?.object;
  expect(objectAt('members["olga@example.com"]')).toMatchObject({ listedAccount: "new@example.com" });
  expect(objectAt("teams.admins")).not.toHaveProperty("listedAccount");
});

it("a resource is undetermined if the teams or the people of its project cannot be read", async () => {
  const { find, sandbox, people } = await setup("ProjectMember");
  sandbox.addFault({ pathPattern: "/groups/[0-9a-f]+/(teams|users)", fault: { status: 403 }, times: 0 });
  const { findings, undetermined } = await find();
  expect(findings).toEqual([]);
  const reasons = [/^The teams of project/, /^The people of project/];
  expect(undetermined).toEqual(
    reasons.map((reason) => ({ what: people.urn, stack: "test", reason: expect.stringMatching(reason) })),
  );
});

const refused = { status: 403 };
const bare = { status: 404 };

it.each<{
  where: string;
  offered?: boolean;
  /** Other accounts than the own one; by default one that owns the project. */
  accounts?: number;
  fault?: FaultRule;
  /** Whether the command authenticates as a service account, so that the service is Cloud Manager. */
  isAccount?: boolean;
  /** Lists that were asked for. */
  lists: readonly string[];
  found?: number;
  undetermined?: readonly RegExp[];
}>([
  { where: "are not offered", offered: false, lists: ["orgs"] },
  {
    where: "are not offered, without an error code",
    fault: { pathPattern: "/serviceAccounts", fault: bare },
    lists: ["orgs"],
  },
  {
    where: "may be those of a gateway in front of Cloud Manager",
    fault: { pathPattern: "/serviceAccounts", fault: bare },
    isAccount: true,
    lists: ["orgs"],
    undetermined: [/^The service accounts of project .* cannot be read, so undeclared ones/],
  },
  { where: "are none in the organization", accounts: 0, lists: ["orgs"] },
  { where: "are listed, the own one among them", isAccount: true, lists: ["orgs", "groups"], found: 1 },
  {
    where: "cannot be read in the organization",
    fault: { pathPattern: "/orgs/[^/]+/serviceAccounts", fault: refused },
    lists: ["orgs", "groups"],
    found: 1,
  },
  {
    where: "cannot be read in the project",
    fault: { pathPattern: "/groups/[^/]+/serviceAccounts", fault: refused },
    lists: ["orgs", "groups"],
    undetermined: [/^The service accounts of project .* cannot be read, so undeclared ones/],
  },
])("service accounts $where", async ({ offered = true, accounts = 1, isAccount = false, ...row }) => {
  const { sandbox, client, people, projectId } = await setup("ProjectMember");
  sandbox.setSwitches({ serviceAccountLists: offered ? "offered" : "not-offered" });
  sandbox.removeTeam(sandbox.state.teams.find(({ name }) => name === "admins")?.id ?? "");
  const { orgId, baseUrl } = sandbox;
  const roles = [
    { orgId, roleName: "ORG_READ_ONLY" },
    { groupId: projectId, roleName: "GROUP_OWNER" },
  ];
  for (let count = 0; count < accounts; count++) sandbox.addServiceAccount({ name: "deploy", roles });
  const own = isAccount ? sandbox.addServiceAccount({ roles }) : undefined;
  const connection = own
    ? start.client({ ...{ baseUrl, tokenUrl: `${baseUrl}/api/oauth/token` }, ...clientOf(own) })
    : { client };
  if (row.fault) sandbox.addFault({ ...row.fault, times: 0 });
  sandbox.clearRequests();
  const invited = declared("ProjectMember", `${projectId}/mallory@example.com`);
  const found = await findAlone(connection, [people, invited], { otherKeys: own ? [own.clientId] : [] });
  const asked = sandbox.requests.filter(({ path }) => path.includes("/serviceAccounts"));
  expect(asked.map(({ path }) => /v1\.0\/(\w+)/.exec(path)?.[1])).toEqual(row.lists);
  expect(found.findings.map(({ object }) => object?.what)).toEqual(
    Array.from({ length: row.found ?? 0 }, () => "service account"),
  );
  expect(found.undetermined).toEqual(
    (row.undetermined ?? []).map((reason) => ({
      ...{ what: people.urn, stack: "test", reason: expect.stringMatching(reason) },
    })),
  );
});

describe("the service account of the settings", () => {
  const folder = commandFolder();

  it.each([{ isUnmanagedWanted: false }, { isUnmanagedWanted: true }])(
    "is no difference and nothing unmanaged, as every other one is: $isUnmanagedWanted",
    async ({ isUnmanagedWanted }) => {
      const { sandbox, people, projectId } = await setup("ProjectMember");
      sandbox.setSwitches({ serviceAccountLists: "offered" });
      const roles = [
        { orgId: sandbox.orgId, roleName: "ORG_OWNER" },
        { groupId: projectId, roleName: "GROUP_OWNER" },
      ];
      const [own, other] = [roles, roles.slice(1)].map((each) =>
        sandbox.addServiceAccount({ name: "deploy", roles: each }),
      );
      const complete = [{ urn: "acme", stack: "test", orgId: sandbox.orgId }];
      const stacks = new Map([["test", { inStack: [people], planned: [], complete }]]);
      const options = { orgIds: [], comparison: "program", isUnmanagedWanted, stacks } as const;
      const namesFor = async (account: typeof own) => {
        folder.withPulumi(printsSettings(sandbox, "test", account));
        const found = await findBeside(folder.terminal(), options);
        const objects = found.findings.map(({ object }) => object);
        const isAccount = (kind: string | undefined) => /service ?account/i.test(kind ?? "");
        return [
          ...objects.filter((each) => isAccount(each?.what)).map((each) => each?.name),
          ...(found.unmanaged?.rows ?? [])
            .filter(({ kind }) => isAccount(kind))
            .map(({ holder }) => holder.id),
        ];
      };
      expect(await namesFor(own)).toEqual([other?.clientId]);
      // With the API key, it is one of the others.
      expect(new Set(await namesFor(undefined))).toEqual(new Set([own?.clientId, other?.clientId]));
    },
  );
});

const clientOf = ({ clientId, clientSecret }: { clientId: string; clientSecret: string }) => ({
  clientId,
  clientSecret,
});

/** Every list without which something stays undetermined, as a request asks for it. */
const lists = [
  "/groups/[^/]+$",
  "/groups/[^/]+/users",
  "/groups/[^/]+/invites",
  "/groups/[^/]+/teams",
  "/groups/[^/]+/apiKeys",
  "/teams/[^/]+/users",
  "/orgs/[^/]+/invites",
  "/orgs/[^/]+/serviceAccounts",
];

it.each(lists)("ends with a cause that stops every call, if %s meets it", async (path) => {
  const { find, sandbox } = await setup("ProjectMember");
  sandbox.addFault({ pathPattern: `${path}(\\?|$)`, fault: { status: 401 }, times: 0 });
  await expect(find()).rejects.toMatchObject({ sharedCause: expect.anything() });
});

describe("if another stack cannot be read", () => {
  const folder = commandFolder();
  /** A terminal in which only the stack `test` has settings. */
  function terminalFor(sandbox: Awaited<ReturnType<typeof setup>>["sandbox"]) {
    folder.withPulumi(printsSettings(sandbox, "test"));
    return folder.terminal();
  }
  const options = { orgIds: [], comparison: "program", isUnmanagedWanted: true } as const;

  it("without a state, what the earlier report has is not checked, and the report contains why", async () => {
    const { sandbox, people, find } = await setup("ProjectMembers");
    const on = (day: number) => `2026-03-0${day}T06:00:00.000Z`;
    const earlier = reportOn([], [], { generatedAt: on(1), beside: await find() });
    const organization = "urn:pulumi:test::platform::opsmanager:index:OrganizationFile::acme";
    const complete = [{ urn: organization, stack: "test", orgId: sandbox.orgId }];
    const stacks = new Map([
      ["test", { inStack: [people], planned: [], complete }],
      ["nope", undefined],
    ]);
    const beside = await findBeside(terminalFor(sandbox), { ...options, stacks });
    const nothing = { resources: [], replaced: [], pending: [], components: [], isShared: false };
    const state = { stack: "test", project: "platform", ...nothing };
    const checked = [{ state, findings: [], undetermined: [] }];
    const report = reportOn(checked, [], { generatedAt: on(2), beside });
    const unread = "The state of nope could not be read, so";
    expect(report.unreadable).toEqual([
      {
        what: people.urn,
        reason: `${unread} the undeclared people and teams are unknown.`,
        stack: "test",
      },
      { what: organization, reason: `${unread} the undeclared owners are unknown.`, stack: "test" },
      { what: "unmanaged objects", reason: `${unread} the owned objects are unknown.` },
    ]);
    expect(text(documentOf(report))).not.toContain("as declared");
    const second = withEarlier(report, { report: earlier });
    expect(second.previous?.resolved).toEqual([]);
    expect(second.previous?.notChecked).toHaveLength(2);
    const third = reportOn(checked, [], { generatedAt: on(3), beside: await find() });
    expect(withEarlier(third, { report: second }).previous).toMatchObject({
      resolved: [
        { what: "people (ProjectMembers)", kind: "undetermined" },
        { what: "acme (OrganizationFile)", kind: "undetermined" },
      ],
      notChecked: [],
    });
  });

  it("without settings, the teams in the projects of the other stacks are compared", async () => {
    const { sandbox, people } = await setup("ProjectMembers");
    const other = { ...declared("ProjectMembers", "5f00000000000000000000ff"), stack: "nope" };
    const stacks = new Map([
      ["test", { inStack: [people], planned: [], complete: [] }],
      ["nope", { inStack: [other], planned: [], complete: [] }],
    ]);
    const terminal = terminalFor(sandbox);
    const alone = { ...options, stacks, isUnmanagedWanted: false };
    const { findings, undetermined } = await findBeside(terminal, alone);
    expect(undetermined).toMatchObject([{ what: "settings of stack nope", stack: "nope" }]);
    expect(findings?.map(({ property }) => property)).toEqual(["teams.admins", "teams.viewers"]);

    const all = await findBeside(terminal, { ...options, stacks });
    expect(all).toMatchObject({ findings, undetermined: [...undetermined, { what: UNMANAGED_UNKNOWN }] });
    expect(all.unmanaged).toBeUndefined();
  });
});
