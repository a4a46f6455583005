/**
 * Says on stderr what a script is doing while it is slow; stdout is left to its result.
 */
const heartbeatSeconds = 20;

let made = false;

/** Whether there was anything to do. */
export function progressWasMade() {
  return made;
}

/**
 * @template T
 * @param {string} what e.g. `engine: building from Go modules, about 4 minutes the first time`
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(what, work) {
  const started = Date.now();
  made = true;
  say(`${what} ...`);
  const [name] = what.split(":");
  const heartbeat = setInterval(
    () => say(`${name}: still at it, ${elapsed(started)}`),
    heartbeatSeconds * 1000,
  );
  try {
    const result = await work();
    say(`${name}: done in ${elapsed(started)}`);
    return result;
  } finally {
    clearInterval(heartbeat);
  }
}

/** @param {string} line */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/** @param {number} since */
export function elapsed(since) {
  const seconds = Math.round((Date.now() - since) / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
