/** The project `payments` on stacks of the real engine or of its model: the set-up of most stories about a project. */
import type { Sandbox, SandboxOptions } from "../../../sandbox";
import {
  type ConfigValue,
  type Program,
  type ProviderKind,
  type ResourceOptions,
  type Run,
  succeeded,
} from "../../support";
import { projectNamed, projectProgram } from "./project-program";

interface Options {
  readonly provider?: ProviderKind;
  readonly sandbox?: SandboxOptions;
  readonly config?: Readonly<Record<string, ConfigValue>>;
  readonly program: (sandbox: Sandbox) => Program;
}

interface Circumstances extends Omit<Options, "program"> {
  readonly options?: ResourceOptions;
}

interface AnyStack {
  up(): Promise<Pick<Run, "exitCode" | "output">>;
}

/** The project `payments` on stacks that this function sets up. */
export function paymentsOn<Stack extends AnyStack>(
  setUpStack: (options: Options) => Promise<{ readonly sandbox: Sandbox; readonly stack: Stack }>,
) {
  /** The stack has created it by its organization and name. `properties` are inputs beside these. */
  async function createPayments(
    properties: Readonly<Record<string, unknown>> = {},
    { options, ...others }: Circumstances = {},
  ) {
    const setup = await setUpStack({
      ...others,
      program: ({ orgId }) => projectProgram({ orgId, name: "payments", ...properties }, options),
    });
    await succeeded(setup.stack.up());
    const { sandbox, stack } = setup;
    return { sandbox, stack, id: projectNamed(sandbox, "payments").id, orgId: sandbox.orgId };
  }

  /** The program declares it by the id of the project of this name in the seed. The first `up` is still to come. */
  async function declareExisting(
    properties: Readonly<Record<string, unknown>> = {},
    { options, ...others }: Circumstances = {},
  ) {
    const { sandbox, stack } = await setUpStack({
      ...others,
      program: (service) =>
        projectProgram({ projectId: projectNamed(service, "payments").id, ...properties }, options),
    });
    return { sandbox, stack, id: projectNamed(sandbox, "payments").id };
  }

  return { createPayments, declareExisting };
}
