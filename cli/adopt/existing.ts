/** Reads what exists before a run: the files with their defaults, the import list, and the stack. */
import { join, resolve } from "node:path";
import { type FileKindName, FOLDERS } from "../../projects/access-files";
import type { DeclaredFile } from "../../projects/declared-file";
import { DEFAULTS, loadFilesIfAny } from "../../projects/load";
import { EXTENSIONS } from "../../projects/paths";
import { parseImportList } from "../lib/import-list";
import { runPulumi } from "../lib/pulumi";
import { exportArguments, readStackExport } from "../lib/stack-export";
import type { Terminal } from "../lib/terminal";
import { adoptedKinds } from "./contents";
import type { DefaultsFile } from "./defaults";
import { namesBelow, readIfThere } from "./files";
import { holdingsOf, noHoldings } from "./holdings";
import type { ExistingFile } from "./objects";
import { type AdoptOptions, shardIn } from "./options";
import type { Existing } from "./plan";

export interface RunSettings {
  /** `undefined`: only the environment was read. */
  readonly stack: string | undefined;
  /** The organization of files that name none. */
  readonly orgId: string | undefined;
}

/** The folder of the files of one kind, as the command line names it. */
export function folderOf({ out }: AdoptOptions, kind: FileKindName): string {
  return join(out, kind);
}

/**
 * @throws ProjectFilesError with every fault: the declarations of a faulty file are unknown
 */
export async function readExisting(options: AdoptOptions, { stack, orgId }: RunSettings, terminal: Terminal) {
  const { out, importFile, component } = options;
  const { cwd } = terminal;
  const names = new Map<FileKindName, readonly string[]>();
  for (const kind of FOLDERS) names.set(kind, await namesBelow(resolve(cwd, folderOf(options, kind))));
  const files = loadFilesIfAny(out, cwd);
  const listThere = await readIfThere(resolve(cwd, importFile));
  const earlier = listThere === undefined ? [] : parseImportList(listThere, importFile, component);
  const holdings =
    stack === undefined
      ? noHoldings
      : holdingsOf(readStackExport(await runPulumi(exportArguments(stack), terminal), stack), component);
  const common = { earlier, holdings, shard: shardIn(options) };
  const existing = <File extends DeclaredFile>(
    kind: FileKindName,
    given: readonly File[],
  ): Existing<File> => ({
    ...common,
    kind,
    noun: adoptedKinds[kind].files.noun,
    files: given.map((file) => withFacts(file, orgId)),
    fileNames: names.get(kind) ?? [],
  });
  const rootDefaults = await readDefaults(resolve(cwd, out));
  return {
    ...common,
    listThere,
    files,
    projects: existing("projects", files.projects),
    teams: existing("teams", files.teams),
    organizations: existing("organizations", files.organizations),
    hasRootDefaults: rootDefaults !== undefined,
    /** The files of defaults from which a new file of the kind inherits, the nearest first. */
    defaultsOf: async (kind: FileKindName): Promise<readonly DefaultsFile[]> => {
      const own = await readDefaults(resolve(cwd, folderOf(options, kind)));
      return [own, rootDefaults].filter((file) => file !== undefined);
    },
  };
}

export type ExistingFolder = Awaited<ReturnType<typeof readExisting>>;

function withFacts<File extends DeclaredFile & { readonly teamId?: string }>(
  file: File,
  setting: string | undefined,
): ExistingFile<File> {
  const orgId = (file.orgId ?? setting ?? "").toLowerCase();
  return { file, orgId, objectId: file.teamId?.toLowerCase() };
}

async function readDefaults(folder: string): Promise<DefaultsFile | undefined> {
  for (const extension of EXTENSIONS) {
    const path = join(folder, `${DEFAULTS}${extension}`);
    const text = await readIfThere(path);
    if (text !== undefined) return { path, text };
  }
  return undefined;
}
