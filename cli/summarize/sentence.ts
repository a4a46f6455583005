/** A sentence with names from outside, which each format writes in its own way. Pure. */

export interface Sentence {
  readonly texts: readonly string[];
  readonly names: readonly (string | Sentence)[];
}

/** sentence`Deleting ${name} fails.` */
export function sentence({ raw }: TemplateStringsArray, ...names: readonly (string | Sentence)[]): Sentence {
  return { texts: raw, names };
}

/** The entries as `a, b and c`. More than ten would hide what the sentence says. */
export function listed(entries: readonly string[]): Sentence {
  const more = entries.length - MOST_ENTRIES;
  const names = more > 1 ? [...entries.slice(0, MOST_ENTRIES), plain(`${more} more`)] : entries;
  const texts = names.map((_, index) => (index === 0 ? "" : index === names.length - 1 ? " and " : ", "));
  return { texts: [...texts, ""], names };
}

const MOST_ENTRIES = 10;

function plain(text: string): Sentence {
  return { texts: [text], names: [] };
}

/** @param quoted how a name is written */
export function written({ texts, names }: Sentence, quoted: (name: string) => string): string {
  const parts = names.map((name) => (typeof name === "string" ? quoted(name) : written(name, quoted)));
  return texts.map((text, index) => `${text}${parts[index] ?? ""}`).join("");
}
