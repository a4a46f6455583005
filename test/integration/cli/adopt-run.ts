/** Runs `opsmanager adopt` for a test, outside of any Pulumi project: no stack is read. */
import { loadFiles } from "../../../projects/load";
import type { ProjectFile } from "../../../projects/project-file";
import type { Sandbox } from "../../../sandbox";
import type { CommandResult } from "../../support/command";
import { type CommandFolder, commandFolder } from "./command-folder";

interface ListEntry {
  readonly type: string;
  readonly logicalName: string;
  readonly id?: string;
}

export interface AdoptRuns {
  readonly folder: CommandFolder;
  adopt(sandbox: Sandbox, argv?: readonly string[], stop?: AbortSignal): Promise<CommandResult>;
  /** The project files. */
  projects(): readonly ProjectFile[];
  /** What the project files declare of people, by key. */
  people(): Record<string, unknown>;
  /** The entries of the list for the import. */
  entries(): readonly ListEntry[];
  /** The same, as `Project payments`. */
  listed(): string[];
}

/** @param what without `all`, projects alone are adopted */
export function adoptRuns(what: "all" | "projects"): AdoptRuns {
  const folder = commandFolder();
  const projects = () => loadFiles(".", folder.path).projects;
  const entries = (): readonly ListEntry[] => JSON.parse(folder.read("import.json")).resources;
  return {
    folder,
    adopt: (sandbox, argv = [], stop = new AbortController().signal) => {
      const isChosen = what === "all" || argv.includes("--name") || argv.includes("--tag");
      return folder.run(["adopt", ...(isChosen ? [] : ["--name", "*"]), ...argv], sandbox, { stop });
    },
    projects,
    people: () => Object.fromEntries(projects().map(({ key, members }) => [key, members])),
    entries,
    listed: () => entries().map(({ type, logicalName }) => `${type.split(":").at(-1)} ${logicalName}`),
  };
}
