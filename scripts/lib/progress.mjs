/**
 * Reports on stderr what a script is doing while it is slow: a line every 20 seconds. stdout is left
 * to the script's result.
 */
const heartbeatSeconds = 20;

/**
 * @typedef {object} Status
 * @property {string} activity e.g. `building`
 * @property {number} [fraction] how much is done, from 0 to 1; absent if that is unknown
 */

let made = false;

/** Whether there was anything to do. */
export function progressWasMade() {
  return made;
}

/**
 * Runs a slow piece of work and prints its start, its progress and its end.
 *
 * @template T
 * @param {string} what e.g. `engine: building from Go modules`; the word before the colon starts each line
 * @param {(report: (status: Status) => void) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(what, work) {
  const started = Date.now();
  made = true;
  print(`${what} ...`);
  const [name = what] = what.split(":");
  /** @type {Status} */
  let status = { activity: "still running" };
  const heartbeat = setInterval(() => {
    const done = status.fraction === undefined ? "" : `${Math.floor(status.fraction * 100)}%, `;
    print(`${name}: ${status.activity}, ${done}${elapsed(started)}`);
  }, heartbeatSeconds * 1000);
  try {
    const result = await work((latest) => {
      status = latest;
    });
    print(`${name}: done in ${elapsed(started)}`);
    return result;
  } finally {
    clearInterval(heartbeat);
  }
}

/** @param {string} line */
export function print(line) {
  process.stderr.write(`${line}\n`);
}

/** @param {number} since */
export function elapsed(since) {
  const seconds = Math.round((Date.now() - since) / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
