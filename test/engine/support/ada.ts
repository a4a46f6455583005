/** Ada, a member of the project `payments` or invited to it: the setup for tests of a member's lifecycle. */
import type { SandboxOptions } from "../../../sandbox";
import { type ProviderKind, succeeded } from "../../support";
import type { StackSetup, StackSetupOptions } from "../../support/model-stack";
import { ada, owner, readers as roles } from "../../support/people";
import { invitationOf, memberProgram, paymentsId } from "./people-program";

export { ada, owner, roles };

export interface Circumstances {
  readonly provider: ProviderKind;
  /** The project has its owner, unless a seed replaces this. */
  readonly sandbox?: SandboxOptions;
  /** False: the operation itself meets what happened since the last `up`; through the dynamic provider it always does. */
  readonly refreshBeforeUpdate?: boolean;
  /** Inputs beside `projectId`, `username` and `roles`. */
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** Ada on stacks that this function sets up. */
export function adaOn(setUpStack: (options: StackSetupOptions) => Promise<StackSetup>) {
  /** A stack whose first `up` is still to come. */
  async function declareAda({
    provider,
    sandbox: options,
    refreshBeforeUpdate = true,
    properties,
  }: Circumstances) {
    const members = { [owner]: ["GROUP_OWNER"] };
    const setup = await setUpStack({
      provider,
      sandbox: { seed: { projects: [{ name: "payments", members }] }, ...options },
      config: { "opsmanager:refreshBeforeUpdate": refreshBeforeUpdate },
      program: (started) =>
        memberProgram({ projectId: paymentsId(started), username: ada, roles, ...properties }),
    });
    const { sandbox, stack } = setup;
    return { setup, sandbox, stack, projectId: paymentsId(sandbox) };
  }

  /** She is invited, and the invitation waits for her. */
  async function inviteAda(circumstances: Circumstances) {
    const { setup, sandbox, stack, projectId } = await declareAda(circumstances);
    await succeeded(stack.up());
    return { setup, sandbox, stack, projectId, invitation: invitationOf(sandbox, ada) };
  }

  /** She has accepted, and the record knows it. */
  async function addAda(circumstances: Circumstances) {
    const { setup, sandbox, stack, projectId, invitation } = await inviteAda(circumstances);
    const { id: userId } = sandbox.acceptInvitation(invitation.id);
    await succeeded(stack.refresh());
    sandbox.clearRequests();
    return { setup, sandbox, stack, projectId, userId };
  }

  return { declareAda, inviteAda, addAda };
}
