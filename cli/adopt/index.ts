/**
 * `opsmanager adopt`: writes files and an import list for what exists. Changes nothing in the service
 * or the stack.
 */

import { resolve } from "node:path";
import { checkedAs } from "../../provider/resources/contract/border";
import { CanceledError, messageOf, RefusedError } from "../../provider/text/errors";
import { visibleLines } from "../../provider/text/visible-text";
import type { CliCommand } from "../lib/command";
import { withClient } from "../lib/connection";
import { readCommandSettings } from "../lib/settings";
import { inFolder, printMessage, type Terminal } from "../lib/terminal";
import type { FileText } from "./draft";
import { prepareFile } from "./files";
import { type Found, gather } from "./gather";
import { checkedOptions, defineOptions, type GivenOptions } from "./options";
import { dryRunSummary, nothingNew, remarks, summary } from "./report";

export const adopt: CliCommand = {
  name: "adopt",
  summary:
    "Writes files for an existing organization or its projects, and the list for import. Changes nothing in the service.",
  examples: ["--out access --dry-run", '--name "payments-*"'],
  define: defineOptions,
  async run(invocation) {
    const given = checkedAs<GivenOptions>(invocation.options);
    const terminal = inFolder(invocation.terminal, given.cwd);
    const options = checkedOptions(given, terminal.cwd);
    const { settings, stack } = await readCommandSettings(terminal, options.stack);
    const found = await unlessStopped(terminal, () =>
      withClient(settings, terminal, (client) =>
        gather(client, options, { stack, orgId: settings.orgId }, terminal),
      ),
    );
    for (const remark of remarks(found)) printMessage(terminal, remark);
    const { kinds, unread, unfit, partial, incomplete } = found;
    const namesakes = kinds.flatMap(({ plan }) => plan.namesakes);
    const isAllThere = [namesakes, unread, unfit, partial, incomplete].every(({ length }) => length === 0);
    const exitCode = isAllThere ? 0 : 1;
    if (found.adopted.length === 0 && !hasNewList(found)) {
      terminal.stdout(nothingNew(found, options));
      return exitCode;
    }
    if (options.dryRun) {
      if (options.print) {
        for (const { path, text } of [...filesOf(found), found.list])
          terminal.stdout(visibleLines(`# ${path}\n${text}\n`));
      } else terminal.stdout(dryRunSummary(found, options));
      return exitCode;
    }
    await unlessStopped(terminal, () => writeAll(found, terminal));
    terminal.stdout(summary(found, options, terminal));
    return exitCode;
  },
};

/** Whether the list differs from the existing one. A new one without entries would be of no use. */
function hasNewList({ entries, list }: Found): boolean {
  return list.replaces === undefined ? entries > 0 : list.text !== list.replaces;
}

/** The defaults first: without them, the others would be faulty. */
function filesOf({ defaults, files }: Pick<Found, "defaults" | "files">): readonly FileText[] {
  return defaults === undefined ? files : [defaults, ...files];
}

/** Reports an interruption with the next step, not as a fault. */
async function unlessStopped<T>({ stop }: Pick<Terminal, "stop">, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!stop.aborted) throw error;
    throw new CanceledError("Stopped. No file is incomplete. Run the same command again to write the rest.");
  }
}

// Writes the gathered files and the list.

/**
 * Writes the list after the files. The next run completes what an interrupted one has left out: it
 * makes the list from the files.
 */
async function writeAll(found: Found, { cwd, stop }: Pick<Terminal, "cwd" | "stop">): Promise<void> {
  const { list } = found;
  for (const file of filesOf(found)) {
    stop.throwIfAborted();
    const moveToPath = await withPathInError(file, prepareFile(resolve(cwd, file.path), file.text));
    await withPathInError(file, moveToPath());
  }
  if (!hasNewList(found)) return;
  const finish = await withPathInError(list, prepareFile(resolve(cwd, list.path), list.text, list.replaces));
  await withPathInError(list, finish());
}

async function withPathInError<T>({ path }: FileText, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new RefusedError(
      `${path} cannot be written: ${messageOf(error)}. No existing file is replaced, and the files written before are complete. Run the same command again to write the rest.`,
      { cause: error },
    );
  }
}
