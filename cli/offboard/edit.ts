/** Takes a person out of the text of a file: comments, order and everything else stay. Pure. */
import {
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { sameName } from "../../provider/access/person";

export interface Edit {
  readonly text: string;
  /** Where the person was declared: the property, and the line from 1. */
  readonly removed: readonly { readonly property: string; readonly line: number }[];
  /** The properties that would be empty, which no file may have. */
  readonly emptied: readonly string[];
}

/** The properties of a file that declare people: a map with their names, and a list of them. */
const PROPERTIES = ["members", "usernames"] as const;

/** The offsets of one entry. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * @param text YAML or JSON
 * @returns `undefined` if the file cannot be parsed, or does not declare the person
 */
export function withoutPerson(text: string, name: string): Edit | undefined {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0 || !isMap(document.contents)) return undefined;
  const { contents } = document;
  const found = PROPERTIES.flatMap((property) => {
    const list = contents.get(property, true);
    if (!isMap(list) && !isSeq(list)) return [];
    return entriesOf(list)
      .filter((entry) => sameName(entry.name, name))
      .map((entry) => ({ property, list, ...entry }));
  });
  if (found.length === 0) return undefined;
  const countIn = (property: string) => found.filter((entry) => entry.property === property).length;
  return {
    text: found
      .map(({ list, nodes, index }) => spanOf(text, list, nodes, index))
      .sort((one, other) => other.start - one.start)
      .reduce((left, { start, end }) => left.slice(0, start) + left.slice(end), text),
    removed: found.map(({ property, nodes, index }) => ({
      property,
      line: lines.linePos(nodes[index]?.start ?? 0).line,
    })),
    emptied: [
      ...new Set(
        found
          .filter(({ property, nodes }) => countIn(property) === nodes.length)
          .map(({ property }) => property),
      ),
    ],
  };
}

/** The entries of a map or a list, each with its name and the offsets of all of them. */
function entriesOf(list: YAMLMap | YAMLSeq) {
  const items = isMap(list)
    ? list.items.map(({ key, value }: Pair<unknown, unknown>) => ({ key, last: value ?? key }))
    : list.items.map((item) => ({ key: item, last: item }));
  const nodes = items.map(({ key, last }) => ({
    start: (key as Node).range?.[0] ?? 0,
    end: (last as Node).range?.[1] ?? 0,
  }));
  return items.flatMap(({ key }, index) => {
    // An entry of a list that ends is a map with the name.
    const name = isMap(key) ? key.get("username") : isScalar(key) ? key.value : undefined;
    return name === undefined ? [] : [{ name: String(name), nodes, index }];
  });
}

function spanOf(text: string, { flow }: YAMLMap | YAMLSeq, nodes: readonly Span[], index: number): Span {
  const { start, end } = nodes[index] ?? { start: 0, end: 0 };
  if (!flow) return wholeLines(text, { start, end });
  const [before, after] = [nodes[index - 1], nodes[index + 1]];
  if (after) return { start, end: after.start };
  return before ? { start: before.end, end } : { start, end };
}

/** The lines of an entry in a block, with the comments at their ends and right above them. */
function wholeLines(text: string, { start, end }: Span): Span {
  const last = text.slice(0, end).trimEnd().length;
  const lineEnd = text.indexOf("\n", last);
  let first = text.lastIndexOf("\n", start - 1) + 1;
  // With another indentation, a comment is of what encloses the entry, or of what the one before it holds.
  const comment = `${/^ */.exec(text.slice(first, start))?.[0]}#`;
  while (first > 0 && text.startsWith(comment, lineBefore(text, first))) first = lineBefore(text, first);
  return { start: first, end: lineEnd < 0 ? text.length : lineEnd + 1 };
}

/** Where the line begins that precedes the one that begins here. */
function lineBefore(text: string, start: number): number {
  return text.lastIndexOf("\n", Math.max(start - 2, 0)) + 1;
}
