/**
 * Loads the projects of a folder with the files that they extend, or reports every fault of every
 * file.
 */
import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, extname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { attempt } from "../provider/attempt";
import { messageOf } from "../provider/text/errors";
import { type Fault, type FileLocation, faultLine, inOrderOfLocation, ProjectFilesError } from "./faults";
import { keyLocationOf, type Located, type LocatedMap, locationOf, merged, sizeOf, without } from "./located";
import { isInside } from "./paths";
import { checkProjectFile, OWN_PROPERTIES, type ProjectFile, sharedBetweenFiles } from "./project-file";
import { parseSource, type SourceFile } from "./source";

export const EXTENSIONS: readonly string[] = [".yaml", ".yml", ".json"];

/** The file whose values all project files of its folder and of the subfolders inherit. */
export const DEFAULTS = "_defaults";

/**
 * Reads every `*.yaml`, `*.yml` and `*.json` of a folder and its subfolders, except names that
 * begin with `_` or `.`.
 *
 * A missing folder or one without a project is an error, so that a mistake does not release every
 * project.
 *
 * @param folder relative to `directory`
 * @returns at least one project, in the order of their files
 * @throws ProjectFilesError with every fault of every file
 */
export function loadProjectFiles(folder: string, directory = process.cwd()): readonly ProjectFile[] {
  return new Loader(directory).load(resolve(directory, folder));
}

/** Returns the location of a property of one project: in its file, or in one that it extends. */
export type LocateProperty = (path: readonly PropertyKey[]) => FileLocation;

/**
 * Finds where the files of a folder declare their projects.
 *
 * @param folder relative to `directory`
 * @returns by key
 * @throws ProjectFilesError if `loadProjectFiles` does
 */
export function locateProjects(folder: string, directory: string): ReadonlyMap<string, LocateProperty> {
  const loader = new Loader(directory);
  const projects = loader.load(resolve(directory, folder));
  return new Map(projects.map((project) => [project.key, loader.locate(project)]));
}

/** One file that was read. */
interface Part {
  readonly content: LocatedMap;
  /** What it gives to files that extend it. */
  readonly inheritable: LocatedMap;
  /** Where it names the files that it extends, by path, the nearest first. Invalid names have no path. */
  readonly bases: ReadonlyMap<string | undefined, FileLocation>;
}

/** Longer than any that a person could follow. */
const LONGEST_CHAIN = 100;

/** The files may be those of anyone who proposes a change, and reading a large one takes minutes. */
const LARGEST_FILE = 4 * 1024 * 1024;

/** A few bytes in each of many files inherit one large file. This many take half a minute. */
const MOST_VALUES = 5_000_000;

class Loader {
  /** By path, each file that was used, however many others extend it; `undefined` for an unusable one. */
  readonly #parts = new Map<string, Part | undefined>();
  readonly #files = new Map<string, string>();
  /** Each file that was read, once, however many links lead to it. */
  readonly #sources = new Map<string, SourceFile>();
  /** By their lines: a file that many others extend has its faults in each of them. */
  readonly #faults = new Map<string, Fault>();
  /** Of each folder that was looked at: its own defaults and those of the folders above it, the nearest first. */
  readonly #defaults = new Map<string, readonly string[]>();
  readonly #contents = new Map<ProjectFile, LocatedMap>();
  #values = 0;
  #root = "";
  #projects: ReadonlySet<string> = new Set();

  constructor(readonly directory: string) {}

