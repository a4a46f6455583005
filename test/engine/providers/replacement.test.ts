/** Known differences in what becomes of projects and people that were replaced or renamed, and of rotated keys. */
import { type Program, type ProviderKind, type Run, type Stack, secret, succeeded } from "../../support";
import { ada, bob, olga, owners, readers } from "../../support/people";
import { membershipsIn } from "../support/people-program";
import { messagesOf, projectNamed, projectProgram, writes } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";
import { knownDifferences } from "./known-difference";

afterEach(tearDownStacks);

const orgId = "5f0000000000000000000001";
const orders = "5f00000000000000000000a1";
const billing = "5f00000000000000000000a2";
const guest = "guest@example.com";

const seed = {
  orgs: [{ id: orgId, name: "Example Org" }],
  users: [{ username: ada, roles: [{ orgId, roleName: "ORG_MEMBER" }] }],
  projects: [
    { id: orders, name: "orders", members: { [olga]: owners } },
    { id: billing, name: "billing", members: { [olga]: owners, [ada]: readers, [guest]: readers } },
  ],
};

const person = (projectId: string, username: string, options = {}) => ({
  type: "ProjectMember",
  properties: { projectId, username, roles: readers },
  options,
});

/** Objects that the stack creates, and a list with a member, an invited person and someone who is ignored. */
const program = (deleteBeforeReplace: boolean): Program => ({
  resources: {
    payments: { type: "Project", properties: { orgId, name: "payments", tags: ["PROD"] } },
    inPayments: person("${payments.projectId}", bob),
    operators: { type: "Team", properties: { orgId, name: "operators", usernames: [ada] } },
    ada: person(orders, ada, { deleteBeforeReplace }),
    people: {
      type: "ProjectMembers",
      properties: {
        projectId: billing,
        members: { [olga]: owners, [ada]: readers, [bob]: readers },
        ignoreUsers: ["guest*"],
        onDestroy: "remove",
      },
    },
  },
});

async function replace(stack: Stack, ...names: string[]): Promise<Run> {
  const resources = await Promise.all(names.map((name) => stack.resource(name)));
  return stack.up({ replace: resources.map((resource) => resource?.urn ?? ""), continueOnError: true });
}

/** What a replaced object of a taken name ends with. */
const stoppedBy = (run: Run, kind: string) =>
  new RegExp(`already has a ${kind} named "\\w+"`).exec(messagesOf(run, "error"))?.[0];

knownDifferences(
  "pulumi up --replace",
  [
    {
      row: "`pulumi up --replace` of a created project",
      plugin: { succeeds: true, stoppedBy: undefined, origin: "created" },
      dynamic: { succeeds: false, stoppedBy: 'already has a project named "payments"', origin: "created" },
    },
    {
      row: "`pulumi up --replace` of a created `Team`",
      plugin: { succeeds: true, stoppedBy: undefined, origin: "created" },
      dynamic: { succeeds: false, stoppedBy: 'already has a team named "operators"', origin: "created" },
    },
    {
      row: "`pulumi up --replace` of a `ProjectMember`",
      plugin: { deletingFirst: ["DELETE", "POST"], origin: "created" },
      dynamic: { deletingFirst: [], origin: "adopted" },
    },
  ],
  async (provider) => {
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed, bypassInvitations: true },
      program: () => program(true),
    });
    await succeeded(stack.up());
    const everyone = () =>
      ["payments", "orders", "billing"].map((name) => membershipsIn(sandbox, projectNamed(sandbox, name).id));
    const before = everyone();
    expect(before).toMatchObject([{ invited: { [bob]: readers } }, {}, { invited: { [bob]: readers } }]);
    const originOf = async (name: string) => (await stack.resource(name))?.outputs?.origin;
    sandbox.clearRequests();

    const objects = await replace(stack, "payments", "operators");
    const ofPerson = objects.steps.filter(({ name }) => name === "inPayments").map(({ op }) => op);
    expect([writes(sandbox), ofPerson]).toEqual([[], expect.not.arrayContaining(["replace"])]);
    expect(await stack.resource("payments")).toMatchObject({ id: projectNamed(sandbox, "payments").id });
    const succeeds = objects.exitCode === 0;
    const [project, team] = await Promise.all(["payments", "operators"].map(originOf));

    await succeeded(replace(stack, "ada"));
    const deletingFirst = writes(sandbox).map(({ method }) => method);
    expect(await originOf("ada")).toBe("created");
    sandbox.clearRequests();
    await stack.setProgram(program(false));
    const people = await succeeded(replace(stack, "ada", "people"));
    expect(messagesOf(people)).toContain(`${ada} in project ${orders} was kept because`);
    expect(messagesOf(people)).toContain(`people of project ${billing} were kept because`);
    expect(writes(sandbox)).toEqual([]);
    expect(everyone()).toEqual(before);
    return {
      "`pulumi up --replace` of a created project": {
        succeeds,
        stoppedBy: stoppedBy(objects, "project"),
        origin: project,
      },
      "`pulumi up --replace` of a created `Team`": {
        succeeds,
        stoppedBy: stoppedBy(objects, "team"),
        origin: team,
      },
      "`pulumi up --replace` of a `ProjectMember`": { deletingFirst, origin: await originOf("ada") },
    };
  },
);

