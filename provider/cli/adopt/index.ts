/** `opsmanager adopt`: project files and an import list for what exists. Nothing is changed in the service or the stack. */
import { isAbsolute, join, relative, resolve } from "node:path";
import type { Command } from "commander";
import type { ApiClient } from "../../api/client";
import { CancelledError, messageOf, RefusedError } from "../../errors";
import type { CliCommand, Invocation } from "../command";
import { withClient } from "../connection";
import { type PeopleOf, readPeople, readProjects } from "../organization";
import { startProgress } from "../progress";
import { readCommandSettings } from "../settings";
import type { Terminal } from "../terminal";
import { namesBelow, prepareFile, readIfThere, unfinishedPath } from "./files";
import { filesThere } from "./files-there";
import { entriesIfWhole, entriesOf, type ImportEntry, importListText, parseImportList } from "./import-list";
import { adoptionOf, type NewFile, type Plan, planFiles, type Surroundings, stillToImport } from "./plan";
import { projectFileText } from "./project-yaml";
import { type Adopted, nothingNew, remarks, summary } from "./report";
import { checkedOrgId, chosen, ofOneOrganization } from "./selection";
import { noHoldings, readStackHoldings } from "./stack-holdings";

interface Options {
  readonly org?: string;
  readonly name: readonly string[];
  readonly tag: readonly string[];
  readonly out: string;
  readonly importFile: string;
  readonly component: string;
  readonly members?: boolean;
  readonly stack?: string;
  readonly cwd?: string;
  readonly dryRun?: boolean;
}

export const adopt: CliCommand = {
  name: "adopt",
  summary: "Writes project files for projects that exist, and the list for pulumi import. Changes nothing.",
  define(command) {
    define(command);
  },
  async run(invocation) {
    const options = invocation.options as unknown as Options;
    const terminal = inFolder(invocation, options.cwd);
    const { settings, stack } = await readCommandSettings(terminal, options.stack);
    const found = await unlessStopped(terminal, () =>
      withClient(settings, terminal, (client) => find(client, options, stack, terminal)),
    );
    for (const remark of remarks(found.plan, found.unreadable)) terminal.stderr(`opsmanager: ${remark}\n`);
    const exitCode = found.plan.namesakes.length + found.unreadable.length > 0 ? 1 : 0;
    if (found.adoptions.length === 0 && !found.isUnfinished) {
      terminal.stdout(nothingNew(found.plan, found.chosen, options.out));
      return exitCode;
    }
    if (options.dryRun) {
      for (const { path, text } of [...found.files, found.list]) terminal.stdout(`# ${path}\n${text}\n`);
      return exitCode;
    }
    await unlessStopped(terminal, () => writeAll(found, terminal));
    terminal.stdout(summary(found, options));
    return exitCode;
  },
};

function define(command: Command): void {
  const collect = (value: string, values: readonly string[]) => [...values, value];
  command
    .option(
      "--org <id>",
      "organization whose projects are adopted (default: the one whose projects the key sees)",
    )
    .option(
      "--name <pattern>",
      "only projects with such a name: * any characters, ? one; repeatable",
      collect,
      [],
    )
    .option("--tag <pattern>", "only projects with such a tag; repeatable", collect, [])
    .option("--members", "with people: members and pending invitations")
    .option("--out <folder>", "folder of the project files", "projects")
    .option("--import-file <file>", "list for pulumi import", "import.json")
    .option("--component <name>", "name of the ProjectFolder in the program", "estate")
    .option(
      "--stack <name>",
      "stack whose settings are used and whose state is looked at (default: the selected one)",
    )
    .option("--cwd <folder>", "folder to work in (default: the current one)")
    .option("--dry-run", "print what would be written, and write nothing")
    .addHelpText(
      "after",
      "\nA project that has a file, by its key or by its name, is left out. A file that is there is never written over.",
    );
}

function inFolder({ terminal }: Invocation, cwd: string | undefined): Terminal {
  return cwd === undefined ? terminal : { ...terminal, cwd: resolve(terminal.cwd, cwd) };
}

interface Write {
  /** As the command line names it. */
  readonly path: string;
  readonly text: string;
}

interface Found extends Adopted {
  readonly plan: Plan;
  /** How many projects the patterns chose. */
  readonly chosen: number;
  readonly unreadable: PeopleOf["unreadable"];
  readonly list: Write;
  readonly files: readonly Write[];
  /** An interrupted run wrote files whose list is not in its place yet. */
  readonly isUnfinished: boolean;
}

