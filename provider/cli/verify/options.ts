/** The command line of `verify`. */

import { existsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Command } from "commander";
import { RefusedError } from "../../errors";
import { OBJECT_ID } from "../../object-id";

export interface Options {
  readonly org: string;
  readonly user?: string;
  readonly invite?: string;
  readonly wait: number;
  readonly out?: string;
  readonly yes?: boolean;
  readonly stack?: string;
  readonly cwd?: string;
}

/** Longer than the observed life of a nonce, which is 60 seconds. */
const USUAL_WAIT = 61;

const HELP = `
Creates throw-away projects in the organization, tries on them what the documentation leaves open, and removes them.
Their names begin with opsmanager-verify-delete-me-. Nothing else is written to. The invitations go to an address of
example.com, where nobody reads them. No secret is printed.

Exit codes: 0 the run is complete and everything is removed, 1 otherwise.`;

export function defineOptions(command: Command): void {
  command
    .requiredOption("--org <id>", "organization that gets the throw-away projects")
    .option("--user <name>", "account of the organization that may be added, invited and removed there")
    .option("--invite <address>", "address that gets the invitations (default: one of example.com)")
    .option("--wait <seconds>", "how long nonces and deleted projects are observed", Number, USUAL_WAIT)
    .option("--out <file>", "write the switches for opsmanager sandbox --like (default: print them)")
    .option("--yes", "do not ask before writing")
    .option("--stack <name>", "stack whose settings are used (default: the selected one)")
    .option("--cwd <folder>", "folder to work in (default: the current one)")
    .addHelpText("after", HELP);
}

/**
 * @param cwd base of relative paths
 * @throws RefusedError for invalid values; commander has checked the form
 */
export function checkOptions({ org, invite, wait, out }: Options, cwd: string): void {
  if (!OBJECT_ID.test(org)) {
    throw new RefusedError(`--org ${org}: must be the id of an organization, 24 hexadecimal digits.`);
  }
  if (!(wait >= 0)) throw new RefusedError("--wait: must be a number of seconds, 0 or more.");
  if (invite !== undefined && !/^[^\s@]+@[^\s@]+$/.test(invite)) {
    throw new RefusedError("--invite: must be an e-mail address.");
  }
  if (out === undefined) return;
  const path = resolve(cwd, out);
  if (existsSync(path)) throw new RefusedError(`--out ${out}: the file exists. Name another, or delete it.`);
  if (!statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory()) {
    throw new RefusedError(`--out ${out}: there is no such folder.`);
  }
}
