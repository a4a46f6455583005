/**
 * Google's library for protocol buffers keeps the entries of a map in an object and skips inherited names. So an entry
 * `__proto__` disappears, and a declared person would be missing from a list. Between the wire and the library, such an
 * entry has another name.
 */
import type { ServiceDefinition } from "@grpc/grpc-js";

const LOST_NAME = "__proto__";
/** As long as the other one, because the wire has the length before the name. */
const KEPT_NAME = "\u0001proto__\u0001";

/** The name under which the library keeps an entry. */
export function keptName(name: string): string {
  return name === LOST_NAME ? KEPT_NAME : name;
}

/** The name of an entry that the library kept. */
export function nameOfKept(name: string): string {
  return name === KEPT_NAME ? LOST_NAME : name;
}

/** An entry of a map on the wire: the key is field 1, a text of 9 bytes, and the value is field 2. */
function entryNamed(name: string): Buffer {
  return Buffer.from(`\n\t${name}\x12`, "latin1");
}

const [LOST_ENTRY, KEPT_ENTRY] = [entryNamed(LOST_NAME), entryNamed(KEPT_NAME)];

export function keepingNames(service: ServiceDefinition): ServiceDefinition {
  const methods = Object.entries(service).map(([name, method]) => [
    name,
    {
      ...method,
      requestDeserialize: (bytes: Buffer): unknown =>
        method.requestDeserialize(renamed(bytes, LOST_ENTRY, KEPT_ENTRY)),
      responseSerialize: (message: unknown) =>
        renamed(method.responseSerialize(message), KEPT_ENTRY, LOST_ENTRY),
    },
  ]);
  return Object.fromEntries(methods);
}

function renamed(bytes: Buffer, from: Buffer, to: Buffer): Buffer {
  if (!bytes.includes(from)) return bytes;
  const copy = Buffer.from(bytes);
  for (let index = copy.indexOf(from); index !== -1; index = copy.indexOf(from, index)) to.copy(copy, index);
  return copy;
}
