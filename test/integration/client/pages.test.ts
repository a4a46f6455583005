import { listInvitations } from "../../../provider/api/invitations";
import { listOrganizations, listProjectsOfOrganization } from "../../../provider/api/organizations";
import { allPages } from "../../../provider/api/pages";
import { listUsersOfProject } from "../../../provider/api/users";
import { clientFactory, failureOf, queryOf } from "./with-client";

const start = clientFactory();
const orgId = "5f00000000000000000000b1";
const projectsUpTo = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `p${index}`, name: `project ${index}`, orgId }));

/** A service with so many projects and the given page size; it counts the requested pages. */
async function paging(
  count: number,
  { most = 500, ...form }: { most?: number; totalCount?: boolean; links?: boolean; pages?: boolean },
) {
  const pages: number[] = [];
  const all = projectsUpTo(count);
  const { client } = await start.server((request, response) => {
    const pageNum = Number(queryOf(request).get("pageNum"));
    const size = Math.min(most, Number(queryOf(request).get("itemsPerPage")));
    pages.push(pageNum);
    const begin = form.pages === false ? 0 : (pageNum - 1) * size;
    const links = begin + size < count ? [{ rel: "next", href: "next" }] : [{ rel: "self", href: "self" }];
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({
        results: all.slice(begin, begin + size),
        ...(form.totalCount ? { totalCount: count } : {}),
        ...(form.links ? { links } : {}),
      }),
    );
  });
  const listed = listProjectsOfOrganization(client, orgId);
  return { pages, listed };
}

describe("a list", () => {
  test.each([
    ["with a count: one page", 3, { totalCount: true }, [1]],
    ["with a count: nothing", 0, { totalCount: true }, [1]],
    ["with a count: a full last page costs no further call", 500, { totalCount: true }, [1]],
    ["with a count: two full pages", 1000, { totalCount: true }, [1, 2]],
    ["with a count: one entry over", 1001, { totalCount: true }, [1, 2, 3]],
    ["with a count: from a version that gives 100 at most", 250, { totalCount: true, most: 100 }, [1, 2, 3]],
    ["with links alone", 250, { links: true, most: 100 }, [1, 2, 3]],
    ["with links alone: a full last page costs no further call", 500, { links: true }, [1]],
    ["with neither: the end is a page without entries", 700, {}, [1, 2, 3]],
    ["with neither, from a version that gives 100 at most", 200, { most: 100 }, [1, 2, 3]],
    ["with neither, from a service that does not page", 3, { pages: false }, [1, 2]],
  ])("%s", async (_, count, form, expected) => {
    const { pages, listed } = await paging(count, form);
    expect((await listed).map(({ id }) => id)).toEqual(projectsUpTo(count).map(({ id }) => id));
    expect(pages).toEqual(expected);
  });

  test("that is no list is an unexpected response", async () => {
    const { client } = await start.server((_, response) => response.end('{"result":[]}'));
    const error = await failureOf(listProjectsOfOrganization(client, orgId));
    expect(error).toMatchObject({ code: "OPSMANAGER_UNEXPECTED_RESPONSE" });
    expect(error.message).toContain(`Listing the projects of organization ${orgId} failed`);
  });
});

type Entry = Readonly<Record<string, unknown>>;
interface Page {
  readonly results: readonly Entry[];
  readonly totalCount?: number;
  readonly links?: readonly { readonly rel: string }[];
}

const projectNamed = (name: string): Entry => ({ id: name, name, orgId });
const pageOf = (names: string, more: Omit<Page, "results"> = {}): Page => ({
  results: Array.from(names, projectNamed),
  ...more,
});
const next = { links: [{ rel: "next" }] };
const self = { links: [{ rel: "self" }] };

/** A service whose responses are given, one for each request; the last one is repeated. */
async function serving(...bodies: readonly Page[]) {
  const pages: number[] = [];
  const { client } = await start.server((request, response) => {
    pages.push(Number(queryOf(request).get("pageNum")));
    response.end(JSON.stringify(bodies[Math.min(pages.length, bodies.length) - 1]));
  });
  const listed = listProjectsOfOrganization(client, orgId).then((projects) =>
    projects.map(({ name }) => name).join(""),
  );
  return { pages, listed };
}

