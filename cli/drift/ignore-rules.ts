/** Reads the file of accepted differences, each with a reason and, as a rule, an expiry date. */

import { readFile } from "node:fs/promises";
import { type Document, LineCounter, parseDocument } from "yaml";
import { z } from "zod";
import { foldName } from "../../provider/access/person";
import { matchesAny } from "../../provider/resources/contract/pattern";
import { parsePath, pathText } from "../../provider/resources/contract/property-path";
import { ConfigurationError, messageOf } from "../../provider/text/errors";
import { logicalName } from "../lib/own-resources";
import { differenceKinds, type Finding, type Undetermined, type UnmanagedRow } from "./report/model";

/** Default name of the file, beside Pulumi.yaml. */
export const DEFAULT_IGNORE_FILE = ".opsmanager-drift.yaml";

const rule = z.strictObject({
  /** Pattern of URNs or logical names; for unmanaged objects, of names or ids of projects and teams. */
  resource: z.string().min(1),
  /**
   * Pattern of property paths, for unmanaged objects of people and teams; default: all of them and
   * the object itself.
   */
  property: z.string().min(1).optional(),
  /** Default: every kind of difference, but neither `unreadable` nor `unmanaged`. */
  kind: z.enum([...differenceKinds, "unreadable", "unmanaged"]).optional(),
  /** Pattern of stacks; default: all. */
  stack: z.string().min(1).optional(),
  reason: z.string().trim().min(1, "must not be empty"),
  /** The last day on which the rule applies, UTC; default: no end. */
  expires: z.iso.date("must be a day that exists, written YYYY-MM-DD").optional(),
});

/** A rule that can never match is a mistake. The user would expect it to have an effect. */
const checkedRule = rule.refine(({ kind, stack }) => kind !== "unmanaged" || stack === undefined, {
  path: ["stack"],
  error: "does not apply to unmanaged objects, because no stack owns them. Remove it",
});

export type IgnoreRule = z.output<typeof rule>;

/**
 * @param today UTC, `YYYY-MM-DD`
 * @throws ConfigurationError that names every fault with file, line and column; an expired rule is
 * one
 */
export async function readIgnoreRules(file: string, today: string): Promise<IgnoreRule[]> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw new ConfigurationError(`The ignore file cannot be read: ${messageOf(error)}.`);
  });
  return parseIgnoreRules(text, file, today);
}

/** Parses the rules of a text, as `readIgnoreRules` does. */
export function parseIgnoreRules(text: string, file: string, today: string): IgnoreRule[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  const broken = document.errors.map(({ pos: [offset], message }) => `${at(offset)}: ${message}`);
  if (broken.length > 0) throw new ConfigurationError(broken);

  const locationText = (path: readonly PropertyKey[]): string => {
    for (let depth = path.length; depth > 0; depth--) {
      const node = document.getIn(path.slice(0, depth), true);
      if (hasRange(node)) return at(node.range[0]);
    }
    return at(document.contents?.range?.[0] ?? 0);
  };
  const parsed = z.array(checkedRule).safeParse(parsedContent(document, file) ?? [], { error: messageFor });
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `${locationText(issue.path)}: ${faultText(issue)}`);
    throw new ConfigurationError(faults);
  }
  const expired = parsed.data.flatMap(({ resource, expires }, index) =>
    expires !== undefined && expires < today
      ? [
          `${locationText([index, "expires"])}: The rule for ${resource} expired on ${expires}. Remove the rule, or give it a later date.`,
        ]
      : [],
  );
  if (expired.length > 0) throw new ConfigurationError(expired);
  return parsed.data;
}

/**
 * Converts the document. An alias without its anchor is detected only here, and has no location.
 */
function parsedContent(document: Document, file: string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    throw new ConfigurationError(`${file}: ${error instanceof Error ? error.message : messageOf(error)}.`);
  }
}

function hasRange(node: unknown): node is { range: [number, number, number] } {
  return typeof node === "object" && node !== null && "range" in node && Array.isArray(node.range);
}

const NAMES = Object.keys(rule.shape).join(", ");

function messageFor({ code, input, path = [] }: z.core.$ZodRawIssue): string | undefined {
  if (code !== "invalid_type") return undefined;
  if (path.length === 0) return "The file must be a list of rules.";
  if (path.length === 1) return `A rule must be a map of ${NAMES}.`;
  return input === undefined ? "is missing" : undefined;
}

