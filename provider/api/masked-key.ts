/** Keys as responses show them: masked after their creation, by the service or by a gateway in its own way. Pure. */

/** A character that no key has: private keys, public keys and agent API keys have letters, digits, `-` and `_`. */
const OTHER_CHARACTER = /[^\w-]/;

/** A random key never has one character so often in a row, or nothing else. */
const ONE_CHARACTER = /(.)\1{11}|^(.)\2*$/;

/** Whether a text that should be a key is none that a program can use. */
export function isMasked(text: string): boolean {
  return OTHER_CHARACTER.test(text) || ONE_CHARACTER.test(text.replaceAll("-", ""));
}

/** The key of a response to its creation; `undefined` if the response lacks it or masks it. */
export function completeKey(text: string | null | undefined): string | undefined {
  return text && !isMasked(text) ? text : undefined;
}

/**
 * The end of a masked key.
 *
 * @param documented the form of a masked key, with its end as the first group. In any other form, what looks like the
 * end of a key may be a part of the mask
 */
export function shownEnd(text: string | null | undefined, documented: RegExp): string | undefined {
  return documented.exec(text ?? "")?.[1];
}
