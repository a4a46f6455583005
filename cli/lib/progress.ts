/** Progress on stderr: one line that changes on a terminal, and otherwise a line every ten seconds. */
import type { Terminal } from "./terminal";

interface Progress {
  /** @param total absent while it is not known */
  report(done: number, total?: number): void;
  /** Removes the line, or its part of the line. */
  end(): void;
}

type ProgressTerminal = Pick<Terminal, "stderr" | "isWatched"> & Partial<Pick<Terminal, "columns">>;

const WIDTH = 24;
const CLEAR_LINE = "\r\x1b[2K";

/** The progress of each terminal: one line shows all work in progress. */
const lines = new WeakMap<ProgressTerminal["stderr"], ProgressLine | ProgressLog>();

/** @param what what is counted: `projects read` */
export function startProgress(terminal: ProgressTerminal, what: string): Progress {
  const shown =
    lines.get(terminal.stderr) ??
    (terminal.isWatched ? new ProgressLine(terminal) : new ProgressLog(terminal));
  lines.set(terminal.stderr, shown);
  return shown.add(what);
}

/** Runs work that reports its progress, and removes the line afterwards. */
export async function withProgress<T>(
  terminal: ProgressTerminal,
  what: string,
  work: (report: Progress["report"]) => Promise<T>,
): Promise<T> {
  const progress = startProgress(terminal, what);
  try {
    return await work(progress.report);
  } finally {
    progress.end();
  }
}

/** All work in progress. */
abstract class ProgressParts {
  protected readonly parts = new Map<symbol, ProgressPart>();

  constructor(readonly terminal: ProgressTerminal) {}

  /** Called after each change of the parts. */
  protected abstract changed(): void;

  add(what: string): Progress {
    const id = Symbol(what);
    return {
      report: (done, total) => {
        this.parts.set(id, { what, done, total });
        this.changed();
      },
      end: () => {
        this.parts.delete(id);
        this.changed();
      },
    };
  }
}

/** Without a terminal, such as in CI: a log shows that the command still works. */
const LOG_MILLISECONDS = 10_000;

class ProgressLog extends ProgressParts {
  #timer: NodeJS.Timeout | undefined;

  protected override changed(): void {
    if (this.parts.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    } else this.#timer ??= setInterval(() => this.#print(), LOG_MILLISECONDS).unref();
  }

  #print(): void {
    const texts = [...this.parts.values()].map(partText);
    this.terminal.stderr(`opsmanager: ${texts.join(", ")}\n`);
  }
}

class ProgressLine extends ProgressParts {
  #shown = "";

  protected override changed(): void {
    const [first, ...others] = this.parts.values();
    const parts = [first && partWithBar(first), ...others.map(partText)];
    // A line that is longer than the terminal could not be removed.
    const { columns = Number.POSITIVE_INFINITY } = this.terminal;
    const text = parts
      .filter(Boolean)
      .join(", ")
      .slice(0, columns - 1);
    if (text === this.#shown) return;
    this.#shown = text;
    this.terminal.stderr(`${CLEAR_LINE}${text}`);
  }
}

interface ProgressPart {
  readonly what: string;
  readonly done: number;
  readonly total: number | undefined;
}

function partWithBar(part: ProgressPart): string {
  return part.total ? `${bar(part.done / part.total)} ${partText(part)}` : partText(part);
}

function partText({ what, done, total }: ProgressPart): string {
  return total ? `${done}/${total} ${what}` : `${done} ${what}`;
}

function bar(share: number): string {
  const filled = Math.round(Math.min(1, share) * WIDTH);
  return `[${"#".repeat(filled)}${"-".repeat(WIDTH - filled)}]`;
}