function faultText(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => `${key} is not a property of a rule; there are ${NAMES}.`).join(" ");
  }
  const property = pathText(issue.path.slice(1));
  if (property === "") return issue.message;
  return `${property} ${issue.message.replace(/\.$/, "").replace(/^Invalid/, "is not right: invalid")}.`;
}

/** The findings, each with the first rule that ignores it. */
export function withIgnored(findings: readonly Finding[], rules: readonly IgnoreRule[]): Finding[] {
  return marked(
    findings,
    rules,
    (rule, finding) =>
      (rule.kind === "unmanaged" && ignoresUndeclared(rule, finding)) ||
      (concerns(rule, finding) &&
        (rule.kind === undefined || rule.kind === finding.kind) &&
        (rule.property === undefined || covers(rule.property, finding.property))),
  );
}

/**
 * The undetermined things, each with the first rule that ignores it; only rules with `kind:
 * unreadable` apply.
 */
export function withIgnoredUnreadable(
  things: readonly Undetermined[],
  rules: readonly IgnoreRule[],
): Undetermined[] {
  const own = rules.filter(({ kind }) => kind === "unreadable");
  return marked(things, own, (rule, { what, stack = "" }) => concerns(rule, { urn: what, stack }));
}

/**
 * The unmanaged rows, each with the first rule that ignores it; only rules with `kind:
 * unmanaged` apply.
 */
export function withIgnoredUnmanaged(
  rows: readonly UnmanagedRow[],
  rules: readonly IgnoreRule[],
): UnmanagedRow[] {
  const own = rules.filter(({ kind }) => kind === "unmanaged");
  // Access through a team or the organization is no entry of its own.
  return marked(rows, own, (rule, row) => row.status !== "indirect" && ignoresRow(rule, row));
}

/** A rule for unmanaged objects also ignores one that is a difference, because it is not declared. */
function ignoresUndeclared(rule: IgnoreRule, { object, property }: Finding): boolean {
  if (object === undefined) return false;
  const { what, name, containerId, containerName } = object;
  const place = { id: containerId, name: containerName };
  const kinds = {
    person: "people",
    team: "teams",
    key: "keys",
    "service account": "serviceAccounts",
    group: "mappings",
  } as const;
  return ignoresRow(rule, {
    kind: kinds[what],
    holder: { name, id: what === "group" ? property : name },
    place,
  });
}

/**
 * Whether a rule names the project, team or organization, and in `property` the person, the team, the
 * API key, the service account, the group or the mappings in it.
 */
function ignoresRow(
  { resource, property }: IgnoreRule,
  { kind, holder: { name, id }, place }: Pick<UnmanagedRow, "kind" | "holder" | "place">,
): boolean {
  if (![place.name, place.id].some((each) => matchesAny([resource], each))) return false;
  if (property === undefined || kind === "projects") return property === undefined;
  if (kind === "mappings" || kind === "ownerGroups")
    return matchesAny([property], name) || covers(property, id);
  if (NUMBERED.has(kind)) return matchesAny([property], id);
  return kind === "teams" ? matchesAny([property], name) : matchesAny([foldName(property)], foldName(name));
}

/** Rules name them by public key or client ID alone: whoever makes one chooses its description or name. */
const NUMBERED: ReadonlySet<string> = new Set<UnmanagedRow["kind"]>([
  "keys",
  "ownerKeys",
  "serviceAccounts",
  "ownerServiceAccounts",
]);

/** The things, each with the first rule that ignores it. */
function marked<T extends Pick<Finding, "ignored">>(
  things: readonly T[],
  rules: readonly IgnoreRule[],
  ignores: (rule: IgnoreRule, thing: T) => boolean,
): T[] {
  return things.map((thing) => {
    const found = rules.find((rule) => ignores(rule, thing));
    if (found === undefined) return thing;
    const { reason, expires } = found;
    return { ...thing, ignored: { reason, ...(expires !== undefined && { expires }) } };
  });
}

function concerns({ resource, stack }: IgnoreRule, about: Pick<Finding, "urn" | "stack">): boolean {
  const isNamed = [about.urn, logicalName(about.urn)].some((name) => matchesAny([resource], name));
  return isNamed && (stack === undefined || matchesAny([stack], about.stack));
}

/**
 * Whether a pattern matches. A pattern that matches a property also matches everything inside of
 * it.
 */
function covers(pattern: string, property: string): boolean {
  const path = parsePath(property);
  return path.some((_, index) => matchesAny([pattern], pathText(path.slice(0, index + 1))));
}
