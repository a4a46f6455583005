import { createAgentKey, listAgentKeys } from "../../../../provider/api/agent-keys";
import { entry, Keys, keyId, projectId, secretKey } from "./keys";

const listing = (body: unknown) =>
  listAgentKeys(new Keys({ GET: () => body }).context.session.client, projectId);

const listed = {
  keyId,
  description: "agents",
  keySuffix: "cdef",
  createdAt: "2026-01-02T03:03:05.000Z",
  createdBy: "USER",
};
const { _id, ...rest } = entry(keyId, "agents");

test.each([
  ["an array", [entry(keyId, "agents")]],
  ["results", { results: [entry(keyId, "agents")], totalCount: 1, links: [] }],
  ["`id` in place of `_id`", [{ id: keyId, ...rest }]],
  ["a time as text", [{ ...entry(keyId, "agents"), createdTime: "2026-01-02T03:03:05Z" }]],
  ["a time in seconds", [{ ...entry(keyId, "agents"), createdTime: 1_767_322_985 }]],
  ["fields that nothing reads", [{ ...entry(keyId, "agents"), createdUserId: 7, createdIpAddr: null }]],
])("a list is read in the form of %s", async (_, body) => {
  expect(await listing(body)).toEqual([listed]);
});

test("an entry may lack everything but its id; a time that is none is shown as it is", async () => {
  expect(await listing([{ _id: keyId }, { _id: "2", createdTime: "soon" }])).toEqual([
    { keyId },
    { keyId: "2", createdAt: "soon" },
  ]);
});

test.each([
  ["an entry without an id", [{ desc: "agents" }]],
  ["fewer entries than it counts", { results: [entry(keyId, "agents")], totalCount: 2 }],
  ["a next page", { results: [entry(keyId, "agents")], links: [{ rel: "next", href: "?pageNum=2" }] }],
  ["no entries", { error: 0 }],
])("a list with %s is an error", async (_, body) => {
  await expect(listing(body)).rejects.toMatchObject({ code: "OPSMANAGER_UNEXPECTED_RESPONSE" });
});

test("the complete key is taken from the response to the creation, and a masked one is none", async () => {
  const creating = (body: unknown) =>
    createAgentKey(new Keys({ POST: () => body }).context.session.client, projectId, "agents");
  const created = entry(keyId, "agents");
  const { keySuffix: _, ...complete } = listed;
  expect(await creating({ ...created, key: secretKey })).toEqual({ ...complete, key: secretKey });
  expect(await creating(created)).toEqual(listed);
});
