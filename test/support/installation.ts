import { copyFileSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from "node:fs";
import { join } from "node:path";

/**
 * Gives a program the manifest and the packages that npm has installed in another folder. Each package is a link, so a test must
 * replace one, not write into it.
 */
export function copyInstallation(from: string, to: string): void {
  for (const file of ["package.json", "package-lock.json"]) copyFileSync(join(from, file), join(to, file));
  linkPackages(from, to);
}

/** The same for a program that has a manifest of its own. */
export function linkPackages(from: string, to: string): void {
  linkEntries(join(from, "node_modules"), join(to, "node_modules"));
}

function linkEntries(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (entry.isDirectory() && /^[@.]/.test(entry.name))
      linkEntries(source, target); // a scope, commands, or pnpm's packages
    else if (entry.isDirectory()) symlinkSync(source, target, "dir");
  }
}
