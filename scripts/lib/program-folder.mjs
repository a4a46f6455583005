import { cp, mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { inRepository } from "./repository.mjs";

/**
 * Copies a program so that it can be run without touching the original.
 *
 * @param {string} from
 * @param {string} to
 */
export async function copyProgram(from, to) {
  await cp(from, to, { recursive: true, filter: (path) => !path.includes("node_modules") });
}

/**
 * What `npm install` would put into the program's folder, without the network: the packages of this clone.
 *
 * @param {string} folder
 */
export async function linkPackages(folder) {
  const modules = join(folder, "node_modules");
  await mkdir(modules);
  await symlink(inRepository(), join(modules, "pulumi-opsmanager"), "dir");
  for (const name of ["@pulumi", "@types", "typescript"]) {
    await symlink(inRepository("node_modules", name), join(modules, name), "dir");
  }
}
