import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { keyOf } from "./cache.mjs";
import { filesBelow } from "./files.mjs";
import { inRepository } from "./repository.mjs";
import { runTool } from "./run.mjs";

const output = inRepository("dist");
const stamp = join(output, ".built-from");
const sdkPackage = join("sdk", "nodejs", "package.json");
const sourceFolders = ["cli", "projects", "provider", join("sdk", "nodejs"), "sandbox"];

/** Whether `dist` was built from just these sources, by content: a fresh clone has no times to go by. */
export function buildIsCurrent() {
  return existsSync(stamp) && readFileSync(stamp, "utf8") === sourceKey();
}

export async function build() {
  const key = sourceKey();
  removeOrphans();
  await runTool("tsc", ["--build", "config/tsconfig.build.json"]);
  mkdirSync(output, { recursive: true });
  // The generated SDK reads its version from its own package.json, at run time.
  copyFileSync(inRepository(sdkPackage), join(output, sdkPackage));
  writeFileSync(stamp, key);
}

function sourceKey() {
  const settings = [
    "tsconfig.json",
    "config/tsconfig.build.json",
    "config/tsconfig.sdk.json",
    "package-lock.json",
  ].map((name) => inRepository(name));
  return keyOf([
    ...settings,
    ...sourceFolders.flatMap((folder) => filesBelow(inRepository(folder), /\.(ts|json)$/)),
  ]);
}

/** The compiler leaves what it made of sources and settings that no longer exist, such as source maps. */
function removeOrphans() {
  for (const file of filesBelow(output, /\.(d\.ts|js|map)$/)) {
    const source = file.replace(output, inRepository()).replace(/\.(d\.ts|js)$/, ".ts");
    if (!existsSync(source)) rmSync(file);
  }
}
