/** ApiKey: a programmatic API key of an organization, from its creation to its deletion. */

import { nothing, upAgain } from "../../engine/support/people-program";
import {
  bothProviders,
  changedPaths,
  errorsOf,
  messagesOf,
  operations,
  pathOf,
  writes,
} from "../../engine/support/project-program";
import { connectPlugin } from "../../proof/plugin-connection";
import { keepDefault, succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import { refusal } from "../refusal";
import {
  admin,
  apiKey,
  entryOf,
  holdKey,
  keyWith,
  newKeys,
  orgId,
  otherProjectId,
  ownKeyId,
  projectId,
  setUpKeys,
  theirs,
  theNewKey,
} from "./keys";

afterEach(tearDownStacks);

const token = "opsmanager:index:ApiKey";
const path = `/orgs/${orgId}/apiKeys`;
const ofOrganization = (...names: string[]) => names.map((roleName) => ({ orgId, roleName }));
const notAllowed = refusal(403, "NOT_ALLOWED");
const unreadableKeys = { method: "GET", pathPattern: "apiKeys", times: 0, fault: notAllowed };
const unreadableList = { method: "GET", pathPattern: "accessList", times: 0, fault: notAllowed };
const privateKey = "00000000-0000-4000-8000-00000000beef";

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

    sandbox.changeKey(publicKey, { desc: "changed", roles: ofOrganization("ORG_OWNER") });
    await succeeded(stack.up());
    expect(theNewKey(sandbox)).toMatchObject({ desc: "ci", roles: ofOrganization("ORG_MEMBER") });
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
  const { sandbox, stack, id, publicKey, change } = await holdKey(
    { roles: ["ORG_READ_ONLY"] },
    { orgMemberOfKeys: true },
  );
  const inProject = { groupId: projectId, roleName: "GROUP_OWNER" };
  sandbox.changeKey(publicKey, { roles: [...ofOrganization("ORG_READ_ONLY"), inProject] });
  expect(await upAgain({ sandbox, stack })).toEqual(nothing);
  await change({ roles: ["ORG_OWNER"] });
  await succeeded(stack.up());
  expect(theNewKey(sandbox).roles).toEqual([...ofOrganization("ORG_OWNER"), inProject]);
  // A response that shows the roles of the organization alone proves no loss.
  await stack.before("PATCH", /apiKeys/, () => {
    const roles = ofOrganization("ORG_GROUP_CREATOR");
    sandbox.changeKey(publicKey, { roles: [...roles, inProject] });
    const body = { id, publicKey, desc: "ci", roles };
    sandbox.addFault({ method: "PATCH", pathPattern: "/orgs/.*apiKeys", fault: { status: 200, body } });
  });
  await change({ roles: ["ORG_GROUP_CREATOR"] });
  await succeeded(stack.up());

  sandbox.setSwitches({ projectRolesOfKey: "drop" });
  await change({ roles: ["ORG_MEMBER"] });
  expect(await errorsOf(stack.up())).toContain(
    `API key ${id} lost roles in projects when its roles in organization ${orgId} changed: GROUP_OWNER in ${projectId}. Give them again, for example with ProjectApiKey.`,
  );
});

// Pulumi runs both side by side, and ApiKey reported the role as lost by its own change.
it.each(["ApiKey", "ProjectApiKey"])(
  "a key whose roles in the organization change beside a ProjectApiKey that ends loses nothing else (%s first)",
  async (first) => {
    const { sandbox } = await setUpKeys({});
    sandbox.addFault({ method: "PATCH", pathPattern: "/orgs/", fault: { delayMs: 100 } });
    const connection = await connectPlugin({ baseUrl: sandbox.baseUrl, ...admin }, () => {});
    const state = { initErrors: [], refreshBeforeUpdate: false, dependencies: [], name: "one" };
    const facts = { publicKey: theirs.publicKey, keyId: theirs.id, orgId, origin: "created" };
    const inOrganization = { orgId, description: theirs.desc, roles: ["ORG_MEMBER"] };
    const inProject = { projectId, keyId: theirs.id, roles: ["GROUP_READ_ONLY"] };
    const running = {
      ApiKey: () => {
        const outputs = { ...inOrganization, ...facts, onDestroy: "delete" };
        const resource = {
          type: "ApiKey",
          id: `${orgId}/${theirs.id}`,
          inputs: inOrganization,
          outputs,
        } as const;
        return connection.update({ ...state, ...resource }, inOrganization, false);
      },
      ProjectApiKey: () => {
        const outputs = { ...inProject, ...facts, onDestroy: "remove" };
        const resource = {
          type: "ProjectApiKey",
          id: `${projectId}/${theirs.id}`,
          inputs: inProject,
          outputs,
        } as const;
        return connection.delete({ ...state, ...resource });
      },
    };
    const both = Object.entries(running).sort(([one]) => (one === first ? -1 : 1));
    await Promise.all(both.map(([, run]) => run()));
    await connection.close();
    expect(keyWith(sandbox, theirs.publicKey).roles).toEqual([
      ...ofOrganization("ORG_MEMBER"),
      { groupId: otherProjectId, roleName: "GROUP_OWNER" },
    ]);
  },
);

