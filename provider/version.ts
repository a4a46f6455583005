/** This package's version, from the manifest, and where it is published. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { InternalError } from "./text/errors";

export const REPOSITORY = "https://github.com/pulumi-opsmanager/pulumi-opsmanager";

/**
 * Where the engine downloads the plugin archive that `npm run release` makes: the GitHub release of
 * the version. The SDKs register every resource with it, and it is part of the name of the default
 * provider.
 */
export const pluginDownloadUrl = REPOSITORY.replace("https://github.com/", "github://api.github.com/");

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
