/** Converts names to file names that are valid on every file system. */
import { own } from "../../provider/text/own";

const LONGEST_SLUG = 60;

/** Device names of Windows: no file may have such a name, with any extension. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)$/;

/** Letters that Unicode does not decompose into a letter of a to z and a mark. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
};

/**
 * The name in letters a to z, digits and single hyphens; empty if no part of it can be converted.
 */
export function slugOf(name: string): string {
  return name
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[ßæœøłđðþı]/g, (letter) => own(LETTERS, letter) ?? "")
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, LONGEST_SLUG)
    .replace(/^-+|-+$/g, "");
}

interface Named {
  readonly name: string;
  readonly id: string;
  /** What has the name, if no part of it can be converted. */
  readonly noun: string;
}

/**
 * A unique slug: that of the name, or with the end of the id, or with all of it. So the result does
 * not depend on how many similar names exist. If all are taken, a number follows.
 *
 * @param isTaken is called with names in lower case
 */
export function uniqueSlug({ name, id, noun }: Named, isTaken: (slug: string) => boolean): string {
  const slug = slugOf(name);
  const base = slug === "" ? noun : slug;
  const plain = slug === "" || DEVICE.test(slug) ? [] : [slug];
  const candidates = [...plain, `${base}-${id.slice(-6)}`, `${base}-${id}`];
  for (let number = 2; ; number += 1) {
    const free = candidates.find((candidate) => !isTaken(candidate));
    if (free !== undefined) return free;
    candidates.push(`${base}-${id}-${number}`);
  }
}
