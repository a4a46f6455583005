import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, relative } from "node:path";
import { repositoryRoot } from "./repository.mjs";

/**
 * Where things are kept that outlive a clone of the repository.
 *
 * @param {{ env?: NodeJS.ProcessEnv, platform?: string, home?: string }} [machine]
 */
export function cacheFolder({ env = process.env, platform = process.platform, home = homedir() } = {}) {
  if (env.OPSMANAGER_ENGINE_CACHE) return env.OPSMANAGER_ENGINE_CACHE;
  return join(userCache(env, platform, home), "pulumi-opsmanager", "engine");
}

/** @param {NodeJS.ProcessEnv} env @param {string} platform @param {string} home */
function userCache(env, platform, home) {
  if (platform === "darwin") return join(home, "Library", "Caches");
  if (platform === "win32") return env.LOCALAPPDATA ?? join(home, "AppData", "Local");
  return env.XDG_CACHE_HOME ?? join(home, ".cache");
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
