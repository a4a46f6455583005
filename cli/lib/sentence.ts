/** A sentence with names from outside, which each format writes in its own way. Pure. */

export interface Sentence {
  readonly texts: readonly string[];
  readonly names: readonly Words[];
}

/** Text from outside, or words of our own. */
export type Words = string | Sentence;

/** sentence`Deleting ${name} fails.` */
export function sentence({ raw }: TemplateStringsArray, ...names: readonly Words[]): Sentence {
  return { texts: raw, names };
}

/** Words of our own without a name. */
export function plain(text: string): Sentence {
  return { texts: [text], names: [] };
}

/** The entries as `a, b and c`. More than ten would hide what the sentence says. */
export function listed(entries: readonly string[]): Sentence {
  const more = entries.length - MOST_ENTRIES;
  const names = more > 1 ? [...entries.slice(0, MOST_ENTRIES), plain(`${more} more`)] : entries;
  const texts = names.map((_, index) => (index === 0 ? "" : index === names.length - 1 ? " and " : ", "));
  return { texts: [...texts, ""], names };
}

const MOST_ENTRIES = 10;

/** The first entries as `a, b, and 3 more`. */
export function shortListed(entries: readonly Words[], most: number): Sentence {
  const names = entries.slice(0, most);
  const more = entries.length - names.length;
  const end = more > 0 ? `, and ${more} more` : "";
  return { texts: [...names.map((_, index) => (index === 0 ? "" : ", ")), end], names };
}

/** @param quoted how a name is written */
export function written(words: Words, quoted: (name: string) => string): string {
  if (typeof words === "string") return quoted(words);
  const parts = words.names.map((name) => written(name, quoted));
  return words.texts.map((text, index) => `${text}${parts[index] ?? ""}`).join("");
}
