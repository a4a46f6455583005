/** The first entries of a list as text: `a, b, c, and 4 more`. */
export function shortList(entries: readonly string[], most: number, separator = ", "): string {
  const more = entries.length - most;
  return [...entries.slice(0, most), ...(more > 0 ? [`and ${more} more`] : [])].join(separator);
}
