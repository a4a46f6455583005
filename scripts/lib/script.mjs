import { pathToFileURL } from "node:url";

/** @param {unknown} error */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/** An end that the user can do something about: its message is shown, its stack is not. */
export class Failure extends Error {}

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
