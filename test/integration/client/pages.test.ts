import { listInvitations } from "../../../provider/api/invitations";
import { listProjectsOfOrganization } from "../../../provider/api/organizations";
import { failureOf, places, queryOf } from "./with-client";

const start = places();
const orgId = "5f00000000000000000000b1";
const projectsUpTo = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `p${index}`, name: `project ${index}`, orgId }));

/** A service with so many projects that pages as it is told to; the pages asked for are counted. */
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

  test("that counts more than it gives, again and again, ends with an error", async () => {
    const { listed } = await paging(700, { totalCount: true, pages: false });
    const error = await failureOf(listed);
    expect(error).toMatchObject({ code: "OPSMANAGER_UNEXPECTED_RESPONSE" });
    expect(error.message).toContain("counts 700 entries, but answers every page with the same ones");
  });

  test("that is no list is an unexpected response", async () => {
    const { client } = await start.server((_, response) => response.end('{"result":[]}'));
    const error = await failureOf(listProjectsOfOrganization(client, orgId));
    expect(error).toMatchObject({ code: "OPSMANAGER_UNEXPECTED_RESPONSE" });
    expect(error.message).toContain(`Listing the projects of organization ${orgId} failed`);
  });
});

test("of the embedded service all 1203 projects are listed, in three calls", async () => {
  const { sandbox, client } = await start.sandbox();
  for (const { name } of projectsUpTo(1203)) sandbox.addProject({ name });
  expect(await listProjectsOfOrganization(client, sandbox.orgId)).toHaveLength(1203);
  expect(sandbox.requests.filter(({ authorized }) => authorized).map(({ query }) => query)).toEqual([
    "pageNum=1&itemsPerPage=500",
    "pageNum=2&itemsPerPage=500",
    "pageNum=3&itemsPerPage=500",
  ]);
});

test("the names of an organization's projects are filtered by the service", async () => {
  const { sandbox, client } = await start.sandbox();
  for (const name of ["payments", "payments & more", "orders"]) sandbox.addProject({ name });
  const found = await listProjectsOfOrganization(client, sandbox.orgId, "payments &");
  expect(found.map(({ name }) => name)).toEqual(["payments & more"]);
});

test("invitations come in one bare list", async () => {
  const { sandbox, client } = await start.sandbox();
  const { id } = sandbox.addProject({ name: "payments" });
  expect(await listInvitations(client, id)).toEqual([]);
  for (const username of ["a@example.com", "b+c@example.com"]) {
    sandbox.addInvitation(id, { username, roles: ["GROUP_READ_ONLY"] });
  }
  expect(await listInvitations(client, id)).toHaveLength(2);
  expect((await listInvitations(client, id, "b+c@example.com")).map(({ username }) => username)).toEqual([
    "b+c@example.com",
  ]);
});
