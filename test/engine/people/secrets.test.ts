/**
 * People whom a program keeps secret: encrypted in the state, masked in all that a run shows. One location is not: the id of a
 * ProjectMember names the person, as everything that the engine calls an id is in clear.
 */
import type { Sandbox } from "../../../sandbox";
import { type Program, type ProviderKind, type Run, type Stack, succeeded } from "../../support";
import { admins, bob, cleo, olga, owners, readers, stranger } from "../../support/people";
import { differences } from "../support/differences";
import { excerpt, stateText } from "../support/mechanics";
import { invitedTo, membersOf, paymentsId } from "../support/people-program";
import { bothProviders, messagesOf, projectNamed } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";
import { ada, grace, linus, orgId, seed, teamNamed, teamsOf } from "../teams/support";

afterEach(tearDownStacks);

const secretRole = "GROUP_BACKUP_ADMIN";
const forbidden = /(olga|ada|bob|cleo|grace|linus|eve)(@|%40)example\.com|BACKUP_ADMIN|GARDENER/i;
const hidden = (value: unknown) => ({ "fn::secret": value });
const encrypted = { ciphertext: expect.any(String) };

/** People of `payments` as a list, one person of `orders`, and a team. */
interface People {
  readonly members: Readonly<Record<string, readonly string[]>>;
  readonly member: { readonly username: string; readonly roles: readonly string[] };
  readonly team: readonly string[];
}

function declared(service: Sandbox, { members, member, team }: People): Program {
  const orders = projectNamed(service, "orders").id;
  const [username, roles] = [hidden(member.username), hidden(member.roles)];
  return {
    resources: {
      people: {
        type: "ProjectMembers",
        properties: { projectId: paymentsId(service), members: hidden(members) },
      },
      bob: { type: "ProjectMember", properties: { projectId: orders, username, roles } },
      operators: { type: "Team", properties: { orgId, name: "operators", usernames: hidden(team) } },
    },
  };
}

function setUp(provider: ProviderKind, people: People) {
  const projects = [
    { name: "payments", members: { [olga]: owners, [ada]: readers, [stranger]: readers } },
    { name: "orders", members: { [olga]: owners, [bob]: readers } },
  ];
  return setUpStack({
    provider,
    sandbox: { seed: { ...seed, projects } },
    program: (service) => declared(service, people),
  });
}

/** All that a run shows to people and to programs that read its events, but for the id of the person of `orders`. */
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
  const of = async (name: string) => (await stack.resource(name))?.outputs;
  expect(await of("people")).toMatchObject({ members: encrypted, memberDetails: encrypted });
  expect(await of("bob")).toMatchObject({ username: encrypted, roles: encrypted });
  expect(await of("operators")).toMatchObject({ usernames: encrypted, people: encrypted });
}

describe.each(bothProviders)("secret people (%s)", (provider) => {
  it("stay encrypted in the state and unnamed in what a run shows, through create, drift and update", async () => {
    const { sandbox, stack } = await setUp(provider, {
      members: { [olga]: owners, [ada]: readers, [cleo]: readers },
      member: { username: bob, roles: [secretRole] },
      team: [ada, grace],
    });
    const orders = projectNamed(sandbox, "orders").id;
    const runs = [await succeeded(stack.preview()), await succeeded(stack.up())];
    expect(runs.map((run) => messagesOf(run, "warning")).join()).toContain("is not listed and not changed");
    expect(invitedTo(sandbox)).toEqual({ [cleo]: readers });
    expect(membersOf(sandbox, orders)).toMatchObject({ [bob]: [secretRole] });
    expect((await stack.resource("bob"))?.id).toBe(`${orders}/${bob}`);
    await expectEncrypted(stack);

    sandbox.setMember(paymentsId(sandbox), { username: ada }, owners);
    sandbox.setMember(orders, { username: bob }, owners);
    const userId = sandbox.user({ username: linus })?.id ?? "";
    sandbox.changeTeam(teamNamed(sandbox, "operators").id, { userIds: [userId] });
    runs.push(await succeeded(stack.refresh()));
    await expectEncrypted(stack);

    const changed: People = {
      members: { [olga]: owners, [ada]: admins },
      member: { username: bob, roles: [secretRole, "GROUP_OWNER"] },
      team: [ada, linus],
    };
    await stack.setProgram(declared(sandbox, changed));
    const json = await succeeded(stack.preview({ json: true }));
    runs.push(json, await succeeded(stack.preview({ diff: true })));
    runs.push(await succeeded(stack.up()));
    await expectEncrypted(stack);
    expect(membersOf(sandbox)).toMatchObject({ [ada]: admins, [olga]: owners });
    expect(teamsOf(sandbox)).toEqual({ operators: [ada, linus] });
    for (const run of runs) expect(excerpt(traces(run, provider), forbidden)).toBe("");
  });

  it("are masked where Check rejects them and where the service does, and stay encrypted after it", async () => {
    const twice = [secretRole, secretRole];
    const faulty: People = {
      members: { [olga]: twice, "OLGA@example.com": owners },
      member: { username: ` ${bob}`, roles: twice },
      team: [ada],
    };
    const { sandbox, stack } = await setUp(provider, faulty);
    const { people, bob: member } = declared(sandbox, faulty).resources ?? {};
    const rejected: Run[] = [];
    // A preview ends at the first resource that Check rejects.
    for (const { resources, reasons } of [
      {
        resources: { ...(people && { people }) },
        reasons: [
          'members["[secret]"] contains "[secret]" more than once',
          'members names one person more than once: "[secret]" and "[secret]"',
        ],
      },
      {
        resources: { ...(member && { member }) },
        reasons: ["username must not begin or end with blanks", 'roles contains "[secret]" more than once'],
      },
    ]) {
      await stack.setProgram({ resources });
      const preview = await stack.preview();
      rejected.push(preview);
      for (const reason of reasons) expect(messagesOf(preview, "error")).toContain(reason);
    }

    // Ops Manager gives ada the roles and rejects the invitations, with the name of the person.
    const program = declared(sandbox, {
      members: { [olga]: owners, [ada]: admins, [cleo]: ["GROUP_GARDENER"] },
      member: { username: "eve@example.com", roles: ["GROUP_GARDENER"] },
      team: [ada, "eve@example.com"],
    });
    const projectId = projectNamed(sandbox, "orders").id;
    const userId = sandbox.user({ username: stranger })?.id ?? "";
    const properties = { projectId, userId: hidden(userId), username: "owner@example.com", roles: owners };
    const byId = { type: "ProjectMember", properties };
    await stack.setProgram({ resources: { ...program.resources, byId } });
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
    for (const run of [...rejected, refused]) expect(excerpt(traces(run, provider), forbidden)).toBe("");
    expect(excerpt(withoutIds(await stateText(stack)), forbidden)).toBe("");
    expect((await stack.resource("people"))?.outputs).toMatchObject({ members: encrypted });
  });
});
