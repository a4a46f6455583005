/**
 * docs/providers.md, "Move between the providers". The resources of each provider have types of their own. Without an alias the
 * engine creates the new resource and then deletes the old one, and neither provider sees what the other declares.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sandbox } from "../../../sandbox";
import { keepDefault, type Program, type ProviderKind, type ResourceOptions, succeeded } from "../../support";
import { ada, bob, grace, olga, owners, readers } from "../../support/people";
import { setUpAccessFolder, writeFiles } from "../support/access-folder";
import { setUpNodeStack, useProvider } from "../support/either-provider";
import { stateText } from "../support/mechanics";
import { deletions } from "../support/people-program";
import {
  errorsOf,
  messagesOf,
  projectNamed,
  projectProgram,
  projectsNamed,
  writes,
} from "../support/project-program";
import { attachment, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);
// A move is several commands, each with the processes of both providers.
jest.setTimeout(240_000);

const tokens: Readonly<Record<ProviderKind, string>> = {
  plugin: "opsmanager:index:",
  dynamic: "pulumi-nodejs:dynamic/opsmanager:",
};

const orgId = "5f0000000000000000000001";

/** Ada has an account and gets in, Bob is invited; billing has all three already but for Bob. Grace can be in a team. */
const sandbox = {
  bypassInvitations: true,
  seed: {
    orgs: [{ id: orgId, name: "Example Org" }],
    users: [{ username: ada }, { username: grace, roles: [{ orgId, roleName: "ORG_MEMBER" }] }],
    projects: [
      { name: "orders", members: { [olga]: owners } },
      { name: "billing", members: { [olga]: owners, [ada]: readers } },
    ],
  },
};

interface Move {
  /** Inputs of the project that the stack made, in place of its organization and name. */
  readonly payments?: object;
  /** With these inputs of the team in a move without aliases, and a person of the organization. */
  readonly team?: object;
  readonly protect?: boolean;
  readonly onDestroy?: string;
  /** The provider whose resources become these. */
  readonly movedFrom?: ProviderKind;
}

/** A project that the stack makes, two people of another project, and everyone of a third one. */
function peopleOf(service: Sandbox, { payments, team, protect, onDestroy, movedFrom }: Move = {}): Program {
  const resource = (type: string, properties: object) => ({
    type,
    properties: { ...properties, ...(onDestroy && { onDestroy }) },
    options: {
      ...(protect && { protect }),
      ...(movedFrom && { aliases: [{ type: `${tokens[movedFrom]}${type}` }] }),
    },
  });
  const orders = projectNamed(service, "orders").id;
  const ofPayments = { orgId: service.orgId, name: "payments", tags: ["PROD"], ...payments };
  const members = { [olga]: owners, [ada]: readers, [bob]: readers };
  const hasAliases = onDestroy === undefined && payments === undefined;
  return {
    resources: {
      payments: resource("Project", ofPayments),
      ada: resource("ProjectMember", { projectId: orders, username: ada, roles: readers }),
      bob: resource("ProjectMember", { projectId: orders, username: bob, roles: readers }),
      people: resource("ProjectMembers", { projectId: projectNamed(service, "billing").id, members }),
      ...((hasAliases || team !== undefined) && {
        operators: resource("Team", { orgId, name: "operators", usernames: [grace], ...team }),
        inOrders: resource("ProjectTeam", {
          projectId: orders,
          teamId: "${operators.teamId}",
          roles: readers,
        }),
      }),
      ...(team !== undefined && {
        grace: resource("OrganizationMember", { orgId, username: grace, roles: ["ORG_MEMBER"] }),
      }),
      // Nothing adopts a key.
      ...(hasAliases && {
        agents: resource("AgentApiKey", { projectId: orders, description: "agents" }),
      }),
    },
    outputs: { paymentsId: "${payments.projectId}" },
  };
}

/** All that the service knows of projects, people and teams. */
function everythingIn({ state: { projects, users, invitations, teams } }: Sandbox) {
  return structuredClone({ projects, users, invitations, teams });
}

async function startWithPlugin(move: Move = {}) {
  const { sandbox: service, stack } = await setUpNodeStack("plugin", {
    sandbox,
    program: (started) => peopleOf(started, move),
  });
  await succeeded(stack.up());
  service.clearRequests();
  const originOf = async (name: string) => (await stack.resource(name))?.outputs?.origin;
  const projectId = projectNamed(service, "payments").id;
  return { service, stack, before: everythingIn(service), originOf, projectId };
}

