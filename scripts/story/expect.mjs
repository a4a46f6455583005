/** The story's word against the service's: what does not match ends the story. */
import { isDeepStrictEqual } from "node:util";
import { Failure } from "../lib/script.mjs";

/** @param {string} title */
export function chapter(title) {
  console.log(`\n--- ${title}`);
}

/**
 * @param {string} what a sentence about the service that has to be true
 * @param {unknown} found
 * @param {unknown} expected
 */
export function expectInService(what, found, expected) {
  if (!isDeepStrictEqual(found, expected)) {
    throw new Failure(
      `The service should show: ${what}\n  expected ${JSON.stringify(expected)}\n  found    ${JSON.stringify(found)}`,
    );
  }
  console.log(`  in the service: ${what}`);
}

/**
 * @param {string} output what a command printed
 * @param {readonly string[]} lines parts that must be in it, in this order
 */
export function expectShown(output, lines) {
  let from = 0;
  for (const line of lines) {
    const at = output.indexOf(line, from);
    if (at < 0)
      throw new Failure(
        `The command should have shown ${JSON.stringify(line)}${from ? " at that place" : ""}.`,
      );
    from = at + line.length;
  }
}
