/** What identifies an entry of a report in the next run, whatever the live value is. */

import { withoutIndexes } from "../../../provider/resources/contract/property-path";
import type { Finding, Undetermined, UnmanagedRow } from "./model";

/** The path of a property. An entry of a list is identified by its value, because its index changes. */
export function propertyIdentity({ property, declared, live }: Finding): unknown[] {
  const list = withoutIndexes(property);
  return list === property ? [property] : [list, declared ?? live];
}

export function undeterminedIdentity({ what }: Undetermined): unknown[] {
  return ["unreadable", what];
}

export function unmanagedIdentity({ kind, holder, place }: UnmanagedRow): unknown[] {
  return ["unmanaged", ...(kind === "projects" ? [] : [place.id]), holder.id];
}
