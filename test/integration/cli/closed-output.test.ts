import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { repositoryRoot } from "../../support/repository";

const command = join(repositoryRoot, "dist", "cli", "main.js");

// `opsmanager adopt --help | head -1` ended with a stack trace about EPIPE.
it("a reader that has seen enough of the output is no fault", async () => {
  const child = spawn(process.execPath, [command, "adopt", "--help"], { stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.destroy();
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
});
