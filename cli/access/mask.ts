/** `--mask-people`: the report without the names of people. */

import { checkedAs } from "../../provider/resources/contract/border";
import { isRecord } from "../../provider/resources/contract/values";
import type { AccessReport } from "../lib/access/report";
import { maskOf, pseudonymOf } from "../lib/mask";

/** Fields that have no text of their own. The public key of an API key doesn't name a person. */
const CODES: ReadonlySet<string> = new Set([
  ...["kind", "in", "status", "property", "outcome", "type"],
  ...["roles", "declaredRoles", "notOffered", "publicKey"],
]);

/**
 * Replaces the name that was searched, the names of the others, and every email address with pseudonyms in all texts.
 *
 * @param others everyone whose name a project, a team or a resource could have in its own
 */
export function maskedReport(report: AccessReport, others: readonly string[]): AccessReport {
  const { name, found } = report;
  const mask = maskOf([
    ...others,
    ...(name === undefined || found.some(({ kind }) => kind === "key") ? [] : [name]),
    ...found.flatMap((subject) =>
      subject.kind === "person" ? [subject.name, ...subject.accounts.map(({ username }) => username)] : [],
    ),
  ]);
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
