/** Design, Project: tags that others own (`ignoreTags`), and tags that the API key may not see. */
import { ROLE_TO_SEE_TAGS } from "../../../provider/api/hints";
import type { Sandbox, SandboxOptions } from "../../../sandbox";
import { paymentsOn } from "../../engine/support/payments";
import { nothing, upAgain } from "../../engine/support/people-program";
import {
  bothProviders,
  changedPaths,
  errorsOf,
  messagesOf,
  projectNamed,
  projectProgram,
  writes,
} from "../../engine/support/project-program";
import { connection } from "../../engine/support/stack-setup";
import { keepDefault, succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";

const { declareExisting } = paymentsOn(setUpStack);

afterEach(tearDownStacks);

const ignoreTags = ["BILL?", "cost-*"];

describe("tags that ignoreTags leaves to others", () => {
  it("are preserved by every write and are no drift", async () => {
    const { sandbox, stack, id } = await declareExisting(
      { tags: ["PROD"], ignoreTags },
      { sandbox: { seed: { projects: [{ name: "payments", tags: ["BILL1", "OLD", "cost-42"] }] } } },
    );
    await succeeded(stack.up());
    expect(sandbox.project(id)?.tags).toEqual(["BILL1", "PROD", "cost-42"]);
    expect(await stack.resource("payments")).toMatchObject({ outputs: { tags: ["PROD"], ignoreTags } });

    sandbox.changeProject(id, { tags: ["BILL2", "PROD", "cost-43", "cost-44"] });
    expect(await upAgain({ sandbox, stack })).toEqual(nothing);

    await stack.setProgram(projectProgram({ projectId: id, tags: [], ignoreTags }));
    await succeeded(stack.up());
    expect(sandbox.project(id)?.tags).toEqual(["BILL2", "cost-43", "cost-44"]);
  });
});

it.each([
  { provider: "plugin", shown: { "tags[1]": "delete" } },
  { provider: "dynamic", shown: {} },
] as const)(
  "tags that ignoreTags leaves to others remain until the update after their pattern is removed: no request is sent for new patterns, and the next preview shows the difference ($provider)",
  async ({ provider, shown }) => {
    const {
      sandbox,
      stack,
      id: projectId,
    } = await declareExisting(
      { tags: ["PROD"], ignoreTags },
      { provider, sandbox: { seed: { projects: [{ name: "payments", tags: ["PROD", "cost-42"] }] } } },
    );
    await succeeded(stack.up());

    await stack.setProgram(projectProgram({ projectId, tags: ["PROD"], ignoreTags: ["cost-*"] }));
    await succeeded(stack.up());
    await stack.setProgram(projectProgram({ projectId, tags: ["PROD"] }));
    expect((await succeeded(stack.up())).changes).toEqual({ update: 1 });
    expect(writes(sandbox)).toEqual([]);
    expect(sandbox.project(projectId)?.tags).toEqual(["PROD", "cost-42"]);

    const preview = await succeeded(stack.preview());
    expect(preview.changes).toEqual({ update: 1 });
    expect(changedPaths(preview)).toEqual(shown);
    await succeeded(stack.up());
    expect(sandbox.project(projectId)?.tags).toEqual(["PROD"]);
  },
);

/** As an older page of the documentation specifies: without a global role tags are taken, and shown in no response. */
const hiddenTags: SandboxOptions = { tagsWithoutGlobalRole: "hide" };
const areNotShown = `The service accepted the tags but shows none to these credentials: the declared tags are recorded, and drift of tags is not detected. Seeing tags requires ${ROLE_TO_SEE_TAGS}.`;

describe("tags that the API key may not see", () => {
  function keyWithoutGlobalRole(sandbox: Sandbox) {
    return sandbox.addKey({ roles: [{ orgId: sandbox.orgId, roleName: "ORG_OWNER" }] });
  }

  /** The stack's own key sees no tags; the one that the sandbox starts with does. */
  async function setUpWithoutGlobalRole(
    options: Pick<Parameters<typeof setUpStack>[0], "sandbox" | "program">,
  ) {
    const setup = await setUpStack({ ...options, program: () => ({}) });
    await setup.stack.setConfig(connection({ ...setup.sandbox, ...keyWithoutGlobalRole(setup.sandbox) }));
    await setup.stack.setProgram(options.program(setup.sandbox));
    return setup;
  }

  it("are written and recorded as declared, changed by one update, and do not drift, with one warning that names the role", async () => {
    const { sandbox, stack } = await setUpWithoutGlobalRole({
      sandbox: hiddenTags,
      program: ({ orgId }) => projectProgram({ orgId, name: "payments", tags: ["EU", "PROD"] }),
    });

    const up = await succeeded(stack.up());
    const { id, tags } = projectNamed(sandbox, "payments");
    expect(tags).toEqual(["EU", "PROD"]);
    expect(messagesOf(up)).toBe(areNotShown);
    expect(await stack.resource("payments")).toMatchObject({
      id,
      outputs: { tagsVisible: false, tags: ["EU", "PROD"] },
    });

    expect(await upAgain({ sandbox, stack })).toEqual(nothing);
    expect(await stack.resource("payments")).toMatchObject({
      outputs: { tagsVisible: false, tags: ["EU", "PROD"] },
    });

    await stack.setProgram(projectProgram({ orgId: sandbox.orgId, name: "payments", tags: ["EU"] }));
    const changed = await succeeded(stack.up());
    expect(changed.changes).toEqual({ update: 1 });
    expect(messagesOf(changed)).toBe(areNotShown);
    expect(projectNamed(sandbox, "payments").tags).toEqual(["EU"]);
    expect((await succeeded(stack.preview())).changes).toEqual({ same: 1 });
  });

  it.each([true, false])(
    "are not taken for none: a program that declares none removes those that are there (refreshBeforeUpdate: %s)",
    async (refreshBeforeUpdate) => {
      const program = (properties: object) => (service: Sandbox) =>
        projectProgram({ orgId: service.orgId, name: "payments", ...properties });
      const { sandbox, stack } = await setUpWithoutGlobalRole({ sandbox: hiddenTags, program: program({}) });
      await stack.setConfig({ refreshBeforeUpdate });
      await succeeded(stack.up());
      sandbox.changeProject(projectNamed(sandbox, "payments").id, { tags: ["THEIRS"] });
      await stack.setProgram(program({ tags: [] })(sandbox));
      expect(changedPaths(await succeeded(stack.preview()))).toEqual({ tags: "add" });
      await succeeded(stack.up());
      expect(projectNamed(sandbox, "payments").tags).toEqual([]);
      expect(await upAgain({ sandbox, stack })).toEqual(nothing);
    },
  );

  it("are written at the creation of a project with ignoreTags, and no later update overwrites those of others", async () => {
    const { sandbox, stack } = await setUpWithoutGlobalRole({
      sandbox: hiddenTags,
      program: ({ orgId }) => projectProgram({ orgId, name: "payments", tags: ["PROD"], ignoreTags }),
    });
    expect(messagesOf(await succeeded(stack.up()))).toBe(areNotShown);
    const { id, orgId } = projectNamed(sandbox, "payments");
    sandbox.changeProject(id, { tags: ["PROD", "cost-42"] });
    await stack.setProgram(projectProgram({ orgId, name: "payments", tags: ["EU"], ignoreTags }));
    expect(await errorsOf(stack.up())).toContain("ignoreTags cannot be applied");
    expect(sandbox.project(id)?.tags).toEqual(["PROD", "cost-42"]);
  });
});

it.each(bothProviders)(
  "tags that the API key may not see keep their recorded value if the key loses its role, and are compared again once the key has it back (%s)",
  async (provider) => {
    keepDefault("refreshBeforeUpdate", "a plain up corrects what was changed outside Pulumi");
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: hiddenTags,
      program: ({ orgId }) => projectProgram({ orgId, name: "payments", tags: ["PROD"] }),
    });
    await succeeded(stack.up());
    const { id } = projectNamed(sandbox, "payments");
    const allRoles = [{ roleName: "GLOBAL_OWNER" }, { orgId: sandbox.orgId, roleName: "ORG_OWNER" }];

    sandbox.changeKey(sandbox.publicKey, { roles: allRoles.slice(1) });
    const up = await succeeded(stack.up());
    expect(up.changes).toEqual({ same: 1 });
    expect(messagesOf(up, "warning")).toContain(
      `[unreadable] [tags ${id}] The tags of project ${id} are no longer visible to these credentials, so the state keeps the last known tags. Seeing tags requires ${ROLE_TO_SEE_TAGS}.`,
    );
    await succeeded(stack.refresh());
    expect(await stack.resource("payments")).toMatchObject({
      inputs: { tags: ["PROD"] },
      outputs: { tags: ["PROD"], tagsVisible: true },
    });

    sandbox.changeKey(sandbox.publicKey, { roles: allRoles });
    sandbox.changeProject(id, { tags: ["BY-HAND"] });
    sandbox.clearRequests();
    await succeeded(stack.up());
    expect(writes(sandbox)).toEqual([{ method: "PATCH", path: `/groups/${id}`, body: { tags: ["PROD"] } }]);
  },
);

