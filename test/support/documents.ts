/** The Markdown files of the repository, as data: headings, links, code blocks and the command lines in them. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { repositoryRoot } from "./repository";

export interface CodeBlock {
  readonly page: string;
  /** Line of the opening fence, from 1. */
  readonly line: number;
  /** The word after the opening fence; empty if there is none. */
  readonly language: string;
  readonly text: string;
  /** Whether `scripts/docs.mts` writes it, from a source that has its own tests. */
  readonly isGenerated: boolean;
}

export interface Link {
  readonly page: string;
  readonly line: number;
  readonly target: string;
}

export interface CommandLine {
  readonly page: string;
  readonly line: number;
  /** Arguments without quotes; the first one is the program. Assignments of variables before it are left out. */
  readonly words: readonly string[];
}

export interface Page {
  /** Path below the repository, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly anchors: ReadonlySet<string>;
  readonly links: readonly Link[];
  readonly blocks: readonly CodeBlock[];
  readonly commands: readonly CommandLine[];
}

/** README.md and all pages of docs/: what a user of the package reads. */
export function userPages(): Page[] {
  return ["README.md", ...markdownBelow("docs")].map(readPage);
}

/** The pages for users, and those for contributors, examples and tests. */
export function allPages(): Page[] {
  const others = ["CHANGELOG.md", "CONTRIBUTING.md", "DESIGN.md"];
  const folders = ["examples", "sandbox", "test"].filter((name) => existsSync(join(repositoryRoot, name)));
  return [...userPages(), ...[...others, ...folders.flatMap(markdownBelow)].map(readPage)];
}

function markdownBelow(folder: string): string[] {
  const entries = readdirSync(join(repositoryRoot, folder), { recursive: true, encoding: "utf8" });
  return entries
    .filter((path) => path.endsWith(".md") && !path.split(sep).includes("node_modules"))
    .map((path) => join(folder, path).split(sep).join("/"))
    .filter((path) => !path.startsWith("docs/site/"))
    .sort();
}

/** @param path below the repository */
export function readPage(path: string): Page {
  return parsePage(path, readFileSync(join(repositoryRoot, path), "utf8"));
}

export function parsePage(path: string, text: string): Page {
  const lines = text.split("\n");
  const blocks: CodeBlock[] = [];
  const prose: string[] = lines.map(() => "");
  let isGenerated = false;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? "";
    const [, fence, language = ""] = /^\s*(```+)(\S*)/.exec(line) ?? [];
    if (fence === undefined) {
      if (/^<!-- end -->$/.test(line)) isGenerated = false;
      else if (/^<!-- \w+(: \S+)? -->$/.test(line)) isGenerated = true;
      prose[index] = line;
      continue;
    }
    const end = lines.findIndex((other, later) => later > index && other.trim() === fence);
    if (end < 0) throw new Error(`${path}:${index + 1}: the code block has no end`);
    const content = lines.slice(index + 1, end).join("\n");
    blocks.push({ page: path, line: index + 1, language, text: content, isGenerated });
    index = end;
  }
  return {
    path,
    text,
    anchors: anchorsOf(prose),
    links: prose.flatMap((line, index) => linksIn(path, line, index + 1)),
    blocks,
    commands: [
      ...blocks.flatMap(commandsIn),
      ...prose.flatMap((line, index) => inlineCommandsIn(path, line, index + 1)),
    ],
  };
}

/** Anchors as GitHub makes them from headings; a repeated heading gets a number. */
function anchorsOf(prose: readonly string[]): Set<string> {
  const anchors = new Set<string>();
  for (const line of prose) {
    const heading = /^#{1,6} +(.+?) *$/.exec(line)?.[1];
    if (heading === undefined) continue;
    const slug = heading
      .toLowerCase()
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/\s/g, "-");
    let anchor = slug;
    for (let number = 1; anchors.has(anchor); number++) anchor = `${slug}-${number}`;
    anchors.add(anchor);
  }
  return anchors;
}

function linksIn(page: string, line: string, number: number): Link[] {
  const withoutCode = line.replace(/`[^`]*`/g, (code) => "x".repeat(code.length));
  return [...withoutCode.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => ({
    page,
    line: number,
    target,
  }));
}

/** Each line of a `sh` block, and each line after a prompt in a `text` block. */
function commandsIn({ page, line, language, text }: CodeBlock): CommandLine[] {
  const isShell = language === "sh" || language === "bash";
  if (!isShell && language !== "text") return [];
  const content = text.replace(/\\\n\s*/g, " ").split("\n");
  return content.flatMap((each, index) => {
    const command = isShell ? each : /^\$ (.+)/.exec(each)?.[1];
    if (command === undefined || command.trim() === "" || command.startsWith("{")) return [];
    return splitCommands(command).map((words) => ({ page, line: line + 1 + index, words }));
  });
}

const PROGRAMS = /^(pulumi|opsmanager|npx|npm) [a-z-]/;

/** Command lines in inline code. Code with `...` shows only a part of a command line. */
function inlineCommandsIn(page: string, line: string, number: number): CommandLine[] {
  // The first column of that page has messages, some of which begin with the name of a program.
  const prose = page === "docs/messages.md" ? line.replace(/^\|(\\\||[^|])*\|/, "") : line;
  return [...prose.matchAll(/`([^`]+)`/g)].flatMap(([, code = ""]) => {
    if (!PROGRAMS.test(code) || code.includes("...")) return [];
    return splitCommands(code).map((words) => ({ page, line: number, words }));
  });
}

/** A small part of a shell's syntax: quotes, comments, `&&` and assignments before the program. */
function splitCommands(line: string): string[][] {
  const commands: string[][] = [[]];
  for (const [word] of line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)) {
    if (word.startsWith("#")) break;
    if (word === "&&" || word === "|") commands.push([]);
    else commands.at(-1)?.push(word.replace(/"([^"]*)"|'([^']*)'/g, "$1$2"));
  }
  return commands
    .map((words) => words.slice(words.findIndex((word) => !/^[A-Z_]+=/.test(word))))
    .filter((words) => words.length > 0);
}
