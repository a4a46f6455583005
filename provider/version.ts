/** This package's version, from the manifest. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { InternalError } from "./text/errors";

export function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(manifestFile(), "utf8"));
  return (manifest as { version: string }).version;
}

/**
 * The nearest manifest in a parent folder: of the repository, the npm package or the plugin
 * archive, which is one bundled file.
 */
function manifestFile(): string {
  for (let folder = __dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, "package.json");
    if (existsSync(file)) return file;
  }
  throw new InternalError("The package's package.json was not found.");
}
