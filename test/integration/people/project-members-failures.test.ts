/**
 * ProjectMembers: a failure for one member does not stop the others, and the state records what
 * happened.
 */

import {
  invitedTo,
  membersOf,
  membersProgram,
  nothing,
  paymentsId,
  upAgain,
} from "../../engine/support/people-program";
import { bothProviders, errorsOf, messagesOf, timesPrinted } from "../../engine/support/project-program";
import { keepDefault, type ProviderKind, succeeded } from "../../support";
import { type Run, setUpStack, tearDownStacks } from "../../support/model-stack";
import { ada, admins, ben, cleo, olga, owners, readers } from "../../support/people";

afterEach(tearDownStacks);

const newcomers = ["nina@example.com", "noor@example.com", "nuri@example.com"];

const members = { [olga]: owners, [ada]: readers, [ben]: readers, [cleo]: readers };
const seed = { projects: [{ name: "payments", members }] };

const namesIn = (values: unknown) => Object.keys(values as object);

describe("a failure among several changes of ProjectMembers", () => {
  const begin = async (provider: ProviderKind = "plugin") => {
    const setup = await setUpStack({
      provider,
      sandbox: { seed },
      config: { "opsmanager:maxRetries": 0 },
      program: (sandbox) => membersProgram({ projectId: paymentsId(sandbox), members }),
    });
    await succeeded(setup.stack.up());
    const projectId = paymentsId(setup.sandbox);
    const userId = (username: string) => setup.sandbox.user({ username })?.id;
    const declare = (members: object) => setup.stack.setProgram(membersProgram({ projectId, members }));
    return { ...setup, projectId, userId, declare };
  };

  const partial =
    "is one sentence in the error; after a refused addition and a refused removal the others are done, and the next up finishes";

  it.each(bothProviders)(`${partial} (%s)`, async (provider) => {
    const { sandbox, stack, projectId, userId, declare } = await begin(provider);
    const declared = { [olga]: owners, ...Object.fromEntries(newcomers.map((name) => [name, readers])) };
    await declare(declared);
    const refusal = (errorCode: string) => ({
      status: 403,
      body: { error: 403, reason: "Forbidden", errorCode, detail: "Not today." },
    });
    sandbox.addFault({ method: "POST", pathPattern: "/invites$", fault: refusal("NOT_THIS_ONE") });
    sandbox.addFault({ method: "DELETE", pathPattern: `/users/${userId(ben)}$`, fault: refusal("NOT_BEN") });

    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    const invited = namesIn(invitedTo(sandbox));
    const [refused = "", ...more] = newcomers.filter((name) => !invited.includes(name));
    expect(more).toEqual([]);
    expect(namesIn(membersOf(sandbox))).toEqual([ben, olga]);
    const reported = messagesOf(up, "error");
    expect(reported).toMatch(new RegExp(`Inviting ${refused} .*NOT_THIS_ONE`));
    expect(reported).toMatch(new RegExp(`Removing ${ben} from project ${projectId} failed.*NOT_BEN`));
    expect(timesPrinted(up, " failed: ")).toBe(2);

    const recorded = await stack.resource("people");
    expect(recorded?.outputs?.members).toEqual({
      [ben]: readers,
      ...Object.fromEntries(invited.map((name) => [name, readers])),
      [olga]: owners,
    });
    expect(recorded?.outputs?.memberDetails).toEqual([
      // Still to be removed.
      expect.objectContaining({ username: ben, status: "active", declared: true }),
      ...invited.map((username) => expect.objectContaining({ username, status: "pending", declared: true })),
      expect.objectContaining({ username: olga, status: "active", declared: true }),
    ]);

    expect((await succeeded(stack.up())).changes).toEqual({ update: 1 });
    expect(membersOf(sandbox)).toEqual({ [olga]: owners });
    expect(namesIn(invitedTo(sandbox))).toEqual(newcomers);
    expect(await upAgain({ sandbox, stack })).toEqual(nothing);
  });

  it("is one sentence for all members if the connection is lost, and the state records the members that were read afterwards", async () => {
    const { sandbox, stack, declare } = await begin();
    await declare({ [olga]: owners, [newcomers[0] ?? ""]: readers });
    sandbox.addFault({ method: "DELETE", times: 0, fault: "reset-before-write" });
    const up = await stack.up();
    expectOneSentence(up, [ada, ben, cleo]);
    expect((await stack.resource("people"))?.outputs?.members).toEqual({
      ...members,
      [newcomers[0] ?? ""]: readers,
    });
    sandbox.clearFaults();
    await succeeded(stack.up());
    expect(membersOf(sandbox)).toEqual({ [olga]: owners });
  });

  it("names the roles if Ops Manager stores other roles than the provider sent", async () => {
    const { sandbox, stack, projectId, userId, declare } = await begin();
    await declare({ ...members, [ada]: admins });
    const body = { results: [{ id: userId(ada), username: ada, roles: [] }], totalCount: 1 };
    sandbox.addFault({ method: "POST", fault: { status: 200, body } });
    expect(await errorsOf(stack.up())).toContain(
      `Roles of ${ada} were sent as GROUP_USER_ADMIN, but the service stored GROUP_READ_ONLY.`,
    );
    expect((await stack.resource("people"))?.outputs?.members).toEqual(members);
    await succeeded(stack.up());
    expect(membersOf(sandbox, projectId)[ada]).toEqual(admins);
  });

  it("keeps the owners if the provider cannot read which members are left", async () => {
    keepDefault("refreshBeforeUpdate", "the fault counts the reads of the refresh");
    const { sandbox, stack, projectId, declare } = await begin();
    sandbox.setMember(projectId, { username: ada }, owners);
    await declare({ [ada]: owners, [ben]: readers, [cleo]: readers });
    // Ops Manager returns the reads of the refresh and of the plan, and no read after these.
    const pathPattern = `/groups/${projectId}/users(\\?.*)?$`;
    sandbox.addFault({
      method: "GET",
      pathPattern,
      times: 2,
      fault: { delayMs: 0 },
    });
    sandbox.addFault({ method: "GET", pathPattern, times: 0, fault: { status: 500, body: {} } });
    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    expectOneSentence(up, [olga]);
    expect(membersOf(sandbox)).toMatchObject({ [ada]: owners, [olga]: owners });
  });
});

function expectOneSentence(run: Run, names: readonly string[]): void {
  expect(run.exitCode).not.toBe(0);
  const sentences = messagesOf(run, "error").match(/This concerns [^ ]+(, [^ ]+)*\./g) ?? [];
  const concerned = sentences.map((sentence) =>
    sentence.slice("This concerns ".length, -1).split(", ").sort(),
  );
  expect(concerned).toEqual([[...names].sort()]);
  expect(timesPrinted(run, " failed: ")).toBe(1);
}
