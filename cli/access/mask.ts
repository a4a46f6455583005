/** `--mask-people`: the report without the names of people. */

import { checkedAs } from "../../provider/resources/contract/border";
import { isRecord } from "../../provider/resources/contract/values";
import type { AccessReport } from "../lib/access/report";
import { maskOf, type PossibleNames, pseudonymOf } from "../lib/mask";

/** Fields that have no text of their own. The IDs of credentials don't name a person. */
const CODES: ReadonlySet<string> = new Set([
  ...["kind", "in", "status", "way", "declaration", "property", "outcome", "type"],
  ...[
    "roles",
    "declaredRoles",
    "inEachProject",
    "perhapsInEachProject",
    "notOffered",
    "publicKey",
    "clientId",
  ],
]);

/**
 * Replaces the name that was searched, all other names, and every email address with pseudonyms in all texts.
 *
 * @param names everyone whose name a project, a team, a key or a resource could have in its own
 */
export function maskedReport(report: AccessReport, names: PossibleNames): AccessReport {
  const { name, found } = report;
  const isOther = found.some(({ kind }) => kind === "key" || kind === "service account");
  const mask = maskOf(isOther ? names : [...names, name]);
  const masked = (value: unknown, field = ""): unknown => {
    if (CODES.has(field)) return value;
    // An address identifies the person who used it.
    if (field === "address") return value && "[masked]";
    if (typeof value === "string") return field === "username" ? pseudonymOf(value) : mask(value);
    if (Array.isArray(value)) return value.map((entry) => masked(entry, field));
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, masked(held, key)]));
  };
  return checkedAs<AccessReport>(masked(report));
}
