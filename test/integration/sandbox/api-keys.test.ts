/** API keys of an organization: their life, their roles in projects, and their access lists. */
import type { SandboxOptions } from "../../../sandbox";
import { call, type SandboxResponse } from "./client";
import { sandboxes } from "./with-sandbox";

const start = sandboxes();

const outcome = ({ status, json }: SandboxResponse): string =>
  [status, json?.errorCode].filter(Boolean).join(" ");

const member = { desc: "ci", roles: ["ORG_MEMBER"] };

async function startWith(options: SandboxOptions = {}) {
  const sandbox = await start(options);
  const project = sandbox.addProject({ name: "payments" });
  const path = `/orgs/${sandbox.orgId}/apiKeys`;
  const made = await call(sandbox, "POST", path, member);
  const id: string = made.json.id;
  return {
    sandbox,
    project,
    path,
    id,
    made,
    one: `${path}/${id}`,
    inProject: `/groups/${project.id}/apiKeys`,
  };
}

test("only the response to the creation has the private key; later its last block is shown", async () => {
  const { sandbox, path, one, made } = await startWith();
  const { privateKey, publicKey } = made.json;
  expect(outcome(made)).toBe("200");
  expect(publicKey).toMatch(/^[a-z]{8}$/);
  const masked = `********-****-****-${privateKey.slice(-12)}`;
  expect((await call(sandbox, "GET", one)).json).toMatchObject({ ...made.json, privateKey: masked });
  expect((await call(sandbox, "PATCH", one, { desc: "new" })).json).toMatchObject({
    desc: "new",
    privateKey: masked,
  });
  const listed = (await call(sandbox, "GET", path)).json;
  expect(listed.results).toMatchObject([{ publicKey, privateKey: masked }]);
  expect(outcome(await call(sandbox, "DELETE", one))).toBe("204");
  expect(outcome(await call(sandbox, "GET", one))).toBe("400 API_KEY_NOT_FOUND");
});

test.each([
  ["no description", { roles: ["ORG_MEMBER"] }, "400 MISSING_ATTRIBUTE"],
  ["an empty description", { desc: " ", roles: ["ORG_MEMBER"] }, "400 INVALID_ATTRIBUTE"],
  ["a long description", { desc: "a".repeat(251), roles: ["ORG_MEMBER"] }, "400 INVALID_ATTRIBUTE"],
  ["no roles", { desc: "ci", roles: [] }, "400 INVALID_ATTRIBUTE"],
  ["a role of a project", { desc: "ci", roles: ["GROUP_OWNER"] }, "400 ROLE_NEEDS_GROUP_ID"],
  ["an unknown role", { desc: "ci", roles: ["ORG_NOTHING"] }, "400 INVALID_ENUM_VALUE"],
])("a key with %s is refused", async (_, body, expected) => {
  const { sandbox, path } = await startWith();
  expect(outcome(await call(sandbox, "POST", path, body))).toBe(expected);
});

test("a PATCH in a project assigns the key or replaces its roles there, and a DELETE takes them", async () => {
  const { sandbox, project, one, id, inProject } = await startWith();
  const rolesNow = async () =>
    (await call(sandbox, "GET", one)).json.roles.map(
      ({ roleName }: { readonly roleName: string }) => roleName,
    );
  await call(sandbox, "PATCH", `${inProject}/${id}`, { roles: ["GROUP_READ_ONLY"] });
  expect(await rolesNow()).toEqual(["ORG_MEMBER", "GROUP_READ_ONLY"]);
  await call(sandbox, "PATCH", `${inProject}/${id}`, { roles: ["GROUP_OWNER"] });
  expect((await call(sandbox, "GET", inProject)).json.results).toMatchObject([
    { id, roles: [{ roleName: "ORG_MEMBER" }, { groupId: project.id, roleName: "GROUP_OWNER" }] },
  ]);
  await call(sandbox, "DELETE", `${inProject}/${id}`);
  expect(await rolesNow()).toEqual(["ORG_MEMBER"]);
  expect(outcome(await call(sandbox, "DELETE", `${inProject}/${id}`))).toBe("400 API_KEY_NOT_FOUND");
  expect(outcome(await call(sandbox, "PATCH", `${inProject}/${id}`, { roles: ["ORG_OWNER"] }))).toBe(
    "400 INVALID_ROLE_FOR_GROUP",
  );
});

