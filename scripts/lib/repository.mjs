import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const repositoryRoot = resolve(fileURLToPath(import.meta.url), "../../..");

/** @param {string[]} parts */
export function inRepository(...parts) {
  return join(repositoryRoot, ...parts);
}
