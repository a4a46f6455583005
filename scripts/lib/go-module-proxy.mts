import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requireGo } from "./engine-build.mjs";
import { modulePath } from "./go-sdk-module.mts";
import { inRepository } from "./repository.mjs";
import { run } from "./run.mjs";

/**
 * The Go SDK in the layout of a module proxy, for `GOPROXY=file://FOLDER`. It is the same as what Go makes of the tag
 * `sdk/go/opsmanager/v<version>`, with the license of the repository: Go adds it to a module that has none.
 *
 * @returns the module's hash, as go.sum has it
 */
export async function writeGoProxy(folder: string, version: string, time: Date): Promise<string> {
  await requireGo();
  const tag = `v${version}`;
  const versions = join(folder, ...modulePath.split("/"), "@v");
  const temporary = mkdtempSync(join(tmpdir(), "opsmanager-go-module-"));
  mkdirSync(versions, { recursive: true });
  try {
    const source = join(temporary, "source");
    cpSync(inRepository("sdk", "go", "opsmanager"), source, { recursive: true });
    copyFileSync(inRepository("LICENSE"), join(source, "LICENSE"));
    const args = ["run", "./go-module-zip", modulePath, tag, source, join(versions, `${tag}.zip`)];
    const hash = await run("go", args, { cwd: inRepository("test", "engine") });
    copyFileSync(join(source, "go.mod"), join(versions, `${tag}.mod`));
    writeFileSync(join(versions, "list"), `${tag}\n`);
    const seconds = `${time.toISOString().slice(0, 19)}Z`;
    writeFileSync(join(versions, `${tag}.info`), `${JSON.stringify({ Version: tag, Time: seconds })}\n`);
    return hash.trim();
  } finally {
    rmSync(temporary, { recursive: true });
  }
}
