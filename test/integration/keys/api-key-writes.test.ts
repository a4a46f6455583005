/** ApiKey: the requests of a change, what is recorded after a failure, and what the provider's own key may lose. */

import { resourceNamed } from "../../../provider/resources";
import { Session } from "../../../provider/resources/contract/session";
import type { SandboxOptions } from "../../../sandbox";
import { nothing, upAgain } from "../../engine/support/people-program";
import { changedPaths, errorsOf, messagesOf, pathOf, writes } from "../../engine/support/project-program";
import { succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import { clientFactory } from "../client/with-client";
import { refusal } from "../refusal";
import {
  admin,
  apiKey,
  keyWith,
  orgId,
  otherProjectId,
  ownKeyId,
  projectId,
  seed,
  setUpKeys,
  theirs,
  theNewKey,
} from "./keys";

afterEach(tearDownStacks);

const start = clientFactory();

const path = `/orgs/${orgId}/apiKeys`;
const entry = "192.0.2.7";
const stored = (cidrBlock: string) => ({ cidrBlock, created: "2026-01-02T03:04:05Z" });

/** The stack has created the key. */
async function holdKey(properties: object = {}, options: SandboxOptions = {}) {
  const setup = await setUpKeys({ ci: apiKey(properties) }, options);
  const { sandbox, stack, declare } = setup;
  await succeeded(stack.up());
  sandbox.clearRequests();
  const { id, publicKey } = theNewKey(sandbox);
  return {
    ...setup,
    id,
    publicKey,
    ofKey: `${path}/${id}`,
    outputs: async () => (await stack.resource("ci"))?.outputs,
    change: (more: object) => declare({ ci: apiKey({ ...properties, ...more }) }),
  };
}

it("keys of one program with the same description are not reported as keys that a failed run left", async () => {
  const { stack, declare } = await holdKey();
  const after = (name: string) => apiKey({}, { dependsOn: [name] });
  await declare({ ci: apiKey(), two: after("${ci}"), three: after("${two}") });
  expect(messagesOf(await succeeded(stack.up({ refresh: true })))).toBe("");
});

describe("an access list", () => {
  const accessList = [entry];

  it("that the program does not declare is neither read nor recorded", async () => {
    const { sandbox, stack, publicKey, change, outputs } = await holdKey();
    sandbox.changeKey(publicKey, { accessList: [stored("203.0.113.9/32")] });
    await succeeded(stack.refresh());
    await change({ description: "pipeline" });
    await succeeded(stack.up());
    expect(sandbox.requests.filter((request) => pathOf(request).includes("accessList"))).toEqual([]);
    expect(await outputs()).not.toHaveProperty("accessList");
    expect(theNewKey(sandbox).accessList).toMatchObject([{ cidrBlock: "203.0.113.9/32" }]);
  });

  it("that cannot be read by a refresh keeps its entries in the state, with a warning", async () => {
    const { sandbox, stack, publicKey, outputs, id } = await holdKey({ accessList });
    const before = await stack.resource("ci");
    sandbox.changeKey(publicKey, { accessList: [] });
    sandbox.addFault({ method: "GET", pathPattern: "accessList", fault: refusal(403, "NOT_ALLOWED") });
    expect(messagesOf(await succeeded(stack.refresh()), "warning")).toContain(
      `[unreadable] [organization keys ${orgId}] The access list of API key ${id} of organization ${orgId} cannot be read with these credentials, so the state keeps the last known values: `,
    );
    expect(await stack.resource("ci")).toEqual(before);
    await succeeded(stack.refresh());
    expect(await outputs()).toMatchObject({ accessList: [] });
  });

  it.each([
    ["an addition", { accessList: [] }, "POST", { accessList }, `sent as ${entry}`, "none"],
    ["a removal", { accessList }, "DELETE", { accessList: [] }, "sent as empty", entry],
  ])("fails after %s that the service accepts and does not make", async (...given) => {
    const [, before, method, after, sent, now] = given;
    const { sandbox, stack, change, id, outputs } = await holdKey(before);
    sandbox.addFault({ method, pathPattern: "accessList", fault: { status: 200, body: { results: [] } } });
    await change(after);
    expect(await errorsOf(stack.up())).toBe(
      `The access list of API key ${id} was ${sent}, but the service stored ${now}.`,
    );
    expect(await outputs()).toMatchObject(before);
  });

  describe.each([true, false])("that was never read (refreshBeforeUpdate: %s)", (refreshBeforeUpdate) => {
    const theirList = { accessList: [stored("203.0.113.9/32")] };

    it("is no empty one: a program that declares no entries removes those that are there, and the preview names them", async () => {
      const { sandbox, stack, publicKey, change, outputs, id } = await holdKey();
      await stack.setConfig({ refreshBeforeUpdate });
      sandbox.changeKey(publicKey, theirList);
      await change({ accessList: [] });
      const preview = await succeeded(stack.preview());
      expect(changedPaths(preview, "ci")).toEqual({ accessList: "add" });
      expect(messagesOf(preview)).toContain(
        `The access list of API key ${id} has entries that the program does not declare, and loses them: 203.0.113.9.`,
      );
      await succeeded(stack.up());
      expect(theNewKey(sandbox).accessList).toEqual([]);
      expect(await outputs()).toMatchObject({ accessList: [] });
      expect(await upAgain({ sandbox, stack })).toEqual(nothing);
    });

    it("after entries were written is not recorded as empty, and a later program without entries removes them", async () => {
      const { sandbox, stack, declare } = await setUpKeys({ ci: apiKey({ accessList }) });
      await stack.setConfig({ refreshBeforeUpdate });
      await stack.before("POST", /accessList$/, () =>
        sandbox.addFault({ method: "GET", pathPattern: "accessList", times: 0, fault: refusal(403, "NO") }),
      );
      expect(await errorsOf(stack.up())).toContain("403 NO");
      expect(theNewKey(sandbox).accessList).toHaveLength(1);
      expect((await stack.resource("ci"))?.outputs).not.toHaveProperty("accessList");
      sandbox.clearFaults();
      await declare({ ci: apiKey({ accessList: [] }) });
      await succeeded(stack.up());
      expect(theNewKey(sandbox).accessList).toEqual([]);
    });
  });
});

describe("the key of the provider itself", () => {
  const here = "127.0.0.1";
  const owner = { roles: [{ orgId, roleName: "ORG_OWNER" }] };
  const withMember = { roles: [...owner.roles, { orgId, roleName: "ORG_MEMBER" }] };
  const withCreator = { roles: [...withMember.roles, { orgId, roleName: "ORG_GROUP_CREATOR" }] };
  const [alone, two] = [[here], [here, entry]].map((entries) => ({
    accessList: entries.map((address) => stored(`${address}/32`)),
  }));

  async function changeOwn(before: object, change: object) {
    const setup = await setUpKeys({});
    const { sandbox, stack, declare } = setup;
    await succeeded(stack.import("ApiKey", "own", `${orgId}/${ownKeyId}`));
    sandbox.changeKey(admin.publicKey, before);
    await declare({ own: apiKey({ description: "admin", roles: ["ORG_OWNER"], ...change }) });
    return setup;
  }

  it.each<
    [
      string,
      object,
      { readonly description?: string; readonly accessList?: string[]; readonly roles?: string[] },
    ]
  >([
    ["loses an ORG_MEMBER that the program does not declare", withMember, { description: "renamed" }],
    ["gets one more role", owner, { roles: ["ORG_OWNER", "ORG_GROUP_CREATOR"] }],
    ["keeps an access list that the program does not declare", two ?? {}, { description: "renamed" }],
    ["gets one more entry of its access list", alone ?? {}, { accessList: [here, entry] }],
    ["keeps an empty access list", {}, { accessList: [], description: "renamed" }],
  ])("%s", async (_, before, change) => {
    const { sandbox, stack } = await changeOwn(before, change);
    await succeeded(stack.up());
    const { description = "admin", accessList = [] } = change;
    expect(keyWith(sandbox, admin.publicKey).desc).toBe(description);
    const entries = keyWith(sandbox, admin.publicKey).accessList.map(({ cidrBlock }) => cidrBlock);
    expect(entries).toEqual(expect.arrayContaining(accessList.map((address) => `${address}/32`)));
  });

  const otherList = "keeps its access list";
  it.each([
    ["a role", withCreator, {}, `keeps ORG_MEMBER, ORG_GROUP_CREATOR in organization ${orgId}`],
    ["an entry of its access list", two, { accessList: [here] }, otherList],
    ["the access from everywhere", {}, { accessList: [here] }, otherList],
  ])("does not lose %s", async (_, before = {}, change, refused) => {
    const { sandbox, stack } = await changeOwn(before, { description: "renamed", ...change });
    for (const run of [stack.preview(), stack.up()]) {
      expect(await errorsOf(run)).toBe(
        `API key ${admin.publicKey} ${refused}: the provider itself authenticates with it, so later requests would be rejected. Run this change with another key, or revert it in the program. To remove the resource and keep the key, set onDestroy to "release".`,
      );
    }
    expect(writes(sandbox)).toEqual([]);
  });
});

describe("an import of a key", () => {
  const id = `${orgId}/${theirs.id}`;
  const inputs = { orgId, description: "theirs", roles: ["ORG_READ_ONLY"] };
  it("whose access list cannot be read declares none, and names what a declared one would remove", async () => {
    const { sandbox, stack } = await setUpKeys({});
    sandbox.addFault({ method: "GET", pathPattern: "accessList", fault: refusal(403, "NOT_ALLOWED") });
    const run = await succeeded(stack.import("ApiKey", "theirs", id));
    expect(messagesOf(run, "warning")).toBe(
      `The access list of API key ${theirs.id} cannot be read with these credentials, so it is not managed: Listing the access list of API key ${theirs.id} of organization ${orgId} failed: 403 NOT_ALLOWED Not now. The API key ${admin.publicKey} lacks a role for this. Before you declare accessList, look at the list in the service: entries that the program lacks are removed.`,
    );
    expect((await stack.resource("theirs"))?.inputs).toEqual(inputs);
  });
});

it.each([
  [
    "another key",
    admin,
    "The next update creates another key and deletes this one. To keep it, add privateKey to ignoreChanges.",
  ],
  [
    "the provider's own key",
    undefined,
    "The provider itself authenticates with it, so it is not replaced, and the output privateKey stays as it is. To replace it, run pulumi up with another key.",
  ],
])("a refresh names what follows from a secret of %s that was made again", async (_, config, effect) => {
  const { sandbox, stack, id, publicKey } = await holdKey({ roles: ["ORG_OWNER"] });
  const privateKey = "00000000-0000-4000-8000-00000000beef";
  sandbox.changeKey(publicKey, { privateKey });
  await stack.setConfig(config ?? { publicKey, privateKey });
  expect(messagesOf(await succeeded(stack.refresh()))).toBe(
    `API key ${id} of organization ${orgId} was regenerated outside Pulumi: its private key ends with "beef" in the service, but not in the state. ${effect}`,
  );
});

it("a preview of a new key fails if the keys of its organization cannot be read", async () => {
  const { sandbox, stack } = await setUpKeys({ ci: apiKey() });
  sandbox.addFault({ method: "GET", pathPattern: "apiKeys", fault: refusal(403, "NOT_ALLOWED") });
  expect(await errorsOf(stack.preview())).toBe(
    `Listing the API keys of organization ${orgId} failed: 403 NOT_ALLOWED Not now. The API key ${admin.publicKey} lacks a role for this.`,
  );
});

// Pulumi runs both side by side, and ApiKey reported the role as lost by its own change.
it.each(["before", "after"])(
  "a key whose roles in the organization change, %s a ProjectApiKey that ends begins, loses nothing else",
  async (order) => {
    const { sandbox, client, settings } = await start.sandbox({ seed });
    sandbox.addFault({ method: "PATCH", pathPattern: "/orgs/", fault: { delayMs: 100 } });
    const session = new Session(client, settings);
    const contextOf = (type: string) => ({
      session,
      urn: `urn:pulumi:dev::proj::opsmanager:index:${type}::one`,
      log: { info: () => undefined, warn: () => undefined },
      signal: new AbortController().signal,
    });
    const ofOrganization = { orgId, description: theirs.desc, roles: ["ORG_MEMBER"] };
    const ofProject = { projectId, keyId: theirs.id, roles: ["GROUP_READ_ONLY"] };
    const facts = { publicKey: theirs.publicKey, orgId, origin: "created" };
    const running = [
      () =>
        resourceNamed("ApiKey").update?.({
          ...{ id: `${orgId}/${theirs.id}`, preview: false, context: contextOf("ApiKey"), ignoreChanges: [] },
          ...{ inputs: ofOrganization, oldInputs: ofOrganization },
          state: { ...ofOrganization, ...facts, keyId: theirs.id, onDestroy: "delete" },
        }),
      () =>
        resourceNamed("ProjectApiKey").delete({
          ...{ id: `${projectId}/${theirs.id}`, context: contextOf("ProjectApiKey"), oldInputs: ofProject },
          state: { ...ofProject, ...facts, onDestroy: "remove" },
        }),
    ];
    await Promise.all((order === "before" ? running : running.reverse()).map((run) => run()));
    const { roles } = keyWith(sandbox, theirs.publicKey);
    expect(roles).toEqual([
      { orgId, roleName: "ORG_MEMBER" },
      { groupId: otherProjectId, roleName: "GROUP_OWNER" },
    ]);
  },
);
