/** Design, Project: tags that others own (`ignoreTags`), and tags that the API key may not see. */
import type { Sandbox, SandboxOptions } from "../../sandbox";
import { succeeded } from "../../support";
import { connection, createEstate, disposeEstates } from "../support/estate";
import {
  changedPaths,
  doors,
  projectNamed,
  projectProgram,
  said,
  timesSaid,
  writes,
} from "../support/project-program";

afterEach(disposeEstates);

describe.each(doors)("tags that ignoreTags leaves to others (%s)", (door) => {
  const ignoreTags = ["BILL?", "cost-*"];

  it("are kept by every write and are no drift", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { seed: { projects: [{ name: "payments", tags: ["BILL1", "OLD", "cost-42"] }] } },
      program: (sandbox) =>
        projectProgram({ projectId: projectNamed(sandbox, "payments").id, tags: ["PROD"], ignoreTags }),
    });
    const { id } = projectNamed(sandbox, "payments");
    await succeeded(stack.up());
    expect(sandbox.project(id)?.tags).toEqual(["BILL1", "PROD", "cost-42"]);
    expect(await stack.resource("payments")).toMatchObject({ outputs: { tags: ["PROD"], ignoreTags } });

    sandbox.changeProject(id, { tags: ["BILL2", "PROD", "cost-43", "cost-44"] });
    sandbox.clearRequests();
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect(writes(sandbox)).toEqual([]);

    await stack.setProgram(projectProgram({ projectId: id, tags: [], ignoreTags }));
    await succeeded(stack.up());
    expect(sandbox.project(id)?.tags).toEqual(["BILL2", "cost-43", "cost-44"]);
  });

  it("count: declared and ignored ones over 10 are an error that lists both, and nothing is written", async () => {
    const theirs = ["cost-1", "cost-2", "cost-3"];
    const ours = ["A", "B", "C", "D", "E", "F", "G", "H"];
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { seed: { projects: [{ name: "payments", tags: theirs }] } },
      program: (sandbox) =>
        projectProgram({ projectId: projectNamed(sandbox, "payments").id, tags: ours, ignoreTags }),
    });

    const both = /at most 10 tags.*A, B, C, D, E, F, G, H.*cost-1, cost-2, cost-3/s;
    // Known difference: no guards in previews through the dynamic door.
    if (door === "plugin") expect(said(await stack.preview(), "error")).toMatch(both);
    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(said(up, "error")).toMatch(both);
    expect(writes(sandbox)).toEqual([]);
    expect(await stack.resource("payments")).toBeUndefined();
  });

  it("cannot be declared as well", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      program: ({ orgId }) =>
        projectProgram({ orgId, name: "payments", tags: ["PROD", "cost-42"], ignoreTags }),
    });

    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(up.output).toContain('tags holds "cost-42", which ignoreTags leaves to others');
    expect(writes(sandbox)).toEqual([]);
  });

  it("may be chosen anew without a request; what the new patterns lay open shows in the next preview", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { seed: { projects: [{ name: "payments", tags: ["PROD", "cost-42"] }] } },
      program: (sandbox) =>
        projectProgram({ projectId: projectNamed(sandbox, "payments").id, tags: ["PROD"], ignoreTags }),
    });
    const { id: projectId } = projectNamed(sandbox, "payments");
    await succeeded(stack.up());

    await stack.setProgram(projectProgram({ projectId, tags: ["PROD"], ignoreTags: ["cost-*"] }));
    await succeeded(stack.up());
    await stack.setProgram(projectProgram({ projectId, tags: ["PROD"] }));
    expect((await succeeded(stack.up())).changes).toEqual({ update: 1 });
    expect(writes(sandbox)).toEqual([]);
    expect(sandbox.project(projectId)?.tags).toEqual(["PROD", "cost-42"]);

    const preview = await succeeded(stack.preview());
    expect(preview.changes).toEqual({ update: 1 });
    if (door === "plugin") expect(changedPaths(preview)).toEqual({ "tags[1]": "delete" });
    await succeeded(stack.up());
    expect(sandbox.project(projectId)?.tags).toEqual(["PROD"]);
  });
});

