import { copyFile, link, mkdir, readdir, readlink, symlink } from "node:fs/promises";
import { join } from "node:path";

/**
 * Gives a program the packages that npm has installed in another folder, as npm would have left them: real folders, no links
 * to elsewhere. The files are hard links, as there are some ten thousand of them; a test must replace one, not write into it.
 */
export async function copyInstallation(from: string, to: string): Promise<void> {
  for (const file of ["package.json", "package-lock.json"]) await copyFile(join(from, file), join(to, file));
  await linkPackages(from, to);
}

/** The same for a program that has a manifest of its own. */
export function linkPackages(from: string, to: string): Promise<void> {
  return linkFiles(join(from, "node_modules"), join(to, "node_modules"));
}

/** Half of the files. No test debugs a package, and Node.js does not know the condition `esnext`, which selects such a folder. */
const unread = /\.map$|^esnext$/;

async function linkFiles(from: string, to: string): Promise<void> {
  await mkdir(to);
  const entries = await readdir(from, { withFileTypes: true });
  await Promise.all(
    entries
      .filter(({ name }) => !unread.test(name))
      .map(async (entry) => {
        const [source, target] = [join(from, entry.name), join(to, entry.name)];
        if (entry.isDirectory()) await linkFiles(source, target);
        else if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
        else await link(source, target).catch(() => copyFile(source, target)); // another file system
      }),
  );
}
