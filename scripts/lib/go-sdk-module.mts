import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { engineVersion } from "./engine-build.mjs";
import { inRepository } from "./repository.mjs";
import { run } from "./run.mjs";

export const modulePath = "github.com/pulumi-opsmanager/pulumi-opsmanager/sdk/go/opsmanager";

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
