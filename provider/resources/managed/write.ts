/** Sends the PATCH of an object, and finds out what became of it. */

import { orReached } from "../evidence/reread";
import type { ManagedProperties, Values } from "./properties";

/** @returns what the service shows after the PATCH. If the response lacks a sent field, the object is read once more */
export async function written<Fields extends object, Live extends Values<Fields>>(
  managed: Pick<ManagedProperties<Fields, never, never>, "lacksSent" | "storedOtherwise">,
  patch: Values<Fields>,
  object: { write(): Promise<Live>; read(signal: AbortSignal): Promise<Live> },
  signal: AbortSignal,
): Promise<Live> {
  const isReached = (now: Live) =>
    !managed.lacksSent(patch, now) && managed.storedOtherwise(patch, now).length === 0;
  const response = await orReached(object.write(), { read: object.read, isReached }, signal);
  if (!managed.lacksSent(patch, response)) return response;
  // The write has succeeded, so a failed read must not fail the operation.
  return object.read(signal).catch(() => response);
}
