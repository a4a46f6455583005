/** Stacks of the engine's model that hold the team `operators`: in its organization, or in the project `payments`. */
import type { Sandbox, SandboxOptions } from "../../../sandbox";
import { paymentsId } from "../../engine/support/people-program";
import { orgId, seed, seedWithTeam, teamNamed, teamProgram } from "../../engine/teams/support";
import { type ProviderKind, succeeded } from "../../support";
import { setUpStack } from "../../support/model-stack";

type Properties = Readonly<Record<string, unknown>>;

interface Circumstances {
  readonly provider?: ProviderKind;
  readonly sandbox?: SandboxOptions;
  readonly config?: Readonly<Record<string, number | boolean>>;
  /** Inputs beside those that a story declares. */
  readonly properties?: Properties;
}

/** The stack has created the team of these people. `declare` changes the program. */
export async function holdTeam(
  people: readonly string[],
  { sandbox: options, properties, ...others }: Circumstances = {},
) {
  const team = (usernames: readonly string[], more?: Properties) =>
    teamProgram({ orgId, name: "operators", usernames, ...properties, ...more });
  const setup = await setUpStack({
    ...others,
    sandbox: { seed, ...options },
    program: () => team(people),
  });
  const { sandbox, stack } = setup;
  await succeeded(stack.up());
  sandbox.clearRequests();
  return {
    setup,
    sandbox,
    stack,
    projectId: paymentsId(sandbox),
    teamId: teamNamed(sandbox, "operators").id,
    declare: (usernames: readonly string[], more?: Properties) => stack.setProgram(team(usernames, more)),
    replace: async (flags = {}) => stack.up({ replace: (await stack.resource("operators"))?.urn, ...flags }),
  };
}

/** The stack has given the team, of one person and no resource, these roles in the project. */
export async function holdProjectTeam(
  roles: readonly string[],
  { sandbox: options, properties = { teamName: "operators" }, ...others }: Circumstances = {},
) {
  const inProject = (projectId: string, given: readonly string[], more: Properties = properties) =>
    teamProgram(undefined, { payments: { projectId, roles: given, ...more } });
  const setup = await setUpStack({
    ...others,
    sandbox: { seed: seedWithTeam, ...options },
    program: (service) => inProject(paymentsId(service), roles),
  });
  const { sandbox, stack } = setup;
  const projectId = paymentsId(sandbox);
  await succeeded(stack.up());
  return {
    setup,
    sandbox,
    stack,
    projectId,
    teamId: teamNamed(sandbox, "operators").id,
    declare: (given: readonly string[], more?: Properties) =>
      stack.setProgram(inProject(projectId, given, more)),
  };
}

export function idOf(sandbox: Sandbox, username: string): string {
  return sandbox.user({ username })?.id ?? "";
}

/** Makes the team outside Pulumi one of exactly these people. */
export function changePeople(sandbox: Sandbox, usernames: readonly string[]): void {
  const { id } = teamNamed(sandbox, "operators");
  sandbox.changeTeam(id, { userIds: usernames.map((username) => idOf(sandbox, username)) });
}
