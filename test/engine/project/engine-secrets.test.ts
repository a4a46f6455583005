/**
 * Values that a program keeps secret: encrypted in the state, masked in all that a run shows. One location is not: the ID of a
 * ProjectMember names the person, as everything that the engine calls an ID is in clear.
 */
import type { Sandbox } from "../../../sandbox";
import { type Program, type ProviderKind, type Run, type Stack, secret, succeeded } from "../../support";
import { admins, bob, cleo, olga, owners, readers, stranger } from "../../support/people";
import { differences } from "../support/differences";
import { excerpt, stateText } from "../support/mechanics";
import { invitedTo, membersOf, paymentsId } from "../support/people-program";
import {
  bothProviders,
  errorsOf,
  messagesOf,
  projectNamed,
  projectProgram,
  writes,
} from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";
import { ada, grace, linus, orgId, seed, teamNamed, teamsOf } from "../teams/support";

afterEach(tearDownStacks);

const secretRole = "GROUP_BACKUP_ADMIN";
const forbidden =
  /(olga|ada|bob|cleo|grace|linus|eve)(@|%40)example\.com|BACKUP_ADMIN|GARDENER|moonshot|found-out|QUIET-|bad secret!|2020-01-31/i;
const hidden = (value: unknown) => ({ "fn::secret": value });
/** Somebody of each list whose last day is over. */
const gone = "quiet-gone@example.com";
const encrypted = { ciphertext: expect.any(String) };

/** A project, people of `payments` as a list, one person of `orders`, and a team. */
interface Secrets {
  readonly project: { readonly name: string; readonly tags: readonly string[] };
  readonly members: Readonly<Record<string, readonly string[]>>;
  readonly member: { readonly username: string; readonly roles: readonly string[] };
  readonly team: readonly string[];
}

function declared(service: Sandbox, { project, members, member, team }: Secrets) {
  const orders = projectNamed(service, "orders").id;
  const [username, roles] = [hidden(member.username), hidden(member.roles)];
  const until = hidden({ [gone]: "2020-01-31" });
  return {
    project: {
      type: "Project",
      properties: { orgId, name: hidden(project.name), tags: hidden(project.tags) },
    },
    people: {
      type: "ProjectMembers",
      properties: {
        projectId: paymentsId(service),
        members: hidden({ ...members, [gone]: readers }),
        until,
      },
    },
    bob: { type: "ProjectMember", properties: { projectId: orders, username, roles } },
    operators: {
      type: "Team",
      properties: { orgId, name: "operators", usernames: hidden([...team, gone]), until },
    },
  };
}

function setUp(provider: ProviderKind, secrets: Secrets) {
  const projects = [
    { name: "payments", members: { [olga]: owners, [ada]: readers, [stranger]: readers } },
    { name: "orders", members: { [olga]: owners, [bob]: readers } },
  ];
  return setUpStack({
    provider,
    sandbox: { seed: { ...seed, projects } },
    program: (service) => ({ resources: declared(service, secrets) }),
  });
}

/**
 * All that a run shows to people and to programs that read its events, but for the ID of the person of `orders`. The events have debug
 * lines even if the user did not request them.
 */
function traces({ stdout, stderr, events }: Run, provider: ProviderKind): string {
  const shown = events.filter(
    ({ diagnosticEvent: event }) => event === undefined || differences[provider].isOfProvider(event),
  );
  return withoutIds(`${stdout}\n${stderr}\n${JSON.stringify(shown)}`);
}

const withoutIds = (text: string) => text.replaceAll(/[0-9a-f]{24}\/[a-z]+@example\.com/gi, "");

async function expectEncrypted(stack: Stack): Promise<void> {
  const names = new RegExp(`${forbidden.source}|stranger@`, "i");
  expect(excerpt(withoutIds(await stateText(stack)), names)).toBe("");
  const { inputs, outputs } = (await stack.resource("project")) ?? {};
  for (const properties of [inputs, outputs])
    expect(properties).toMatchObject({ name: encrypted, tags: encrypted });
  const of = async (name: string) => (await stack.resource(name))?.outputs;
  expect(await of("people")).toMatchObject({ members: encrypted, memberDetails: encrypted, ends: encrypted });
  expect(await of("bob")).toMatchObject({ username: encrypted, roles: encrypted });
  expect(await of("operators")).toMatchObject({ usernames: encrypted, people: encrypted });
}

