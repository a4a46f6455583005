/** `opsmanager drift` after an `up` that has corrected only a part of what was changed outside Pulumi. */
import { keepDefault, type Stack, succeeded } from "../../support";
import { bothProviders, projectNamed, projectsProgram, writes } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";
import { driftOf } from "./support";

afterEach(tearDownStacks);

async function drift(stack: Stack, ...argv: string[]) {
  const { exitCode, report } = await driftOf(stack, ...argv);
  return {
    exitCode,
    findings: report.findings.map(({ name, property, declared, live, cause }) =>
      [name, property, declared ?? live, cause].join(" "),
    ),
    unreadable: report.unreadable.map(({ what, reason }) => `${what.split("::").at(-1)}: ${reason}`),
  };
}

/** The plugin's `up` begins with a read, which writes the live values into the state; the refused write leaves them there. */
const leftBehind = {
  plugin: {
    cause: "unknown",
    alone: {
      exitCode: 1,
      findings: [],
      unreadable: [expect.stringMatching(/^payments: .* declared values of tags in the state/)],
    },
  },
  dynamic: {
    cause: "outside",
    alone: { exitCode: 2, findings: ["payments tags URGENT outside"], unreadable: [] },
  },
};

const clean = { exitCode: 0, findings: [], unreadable: [] };

it.each(bothProviders)(
  "reports what is still not as declared, also of the state alone, until the program adopts it (%s provider)",
  async (provider) => {
    keepDefault("refreshBeforeUpdate", "a plain up corrects what was changed outside Pulumi");
    const programOf = (orgId: string, ...tags: string[]) =>
      projectsProgram({ payments: { properties: { orgId, name: "payments", tags } } });
    const { sandbox, stack } = await setUpStack({
      provider,
      program: ({ orgId }) => programOf(orgId, "PROD"),
    });
    await succeeded(stack.up());
    const { id } = projectNamed(sandbox, "payments");
    sandbox.changeProject(id, { tags: ["PROD", "URGENT"] });
    sandbox.addFault({ method: "PATCH", pathPattern: `/groups/${id}$`, fault: { status: 403 } });
    expect((await stack.up()).exitCode).not.toBe(0);

    const { cause, alone } = leftBehind[provider];
    const findings = [`payments tags URGENT ${cause}`];
    expect(await drift(stack)).toEqual({ exitCode: 2, findings, unreadable: [] });
    expect(await drift(stack, "--state-only")).toEqual(alone);

    // A refresh leaves nothing in the state that differs, through either provider.
    await succeeded(stack.refresh());
    expect(await drift(stack)).toMatchObject({ exitCode: 2, findings: ["payments tags URGENT unknown"] });
    await stack.setProgram(programOf(sandbox.orgId, "PROD", "URGENT"));
    expect(await drift(stack)).toEqual(clean);
    expect(await drift(stack, "--state-only")).toMatchObject({ exitCode: 1, findings: [] });
    sandbox.clearRequests();
    await succeeded(stack.up());
    expect(writes(sandbox)).toEqual([]);
    expect(await drift(stack, "--state-only")).toEqual(clean);
  },
);
