/** Folders of project files for tests of what is read from them. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { loadFiles } from "../../../projects/load";
import type { ProjectFile } from "../../../projects/project-file";

export const orgId = "5f0c0c0c0c0c0c0c0c0c0c0c";

/** By the path below the working directory. */
export type Files = Readonly<Record<string, string | Uint8Array | { readonly linkTo: string }>>;

const roots: string[] = [];

/** For `afterEach`. */
export function removeFolders(): void {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
}

/** @returns a working directory with these files */
export function folderOf(files: Files): string {
  const root = mkdtempSync(join(tmpdir(), "opsmanager-files-"));
  roots.push(root);
  for (const [path, content] of Object.entries(files)) {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    if (typeof content === "object" && "linkTo" in content) symlinkSync(content.linkTo, file);
    else writeFileSync(file, content);
  }
  return root;
}

export function load(files: Files): readonly ProjectFile[] {
  return loadFiles(".", folderOf(files)).projects;
}

/** The lines of the error; its first one reports how many faults there are. */
export function faultsOf(files: Files): string[] {
  try {
    load(files);
  } catch (error) {
    return String((error as Error).message)
      .split("\n")
      .slice(1);
  }
  return [];
}

/**
 * The faults of `projects/payments.yaml` with this text after the line of the organization, without the file's name. A project
 * that has no name in it has one at its end.
 */
export function faultsOfText(text: string): string[] {
  const name = /^(name|key):/m.test(text) ? "" : "\nname: payments";
  return faultsOf({ "projects/payments.yaml": `orgId: ${orgId}\n${text}${name}` }).map((line) =>
    line.replace("projects/payments.yaml:", ""),
  );
}
