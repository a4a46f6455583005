import { appendFileSync } from "node:fs";
import type { RealReason } from "./why-real";

export interface RunRecord {
  readonly args: readonly string[];
  /** Why it had processes of its own; `undefined` where it had not. */
  readonly reason: RealReason | undefined;
  readonly exitCode?: number | null;
  readonly milliseconds?: number;
}

/** Appends the run to the file that OPSMANAGER_TEST_TRACE names: one JSON object per line, with the test it belongs to. */
export function recordRun(run: RunRecord): void {
  const file = process.env.OPSMANAGER_TEST_TRACE;
  if (file === undefined) return;
  const { testPath, currentTestName } = "expect" in globalThis ? expect.getState() : {};
  appendFileSync(
    file,
    `${JSON.stringify({ testPath, test: currentTestName, worker: process.env.JEST_WORKER_ID, ...run })}\n`,
  );
}
