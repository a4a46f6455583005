import type { RoleGrant, Sandbox, SandboxOptions } from "../../../sandbox";
import { call, type SandboxResponse } from "./client";
import { sandboxes } from "./with-sandbox";

/** Agent keys of a project. Every test sets the switches that it compares. */

const start = sandboxes();

const outcome = ({ status, json }: SandboxResponse): string =>
  [status, json?.errorCode].filter(Boolean).join(" ");

async function startWithProject(options: SandboxOptions = {}): Promise<{ sandbox: Sandbox; path: string }> {
  const sandbox = await start(options);
  const { id } = sandbox.addProject({ name: "payments" });
  return { sandbox, path: `/groups/${id}/agentapikeys` };
}

const make = (sandbox: Sandbox, path: string, desc = "agents"): Promise<SandboxResponse> =>
  call(sandbox, "POST", path, { desc });

test("the key that a project starts with is listed, masked, and is the one of the response to POST /groups", async () => {
  const sandbox = await start();
  const { json: project } = await call(sandbox, "POST", "/groups", { name: "a", orgId: sandbox.orgId });
  const { json } = await call(sandbox, "GET", `/groups/${project.id}/agentapikeys`);
  expect(json).toMatchObject([{ key: `${"*".repeat(28)}${project.agentApiKey.slice(-4)}` }]);
});

test("a key is complete in the response to its creation, and masked in lists", async () => {
  const { sandbox, path } = await startWithProject();
  const { json } = await make(sandbox, path);
  expect(json).toMatchObject({ desc: "agents", createdBy: "PUBLIC_API", createdIpAddr: "127.0.0.1" });
  expect(json.key).toMatch(/^[0-9a-zA-Z]{5,}$/);
  const list = (await call(sandbox, "GET", path)).json;
  expect(list[1]).toEqual({ ...json, key: `${"*".repeat(28)}${json.key.slice(-4)}` });
  expect(outcome(await call(sandbox, "DELETE", `${path}/${json._id}`))).toBe("200");
  expect((await call(sandbox, "GET", path)).json).toHaveLength(1);
});

test("Project Read Only lists, and only Project Owner writes", async () => {
  const { sandbox, path } = await startWithProject();
  const groupId = sandbox.state.projects[0]?.id ?? "";
  const as = (roleName: string, more = {}) =>
    sandbox.addKey({ roles: [{ groupId, roleName } satisfies RoleGrant], ...more });
  const reader = as("GROUP_READ_ONLY");
  expect(outcome(await call(sandbox, "GET", path, undefined, reader))).toBe("200");
  const automation = as("GROUP_AUTOMATION_ADMIN");
  for (const key of [reader, automation]) {
    expect(outcome(await call(sandbox, "POST", path, { desc: "a" }, key))).toBe("401 USER_UNAUTHORIZED");
    expect(outcome(await call(sandbox, "DELETE", `${path}/${groupId}`, undefined, key))).toBe(
      "401 USER_UNAUTHORIZED",
    );
  }
  expect(outcome(await call(sandbox, "POST", path, { desc: "a" }, as("GROUP_OWNER")))).toBe("201");
  const outside = as("GROUP_OWNER", { ipAllowed: false });
  expect(outcome(await call(sandbox, "POST", path, { desc: "a" }, outside))).toBe(
    "403 IP_ADDRESS_NOT_ON_ACCESS_LIST",
  );
});

test.each(["200", "201"] as const)("the status of the creation can be %s", async (agentKeyStatus) => {
  const { sandbox, path } = await startWithProject({ agentKeyStatus });
  expect(outcome(await make(sandbox, path))).toBe(agentKeyStatus);
});

