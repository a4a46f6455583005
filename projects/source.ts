/**
 * Parses one file into values with their locations. YAML is read strictly, because a reviewer
 * reads the text. Constructs that change the meaning of a text (anchors, tags, merge keys, several
 * documents) are rejected.
 */

import type { Node, YAMLError, YAMLMap } from "yaml";
import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseAllDocuments, visit } from "yaml";
import { attempt } from "../provider/attempt";
import { pathText } from "../provider/resources/contract/property-path";
import type { Fault, FileLocation } from "./faults";
import type { Located, LocatedMap } from "./located";
import { projectKind } from "./project-file";

export interface SourceFile {
  /** Absent if the file holds no map. */
  readonly content?: LocatedMap;
  readonly faults: readonly Fault[];
}

/** How messages speak of a kind of files. */
export type FileWords = Pick<typeof projectKind, "noun" | "sample">;

/**
 * @param file its name in messages
 * @param words of the kind of files in its folder
 */
export function parseSource(file: string, bytes: Uint8Array, words: FileWords = projectKind): SourceFile {
  const text = attempt(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  if (text === undefined) {
    return { faults: [{ location: { file }, reason: "This is not UTF-8. Save the file in that encoding." }] };
  }
  return new Reader(file, text, words).read();
}

class Reader {
  readonly #lines = new LineCounter();
  readonly #faults: Fault[] = [];

  constructor(
    readonly file: string,
    readonly text: string,
    readonly words: FileWords,
  ) {}

  read(): SourceFile {
    const { noun, sample } = this.words;
    const documents = parseAllDocuments(this.text, {
      lineCounter: this.#lines,
      prettyErrors: false,
      // The library's own error does not name the duplicate.
      uniqueKeys: false,
    });
    const conflict = CONFLICT_MARKER.exec(this.text);
    if (conflict) {
      this.#fault(conflict.index, "A merge conflict is here. Resolve it, and remove its markers.");
      return { faults: this.#faults };
    }
    const [first, second] = "empty" in documents ? [] : documents;
    const contents = first?.contents;
    const errors = documents.flatMap((document) => [...document.errors, ...document.warnings]);
    for (const error of firstOfEachLine(errors, this.#lines)) this.#fault(error.pos[0], syntaxReason(error));
    // The rest of a text with syntax errors cannot be interpreted.
    if (errors.length > 0) return { faults: this.#faults };
    if (second) {
      this.#fault(second.range[0], `A second document begins here. Write one file for each ${noun}.`);
    }
    if (contents === undefined || contents === null || isEmptyScalar(contents)) {
      const reason = `The file is empty. Write the ${noun} into it, or delete the file to release its ${noun}.`;
      return { faults: [{ location: { file: this.file }, reason }] };
    }
    this.#refuseHiddenMeaning(contents);
    if (!isMap(contents)) {
      this.#fault(
        contents.range?.[0] ?? 0,
        `${articled(noun)} file must be a map of properties, such as ${sample}.`,
      );
      return { faults: this.#faults };
    }
    return { content: this.#locatedMap(contents, []), faults: this.#faults };
  }

  #refuseHiddenMeaning(contents: Node): void {
    visit(contents, {
      Alias: (_, { source, range }) =>
        this.#fault(
          range?.[0] ?? 0,
          `*${source} is an alias. Write the value itself, or share it with extends.`,
        ),
      Node: (_, node) => {
        const anchor = "anchor" in node ? node.anchor : undefined;
        const start = node.range?.[0] ?? 0;
        if (anchor) this.#fault(start, `&${anchor} is an anchor. Share values between files with extends.`);
        if (node.tag) this.#fault(start, `${shortTag(node.tag)} is a YAML tag. Remove it.`);
      },
    });
  }

  #located(node: unknown, path: readonly PropertyKey[], otherwise: number): Located {
    if (isMap(node)) return this.#locatedMap(node, path);
    const { start, end } = spanOf(node, otherwise);
    const location = this.#location(start);
    if (isSeq(node)) {
      const entries = node.items.map((item, index) => this.#located(item, [...path, index], start));
      return { kind: "list", entries, location };
    }
    const value = isScalar(node) ? node.value : null;
    if (value === null && !isAlias(node)) {
      const reason = `${pathText(path)} has no value. Write one, or remove the line.`;
      this.#faults.push({ location, reason });
    }
    return { kind: "scalar", value, source: this.text.slice(start, end), location };
  }

  #locatedMap(map: YAMLMap, path: readonly PropertyKey[]): LocatedMap {
    const { start } = spanOf(map, 0);
    const entries = new Map<string, { keyLocation: FileLocation; value: Located }>();
    for (const pair of map.items) {
      const keyStart = spanOf(pair.key, start).start;
      const keyLocation = this.#location(keyStart);
      const name = isScalar(pair.key) ? pair.key.value : undefined;
      const refuse = (reason: string) => this.#fault(keyStart, reason);
      const before = entries.get(String(name));
      if (typeof name !== "string") refuse("A name must be text. Put it in quotes.");
      else if (name === "<<") refuse("<< is a merge key. Share values between files with extends.");
      else if (before) {
        refuse(`${pathText([...path, name])} occurs twice, first in line ${before.keyLocation.line}.`);
      } else entries.set(name, { keyLocation, value: this.#located(pair.value, [...path, name], keyStart) });
    }
    return { kind: "map", entries, location: this.#location(start) };
  }

  #fault(offset: number, reason: string): void {
    this.#faults.push({ location: this.#location(offset), reason });
  }

  #location(offset: number): FileLocation {
    const { line, col } = this.#lines.linePos(offset);
    return { file: this.file, line: Math.max(line, 1), column: Math.max(col, 1) };
  }
}

/** Of Git: the first line of a conflict, or the last one. */
const CONFLICT_MARKER = /^(?:<{7}|>{7})(?: |$)/m;

function articled(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? "An" : "A"} ${noun}`;
}

function spanOf(node: unknown, otherwise: number): { start: number; end: number } {
  const range = isNode(node) ? node.range : undefined;
  return { start: range?.[0] ?? otherwise, end: range?.[1] ?? otherwise };
}

function isEmptyScalar(node: Node): boolean {
  return isScalar(node) && node.value === null && node.source === "";
}

function shortTag(tag: string): string {
  return tag.replace("tag:yaml.org,2002:", "!!");
}

/**
 * Returns the first error of each line. One mistake causes several errors in one line, and the
 * first describes it best.
 */
function firstOfEachLine(errors: readonly YAMLError[], lines: LineCounter): YAMLError[] {
  const reported = new Set<number>();
  return errors.filter(({ pos }) => {
    const { line } = lines.linePos(pos[0]);
    return !reported.has(line) && reported.add(line);
  });
}

function syntaxReason({ code, message }: YAMLError): string {
  if (code === "TAB_AS_INDENT") return "Tabs are not allowed as indentation. Use spaces.";
  const advice = code === "BLOCK_AS_IMPLICIT_KEY" ? " Put a text with a colon in quotes." : "";
  return `This is not valid YAML: ${message}.${advice}`;
}
