import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { engineVersion, requireGo } from "./engine-build.mjs";
import { inRepository } from "./repository.mjs";
import { run } from "./run.mjs";

const modulePath = "github.com/pulumi-opsmanager/pulumi-opsmanager/sdk/go/opsmanager";

/**
 * Writes the Go SDK's go.mod and go.sum: it is a module of its own, so that `go get` takes nothing else of this repository. Pulumi's
 * generator writes them for another layout only, so `go mod tidy` does, whenever the version of Pulumi's SDK changes.
 *
 * @param folder of the generated SDK
 */
export async function writeGoModule(folder: string) {
  const requirement = `github.com/pulumi/pulumi/sdk/v3 v${engineVersion()}`;
  const committed = (file: string) => inRepository("sdk", "go", "opsmanager", file);
  const isCurrent =
    existsSync(committed("go.mod")) && readFileSync(committed("go.mod"), "utf8").includes(`${requirement}\n`);
  if (isCurrent) {
    for (const file of ["go.mod", "go.sum"]) writeFileSync(join(folder, file), readFileSync(committed(file)));
    return;
  }
  writeFileSync(join(folder, "go.mod"), `module ${modulePath}\n\ngo 1.25\n\nrequire ${requirement}\n`);
  await run("go", ["mod", "tidy"], { cwd: folder, env: { ...process.env, GOWORK: "off" } });
}

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
