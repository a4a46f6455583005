import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { engine } from "../support";
import { repositoryRoot } from "../support/repository";
import { makeResidentEngine } from "./support/resident-engine";
import { tearDownStacks } from "./support/stack-setup";

let temporary: string;
let ownFolder: string;
beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), "opsmanager-start-test-"));
  ownFolder = mkdtempSync(join(tmpdir(), "opsmanager-start-engine-"));
});
afterEach(async () => {
  await tearDownStacks();
  for (const folder of [temporary, ownFolder]) rmSync(folder, { recursive: true, force: true });
});

/** Runs the story with a temporary folder of its own, so that what it leaves behind can be seen. */
function runStory(
  engineFolder: string,
  onOutput: (output: string, interrupt: () => void) => void = () => undefined,
) {
  const child = spawn(process.execPath, [join(repositoryRoot, "scripts", "start.mjs")], {
    env: { ...process.env, TMPDIR: temporary, PULUMI_OPSMANAGER_ENGINE: engineFolder },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
    onOutput(output, () => child.kill("SIGINT"));
  });
  return new Promise<{ exitCode: number | null; output: string }>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (exitCode) => resolve({ exitCode, output }));
  });
}

describe("npm start", () => {
  it("shows the main job with both providers, checks each step in the service, and leaves nothing behind", async () => {
    const { exitCode, output } = await runStory(await makeResidentEngine(join(ownFolder, "engine")));
    expect({ exitCode, end: output.slice(-300) }).toMatchObject({ exitCode: 0 });
    expect(output).toContain("ada@example.com as GROUP_READ_ONLY");
    expect(output.match(/ {2}in the service: /g)).toHaveLength(15);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it("cleans up when it is interrupted in the middle of a command with real processes", async () => {
    const { exitCode, output } = await runStory(engine().bin, (soFar, interrupt) => {
      if (/Updating \(demo\)/.test(soFar)) interrupt();
    });
    expect(exitCode).toBe(130);
    expect(output).toContain("Interrupted");
    expect(readdirSync(temporary)).toEqual([]);
  });
});
