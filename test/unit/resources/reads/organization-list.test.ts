import type { ApiClient } from "../../../../provider/api/client";
import type { ProjectResponse } from "../../../../provider/api/projects";
import { type JudgeEntry, OrganizationList } from "../../../../provider/resources/reads/organization-list";

const { signal } = new AbortController();
const orgId = "o1";
const long = 60;

/** So many projects are read singly before the list is. */
const singly = ["s1", "s2", "s3", "s4"];

function project(id: string, more: Partial<ProjectResponse> = {}): ProjectResponse {
  return { id, name: `name of ${id}`, orgId, ...more } as ProjectResponse;
}

/** A list whose pages are these, and the numbers of the pages that were requested. */
function listOf(...pages: (readonly ProjectResponse[] | Error)[]) {
  const requested: number[] = [];
  const client = {
    page: async (_: unknown, number: number) => {
      requested.push(number);
      const entries = pages[number - 1] ?? [];
      if (entries instanceof Error) throw entries;
      return { entries, hasNext: number < pages.length };
    },
  } as unknown as ApiClient;
  const list = new OrganizationList(client, orgId, long);
  const find = (id: string, judge: JudgeEntry = () => "sufficient", since = 0) =>
    list.find(id, since, judge, signal);
  const want = async (...ids: readonly string[]) => {
    for (const id of ids) await find(id);
  };
  return { list, requested, find, want };
}

test("the first four projects of an organization are read singly, also if one is read twice", async () => {
  const { requested, find, want } = listOf([project("p1"), ...singly.map((id) => project(id))]);
  await want(...singly, ...singly);
  expect(requested).toEqual([]);
  expect(await find("p1")).toEqual(project("p1"));
  expect(await find("s1")).toEqual(project("s1"));
  expect(requested).toEqual([1]);
});

test("pages are read until one has the project, and entries of other organizations count for none", async () => {
  const stranger = project("p9", { orgId: "o2" });
  const { requested, find, want } = listOf([project("p1"), stranger], [project("p2")], [project("p3")]);
  await want(...singly);
  expect(await find("p2")).toEqual(project("p2"));
  expect(requested).toEqual([1, 2]);
  expect(await find("p9")).toBeUndefined();
  expect(requested).toEqual([1, 2, 3]);
  expect(await find("p8")).toBeUndefined();
  expect(requested).toEqual([1, 2, 3]);
});

test("no more pages than projects are requested", async () => {
  const pages = Array.from({ length: 9 }, (_, index) => [project(`p${index}`)]);
  const { requested, find, want } = listOf(...pages);
  await want(...singly);
  expect(await find("p8")).toBeUndefined();
  expect(requested).toEqual([1, 2, 3, 4, 5]);
  expect(await find("p7")).toBeUndefined();
  expect(requested).toEqual([1, 2, 3, 4, 5, 6]);
});

test("an entry that began before the last write to the project is not used", async () => {
  const { find, want } = listOf([project("p1")]);
  await want(...singly);
  expect(await find("p1")).toEqual(project("p1"));
  expect(await find("p1", () => "sufficient", performance.now() + 1000)).toBeUndefined();
});

test("a field that the entries lack ends the reading of further pages, and an unexpected value does not", async () => {
  const { requested, find, want } = listOf([project("p1", { tags: ["EU"] })], [project("p2")]);
  await want(...singly);
  const shown: boolean[] = [];
  const unexpected: JudgeEntry = (_, isShown) => {
    shown.push(isShown("tags"), isShown("name"));
    return "unexpected";
  };
  expect(await find("p1", unexpected)).toBeUndefined();
  expect(shown).toEqual([true, false]);
  expect(await find("p1", () => "lacking")).toBeUndefined();
  expect(await find("p2")).toBeUndefined();
  expect(requested).toEqual([1]);
});

test("an empty list in an entry does not show the field", async () => {
  const { find, want } = listOf([project("p1", { tags: [] })]);
  await want(...singly);
  let isShown: boolean | undefined;
  await find("p1", (_, shows) => {
    isShown = shows("tags");
    return "sufficient";
  });
  expect(isShown).toBe(false);
});

test("a list that cannot be read is asked once, and each project is read singly", async () => {
  const { list, requested, find, want } = listOf(new Error("403"));
  await want(...singly);
  expect([await find("p1"), await find("p2"), await list.lacksName("ledger", signal)]).toEqual([
    undefined,
    undefined,
    false,
  ]);
  expect(requested).toEqual([1]);
});

test("a canceled read of the list is an error, and no sign that the list cannot be read", async () => {
  const operation = new AbortController();
  operation.abort();
  const { list, find, want } = listOf(new Error("canceled"));
  await want(...singly);
  await expect(list.find("p1", 0, () => "sufficient", operation.signal)).rejects.toThrow("canceled");
  expect(await find("p1")).toBeUndefined();
});

describe("a name", () => {
  const pages = [[project("p1")], [project("p2")]];

  test("is free only if all pages lack it", async () => {
    const { list, want } = listOf(...pages);
    await want(...singly);
    expect(await list.lacksName("ledger", signal)).toBe(true);
    expect(await list.lacksName("name of p2", signal)).toBe(false);
  });

  test("is not known to be free before the fifth question, or if the pages would be too many", async () => {
    const { list, requested } = listOf(...Array.from({ length: 6 }, (_, index) => [project(`p${index}`)]));
    const ask = () => list.lacksName(`ledger ${requested.length}`, signal);
    for (const name of ["a", "b", "c", "d"]) expect(await list.lacksName(name, signal)).toBe(false);
    expect(requested).toEqual([]);
    expect(await ask()).toBe(false);
    expect(requested).toHaveLength(5);
    expect(await ask()).toBe(true);
  });
});
