/** Gathers everything that a run reads, and plans the files from it; nothing is written. */

import { extname, join, relative, resolve, sep } from "node:path";
import type { ApiClient } from "../../api/client";
import { EXTENSIONS, loadProjectFiles } from "../../projects/load";
import { checkProjectFile } from "../../projects/project-file";
import { parseSource } from "../../projects/source";
import {
  completeProjects,
  type LiveProject,
  ofLivingOrganizations,
  type PeopleOf,
  readPeople,
  readProjects,
} from "../organization";
import { startProgress } from "../progress";
import { runPulumi } from "../pulumi";
import { exportArguments, readStackExport } from "../stack-export";
import type { Terminal } from "../terminal";
import { namesBelow, readIfThere, unfinishedPath } from "./files";
import { entriesIfWhole, entriesOf, type ImportEntry, importListText, parseImportList } from "./import-list";
import type { Options } from "./options";
import {
  adoptionOf,
  type Existing,
  type FileThere,
  holdingsOf,
  type NewFile,
  noHoldings,
  type Plan,
  planFiles,
  stillToImport,
} from "./plan";
import { type Adoption, projectFileText } from "./project-yaml";
import type { Adopted, Unfit } from "./report";
import { chosen, ofOneOrganization } from "./selection";

export interface Write {
  /** The path as given on the command line. */
  readonly path: string;
  readonly text: string;
}

interface ListWrite extends Write {
  /** Text of the existing list. */
  readonly replaces: string | undefined;
}

export interface Found extends Adopted {
  readonly plan: Plan;
  /** How many projects the patterns chose. */
  readonly chosen: number;
  readonly unreadable: PeopleOf["unreadable"];
  readonly unfit: readonly Unfit[];
  readonly list: ListWrite;
  readonly files: readonly Write[];
  /** An interrupted run wrote files, but its list was not moved to its path. */
  readonly isUnfinished: boolean;
}

export async function gather(
  client: ApiClient,
  options: Options,
  stack: string | undefined,
  terminal: Terminal,
): Promise<Found> {
  const orgId = options.org?.toLowerCase();
  const { stop: signal } = terminal;
  const existing = await readExisting(options, stack, terminal);
  const listed = await readProjects(client, { orgId, signal });
  const visible = orgId === undefined ? await ofLivingOrganizations(client, listed, signal) : listed;
  const { projects } = ofOneOrganization(visible, orgId);
  const complete = completeProjects(client, { orgId, signal });
  const selected = await chosen(projects, { names: options.name ?? [], tags: options.tag ?? [], complete });
  const plan = await withCompleteProjects(planFiles(selected, projects, existing), complete);
  const { people, unreadable } = await peopleOf(client, plan.files, options, terminal);
  const drafts = plan.files.map((file) =>
    draftOf(adoptionOf(file, people.get(file.project.projectId)), options, terminal),
  );
  const unfit = drafts.flatMap(({ adoption: { project }, reasons }) =>
    reasons.length > 0 ? [{ project, reasons }] : [],
  );
  const fit = drafts.filter(({ reasons }) => reasons.length === 0);
  const adoptions = fit.map(({ adoption }) => adoption);
  const earlier = stillToImport(plan, existing);
  const entries = [...earlier, ...adoptions.flatMap(entriesOf)];
  const list = {
    path: options.importFile,
    text: importListText(options.component, entries),
    replaces: existing.listThere,
  };
  return {
    plan,
    chosen: selected.length,
    unreadable,
    adoptions,
    entries: entries.length,
    earlier: earlier.length,
    unfit,
    list,
    files: fit.map(({ file }) => file),
    isUnfinished: existing.isUnfinished && earlier.length > 0,
  };
}

/** Reads only the projects that get a file again. */
async function withCompleteProjects(
  plan: Plan,
  complete: (projects: readonly LiveProject[]) => Promise<LiveProject[]>,
): Promise<Plan> {
  const projects = await complete(plan.files.map(({ project }) => project));
  return {
    ...plan,
    files: plan.files.map((file, index) => ({ ...file, project: projects[index] ?? file.project })),
  };
}

