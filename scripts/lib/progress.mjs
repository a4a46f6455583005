/**
 * Reports on stderr what a script is doing while it is slow: a line every 20 seconds. stdout is left
 * to the script's result.
 */
const heartbeatSeconds = 20;

/**
 * Runs a slow piece of work and prints its start, that it is still running, and its end.
 *
 * @template T
 * @param {string} what e.g. `engine: building from Go modules`; the word before the colon starts each line
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(what, work) {
  const started = Date.now();
  print(`${what} ...`);
  const [name = what] = what.split(":");
  const heartbeat = setInterval(() => {
    print(`${name}: still running, ${elapsed(started)}`);
  }, heartbeatSeconds * 1000);
  try {
    const result = await work();
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
