/** Lists of pages: complete, or an error. */
import { allPages, ITEMS_PER_PAGE, type PageQuery } from "../../../provider/api/pages";

interface Page {
  readonly results: readonly object[];
  readonly totalCount?: number;
  readonly links?: readonly { readonly rel: string }[];
}

/** Reads a list whose pages are these responses, one for each request; the last one is repeated. */
async function reading(response: (query: PageQuery, count: number) => Page) {
  const pages: number[] = [];
  const list = allPages("Listing", async (query) => {
    pages.push(query.pageNum);
    return response(query, pages.length);
  });
  const outcome = await list.then(
    (entries) => ({ entries, message: "" }),
    (error: Error) => ({ entries: [], message: error.message }),
  );
  return { pages, ...outcome };
}

const next = { links: [{ rel: "next" }] };
const self = { links: [{ rel: "self" }] };

test.each<{ form: string; count: number; most?: number; counts?: true; links?: true; pages: number[] }>([
  { form: "with a count: one page", count: 3, counts: true, pages: [1] },
  { form: "with a count: nothing", count: 0, counts: true, pages: [1] },
  { form: "with a count: a full last page costs no further call", count: 1000, counts: true, pages: [1, 2] },
  { form: "with a count: one entry over", count: 1001, counts: true, pages: [1, 2, 3] },
  { form: "with a count, 100 at most", count: 250, most: 100, counts: true, pages: [1, 2, 3] },
  { form: "with links, 100 at most", count: 250, most: 100, links: true, pages: [1, 2, 3] },
  { form: "with links: a full last page costs no further call", count: 500, links: true, pages: [1] },
  { form: "with neither: the end is a page without entries", count: 700, pages: [1, 2, 3] },
  { form: "with neither, 100 at most", count: 200, most: 100, pages: [1, 2, 3] },
])("a list $form", async ({ count, most = ITEMS_PER_PAGE, counts, links, pages }) => {
  const all = Array.from({ length: count }, (_, index) => ({ id: `p${index}` }));
  const list = await reading(({ pageNum, itemsPerPage }) => {
    const size = Math.min(most, itemsPerPage);
    const end = pageNum * size;
    const named = end < count ? next : self;
    return {
      results: all.slice(end - size, end),
      ...(counts ? { totalCount: count } : {}),
      ...(links ? named : {}),
    };
  });
  expect(list).toEqual({ pages, entries: all, message: "" });
});

const pageOf = (ids: string, more: Omit<Page, "results"> = {}): Page => ({
  results: Array.from(ids, (id) => ({ id })),
  ...more,
});

// Lists that were believed although they lacked entries or held one twice: the only owner counted as two and was removed.
test.each<{ what: string; responses: readonly Page[]; ids: string; pages: number[] }>([
  {
    what: "an entry that moves to the next page is read again, as another one may be missing",
    responses: [
      pageOf("ab", { totalCount: 3 }),
      pageOf("b", { totalCount: 3 }),
      pageOf("xab", { totalCount: 3 }),
    ],
    ids: "xab",
    pages: [1, 2, 1],
  },
  {
    what: "an entry that moves to the next page counts once",
    responses: [pageOf("ab", next), pageOf("bc", self)],
    ids: "abc",
    pages: [1, 2],
  },
  {
    what: "a count that falls while the list is read makes it read again",
    responses: [
      pageOf("ab", { totalCount: 4 }),
      pageOf("d", { totalCount: 3 }),
      pageOf("bcd", { totalCount: 3 }),
    ],
    ids: "bcd",
    pages: [1, 2, 1],
  },
  {
    what: "an empty page with a count is read again",
    responses: [pageOf("", { totalCount: 3 }), pageOf("abc", { totalCount: 3 })],
    ids: "abc",
    pages: [1, 1],
  },
  {
    what: "a next page is read although the count is reached",
    responses: [pageOf("ab", { totalCount: 2, ...next }), pageOf("c", { totalCount: 2, ...self })],
    ids: "abc",
    pages: [1, 2],
  },
  {
    what: "an entry that one response holds twice counts once",
    responses: [pageOf("aab", { totalCount: 3 })],
    ids: "ab",
    pages: [1],
  },
  { what: "a service that does not page is read twice", responses: [pageOf("ab")], ids: "ab", pages: [1, 2] },
])("$what", async ({ responses, ids, pages }) => {
  const list = await reading((_, count) => responses[Math.min(count, responses.length) - 1] ?? pageOf(""));
  expect(list).toEqual({ pages, entries: pageOf(ids).results, message: "" });
});

// A service account has no ID, and changes by being used.
test.each(["id", "clientId"])(
  "an entry with %s that changes while the list is read is in its newest form",
  async (name) => {
    const list = await reading((_, count) => ({ results: [{ [name]: "a", count }] }));
    expect(list.entries).toEqual([{ [name]: "a", count: 2 }]);
  },
);

test.each<{ service: string; response: Page; doubt: string }>([
  {
    service: "is empty and counts three",
    response: pageOf("", { totalCount: 3 }),
    doubt: "the service counts 3 entries and returned 0 different ones",
  },
  {
    service: "gives the same page again",
    response: pageOf("ab", { totalCount: 3 }),
    doubt: "the service counts 3 entries and returned 2 different ones",
  },
  {
    service: "names a next page for ever",
    response: pageOf("ab", next),
    doubt: "page 2 holds no new entry and names a next page",
  },
])("a service that $service is read twice and then an error", async ({ response, doubt }) => {
  const { pages, message } = await reading(() => response);
  expect(message).toContain(`Listing failed: the list was incomplete in two reads: ${doubt}.`);
  expect(pages.filter((page) => page === 1)).toHaveLength(2);
});

test("a list that never ends is an error", async () => {
  const { pages, message } = await reading((_, count) => ({ results: [{ id: `${count}` }] }));
  expect(message).toContain("it has more than 1000 pages");
  expect(pages).toHaveLength(2000);
});
