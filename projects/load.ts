/**
 * Loads the files of a folder with the files that they extend, or reports every fault of every file.
 * One loader reads all kinds of files: they differ in what `FileKind` asks them.
 */
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, extname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { attempt } from "../provider/attempt";
import { messageOf } from "../provider/text/errors";
import { nearest } from "../provider/text/nearest";
import { type AccessFiles, type FileKindName, FOLDERS, fileKinds } from "./access-files";
import { containmentFaults } from "./containment";
import { checkFile, type DeclaredFile, type FileKind, type Locate, OWN_PROPERTIES } from "./declared-file";
import { type Fault, type FileLocation, faultLine, inOrderOfLocation, ProjectFilesError } from "./faults";
import { keyLocationOf, type Located, type LocatedMap, locationOf, merged, sizeOf, without } from "./located";
import { misplacedFiles } from "./misplaced";
import { nameFaults, withEndsOfKeys, writtenPath } from "./names";
import { EXTENSIONS, hasExtension, isIgnoredFile, isInside } from "./paths";
import { type FileWords, parseSource, type SourceFile } from "./source";

/** The file whose values all files of its folder and of the subfolders inherit. */
export const DEFAULTS = "_defaults";

/**
 * Reads every `*.yaml`, `*.yml` and `*.json` in the subfolders `projects`, `teams` and `organizations` of a
 * folder, except names that begin with `_` or `.`. Each of the three may be absent.
 *
 * A missing folder or one without a file is an error, so that a mistake does not release everything.
 *
 * @param folder relative to `directory`
 * @returns at least one file, in the order of their paths
 * @throws ProjectFilesError with every fault of every file
 */
export function loadFiles(folder: string, directory = process.cwd()): AccessFiles {
  return new Loader(directory, folder).load();
}

/** As `loadFiles`, for a command that may write the first file: none if there is no folder, or no file in it. */
export function loadFilesIfAny(folder: string, directory: string): AccessFiles {
  return new Loader(directory, folder, true).load();
}

/** The files of a folder, and everything that was read for them. */
export interface ReadFolder {
  readonly files: AccessFiles;
  /** The real path of each file that declares or is inherited, once, sorted. */
  readonly paths: readonly string[];
  readonly locate: Locate;
}

/** As `loadFiles`, with the paths of what was read: files that others extend may be anywhere. */
export function readFolder(folder: string, directory = process.cwd()): ReadFolder {
  const { faults, ...read } = readFaultyFolder(folder, directory);
  if (faults.length > 0) throw new ProjectFilesError(faults);
  return read;
}

/**
 * As `readFolder`, for a command that mends faults: without the files that have some of their own.
 *
 * @param texts by real path, of files as if they had these texts
 * @throws ProjectFilesError if there is no such folder, or no file in it
 */
export function readFaultyFolder(
  folder: string,
  directory: string,
  texts?: ReadonlyMap<string, string>,
): ReadFolder & { readonly faults: readonly Fault[] } {
  const loader = new Loader(directory, folder, false, texts);
  const { files, faults } = loader.read();
  return { files, faults, paths: loader.paths, locate: loader.locate };
}

/** Returns the location of a property of one file: in it, or in one that it extends. */
type LocateProperty = (path: readonly PropertyKey[]) => FileLocation;

/** Where the files of a folder declare their properties, by kind and key. */
type LocatedFiles = Readonly<Record<FileKindName, ReadonlyMap<string, LocateProperty>>>;

/**
 * Finds where the files of a folder declare what they declare.
 *
 * @param folder relative to `directory`
 * @throws ProjectFilesError if `loadFiles` does
 */