describe("an access list", () => {
  const entry = "192.0.2.7";
  const [here, theirEntry] = [entryOf(`${entry}/32`), entryOf("203.0.113.9/32")];
  const blocks = (sandbox: Parameters<typeof theNewKey>[0]) =>
    theNewKey(sandbox)
      .accessList.map(({ cidrBlock }) => cidrBlock)
      .sort();

  it("is compared in one form, and entries are added before others are removed", async () => {
    keepDefault("refreshBeforeUpdate", "a plain up corrects what was changed outside Pulumi");
    const spellings = [`${entry}/32`, "2001:DB8:0::/32", "198.51.100.0/24"];
    const { sandbox, stack, declare } = await setUpKeys({ ci: apiKey({ accessList: spellings }) });
    await succeeded(stack.up());
    // Addresses and blocks have names of their own.
    expect(writes(sandbox).at(-1)?.body).toEqual([
      { ipAddress: entry },
      { cidrBlock: "198.51.100.0/24" },
      { cidrBlock: "2001:db8::/32" },
    ]);
    const stored = [`${entry}/32`, "198.51.100.0/24", "2001:db8::/32"];
    expect(blocks(sandbox)).toEqual(stored);
    expect(await upAgain({ sandbox, stack })).toEqual(nothing);

    const { publicKey, accessList } = theNewKey(sandbox);
    sandbox.changeKey(publicKey, { accessList: [...accessList, theirEntry] });
    expect(changedPaths(await succeeded(stack.preview()), "ci")).toEqual({ "accessList[3]": "delete" });
    await succeeded(stack.up());
    expect(blocks(sandbox)).toEqual(stored);

    await declare({ ci: apiKey({ accessList: ["203.0.113.0/24"] }) });
    sandbox.clearRequests();
    await succeeded(stack.up());
    expect(blocks(sandbox)).toEqual(["203.0.113.0/24"]);
    expect(writes(sandbox).map(({ method }) => method)).toEqual(["POST", "DELETE", "DELETE", "DELETE"]);
    await declare({ ci: apiKey() });
    expect((await upAgain({ sandbox, stack })).writes).toEqual([]);
    expect((await stack.resource("ci"))?.outputs).not.toHaveProperty("accessList");
  });

  it("that the program does not declare is neither read nor recorded", async () => {
    const { sandbox, stack, publicKey, change, outputs } = await holdKey();
    sandbox.changeKey(publicKey, { accessList: [theirEntry] });
    await succeeded(stack.refresh());
    await change({ description: "pipeline" });
    await succeeded(stack.up());
    expect(sandbox.requests.filter((request) => pathOf(request).includes("accessList"))).toEqual([]);
    expect(await outputs()).not.toHaveProperty("accessList");
    expect(theNewKey(sandbox).accessList).toEqual([theirEntry]);
  });

  it("loses no entry while a declared one is missing, and an entry that another program adds first is no fault", async () => {
    const { sandbox, stack, id, publicKey, change } = await holdKey(
      { accessList: [entry] },
      { accessListAgain: "refuse" },
    );
    await change({ accessList: ["192.0.2.8", "192.0.2.9"] });
    await stack.before("POST", /accessList/, () =>
      sandbox.changeKey(publicKey, { accessList: [here, entryOf("192.0.2.8/32")] }),
    );
    expect(await errorsOf(stack.up())).toContain(
      `The service stored the access list of API key ${id} as 192.0.2.7, 192.0.2.8 instead of 192.0.2.8, 192.0.2.9.`,
    );
    expect(blocks(sandbox)).toEqual(["192.0.2.7/32", "192.0.2.8/32"]);
    await succeeded(stack.up());
    expect(blocks(sandbox)).toEqual(["192.0.2.8/32", "192.0.2.9/32"]);
  });

  it("that cannot be read stays in the state, with a warning, and prevents no other change if ignoreChanges names it", async () => {
    const { sandbox, stack, id, publicKey, outputs, change } = await holdKey(
      { accessList: [entry] },
      { options: { ignoreChanges: ["accessList"] } },
    );
    const before = await stack.resource("ci");
    sandbox.changeKey(publicKey, { accessList: [] });
    sandbox.addFault(unreadableList);
    expect(messagesOf(await succeeded(stack.refresh()), "warning")).toContain(
      `[unreadable] [organization keys ${orgId}] The access list of API key ${id} of organization ${orgId} cannot be read with these credentials, so the state keeps the last known values: `,
    );
    expect(await stack.resource("ci")).toEqual(before);
    await change({ accessList: [], description: "renamed" });
    await succeeded(stack.up());
    expect(theNewKey(sandbox).desc).toBe("renamed");
    expect(await outputs()).toMatchObject({ accessList: [entry] });
    sandbox.clearFaults();
    await succeeded(stack.refresh());
    expect(await outputs()).toMatchObject({ accessList: [] });
  });

  it.each([
    { change: "an addition", before: [], method: "POST", after: [entry], sent: entry, stored: "none" },
    { change: "a removal", before: [entry], method: "DELETE", after: [], sent: "empty", stored: entry },
  ])(
    "fails after $change that the service accepts and does not make",
    async ({ before, method, after, sent, stored }) => {
      const { sandbox, stack, change, id, outputs } = await holdKey({ accessList: before });
      sandbox.addFault({ method, pathPattern: "accessList", fault: { status: 200, body: { results: [] } } });
      await change({ accessList: after });
      expect(await errorsOf(stack.up())).toBe(
        `The service stored the access list of API key ${id} as ${stored} instead of ${sent}.`,
      );
      expect(await outputs()).toMatchObject({ accessList: before });
    },
  );

  describe.each([true, false])("that was never read (refreshBeforeUpdate: %s)", (refreshBeforeUpdate) => {
    const config = { refreshBeforeUpdate };

    it("is no empty one: a program that declares no entries removes those that are there, and the preview names them", async () => {
      const { sandbox, stack, publicKey, change, outputs, id } = await holdKey();
      await stack.setConfig(config);
      sandbox.changeKey(publicKey, { accessList: [theirEntry] });
      await change({ accessList: [] });
      const preview = await succeeded(stack.preview());
      expect(changedPaths(preview, "ci")).toEqual({ accessList: "add" });
      expect(messagesOf(preview)).toContain(
        `The access list of API key ${id} loses entries that the program does not declare: 203.0.113.9.`,
      );
      await succeeded(stack.up());
      expect(theNewKey(sandbox).accessList).toEqual([]);
      expect(await outputs()).toMatchObject({ accessList: [] });
      expect(await upAgain({ sandbox, stack })).toEqual(nothing);
    });

    it("after entries were written is not recorded as empty, and a later program without entries removes them", async () => {
      const { sandbox, stack, declare } = await setUpKeys({ ci: apiKey({ accessList: [entry] }) });
      await stack.setConfig(config);
      await stack.before("POST", /accessList$/, () => sandbox.addFault(unreadableList));
      expect(await errorsOf(stack.up())).toContain("403 NOT_ALLOWED");
      const { id, accessList } = theNewKey(sandbox);
      expect(accessList).toHaveLength(1);
      const recorded = (await stack.resource("ci"))?.outputs;
      expect(recorded).toHaveProperty("privateKey");
      expect(recorded).not.toHaveProperty("accessList");
      sandbox.clearFaults();
      await declare({ ci: apiKey({ accessList: [] }) });
      await succeeded(stack.up());
      expect(theNewKey(sandbox)).toMatchObject({ id, accessList: [] });
    });
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
    expect(messagesOf(await succeeded(stack.up()))).toContain(
      `has other API keys with the description "ci": ${id}.`,
    );
    expect(newKeys(sandbox)).toHaveLength(2);
  });

  it.each([
    { title: "replaced by the next run", ignoreChanges: [], isReplaced: true },
    { title: "updated, if ignoreChanges names privateKey", ignoreChanges: ["privateKey"], isReplaced: false },
  ])("whose response lacks the private key is $title", async ({ ignoreChanges, isReplaced }) => {
    const options = { ignoreChanges };
    const { sandbox, stack, declare } = await setUpKeys(
      { ci: apiKey({}, options) },
      { apiKeyInAnswer: false },
    );
    expect(await errorsOf(stack.up())).toContain("the response did not contain the private key");
    const { id } = theNewKey(sandbox);
    sandbox.setSwitches({ apiKeyInAnswer: true });
    await declare({ ci: apiKey({ description: "renamed" }, options) });
    await succeeded(stack.up());
    expect(theNewKey(sandbox).desc).toBe("renamed");
    expect(theNewKey(sandbox).id === id).toBe(!isReplaced);
    expect(await upAgain({ sandbox, stack })).toEqual(nothing);
  });

  it("of which the service stores something else fails, and the key is recorded with that and its private key", async () => {
    const roles = ["ORG_MEMBER", "ORG_GROUP_CREATOR"];
    const { sandbox, stack } = await setUpKeys({ ci: apiKey({ roles }) });
    const shown = "11111111-2222-4333-8444-0123456789ab";
    const stored = {
      publicKey: "newkeyab",
      privateKey: shown,
      desc: "CI",
      roles: ofOrganization("ORG_OWNER"),
    };
    const { id } = sandbox.addKey({ ...stored, orgId });
    sandbox.addFault({ method: "POST", pathPattern: "$", fault: { status: 200, body: { id, ...stored } } });
    expect(await errorsOf(stack.up())).toBe(
      'The service stored description as "CI" instead of "ci". The service stored roles as ORG_OWNER instead of ORG_GROUP_CREATOR, ORG_MEMBER.',
    );
    const recorded = await stack.resource("ci");
    expect(recorded).toMatchObject({ id: `${orgId}/${id}`, outputs: { description: "CI" } });
    expect(recorded?.outputs).toHaveProperty("privateKey");
  });

  it("of keys with the same description in one program reports none that a failed run left", async () => {
    const { stack, declare } = await holdKey();
    const following = (name: string) => apiKey({}, { dependsOn: [name] });
    await declare({ ci: apiKey(), two: following("${ci}"), three: following("${two}") });
    expect(messagesOf(await succeeded(stack.up({ refresh: true })))).toBe("");
  });
});