/** Today's config reaches a plugin in the environment of its process (PULUMI_CONFIG), so the engine starts it here. */
knownDifferences(
  "keys that were rotated",
  [
    {
      row: "keys rotated since the last run",
      plugin: { refresh: true, up: true, destroyAfterNextRotation: true },
      dynamic: { refresh: false, up: true, destroyAfterNextRotation: false },
    },
  ],
  async (provider) => {
    const { sandbox, stack } = await setUpStack({
      provider,
      plugin: "started",
      program: (service) => projectProgram({ orgId: service.orgId, name: "payments", tags: ["PROD"] }),
    });
    const rotate = async (privateKey: string) => {
      sandbox.changeKey(sandbox.publicKey, { privateKey });
      await stack.setConfig({ "opsmanager:privateKey": secret(privateKey) });
    };
    const succeeds = async (run: ReturnType<typeof stack.up>) => (await run).exitCode === 0;
    await succeeded(stack.up());
    await rotate("first-rotated-key");
    sandbox.changeProject(projectNamed(sandbox, "payments").id, { tags: ["URGENT"] });
    const refresh = await succeeds(stack.refresh());
    const up = await succeeds(stack.up());
    expect(projectNamed(sandbox, "payments").tags).toEqual(["PROD"]);
    await rotate("second-rotated-key");
    const destroyAfterNextRotation = await succeeds(stack.destroy());
    return { "keys rotated since the last run": { refresh, up, destroyAfterNextRotation } };
  },
);

/** The accounts were renamed outside Pulumi, and the program still uses the old names. */
const renamings = { [ada]: "ada.lovelace@example.com", [bob]: "bob.babbage@example.com" };
const ofToday = Object.fromEntries(Object.values(renamings).map((name) => [name, readers]));
const recognized = { members: ofToday, invited: {} };
const invitedAgain = { members: ofToday, invited: { [ada]: readers, [bob]: readers } };

knownDifferences(
  "accounts that were renamed",
  [
    {
      row: "a renamed account, when its resource is renamed or replaced too",
      plugin: { one: recognized, allMembers: recognized, afterTheNextUp: recognized },
      dynamic: { one: invitedAgain, allMembers: invitedAgain, afterTheNextUp: invitedAgain },
    },
  ],
  async (provider) => ({
    "a renamed account, when its resource is renamed or replaced too": await renameAccounts(provider),
  }),
);

async function renameAccounts(provider: ProviderKind) {
  const members = { [ada]: readers, [bob]: readers };
  const both = [orders, billing].map((id, index) => ({ id, name: `project-${index}`, members }));
  const allMembers = { type: "ProjectMembers", properties: { projectId: billing, members } };
  const { sandbox, stack } = await setUpStack({
    provider,
    sandbox: { seed: { projects: both } },
    program: () => ({ resources: { ada: person(orders, ada), bob: person(orders, bob), allMembers } }),
  });
  await succeeded(stack.up());
  for (const [username, name] of Object.entries(renamings))
    sandbox.changeUser(sandbox.user({ username })?.id ?? "", { username: name });
  await succeeded(stack.refresh());

  await stack.setProgram({
    resources: { lovelace: person(orders, ada), bob: person(orders, bob), allMembers },
  });
  await succeeded(stack.up());
  await succeeded(replace(stack, "bob", "allMembers"));
  const observed = { one: membershipsIn(sandbox, orders), allMembers: membershipsIn(sandbox, billing) };
  await succeeded(stack.up());
  return { ...observed, afterTheNextUp: membershipsIn(sandbox, billing) };
}
