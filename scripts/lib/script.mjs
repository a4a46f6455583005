import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

/** @param {unknown} error */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/** An end that the user can do something about: its message is shown, its stack is not. */
export class Failure extends Error {}

/** A failure because this machine lacks something that another may have: a tool, a registry. */
export class Unavailable extends Failure {}

/**
 * The options that a script was started with; a wrong one is a failure.
 *
 * @template {NonNullable<import("node:util").ParseArgsConfig["options"]>} Options
 * @param {Options} options
 */
export function readOptions(options) {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    throw new Failure(messageOf(error));
  }
}

/**
 * Runs a script's main function; ends with exit code 1 and one clear error where it fails.
 *
 * @param {() => Promise<void> | void} main
 */
export async function runScript(main) {
  try {
    await main();
  } catch (error) {
    console.error(error instanceof Failure ? `\nerror: ${error.message}` : error);
    process.exitCode = 1;
  }
}

/**
 * Whether this module was started, and not imported by another.
 *
 * @param {string} url its `import.meta.url`
 */
export function isStarted(url) {
  return url === pathToFileURL(process.argv[1] ?? "").href;
}