it.each(bothProviders)(
  "what changes outside Pulumi stays if ignoreChanges names it (%s)",
  async (provider) => {
    const roles = { roles: ofOrganization("ORG_OWNER") };
    const accessList = { accessList: [entryOf("203.0.113.9/32")] };
    const cases = [
      {
        ignoreChanges: ["roles", "accessList"],
        live: { ...roles, ...accessList },
        changed: { description: "new" },
      },
      { ignoreChanges: ["description"], live: { desc: "outside" }, changed: { roles: ["ORG_READ_ONLY"] } },
    ];
    for (const { ignoreChanges, live, changed } of cases) {
      const { sandbox, stack, publicKey, change } = await holdKey(
        { accessList: ["192.0.2.7"] },
        { provider, options: { ignoreChanges } },
      );
      sandbox.changeKey(publicKey, live);
      await change(changed);
      await succeeded(stack.up());
      expect(theNewKey(sandbox)).toMatchObject(live);
    }
  },
);

it("an update names roles that changed since they were recorded, unless the service only added ORG_MEMBER", async () => {
  const { sandbox, stack, declare } = await setUpKeys({ ci: apiKey({ roles: ["ORG_READ_ONLY"] }) });
  await stack.setConfig({ refreshBeforeUpdate: false });
  await succeeded(stack.up());
  const { id, publicKey } = theNewKey(sandbox);
  await declare({ ci: apiKey({ roles: ["ORG_GROUP_CREATOR", "ORG_MEMBER"] }) });
  sandbox.changeKey(publicKey, { roles: ofOrganization("ORG_MEMBER", "ORG_READ_ONLY") });
  expect(messagesOf(await succeeded(stack.preview()))).toBe("");
  sandbox.changeKey(publicKey, { roles: ofOrganization("ORG_OWNER") });
  for (const verb of ["preview", "up"] as const)
    expect(messagesOf(await succeeded(stack[verb]()))).toBe(
      `Roles of API key ${id} changed in the service since they were recorded: ORG_OWNER become ORG_GROUP_CREATOR, ORG_MEMBER.`,
    );
});