it("a stack that moves by aliases, to the dynamic provider and back, keeps everything without a write in one up, and owns what it owned", async () => {
  keepDefault("refreshBeforeUpdate", "a plain preview shows drift");
  const { service, stack, before, originOf, projectId } = await startWithPlugin();
  const orders = projectNamed(service, "orders").id;
  const key = service.project(orders)?.agentKeys.at(-1)?.key ?? "";
  for (const { from, to } of [
    { from: "plugin", to: "dynamic" },
    { from: "dynamic", to: "plugin" },
  ] as const) {
    await useProvider(stack, to, peopleOf(service, { movedFrom: from }));
    expect((await succeeded(stack.up())).changes).toEqual({ update: 7 });
    expect([await originOf("payments"), await originOf("ada")]).toEqual(["created", "created"]);
    const { resources } = await stack.state();
    expect(resources.filter(({ type }) => type.startsWith(tokens[from]))).toEqual([]);
    // The aliases have done their work.
    await useProvider(stack, to, peopleOf(service));
    expect((await succeeded(stack.up())).changes).toEqual({ same: 7 });
    expect(writes(service)).toEqual([]);
    expect(everythingIn(service)).toEqual(before);
    const { resources: decrypted } = await stack.state({ showSecrets: true });
    expect(JSON.stringify(decrypted.map(({ outputs }) => outputs))).toContain(key);
    expect(await stateText(stack)).not.toContain(key);
  }
  service.changeProject(projectId, { tags: ["URGENT"] });
  expect((await succeeded(stack.preview())).changes).toEqual({ same: 6, update: 1 });
  await succeeded(stack.destroy());
  expect(projectsNamed(service, "payments")).toEqual([]);
  expect(service.state.teams).toEqual([]);
  expect(service.project(orders)?.agentKeys).toHaveLength(1);
});

it("a stack that moves by onDestroy: release, projectId and teamId, to the dynamic provider and back, keeps everything without a write, and owns nothing any more", async () => {
  const { service, stack, before, originOf, projectId } = await startWithPlugin({ payments: {}, team: {} });
  await useProvider(stack, "plugin", peopleOf(service, { team: {}, onDestroy: "release" }));
  // To leave everyone in is what ProjectMembers does anyway.
  expect((await succeeded(stack.up())).changes).toEqual({ update: 6, same: 1 });

  const team = { teamId: service.state.teams[0]?.id };
  const moved = peopleOf(service, { payments: { orgId: undefined, projectId }, team, onDestroy: "release" });
  for (const to of ["dynamic", "plugin"] as const) {
    await useProvider(stack, to, moved);
    const up = await succeeded(stack.up());
    expect(up.changes).toEqual({ create: 7, delete: 7 });
    const origin = to === "dynamic" ? "created" : "adopted";
    expect(messagesOf(up)).toContain(`Project ${projectId} ("payments", ${origin}) was released`);
    expect(messagesOf(up)).toContain(`${bob} was released and is not changed`);
    expect([await originOf("payments"), await originOf("ada")]).toEqual(["adopted", "adopted"]);
    expect((await stack.outputs()).paymentsId).toBe(projectId);
  }
  await succeeded(stack.destroy());
  expect(writes(service)).toEqual([]);
  expect(everythingIn(service)).toEqual(before);
});

// No user needs this; it proves the warning in docs/providers.md.
it("a stack that moves by nothing but the import stops at the name of its project, and with projectId loses what it had made, unless it is protected", async () => {
  const { service, stack, before, projectId } = await startWithPlugin({ payments: {}, protect: true });
  const orders = projectNamed(service, "orders").id;
  await useProvider(stack, "dynamic", peopleOf(service, { payments: {} }));
  expect(await errorsOf(stack.up())).toContain('already has a project named "payments"');
  await useProvider(stack, "dynamic", peopleOf(service, { payments: { orgId: undefined, projectId } }));
  expect(await errorsOf(stack.up())).toContain("protect");
  expect(writes(service)).toEqual([]);
  expect(everythingIn(service)).toEqual(before);

  await succeeded(stack.run("state", "unprotect", "--all", "--yes"));
  await succeeded(stack.up());
  expect(deletions(service).map((path) => path.replace(/[0-9a-f]{24}$/, "..."))).toEqual(
    expect.arrayContaining(["/groups/...", `/groups/${orders}/invites/...`, `/groups/${orders}/users/...`]),
  );
  expect(projectsNamed(service, "payments")).toEqual([]);
});

