/** Settings as the stack's config holds them. */
import { bothProviders, errorsOf, projectProgram, projectsNamed } from "../../engine/support/project-program";
import { succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";

afterEach(tearDownStacks);

it.each(bothProviders)(
  "settings are read from text, as the stack's config holds them (%s)",
  async (provider) => {
    const { sandbox, stack } = await setUpStack({
      provider,
      program: ({ orgId }) => projectProgram({ orgId, name: "payments" }),
      config: { "opsmanager:maxRetries": "0", "opsmanager:requestTimeoutSeconds": "10" },
    });
    const busy = { status: 503, headers: { "Retry-After": "0" }, body: { error: 503 } };
    sandbox.addFault({ method: "POST", fault: busy });
    expect(await errorsOf(stack.up())).toContain("503");
    expect(projectsNamed(sandbox, "payments")).toEqual([]);

    await stack.setConfig({ "opsmanager:maxRetries": "1" });
    sandbox.addFault({ method: "POST", fault: busy });
    await succeeded(stack.up());
    expect(projectsNamed(sandbox, "payments")).toHaveLength(1);
  },
);
