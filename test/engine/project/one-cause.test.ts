/** A cause for which every resource fails: it is explained once. */
import { type Stack, secret, succeeded } from "../../support";
import { opsmanager } from "../support/opsmanager";
import { bothProviders, messagesOf, projectsProgram } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const names = ["billing", "payments", "search", "tools"];
const refused = /The service refused API key \w+ from the stack's config/g;
const unreachable = /cannot be reached: connect ECONNREFUSED/g;

/** A refresh takes the keys of the state, which an `up` replaces, also one that fails. */
async function errorsOfRefresh(stack: Stack): Promise<string> {
  await stack.up();
  return messagesOf(await stack.refresh(), "error");
}

describe.each(bothProviders)("four projects (%s)", (provider) => {
  it("of which none can be read have one error that explains why, and three that refer to it", async () => {
    const { sandbox, stack } = await setUpStack({
      provider,
      plugin: "started",
      config: { "opsmanager:maxRetries": 0 },
      program: ({ orgId }) =>
        projectsProgram(Object.fromEntries(names.map((name) => [name, { properties: { orgId, name } }]))),
    });
    await succeeded(stack.up());
    const { privateKey } = sandbox;
    await stack.setConfig({ "opsmanager:privateKey": secret("not-the-key") });

    const withWrongKey = await errorsOfRefresh(stack);
    expect(withWrongKey.match(refused)).toHaveLength(1);
    expect(withWrongKey.match(/Key refused: see \w+/g)).toHaveLength(3);
    const drift = await opsmanager(stack, ["drift"]);
    expect(drift.exitCode).toBe(1);
    expect(drift.stdout.match(refused)).toHaveLength(1);
    expect(drift.stdout).toMatch(/^Not determined: Key refused, 4 resources; 1 other entry\./);
    expect(drift.stdout).toMatch(
      /\? Key refused, 4 resources: \w+ \(Project\), .* and 1 more: Reading project /,
    );

    await stack.setConfig({ "opsmanager:privateKey": secret(privateKey) });
    await sandbox.close();
    const whileStopped = await errorsOfRefresh(stack);
    expect(whileStopped.match(unreachable)).toHaveLength(1);
    expect(whileStopped.match(/Unreachable: see \w+/g)).toHaveLength(3);
  });
});