it("a key of which only ORG_MEMBER is left is shown with this role in each refresh", async () => {
  const { sandbox, stack, publicKey, outputs } = await holdKey({ roles: ["ORG_READ_ONLY"] });
  sandbox.changeKey(publicKey, { roles: ofOrganization("ORG_MEMBER") });
  for (const changes of [{ update: 1 }, { same: 1 }]) {
    expect(await succeeded(stack.refresh())).toMatchObject({ changes });
    expect((await outputs())?.roles).toEqual(["ORG_MEMBER"]);
  }
});

it("other triggers create another key before the old one is deleted", async () => {
  const { sandbox, stack, id, change } = await holdKey();
  await change({ triggers: { renewed: "2026-11" } });
  expect(messagesOf(await succeeded(stack.up()))).toContain(
    `API key ${orgId}/${id} is replaced: the new key has another public and another private key. If this run deletes the old key, programs that still use it are refused. Roles in projects that no ProjectApiKey declares are not given to the new key.`,
  );
  expect(writes(sandbox).map(({ method }) => method)).toEqual(["POST", "DELETE"]);
  expect(theNewKey(sandbox).id).not.toBe(id);
});

it.each([
  {
    whose: "another key, which an update replaces",
    isOwn: false,
    effect:
      "The next update creates another key and deletes this one. To keep it, add privateKey to ignoreChanges.",
  },
  {
    whose: "the provider's own key, which stays",
    isOwn: true,
    effect:
      "The provider itself authenticates with it, so it is not replaced, and the output privateKey stays as it is. To replace it, run pulumi up with another key.",
  },
])("a refresh reports a secret that was made again, of $whose", async ({ isOwn, effect }) => {
  const { sandbox, stack, id, publicKey } = await holdKey({ roles: ["ORG_OWNER"] });
  sandbox.changeKey(publicKey, { privateKey });
  if (isOwn) await stack.setConfig({ publicKey, privateKey });
  expect(messagesOf(await succeeded(stack.refresh()))).toBe(
    `API key ${id} of organization ${orgId} was regenerated outside Pulumi: its private key ends with "beef" in the service, but not in the state. ${effect}`,
  );
  expect(operations(await succeeded(stack.up()))).toEqual({ ci: isOwn ? "same" : "replace" });
  expect(theNewKey(sandbox).id === id).toBe(isOwn);
});