it("tags that the response to their PATCH lacks are read once more, and are recorded without a warning", async () => {
  const { sandbox, stack } = await declareExisting(
    { tags: ["PROD"] },
    { sandbox: { seed: { projects: [{ name: "payments" }] } } },
  );
  const { id, orgId } = projectNamed(sandbox, "payments");
  const body = { id, orgId, name: "payments", tags: [] };
  sandbox.addFault({ method: "PATCH", fault: { status: 200, body, afterWrite: true } });
  expect(messagesOf(await succeeded(stack.up()))).toBe("");
  expect(await stack.resource("payments")).toMatchObject({ outputs: { tags: ["PROD"], tagsVisible: true } });
});

describe("an import with an API key that sees no tags (plugin; the dynamic provider does not support import)", () => {
  it("records no tags, so that the next up clears none, with this key and with one that sees them", async () => {
    const { sandbox, stack } = await setUpStack({
      sandbox: {
        ...hiddenTags,
        ldap: true,
        seed: {
          projects: [
            {
              name: "payments",
              tags: ["PROD"],
              ldapGroupMappings: [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=dba"] }],
            },
          ],
        },
      },
      program: () => ({}),
    });
    const { id, ldapGroupMappings } = projectNamed(sandbox, "payments");
    const { publicKey, privateKey } = sandbox.addKey({
      roles: [{ orgId: sandbox.orgId, roleName: "ORG_OWNER" }],
    });
    await stack.setConfig(connection({ baseUrl: sandbox.baseUrl, publicKey, privateKey }));

    await succeeded(stack.import("opsmanager:index:Project", "payments", id));
    const imported = await stack.resource("payments");
    expect(imported?.inputs).toEqual({ orgId: sandbox.orgId, name: "payments", ldapGroupMappings });
    expect(imported).toMatchObject({ id, outputs: { origin: "imported", onDestroy: "release" } });

    await stack.setProgram(projectProgram({ orgId: sandbox.orgId, name: "payments", ldapGroupMappings }));
    await succeeded(stack.up({ expectNoChanges: true }));
    expect(sandbox.project(id)?.tags).toEqual(["PROD"]);
    await stack.setConfig(connection(sandbox));
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect(writes(sandbox)).toEqual([]);
    expect(sandbox.project(id)?.tags).toEqual(["PROD"]);
  });
});

it("tags that the response to their PATCH lacks are recorded as declared, with a warning, if the read afterwards fails", async () => {
  const { sandbox, stack } = await declareExisting(
    { tags: ["PROD"] },
    { sandbox: { seed: { projects: [{ name: "payments", tags: ["OLD"] }] } } },
  );
  const { id, orgId } = projectNamed(sandbox, "payments");
  const body = { id, orgId, name: "payments", tags: [] };
  sandbox.addFault({ method: "PATCH", fault: { status: 200, body, afterWrite: true } });
  await stack.before("PATCH", /\/groups\//, () =>
    sandbox.addFault({ method: "GET", pathPattern: id, fault: { status: 403 } }),
  );
  expect(messagesOf(await succeeded(stack.up()), "warning")).toBe(areNotShown);
  expect(await stack.resource("payments")).toMatchObject({ outputs: { tags: ["PROD"], tagsVisible: false } });
});