test("form of id, time, list and creation follow their switches", async () => {
  const { sandbox, path } = await startWithProject({
    agentKeyId: "_id",
    agentKeyTime: "number",
    agentKeyList: "array",
    agentKeyInAnswer: true,
  });
  const { json: one } = await make(sandbox, path);
  expect(one).toMatchObject({
    _id: expect.any(String),
    createdTime: expect.any(Number),
    key: expect.any(String),
  });
  expect(one).not.toHaveProperty("id");
  sandbox.setSwitches({
    agentKeyId: "id",
    agentKeyTime: "text",
    agentKeyList: "results",
    agentKeyInAnswer: false,
    originalAgentKey: "OLD_KEY",
  });
  const { json: other } = await make(sandbox, path);
  expect(other).toMatchObject({ id: expect.any(String), createdTime: expect.stringMatching(/^20.*Z$/) });
  expect(other).not.toHaveProperty("_id");
  expect(other).not.toHaveProperty("key");
  const { json: list } = await call(sandbox, "GET", path);
  expect(list.results.map(({ createdBy }: { createdBy: string }) => createdBy)).toEqual([
    "OLD_KEY",
    "PUBLIC_API",
    "PUBLIC_API",
  ]);
});

test.each([
  ["any", ["201", "201", "201"]],
  ["required", ["400 INVALID_ATTRIBUTE", "201", "201"]],
  ["unique", ["400 INVALID_ATTRIBUTE", "201", "400 INVALID_ATTRIBUTE"]],
] as const)("desc %s: empty, new and repeated are %j", async (agentKeyDesc, expected) => {
  const { sandbox, path } = await startWithProject({ agentKeyDesc });
  const outcomes: string[] = [];
  for (const desc of ["", "agents", "agents"]) outcomes.push(outcome(await make(sandbox, path, desc)));
  expect(outcomes).toEqual(expected);
});

test("the number of keys can be limited", async () => {
  const { sandbox, path } = await startWithProject({ maxAgentKeys: 2 });
  expect(outcome(await make(sandbox, path))).toBe("201");
  expect(outcome(await make(sandbox, path))).toBe("400 MAX_AGENT_API_KEYS_EXCEEDED");
  sandbox.setSwitches({ maxAgentKeys: 0 });
  expect(outcome(await make(sandbox, path))).toBe("201");
});

test("desc has at most 1,000 characters", async () => {
  const { sandbox, path } = await startWithProject();
  expect(outcome(await make(sandbox, path, "a".repeat(1000)))).toBe("201");
  expect(outcome(await make(sandbox, path, "a".repeat(1001)))).toBe("400 INVALID_ATTRIBUTE");
});

test.each(["INVALID_KEY_ID", "RESOURCE_NOT_FOUND"] as const)(
  "deleting an unknown key can be 404 %s",
  async (unknownAgentKey) => {
    const { sandbox, path } = await startWithProject({ unknownAgentKey });
    expect(outcome(await call(sandbox, "DELETE", `${path}/5f0000000000000000000fff`))).toBe(
      `404 ${unknownAgentKey}`,
    );
  },
);

test.each([
  ["delete", "204"],
  ["keep", "401 USER_UNAUTHORIZED"],
] as const)("the only key: %s", async (lastAgentKey, expected) => {
  const { sandbox, path } = await startWithProject({ lastAgentKey, deleteAgentKeyStatus: "204" });
  const [first] = (await call(sandbox, "GET", path)).json;
  expect(outcome(await call(sandbox, "DELETE", `${path}/${first._id}`))).toBe(expected);
});

test("a key can be added and removed outside the API", async () => {
  const { sandbox, path } = await startWithProject();
  const groupId = sandbox.state.projects[0]?.id ?? "";
  const { id } = sandbox.addAgentKey(groupId, { desc: "added outside Pulumi", key: "aaaawxyz" });
  const [, added] = (await call(sandbox, "GET", path)).json;
  expect(added).toMatchObject({
    _id: id,
    desc: "added outside Pulumi",
    createdBy: "USER",
    key: `${"*".repeat(28)}wxyz`,
  });
  sandbox.removeAgentKey(groupId, id);
  expect((await call(sandbox, "GET", path)).json).toHaveLength(1);
  expect(() => sandbox.removeAgentKey(groupId, id)).toThrow("agent key");
});