interface Draft {
  readonly adoption: Adoption;
  readonly file: Write;
  /** The errors that the program would print. */
  readonly reasons: readonly string[];
}

/**
 * Drafts and checks one file before it is written. One file that the program rejects would stop
 * it, and the next `adopt`, for all files.
 */
function draftOf(adoption: Adoption, { out }: Options, { cwd }: Pick<Terminal, "cwd">): Draft {
  const file = { path: join(out, adoption.file), text: projectFileText(adoption, schemaFrom(out, cwd)) };
  const { content, faults } = parseSource(file.path, Buffer.from(file.text));
  const draft = { file: file.path, defaultKey: adoption.key, isComplete: true };
  const found = content ? [...faults, ...checkProjectFile({ ...draft, content }).faults] : faults;
  return { adoption, file, reasons: [...new Set(found.map(({ reason }) => reason))] };
}

/**
 * Path of the JSON Schema of project files for editors, in the package that the program has
 * installed.
 */
function schemaFrom(out: string, cwd: string): string {
  const root = relative(resolve(cwd, out), cwd);
  return join(root, "node_modules", "pulumi-opsmanager", "schemas", "project-file.schema.json")
    .split(sep)
    .join("/");
}

async function readExisting(
  { out, importFile, component }: Options,
  stack: string | undefined,
  terminal: Terminal,
): Promise<Existing & EarlierLists> {
  return {
    files: await filesThere(out, terminal.cwd),
    fileNames: await namesBelow(resolve(terminal.cwd, out)),
    ...(await earlierLists({ importFile, component }, terminal.cwd)),
    holdings:
      stack === undefined
        ? noHoldings
        : holdingsOf(readStackExport(await runPulumi(exportArguments(stack), terminal), stack), component),
  };
}

interface EarlierLists {
  readonly earlier: readonly ImportEntry[];
  readonly isUnfinished: boolean;
  /** Text of the existing list. */
  readonly listThere: string | undefined;
}

/** The existing list, and the unfinished one of an interrupted run. */
async function earlierLists(
  { importFile, component }: Pick<Options, "importFile" | "component">,
  cwd: string,
): Promise<EarlierLists> {
  const path = resolve(cwd, importFile);
  const [list, unfinished] = await Promise.all([readIfThere(path), readIfThere(unfinishedPath(path))]);
  const earlier = [
    ...(list === undefined ? [] : parseImportList(list, { path: importFile, component })),
    ...((unfinished === undefined ? undefined : entriesIfWhole(unfinished)) ?? []),
  ];
  return { earlier, isUnfinished: unfinished !== undefined, listThere: list };
}

async function peopleOf(
  client: ApiClient,
  files: readonly NewFile[],
  { members }: Options,
  terminal: Terminal,
): Promise<Pick<PeopleOf, "people" | "unreadable">> {
  if (!members) return { people: new Map(), unreadable: [] };
  const progress = startProgress(terminal, "projects read");
  try {
    const projects = files.map(({ project }) => project);
    const onProgress = (done: number) => progress.report(done, files.length);
    return await readPeople(client, projects, { includeIndirect: false, signal: terminal.stop, onProgress });
  } finally {
    progress.end();
  }
}

// Reads the existing project files of a folder.

/**
 * @param folder relative to `directory`; a missing one, or one without a project, has no files
 * @throws ProjectFilesError with every fault: the declarations of a faulty file are unknown
 */
async function filesThere(folder: string, directory: string): Promise<readonly FileThere[]> {
  const names = await namesBelow(resolve(directory, folder));
  return names.some(isProjectFile) ? loadProjectFiles(folder, directory) : [];
}

function isProjectFile(name: string): boolean {
  const isHidden = name.split(sep).some((part) => /^[._]/.test(part));
  return !isHidden && EXTENSIONS.includes(extname(name).toLowerCase());
}
