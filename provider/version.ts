/** This package's version, from the one place where it is written. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { InternalError } from "./errors";

/** Folder of the package, whether this file runs from `provider/` or from `dist/provider/`. */
export function packageFolder(): string {
  for (let folder = __dirname; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, "PulumiPlugin.yaml"))) return folder;
  }
  throw new InternalError("The package's folder was not found.");
}

export function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(packageFolder(), "package.json"), "utf8"));
  return (manifest as { version: string }).version;
}
