/**
 * Draws provider settings for the stacks of a test. A setting that changes the order of requests may break any behavior, so the
 * engine tests run with several values of it. Each test has one combination, so the suite takes no longer.
 */
import { createHash } from "node:crypto";

/** The other value of each setting. Without it, the default applies. */
const alternatives = { refreshBeforeUpdate: false, readCacheSeconds: 0 } as const;

export type DrawnSetting = keyof typeof alternatives;
export type DrawnSettings = Readonly<Partial<Record<DrawnSetting, false | 0>>>;

/** Half of the tests keep the defaults, as most users do. */
const combinations: readonly (readonly DrawnSetting[])[] = [
  [],
  [],
  [],
  ["refreshBeforeUpdate"],
  ["readCacheSeconds"],
  ["refreshBeforeUpdate", "readCacheSeconds"],
];

/** A test, or a group whose `beforeAll` creates stacks. The Jest environment sets it as a global. */
export interface CurrentTest {
  /** With the titles of the groups around it. */
  readonly title: string;
  /** The settings that do not change here, and why. */
  readonly kept: Map<DrawnSetting, string>;
  /** What the stacks had, for the report of a failure. */
  drawn: DrawnSettings | undefined;
}

/**
 * Keeps the default of a setting for all stacks that the current test creates from here on. The expectation depends on it, as
 * the documents describe. In a `beforeEach` it applies to a group.
 *
 * @param reason what the expectation needs the default for
 */
export function keepDefault(name: DrawnSetting, reason: string): void {
  currentTest()?.kept.set(name, reason);
}

/** The settings of the current test; none outside of Jest. */
export function settingsOfTest(): DrawnSettings {
  const test = currentTest();
  if (test === undefined) return {};
  const drawn = Object.entries(drawSettings(test.title));
  return reported(Object.fromEntries(drawn.filter(([name]) => !test.kept.has(name as DrawnSetting))));
}

/** Adds the settings to the report of the current test, should it fail. */
export function reported(settings: DrawnSettings): DrawnSettings {
  const test = currentTest();
  if (test !== undefined) test.drawn = settings;
  return settings;
}

/** Deterministic for a title and OPSMANAGER_TEST_SETTINGS_SEED, unless OPSMANAGER_TEST_SETTINGS forces a combination. */
export function drawSettings(title: string, env: NodeJS.ProcessEnv = process.env): DrawnSettings {
  const { OPSMANAGER_TEST_SETTINGS: forced, OPSMANAGER_TEST_SETTINGS_SEED: seed = "" } = env;
  if (forced) return parseSettings(forced);
  const digest = createHash("sha256").update(`${seed}\n${title}`).digest();
  const names = combinations[digest.readUInt32BE() % combinations.length] ?? [];
  return Object.fromEntries(names.map((name) => [name, alternatives[name]]));
}

/** `default`, or what `formatSettings` returns. */
function parseSettings(text: string): DrawnSettings {
  if (text === "default") return {};
  return Object.fromEntries(
    text.split(",").map((assignment) => {
      const [name, value] =
        Object.entries(alternatives).find(([...pair]) => pair.join("=") === assignment) ?? [];
      if (name !== undefined) return [name, value];
      const known = formatSettings(alternatives);
      throw new Error(
        `OPSMANAGER_TEST_SETTINGS contains ${assignment}. It may contain default, or some of ${known}.`,
      );
    }),
  );
}

function formatSettings(settings: DrawnSettings): string {
  const text = Object.entries(settings).map((pair) => pair.join("="));
  return text.join(",") || "default";
}

/** What a failed test reports about its settings; `undefined` if all its stacks had the defaults. */
export function reportOfSettings({ drawn = {} }: CurrentTest): string | undefined {
  const text = formatSettings(drawn);
  if (text === "default") return undefined;
  return `The settings of the stacks were drawn: ${text}. To repeat them, set OPSMANAGER_TEST_SETTINGS=${text}; for the defaults, OPSMANAGER_TEST_SETTINGS=default.`;
}

function currentTest(): CurrentTest | undefined {
  return (globalThis as { currentTest?: CurrentTest }).currentTest;
}