  load(folder: string): readonly ProjectFile[] {
    this.#root = folder;
    const projects = this.#filesIn(folder).flatMap((path) => this.#project(path) ?? []);
    this.#report(sharedBetweenFiles(projects, (project, property) => this.locate(project)([property])));
    if (this.#faults.size > 0) throw new ProjectFilesError(inOrderOfLocation([...this.#faults.values()]));
    return projects;
  }

  locate(project: ProjectFile): LocateProperty {
    const content = this.#contents.get(project);
    return (path) => (content ? locationOf(content, path) : { file: project.file });
  }

  #filesIn(root: string): string[] {
    const unusable = (reason: string) =>
      new ProjectFilesError([{ location: { file: this.#nameOf(root) }, reason }]);
    if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) {
      throw unusable(`There is no such folder. Relative paths begin at ${this.directory}.`);
    }
    const files = this.#walk(root, realpathSync(root)).sort();
    this.#projects = new Set(files);
    if (files.length === 0 && this.#faults.size === 0) {
      throw unusable(
        "There is no project file in this folder (*.yaml, *.yml, *.json). To release all projects, remove ProjectFolder from the program.",
      );
    }
    return files;
  }

  /**
   * Lists the files of a folder. Node's own recursive reading follows links to folders, also in a
   * circle (tried with 24).
   */
  #walk(folder: string, root: string): string[] {
    return readdirSync(folder, { withFileTypes: true })
      .filter(({ name }) => !isIgnoredFile(name))
      .flatMap((entry) => {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) return this.#walk(path, root);
        const isThere = entry.isSymbolicLink() ? this.#leadsInside(path, root) : entry.isFile();
        return isThere && hasExtension(path) ? [path] : [];
      });
  }

  /**
   * Whether a link leads into the folder. A file outside could change the projects without a
   * change in the folder.
   */
  #leadsInside(path: string, root: string): boolean {
    const target = attempt(() => realpathSync(path));
    const isFile = target !== undefined && statSync(target).isFile();
    if (isFile && (isInside(root, target) || !hasExtension(path))) return true;
    const where = isFile ? "out of the folder" : target === undefined ? "to nothing" : "to a folder";
    const reason = `This is a symbolic link ${where}, which is not followed. Put the file itself here, or share a file with extends.`;
    this.#refuse({ file: this.#nameOf(path) }, reason);
    return false;
  }

  #project(path: string): ProjectFile | undefined {
    if (this.#part(path) === undefined) return undefined;
    const { contents, isComplete } = this.#lineage(path);
    const content = contents.reduceRight(merged);
    const file = this.#nameOf(path);
    this.#values += sizeOf(content);
    if (this.#values > MOST_VALUES) {
      const reason = `The files up to this one have more than ${MOST_VALUES} values, with what they inherit. Divide the folder.`;
      throw new ProjectFilesError([{ location: { file }, reason }]);
    }
    const defaultKey = basename(path, extname(path));
    const { project, faults } = checkProjectFile({ file, defaultKey, content, isComplete });
    this.#report(faults);
    if (project) this.#contents.set(project, content);
    return project;
  }

  /**
   * The contents of a project's file, of all that it extends, and of the defaults of its folder, the nearest first. A
   * file that is reached in several ways is merged once, where it is nearest: what it declares is decided there.
   */
  #lineage(path: string) {
    const contents: LocatedMap[] = [];
    let isComplete = true;
    const visited = new Set<string>();
    /** The files that led to the present one by `extends`. A link in a folder to this folder has paths without end. */
    const chain = new Map<string, string>();
    const visit = (file: string | undefined, named: FileLocation): void => {
      const part = file === undefined || this.#isEndless(file, chain, named) ? undefined : this.#part(file);
      if (file === undefined || part === undefined) {
        isComplete = false;
        return;
      }
      const target = this.#fileAt(file);
      if (visited.has(target)) return;
      visited.add(target);
      contents.push(file === path ? part.content : part.inheritable);
      chain.set(target, file);
      for (const [base, location] of part.bases) visit(base, location);
      chain.delete(target);
    };
    for (const file of [path, ...this.#defaultsOf(dirname(path))]) visit(file, { file: this.#nameOf(file) });
    return { contents, isComplete };
  }

  #isEndless(path: string, chain: ReadonlyMap<string, string>, named: FileLocation): boolean {
    const first = chain.get(this.#fileAt(path));
    if (first !== undefined) {
      const files = [...chain.values()];
      const round = [...files.slice(files.indexOf(first)), path].map((step) => this.#nameOf(step));
      this.#refuse(named, `extends forms a cycle: ${round.join(" -> ")}.`);
      return true;
    }
    if (chain.size < LONGEST_CHAIN) return false;
    this.#refuse(named, `extends leads through more than ${LONGEST_CHAIN} files.`);
    return true;
  }

  #part(path: string): Part | undefined {
    if (!this.#parts.has(path)) this.#parts.set(path, this.#readPart(path));
    return this.#parts.get(path);
  }

  #readPart(path: string): Part | undefined {
    const { content } = this.#source(path);
    if (!content) return undefined;
    const bases = this.#extended(content).map(
      (entry) => [this.#target(path, entry), entry.location] as const,
    );
    // A project may be extended too; its own properties are not inherited.
    for (const property of this.#projects.has(path) ? [] : ["key", "name"]) {
      if (!content.entries.has(property)) continue;
      const reason = `${property} is not inherited. Move it to the file of the project.`;
      this.#refuse(keyLocationOf(content, [property]), reason);
    }
    return { content, inheritable: without(content, OWN_PROPERTIES), bases: new Map(bases.reverse()) };
  }

  #defaultsOf(folder: string): readonly string[] {
    const known = this.#defaults.get(folder);
    if (known) return known;
    const outer = folder === this.#root ? [] : this.#defaultsOf(dirname(folder));
    const [path, ...others] = EXTENSIONS.map((extension) => join(folder, `${DEFAULTS}${extension}`)).filter(
      (candidate) => this.#isFileOfFolder(candidate),
    );
    for (const other of others) {
      const reason = `The folder has its defaults in ${basename(path ?? "")} already. Write them into one file.`;
      this.#refuse({ file: this.#nameOf(other) }, reason);
    }
    const defaults = path === undefined ? outer : [path, ...outer];
    this.#defaults.set(folder, defaults);
    return defaults;
  }