it.each(["400", "404"] as const)(
  "a key that the service does not have (%s API_KEY_NOT_FOUND), and whose list lacks it, was deleted",
  async (unknownApiKey) => {
    const { sandbox, stack, declare } = await setUpKeys({ ci: apiKey() }, { unknownApiKey });
    await stack.setConfig({ refreshBeforeUpdate: false });
    await succeeded(stack.up());
    const { id, publicKey } = theNewKey(sandbox);
    sandbox.removeKey(publicKey);
    const preview = await succeeded(stack.preview({ refresh: true }));
    expect(operations(preview)).toEqual({ ci: "create" });
    expect(messagesOf(preview, "warning")).toBe(
      `API key ${id} ("ci") of organization ${orgId} was deleted outside Pulumi. If the program still declares it, pulumi up creates another key. That key has another secret, so everything that uses the output \`privateKey\` changes.`,
    );
    await declare({ ci: apiKey({ description: "renamed" }) });
    expect(await errorsOf(stack.up())).toContain(
      `API key ${id} of organization ${orgId} no longer exists. Run pulumi up --refresh --run-program: it creates another key. Nothing was written.`,
    );
    await succeeded(stack.destroy());
    expect(newKeys(sandbox)).toEqual([]);
  },
);

it("a key that cannot be read keeps its state, with a warning, is not deleted, and no other one can be previewed", async () => {
  const { sandbox, stack, declare, outputs } = await holdKey();
  sandbox.addFault(unreadableKeys);
  const reason = `Listing the API keys of organization ${orgId} failed: 403 NOT_ALLOWED Not now. The API key ${admin.publicKey} lacks a role for this.`;
  expect(messagesOf(await succeeded(stack.refresh()), "warning")).toBe(
    `[unreadable] [organization keys ${orgId}] The API keys of organization ${orgId} cannot be read with these credentials, so the state keeps the last known values: ${reason}`,
  );
  expect(await outputs()).toMatchObject({ description: "ci" });
  expect(await errorsOf(stack.destroy())).toBe(reason);
  await declare({ ci: apiKey(), other: apiKey({ description: "other" }) });
  expect(await errorsOf(stack.preview())).toBe(reason);
  expect(newKeys(sandbox)).toHaveLength(1);
});

