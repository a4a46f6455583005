/** How a project came into the stack decides what destroying does, unless `onDestroy` is set. */
import {
  bothProviders,
  errorsOf,
  messagesOf,
  projectNamed,
  projectsProgram,
  writes,
} from "../../engine/support/project-program";
import { keepDefault, succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";
import { holdPayments, startAdoption } from "./payments";

afterEach(tearDownStacks);

describe.each(bothProviders)("destroying (%s)", (provider) => {
  it("deletes what the stack created and releases what it adopted, unless onDestroy declares otherwise", async () => {
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed: { projects: [{ name: "adopted", tags: ["PROD"] }, { name: "adopted-deleted" }] } },
      program: (service) => {
        const { orgId } = service;
        const [adopted, adoptedDeleted] = service.state.projects.map(({ id }) => id);
        return projectsProgram({
          created: { properties: { orgId, name: "created" } },
          createdReleased: { properties: { orgId, name: "created-released", onDestroy: "release" } },
          adopted: { properties: { projectId: adopted, tags: ["EU"] } },
          adoptedDeleted: { properties: { projectId: adoptedDeleted, onDestroy: "delete" } },
        });
      },
    });
    await succeeded(stack.up());
    const deleted = ["created", "adopted-deleted"].map((name) => projectNamed(sandbox, name).id);
    sandbox.clearRequests();
    const destroy = await succeeded(stack.destroy());
    expect(destroy.changes).toEqual({ delete: 4 });
    for (const { id, name } of sandbox.state.projects) {
      const origin = name === "adopted" ? "adopted" : "created";
      expect(messagesOf(destroy)).toContain(
        `Project ${id} ("${name}", ${origin}) was released: it stays in the service with its members.`,
      );
    }
    const sent = writes(sandbox).map(({ method, path }) => `${method} ${path}`);
    expect(sent.sort()).toEqual(deleted.map((id) => `DELETE /groups/${id}`).sort());
    expect(sandbox.state.projects.map(({ name }) => name).sort()).toEqual(["adopted", "created-released"]);
    expect(projectNamed(sandbox, "adopted").tags).toEqual(["EU"]);
    expect((await stack.state()).resources).toEqual([]);
  });

  it("fails with an error that names the correction if Ops Manager refuses because of backups, and the state keeps the project", async () => {
    const { sandbox, stack, id, record } = await holdPayments({}, { provider });
    sandbox.changeProject(id, { hasBackups: true });
    expect(await errorsOf(stack.destroy())).toMatch(
      new RegExp(
        `Deleting project ${id} failed.*CANNOT_CLOSE_GROUP_ACTIVE_BACKUP.*onDestroy to "release"`,
        "s",
      ),
    );
    expect(await record()).toMatchObject({ id });
    sandbox.changeProject(id, { hasBackups: false });
    await succeeded(stack.destroy());
    expect(sandbox.state.projects).toEqual([]);
  });
});

// Nothing can be imported into a dynamic resource.
it("an imported project is released by destroy, and deleted where onDestroy is set to it", async () => {
  const { sandbox, stack, id, outputs, declareCreated } = await startAdoption();
  const importIt = () => stack.import("opsmanager:index:Project", "payments", id);
  await succeeded(importIt());
  for (const onDestroy of [undefined, "release"]) {
    await declareCreated({ tags: ["OLD"], onDestroy });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect(await outputs()).toMatchObject({ origin: "imported", onDestroy: "release" });
  }
  await succeeded(stack.destroy());
  expect(sandbox.project(id)).toBeDefined();
  await succeeded(importIt());
  await declareCreated({ onDestroy: "delete" });
  await succeeded(stack.up());
  await succeeded(stack.destroy());
  expect(sandbox.project(id)).toBeUndefined();
});

it("a project whose organization and name another resource declares is retained by a replacement that deletes first", async () => {
  keepDefault("refreshBeforeUpdate", "the messages are counted");
  const { sandbox, stack, id, orgId } = await holdPayments();
  const elsewhere = sandbox.addOrg({ name: "Elsewhere" }).id;
  const options = { deleteBeforeReplace: true };
  await stack.setProgram(
    projectsProgram({
      other: { properties: { orgId, name: "payments" } },
      payments: { properties: { orgId: elsewhere, name: "payments" }, options },
    }),
  );
  const up = await stack.up();
  expect(messagesOf(up, "error")).toContain(`already has a project named "payments": ${id}`);
  expect(messagesOf(up, "info")).toMatch(
    new RegExp(`Project ${id} was kept because \\S+::other declares it\\.`),
  );
  expect(sandbox.project(id)?.orgId).toBe(orgId);
});
