/** The one project with which every installation option is tried. */
import { type Sandbox, startSandbox } from "../../../../sandbox";
import {
  createStack,
  disposeStacks,
  type Program,
  type ProgramFolder,
  type Stack,
  succeeded,
} from "../../../support";
import { projectNamed, projectProgram } from "../../support/project-program";
import { connection } from "../../support/stack-setup";

const sandboxes = new Set<Sandbox>();

export interface Payments {
  readonly sandbox: Sandbox;
  readonly stack: Stack;
}

/** A stack on a service of its own. A program in a folder finds the organization in its config, as `orgId`. */
export async function openStack(program: ProgramFolder | ((orgId: string) => Program)): Promise<Payments> {
  const sandbox = await startSandbox();
  sandboxes.add(sandbox);
  const stack = await createStack({
    program: typeof program === "function" ? program(sandbox.orgId) : program,
    config: { ...connection(sandbox), "platform:orgId": sandbox.orgId },
  });
  return { sandbox, stack };
}

/** In Pulumi YAML, for the plugin in that folder, or the one that the engine finds by itself. */
export function yamlPayments(pluginFolder: string | null): (orgId: string) => Program {
  return (orgId) => ({
    ...projectProgram({ orgId, name: "payments", tags: ["PROD"] }),
    outputs: { projectId: "${payments.projectId}" },
    pluginFolder,
  });
}

/** An `up` creates the project. The rest is the same for each installation. */
export async function expectToWork({ sandbox, stack }: Payments): Promise<void> {
  expect((await succeeded(stack.up())).changes).toEqual({ create: 1 });
  const { id, tags } = projectNamed(sandbox, "payments");
  expect(tags).toEqual(["PROD"]);
  expect(await stack.outputs()).toEqual({ projectId: id });
}

/** For `afterEach`. */
export async function closeStacks(): Promise<void> {
  await disposeStacks();
  await Promise.all([...sandboxes].map((sandbox) => sandbox.close()));
  sandboxes.clear();
}
