/** The terminal picture of README.md shows what the commands print today. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../../../scripts/lib/run.mjs";
import { repositoryRoot } from "../../support";
import { makeResidentEngine } from "../support/resident-engine";
import { tearDownStacks } from "../support/stack-setup";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "opsmanager-picture-test-"));
});
afterEach(async () => {
  await tearDownStacks();
  await rm(folder, { recursive: true, force: true });
});

it("the picture of README.md is the output of its commands", async () => {
  const engine = await makeResidentEngine(join(folder, "engine"));
  await run(process.execPath, [join(repositoryRoot, "scripts", "picture.mts"), "--check"], {
    cwd: repositoryRoot,
    env: { ...process.env, PULUMI_OPSMANAGER_ENGINE: engine },
  });
});