export function locateFiles(folder: string, directory: string): LocatedFiles {
  const loader = new Loader(directory, folder);
  const files = loader.load();
  const byKey = (kind: FileKindName) =>
    new Map(
      files[kind].map((file) => [file.key, (path: readonly PropertyKey[]) => loader.locate(file, path)]),
    );
  return { projects: byKey("projects"), teams: byKey("teams"), organizations: byKey("organizations") };
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

/** Properties of what a file declares that others do not inherit. `extends` and `$schema` are of the file itself. */
const OWN_OBJECT_PROPERTIES = OWN_PROPERTIES.filter((name) => name !== "extends" && name !== "$schema");

const SUBFOLDERS = FOLDERS.map((name) => `${name}/`).join(", ");

/** What the defaults of a whole folder may hold. */
const COMMON_PROPERTIES = ["orgId", "$schema"];

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
  readonly #contents = new Map<string, LocatedMap>();
  #values = 0;
  readonly #root: string;
  /** The files that declare something; others are only extended. */
  #declaring: ReadonlySet<string> = new Set();

  constructor(
    readonly directory: string,
    folder: string,
    readonly mayBeEmpty = false,
    readonly texts: ReadonlyMap<string, string> = new Map(),
  ) {
    this.#root = resolve(directory, folder);
  }

  load(): AccessFiles {
    const { files, faults } = this.read();
    if (faults.length > 0) throw new ProjectFilesError(faults);
    return files;
  }

  /** @returns the files without a fault of their own */
  read(): { readonly files: AccessFiles; readonly faults: readonly Fault[] } {
    const paths = this.#paths();
    const files = {
      projects: this.#check(fileKinds.projects, paths.projects),
      teams: this.#check(fileKinds.teams, paths.teams),
      organizations: this.#check(fileKinds.organizations, paths.organizations),
    };
    this.#report(containmentFaults(files, this.locate));
    const isWhole = (kind: FileKindName) => files[kind].length === paths[kind].length;
    this.#report(nameFaults(files, isWhole, this.locate));
    return { files: withEndsOfKeys(files), faults: inOrderOfLocation([...this.#faults.values()]) };
  }

  get paths(): readonly string[] {
    return [...this.#sources.keys()].sort();
  }

  readonly locate = (file: DeclaredFile, path: readonly PropertyKey[]): FileLocation => {
    const content = this.#contents.get(file.file);
    return content ? locationOf(content, writtenPath(content, path)) : { file: file.file };
  };

  #check<File extends DeclaredFile>(kind: FileKind<File>, paths: readonly string[]): readonly File[] {
    const files = paths.flatMap((path) => this.#declared(kind, path) ?? []);
    // A copy has both the key and the name of another file.
    const byFile = new Map(kind.shared(files, this.locate).map((fault) => [fault.location.file, fault]));
    this.#report([...byFile.values()]);
    return files;
  }

  #error(faults: readonly Fault[]): ProjectFilesError {
    return new ProjectFilesError(inOrderOfLocation(faults));
  }

  #unusable(reason: string): ProjectFilesError {
    return this.#error([{ location: { file: this.#nameOf(this.#root) }, reason }]);
  }

  #paths(): Readonly<Record<FileKindName, readonly string[]>> {
    const root = this.#root;
    if (this.mayBeEmpty && !existsSync(root)) return { projects: [], teams: [], organizations: [] };
    if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) {
      throw this.#unusable(`There is no such folder. Relative paths begin at ${this.directory}.`);
    }
    this.#refuseMisspelled(root);
    const below = (kind: FileKindName) => this.#filesIn(join(root, kind));
    const paths = {
      projects: below("projects"),
      teams: below("teams"),
      organizations: below("organizations"),
    };
    this.#declaring = new Set(Object.values(paths).flat());
    const isUsable = this.#declaring.size > 0 || this.mayBeEmpty;
    if (this.#faults.size > 0) return paths;
    const misplaced = misplacedFiles(root, isUsable);
    if (misplaced.length > 0) throw this.#unusable(this.#whereTheyBelong(misplaced));
    if (isUsable) return paths;
    throw this.#unusable(
      `There is no file in ${SUBFOLDERS} of this folder (*.yaml, *.yml, *.json). To release everything, remove AccessFolder from the program.`,
    );
  }

  /** One message for all of them: each would have the same one. */
  #whereTheyBelong([first = "", ...others]: readonly string[]): string {
    const more = others.length === 0 ? "" : ` and ${others.length} more`;
    const found = `${this.#nameOf(first)}${more} would declare nothing here.`;
    const root = this.#nameOf(this.#root);
    if ((FOLDERS as readonly string[]).includes(basename(this.#root))) {
      const above = relative(this.directory, dirname(this.#root)).split(sep).join("/");
      return `${found} ${root} is one of them, so name ${JSON.stringify(above === "" ? "." : above)}, the folder above it.`;
    }
    const target = relative(this.directory, join(this.#root, "projects")).split(sep).join("/");
    return `${found} Files of projects belong in ${target}/, and those of teams and organizations in teams/ and organizations/ beside it.`;
  }

  /**
   * A folder whose name is nearly one of the three and that holds such files: they would declare nothing, and those
   * of a renamed folder would release everything. The folder may be that of a program, so others may be there.
   */
  #refuseMisspelled(root: string): void {
    const folders = readdirSync(root, { withFileTypes: true }).filter(
      (entry) => entry.isDirectory() && !isIgnoredFile(entry.name),
    );
    for (const { name } of folders) {
      const meant = (FOLDERS as readonly string[]).includes(name)
        ? undefined
        : nearest(name, FOLDERS, mostWrongLetters);
      if (meant === undefined || !readdirSync(join(root, name)).some(hasExtension)) continue;
      const reason = `The files of this folder are not read: an access folder has ${FOLDERS.join(", ")}. Did you mean ${meant}?`;
      this.#refuse({ file: this.#nameOf(join(root, name)) }, reason);
    }
  }

  /** The files of a subfolder, which may be absent. */
  #filesIn(subfolder: string): string[] {
    const root = realpathSync(this.#root);
    const entry = lstatSync(subfolder, { throwIfNoEntry: false });
    if (entry?.isSymbolicLink()) this.#leadsInside(subfolder, root);
    return entry?.isDirectory() ? this.#walk(subfolder, root).sort() : [];
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

  #declared<File extends DeclaredFile>(kind: FileKind<File>, path: string): File | undefined {
    if (this.#part(path) === undefined) return undefined;
    const { contents, isComplete, isSound } = this.#lineage(path);
    const content = contents.reduceRight(merged);
    const file = this.#nameOf(path);
    this.#values += sizeOf(content);
    if (this.#values > MOST_VALUES) {
      const reason = `The files up to this one have more than ${MOST_VALUES} values, with what they inherit. Divide the folder.`;
      throw this.#error([{ location: { file }, reason }]);
    }
    const defaultKey = basename(path, extname(path));
    const { checked, faults } = checkFile(kind, { file, defaultKey, content, isComplete }, foldersWith);
    this.#report(faults);
    if (checked === undefined || !isSound) return undefined;
    this.#contents.set(file, content);
    return checked;
  }

  /**
   * The contents of a file, of all that it extends, and of the defaults of its folder, the nearest first. A
   * file that is reached in several ways is merged once, where it is nearest: what it declares is decided there.
   */
  #lineage(path: string) {
    const contents: LocatedMap[] = [];
    let isComplete = true;
    // What was read with faults lacks values, or has some of another kind.
    let isSound = true;
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
      isSound &&= this.#source(file).faults.length === 0;
      contents.push(file === path ? part.content : part.inheritable);
      chain.set(target, file);
      for (const [base, location] of part.bases) visit(base, location);
      chain.delete(target);
    };
    for (const file of [path, ...this.#defaultsOf(dirname(path))]) visit(file, { file: this.#nameOf(file) });
    return { contents, isComplete, isSound };
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
    const { content: written } = this.#source(path);
    if (!written) return undefined;
    const content = this.#isAboveKinds(path) ? this.#common(written) : written;
    const bases = this.#extended(content).map(
      (entry) => [this.#target(path, entry), entry.location] as const,
    );
    // A file that declares something may be extended too; its own properties are not inherited.
    for (const property of this.#declaring.has(path) ? [] : OWN_OBJECT_PROPERTIES) {
      if (!content.entries.has(property)) continue;
      const reason = `${property} is not inherited. Move it to the file of the ${this.#wordsAt(path).noun}.`;
      this.#refuse(keyLocationOf(content, [property]), reason);
    }
    return { content, inheritable: without(content, OWN_PROPERTIES), bases: new Map(bases.reverse()) };
  }

  /** Whether files of several kinds inherit from this one, because it is the defaults of the whole folder. */
  #isAboveKinds(path: string): boolean {
    return dirname(path) === this.#root && isDefaults(path);
  }

  /** What files of all kinds may inherit. Everything else would be a fault in files of the other kinds. */
  #common(content: LocatedMap): LocatedMap {
    const others = [...content.entries].filter(([property]) => !COMMON_PROPERTIES.includes(property));
    for (const [property, { keyLocation }] of others) {
      const where = foldersWith(property)
        .map((name) => `${name}/${DEFAULTS}.yaml`)
        .join(" or ");
      const advice = where === "" ? "" : ` Move ${property} to ${where}.`;
      const reason = `The files of all three folders inherit from this one, so it holds ${COMMON_PROPERTIES.join(" and ")} only.${advice}`;
      this.#refuse(keyLocation, reason);
    }
    return without(
      content,
      others.map(([property]) => property),
    );
  }

  #wordsAt(path: string): FileWords {
    return fileKinds[this.#folderWith(path) ?? "projects"];
  }

  #folderWith(path: string): FileKindName | undefined {
    return FOLDERS.find((name) => isInside(join(this.#root, name), path));
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
    if (text.includes("\\")) {
      return this.#refuse(location, `extends must have slashes: ${text.replaceAll("\\", "/")}, not ${text}.`);
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
    const [own, other] = [this.#folderWith(path), this.#folderWith(target)];
    if (own !== other && own !== undefined && other !== undefined && this.#declaring.has(target)) {
      return this.#refuse(location, `extends names ${text}, but files of ${other}/ have other properties.`);
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
    const words = this.#wordsAt(path);
    const unusable = (reason: string) => ({ faults: [{ location: { file }, reason }] });
    try {
      if (statSync(path).size > LARGEST_FILE)
        return unusable(`The file is larger than 4 MiB, which no ${words.noun} needs.`);
      const text = this.texts.get(this.#fileAt(path));
      return parseSource(file, text === undefined ? readFileSync(path) : Buffer.from(text), words);
    } catch (error) {
      return unusable(`The file cannot be read: ${messageOf(error)}.`);
    }
  }

  #nameOf(path: string): string {
    const name = isInside(this.directory, path) ? relative(this.directory, path) : path;
    return name.split(sep).join("/");
  }
}

/** Few: the folder of a program may have one with the name of another word, such as `products`. */
function mostWrongLetters(folder: string): number {
  return Math.floor(folder.length / 5);
}

function foldersWith(property: string): readonly FileKindName[] {
  return FOLDERS.filter((name) => Object.hasOwn(fileKinds[name].source.shape, property));
}

function isDefaults(path: string): boolean {
  return basename(path, extname(path)) === DEFAULTS;
}
