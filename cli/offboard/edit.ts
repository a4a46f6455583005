/** Takes people out of the text of a file: comments, order and everything else stay. Pure. */
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
  /** Where people were declared, from top to bottom. */
  readonly removed: readonly RemovedEntry[];
}

export interface RemovedEntry {
  /** As the file spells it. */
  readonly name: string;
  readonly property: string;
  /** From 1. */
  readonly line: number;
}

/** The properties of a file that declare people: a map with their names, and a list of them. */
const PROPERTIES = ["members", "usernames"] as const;

/** The offsets of one entry. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * A list without anybody else stays as an empty one, because the file may inherit others.
 *
 * @param text YAML or JSON
 * @returns `undefined` if the file cannot be parsed, or declares none of them
 */
export function withoutPeople(text: string, names: readonly string[]): Edit | undefined {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  if (document.errors.length > 0 || !isMap(document.contents)) return undefined;
  const { contents } = document;
  const lists = PROPERTIES.flatMap((property) => {
    const pair = contents.items.find(({ key }) => isScalar(key) && key.value === property);
    const list = pair?.value;
    if (!isMap(list) && !isSeq(list)) return [];
    const entries = entriesOf(list);
    const found = entries.filter(({ name }) => names.some((each) => sameName(name, each)));
    const [, end = 0] = (pair?.key as Node | undefined)?.range ?? [];
    return found.length === 0
      ? []
      : [{ property, list, found, end, isEmptied: found.length === list.items.length }];
  });
  if (lists.length === 0) return undefined;
  const changes = lists.flatMap(({ list, found, end, isEmptied }) => {
    const colon = text.indexOf(":", end) + 1;
    const spans = spansOf(text, list, found).map((span) => ({ ...span, by: "" }));
    return isEmptied && !list.flow
      ? [...spans, { start: colon, end: colon, by: isMap(list) ? " {}" : " []" }]
      : spans;
  });
  return {
    text: changes
      .sort((one, other) => other.start - one.start)
      .reduce((left, { start, end, by }) => left.slice(0, start) + by + left.slice(end), text),
    removed: lists.flatMap(({ property, found }) =>
      found.map(({ name, nodes, index }) => ({
        ...{ name, property },
        line: lines.linePos(nodes[index]?.start ?? 0).line,
      })),
    ),
  };
}

type Entry = ReturnType<typeof entriesOf>[number];

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
    const name: unknown = isMap(key) ? key.get("username") : isScalar(key) ? key.value : undefined;
    return name === undefined || name === null ? [] : [{ name: String(name), nodes, index }];
  });
}

function spansOf(text: string, list: YAMLMap | YAMLSeq, found: readonly Entry[]): Span[] {
  const at = ({ nodes, index }: Entry) => nodes[index] ?? { start: 0, end: 0 };
  if (list.flow) return flowSpans(text, list, found);
  const dashOf = (start: number) =>
    isSeq(list) ? (/-(?:\s|#[^\n]*\n)*$/.exec(text.slice(0, start))?.index ?? start) : start;
  return found.map((entry) => {
    const { start, end } = at(entry);
    return wholeLines(text, { start: dashOf(start), end });
  });
}

/**
 * Between brackets, an entry begins behind the comma of the one before, and ends with its own comma. Comments are of the
 * entry beside or below them.
 */
function flowSpans(text: string, list: YAMLMap | YAMLSeq, found: readonly Entry[]): Span[] {
  const [nodes = []] = found.map((entry) => entry.nodes);
  const commas = nodes.map(({ end }) => end + (matchAt(/(?:\s|#[^\n]*\n)*,/y, text, end) ?? 0));
  const ends = nodes.map(({ end }, index) => endOfLine(text, Math.max(end, commas[index] ?? 0)));
  let first = endOfLine(text, (list.range?.[0] ?? 0) + 1);
  const leaving = new Set(found.map(({ index }) => index));
  const stays = (_: unknown, index: number) => !leaving.has(index);
  const [next, last] = [nodes.findIndex(stays), nodes.findLastIndex(stays)];
  // In one line, the first entry that stays has the blanks of the first one.
  if (next > 0 && [first, ends[next - 1] ?? first].every((start) => text[start] !== "\n")) {
    first = nodes[0]?.start ?? first;
    ends[next - 1] = nodes[next]?.start ?? first;
  }
  const spans = [...leaving].map((index) => {
    const [start, end] = [ends[index - 1] ?? first, ends[index] ?? first];
    // A comment before it must not go on with what follows.
    return { start: text[start] === "\n" && text[end] !== "\n" ? start + 1 : start, end };
  });
  const hasTrailingComma = commas.at(-1) !== nodes.at(-1)?.end;
  const comma = commas[last];
  // JSON has no comma behind the last entry.
  return comma === undefined || hasTrailingComma || last === nodes.length - 1
    ? spans
    : [...spans, { start: comma - 1, end: comma }];
}

/** The length of a match there. */
function matchAt(pattern: RegExp, text: string, start: number): number | undefined {
  pattern.lastIndex = start;
  return pattern.exec(text)?.[0].length;
}

/** Where the line ends if nothing but a comment follows. */
function endOfLine(text: string, start: number): number {
  return start + (matchAt(/[^\S\n]*(?:#[^\n]*)?(?=\n)/y, text, start) ?? 0);
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
