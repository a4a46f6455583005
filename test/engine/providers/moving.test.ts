/**
 * docs/providers.md, "Move between the providers". The resources of each provider have types of their own. Without an alias the
 * engine creates the new resource and then deletes the old one, and neither provider sees what the other declares.
 */
import type { Sandbox } from "../../../sandbox";
import { keepDefault, type Program, type ProviderKind, type ResourceOptions, succeeded } from "../../support";
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
import { tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);
// A move is six commands, each with the processes of both providers.
jest.setTimeout(240_000);

const ada = "ada@example.com";
const bob = "bob@example.com";
const grace = "grace@example.com";
const olga = "olga@example.com";
const owner = ["GROUP_OWNER"];
const reader = ["GROUP_READ_ONLY"];
const directions: [ProviderKind, ProviderKind][] = [
  ["plugin", "dynamic"],
  ["dynamic", "plugin"],
];
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
      { name: "orders", members: { [olga]: owner } },
      { name: "billing", members: { [olga]: owner, [ada]: reader } },
    ],
  },
};

interface Move {
  /** How the project that the stack made is named: by `orgId` and `name`, or by `projectId`. */
  readonly payments?: object;
  readonly onDestroy?: string;
  /** The provider whose resources become these. */
  readonly movedFrom?: ProviderKind;
}

/** A project that the stack makes, two people of another project with a team and a key, and everyone of a third one. */
function setup(service: Sandbox, { payments, onDestroy, movedFrom }: Move = {}): Program {
  const resource = (type: string, properties: object) => ({
    type,
    properties: { ...properties, ...(onDestroy && { onDestroy }) },
    ...(movedFrom && { options: { aliases: [{ type: `${tokens[movedFrom]}${type}` }] } }),
  });
  const orders = projectNamed(service, "orders").id;
  const billing = projectNamed(service, "billing").id;
  return {
    resources: {
      payments: resource("Project", {
        ...(payments ?? { orgId: service.orgId, name: "payments" }),
        tags: ["PROD"],
      }),
      ada: resource("ProjectMember", { projectId: orders, username: ada, roles: reader }),
      bob: resource("ProjectMember", { projectId: orders, username: bob, roles: reader }),
      people: resource("ProjectMembers", {
        projectId: billing,
        members: { [olga]: owner, [ada]: reader, [bob]: reader },
      }),
      operators: resource("Team", { orgId, name: "operators", usernames: [grace] }),
      inOrders: resource("ProjectTeam", { projectId: orders, teamId: "${operators.teamId}", roles: reader }),
      agents: resource("AgentApiKey", { projectId: orders, description: "agents" }),
    },
    outputs: { paymentsId: "${payments.projectId}", key: "${agents.key}" },
  };
}

/** All that the service knows of projects, people and teams. */
function everythingIn({ state: { projects, users, invitations, teams } }: Sandbox) {
  return structuredClone({ projects, users, invitations, teams });
}

/** As `setup`, with the project and people alone. */
function peopleOf(service: Sandbox, move: Move = {}): Program {
  const { resources = {} } = setup(service, move);
  const names = ["payments", "ada", "bob", "people"];
  return {
    resources: Object.fromEntries(Object.entries(resources).filter(([name]) => names.includes(name))),
    outputs: { paymentsId: "${payments.projectId}" },
  };
}

const setUpOfPeople = (from: ProviderKind) => setUpStack(from, peopleOf);

async function setUpStack(from: ProviderKind, program: (service: Sandbox) => Program = setup) {
  const { sandbox: service, stack } = await setUpNodeStack(from, { sandbox, program });
  await succeeded(stack.up());
  service.clearRequests();
  const before = everythingIn(service);
  const originOf = async (name: string) => (await stack.resource(name))?.outputs?.origin;
  return { service, stack, before, originOf, projectId: projectNamed(service, "payments").id };
}

