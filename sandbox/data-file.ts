import { existsSync, readFileSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import type { State } from "./model";

/** Reads a JSON file. Throws an Error that names the file. */
export function readJsonFile(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new Error(`${path} cannot be read: ${(error as Error).message}`);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new Error(`${path} is not JSON: ${(error as Error).message}`);
  }
}

/**
 * Keeps the state in a file. A save writes a new file and renames it over the old one, so a reader (or a crash) never
 * finds half a state. Saves that are requested while one is running share the next one.
 */
export class DataFile {
  private running: Promise<void> = Promise.resolve();
  private next: Promise<void> | undefined;
  private written = "";

  constructor(
    private readonly path: string,
    private readonly snapshot: () => State,
  ) {}

  static exists(path: string): boolean {
    return existsSync(path);
  }

  /** Resolves when the state of this moment is in the file. */
  save(): Promise<void> {
    this.next ??= this.running.then(async () => {
      this.next = undefined;
      await this.write();
    });
    // A failed save is reported to its caller. It must not prevent the next save.
    this.running = this.next.catch(() => undefined);
    return this.next;
  }

  private async write(): Promise<void> {
    const text = `${JSON.stringify(this.snapshot(), undefined, 2)}\n`;
    if (text === this.written) return;
    const temporary = `${this.path}.${process.pid}.tmp`;
    // Only for its owner: the file holds private keys, if only those of a simulation.
    await writeFile(temporary, text, { mode: 0o600, flush: true });
    await rename(temporary, this.path);
    this.written = text;
  }
}
