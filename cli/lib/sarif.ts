/** What the SARIF 2.1.0 reports (OASIS) of all commands have, for code scanning. */

import { createHash } from "node:crypto";
import { packageVersion } from "../../provider/version";

const HOME = "https://github.com/pulumi-opsmanager/pulumi-opsmanager";

interface SarifRun {
  /** Name of the command: `opsmanager drift`. */
  readonly command: string;
  readonly rules: readonly SarifRule[];
  readonly results: readonly object[];
  readonly invocation: object;
}

type Level = "error" | "warning" | "note";

type SarifRule = ReturnType<typeof sarifRule>;

/** The text of a log with one run. */
export function sarifLog({ command, rules, results, invocation }: SarifRun): string {
  const log = {
    $schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: command, version: packageVersion(), informationUri: HOME, rules } },
        invocations: [invocation],
        columnKind: "utf16CodeUnits",
        results,
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

/** @param id must stay the same, because it identifies alerts */
export function sarifRule(
  id: string,
  level: Level,
  { name, short, help }: { readonly name: string; readonly short: string; readonly help: string },
  tag: string,
) {
  return {
    id,
    name,
    shortDescription: { text: short },
    fullDescription: { text: short },
    help: { text: help.replaceAll("`", ""), markdown: help },
    defaultConfiguration: { level },
    properties: { tags: [tag] },
  };
}

/** @param path from the root of the repository, with `/` */
export function physicalLocation(path: string, region: object = { startLine: 1 }) {
  const uri = path.split("/").map(encodeURIComponent).join("/");
  return { artifactLocation: { uri, uriBaseId: "%SRCROOT%" }, region };
}

/**
 * Breaks links: a plain-text message holds links as `[text](address)` (SARIF 2.1.0, section
 * 3.11.6). A backslash before the brackets is the standard's escape, but viewers such as Visual
 * Studio Code's ignore it. Without `](` none of them shows a link.
 */
export function withoutLinks(text: string): string {
  return text.replaceAll("](", "]\\u0028");
}

/** Identifies a result in the next run. */
export function fingerprintOf(identity: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(identity)).digest("hex").slice(0, 32);
}