async function find(
  client: ApiClient,
  options: Options,
  stack: string | undefined,
  terminal: Terminal,
): Promise<Found> {
  const asked = checkedOrgId(options.org);
  refuseListAmongProjects(options);
  const { stop: signal } = terminal;
  const surroundings = await look(options, stack, terminal);
  const { projects } = ofOneOrganization(await readProjects(client, { orgId: asked, signal }), asked);
  const wanted = chosen(projects, { names: options.name, tags: options.tag });
  const plan = planFiles(wanted, projects, surroundings);
  const { people, unreadable } = await peopleOf(client, plan.files, options, terminal);
  const adoptions = plan.files.map((file) => adoptionOf(file, people.get(file.project.projectId)));
  const earlier = stillToImport(plan, surroundings);
  const entries = [...earlier, ...adoptions.flatMap(entriesOf)];
  const list = { path: options.importFile, text: importListText(options.component, entries) };
  const files = adoptions.map((adoption) => ({
    path: join(options.out, adoption.file),
    text: projectFileText(adoption),
  }));
  return {
    plan,
    chosen: wanted.length,
    unreadable,
    adoptions,
    entries: entries.length,
    earlier: earlier.length,
    list,
    files,
    isUnfinished: surroundings.isUnfinished && earlier.length > 0,
  };
}

/** It would be taken for a project. */
function refuseListAmongProjects({ out, importFile }: Options): void {
  const inside = relative(resolve(out), resolve(importFile));
  if (inside.startsWith("..") || isAbsolute(inside)) return;
  throw new RefusedError(
    `--import-file ${importFile} lies in the folder of the project files, ${out}, where each file is a project. Name a place outside of it.`,
  );
}

async function look(
  { out, importFile, component }: Options,
  stack: string | undefined,
  terminal: Terminal,
): Promise<Surroundings & { readonly isUnfinished: boolean }> {
  return {
    files: await filesThere(out, terminal.cwd),
    fileNames: await namesBelow(resolve(terminal.cwd, out)),
    ...(await earlierLists(importFile, terminal.cwd)),
    holdings: stack === undefined ? noHoldings : await readStackHoldings(stack, component, terminal),
  };
}

/** The list that is there, and the one that an interrupted run could not finish. */
async function earlierLists(
  importFile: string,
  cwd: string,
): Promise<{ readonly earlier: readonly ImportEntry[]; readonly isUnfinished: boolean }> {
  const path = resolve(cwd, importFile);
  const [list, unfinished] = await Promise.all([readIfThere(path), readIfThere(unfinishedPath(path))]);
  const earlier = [
    ...(list === undefined ? [] : parseImportList(list, importFile)),
    ...(unfinished === undefined ? [] : entriesIfWhole(unfinished)),
  ];
  return { earlier, isUnfinished: unfinished !== undefined };
}

async function peopleOf(
  client: ApiClient,
  files: readonly NewFile[],
  { members }: Options,
  terminal: Terminal,
): Promise<PeopleOf> {
  if (!members) return { people: new Map(), unreadable: [] };
  const progress = startProgress(terminal, "projects read");
  try {
    return await readPeople(
      client,
      files.map(({ project }) => project),
      {
        includeIndirect: false,
        signal: terminal.stop,
        onProgress: (done) => progress.report(done, files.length),
      },
    );
  } finally {
    progress.end();
  }
}

/**
 * The list is written before the files and takes its place after them: an interrupted run leaves no list of what has no file,
 * and the next run finds what it was to hold.
 */
async function writeAll({ list, files }: Found, { cwd, stop }: Terminal): Promise<void> {
  const finish = await put(list, prepareFile(resolve(cwd, list.path), list.text));
  for (const file of files) {
    stop.throwIfAborted();
    const place = await put(file, prepareFile(resolve(cwd, file.path), file.text));
    await put(file, place());
  }
  await put(list, finish());
}

async function put<T>({ path }: Write, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new RefusedError(
      `${path} cannot be written: ${messageOf(error)}. Files that were written before it are whole; run the same command again to write the rest.`,
      { cause: error },
    );
  }
}

/** An interruption is no fault, and says how to go on. */
async function unlessStopped<T>({ stop }: Pick<Terminal, "stop">, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!stop.aborted) throw error;
    throw new CancelledError(
      "Stopped. Each file is whole or not there; run the same command again to write the rest.",
    );
  }
}