describe("the key of the provider itself", () => {
  const declared = { description: "admin", roles: ["ORG_OWNER"] };
  const owner = { roles: ofOrganization("ORG_OWNER") };
  const [here, other] = ["127.0.0.1", "192.0.2.7"];
  const withList = (...entries: string[]) => ({ accessList: entries.map((each) => entryOf(`${each}/32`)) });

  /** @param before what the service has; the import recorded the key of the seed */
  async function changeOwn(change: object, before: object = owner) {
    const setup = await setUpKeys({});
    const { sandbox, stack, declare } = setup;
    await succeeded(stack.import(token, "own", `${orgId}/${ownKeyId}`));
    sandbox.changeKey(admin.publicKey, before);
    await declare({ own: apiKey({ ...declared, ...change }) });
    return setup;
  }

  it.each([
    {
      title: "may have an ORG_MEMBER that the program does not declare",
      before: { roles: ofOrganization("ORG_OWNER", "ORG_MEMBER") },
      change: { description: "renamed" },
      after: { desc: "renamed" },
    },
    {
      title: "gets one more role",
      before: owner,
      change: { roles: ["ORG_OWNER", "ORG_GROUP_CREATOR"] },
      after: { roles: expect.arrayContaining(ofOrganization("ORG_GROUP_CREATOR")) },
    },
    {
      title: "keeps an access list that the program does not declare",
      before: withList(here, other),
      change: { description: "renamed" },
      after: { desc: "renamed", ...withList(here, other) },
    },
    {
      title: "gets one more entry of its access list",
      before: withList(here),
      change: { accessList: [here, other] },
      after: { accessList: [{ cidrBlock: `${here}/32` }, { cidrBlock: `${other}/32` }] },
    },
    {
      title: "keeps an empty access list",
      before: {},
      change: { accessList: [], description: "renamed" },
      after: { desc: "renamed", accessList: [] },
    },
  ])("$title", async ({ before, change, after }) => {
    const { sandbox, stack } = await changeOwn(change, before);
    await succeeded(stack.up());
    expect(keyWith(sandbox, admin.publicKey)).toMatchObject(after);
  });

  const reason =
    'the provider itself authenticates with it, so later requests would be rejected. Run this change with another key, or revert it in the program. To remove the resource and keep the key, set onDestroy to "release".';
  it.each([
    {
      title: "a role",
      before: { roles: ofOrganization("ORG_OWNER", "ORG_MEMBER", "ORG_GROUP_CREATOR") },
      change: { description: "renamed" },
      refused: `keeps ORG_MEMBER, ORG_GROUP_CREATOR in organization ${orgId}: ${reason}`,
    },
    {
      title: "its owning role",
      before: owner,
      change: { roles: ["ORG_READ_ONLY"] },
      refused: `keeps ORG_OWNER in organization ${orgId}: ${reason}`,
    },
    {
      title: "an entry of its access list",
      before: withList(here, other),
      change: { accessList: [here] },
      refused: `keeps its access list: ${reason}`,
    },
    {
      title: "the access from everywhere",
      before: {},
      change: { accessList: [here] },
      refused: `keeps its access list: ${reason}`,
    },
    // Its deletion would then fail in every run.
    {
      title: "itself to a replacement",
      before: {},
      change: { triggers: { renewed: "2026-11" } },
      refused: "was not replaced: the provider itself authenticates with it",
    },
  ])("does not lose $title", async ({ before, change, refused }) => {
    const { sandbox, stack } = await changeOwn(change, before);
    for (const verb of ["preview", "up"] as const)
      expect(await errorsOf(stack[verb]())).toContain(`API key ${admin.publicKey} ${refused}`);
    expect(writes(sandbox)).toEqual([]);
  });

  it("is not deleted, is released by onDestroy, and then another key may replace it", async () => {
    const { sandbox, stack, declare } = await changeOwn({});
    expect(await errorsOf(stack.destroy())).toContain(
      "was not deleted: the provider itself authenticates with it",
    );
    for (const triggers of [undefined, { renewed: "2026-11" }]) {
      await declare({ own: apiKey({ ...declared, triggers, onDestroy: "release" }) });
      await succeeded(stack.up());
    }
    await succeeded(stack.destroy());
    expect(writes(sandbox).map(({ method }) => method)).toEqual(["POST"]);
    expect(keyWith(sandbox, admin.publicKey)).toBeDefined();
  });
});

