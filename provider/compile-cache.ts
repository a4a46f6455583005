/**
 * V8's compile cache, so that a start of the plugin or the command does not compile its modules again.
 */
import { existsSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

/**
 * Stores compiled code below Pulumi's home. A user who can write there can replace plugins anyway.
 * The default of Node.js is a folder for temporary files, where another user of the machine may
 * create the cache first and so run code in this process.
 *
 * Without Pulumi's home, or if it cannot be written, nothing is cached. `NODE_COMPILE_CACHE` names
 * another folder, and `NODE_DISABLE_COMPILE_CACHE=1` turns the cache off. Must be called before the
 * modules are loaded.
 */
export function useCompileCache(): void {
  const home = pulumiHome();
  if (home !== undefined && existsSync(home)) enableCompileCache(join(home, "cache", "opsmanager"));
}

function pulumiHome(): string | undefined {
  if (process.env.PULUMI_HOME) return process.env.PULUMI_HOME;
  try {
    return join(homedir(), ".pulumi");
  } catch {
    // A container may run as a user without an entry in /etc/passwd.
    return undefined;
  }
}
