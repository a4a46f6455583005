/** The project `payments` on stacks of the engine's model: what the stories of this folder share. */
import type { Sandbox } from "../../../sandbox";
import { paymentsOn } from "../../engine/support/payments";
import { projectNamed, projectProgram } from "../../engine/support/project-program";
import { type ResourceOptions, succeeded } from "../../support";
import { type Stack, setUpStack } from "../../support/model-stack";

type Properties = Readonly<Record<string, unknown>>;

const { createPayments, declareExisting } = paymentsOn(setUpStack);

function storyOf({ sandbox, stack }: { readonly sandbox: Sandbox; readonly stack: Stack }) {
  const { orgId } = sandbox;
  return {
    sandbox,
    stack,
    orgId,
    record: () => stack.resource("payments"),
    outputs: async () => (await stack.resource("payments"))?.outputs,
    urn: async () => (await stack.resource("payments"))?.urn,
    /** Changes the program. */
    declare: (properties: Properties, options?: ResourceOptions) =>
      stack.setProgram(projectProgram(properties, options)),
    /** Changes the program of a project that was created: properties beside its organization and name. */
    declareCreated: (properties: Properties = {}, options?: ResourceOptions) =>
      stack.setProgram(projectProgram({ orgId, name: "payments", ...properties }, options)),
  };
}

/** The program declares a project by the organization and the name `payments`. The first `up` is still to come. */
export async function startPayments(
  properties: Properties = {},
  { options, ...others }: NonNullable<Parameters<typeof createPayments>[1]> = {},
) {
  const setup = await setUpStack({
    ...others,
    program: ({ orgId }) => projectProgram({ orgId, name: "payments", ...properties }, options),
  });
  return storyOf(setup);
}

/** The stack has created the project. */
export async function holdPayments(...given: Parameters<typeof createPayments>) {
  const held = await createPayments(...given);
  held.sandbox.clearRequests();
  return { ...storyOf(held), id: held.id };
}

/** The program declares the project `payments` of the service by its `projectId`. The first `up` is still to come. */
export async function startAdoption(
  properties: Properties = {},
  circumstances: Parameters<typeof declareExisting>[1] = {},
) {
  const seed = { projects: [{ name: "payments", tags: ["OLD"] }] };
  const { sandbox, ...others } = circumstances;
  const declared = await declareExisting(properties, { ...others, sandbox: { seed, ...sandbox } });
  return { ...storyOf(declared), id: declared.id };
}

/** The stack has adopted the project. */
export async function holdAdopted(...given: Parameters<typeof startAdoption>) {
  const adopted = await startAdoption(...given);
  await succeeded(adopted.stack.up());
  adopted.sandbox.clearRequests();
  return adopted;
}

export const idOfPayments = (sandbox: Sandbox) => projectNamed(sandbox, "payments").id;
