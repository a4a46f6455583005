/** Tags that others own (`ignoreTags`), and tags that the API key may not see. */
import { ROLE_TO_SEE_TAGS } from "../../../provider/api/hints";
import type { Sandbox, SandboxOptions } from "../../../sandbox";
import { nothing, upAgain } from "../../engine/support/people-program";
import {
  bothProviders,
  changedPaths,
  errorsOf,
  messagesOf,
  writes,
} from "../../engine/support/project-program";
import { connection } from "../../engine/support/stack-setup";
import { keepDefault, succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import { holdAdopted, holdPayments, idOfPayments, startAdoption, startPayments } from "./payments";

afterEach(tearDownStacks);

const ignoreTags = ["BILL?", "cost-*"];

it("tags that ignoreTags leaves to others are preserved by every write and are no drift", async () => {
  const { sandbox, stack, id, outputs, declare } = await holdAdopted(
    { tags: ["PROD"], ignoreTags },
    { sandbox: { seed: { projects: [{ name: "payments", tags: ["BILL1", "OLD", "cost-42"] }] } } },
  );
  expect(sandbox.project(id)?.tags).toEqual(["BILL1", "PROD", "cost-42"]);
  expect(await outputs()).toMatchObject({ tags: ["PROD"], ignoreTags });
  sandbox.changeProject(id, { tags: ["BILL2", "PROD", "cost-43", "cost-44"] });
  expect(await upAgain({ sandbox, stack })).toEqual(nothing);
  await declare({ projectId: id, tags: [], ignoreTags });
  await succeeded(stack.up());
  expect(sandbox.project(id)?.tags).toEqual(["BILL2", "cost-43", "cost-44"]);
});

it.each([
  { provider: "plugin", shown: { "tags[1]": "delete" } },
  { provider: "dynamic", shown: {} },
] as const)(
  "tags that ignoreTags leaves to others remain until the update after their pattern is removed: no request is sent for new patterns, and the next preview shows the difference ($provider)",
  async ({ provider, shown }) => {
    const { sandbox, stack, id, declare } = await holdAdopted(
      { tags: ["PROD"], ignoreTags },
      { provider, sandbox: { seed: { projects: [{ name: "payments", tags: ["PROD", "cost-42"] }] } } },
    );
    for (const patterns of [{ ignoreTags: ["cost-*"] }, {}]) {
      await declare({ projectId: id, tags: ["PROD"], ...patterns });
      expect((await succeeded(stack.up())).changes).toEqual({ update: 1 });
    }
    expect(writes(sandbox)).toEqual([]);
    expect(sandbox.project(id)?.tags).toEqual(["PROD", "cost-42"]);
    const preview = await succeeded(stack.preview());
    expect([preview.changes, changedPaths(preview)]).toEqual([{ update: 1 }, shown]);
    await succeeded(stack.up());
    expect(sandbox.project(id)?.tags).toEqual(["PROD"]);
  },
);

/** As an older page of the documentation specifies: without a global role tags are taken, and shown in no response. */
const hiddenTags: SandboxOptions = { tagsWithoutGlobalRole: "hide" };
const areNotShown = `The service accepted the tags but shows none to these credentials: the declared tags are recorded, and drift of tags is not detected. Seeing tags requires ${ROLE_TO_SEE_TAGS}.`;
const withoutGlobalRole = ({ orgId }: Sandbox) => [{ orgId, roleName: "ORG_OWNER" }];

describe("tags that the API key may not see", () => {
  /** The stack's own key sees no tags; the one that the sandbox starts with does. */
  async function startUnseen(properties: Parameters<typeof startPayments>[0]) {
    const setup = await startPayments(properties, { sandbox: hiddenTags });
    const { sandbox, stack } = setup;
    const { publicKey, privateKey } = sandbox.addKey({ roles: withoutGlobalRole(sandbox) });
    await stack.setConfig(connection({ baseUrl: sandbox.baseUrl, publicKey, privateKey }));
    return { ...setup, tags: () => sandbox.project(idOfPayments(sandbox))?.tags };
  }

  it("are written and recorded as declared, changed by one update, and do not drift, with one warning that names the role", async () => {
    const { sandbox, stack, outputs, tags, declareCreated } = await startUnseen({ tags: ["EU", "PROD"] });
    expect(messagesOf(await succeeded(stack.up()))).toBe(areNotShown);
    expect(tags()).toEqual(["EU", "PROD"]);
    expect(await upAgain({ sandbox, stack })).toEqual(nothing);
    expect(await outputs()).toMatchObject({ tagsVisible: false, tags: ["EU", "PROD"] });
    await declareCreated({ tags: ["EU"] });
    const changed = await succeeded(stack.up());
    expect([changed.changes, messagesOf(changed)]).toEqual([{ update: 1 }, areNotShown]);
    expect(tags()).toEqual(["EU"]);
    expect(await upAgain({ sandbox, stack })).toEqual(nothing);
  });

  it.each([true, false])(
    "are not taken for none: a program that declares none removes those that are there (refreshBeforeUpdate: %s)",
    async (refreshBeforeUpdate) => {
      const { sandbox, stack, tags, declareCreated } = await startUnseen({});
      await stack.setConfig({ refreshBeforeUpdate });
      await succeeded(stack.up());
      sandbox.changeProject(idOfPayments(sandbox), { tags: ["THEIRS"] });
      await declareCreated({ tags: [] });
      expect(changedPaths(await succeeded(stack.preview()))).toEqual({ tags: "add" });
      await succeeded(stack.up());
      expect(tags()).toEqual([]);
      expect(await upAgain({ sandbox, stack })).toEqual(nothing);
    },
  );

  it("are written at the creation of a project with ignoreTags, and no later update overwrites those of others", async () => {
    const { sandbox, stack, tags, declareCreated } = await startUnseen({ tags: ["PROD"], ignoreTags });
    expect(messagesOf(await succeeded(stack.up()))).toBe(areNotShown);
    sandbox.changeProject(idOfPayments(sandbox), { tags: ["PROD", "cost-42"] });
    await declareCreated({ tags: ["EU"], ignoreTags });
    expect(await errorsOf(stack.up())).toContain("ignoreTags cannot be applied");
    expect(tags()).toEqual(["PROD", "cost-42"]);
  });
});

it.each(bothProviders)(
  "tags that the API key may not see keep their recorded value if the key loses its role, and are compared again once the key has it back (%s)",
  async (provider) => {
    keepDefault("refreshBeforeUpdate", "a plain up corrects what was changed outside Pulumi");
    const { sandbox, stack, id, record } = await holdPayments(
      { tags: ["PROD"] },
      { provider, sandbox: hiddenTags },
    );
    sandbox.changeKey(sandbox.publicKey, { roles: withoutGlobalRole(sandbox) });
    const up = await succeeded(stack.up());
    expect(up.changes).toEqual({ same: 1 });
    expect(messagesOf(up, "warning")).toContain(
      `[unreadable] [tags ${id}] The tags of project ${id} are no longer visible to these credentials, so the state keeps the last known tags. Seeing tags requires ${ROLE_TO_SEE_TAGS}.`,
    );
    await succeeded(stack.refresh());
    const tags = ["PROD"];
    expect(await record()).toMatchObject({ inputs: { tags }, outputs: { tags, tagsVisible: true } });

    sandbox.changeKey(sandbox.publicKey, {
      roles: [{ roleName: "GLOBAL_OWNER" }, ...withoutGlobalRole(sandbox)],
    });
    sandbox.changeProject(id, { tags: ["BY-HAND"] });
    await succeeded(stack.up());
    expect(writes(sandbox)).toEqual([{ method: "PATCH", path: `/groups/${id}`, body: { tags } }]);
  },
);

it.each([
  { title: "are read once more, and recorded without a warning", isRead: true, warning: "" },
  { title: "are recorded with a warning if that read fails", isRead: false, warning: areNotShown },
])("tags that the response to their PATCH lacks $title", async ({ isRead, warning }) => {
  const { sandbox, stack, id, orgId, outputs } = await startAdoption({ tags: ["PROD"] });
  const body = { id, orgId, name: "payments", tags: [] };
  sandbox.addFault({ method: "PATCH", fault: { status: 200, body, afterWrite: true } });
  await stack.before("PATCH", /\/groups\//, () => {
    if (!isRead) sandbox.addFault({ method: "GET", pathPattern: id, fault: { status: 403 } });
  });
  expect(messagesOf(await succeeded(stack.up()), "warning")).toBe(warning);
  expect(await outputs()).toMatchObject({ tags: ["PROD"], tagsVisible: isRead });
});

// Nothing can be imported into a dynamic resource.
it("an import with an API key that sees no tags records none, so that the next up clears none, with this key and with one that sees them", async () => {
  const { sandbox, stack, id, orgId, record, declare } = await startAdoption({}, { sandbox: hiddenTags });
  const { publicKey, privateKey } = sandbox.addKey({ roles: withoutGlobalRole(sandbox) });
  await stack.setConfig(connection({ baseUrl: sandbox.baseUrl, publicKey, privateKey }));
  await succeeded(stack.import("opsmanager:index:Project", "payments", id));
  const inputs = { orgId, name: "payments" };
  expect((await record())?.inputs).toEqual(inputs);
  await declare(inputs);
  await succeeded(stack.up({ expectNoChanges: true }));
  await stack.setConfig(connection(sandbox));
  expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  expect(writes(sandbox)).toEqual([]);
  expect(sandbox.project(id)?.tags).toEqual(["OLD"]);
});
