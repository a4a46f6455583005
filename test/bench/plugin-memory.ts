/** The memory of the plugin processes that a `pulumi` command starts. */
import { readFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { treeOf } from "../support/child-process";

const everyMilliseconds = 200;

/**
 * Reads the peak that the kernel keeps of each plugin process below a process, until that one ends.
 *
 * @returns megabytes of the largest plugin process; `undefined` where the machine has no `/proc`
 */
export async function peakOfPlugins(root: number): Promise<number | undefined> {
  let peak: number | undefined;
  for (;;) {
    const [self, ...descendants] = await treeOf(root);
    if (self === undefined || (await commandOf(self)) === "") return peak;
    for (const pid of descendants) {
      if (!(await commandOf(pid)).includes("pulumi-resource-opsmanager")) continue;
      const megabytes = await peakOf(pid);
      if (megabytes !== undefined) peak = Math.max(peak ?? 0, megabytes);
    }
    await wait(everyMilliseconds);
  }
}

/** Empty if the process has ended. */
async function commandOf(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
}

async function peakOf(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  return kibibytes === undefined ? undefined : (Number(kibibytes) * 1024) / 1e6;
}
