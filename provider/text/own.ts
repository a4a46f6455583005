/**
 * The value that an object has under a name from outside, such as a property of a program or a code in a response.
 *
 * Every object inherits `constructor`, `toString` and `__proto__`, so no other place reads an object by a text that is
 * not one of its declared keys. `npm run check` holds the sources to it (`scripts/types.mts`).
 */
export function own<T>(values: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined;
}
