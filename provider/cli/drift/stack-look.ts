/** All that is read of one stack. */
import { hasCode, messageOf, OpsManagerError } from "../../errors";
import { startProgress } from "../progress";
import type { Terminal } from "../terminal";
import { type Look, type LookAt, lookAtProgram, lookAtState } from "./look";
import { readStack, type StackState } from "./stacks";

export interface StackLook extends Look {
  /** `undefined` where the state could not be read. */
  readonly state: StackState | undefined;
}

interface StackLookOptions {
  /** Pulumi project. */
  readonly project: string;
  /** Compare the state with the live objects, in place of the program. */
  readonly stateOnly: boolean;
}

/** A stack that cannot be read is reported, and the others are read all the same. */
export async function lookAtStack(
  terminal: Terminal,
  stack: string,
  { project, stateOnly }: StackLookOptions,
): Promise<StackLook> {
  const state = await readStack(terminal, stack, project).catch((error: unknown) => {
    if (!(error instanceof OpsManagerError) || hasCode(error, "OPSMANAGER_CANCELLED")) throw error;
    return messageOf(error);
  });
  if (typeof state === "string") {
    return { state: undefined, findings: [], unreadable: [{ what: `stack ${stack}`, reason: state, stack }] };
  }
  return { state, ...(await withProgress(terminal, state, stateOnly ? lookAtState : lookAtProgram)) };
}

async function withProgress(terminal: Terminal, state: StackState, look: LookAt): Promise<Look> {
  const progress = startProgress(terminal, `resources refreshed (${state.stack})`);
  const report = (done: number) => progress.report(done, state.resources.length);
  try {
    report(0);
    return await look(terminal, state, report);
  } finally {
    progress.end();
  }
}
