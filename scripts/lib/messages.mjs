/**
 * The catalog of messages, `docs/messages.yaml`: an explanation for each message that cannot say enough itself.
 *
 * The catalog repeats the text of each message as its key. `npm run generate` writes a changed text into the catalog and keeps
 * the explanation, as `msgmerge` does for translations.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import leven from "leven";
import { parse, stringify } from "yaml";
import { messagesInSources } from "./message-sources.mjs";
import { inRepository } from "./repository.mjs";
import { Failure } from "./script.mjs";

/**
 * @typedef {import("./message-sources.mjs").Message} Message
 * @typedef {{ cause?: string, do?: string, messages: Message[] }} Entry several messages may share one explanation
 */

const catalogFile = "docs/messages.yaml";

const HEAD = `# Explains the messages of the provider, the command and the GitHub Action that cannot say enough themselves. docs/messages.md
# shows it.
#
# Write \`cause\`, \`do\` and the text of the message. \`npm run generate\` updates changed texts and keeps the order. Messages with the
# same explanation may share one entry: move them into the same \`messages\` list.
`;

/** The topics of the page, by the beginning of a source. The first that fits counts. @type {readonly (readonly [string, RegExp])[]} */
const TOPICS = [
  ["settings", /^(provider\/settings\/|cli\/lib\/(settings|connection))/],
  ["connection", /^provider\/(transport|api)\//],
  ["project", /^provider\/resources\/project\//],
  [
    "members",
    /^provider\/resources\/(project-members\/|members\/|lists\/|people\/(?!team-)|reads\/(project-people|organization-people|gathering))/,
  ],
  ["teams", /^provider\/resources\/((project-)?team\/|people\/team-|reads\/(find-team|teams))/],
  ["projectFiles", /^projects\//],
  ["functions", /^provider\/functions\//],
  ["drift", /^cli\/drift\//],
  ["adopt", /^cli\/adopt\//],
  ["verifyReasons", /^cli\/verify\/(points\/|undetermined)/],
  ["verify", /^cli\/verify\//],
  ["doctor", /^cli\/doctor\//],
  ["commands", /^cli\//],
  ["action", /^action\//],
  ["resources", /^provider\/resources\//],
  ["providers", /^(provider|projects)\//],
];

/** @param {Message | undefined} message */
function topicOf(message) {
  return TOPICS.findIndex(([, pattern]) => pattern.test(message?.source ?? "provider/"));
}

/** @returns {Entry[]} */
function readCatalog() {
  const path = inRepository(catalogFile);
  return existsSync(path) ? (parse(readFileSync(path, "utf8")) ?? []) : [];
}

/** @param {readonly Entry[]} entries */
function textOf(entries) {
  return `${HEAD}${entries.map((entry) => `\n${stringify([entry], { lineWidth: 0 })}`).join("")}`;
}

/** Brings the catalog up to date. */
export function writeCatalog() {
  const { entries } = mergedCatalog(readCatalog(), messagesInSources());
  writeFileSync(inRepository(catalogFile), textOf(entries));
}

/**
 * Reads the catalog, which must be up to date.
 *
 * @returns {ReadonlyMap<string, readonly Entry[]>} by topic; an entry with messages of several topics has a part in each
 */
export function readEntries() {
  const before = readCatalog();
  const { entries, removed } = mergedCatalog(before, messagesInSources());
  const faults = [
    ...entries.flatMap(unexplained),
    ...removed.map(({ text }) => `no source has this message: ${text}`),
  ];
  if (faults.length > 0) {
    throw new Failure(
      `${catalogFile}: write cause and do for each message, and delete each message that no source has:\n${faults.join("\n")}`,
    );
  }
  if (textOf(entries) !== readFileSync(inRepository(catalogFile), "utf8")) {
    throw new Failure(`\`npm run generate\` would change ${catalogFile}`);
  }
  const byTopic = TOPICS.map(([name], topic) => {
    const parts = entries.map(({ messages, ...entry }) => ({
      ...entry,
      messages: messages.filter((message) => topicOf(message) === topic),
    }));
    return /** @type {const} */ ([name, parts.filter(({ messages }) => messages.length > 0)]);
  });
  return new Map(byTopic.filter(([, parts]) => parts.length > 0));
}

/** @param {Entry} entry */
function unexplained(entry) {
  const missing = /** @type {const} */ (["cause", "do"]).filter((name) => !entry[name]);
  if (missing.length === 0) return [];
  return entry.messages.map(({ text, source }) => `no ${missing.join(" and ")}: ${text} (${source})`);
}

/**
 * Finds the message of each catalog entry: the same text; else the most similar text of the same symbol; else a similar text
 * elsewhere. A symbol is a function or constant of a file.
 *
 * @param {readonly Entry[]} catalog
 * @param {readonly Message[]} messages
 * @returns {{ entries: Entry[], removed: Message[] }} the messages of `removed` are still in `entries`
 */
export function mergedCatalog(catalog, messages) {
  const explained = catalog.flatMap((entry) => entry.messages);
  const matches = matched(explained, messages);
  const kept = catalog.map((entry) => ({
    ...entry,
    messages: entry.messages.map((message) => matches.get(message) ?? message),
  }));
  const position = new Map(messages.map((message, index) => [message, index]));
  /** @param {Entry} entry */
  const orderOf = ({ messages: [first] }) => (first && position.get(first)) ?? -1;
  /** @param {Entry} one @param {Entry} other */
  const inOrder = (one, other) =>
    topicOf(one.messages[0]) - topicOf(other.messages[0]) || orderOf(one) - orderOf(other);
  return {
    entries: kept.sort(inOrder),
    removed: explained.filter((message) => !matches.has(message)),
  };
}

/**
 * @param {readonly Message[]} explained
 * @param {readonly Message[]} messages
 * @returns {Map<Message, Message>}
 */
function matched(explained, messages) {
  /** @type {Map<Message, Message>} */
  const matches = new Map();
  const openMessages = new Set(messages);
  /** @param {(one: Message, other: Message) => boolean} mayMatch @param {number} least */
  const matchBest = (mayMatch, least) => {
    const open = explained.filter((one) => !matches.has(one));
    const pairs = open
      .flatMap((one) =>
        [...openMessages].filter((other) => mayMatch(one, other)).map((other) => ({ one, other })),
      )
      .map((pair) => ({ ...pair, similarity: similarityOf(pair.one.text, pair.other.text) }))
      .filter(({ similarity }) => similarity >= least)
      .sort((one, other) => other.similarity - one.similarity);
    for (const { one, other } of pairs) {
      if (matches.has(one) || !openMessages.delete(other)) continue;
      matches.set(one, other);
    }
  };
  matchBest((one, other) => one.text === other.text, 1);
  matchBest((one, other) => one.source === other.source, 0.3);
  matchBest(() => true, 0.6);
  return matches;
}

/** 1 for the same text, 0 for texts that have nothing in common. @param {string} one @param {string} other */
function similarityOf(one, other) {
  return 1 - leven(one, other) / Math.max(one.length, other.length);
}