describe.each(directions)("a stack that moves from the %s provider to the %s provider", (from, to) => {
  it("by aliases keeps everything without a write in one up, and owns what it owned", async () => {
    keepDefault("refreshBeforeUpdate", "a plain preview shows drift");
    const { service, stack, before, originOf, projectId } = await setUpStack(from);
    const key = service.project(projectNamed(service, "orders").id)?.agentKeys.at(-1)?.key ?? "";
    await useProvider(stack, to, setup(service, { movedFrom: from }));
    expect((await succeeded(stack.up())).changes).toEqual({ update: 7 });
    expect([await originOf("payments"), await originOf("ada")]).toEqual(["created", "created"]);
    const { resources } = await stack.state();
    expect(resources.filter(({ type }) => type.startsWith(tokens[from]))).toEqual([]);

    // The aliases have done their work.
    await useProvider(stack, to, setup(service));
    expect((await succeeded(stack.up())).changes).toEqual({ same: 7 });
    expect(writes(service)).toEqual([]);
    expect(everythingIn(service)).toEqual(before);
    const shown = await succeeded(stack.run("stack", "output", "key", "--show-secrets"));
    expect(shown.output).toContain(key);
    expect(await stateText(stack)).not.toContain(key);

    service.changeProject(projectId, { tags: ["URGENT"] });
    expect((await succeeded(stack.preview())).changes).toEqual({ same: 6, update: 1 });
    await succeeded(stack.destroy());
    expect(projectsNamed(service, "payments")).toEqual([]);
    expect(service.state.teams).toEqual([]);
    expect(service.project(projectNamed(service, "orders").id)?.agentKeys).toHaveLength(1);
  });

  it("by onDestroy: release and projectId keeps everything without a write, and owns nothing any more", async () => {
    const { service, stack, before, originOf, projectId } = await setUpOfPeople(from);
    await useProvider(stack, from, peopleOf(service, { onDestroy: "release" }));
    // To leave everyone in is what ProjectMembers does anyway.
    expect((await succeeded(stack.up())).changes).toEqual({ update: 3, same: 1 });

    const moved = peopleOf(service, { payments: { projectId, name: "payments" }, onDestroy: "release" });
    await useProvider(stack, to, moved);
    const up = await succeeded(stack.up());
    expect(up.changes).toEqual({ create: 4, delete: 4 });
    expect(messagesOf(up)).toContain(`Project ${projectId} ("payments", created) was released`);
    expect(messagesOf(up)).toContain(`${bob} was released and is not changed`);
    expect([await originOf("payments"), await originOf("ada")]).toEqual(["adopted", "adopted"]);
    expect((await stack.outputs()).paymentsId).toBe(projectId);
    await succeeded(stack.destroy());
    expect(writes(service)).toEqual([]);
    expect(everythingIn(service)).toEqual(before);
  });

  // No user needs this; it proves the warning in docs/providers.md.
  it("by nothing but the import stops at the name of its project, and with projectId loses what it had made", async () => {
    const { service, stack, before, projectId } = await setUpOfPeople(from);
    const orders = projectNamed(service, "orders").id;
    await useProvider(stack, to, peopleOf(service));
    expect(await errorsOf(stack.up())).toContain('already has a project named "payments"');
    expect(writes(service)).toEqual([]);
    expect(everythingIn(service)).toEqual(before);

    await useProvider(stack, to, peopleOf(service, { payments: { projectId, name: "payments" } }));
    await succeeded(stack.up());
    expect(deletions(service).map((path) => path.replace(/[0-9a-f]{24}$/, "..."))).toEqual(
      expect.arrayContaining(["/groups/...", `/groups/${orders}/invites/...`, `/groups/${orders}/users/...`]),
    );
    expect(projectsNamed(service, "payments")).toEqual([]);
  });
});

describe("during a move from the plugin to the dynamic provider", () => {
  async function movingPayments(options: ResourceOptions, properties: object = {}) {
    const { sandbox: service, stack } = await setUpNodeStack("plugin", {
      program: ({ orgId }) => projectProgram({ orgId, name: "payments", ...properties }, options),
    });
    await succeeded(stack.up());
    service.clearRequests();
    return { service, stack, projectId: projectNamed(service, "payments").id };
  }

  it("protect stops the up instead of deleting the project that was forgotten to be released", async () => {
    const { service, stack, projectId } = await movingPayments({ protect: true });
    await useProvider(stack, "dynamic", projectProgram({ projectId }));
    expect(await errorsOf(stack.up())).toContain("protect");
    expect(writes(service)).toEqual([]);
    expect(projectsNamed(service, "payments")).toHaveLength(1);
  });

  it("by an alias, tags that ignoreTags protected stay in the up that takes the pattern away", async () => {
    const { service, stack, projectId } = await movingPayments({}, { tags: ["PROD"], ignoreTags: ["K8S_*"] });
    service.changeProject(projectId, { tags: ["K8S_BLUE", "PROD"] });
    const moved = { aliases: [{ type: `${tokens.plugin}Project` }] };
    const { orgId } = service;
    await useProvider(stack, "dynamic", projectProgram({ orgId, name: "payments", tags: ["PROD"] }, moved));
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
    await useProvider(stack, "dynamic", moved);
    await succeeded(stack.up());
    expect(writes(service)).toEqual([]);
    expect(await stack.resource("payments")).toMatchObject({ id: projectId, outputs: { origin: "adopted" } });

    await useProvider(stack, "dynamic", moved, { pluginLines: false });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });
});
