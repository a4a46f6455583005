/** Design, Origin: how a project came into the stack decides what destroying does, unless `onDestroy` says otherwise. */
import { succeeded } from "../../support";
import { createEstate, disposeEstates } from "../support/estate";
import { doors, emptyProgram, projectNamed, projectProgram, said, writes } from "../support/project-program";

afterEach(disposeEstates);

const seed = { projects: [{ name: "payments", tags: ["PROD"] }] };

describe.each(doors)("destroying (%s)", (door) => {
  it("deletes a created project, even where the program has nothing any more", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      program: ({ orgId }) => projectProgram({ orgId, name: "payments" }),
    });
    await succeeded(stack.up());

    await stack.setProgram(emptyProgram);
    expect((await succeeded(stack.up())).changes).toEqual({ delete: 1 });
    expect(sandbox.state.projects).toEqual([]);
  });

  it("releases an adopted project: it stays as it is, and the user is told", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { seed },
      program: (sandbox) => projectProgram({ projectId: projectNamed(sandbox, "payments").id, tags: ["EU"] }),
    });
    const { id } = projectNamed(sandbox, "payments");
    await succeeded(stack.up());

    sandbox.clearRequests();
    const destroy = await succeeded(stack.destroy());
    expect(destroy.changes).toEqual({ delete: 1 });
    expect(said(destroy)).toMatch(new RegExp(`Project ${id}.*released: it stays in the service`, "s"));
    expect(writes(sandbox)).toEqual([]);
    expect(sandbox.project(id)).toMatchObject({ name: "payments", tags: ["EU"] });
    expect(await stack.resource("payments")).toBeUndefined();
  });

  it("releases a created project where onDestroy says so", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      program: ({ orgId }) => projectProgram({ orgId, name: "payments", onDestroy: "release" }),
    });
    await succeeded(stack.up());
    await succeeded(stack.destroy());
    expect(projectNamed(sandbox, "payments").orgId).toBe(sandbox.orgId);
    expect(writes(sandbox).map(({ method }) => method)).toEqual(["POST"]);
  });

  it("deletes an adopted project where onDestroy says so", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { seed },
      program: (sandbox) =>
        projectProgram({ projectId: projectNamed(sandbox, "payments").id, onDestroy: "delete" }),
    });
    await succeeded(stack.up());
    await succeeded(stack.destroy());
    expect(sandbox.state.projects).toEqual([]);
  });

  it("does what onDestroy said in the last up, not what the program says without one", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      program: ({ orgId }) => projectProgram({ orgId, name: "payments" }),
    });
    const properties = { orgId: sandbox.orgId, name: "payments" };
    await succeeded(stack.up());

    sandbox.clearRequests();
    await stack.setProgram(projectProgram({ ...properties, onDestroy: "delete" }));
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });

    await stack.setProgram(projectProgram({ ...properties, onDestroy: "release" }));
    expect((await succeeded(stack.up())).changes).toEqual({ update: 1 });
    expect(await stack.resource("payments")).toMatchObject({ outputs: { onDestroy: "release" } });

    await stack.setProgram(projectProgram({ ...properties, onDestroy: "delete" }));
    await succeeded(stack.destroy());
    expect(writes(sandbox)).toEqual([]);
    expect(projectNamed(sandbox, "payments").orgId).toBe(sandbox.orgId);
  });

  it("takes no change from the default written down for an adopted project", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { seed },
      program: (sandbox) => projectProgram({ projectId: projectNamed(sandbox, "payments").id }),
    });
    const { id: projectId } = projectNamed(sandbox, "payments");
    await succeeded(stack.up());
    await stack.setProgram(projectProgram({ projectId, onDestroy: "release" }));
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    await stack.setProgram(projectProgram({ projectId }));
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });

  it("ends with the way out when the service refuses because of backups, and the state keeps the project", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      program: ({ orgId }) => projectProgram({ orgId, name: "payments" }),
    });
    await succeeded(stack.up());
    const { id } = projectNamed(sandbox, "payments");
    sandbox.changeProject(id, { hasBackups: true });

    const destroy = await stack.destroy();
    expect(destroy.exitCode).not.toBe(0);
    expect(said(destroy, "error")).toMatch(
      new RegExp(`Deleting project ${id} failed.*CANNOT_CLOSE_GROUP_ACTIVE_BACKUP.*"release"`, "s"),
    );
    expect(sandbox.project(id)?.name).toBe("payments");
    expect(await stack.resource("payments")).toMatchObject({ id });

    sandbox.changeProject(id, { hasBackups: false });
    await succeeded(stack.destroy());
    expect(sandbox.state.projects).toEqual([]);
  });

  it("succeeds when the project is gone already", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      config: { "opsmanager:refreshBeforeUpdate": false },
      program: ({ orgId }) => projectProgram({ orgId, name: "payments" }),
    });
    await succeeded(stack.up());
    sandbox.removeProject(projectNamed(sandbox, "payments").id);

    sandbox.clearRequests();
    await succeeded(stack.destroy());
    // Without the look before it, the engine calls Delete, which meets the gone project itself.
    expect(writes(sandbox)).toMatchObject([{ method: "DELETE" }]);
    expect(await stack.resource("payments")).toBeUndefined();
  });
});

describe("an imported project (plugin; nothing can be imported through the dynamic door)", () => {
  it("is released by destroy, and deleted where onDestroy says so", async () => {
    const { sandbox, stack } = await createEstate({
      sandbox: { seed: { projects: [{ name: "payments" }, { name: "orders" }] } },
      program: () => ({}),
    });
    const { orgId } = sandbox;
    await succeeded(
      stack.import("opsmanager:index:Project", "payments", projectNamed(sandbox, "payments").id),
    );
    await stack.setProgram(projectProgram({ orgId, name: "payments" }));
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect(await stack.resource("payments")).toMatchObject({
      outputs: { origin: "imported", onDestroy: "release" },
    });

    await stack.setProgram(projectProgram({ orgId, name: "payments", onDestroy: "release" }));
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    await succeeded(stack.destroy());
    expect(projectNamed(sandbox, "payments").orgId).toBe(orgId);

    await succeeded(stack.import("opsmanager:index:Project", "payments", projectNamed(sandbox, "orders").id));
    await stack.setProgram(projectProgram({ orgId, name: "orders", onDestroy: "delete" }));
    await succeeded(stack.up());
    await succeeded(stack.destroy());
    expect(sandbox.state.projects.map(({ name }) => name)).toEqual(["payments"]);
  });
});