test("an access list takes addresses and blocks, shows an address as both, and shuts other callers out", async () => {
  const { sandbox, one, made } = await startWith();
  const list = `${one}/accessList`;
  const entries = [{ ipAddress: "192.0.2.7" }, { cidrBlock: "198.51.100.0/24" }];
  expect((await call(sandbox, "POST", list, entries)).json.results).toMatchObject([
    { cidrBlock: "192.0.2.7/32", ipAddress: "192.0.2.7", count: 0 },
    { cidrBlock: "198.51.100.0/24" },
  ]);
  expect(outcome(await call(sandbox, "GET", "/groups", undefined, made.json))).toBe(
    "403 IP_ADDRESS_NOT_ON_ACCESS_LIST",
  );
  expect(outcome(await call(sandbox, "POST", list, [{ ipAddress: "127.0.0.1" }]))).toBe("200");
  expect(outcome(await call(sandbox, "GET", "/groups", undefined, made.json))).toBe("200");
  expect(outcome(await call(sandbox, "POST", list, [entries[0]]))).toBe("409 ADDRESS_ALREADY_IN_ACCESS_LIST");
  expect(outcome(await call(sandbox, "DELETE", `${list}/127.0.0.1`))).toBe(
    "400 CANNOT_REMOVE_CALLER_FROM_ACCESS_LIST",
  );
  expect(outcome(await call(sandbox, "DELETE", `${list}/198.51.100.0%2F24`))).toBe("204");
  expect(outcome(await call(sandbox, "GET", `${list}/198.51.100.0%2F24`))).toBe(
    "404 API_KEY_ACCESS_LIST_NOT_FOUND",
  );
});

test.each([
  ["both forms", [{ ipAddress: "192.0.2.7", cidrBlock: "192.0.2.0/24" }], "400 BAD_ACCESS_LIST_ADD_REQUEST"],
  [
    "one entry twice",
    [{ ipAddress: "192.0.2.7" }, { cidrBlock: "192.0.2.7/32" }],
    "400 DUPLICATE_ADDRESSES_IN_INPUT",
  ],
  ["no address", [{ ipAddress: "nowhere" }], "400 INVALID_ATTRIBUTE"],
])("entries with %s are refused", async (_, body, expected) => {
  const { sandbox, one } = await startWith();
  expect(outcome(await call(sandbox, "POST", `${one}/accessList`, body))).toBe(expected);
});

test("the switches change statuses, roles and rules", async () => {
  const { sandbox, path, one, made } = await startWith({
    apiKeyStatus: "201",
    unknownApiKey: "404",
    maxApiKeys: 1,
    rootApiKey: true,
    accessListAgain: "ignore",
    callerAddress: "remove",
  });
  expect(outcome(made)).toBe("201");
  expect(outcome(await call(sandbox, "POST", path, member))).toBe("400 MAX_API_KEYS_PER_ORG_EXCEEDED");
  expect(outcome(await call(sandbox, "GET", `${path}/${"0".repeat(24)}`))).toBe("404 API_KEY_NOT_FOUND");
  expect((await call(sandbox, "GET", "")).json.apiKey).toMatchObject({ publicKey: sandbox.publicKey });
  const caller = [{ ipAddress: "127.0.0.1" }];
  for (const _ of [1, 2])
    expect(outcome(await call(sandbox, "POST", `${one}/accessList`, caller))).toBe("200");
  expect(outcome(await call(sandbox, "DELETE", `${one}/accessList/127.0.0.1`))).toBe("204");
});

test("a key without the role Organization Owner reads keys and its own access list only", async () => {
  const { sandbox, path, one, made } = await startWith();
  const as = (method: string, at: string, body?: unknown) => call(sandbox, method, at, body, made.json);
  expect(outcome(await as("GET", path))).toBe("200");
  expect(outcome(await as("POST", path, member))).toBe("401 NOT_ORG_ADMIN");
  expect(outcome(await as("GET", `${one}/accessList`))).toBe("200");
  const other = (await call(sandbox, "POST", path, member)).json;
  expect(outcome(await as("GET", `${path}/${other.id}/accessList`))).toBe(
    "400 API_KEY_ACCESS_LIST_ACCESS_DENIED",
  );
});

test("an organization that requires access lists refuses a key without one", async () => {
  const { sandbox, made } = await startWith();
  sandbox.setSwitches({ requiredAccessList: true });
  expect(outcome(await call(sandbox, "GET", "/groups", undefined, made.json))).toBe(
    "403 IP_ADDRESS_NOT_ON_ACCESS_LIST",
  );
});