describe.each(bothProviders)("secret projects, people and teams (%s)", (provider) => {
  it("stay encrypted in the state and unnamed in what a run shows, through create, drift and update", async () => {
    const { sandbox, stack } = await setUp(provider, {
      project: { name: "moonshot", tags: ["QUIET-ONE"] },
      members: { [olga]: owners, [ada]: readers, [cleo]: readers },
      member: { username: bob, roles: [secretRole] },
      team: [ada, grace],
    });
    const orders = projectNamed(sandbox, "orders").id;
    const runs = [await succeeded(stack.preview()), await succeeded(stack.up())];
    expect(runs.map((run) => messagesOf(run, "warning")).join()).toContain("is not listed and not changed");
    if (provider === "plugin")
      expect(runs.map((run) => traces(run, provider)).join()).toContain("PATCH /api");
    const { id } = projectNamed(sandbox, "moonshot");
    expect(sandbox.project(id)?.tags).toEqual(["QUIET-ONE"]);
    expect(invitedTo(sandbox)).toEqual({ [cleo]: readers });
    expect((await stack.resource("bob"))?.id).toBe(`${orders}/${bob}`);
    await expectEncrypted(stack);

    sandbox.changeProject(id, { name: "found-out", tags: ["QUIET-THREE"] });
    sandbox.setMember(paymentsId(sandbox), { username: ada }, owners);
    sandbox.setMember(orders, { username: bob }, owners);
    const userId = sandbox.user({ username: linus })?.id ?? "";
    sandbox.changeTeam(teamNamed(sandbox, "operators").id, { userIds: [userId] });
    runs.push(await succeeded(stack.refresh()));
    await expectEncrypted(stack);

    const resources = declared(sandbox, {
      project: { name: "moonshot", tags: ["QUIET-TWO"] },
      members: { [olga]: owners, [ada]: admins },
      member: { username: bob, roles: [secretRole, "GROUP_OWNER"] },
      team: [ada, linus],
    });
    await stack.setProgram({ resources });
    runs.push(await succeeded(stack.preview({ json: true })), await succeeded(stack.up({ diff: true })));
    await expectEncrypted(stack);
    expect(projectNamed(sandbox, "moonshot").tags).toEqual(["QUIET-TWO"]);
    expect(membersOf(sandbox)).toMatchObject({ [ada]: admins, [olga]: owners });
    expect(teamsOf(sandbox)).toEqual({ operators: [ada, linus] });
    for (const run of runs) expect(excerpt(traces(run, provider), forbidden)).toBe("");
  });

  // Trap 3: the CLI prints the value of the property that a CheckFailure names, secrets in clear.
  it("are masked where Check rejects them and where the service does, and stay encrypted after it", async () => {
    const twice = [secretRole, secretRole];
    const faulty = {
      project: { name: "moonshot", tags: ["QUIET-ONE", "bad secret!"] },
      members: { [olga]: twice, "OLGA@example.com": owners },
      member: { username: ` ${bob}`, roles: twice },
      team: [ada],
    };
    const { sandbox, stack } = await setUp(provider, faulty);
    const { project, people, bob: member } = declared(sandbox, faulty);
    const rejected: Run[] = [];
    // A preview ends at the first resource that Check rejects.
    for (const { resources, reasons } of [
      { resources: { project }, reasons: ["tags[1]"] },
      {
        resources: { people },
        reasons: [
          'members["[secret]"] contains "[secret]" more than once',
          'members names one person more than once: "[secret]" and "[secret]"',
        ],
      },
      {
        resources: { member },
        reasons: ["username must not begin or end with blanks", 'roles contains "[secret]" more than once'],
      },
    ]) {
      await stack.setProgram({ resources });
      const preview = await stack.preview();
      rejected.push(preview);
      for (const reason of reasons) expect(messagesOf(preview, "error")).toContain(reason);
    }
    expect(writes(sandbox)).toEqual([]);

    const refused = await upThatTheServiceRefuses(sandbox, stack);
    for (const run of [...rejected, refused]) expect(excerpt(traces(run, provider), forbidden)).toBe("");
    expect(excerpt(withoutIds(await stateText(stack)), forbidden)).toBe("");
    expect((await stack.resource("people"))?.outputs).toMatchObject({ members: encrypted });
  });
});

/** Ops Manager gives ada the roles and rejects the invitations, with the name of the person. */
async function upThatTheServiceRefuses(sandbox: Sandbox, stack: Stack): Promise<Run> {
  const projectId = projectNamed(sandbox, "orders").id;
  const userId = sandbox.user({ username: stranger })?.id ?? "";
  const properties = { projectId, userId: hidden(userId), username: "owner@example.com", roles: owners };
  const { project: _, ...resources } = declared(sandbox, {
    project: { name: "moonshot", tags: [] },
    members: { [olga]: owners, [ada]: admins, [cleo]: ["GROUP_GARDENER"] },
    member: { username: "eve@example.com", roles: ["GROUP_GARDENER"] },
    team: [ada, "eve@example.com"],
  });
  await stack.setProgram({ resources: { ...resources, byId: { type: "ProjectMember", properties } } });
  for (const username of [cleo, "eve@example.com"]) {
    const detail = `${username.toUpperCase()} can not have GROUP_GARDENER.`;
    const body = { error: 400, reason: "Bad Request", errorCode: "NOT_THIS_ONE", detail };
    sandbox.addFault({ method: "POST", bodyPattern: username, fault: { status: 400, body } });
  }
  const refused = await stack.up({ continueOnError: true });
  const errors = messagesOf(refused, "error");
  expect(errors).toMatch(/Inviting \[secret\] to project .* failed: 400 NOT_THIS_ONE/);
  expect(errors).toContain("has no account with the name [secret]");
  expect(errors).toMatch(/userId \[secret\] do not name the same person/);
  expect(messagesOf(refused)).not.toContain(userId);
  expect(messagesOf(refused, "warning")).toContain('Role "[secret]" is not a project role');
  expect(membersOf(sandbox)[ada]).toEqual(admins);
  return refused;
}

