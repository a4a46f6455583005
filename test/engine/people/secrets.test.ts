/**
 * People whom a program keeps secret: encrypted in the state, masked in messages. One location is not: the id of a ProjectMember
 * names the person, as everything that the engine calls an id is in clear.
 */
import { type Program, type ProviderKind, type Run, type Stack, succeeded } from "../../support";
import { ada, owner } from "../../support/people";
import { differences } from "../support/differences";
import { memberProgram, membersOf, membersProgram, paymentsId } from "../support/people-program";
import { bothProviders, messagesOf } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const secretRole = "GROUP_BACKUP_ADMIN";
const seed = {
  projects: [{ name: "payments", members: { [owner]: ["GROUP_OWNER"], [ada]: ["GROUP_READ_ONLY"] } }],
};

const hidden = (value: unknown) => ({ "fn::secret": value });
const encrypted = { ciphertext: expect.any(String) };

/** All that the provider has a part in: messages and per-property changes. */
function printedBy({ diagnostics, steps, stdout }: Run, id: string, provider: ProviderKind): string {
  const messages = diagnostics.filter(differences[provider].isOfProvider);
  return JSON.stringify([messages, steps.map(({ detailedDiff }) => detailedDiff), stdout]).replaceAll(id, "");
}

async function recordOf(stack: Stack, name: string): Promise<string> {
  const { id: _, ...record } = (await stack.resource(name)) ?? {};
  return JSON.stringify(record);
}

describe.each(bothProviders)("a person whose name and roles are secret (%s)", (provider) => {
  it("stays encrypted in the state but for the id, through adoption, drift and refresh", async () => {
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed },
      program: (service) =>
        memberProgram({ projectId: paymentsId(service), username: hidden(ada), roles: hidden([secretRole]) }),
    });
    const id = `${paymentsId(sandbox)}/${ada}`;
    const up = await succeeded(stack.up());
    expect(membersOf(sandbox)).toMatchObject({ [ada]: [secretRole] });
    expect((await stack.resource("ada"))?.id).toBe(id);
    for (const kind of ["inputs", "outputs"] as const) {
      expect((await stack.resource("ada"))?.[kind]).toMatchObject({ username: encrypted, roles: encrypted });
    }
    expect(await recordOf(stack, "ada")).not.toMatch(/ada@example\.com|BACKUP/);
    expect(printedBy(up, id, provider)).not.toMatch(/ada@example\.com|BACKUP/);

    sandbox.setMember(paymentsId(sandbox), { username: ada }, ["GROUP_OWNER"]);
    await succeeded(stack.refresh());
    expect(await recordOf(stack, "ada")).not.toMatch(/ada@example\.com|BACKUP/);
    expect((await stack.resource("ada"))?.outputs).toMatchObject({ username: encrypted, roles: encrypted });
  });
});

describe.each(bothProviders)("people who are secret, in messages (%s),", (provider) => {
  it("are masked where Check rejects them, and in every error and warning about one person", async () => {
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed: { projects: [{ name: "payments" }] } },
      program: () => ({}),
    });
    const projectId = paymentsId(sandbox);
    const rejected: readonly (readonly [Program, readonly string[]])[] = [
      [
        memberProgram({ projectId, username: hidden(` ${ada}`), roles: hidden([secretRole, secretRole]) }),
        ["username must not begin or end with blanks", 'roles contains "[secret]" more than once'],
      ],
      [
        membersProgram({
          projectId,
          members: hidden({ [ada]: [secretRole, secretRole], "ADA@example.com": ["GROUP_OWNER"] }),
        }),
        [
          'members["[secret]"] contains "[secret]" more than once',
          'members names one person more than once: "[secret]" and "[secret]"',
        ],
      ],
    ];
    for (const [program, reasons] of rejected) {
      await stack.setProgram(program);
      const preview = await stack.preview();
      expect(preview.exitCode).not.toBe(0);
      const text = messagesOf(preview, "error");
      expect(reasons.filter((reason) => !text.includes(reason))).toEqual([]);
      expect(printedBy(preview, "", provider)).not.toMatch(/ada@example\.com|BACKUP/i);
    }

    await stack.setProgram(
      memberProgram({ projectId, username: hidden(ada), roles: hidden(["GROUP_GARDENER"]) }),
    );
    const detail = "No user called ADA@example.com can have GROUP_GARDENER.";
    const body = { error: 400, errorCode: "DEFAULT_INVITATION_EXCEPTION", detail };
    sandbox.addFault({ method: "POST", fault: { status: 400, body } });
    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(messagesOf(up, "error")).toMatch(
      /Inviting \[secret\] to project .* failed: 400 DEFAULT_INVITATION/,
    );
    expect(messagesOf(up, "warning")).toContain('Role "[secret]" is not a project role');
    expect(printedBy(up, `${projectId}/${ada}`, provider)).not.toMatch(/ada@example\.com|GARDENER/i);
  });

  it("are masked where they are given by an id, and the key is in no message", async () => {
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed },
      program: (service) => {
        const userId = service.user({ username: ada })?.id;
        return memberProgram({
          projectId: paymentsId(service),
          userId: hidden(userId),
          username: owner,
          roles: ["GROUP_OWNER"],
        });
      },
    });
    const userId = sandbox.user({ username: ada })?.id ?? "";
    const up = await stack.up({ debug: true });
    expect(up.exitCode).not.toBe(0);
    expect(messagesOf(up, "error")).toMatch(/userId \[secret\] do not name the same person/);
    expect(messagesOf(up)).not.toContain(userId);
    expect(`${up.stdout}${up.stderr}${JSON.stringify(up.events)}`).not.toContain(sandbox.privateKey);
  });
});
