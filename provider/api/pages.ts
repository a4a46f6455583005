/** Lists that come in pages: `{links, results, totalCount}` (API reference, "Lists"). */
import { z } from "zod";
import { UnexpectedResponseError } from "../errors";
import { checked } from "./answer";

/** The service's largest page. */
const ITEMS_PER_PAGE = 500;

const listAnswer = z.object({
  results: z.array(z.unknown()),
  totalCount: z.number().optional().catch(undefined),
  links: z
    .array(z.object({ rel: z.string() }))
    .optional()
    .catch(undefined),
});

type Page = z.output<typeof listAnswer>;

export interface PageQuery {
  readonly pageNum: number;
  readonly itemsPerPage: number;
}

/**
 * All entries of a list, not yet checked.
 *
 * @param action what is being done, for messages
 * @param fetchPage asks for one page with this query
 */
export async function allPages(
  action: string,
  fetchPage: (query: PageQuery) => Promise<unknown>,
): Promise<unknown[]> {
  const entries: unknown[] = [];
  let before = "";
  for (let pageNum = 1; ; pageNum += 1) {
    const page = checked(await fetchPage({ pageNum, itemsPerPage: ITEMS_PER_PAGE }), listAnswer, action);
    const content = JSON.stringify(page.results);
    if (content === before) return repeated(action, page, entries);
    before = content;
    entries.push(...page.results);
    if (isLast(page, entries.length)) return entries;
  }
}

/** The same page twice: a service that does not page, unless it counts more entries than it has given. */
function repeated(action: string, { totalCount }: Page, entries: unknown[]): unknown[] {
  if (totalCount === undefined) return entries;
  throw new UnexpectedResponseError(
    `${action} failed: the service counts ${totalCount} entries, but answers every page with the same ones.`,
  );
}

/**
 * A short page proves nothing: some versions give fewer entries than they are asked for. Where the answer has neither a
 * count nor links, the end is the page without entries.
 */
function isLast({ results, totalCount, links }: Page, received: number): boolean {
  if (results.length === 0) return true;
  if (totalCount !== undefined) return received >= totalCount;
  return links !== undefined && !links.some(({ rel }) => rel === "next");
}
