/** Names of people can be secrets: then no run shows one, and no state holds one in clear text. */
import { type ProviderKind, type Run, type Stack, succeeded } from "../../support";
import { ada, admins, cleo, olga, owners, readers, stranger } from "../../support/people";
import { differences } from "../support/differences";
import { stateText } from "../support/mechanics";
import { invitedTo, membersOf, membersProgram, paymentsId } from "../support/people-program";
import { bothProviders, messagesOf } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const hidden = (value: unknown) => ({ "fn::secret": value });

const username = /(olga|ada|cleo|stranger)(@|%40)example\.com/i;

const seed = { projects: [{ name: "payments", members: { [olga]: owners, [ada]: readers } }] };

/**
 * All output of a run, for people and for programs that read its events. It includes the debug
 * lines of the provider plugin.
 */
function traces({ stdout, stderr, events }: Run, provider: ProviderKind): string {
  const shown = events.filter(
    ({ diagnosticEvent: event }) => event === undefined || differences[provider].isOfProvider(event),
  );
  return `${stdout}\n${stderr}\n${JSON.stringify(shown)}`;
}

/** Where a text holds what it must not; empty where it does not. */
function excerpt(text: string): string {
  const at = text.search(username);
  return at < 0 ? "" : text.slice(Math.max(0, at - 300), at + 200);
}

async function expectEncrypted(stack: Stack): Promise<void> {
  expect(excerpt(await stateText(stack))).toBe("");
  const { inputs, outputs } = (await stack.resource("people")) ?? {};
  const encrypted = { ciphertext: expect.any(String) };
  expect(inputs).toMatchObject({ members: encrypted });
  expect(outputs).toMatchObject({ members: encrypted, memberDetails: encrypted });
}

/** A stack whose people are secret, before its first `up`. */
function declareSecretly(provider: ProviderKind, people: Readonly<Record<string, readonly string[]>>) {
  return setUpStack({
    provider,
    sandbox: { seed },
    program: (sandbox) => membersProgram({ projectId: paymentsId(sandbox), members: hidden(people) }),
  });
}

describe.each(bothProviders)("secret people (%s)", (provider) => {
  it("stay encrypted in the state and unnamed in what a run shows, through create, drift and update", async () => {
    const { sandbox, stack } = await declareSecretly(provider, {
      [olga]: owners,
      [ada]: readers,
      [cleo]: readers,
    });
    const projectId = paymentsId(sandbox);
    const runs = [await succeeded(stack.preview()), await succeeded(stack.up())];
    await expectEncrypted(stack);
    expect(invitedTo(sandbox)).toEqual({ [cleo]: readers });
    const second = await succeeded(stack.up());
    expect(second.changes).toEqual({ same: 1 });

    const members = hidden({ [olga]: owners, [ada]: admins });
    await stack.setProgram(membersProgram({ projectId, members }));
    runs.push(await succeeded(stack.preview({ diff: true })), await succeeded(stack.up()));
    await expectEncrypted(stack);
    expect(membersOf(sandbox)).toEqual({ [ada]: admins, [olga]: owners });

    sandbox.setMember(projectId, { username: ada }, readers);
    const refresh = await succeeded(stack.refresh());
    await expectEncrypted(stack);
    const json = await succeeded(stack.preview({ json: true }));
    runs.push(second, refresh, json, await succeeded(stack.up()));
    expect(membersOf(sandbox)[ada]).toEqual(admins);
    for (const run of runs) expect(excerpt(traces(run, provider))).toBe("");
  });
});

describe.each(bothProviders)("secret members (%s)", (provider) => {
  it("are not named if Ops Manager rejects one, and stay encrypted after the failed create and the next up", async () => {
    // Ops Manager gives ada the roles and rejects the invitation of cleo.
    const { sandbox, stack } = await declareSecretly(provider, {
      [olga]: owners,
      [ada]: admins,
      [cleo]: readers,
    });
    const body = { error: 400, reason: "Bad Request", errorCode: "NOT_THIS_ONE", detail: `Not ${cleo}.` };
    sandbox.addFault({ method: "POST", pathPattern: "/invites", fault: { status: 400, body } });
    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(messagesOf(up, "error")).toContain("NOT_THIS_ONE");
    expect(excerpt(traces(up, provider))).toBe("");
    expect(membersOf(sandbox)[ada]).toEqual(admins);
    await expectEncrypted(stack);

    await succeeded(stack.up());
    expect(invitedTo(sandbox)).toEqual({ [cleo]: readers });
    await expectEncrypted(stack);
  });

  it("are not named by the warning about unlisted users", async () => {
    const { sandbox, stack } = await declareSecretly(provider, { [olga]: owners });
    sandbox.setMember(paymentsId(sandbox), { username: stranger }, readers);
    const up = await succeeded(stack.up());
    expect(messagesOf(up, "warning")).toContain("are not listed and not changed");
    expect(excerpt(await stateText(stack))).toBe("");
    expect(messagesOf(up, "warning")).not.toContain(olga);
  });
});
