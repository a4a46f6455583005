/** Lists of the real calls; `unit/api/pages.test.ts` has the ways in which services page. */
import { listInvitations } from "../../../provider/api/invitations";
import { listOrganizations } from "../../../provider/api/organizations";
import { listUsersOfProject } from "../../../provider/api/users";
import { always, clientFactory, queryOf } from "./with-client";

const start = clientFactory();

test("people and invitations count once", async () => {
  const roles = ["GROUP_OWNER"];
  const user = { id: "u1", username: "ada@example.com", roles: [{ groupId: "p1", roleName: "GROUP_OWNER" }] };
  const invitation = {
    id: "i1",
    groupId: "p1",
    groupName: "payments",
    username: "bob@example.com",
    roles,
    createdAt: "2026-02-01T00:00:00Z",
    expiresAt: "2026-03-03T00:00:00Z",
    inviterUsername: "owner@example.com",
  };
  const { client } = await start.server((request, response) => {
    const links = [{ rel: queryOf(request).get("pageNum") === "1" ? "next" : "self" }];
    const isList = request.url?.includes("/invites");
    response.end(JSON.stringify(isList ? [invitation, invitation] : { results: [user], links }));
  });
  expect(await listUsersOfProject(client, "p1")).toHaveLength(1);
  expect(await listInvitations(client, "p1")).toHaveLength(1);
});

test("a list of members without their roles is an unexpected response, and not one of nobody", async () => {
  const body = { results: [{ id: "u1", username: "ada@example.com" }], totalCount: 1 };
  const { client } = await start.server(always(200, body));
  await expect(listUsersOfProject(client, "p1")).rejects.toMatchObject({
    code: "OPSMANAGER_UNEXPECTED_RESPONSE",
  });
});

test("organizations are listed without the parameter that a version does not know", async () => {
  const requested: (string | null)[] = [];
  const [own, old] = [
    { id: "o1", name: "Example" },
    { id: "o2", name: "Old", isDeleted: true },
  ];
  const { client } = await start.server((request, response) => {
    const parameter = queryOf(request).get("includeDeletedOrgs");
    requested.push(parameter);
    const refusal = always(400, { error: 400, errorCode: "INVALID_QUERY_PARAMETER" });
    const list = always(200, { results: [own, old], totalCount: 2 });
    (parameter === null ? list : refusal)(request, response);
  });
  expect(await listOrganizations(client)).toEqual([own]);
  expect(requested).toEqual(["false", null]);
});
