/** A progress line on stderr, only on a terminal. */
import type { Terminal } from "./terminal";

interface Progress {
  /** @param total absent while it is not known */
  report(done: number, total?: number): void;
  /** Removes the line. */
  end(): void;
}

const WIDTH = 24;
const CLEAR_LINE = "\r\x1b[2K";

/** @param what is being counted: `projects read` */
export function startProgress(terminal: Pick<Terminal, "stderr" | "isWatched">, what: string): Progress {
  if (!terminal.isWatched) return { report() {}, end() {} };
  let shown = "";
  return {
    report(done, total) {
      const line = total ? `${bar(done / total)} ${done}/${total} ${what}` : `${done} ${what}`;
      if (line === shown) return;
      shown = line;
      terminal.stderr(`${CLEAR_LINE}${line}`);
    },
    end() {
      if (shown !== "") terminal.stderr(CLEAR_LINE);
    },
  };
}

function bar(share: number): string {
  const filled = Math.round(Math.min(1, share) * WIDTH);
  return `[${"#".repeat(filled)}${"-".repeat(WIDTH - filled)}]`;
}
