import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../../../scripts/lib/run.mjs";
import { repositoryRoot } from "../../support/repository";
import { describeIf } from "../../support/skip";

const engineModule = join(repositoryRoot, "scripts", "engine.mjs");

/** Replaces `go`. */
const fakeGo = `#!${process.execPath}
const { writeFileSync } = require("node:fs");
const args = process.argv.slice(2);
if (args[0] === "version") console.log("go version go99.0.0 linux/amd64");
else if (args[0] === "list" && args[1] === "-m") console.log(process.env.FAKE_SDK);
else if (args[0] === "list") console.error("go: downloading example.com/engine");
else {
  const file = args[args.indexOf("-o") + 1];
  if (!file.endsWith("/")) writeFileSync(file, "");
  if (process.env.FAKE_FAILS) { console.error("example.com/host: no such module"); process.exit(1); }
}
`;

describeIf(process.platform !== "win32", "a shell")("an engine that has to be built", () => {
  let folder: string;
  let env: Record<string, string>;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "opsmanager-engine-"));
    const sdk = join(folder, "sdk", "python", "cmd");
    mkdirSync(sdk, { recursive: true });
    writeFileSync(join(sdk, "pulumi-language-python-exec"), "");
    writeFileSync(join(folder, "go"), fakeGo);
    chmodSync(join(folder, "go"), 0o755);
    env = {
      PATH: folder,
      OPSMANAGER_ENGINE_CACHE: join(folder, "cache"),
      FAKE_SDK: join(folder, "sdk"),
    };
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("is built on request, also where there is one on PATH and another one in the cache", async () => {
    writeFileSync(join(folder, "pulumi"), "#!/bin/sh\necho v3.300.0\n", { mode: 0o755 });
    for (const part of ["pulumi-language-nodejs", "pulumi-language-yaml", "pulumi-resource-pulumi-nodejs"])
      writeFileSync(join(folder, part), "");
    const program = `
      const { source, residentCommandLine } = await ensureEngine();
      console.log("source: " + source + ", " + residentCommandLine);`;
    expect(await runProgram(program)).toContain("source: path, undefined");
    env.PULUMI_OPSMANAGER_ENGINE = "built";
    expect(await runProgram(program)).toContain("source: built, resident/resident-command-line");
  });

  it("reports each reason why there is none, without what was downloaded", async () => {
    env.FAKE_FAILS = "yes";
    const output = await runProgram(
      `await ensureEngine().catch((error) => console.log("failed: " + error.message));`,
    );
    const error = output.slice(output.indexOf("failed: "));
    expect(error).toContain("Pulumi on PATH: there is none on PATH");
    expect(error).toContain("the official installer: https://get.pulumi.com/install.sh cannot be reached");
    expect(error).toContain("example.com/host: no such module");
    expect(error).not.toContain("errors");
  });

  /** Runs a program on a machine without the internet and with the `go` from above; returns what it printed. */
  function runProgram(text: string): Promise<string> {
    const program = `
      import { ensureEngine } from ${JSON.stringify(engineModule)};
      globalThis.fetch = () => Promise.reject(new Error("offline"));
      ${text}`;
    return run(process.execPath, ["--input-type=module", "-e", program], {
      env,
      signal: AbortSignal.timeout(60_000),
    });
  }
});