// Lists that were believed although they lacked entries or held one twice: the only owner counted as two and was removed.
describe("a list is complete, or an error", () => {
  test.each<[string, readonly Page[], string, readonly number[]]>([
    [
      "an entry that moves to the next page is read again, as another one may be missing",
      [pageOf("ab", { totalCount: 3 }), pageOf("b", { totalCount: 3 }), pageOf("xab", { totalCount: 3 })],
      "xab",
      [1, 2, 1],
    ],
    [
      "an entry that moves to the next page counts once",
      [pageOf("ab", next), pageOf("bc", self)],
      "abc",
      [1, 2],
    ],
    [
      "a count that falls while the list is read makes it read again",
      [pageOf("ab", { totalCount: 4 }), pageOf("d", { totalCount: 3 }), pageOf("bcd", { totalCount: 3 })],
      "bcd",
      [1, 2, 1],
    ],
    [
      "an empty page with a count is read again",
      [pageOf("", { totalCount: 3 }), pageOf("abc", { totalCount: 3 })],
      "abc",
      [1, 1],
    ],
    [
      "a next page is read although the count is reached",
      [pageOf("ab", { totalCount: 2, ...next }), pageOf("c", { totalCount: 2, ...self })],
      "abc",
      [1, 2],
    ],
    ["an entry that one response holds twice counts once", [pageOf("aab", { totalCount: 3 })], "ab", [1]],
  ])("%s", async (_, bodies, expected, requested) => {
    const { pages, listed } = await serving(...bodies);
    expect(await listed).toBe(expected);
    expect(pages).toEqual(requested);
  });

  test.each<[string, Page, string]>([
    [
      "is empty and counts three",
      pageOf("", { totalCount: 3 }),
      "counts 3 entries and returned 0 different ones",
    ],
    [
      "gives the same page again",
      pageOf("ab", { totalCount: 3 }),
      "counts 3 entries and returned 2 different ones",
    ],
    ["names a next page for ever", pageOf("ab", next), "page 2 holds no new entry and names a next page"],
  ])("a service that %s is read twice and then an error", async (_, body, doubt) => {
    const { pages, listed } = await serving(body);
    const error = await failureOf(listed);
    expect(error).toMatchObject({ code: "OPSMANAGER_UNEXPECTED_RESPONSE" });
    expect(error.message).toContain(
      `Listing the projects of organization ${orgId} failed: the list was incomplete in two reads`,
    );
    expect(error.message).toContain(doubt);
    expect(pages.filter((page) => page === 1)).toHaveLength(2);
  });

  test("a service that does not page and changes a field in each response ends after two, in the newest form", async () => {
    let count = 0;
    const { client } = await start.server((_, response) => {
      count += 1;
      response.end(JSON.stringify({ results: [{ ...projectNamed("a"), activeAgentCount: count }] }));
    });
    expect(await listProjectsOfOrganization(client, orgId)).toMatchObject([{ id: "a", activeAgentCount: 2 }]);
    expect(count).toBe(2);
  });

  test("a list that never ends is an error", async () => {
    let count = 0;
    const listed = allPages("Listing", async () => {
      count += 1;
      return { results: [{ id: `${count}` }] };
    });
    await expect(listed).rejects.toThrow("it has more than 1000 pages");
    expect(count).toBe(2000);
  });

  test("people and invitations count once too", async () => {
    const roles = ["GROUP_OWNER"];
    const user = {
      id: "u1",
      username: "ada@example.com",
      roles: [{ groupId: "p1", roleName: "GROUP_OWNER" }],
    };
    const invitation = { id: "i1", groupId: "p1", groupName: "payments", username: "bob@example.com", roles };
    const times = { createdAt: "2026-02-01T00:00:00Z", expiresAt: "2026-03-03T00:00:00Z" };
    const { client } = await start.server((request, response) => {
      const isFirst = queryOf(request).get("pageNum") === "1";
      const page = { results: [user], links: isFirst ? next.links : self.links };
      const sent = { ...invitation, ...times, inviterUsername: "owner@example.com" };
      response.end(JSON.stringify(request.url?.includes("/invites") ? [sent, sent] : page));
    });
    expect(await listUsersOfProject(client, "p1")).toHaveLength(1);
    expect(await listInvitations(client, "p1")).toHaveLength(1);
  });
});

test("of the sandbox all 1203 projects are listed, in three calls", async () => {
  const { sandbox, client } = await start.sandbox();
  for (const { name } of projectsUpTo(1203)) sandbox.addProject({ name });
  expect(await listProjectsOfOrganization(client, sandbox.orgId)).toHaveLength(1203);
  expect(sandbox.requests.filter(({ authorized }) => authorized).map(({ query }) => query)).toEqual([
    "pageNum=1&itemsPerPage=500",
    "pageNum=2&itemsPerPage=500",
    "pageNum=3&itemsPerPage=500",
  ]);
});

test("a list of members whose entries lack their roles is an unexpected response", async () => {
  const { client } = await start.server((_, response) =>
    response.end('{"results":[{"id":"u1","username":"ada@example.com"}],"totalCount":1}'),
  );
  const error = await failureOf(listUsersOfProject(client, "p1"));
  expect(error).toMatchObject({ code: "OPSMANAGER_UNEXPECTED_RESPONSE" });
});

test("organizations are listed without the parameter that a version does not know", async () => {
  const requested: (string | null)[] = [];
  const { client } = await start.server((request, response) => {
    const parameter = queryOf(request).get("includeDeletedOrgs");
    requested.push(parameter);
    response.statusCode = parameter === null ? 200 : 400;
    response.end(
      parameter === null
        ? '{"results":[{"id":"o1","name":"Example"},{"id":"o2","name":"Old","isDeleted":true}],"totalCount":2}'
        : '{"error":400,"errorCode":"INVALID_QUERY_PARAMETER"}',
    );
  });
  expect(await listOrganizations(client)).toEqual([{ id: "o1", name: "Example" }]);
  expect(requested).toEqual(["false", null]);
});
