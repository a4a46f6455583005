import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { engineVersion } from "./engine-build.mjs";
import { run } from "./run.mjs";

/**
 * The Go SDK's go.mod and go.sum: it is a module of its own, so that `go get` takes nothing else of this repository. Pulumi's
 * generator writes them for another layout only, so `go mod tidy` does, whenever the version of Pulumi's SDK changes.
 */
type GoModule = { goMod: string; goSum: string };

export const modulePath = "github.com/pulumi-opsmanager/pulumi-opsmanager/sdk/go/opsmanager";
const pulumiSdk = "github.com/pulumi/pulumi/sdk/v3";

/** @param sdk the folder `sdk/go` */
export function readGoModule(sdk: string): GoModule | undefined {
  const [goMod, goSum] = filesIn(sdk);
  return existsSync(goMod)
    ? { goMod: readFileSync(goMod, "utf8"), goSum: readFileSync(goSum, "utf8") }
    : undefined;
}

/** @param known stays, where it names the version that the generator has */
export async function writeGoModule(sdk: string, known: GoModule | undefined) {
  const [goMod, goSum] = filesIn(sdk);
  const requirement = `${pulumiSdk} v${engineVersion()}`;
  if (known?.goMod.includes(`${requirement}\n`)) {
    writeFileSync(goMod, known.goMod);
    writeFileSync(goSum, known.goSum);
    return;
  }
  writeFileSync(goMod, `module ${modulePath}\n\ngo 1.25\n\nrequire ${requirement}\n`);
  await run("go", ["mod", "tidy"], { cwd: join(sdk, "opsmanager"), env: { ...process.env, GOWORK: "off" } });
}

function filesIn(sdk: string) {
  return [join(sdk, "opsmanager", "go.mod"), join(sdk, "opsmanager", "go.sum")] as const;
}
