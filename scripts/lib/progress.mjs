/**
 * Reports on stderr what a script is doing while it is slow. stdout is left to the script's result.
 * On a terminal, the last line is the bar of the step that reports its progress, which only one may
 * do at a time. Otherwise a line is printed every 20 seconds.
 */
const heartbeatSeconds = 20;
const redrawMilliseconds = 500;
const barWidth = 30;

/**
 * @typedef {object} Status
 * @property {string} activity e.g. `building`
 * @property {number} [fraction] how much is done, from 0 to 1; absent if that is unknown
 */

let made = false;
let bar = "";
/** Lines that wait until another program has finished with the terminal. @type {string[] | undefined} */
let held;

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
  /** @type {Status | undefined} */
  let status;
  const heartbeat = setInterval(() => {
    if (process.stderr.isTTY && status !== undefined) return;
    print(statusLine(name, status ?? { activity: "still running" }, elapsed(started)));
  }, heartbeatSeconds * 1000);
  const redraw = setInterval(() => {
    if (process.stderr.isTTY && status !== undefined) draw(barLine(name, status, elapsed(started)));
  }, redrawMilliseconds);
  try {
    const result = await work((latest) => {
      status = latest;
    });
    print(`${name}: done in ${elapsed(started)}`);
    return result;
  } finally {
    clearInterval(heartbeat);
    clearInterval(redraw);
    if (status !== undefined) draw("");
  }
}

/**
 * Runs another program that writes to the terminal. Until it ends, nothing is drawn and lines wait.
 *
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function lendTerminal(work) {
  if (!process.stderr.isTTY) return work();
  draw("");
  held = [];
  try {
    return await work();
  } finally {
    const lines = held;
    held = undefined;
    lines.forEach(print);
  }
}

/** @param {string} line */
export function print(line) {
  if (held !== undefined) {
    held.push(line);
    return;
  }
  const unfinished = bar;
  draw("");
  process.stderr.write(`${line}\n`);
  draw(unfinished);
}

/** Replaces the bar, which is the line without an end at the bottom of the terminal. @param {string} line */
function draw(line) {
  if (held !== undefined || line === bar) return;
  if (bar !== "") {
    process.stderr.cursorTo(0);
    process.stderr.clearLine(1);
  }
  bar = line.slice(0, Math.max(process.stderr.columns - 1, 0));
  process.stderr.write(bar);
}

/**
 * @param {string} name
 * @param {Status} status
 * @param {string} time
 */
function statusLine(name, { activity, fraction }, time) {
  return `${name}: ${activity}, ${fraction === undefined ? "" : `${percent(fraction)}, `}${time}`;
}

/**
 * @param {string} name
 * @param {Status} status
 * @param {string} time
 */
function barLine(name, status, time) {
  const { activity, fraction } = status;
  if (fraction === undefined) return statusLine(name, status, time);
  const done = Math.round(fraction * barWidth);
  return `${name}: ${activity} [${"#".repeat(done)}${"-".repeat(barWidth - done)}] ${percent(fraction)}, ${time}`;
}

/** @param {number} fraction */
function percent(fraction) {
  return `${Math.floor(fraction * 100)}%`;
}

/** @param {number} since */
export function elapsed(since) {
  const seconds = Math.round((Date.now() - since) / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