  #isFileOfFolder(path: string): boolean {
    const entry = lstatSync(path, { throwIfNoEntry: false });
    if (!entry?.isSymbolicLink()) return entry?.isFile() === true;
    return this.#leadsInside(path, realpathSync(this.#root));
  }

  /** The names of the files that this one extends, farthest first; they may be invalid. */
  #extended(content: LocatedMap): readonly Located[] {
    const value = content.entries.get("extends")?.value;
    if (value === undefined) return [];
    const named = value.kind === "list" ? value.entries : [value];
    if (named.length === 0) this.#refuse(locationOf(content, ["extends"]), "extends must name a file.");
    return named;
  }

  #target(path: string, entry: Located): string | undefined {
    const { location } = entry;
    const text = entry.kind === "scalar" ? entry.value : undefined;
    if (typeof text !== "string" || text === "") {
      return this.#refuse(location, "extends must be the path of a file, or a list of paths.");
    }
    if (isAbsolute(text)) {
      return this.#refuse(location, `extends must be relative to this file, not ${text}.`);
    }
    const target = resolve(dirname(path), text);
    if (!hasExtension(target)) {
      return this.#refuse(
        location,
        `extends must name a file that ends with ${EXTENSIONS.join(", ")}, not ${text}.`,
      );
    }
    if (!statSync(target, { throwIfNoEntry: false })?.isFile()) {
      return this.#refuse(location, `extends names ${text}, but there is no file ${this.#nameOf(target)}.`);
    }
    return target;
  }

  #refuse(location: FileLocation, reason: string): undefined {
    this.#report([{ location, reason }]);
  }

  #report(faults: readonly Fault[]): void {
    for (const fault of faults) this.#faults.set(faultLine(fault), fault);
  }

  /** The file to which a path leads, through whatever links. */
  #fileAt(path: string): string {
    const known = this.#files.get(path);
    const file = known ?? attempt(() => realpathSync(path)) ?? path;
    this.#files.set(path, file);
    return file;
  }

  #source(path: string): SourceFile {
    const target = this.#fileAt(path);
    const known = this.#sources.get(target);
    if (known) return known;
    const source = this.#read(path);
    this.#sources.set(target, source);
    this.#report(source.faults);
    return source;
  }

  #read(path: string): SourceFile {
    const file = this.#nameOf(path);
    const unusable = (reason: string) => ({ faults: [{ location: { file }, reason }] });
    try {
      if (statSync(path).size > LARGEST_FILE)
        return unusable("The file is larger than 4 MiB, which no project needs.");
      return parseSource(file, readFileSync(path));
    } catch (error) {
      return unusable(`The file cannot be read: ${messageOf(error)}.`);
    }
  }

  #nameOf(path: string): string {
    const name = isInside(this.directory, path) ? relative(this.directory, path) : path;
    return name.split(sep).join("/");
  }
}

function isIgnoredFile(name: string): boolean {
  return name.startsWith("_") || name.startsWith(".");
}

function hasExtension(path: string): boolean {
  return EXTENSIONS.includes(extname(path).toLowerCase());
}