it("an AccessFolder moves, to the dynamic provider and back, if a transform gives each resource an alias of its type, and not without", async () => {
  const setup = await setUpAccessFolder({
    provider: "plugin",
    sandbox,
    config: { "opsmanager:orgId": orgId },
    files: () => ({
      "payments.yaml": {
        name: "payments",
        membership: "additive",
        members: { [olga]: owners, [ada]: readers, [bob]: readers },
        teams: { operators: readers },
      },
    }),
  });
  const { sandbox: service, stack } = setup;
  await writeFiles(setup, {
    "teams/operators.yaml": { name: "operators", usernames: [grace] },
    "organizations/acme.yaml": {
      key: "acme",
      members: { [grace]: ["ORG_MEMBER"] },
      apiKeys: { ci: { description: "ci", roles: ["ORG_MEMBER"] } },
    },
  });
  await succeeded(stack.up());
  service.clearRequests();
  const before = everythingIn(service);
  const use = (provider: ProviderKind, options = "{}") =>
    writeFile(
      join(stack.paths.program, "index.js"),
      [
        'const pulumi = require("@pulumi/pulumi");',
        'const { AccessFolder } = require("pulumi-opsmanager/projects");',
        `new AccessFolder("access", { folder: ".", provider: "${provider}" }, ${options});`,
      ].join("\n"),
    );
  await use("dynamic");
  const { create, delete: deleted } = (await succeeded(stack.preview())).changes;
  expect([create, deleted]).toEqual([8, 8]);
  for (const [from, to] of [
    ["plugin", "dynamic"],
    ["dynamic", "plugin"],
  ] as const) {
    const alias = `{ type: "${tokens[from]}" + type.split(":").at(-1) }`;
    await use(
      to,
      `{ transforms: [({ type, props, opts }) =>
        ({ props, opts: pulumi.mergeOptions(opts, { aliases: [${alias}] }) })] }`,
    );
    const { changes } = await succeeded(stack.up());
    expect([changes.create, changes.delete, changes.replace]).toEqual([undefined, undefined, undefined]);
    await use(to);
    expect(Object.keys((await succeeded(stack.up())).changes)).toEqual(["same"]);
    const { resources } = await stack.state();
    expect(resources.filter(({ type }) => type.startsWith(`${tokens[from]}Project`))).toEqual([]);
    expect(writes(service)).toEqual([]);
    expect(everythingIn(service)).toEqual(before);
  }
});

describe("during a move from the plugin to the dynamic provider", () => {
  async function movingPayments(options: ResourceOptions, properties: object = {}) {
    const { sandbox: service, stack } = await setUpNodeStack("plugin", {
      program: (started) =>
        projectProgram({ orgId: started.orgId, name: "payments", ...properties }, options),
    });
    await succeeded(stack.up());
    service.clearRequests();
    return { service, stack, projectId: projectNamed(service, "payments").id };
  }

  it("by an alias, tags that ignoreTags protected stay in the up that takes the pattern away", async () => {
    const { service, stack, projectId } = await movingPayments({}, { tags: ["PROD"], ignoreTags: ["K8S_*"] });
    service.changeProject(projectId, { tags: ["K8S_BLUE", "PROD"] });
    const moved = { aliases: [{ type: `${tokens.plugin}Project` }] };
    const properties = { orgId: service.orgId, name: "payments", tags: ["PROD"] };
    await useProvider(stack, "dynamic", projectProgram(properties, moved));
    expect((await succeeded(stack.up())).changes).toEqual({ update: 1 });
    expect(projectNamed(service, "payments").tags).toEqual(["K8S_BLUE", "PROD"]);
  });

  it("retainOnDelete does what onDestroy: release does, and the plugin has to be there still: without its lines in Pulumi.yaml the up fails before anything is done", async () => {
    keepDefault("refreshBeforeUpdate", "the plugin is required first for the read before the program runs");
    const { service, stack, projectId } = await movingPayments({ retainOnDelete: true });
    const moved = projectProgram({ projectId });
    await useProvider(stack, "dynamic", moved, { pluginLines: false });
    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(up.output).toContain("no resource plugin 'pulumi-resource-opsmanager' found");
    stack.setEnv(await attachment());
    await useProvider(stack, "dynamic", moved);
    await succeeded(stack.up());
    expect(writes(service)).toEqual([]);
    expect(await stack.resource("payments")).toMatchObject({ id: projectId, outputs: { origin: "adopted" } });

    await useProvider(stack, "dynamic", moved, { pluginLines: false });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });
});
