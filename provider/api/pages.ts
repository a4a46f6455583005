/**
 * Reads paged lists: `{links, results, totalCount}` (API reference, "Lists"). The result is
 * complete, or it is an error.
 */
import { z } from "zod";
import { UnexpectedResponseError } from "../text/errors";
import { checked } from "./response";

/** The service's largest page. */
export const ITEMS_PER_PAGE = 500;
/** Enough for half a million entries; only an endless list is longer. */
const MAX_PAGES = 1000;

export const listResponse = z.object({
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

/** One page, whose entries are not yet checked. */
export interface Page {
  readonly entries: readonly unknown[];
  /** Entries of all pages, if the service counts them. */
  readonly totalCount: number | undefined;
  /** Whether the page names a next one; `undefined` if it names no pages at all. */
  readonly namesNext: boolean | undefined;
}

/**
 * Reads one page of a list, for callers that need no complete list.
 *
 * @param fetchPage fetches the page with this query
 */
export async function readPage(
  action: string,
  pageNum: number,
  fetchPage: (query: PageQuery) => Promise<unknown>,
): Promise<Page> {
  const body = await fetchPage({ pageNum, itemsPerPage: ITEMS_PER_PAGE });
  const { results, totalCount, links } = checked(body, listResponse, action);
  return { entries: results, totalCount, namesNext: links?.some(({ rel }) => rel === "next") };
}

/** Whether the list may have further pages after the one with this number. */
export function mayHaveNext({ entries, totalCount, namesNext }: Page, pageNum: number): boolean {
  return namesNext ?? (totalCount === undefined ? entries.length > 0 : totalCount > pageNum * ITEMS_PER_PAGE);
}

/** The result of reading all pages once. */
interface Reading {
  readonly entries: readonly unknown[];
  /** Why entries may be missing; `undefined` if the list is complete. */
  readonly doubt: string | undefined;
}

/**
 * Reads all entries of a list, each once, not yet checked. If entries may be missing, the list is
 * read again once.
 *
 * @param action for messages
 * @param fetchPage fetches one page with this query
 * @throws UnexpectedResponseError if entries may be missing from the second reading too
 */
export async function allPages(
  action: string,
  fetchPage: (query: PageQuery) => Promise<unknown>,
): Promise<readonly unknown[]> {
  const first = await readAllOnce(action, fetchPage);
  const { entries, doubt } = first.doubt === undefined ? first : await readAllOnce(action, fetchPage);
  if (doubt === undefined) return entries;
  throw new UnexpectedResponseError(
    `${action} failed: the list was incomplete in two reads: ${doubt}. Run the command again. If it fails again, check whether a proxy changes the responses of the service.`,
  );
}

async function readAllOnce(
  action: string,
  fetchPage: (query: PageQuery) => Promise<unknown>,
): Promise<Reading> {
  const entries = new Map<string, unknown>();
  const complete = (): Reading => ({ entries: [...entries.values()], doubt: undefined });
  const incomplete = (doubt: string): Reading => ({ entries: [...entries.values()], doubt });
  let count: number | undefined;
  for (let pageNum = 1; pageNum <= MAX_PAGES; pageNum += 1) {
    const page = await readPage(action, pageNum, fetchPage);
    const { totalCount = count, namesNext } = page;
    const before = entries.size;
    for (const entry of page.entries) entries.set(keyOf(entry), entry);
    const hasGained = entries.size > before;
    if (count !== undefined && totalCount !== undefined && totalCount < count) {
      // An entry that moved to an earlier page during the reading is in none of the pages.
      return incomplete(
        `the service counted ${count} entries and then ${totalCount}, so the list changed meanwhile`,
      );
    }
    count = totalCount;
    if (namesNext && hasGained) continue;
    if (count !== undefined) {
      // A single response cannot shift: the service counted its duplicates twice.
      const isWhole = entries.size >= count || (pageNum === 1 && page.entries.length >= count);
      if (isWhole) return complete();
      if (hasGained) continue;
      return incomplete(`the service counts ${count} entries and returned ${entries.size} different ones`);
    }
    if (namesNext) return incomplete(`page ${pageNum} holds no new entry and names a next page`);
    // Some versions return fewer entries than requested. Without count and links, the list ends
    // with a page without new entries.
    if (namesNext !== undefined || !hasGained) return complete();
  }
  return incomplete(`it has more than ${MAX_PAGES} pages`);
}

/**
 * Returns each entry once. An entry that moved to another page during the reading counts once, in
 * its newest form. Entries without an id are distinguished by their content.
 */
export function uniqueById<Entry>(entries: readonly Entry[]): readonly Entry[] {
  return [...new Map(entries.map((entry) => [keyOf(entry), entry])).values()];
}

/** A service account has a client ID instead. The time at which it was last used changes with each use. */
function keyOf(entry: unknown): string {
  const { id, clientId } = (typeof entry === "object" && entry !== null ? entry : {}) as Record<
    string,
    unknown
  >;
  const own = typeof id === "string" ? id : clientId;
  return typeof own === "string" ? `id ${own}` : JSON.stringify(entry);
}
