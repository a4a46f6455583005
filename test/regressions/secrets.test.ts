/** Secrets in what a run says. */
import { bothProviders, messagesOf } from "../engine/support/project-program";
import { setUpStack, tearDownStacks } from "../engine/support/stack-setup";
import { ada, orgId, seed, teamNamed } from "../engine/teams/support";
import { succeeded } from "../support";

afterEach(tearDownStacks);

const team = (name: string, more: object = {}) => ({
  type: "Team",
  properties: { orgId, name: { "fn::secret": name }, usernames: [ada], ...more },
});

/**
 * A team that another resource had adopted was to be renamed. Diff said `Team "project-nightfall" is already declared by …`, where
 * Update says `[secret]`.
 */
it.each(bothProviders)("a secret name is masked in an error of Diff, too (%s)", async (provider) => {
  const { sandbox, stack } = await setUpStack({
    provider,
    sandbox: { seed },
    // A refresh would show earlier whose team it is.
    config: { "opsmanager:refreshBeforeUpdate": false },
    program: () => ({ resources: { operators: team("project-nightfall") } }),
  });
  await succeeded(stack.up());
  const { id: teamId } = teamNamed(sandbox, "project-nightfall");
  const operators = { ...team("project-daybreak"), options: { dependsOn: ["${adopted}"] } };
  await stack.setProgram({ resources: { adopted: team("project-nightfall", { teamId }), operators } });
  const run = await stack.up();
  expect(run.exitCode).not.toBe(0);
  expect(messagesOf(run, "error")).toMatch(/Team "\[secret\]" is already declared by /);
  expect(run.output).not.toMatch(/nightfall|daybreak/);
});
