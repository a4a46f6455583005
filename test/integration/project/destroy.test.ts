/** Design, Origin: how a project came into the stack decides what destroying does, unless `onDestroy` is set. */

import { paymentsOn } from "../../engine/support/payments";
import {
  bothProviders,
  errorsOf,
  messagesOf,
  projectNamed,
  projectProgram,
  projectsProgram,
  writes,
} from "../../engine/support/project-program";
import { succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";

const { createPayments } = paymentsOn(setUpStack);

afterEach(tearDownStacks);

describe.each(bothProviders)("destroying (%s)", (provider) => {
  it("deletes what the stack created and releases what it adopted, unless onDestroy declares otherwise", async () => {
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed: { projects: [{ name: "adopted", tags: ["PROD"] }, { name: "adopted-deleted" }] } },
      program: (sandbox) => {
        const { orgId } = sandbox;
        const adopted = projectNamed(sandbox, "adopted").id;
        const adoptedDeleted = projectNamed(sandbox, "adopted-deleted").id;
        return projectsProgram({
          created: { properties: { orgId, name: "created" } },
          createdReleased: { properties: { orgId, name: "created-released", onDestroy: "release" } },
          adopted: { properties: { projectId: adopted, tags: ["EU"] } },
          adoptedDeleted: { properties: { projectId: adoptedDeleted, onDestroy: "delete" } },
        });
      },
    });
    await succeeded(stack.up());
    const { id: adopted } = projectNamed(sandbox, "adopted");
    const deleted = ["created", "adopted-deleted"].map((name) => projectNamed(sandbox, name).id);

    sandbox.clearRequests();
    const destroy = await succeeded(stack.destroy());
    expect(destroy.changes).toEqual({ delete: 4 });
    const released = (id: string, name: string, origin: string) =>
      `Project ${id} ("${name}", ${origin}) was released: it stays in the service with its members.`;
    for (const message of [
      released(adopted, "adopted", "adopted"),
      released(projectNamed(sandbox, "created-released").id, "created-released", "created"),
    ])
      expect(messagesOf(destroy)).toContain(message);
    expect(
      writes(sandbox)
        .map(({ method, path }) => `${method} ${path}`)
        .sort(),
    ).toEqual(deleted.map((id) => `DELETE /groups/${id}`).sort());
    expect(sandbox.state.projects.map(({ name }) => name).sort()).toEqual(["adopted", "created-released"]);
    expect(sandbox.project(adopted)).toMatchObject({ name: "adopted", tags: ["EU"] });
    expect((await stack.state()).resources).toEqual([]);
  });

  it("does what onDestroy was at the last up, not what the program declares since", async () => {
    const { sandbox, stack } = await setUpStack({
      provider,
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

  it("fails with an error that names the correction if Ops Manager refuses because of backups, and the state keeps the project", async () => {
    const { sandbox, stack, id } = await createPayments({}, { provider });
    sandbox.changeProject(id, { hasBackups: true });

    expect(await errorsOf(stack.destroy())).toMatch(
      new RegExp(
        `Deleting project ${id} failed.*CANNOT_CLOSE_GROUP_ACTIVE_BACKUP.*onDestroy to "release"`,
        "s",
      ),
    );
    expect(sandbox.project(id)?.name).toBe("payments");
    expect(await stack.resource("payments")).toMatchObject({ id });

    sandbox.changeProject(id, { hasBackups: false });
    await succeeded(stack.destroy());
    expect(sandbox.state.projects).toEqual([]);
  });
});

describe("destroying", () => {
  it("succeeds if the project no longer exists", async () => {
    const { sandbox, stack } = await createPayments(
      {},
      { config: { "opsmanager:refreshBeforeUpdate": false } },
    );
    sandbox.removeProject(projectNamed(sandbox, "payments").id);

    sandbox.clearRequests();
    await succeeded(stack.destroy());
    // Without the refresh before it, the engine calls Delete for a project that no longer exists.
    expect(writes(sandbox)).toMatchObject([{ method: "DELETE" }]);
    expect(await stack.resource("payments")).toBeUndefined();
  });
});

describe("an imported project (plugin; nothing can be imported through the dynamic provider)", () => {
  it("is released by destroy, and deleted where onDestroy is set to it", async () => {
    const { sandbox, stack } = await setUpStack({
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
