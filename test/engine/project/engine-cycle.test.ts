import { succeeded } from "../../support";
import { createEstate, disposeEstates } from "../support/estate";
import { digestOf, jsonSteps } from "../support/mechanics";
import {
  changedPaths,
  doors,
  emptyProgram,
  projectNamed,
  projectProgram,
  projectsNamed,
  said,
  writes,
} from "../support/project-program";

afterEach(disposeEstates);

describe.each(doors)("a project through the %s door", (door) => {
  it("is created, left alone by the next up, and changed by what differs and nothing else", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      program: ({ orgId }) => projectProgram({ orgId, name: "payments", tags: ["PROD"] }),
    });
    const { orgId } = sandbox;
    const created = await succeeded(stack.up());
    expect(created.changes).toEqual({ create: 1 });
    const { id } = projectNamed(sandbox, "payments");
    expect(writes(sandbox)).toEqual([
      { method: "POST", path: "/groups", body: { orgId, name: "payments" } },
      { method: "PATCH", path: `/groups/${id}`, body: { tags: ["PROD"] } },
    ]);
    expect(await stack.resource("payments")).toMatchObject({
      id,
      outputs: { orgId, name: "payments", tags: ["PROD"], origin: "created", onDestroy: "delete" },
    });

    sandbox.clearRequests();
    expect((await succeeded(stack.up({ expectNoChanges: true }))).changes).toEqual({ same: 1 });
    expect(writes(sandbox)).toEqual([]);

    await stack.setProgram(projectProgram({ orgId, name: "payments", tags: ["PROD", "TEAM-A"] }));
    const updated = await succeeded(stack.up());
    expect(updated.changes).toEqual({ update: 1 });
    expect(writes(sandbox)).toEqual([
      { method: "PATCH", path: `/groups/${id}`, body: { tags: ["PROD", "TEAM-A"] } },
    ]);
    expect(sandbox.project(id)).toMatchObject({ name: "payments", tags: ["PROD", "TEAM-A"] });
    expect(await stack.resource("payments")).toMatchObject({ id, outputs: { tags: ["PROD", "TEAM-A"] } });
  });

  // Trap 14: on "same" the engine stores the new checked inputs, so two orders of one set have to be checked to one form.
  it("has no change when a program lists the same tags, mappings and groups in another order", async () => {
    const mappings = [
      { roleName: "GROUP_READ_ONLY", ldapGroups: ["cn=ops", "cn=audit"] },
      { roleName: "GROUP_OWNER", ldapGroups: ["cn=platform"] },
    ];
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { ldap: true },
      program: ({ orgId }) =>
        projectProgram({ orgId, name: "payments", tags: ["B", "A", "C"], ldapGroupMappings: mappings }),
    });
    await succeeded(stack.up());
    const before = await stack.resource("payments");
    sandbox.clearRequests();

    await stack.setProgram(
      projectProgram({
        ldapGroupMappings: mappings
          .map(({ roleName, ldapGroups }) => ({ ldapGroups: [...ldapGroups].reverse(), roleName }))
          .reverse(),
        tags: ["C", "B", "A"],
        name: "payments",
        orgId: sandbox.orgId.toUpperCase(),
      }),
    );
    expect((await succeeded(stack.up({ expectNoChanges: true }))).changes).toEqual({ same: 1 });
    expect(writes(sandbox)).toEqual([]);
    const after = await stack.resource("payments");
    expect(after?.inputs).toEqual(before?.inputs);
    expect(after?.outputs?.tags).toEqual(["A", "B", "C"]);
  });

  it("shows in a plain preview what somebody changed by hand, and is healed by a plain up", async () => {
    const mappings = [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=platform"] }];
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { ldap: true },
      program: ({ orgId }) =>
        projectProgram({ orgId, name: "payments", tags: ["PROD", "TEAM-A"], ldapGroupMappings: mappings }),
    });
    await succeeded(stack.up());
    const { id } = projectNamed(sandbox, "payments");
    const drifted = { name: "by-hand", tags: ["PROD", "URGENT"], ldapGroupMappings: [] };
    sandbox.changeProject(id, drifted);
    sandbox.clearRequests();

    const preview = await stack.preview({ diff: true, expectNoChanges: true });
    expect(preview).toMatchObject({ exitCode: 7, changes: { update: 1 } });
    // Known difference: the dynamic host hands on no differences of single properties.
    if (door === "plugin") {
      expect(changedPaths(preview)).toEqual({
        name: "update",
        "tags[1]": "update",
        "ldapGroupMappings[0]": "add",
      });
      expect(preview.output).toContain('"by-hand" => "payments"');
      expect(preview.output).toContain('"URGENT" => "TEAM-A"');
    }
    expect(writes(sandbox)).toEqual([]);
    expect(sandbox.project(id)).toMatchObject(drifted);

    expect((await succeeded(stack.up())).changes).toEqual({ update: 1 });
    expect(sandbox.project(id)).toMatchObject({
      name: "payments",
      tags: ["PROD", "TEAM-A"],
      ldapGroupMappings: mappings,
    });
    expect((await succeeded(stack.preview({ expectNoChanges: true }))).changes).toEqual({ same: 1 });
  });

  // Trap 2: a refresh shows what our Diff of the live inputs against the recorded ones says, turned round.
  it("shows drift in the steps of refresh --preview-only --json, and ends it with exit code 7", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      program: ({ orgId }) => projectProgram({ orgId, name: "payments", tags: ["PROD"] }),
    });
    await succeeded(stack.up());
    const refresh = () => stack.refresh({ previewOnly: true, expectNoChanges: true, json: true });
    const clean = await succeeded(refresh());
    expect(digestOf(clean).changeSummary).toEqual({ same: 2 });

    const { id } = projectNamed(sandbox, "payments");
    sandbox.changeProject(id, { tags: ["PROD", "URGENT"] });
    const run = await refresh();
    expect(run.exitCode).toBe(7);
    const [step] = jsonSteps(run, "payments");
    expect(step).toMatchObject({
      op: "update",
      oldState: { inputs: { tags: ["PROD"] } },
      newState: { inputs: { tags: ["PROD", "URGENT"] } },
    });
    expect(step?.detailedDiff).toMatchObject({ "tags[1]": { kind: "add" } });
    expect(await stack.resource("payments")).toMatchObject({ inputs: { tags: ["PROD"] } });
  });

  it("takes what was changed by hand into the state by refresh, and the next up takes it back", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      program: ({ orgId }) => projectProgram({ orgId, name: "payments", tags: ["PROD"] }),
    });
    await succeeded(stack.up());
    const { id } = projectNamed(sandbox, "payments");
    expect((await succeeded(stack.refresh({ expectNoChanges: true }))).changes).toEqual({ same: 1 });
    sandbox.changeProject(id, { tags: ["URGENT"] });
    sandbox.clearRequests();

    expect((await succeeded(stack.refresh())).changes).toEqual({ update: 1 });
    expect(writes(sandbox)).toEqual([]);
    expect(await stack.resource("payments")).toMatchObject({
      inputs: { tags: ["URGENT"] },
      outputs: { tags: ["URGENT"] },
    });
    expect((await succeeded(stack.up())).changes).toEqual({ update: 1 });
    expect(sandbox.project(id)?.tags).toEqual(["PROD"]);
  });

  // Trap 1: gone is an empty id and no properties at all.
  it("leaves the state on refresh when somebody deleted it, and is made anew by the next up", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      program: ({ orgId }) => projectProgram({ orgId, name: "payments", tags: ["PROD"] }),
    });
    await succeeded(stack.up());
    const { id } = projectNamed(sandbox, "payments");
    sandbox.removeProject(id);

    const refresh = await succeeded(stack.refresh());
    expect(refresh.changes).toEqual({ delete: 1 });
    expect(await stack.resource("payments")).toBeUndefined();
    expect((await succeeded(stack.up())).changes).toEqual({ create: 1 });
    const anew = projectNamed(sandbox, "payments");
    expect(anew.tags).toEqual(["PROD"]);
    expect(anew.id).not.toBe(id);
    expect(await stack.resource("payments")).toMatchObject({ id: anew.id });
  });

  it("is made anew by a plain up when somebody deleted it", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      program: ({ orgId }) => projectProgram({ orgId, name: "payments", tags: ["PROD"] }),
    });
    await succeeded(stack.up());
    const { id } = projectNamed(sandbox, "payments");
    sandbox.removeProject(id);

    await succeeded(stack.up());
    const anew = projectNamed(sandbox, "payments");
    expect(anew.tags).toEqual(["PROD"]);
    expect(anew.id).not.toBe(id);
    expect(await stack.resource("payments")).toMatchObject({ id: anew.id });
  });

  it("is deleted with its stack when the stack created it, and a project that is gone already is no obstacle", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      program: ({ orgId }) => projectProgram({ orgId, name: "payments" }),
    });
    await succeeded(stack.up());
    const { id } = projectNamed(sandbox, "payments");
    sandbox.clearRequests();
    expect((await succeeded(stack.destroy())).changes).toEqual({ delete: 1 });
    expect(writes(sandbox)).toEqual([{ method: "DELETE", path: `/groups/${id}` }]);
    expect(projectsNamed(sandbox, "payments")).toEqual([]);
    expect((await stack.state()).resources).toEqual([]);

    await succeeded(stack.up());
    sandbox.removeProject(projectNamed(sandbox, "payments").id);
    await succeeded(stack.destroy());
    expect((await stack.state()).resources).toEqual([]);
  });

  it("is deleted when the program no longer declares it", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      program: ({ orgId }) => projectProgram({ orgId, name: "payments" }),
    });
    await succeeded(stack.up());
    await stack.setProgram(emptyProgram);
    expect((await succeeded(stack.up())).changes).toEqual({ delete: 1 });
    expect(projectsNamed(sandbox, "payments")).toEqual([]);
  });

  // Trap 13: Check runs one resource after the other, so it must not wait for the service.
  it("is checked without asking the service anything", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      program: ({ orgId }) => projectProgram({ orgId, name: "payments", tags: ["no spaces"] }),
    });
    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(said(up, "error")).toContain("tags[0]");
    expect(sandbox.requests).toEqual([]);
  });
});

// Trap 4: the engine creates the replacement first, so the delete that follows must not meet the new object.
it.each(doors)(
  "replaces a project by one in another organization: the new one is made, then the old one deleted (%s)",
  async (door) => {
    const { sandbox, stack } = await createEstate({
      door,
      program: ({ orgId }) => projectProgram({ orgId, name: "payments", tags: ["PROD"] }),
    });
    await succeeded(stack.up());
    const old = projectNamed(sandbox, "payments");
    const other = sandbox.addOrg({ name: "Example Two" });
    sandbox.clearRequests();

    await stack.setProgram(projectProgram({ orgId: other.id, name: "payments", tags: ["PROD"] }));
    const up = await succeeded(stack.up());
    expect(up.changes).toEqual({ replace: 1 });
    const replacement = projectNamed(sandbox, "payments");
    expect(replacement).toMatchObject({ orgId: other.id, tags: ["PROD"] });
    expect(writes(sandbox).map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /groups",
      `PATCH /groups/${replacement.id}`,
      `DELETE /groups/${old.id}`,
    ]);
    expect(await stack.resource("payments")).toMatchObject({ id: replacement.id });
  },
);