describe("an import of a key", () => {
  const id = `${orgId}/${theirs.id}`;
  const inputs = { description: "theirs", roles: ["ORG_READ_ONLY"] };

  it("records its id in lower case, its access list and no private key, and replaces nothing", async () => {
    const { sandbox, stack, declare } = await setUpKeys({});
    sandbox.changeKey(theirs.publicKey, { accessList: [entryOf("192.0.2.7/32")] });
    const run = await succeeded(stack.import(token, "theirs", id.toUpperCase()));
    expect(messagesOf(run)).toContain("has no output `privateKey`");
    const imported = await stack.resource("theirs");
    const withEntries = { ...inputs, accessList: ["192.0.2.7"] };
    expect(imported).toMatchObject({ id, inputs: { orgId, ...withEntries } });
    expect(imported?.outputs).not.toHaveProperty("privateKey");
    await declare({ theirs: apiKey(withEntries) });
    expect(await upAgain({ sandbox, stack })).toEqual(nothing);
    await declare({ theirs: apiKey({ ...withEntries, description: "renamed" }) });
    expect(operations(await succeeded(stack.up()))).toEqual({ theirs: "update" });
    expect(keyWith(sandbox, theirs.publicKey).desc).toBe("renamed");
  });

  it("whose access list cannot be read declares none, and names what a declared one would remove", async () => {
    const { sandbox, stack } = await setUpKeys({});
    sandbox.addFault(unreadableList);
    const run = await succeeded(stack.import(token, "theirs", id));
    expect(messagesOf(run, "warning")).toBe(
      `The access list of API key ${theirs.id} cannot be read with these credentials, so it is not managed: Listing the access list of API key ${theirs.id} of organization ${orgId} failed: 403 NOT_ALLOWED Not now. The API key ${admin.publicKey} lacks a role for this. Before you declare accessList, look at the list in the service: entries that the program lacks are removed.`,
    );
    expect((await stack.resource("theirs"))?.inputs).toEqual({ orgId, ...inputs });
  });

  it("that does not exist, or whose list cannot be read, fails, and one by a description names the form", async () => {
    const { sandbox, stack } = await setUpKeys({});
    const importing = (text: string) => stack.import(token, "theirs", text);
    expect((await importing(`${orgId}/5f00000000000000000000cf`)).exitCode).toBe(1);
    expect(await errorsOf(importing(`${orgId}/theirs`))).toContain(
      "does not name an API key: an ApiKey is imported by <orgId>/<keyId>. The function getApiKeys lists the ids of an organization.",
    );
    sandbox.addFault(unreadableKeys);
    expect(await errorsOf(importing(id))).toContain("403");
  });

  it("stays valid if its resource is released, or if another resource of the program holds it", async () => {
    const { sandbox, stack, declare } = await setUpKeys({});
    for (const name of ["one", "other"]) await succeeded(stack.import(token, name, id));
    await declare({ one: apiKey(inputs), other: apiKey(inputs) });
    expect(await errorsOf(stack.up())).toContain(
      `API key ${theirs.id} of organization ${orgId} is already declared by`,
    );
    await declare({ one: apiKey(inputs) });
    expect(messagesOf(await succeeded(stack.up()))).toContain(
      `API key ${theirs.id} of organization ${orgId} was kept because`,
    );
    await declare({ one: apiKey({ ...inputs, onDestroy: "release" }) });
    await succeeded(stack.up());
    expect(messagesOf(await succeeded(stack.destroy()))).toContain(
      `API key ${theirs.id} of organization ${orgId} was released: it remains valid.`,
    );
    expect(writes(sandbox)).toEqual([]);
  });
});
