/** The command line of `verify`. */

import { existsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Command } from "commander";
import { RefusedError } from "../../errors";
import { checkOrganizationIds } from "../command";

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
Creates throw-away projects in the organization, tests on them what the documentation does not define, and removes
them. Their names begin with opsmanager-verify-delete-me-. Writes only to these projects. The invitations go to an
address of example.com, a domain that receives no mail. No secret is printed.

Exit codes: 0 the run is complete and all created objects are removed, 1 otherwise.`;

export function defineOptions(command: Command): void {
  command
    .requiredOption("--org <id>", "organization that gets the throw-away projects")
    .option("--user <name>", "account of the organization that may be added, invited and removed there")
    .option("--invite <address>", "address that gets the invitations (default: one of example.com)")
    .option("--wait <seconds>", "how long nonces and deleted projects are observed", Number, USUAL_WAIT)
    .option("--out <file>", "write the switches for opsmanager sandbox --like (default: print them)")
    .option("--yes", "write without a confirmation")
    .option("--stack <name>", "stack whose settings are used (default: the selected one)")
    .option("--cwd <folder>", "folder of the Pulumi program (default: the current one)")
    .addHelpText("after", HELP);
}

/**
 * @param cwd base of relative paths
 * @throws OpsManagerError for invalid values; commander has checked the form
 */
export function checkOptions({ org, invite, wait, out }: Options, cwd: string): void {
  checkOrganizationIds([org]);
  if (!(wait >= 0)) throw new RefusedError("--wait: must be a number of seconds, 0 or more.");
  if (invite !== undefined && !/^[^\s@]+@[^\s@]+$/.test(invite)) {
    throw new RefusedError("--invite: must be an e-mail address.");
  }
  if (out === undefined) return;
  const path = resolve(cwd, out);
  if (existsSync(path))
    throw new RefusedError(`--out ${out}: the file exists. Name another file, or delete this one.`);
  if (!statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory()) {
    throw new RefusedError(`--out ${out}: there is no such folder.`);
  }
}