it("an input that becomes a secret without another change is kept out of messages from the next up on, and nothing is sent for it (dynamic: the engine calls that the same, and keeps the old outputs)", async () => {
  const named = (name: unknown): Program =>
    projectProgram({ orgId, name, tags: ["PROD"], onDestroy: "release" });
  const { sandbox, stack } = await setUpStack({
    provider: "dynamic",
    sandbox: { seed },
    program: () => named("moonshot"),
  });
  await succeeded(stack.up());
  sandbox.clearRequests();
  await stack.setProgram(named(hidden("moonshot")));
  expect((await succeeded(stack.up())).changes).toEqual({ update: 1 });
  expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  expect(writes(sandbox)).toEqual([]);

  const destroy = await succeeded(stack.destroy());
  expect(messagesOf(destroy)).toContain("was released");
  expect(messagesOf(destroy)).not.toContain("moonshot");
});

// Trap 3 for settings: CheckConfig gets them without their mark of a secret.
it("keys of an explicit provider stay encrypted and are not printed where a setting is refused, whether the program marks them or not", async () => {
  const program = (service: Sandbox, settings: Readonly<Record<string, unknown>>): Program => {
    const { baseUrl, publicKey } = service;
    const { resources } = projectProgram(
      { orgId: service.orgId, name: "payments" },
      { provider: "${service}" },
    );
    const own = { type: "Provider", properties: { baseUrl, publicKey, proxyUrl: "", ...settings } };
    return { resources: { service: own, ...resources } };
  };
  const { sandbox, stack } = await setUpStack({
    program: (service) => program(service, { privateKey: hidden(86753099), requestTimeoutSeconds: -7 }),
  });
  await stack.setConfig({
    "opsmanager:privateKey": secret("unknown-key"),
    "opsmanager:publicKey": undefined,
  });
  const refused = await stack.up();
  expect(refused.exitCode).not.toBe(0);
  expect(messagesOf(refused, "error")).toContain("privateKey must be text");
  expect(messagesOf(refused, "error")).toContain("requestTimeoutSeconds must be 1 or more");
  expect(excerpt(traces(refused, "plugin"), /86753099|8\.6753099e/)).toBe("");

  for (const privateKey of [hidden(sandbox.privateKey), sandbox.privateKey]) {
    await stack.setProgram(program(sandbox, { privateKey }));
    const up = await succeeded(stack.up());
    expect(excerpt(traces(up, "plugin"), new RegExp(sandbox.privateKey))).toBe("");
    expect(await stateText(stack)).not.toContain(sandbox.privateKey);
    expect(await stack.resource("service")).toMatchObject({ inputs: { privateKey: encrypted } });
  }
});

// The plugin checks the address of a proxy later than other settings, in Configure.
it.each(bothProviders)(
  "invalid settings are named, and an invalid proxyUrl is not printed (%s)",
  async (provider) => {
    const { sandbox, stack } = await setUpStack({
      provider,
      program: (service) => projectProgram({ orgId: service.orgId, name: "payments" }),
      config: { "opsmanager:maxRetries": "many", "opsmanager:readCacheSeconds": "86401" },
    });
    const errors = await errorsOf(stack.up());
    expect(errors).toContain("maxRetries must be a whole number");
    expect(errors).toContain("readCacheSeconds must be 86400 or less");

    await stack.setConfig({
      "opsmanager:maxRetries": undefined,
      "opsmanager:readCacheSeconds": undefined,
      "opsmanager:proxyUrl": secret("user:hush-hush at proxy"),
    });
    const proxy = await stack.up();
    expect(proxy.exitCode).not.toBe(0);
    expect(messagesOf(proxy, "error")).toContain("proxyUrl");
    expect(messagesOf(proxy, "error")).not.toContain("fault of the provider");
    expect(excerpt(traces(proxy, provider), /hush-hush/)).toBe("");
    expect(sandbox.requests).toEqual([]);
  },
);
