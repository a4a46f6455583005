import { refuse } from "./errors";
import type { Call, Reply } from "./router";

const defaultPageSize = 100;
const maxPageSize = 500;

function wholeNumber(call: Call, name: string, initial: number, most: number): number {
  const text = call.query.get(name);
  if (text === null) return initial;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > most) throw refuse.invalidQuery(name);
  return value;
}

/** A boolean query parameter; anything but `true` and `false` is refused. */
export function queryFlag(query: URLSearchParams, name: string, initial = false): boolean {
  const text = query.get(name);
  if (text === null) return initial;
  if (text !== "true" && text !== "false") throw refuse.invalidQuery(name);
  return text === "true";
}

/** One page of a list: `{links, results, totalCount}`; pageNum from 1, itemsPerPage 100 and at most 500. */
export function page<T>(call: Call, items: readonly T[], view: (item: T) => unknown): Reply {
  const size = wholeNumber(call, "itemsPerPage", defaultPageSize, maxPageSize);
  const number = wholeNumber(call, "pageNum", 1, Number.MAX_SAFE_INTEGER);
  const link = (rel: string, pageNum: number) => {
    const query = new URLSearchParams(call.query);
    query.set("pageNum", String(pageNum));
    query.set("itemsPerPage", String(size));
    return { rel, href: `${call.apiUrl}${call.path}?${query}` };
  };
  const links = [link("self", number)];
  if (number > 1) links.unshift(link("previous", number - 1));
  if (number * size < items.length) links.push(link("next", number + 1));
  const results = items.slice((number - 1) * size, number * size).map(view);
  const total = queryFlag(call.query, "includeCount", true) ? { totalCount: items.length } : {};
  return { status: 200, isList: true, body: { links, results, ...total } };
}
