/** Records what the commands of stories did, for `npm run worlds -- --compare`. Without that, nothing. */
import { appendFileSync } from "node:fs";
import { join, relative } from "node:path";
import { repeatIds } from "../../sandbox/ids";
import { type CommandRecord, recordOf } from "../proof/transcript";
import { repositoryRoot } from "./repository";

const folder = process.env.OPSMANAGER_STORY_RECORDS;

export interface StoryRecord {
  readonly test: string;
  readonly record: CommandRecord;
}

/** Before a story begins: its IDs are the same in each run. */
export function beginStory(): void {
  if (folder !== undefined) repeatIds();
}

export function recordStory(facts: () => Parameters<typeof recordOf>[0]): void {
  if (folder === undefined) return;
  const { testPath = "", currentTestName = "" } = expect.getState();
  const line: StoryRecord = {
    test: `${relative(repositoryRoot, testPath)}: ${currentTestName}`,
    record: recordOf(facts()),
  };
  appendFileSync(join(folder, `${process.env.JEST_WORKER_ID}.jsonl`), `${JSON.stringify(line)}\n`);
}
