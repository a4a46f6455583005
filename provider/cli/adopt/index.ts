/** `opsmanager adopt`: project files and an import list for what exists. Nothing is changed in the service or the stack. */
import { CancelledError } from "../../errors";
import { checkedAs } from "../../resources/border";
import { visibleLines } from "../../visible-text";
import type { CliCommand } from "../command";
import { withClient } from "../connection";
import { readCommandSettings } from "../settings";
import { inFolder, printMessage, type Terminal } from "../terminal";
import { gather } from "./gather";
import { checkOptions, defineOptions, type Options } from "./options";
import { nothingNew, remarks, summary } from "./report";
import { writeAll } from "./write";

export const adopt: CliCommand = {
  name: "adopt",
  summary: "Writes project files for projects that exist, and the list for pulumi import. Changes nothing.",
  define: defineOptions,
  async run(invocation) {
    const options = checkedAs<Options>(invocation.options);
    const terminal = inFolder(invocation.terminal, options.cwd);
    checkOptions(options, terminal.cwd);
    const { settings, stack } = await readCommandSettings(terminal, options.stack);
    const found = await unlessStopped(terminal, () =>
      withClient(settings, terminal, (client) => gather(client, options, stack, terminal)),
    );
    for (const remark of remarks(found.plan, found.unreadable, found.unfit)) printMessage(terminal, remark);
    const exitCode = found.plan.namesakes.length + found.unreadable.length + found.unfit.length > 0 ? 1 : 0;
    if (found.adoptions.length === 0 && !found.isUnfinished) {
      terminal.stdout(nothingNew(found, options.out));
      return exitCode;
    }
    if (options.dryRun) {
      for (const { path, text } of [...found.files, found.list])
        terminal.stdout(visibleLines(`# ${path}\n${text}\n`));
      return exitCode;
    }
    await unlessStopped(terminal, () => writeAll(found, terminal));
    terminal.stdout(summary(found, options));
    return exitCode;
  },
};

/** An interruption is no fault, and says how to go on. */
async function unlessStopped<T>({ stop }: Pick<Terminal, "stop">, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!stop.aborted) throw error;
    throw new CancelledError(
      "Stopped. Each file is whole or not there; run the same command again to write the rest.",
    );
  }
}
