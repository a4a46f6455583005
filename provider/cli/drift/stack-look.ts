/** All that is looked at in one stack. */
import { hasCode, messageOf, OpsManagerError } from "../../errors";
import { startProgress } from "../progress";
import type { Terminal } from "../terminal";
import { type Look, lookAtProgram, lookAtService } from "./look";
import { type Finding, withoutIndexes } from "./report";
import { readStack, type StackState } from "./stacks";

export interface StackLook extends Look {
  /** `undefined` where its state could not be had. */
  readonly state: StackState | undefined;
}

/**
 * A stack that cannot be looked at does not keep the others from it.
 *
 * @param program also compare what the program says
 */
export async function lookAtStack(
  terminal: Terminal,
  stack: string,
  { project, program }: { readonly project: string; readonly program: boolean },
): Promise<StackLook> {
  const state = await readStack(terminal, stack, project).catch((error: unknown) => {
    if (!(error instanceof OpsManagerError) || hasCode(error, "OPSMANAGER_CANCELLED")) throw error;
    return messageOf(error);
  });
  if (typeof state === "string") {
    return { state: undefined, findings: [], unreadable: [{ what: `stack ${stack}`, reason: state, stack }] };
  }
  const service = await withProgress(terminal, "resources refreshed", state, lookAtService);
  if (!program) return { state, ...service };
  const planned = await withProgress(terminal, "resources refreshed for the program", state, lookAtProgram);
  return {
    state,
    findings: [...service.findings, ...newTo(service.findings, planned.findings)],
    unreadable: [...service.unreadable, ...planned.unreadable],
  };
}

async function withProgress(
  terminal: Terminal,
  what: string,
  state: StackState,
  look: typeof lookAtService,
): Promise<Look> {
  const progress = startProgress(terminal, `${what} (${state.stack})`);
  const report = (done: number) => progress.report(done, state.resources.length);
  try {
    report(0);
    return await look(terminal, state, report);
  } finally {
    progress.end();
  }
}

/** What the program adds to the look at the service: the same difference twice would count as two. */
export function newTo(known: readonly Finding[], planned: readonly Finding[]): Finding[] {
  const same = ({ urn, kind, property, declared, live }: Finding) =>
    JSON.stringify([urn, kind, withoutIndexes(property), declared, live]);
  const seen = new Set(known.map(same));
  const gone = new Set(known.filter(({ kind }) => kind === "deleted").map(({ urn }) => urn));
  return planned.filter(
    (finding) => !seen.has(same(finding)) && !(gone.has(finding.urn) && finding.property === ""),
  );
}
