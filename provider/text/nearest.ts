/** Suggests the word that was meant. */
import leven from "leven";

/**
 * The candidate that a misspelled word most likely stands for. Case, blanks, `-` and `_` do not
 * count.
 *
 * @param most the largest number of wrong, missing and added letters; by default, a third of the
 * candidate
 */
export function nearest(
  word: string,
  candidates: readonly string[],
  most = (candidate: string) => Math.max(1, Math.floor(candidate.length / 3)),
): string | undefined {
  const folded = fold(word);
  const [best] = candidates
    // The lengths alone show most distances, in no time.
    .filter((candidate) => Math.abs(folded.length - fold(candidate).length) <= most(candidate))
    .map((candidate) => ({ candidate, distance: leven(folded, fold(candidate)) }))
    .filter(({ candidate, distance }) => distance <= most(candidate))
    .sort((one, other) => one.distance - other.distance);
  return best?.candidate;
}

/** The form of a name in which spellings of it are the same. */
export function fold(name: string): string {
  return name.toLowerCase().replace(/[-_ ]/g, "");
}
