import { Residents } from "./residents";

let own: Residents | undefined;

/** The resident processes: those of the Jest worker, or outside of Jest (`npm run bench`) some of this process's own. */
export function residents(): Residents {
  const { residents: ofTheWorker } = globalThis as { residents?: Residents };
  own ??= ofTheWorker ?? new Residents();
  return own;
}
