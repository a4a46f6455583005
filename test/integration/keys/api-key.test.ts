/** ApiKey: a programmatic API key of an organization, from its creation to its deletion. */

import { nothing, upAgain } from "../../engine/support/people-program";
import {
  bothProviders,
  changedPaths,
  errorsOf,
  messagesOf,
  operations,
  writes,
} from "../../engine/support/project-program";
import { keepDefault, succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import {
  admin,
  apiKey,
  keyWith,
  newKeys,
  orgId,
  ownKeyId,
  projectApiKey,
  projectId,
  setUpKeys,
  theirs,
  theNewKey,
} from "./keys";

afterEach(tearDownStacks);

const token = "opsmanager:index:ApiKey";
const path = `/orgs/${orgId}/apiKeys`;
const blocks = (sandbox: Parameters<typeof theNewKey>[0]) =>
  theNewKey(sandbox)
    .accessList.map(({ cidrBlock }) => cidrBlock)
    .sort();

it.each(bothProviders)(
  "a key is created by one request, changed in place, and deleted (%s)",
  async (provider) => {
    keepDefault("refreshBeforeUpdate", "a plain up corrects what was changed outside Pulumi");
    const { sandbox, stack, declare } = await setUpKeys({ ci: apiKey() }, { provider });
    await succeeded(stack.up());
    const body = { desc: "ci", roles: ["ORG_MEMBER"] };
    expect(writes(sandbox)).toEqual([{ method: "POST", path, body }]);
    const { id, publicKey } = theNewKey(sandbox);
    expect(await stack.resource("ci")).toMatchObject({
      id: `${orgId}/${id}`,
      outputs: { keyId: id, publicKey, description: "ci", roles: ["ORG_MEMBER"], origin: "created" },
    });
    expect(await upAgain({ sandbox, stack })).toEqual(nothing);

    sandbox.changeKey(publicKey, { desc: "changed", roles: [{ orgId, roleName: "ORG_OWNER" }] });
    await succeeded(stack.up());
    expect(theNewKey(sandbox)).toMatchObject({ desc: "ci", roles: [{ orgId, roleName: "ORG_MEMBER" }] });

    await declare({ ci: apiKey({ description: "pipeline", roles: ["ORG_GROUP_CREATOR"] }) });
    await succeeded(stack.up());
    expect(theNewKey(sandbox)).toMatchObject({ id, desc: "pipeline" });
    expect(await upAgain({ sandbox, stack })).toEqual(nothing);

    await succeeded(stack.destroy());
    expect(newKeys(sandbox)).toEqual([]);
    expect(keyWith(sandbox, theirs.publicKey)).toMatchObject(theirs);
  },
);

it("an ORG_MEMBER that the service adds is no difference, and roles in projects stay when those of the organization change", async () => {
  const { sandbox, stack, declare } = await setUpKeys(
    { ci: apiKey({ roles: ["ORG_READ_ONLY"] }) },
    { orgMemberOfKeys: true },
  );
  await succeeded(stack.up());
  expect(await upAgain({ sandbox, stack })).toEqual(nothing);
  const { publicKey } = theNewKey(sandbox);
  const inProject = { groupId: projectId, roleName: "GROUP_OWNER" };
  sandbox.changeKey(publicKey, { roles: [{ orgId, roleName: "ORG_READ_ONLY" }, inProject] });
  expect(await upAgain({ sandbox, stack })).toEqual(nothing);

  await declare({ ci: apiKey({ roles: ["ORG_OWNER"] }) });
  await succeeded(stack.up());
  expect(theNewKey(sandbox).roles).toEqual([{ orgId, roleName: "ORG_OWNER" }, inProject]);

  sandbox.setSwitches({ projectRolesOfKey: "drop" });
  await declare({ ci: apiKey({ roles: ["ORG_MEMBER"] }) });
  const { id } = theNewKey(sandbox);
  sandbox.changeKey(publicKey, {
    roles: [...theNewKey(sandbox).roles, { groupId: projectId, roleName: "GROUP_READ_ONLY" }],
  });
  expect(await errorsOf(stack.up())).toContain(
    `After the change of its roles in organization ${orgId}, the service no longer shows these roles of API key ${id} in projects: GROUP_OWNER in ${projectId}, GROUP_READ_ONLY in ${projectId}. Give them again, for example with ProjectApiKey.`,
  );
});

describe("the access list", () => {
  it.each(["refuse", "ignore"] as const)(
    "is compared in one form, and entries are added before others are removed (an entry that exists: %s)",
    async (accessListAgain) => {
      keepDefault("refreshBeforeUpdate", "a plain up corrects what was changed outside Pulumi");
      const spellings = ["192.0.2.7/32", "2001:DB8:0::/32", "198.51.100.0/24"];
      const { sandbox, stack, declare } = await setUpKeys(
        { ci: apiKey({ accessList: spellings }) },
        { accessListAgain },
      );
      await succeeded(stack.up());
      const stored = ["192.0.2.7/32", "198.51.100.0/24", "2001:db8::/32"];
      expect(blocks(sandbox)).toEqual(stored);
      expect(await upAgain({ sandbox, stack })).toEqual(nothing);

      const { publicKey, accessList } = theNewKey(sandbox);
      const created = accessList[0]?.created ?? "";
      sandbox.changeKey(publicKey, { accessList: [...accessList, { cidrBlock: "203.0.113.9/32", created }] });
      expect(changedPaths(await succeeded(stack.preview()), "ci")).toEqual({ "accessList[3]": "delete" });
      await succeeded(stack.up());
      expect(blocks(sandbox)).toEqual(stored);

      await declare({ ci: apiKey({ accessList: ["203.0.113.0/24"] }) });
      sandbox.clearRequests();
      await succeeded(stack.up());
      expect(blocks(sandbox)).toEqual(["203.0.113.0/24"]);
      expect(writes(sandbox).map(({ method }) => method)).toEqual(["POST", "DELETE", "DELETE", "DELETE"]);

      await declare({ ci: apiKey() });
      sandbox.clearRequests();
      await succeeded(stack.up());
      expect(writes(sandbox)).toEqual([]);
      expect(await upAgain({ sandbox, stack })).toEqual(nothing);
    },
  );

  it("gets addresses and blocks by their own names, loses entries without an addition, and is recorded sorted", async () => {
    const entries = ["198.51.100.0/24", "192.0.2.7"];
    const { sandbox, stack, declare } = await setUpKeys({ ci: apiKey({ accessList: entries }) });
    await succeeded(stack.up());
    expect(writes(sandbox).at(-1)?.body).toEqual([
      { ipAddress: "192.0.2.7" },
      { cidrBlock: "198.51.100.0/24" },
    ]);
    await declare({ ci: apiKey({ accessList: ["198.51.100.0/24"] }) });
    sandbox.clearRequests();
    await succeeded(stack.up());
    expect(writes(sandbox).map(({ method }) => method)).toEqual(["DELETE"]);
    const { publicKey, accessList } = theNewKey(sandbox);
    const created = accessList[0]?.created ?? "";
    sandbox.changeKey(publicKey, { accessList: [...accessList, { cidrBlock: "192.0.2.9/32", created }] });
    await succeeded(stack.refresh());
    expect((await stack.resource("ci"))?.outputs?.accessList).toEqual(["192.0.2.9", "198.51.100.0/24"]);
  });

  it("loses no entry while a declared one is missing, and an entry that another program adds first is no fault", async () => {
    const { sandbox, stack, declare } = await setUpKeys(
      { ci: apiKey({ accessList: ["192.0.2.7"] }) },
      { accessListAgain: "refuse" },
    );
    await succeeded(stack.up());
    const { id, publicKey, accessList } = theNewKey(sandbox);
    const created = accessList[0]?.created ?? "";
    const add = () =>
      sandbox.changeKey(publicKey, { accessList: [...accessList, { cidrBlock: "192.0.2.8/32", created }] });
    await declare({ ci: apiKey({ accessList: ["192.0.2.8", "192.0.2.9"] }) });
    await stack.before("POST", /accessList/, add);
    const errors = await errorsOf(stack.up());
    expect(errors).toContain(
      `The access list of API key ${id} was sent as 192.0.2.8, 192.0.2.9, but the service stored 192.0.2.7, 192.0.2.8.`,
    );
    expect(blocks(sandbox)).toEqual(["192.0.2.7/32", "192.0.2.8/32"]);
    await succeeded(stack.up());
    expect(blocks(sandbox)).toEqual(["192.0.2.8/32", "192.0.2.9/32"]);
  });

  it("is imported with its entries, and the program that declares them has no difference", async () => {
    const { sandbox, stack, declare } = await setUpKeys({});
    const created = "2026-01-02T03:04:05Z";
    sandbox.changeKey(theirs.publicKey, { accessList: [{ cidrBlock: "192.0.2.7/32", created }] });
    await succeeded(stack.import(token, "theirs", `${orgId}/${theirs.id}`));
    const inputs = { description: "theirs", roles: ["ORG_READ_ONLY"], accessList: ["192.0.2.7"] };
    expect(await stack.resource("theirs")).toMatchObject({ inputs: { orgId, ...inputs } });
    await declare({ theirs: apiKey(inputs) });
    expect(await upAgain({ sandbox, stack })).toEqual(nothing);
  });

  const unreadable = {
    method: "GET",
    pathPattern: "accessList",
    times: 0,
    fault: {
      status: 403,
      body: { error: 403, reason: "Forbidden", errorCode: "NOT_ALLOWED", detail: "Not for you." },
    },
  };

  it("that cannot be read prevents no other change if ignoreChanges names it, and stays in the state", async () => {
    const accessList = ["192.0.2.7"];
    const options = { ignoreChanges: ["accessList"] };
    const { sandbox, stack, declare } = await setUpKeys({ ci: apiKey({ accessList }, options) });
    await succeeded(stack.up());
    await declare({ ci: apiKey({ accessList: [], description: "renamed" }, options) });
    sandbox.addFault(unreadable);
    await succeeded(stack.up());
    expect(theNewKey(sandbox)).toMatchObject({
      desc: "renamed",
      accessList: [{ cidrBlock: "192.0.2.7/32" }],
    });
    expect((await stack.resource("ci"))?.outputs).toMatchObject({ accessList });
  });

  it("that cannot be written leaves the key and its private key in the state", async () => {
    const { sandbox, stack } = await setUpKeys({ ci: apiKey({ accessList: ["192.0.2.7"] }) });
    const refusal = { error: 400, reason: "Bad Request", errorCode: "BAD", detail: "No." };
    sandbox.addFault({ method: "POST", pathPattern: "accessList$", fault: { status: 400, body: refusal } });
    expect(await errorsOf(stack.up())).toContain("Adding to the access list of API key");
    const { id } = theNewKey(sandbox);
    await succeeded(stack.up());
    expect(theNewKey(sandbox)).toMatchObject({ id, accessList: [{ cidrBlock: "192.0.2.7/32" }] });
  });
});

describe("a creation", () => {
  it("whose response is lost names the key that remains, and a later run creates another one", async () => {
    const { sandbox, stack } = await setUpKeys({ ci: apiKey() });
    sandbox.addFault({ method: "POST", pathPattern: "apiKeys$", fault: "reset-after-write" });
    const errors = await errorsOf(stack.up());
    const { id } = theNewKey(sandbox);
    expect(errors).toContain(`New API keys of organization ${orgId} since then: ${id} ("ci").`);
    expect(errors).toContain(`send DELETE /api/public/v1.0${path}/<key id>`);
    expect(await stack.resource("ci")).toBeUndefined();
    const second = await succeeded(stack.up());
    expect(messagesOf(second)).toContain(`has other API keys with the description "ci": ${id}.`);
    expect(newKeys(sandbox)).toHaveLength(2);
  });

  it("whose response lacks the private key is replaced by the next run", async () => {
    const { sandbox, stack } = await setUpKeys({ ci: apiKey() }, { apiKeyInAnswer: false });
    expect(await errorsOf(stack.up())).toContain("the response did not contain the private key");
    const { id } = theNewKey(sandbox);
    sandbox.setSwitches({ apiKeyInAnswer: true });
    await succeeded(stack.up());
    expect(theNewKey(sandbox).id).not.toBe(id);
  });

  it("whose response lacks the private key is updated, if ignoreChanges names privateKey", async () => {
    const options = { ignoreChanges: ["privateKey"] };
    const { sandbox, stack, declare } = await setUpKeys(
      { ci: apiKey({}, options) },
      { apiKeyInAnswer: false },
    );
    await errorsOf(stack.up());
    await declare({ ci: apiKey({ description: "renamed" }, options) });
    await succeeded(stack.up());
    expect(theNewKey(sandbox).desc).toBe("renamed");
    expect(await upAgain({ sandbox, stack })).toEqual(nothing);
  });

  it("whose response lacks the roles keeps the private key that it contains", async () => {
    const { sandbox, stack } = await setUpKeys({ ci: apiKey() });
    const privateKey = "11111111-2222-4333-8444-0123456789ab";
    const body = { id: "5f00000000000000000000c9", desc: "ci", publicKey: "newkeyab", privateKey };
    sandbox.addFault({ method: "POST", pathPattern: "apiKeys$", fault: { status: 200, body } });
    expect(await errorsOf(stack.up())).toContain("the service stored none");
    expect((await stack.resource("ci"))?.outputs).toHaveProperty("privateKey");
  });
});

const outside = {
  roles: { declared: ["ORG_MEMBER"], change: { roles: [{ orgId, roleName: "ORG_OWNER" }] } },
  description: { declared: "ci", change: { desc: "outside" } },
  accessList: {
    declared: ["192.0.2.7"],
    change: { accessList: [{ cidrBlock: "203.0.113.9/32", created: "2026-01-02T03:04:05Z" }] },
  },
};

it.each(
  (Object.keys(outside) as (keyof typeof outside)[]).flatMap((name) =>
    bothProviders.map((provider) => [name, provider] as const),
  ),
)("%s that changes outside Pulumi stays if ignoreChanges names it (%s)", async (name, provider) => {
  const { declared, change } = outside[name];
  const options = { ignoreChanges: [name] };
  const { sandbox, stack, declare } = await setUpKeys(
    { ci: apiKey({ [name]: declared }, options) },
    { provider },
  );
  await succeeded(stack.up());
  sandbox.changeKey(theNewKey(sandbox).publicKey, change);
  const other = name === "description" ? { roles: ["ORG_READ_ONLY"] } : { description: "renamed" };
  await declare({ ci: apiKey({ [name]: declared, ...other }, options) });
  await succeeded(stack.up());
  expect(theNewKey(sandbox)).toMatchObject(change);
});

it("a key of which only ORG_MEMBER is left is shown with this role in each refresh", async () => {
  const { sandbox, stack } = await setUpKeys({ ci: apiKey({ roles: ["ORG_READ_ONLY"] }) });
  await succeeded(stack.up());
  sandbox.changeKey(theNewKey(sandbox).publicKey, { roles: [{ orgId, roleName: "ORG_MEMBER" }] });
  for (const changes of [{ update: 1 }, { same: 1 }]) {
    expect(await succeeded(stack.refresh())).toMatchObject({ changes });
    expect((await stack.resource("ci"))?.outputs?.roles).toEqual(["ORG_MEMBER"]);
  }
});

it("other triggers create another key before the old one is deleted", async () => {
  const { sandbox, stack, declare } = await setUpKeys({ ci: apiKey() });
  await succeeded(stack.up());
  const { id } = theNewKey(sandbox);
  await declare({ ci: apiKey({ triggers: { renewed: "2026-11" } }) });
  sandbox.clearRequests();
  const run = await succeeded(stack.up());
  expect(messagesOf(run)).toContain(
    `API key ${orgId}/${id} is replaced: the new key has another public and another private key. If this run deletes the old key, programs that still use it are refused. Roles in projects that no ProjectApiKey declares are not given to the new key.`,
  );
  expect(writes(sandbox).map(({ method }) => method)).toEqual(["POST", "DELETE"]);
  expect(theNewKey(sandbox).id).not.toBe(id);
});

it("a preview in which the triggers are not known shows that what uses the key may change", async () => {
  const program = (description: string) => ({
    agents: { type: "AgentApiKey", properties: { projectId, description } },
    ci: apiKey({ triggers: { agents: "${agents.keyId}" } }),
    access: projectApiKey({ keyId: "${ci.keyId}" }),
  });
  const { stack, declare } = await setUpKeys(program("agents"));
  await succeeded(stack.up());
  await declare(program("new agents"));
  const expected = { agents: "replace", ci: "update", access: "update" };
  expect(operations(await succeeded(stack.preview()))).toEqual(expected);
  expect(operations(await succeeded(stack.up()))).toEqual({
    agents: "replace",
    ci: "replace",
    access: "replace",
  });
});

it("a key whose secret was made again is drift, and an update replaces it", async () => {
  const { sandbox, stack } = await setUpKeys({ ci: apiKey() });
  await succeeded(stack.up());
  const { publicKey, id } = theNewKey(sandbox);
  sandbox.changeKey(publicKey, { privateKey: "00000000-0000-4000-8000-00000000beef" });
  const preview = await succeeded(stack.preview({ refresh: true }));
  expect(messagesOf(preview, "warning")).toContain(
    'was regenerated outside Pulumi: its private key ends with "beef"',
  );
  expect(operations(preview)).toEqual({ ci: "replace" });
  await succeeded(stack.up({ refresh: true }));
  expect(theNewKey(sandbox).id).not.toBe(id);
});

it.each(["400", "404"] as const)(
  "a key is deleted only if the service has no such key and the list lacks it (%s API_KEY_NOT_FOUND)",
  async (unknownApiKey) => {
    const { sandbox, stack } = await setUpKeys({ ci: apiKey() }, { unknownApiKey });
    await succeeded(stack.up());
    const { publicKey } = theNewKey(sandbox);
    sandbox.removeKey(publicKey);
    const preview = await succeeded(stack.preview({ refresh: true }));
    expect(operations(preview)).toEqual({ ci: "create" });
    await succeeded(stack.destroy());
    expect(newKeys(sandbox)).toEqual([]);
  },
);

it("a key that cannot be read keeps its state, with a warning, and is not deleted", async () => {
  const { sandbox, stack } = await setUpKeys({ ci: apiKey() });
  await succeeded(stack.up());
  const refusal = { error: 403, reason: "Forbidden", errorCode: "NOT_ALLOWED", detail: "Not for you." };
  sandbox.addFault({
    method: "GET",
    pathPattern: "apiKeys",
    times: 0,
    fault: { status: 403, body: refusal },
  });
  const refresh = await succeeded(stack.refresh());
  const reason = `Listing the API keys of organization ${orgId} failed: 403 NOT_ALLOWED Not for you. The API key ${admin.publicKey} lacks a role for this.`;
  expect(messagesOf(refresh, "warning")).toBe(
    `[unreadable] [organization keys ${orgId}] The API keys of organization ${orgId} cannot be read with these credentials, so the state keeps the last known values: ${reason}`,
  );
  expect(await stack.resource("ci")).toMatchObject({ outputs: { description: "ci" } });
  expect(await errorsOf(stack.destroy())).toBe(reason);
  expect(newKeys(sandbox)).toHaveLength(1);
});

describe("the key of the provider itself", () => {
  const declared = { description: "admin", roles: ["ORG_OWNER"] };

  async function importOwn() {
    const setup = await setUpKeys({ own: apiKey(declared) });
    await succeeded(setup.stack.import(token, "own", `${orgId}/${ownKeyId}`));
    return setup;
  }

  it("is not deleted, demoted or locked out by its access list", async () => {
    const { sandbox, stack, declare } = await importOwn();
    const refusals = [
      [{ roles: ["ORG_READ_ONLY"] }, `keeps ORG_OWNER in organization ${orgId}`],
      [{ accessList: ["192.0.2.7"] }, "keeps its access list"],
    ] as const;
    for (const [change, refusal] of refusals) {
      await declare({ own: apiKey({ ...declared, ...change }) });
      expect(await errorsOf(stack.up())).toContain(
        `API key ${admin.publicKey} ${refusal}: the provider itself authenticates with it`,
      );
    }
    expect(await errorsOf(stack.destroy())).toContain(
      "was not deleted: the provider itself authenticates with it",
    );
    expect(writes(sandbox)).toEqual([]);
    expect(keyWith(sandbox, admin.publicKey).roles).toEqual([{ orgId, roleName: "ORG_OWNER" }]);
  });

  it("is not replaced, because its deletion would then fail in every run", async () => {
    const { sandbox, stack, declare } = await importOwn();
    await declare({ own: apiKey({ ...declared, triggers: { renewed: "2026-11" } }) });
    for (const run of [stack.preview(), stack.up()]) {
      expect(await errorsOf(run)).toContain(
        `API key ${admin.publicKey} was not replaced: the provider itself authenticates with it`,
      );
    }
    expect(writes(sandbox)).toEqual([]);
  });

  it("stays if its secret was made again, and the refresh reports it", async () => {
    const { sandbox, stack } = await setUpKeys({ ci: apiKey({ roles: ["ORG_OWNER"] }) });
    await succeeded(stack.up());
    const { publicKey } = theNewKey(sandbox);
    const privateKey = "00000000-0000-4000-8000-00000000beef";
    sandbox.changeKey(publicKey, { privateKey });
    await stack.setConfig({ publicKey, privateKey });
    sandbox.clearRequests();
    const refresh = await succeeded(stack.refresh());
    expect(messagesOf(refresh, "warning")).toContain("authenticates with it, so it is not replaced");
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect(writes(sandbox)).toEqual([]);
  });

  it("is released by onDestroy, and then another key may replace it", async () => {
    const { sandbox, stack, declare } = await importOwn();
    const released = { ...declared, onDestroy: "release" };
    await declare({ own: apiKey(released) });
    await succeeded(stack.up());
    await declare({ own: apiKey({ ...released, triggers: { renewed: "2026-11" } }) });
    await succeeded(stack.up());
    await succeeded(stack.destroy());
    expect(writes(sandbox).map(({ method }) => method)).toEqual(["POST"]);
    expect(keyWith(sandbox, admin.publicKey)).toBeDefined();
  });
});

it("an import has its id in lower case, no private key, and replaces nothing", async () => {
  const { sandbox, stack, declare } = await setUpKeys({
    theirs: apiKey({ description: "theirs", roles: ["ORG_READ_ONLY"] }),
  });
  const id = `${orgId}/${theirs.id}`;
  const run = await succeeded(stack.import(token, "theirs", id.toUpperCase()));
  expect(messagesOf(run)).toContain("has no output `privateKey`");
  const imported = await stack.resource("theirs");
  expect(imported?.id).toBe(id);
  expect(imported?.outputs).not.toHaveProperty("privateKey");
  expect(await upAgain({ sandbox, stack })).toEqual(nothing);
  await declare({ theirs: apiKey({ description: "renamed", roles: ["ORG_READ_ONLY"] }) });
  expect(operations(await succeeded(stack.up()))).toEqual({ theirs: "update" });
  expect(keyWith(sandbox, theirs.publicKey).desc).toBe("renamed");
});

it("an import of a key that does not exist, or whose list cannot be read, fails, and one by a description names the form", async () => {
  const { sandbox, stack } = await setUpKeys({});
  const importing = (id: string) => stack.import(token, "theirs", id);
  expect((await importing(`${orgId}/5f00000000000000000000cf`)).exitCode).toBe(1);
  expect(await errorsOf(importing(`${orgId}/theirs`))).toContain(
    "does not name an API key: an ApiKey is imported by <orgId>/<keyId>. The function getApiKeys lists the ids of an organization.",
  );
  sandbox.addFault({ method: "GET", pathPattern: "apiKeys", times: 0, fault: { status: 403 } });
  expect(await errorsOf(importing(`${orgId}/${theirs.id}`))).toContain("403");
});

it("a key that was deleted since it was recorded is not updated, and the error says how to create another one", async () => {
  const { sandbox, stack, declare } = await setUpKeys({ ci: apiKey() });
  await stack.setConfig({ refreshBeforeUpdate: false });
  await succeeded(stack.up());
  const { id, publicKey } = theNewKey(sandbox);
  sandbox.removeKey(publicKey);
  await declare({ ci: apiKey({ description: "renamed" }) });
  expect(await errorsOf(stack.up())).toContain(
    `API key ${id} of organization ${orgId} no longer exists. Run pulumi up --refresh --run-program: it creates another key. Nothing was written.`,
  );
  await succeeded(stack.destroy());
});

it("a rejected deletion of a key succeeds only if the key no longer exists", async () => {
  const { sandbox, stack } = await setUpKeys({ ci: apiKey() });
  await succeeded(stack.up());
  const body = { error: 400, reason: "Bad Request", errorCode: "NOT_NOW", detail: "Not now." };
  const reject = (afterWrite: boolean) =>
    sandbox.addFault({ method: "DELETE", pathPattern: "apiKeys", fault: { status: 400, body, afterWrite } });
  reject(false);
  expect(await errorsOf(stack.destroy())).toContain("Not now.");
  expect(newKeys(sandbox)).toHaveLength(1);
  reject(true);
  await succeeded(stack.destroy());
  expect(newKeys(sandbox)).toEqual([]);
});

it("a key stays valid if its resource is released, or if another resource of the program holds it", async () => {
  const { sandbox, stack, declare } = await setUpKeys({});
  for (const name of ["one", "other"]) await succeeded(stack.import(token, name, `${orgId}/${theirs.id}`));
  const declared = { description: "theirs", roles: ["ORG_READ_ONLY"] };
  await declare({ one: apiKey(declared) });
  expect(messagesOf(await succeeded(stack.up()))).toContain(
    `API key ${theirs.id} of organization ${orgId} was kept because`,
  );
  await declare({ one: apiKey({ ...declared, onDestroy: "release" }) });
  await succeeded(stack.up());
  expect(messagesOf(await succeeded(stack.destroy()))).toContain(
    `API key ${theirs.id} of organization ${orgId} was released: it remains valid.`,
  );
  expect(writes(sandbox)).toEqual([]);
});

it("what the service stores other than it was sent fails the creation, and the key is recorded with it", async () => {
  const properties = { accessList: ["192.0.2.7"], roles: ["ORG_MEMBER", "ORG_GROUP_CREATOR"] };
  const { sandbox, stack } = await setUpKeys({ ci: apiKey(properties) });
  const privateKey = "11111111-2222-4333-8444-0123456789ab";
  const { id } = sandbox.addKey({ publicKey: "newkeyab", privateKey, desc: "CI", orgId });
  const roles = [
    { orgId, roleName: "ORG_OWNER" },
    { groupId: projectId, roleName: "GROUP_OWNER" },
    { orgId, roleName: "ORG_READ_ONLY" },
  ];
  const created = { id, desc: "CI", publicKey: "newkeyab", privateKey, roles };
  sandbox.addFault({ method: "POST", pathPattern: "apiKeys$", fault: { status: 200, body: created } });
  const stored = {
    results: [{ cidrBlock: "198.51.100.0/24" }, { ipAddress: "203.0.113.9" }],
    totalCount: 2,
  };
  sandbox.addFault({
    method: "GET",
    pathPattern: "accessList",
    times: 0,
    fault: { status: 200, body: stored },
  });
  expect(await errorsOf(stack.up())).toBe(
    `description was sent as "ci", but the service stored "CI". roles was sent as ORG_GROUP_CREATOR, ORG_MEMBER, but the service stored ORG_OWNER, ORG_READ_ONLY. The access list of API key ${id} was sent as 192.0.2.7, but the service stored 198.51.100.0/24, 203.0.113.9.`,
  );
  expect(await stack.resource("ci")).toMatchObject({
    id: `${orgId}/${id}`,
    outputs: {
      description: "CI",
      roles: ["ORG_OWNER", "ORG_READ_ONLY"],
      accessList: ["198.51.100.0/24", "203.0.113.9"],
    },
  });
});

it("another organization replaces a key, and a list that leaves the program is no longer managed", async () => {
  const { sandbox, stack, declare } = await setUpKeys({ ci: apiKey({ accessList: ["192.0.2.7"] }) });
  await succeeded(stack.up());
  const { id } = theNewKey(sandbox);
  await declare({ ci: apiKey() });
  expect(changedPaths(await succeeded(stack.preview()), "ci")).toEqual({ accessList: "delete" });
  await succeeded(stack.up());
  expect((await stack.resource("ci"))?.outputs).not.toHaveProperty("accessList");
  const other = sandbox.addOrg({ name: "Other" }).id;
  sandbox.changeKey(admin.publicKey, { roles: [{ roleName: "GLOBAL_OWNER" }] });
  await declare({ ci: apiKey({ orgId: other }) });
  expect(operations(await succeeded(stack.up()))).toEqual({ ci: "replace" });
  expect(theNewKey(sandbox)).toMatchObject({ orgId: other });
  expect(theNewKey(sandbox).id).not.toBe(id);
});