describe.each(doors)("tags that the API key may not see (%s)", (door) => {
  /** As the documentation says: without a global role tags are taken, and shown in no answer. */
  const hidden: SandboxOptions = { tagsWithoutGlobalRole: "hide" };

  function keyWithoutGlobalRole(sandbox: Sandbox) {
    return sandbox.addKey({ roles: [{ orgId: sandbox.orgId, roleName: "ORG_OWNER" }] });
  }

  /** The stack's own key sees no tags; the one that the sandbox starts with does. */
  async function createBlindEstate(options: Pick<Parameters<typeof createEstate>[0], "sandbox" | "program">) {
    const estate = await createEstate({ door, ...options, program: () => ({}) });
    await estate.stack.setConfig(connection({ ...estate.sandbox, ...keyWithoutGlobalRole(estate.sandbox) }));
    await estate.stack.setProgram(options.program(estate.sandbox));
    return estate;
  }

  it("are written and recorded as declared, without drift, with one warning that names the role", async () => {
    const { sandbox, stack } = await createBlindEstate({
      sandbox: hidden,
      program: ({ orgId }) => projectProgram({ orgId, name: "payments", tags: ["EU", "PROD"] }),
    });

    const up = await succeeded(stack.up());
    const { id, tags } = projectNamed(sandbox, "payments");
    expect(tags).toEqual(["EU", "PROD"]);
    expect(timesSaid(up, "Global Owner or Global Read Only")).toBe(1);
    expect(await stack.resource("payments")).toMatchObject({
      id,
      outputs: { tagsVisible: false, tags: ["EU", "PROD"] },
    });

    sandbox.clearRequests();
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect(writes(sandbox)).toEqual([]);
    expect(await stack.resource("payments")).toMatchObject({
      outputs: { tagsVisible: false, tags: ["EU", "PROD"] },
    });
  });

  it("can still be changed: one update, and then nothing to do again", async () => {
    const { sandbox, stack } = await createBlindEstate({
      sandbox: hidden,
      program: ({ orgId }) => projectProgram({ orgId, name: "payments", tags: ["PROD"] }),
    });
    await succeeded(stack.up());

    await stack.setProgram(projectProgram({ orgId: sandbox.orgId, name: "payments", tags: ["EU", "PROD"] }));
    const up = await succeeded(stack.up());
    expect(up.changes).toEqual({ update: 1 });
    expect(timesSaid(up, "Global Owner or Global Read Only")).toBe(1);
    expect(projectNamed(sandbox, "payments").tags).toEqual(["EU", "PROD"]);
    expect((await succeeded(stack.preview())).changes).toEqual({ same: 1 });
  });

  it("forbid ignoreTags: nobody could say which tags to keep", async () => {
    const { sandbox, stack } = await createBlindEstate({
      sandbox: { ...hidden, seed: { projects: [{ name: "payments", tags: ["cost-42"] }] } },
      program: (sandbox) =>
        projectProgram({
          projectId: projectNamed(sandbox, "payments").id,
          tags: ["PROD"],
          ignoreTags: ["cost-*"],
        }),
    });

    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(said(up, "error")).toMatch(/ignoreTags.*global role/s);
    expect(projectNamed(sandbox, "payments").tags).toEqual(["cost-42"]);
    expect(writes(sandbox)).toEqual([]);
  });

  it("keep their recorded value when the key loses its role, and are seen again when it gets it back", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: hidden,
      program: ({ orgId }) => projectProgram({ orgId, name: "payments", tags: ["PROD"] }),
    });
    await succeeded(stack.up());
    const { id } = projectNamed(sandbox, "payments");
    const allRoles = [{ roleName: "GLOBAL_OWNER" }, { orgId: sandbox.orgId, roleName: "ORG_OWNER" }];

    sandbox.changeKey(sandbox.publicKey, { roles: allRoles.slice(1) });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    await succeeded(stack.refresh());
    expect(await stack.resource("payments")).toMatchObject({
      inputs: { tags: ["PROD"] },
      outputs: { tags: ["PROD"] },
    });

    sandbox.changeKey(sandbox.publicKey, { roles: allRoles });
    sandbox.changeProject(id, { tags: ["BY-HAND"] });
    sandbox.clearRequests();
    await succeeded(stack.up());
    expect(writes(sandbox)).toEqual([{ method: "PATCH", path: `/groups/${id}`, body: { tags: ["PROD"] } }]);
  });

  it("are refused by a service that does not take them from such a key: an error that names the role, and nothing is lost", async () => {
    const { sandbox, stack } = await createBlindEstate({
      sandbox: { tagsWithoutGlobalRole: "refuse" },
      program: ({ orgId }) => projectProgram({ orgId, name: "payments", tags: ["PROD"] }),
    });

    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(said(up)).toMatch(/USER_UNAUTHORIZED.*global role/s);
    expect(await stack.resource("payments")).toMatchObject({ id: projectNamed(sandbox, "payments").id });
  });
});

describe("an import with an API key that sees no tags (plugin; nothing can be imported through the dynamic door)", () => {
  it("records no tags, so that the next up clears none", async () => {
    const { sandbox, stack } = await createEstate({
      sandbox: {
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
    expect(imported?.inputs).toEqual(
      expect.objectContaining({ orgId: sandbox.orgId, name: "payments", ldapGroupMappings }),
    );
    expect(imported?.inputs).not.toHaveProperty("tags");
    expect(imported).toMatchObject({ id, outputs: { origin: "imported", onDestroy: "release" } });

    await stack.setConfig(connection(sandbox));
    await stack.setProgram(projectProgram({ orgId: sandbox.orgId, name: "payments", ldapGroupMappings }));
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect(writes(sandbox)).toEqual([]);
    expect(sandbox.project(id)?.tags).toEqual(["PROD"]);
  });
});
