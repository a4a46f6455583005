/** Lists that come in pages: `{links, results, totalCount}` (API reference, "Lists"). A list is complete, or it is an error. */
import { z } from "zod";
import { UnexpectedResponseError } from "../errors";
import { checked } from "./answer";

/** The service's largest page. */
const ITEMS_PER_PAGE = 500;
/** Half a million entries; only a list that never ends is longer. */
const MAX_PAGES = 1000;

const listAnswer = z.object({
  results: z.array(z.unknown()),
  totalCount: z.number().optional().catch(undefined),
  links: z
    .array(z.object({ rel: z.string() }))
    .optional()
    .catch(undefined),
});

export interface PageQuery {
  readonly pageNum: number;
  readonly itemsPerPage: number;
}

/** One reading of all pages. */
interface Reading {
  readonly entries: readonly unknown[];
  /** Why entries may be missing; `undefined` where the list is complete. */
  readonly doubt: string | undefined;
}

/**
 * All entries of a list, each once, not yet checked. A list that may lack entries is read again once.
 *
 * @param action what is being done, for messages
 * @param fetchPage fetches one page with this query
 * @throws UnexpectedResponseError if the second reading may lack entries too
 */
export async function allPages(
  action: string,
  fetchPage: (query: PageQuery) => Promise<unknown>,
): Promise<readonly unknown[]> {
  const first = await readPages(action, fetchPage);
  const { entries, doubt } = first.doubt === undefined ? first : await readPages(action, fetchPage);
  if (doubt === undefined) return entries;
  throw new UnexpectedResponseError(
    `${action} failed: the list is incomplete, also when it was read again: ${doubt}. Run the command again; if that does not help, a proxy may change the answers of the service.`,
  );
}

async function readPages(
  action: string,
  fetchPage: (query: PageQuery) => Promise<unknown>,
): Promise<Reading> {
  const entries = new Map<string, unknown>();
  const complete = (): Reading => ({ entries: [...entries.values()], doubt: undefined });
  const incomplete = (doubt: string): Reading => ({ entries: [...entries.values()], doubt });
  let count: number | undefined;
  for (let pageNum = 1; pageNum <= MAX_PAGES; pageNum += 1) {
    const body = await fetchPage({ pageNum, itemsPerPage: ITEMS_PER_PAGE });
    const { results, totalCount = count, links } = checked(body, listAnswer, action);
    const hasNext = links?.some(({ rel }) => rel === "next") ?? false;
    const before = entries.size;
    for (const entry of results) entries.set(keyOf(entry), entry);
    const hasGained = entries.size > before;
    if (count !== undefined && totalCount !== undefined && totalCount < count) {
      // An entry that moved up into a page that was read before is in none of them.
      return incomplete(
        `the service counted ${count} entries and then ${totalCount}, so the list changed meanwhile`,
      );
    }
    count = totalCount;
    if (hasNext && hasGained) continue;
    if (count !== undefined) {
      // One answer alone is never shifted: what it holds twice was counted twice.
      const isWhole = entries.size >= count || (pageNum === 1 && results.length >= count);
      if (isWhole) return complete();
      if (hasGained) continue;
      return incomplete(`the service counts ${count} entries and returned ${entries.size} different ones`);
    }
    if (hasNext) return incomplete(`page ${pageNum} holds no new entry and names a next page`);
    // Some versions give fewer entries than they are asked for: without count and links, the end is a page without new ones.
    if (links !== undefined || !hasGained) return complete();
  }
  return incomplete(`it has more than ${MAX_PAGES} pages`);
}

/**
 * The entries, each once: one that moved to another page while the list was read counts once, in its newest form. Entries without
 * an id are told apart by their content.
 */
export function uniqueById<Entry>(entries: readonly Entry[]): readonly Entry[] {
  return [...new Map(entries.map((entry) => [keyOf(entry), entry])).values()];
}

function keyOf(entry: unknown): string {
  const hasId = typeof entry === "object" && entry !== null && "id" in entry && typeof entry.id === "string";
  return hasId ? `id ${entry.id}` : JSON.stringify(entry);
}
