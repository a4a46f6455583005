/** docs/messages.md explains messages that exist: each text that it quotes is in one source file. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readPage } from "../../support/documents";
import { repositoryRoot } from "../../support/repository";

/** Without the seams of texts that stand on several lines, and without the backslashes before quotation marks. */
const sources = ["provider", "projects", "cli", "action"].flatMap((folder) =>
  readdirSync(join(repositoryRoot, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(ts|mjs)$/.test(file))
    .map((file) =>
      readFileSync(join(repositoryRoot, folder, file), "utf8")
        .replaceAll(/["'`]\s*\+\s*["'`]/g, "")
        .replaceAll(/\\(?=["'`])/g, ""),
    ),
);

/** `<name>` stands for a part that varies, so a source has the texts between these parts. */
function isInSources(message: string): boolean {
  const parts = message.split(/<\w+>/).filter((part) => /\w/.test(part));
  return parts.length > 0 && sources.some((source) => parts.every((part) => source.includes(part)));
}

/** The first cell of each row of the page's tables may quote several messages. */
function quotedMessages(text: string): string[] {
  const cells = text.split("\n").flatMap((line) => /^\| (`.+?`) \| /.exec(line)?.[1] ?? []);
  return cells.flatMap((cell) => cell.split("<br>")).map((quoted) => quoted.slice(1, -1));
}

const messages = quotedMessages(readPage("docs/messages.md").text);

it("has each message that the page quotes in a source, and none that differs by a word", () => {
  expect(messages.length).toBeGreaterThan(15);
  expect(messages.filter((message) => !isInSources(message))).toEqual([]);
  expect(isInSources(messages[0]?.replace("request", "inquiry") ?? "")).toBe(false);
});
