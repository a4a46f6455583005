import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, relative } from "node:path";
import { repositoryRoot } from "./repository.mjs";

/** Where things are kept that outlive a clone of the repository. */
export function cacheFolder() {
  const { OPSMANAGER_ENGINE_CACHE, LOCALAPPDATA, XDG_CACHE_HOME } = process.env;
  if (OPSMANAGER_ENGINE_CACHE) return OPSMANAGER_ENGINE_CACHE;
  let cache = XDG_CACHE_HOME ?? join(homedir(), ".cache");
  if (process.platform === "darwin") cache = join(homedir(), "Library", "Caches");
  if (process.platform === "win32") cache = LOCALAPPDATA ?? join(homedir(), "AppData", "Local");
  return join(cache, "pulumi-opsmanager", "engine");
}

/**
 * A short key that changes with the content of any of the files, wherever the repository is.
 *
 * @param {readonly string[]} files
 * @param {string} [salt]
 */
export function keyOf(files, salt = "") {
  const hash = createHash("sha256").update(salt);
  for (const file of files) {
    hash.update(`\0${relative(repositoryRoot, file)}\0`);
    if (existsSync(file)) hash.update(readFileSync(file));
  }
  return hash.digest("hex").slice(0, 16);
}
