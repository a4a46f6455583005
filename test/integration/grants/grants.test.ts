/** ProjectTeam and ProjectApiKey: the roles of a team or an API key in one project, the same stories for both. */

import { nothing, upAgain } from "../../engine/support/people-program";
import {
  bothProviders,
  changedPaths,
  emptyProgram,
  errorsOf,
  messagesOf,
  operations,
  writes,
} from "../../engine/support/project-program";
import { keepDefault, succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import { refusal } from "../refusal";
import {
  grant,
  grantCases,
  holdGrant,
  orgId,
  otherProjectId,
  projectId,
  projectOwner,
  reader,
  startGrants,
} from "./grants";

afterEach(tearDownStacks);

const notAllowed = refusal(403, "NOT_ALLOWED");

describe.each(grantCases)("$kind", (which) => {
  const { kind, text, noun, id, byId, byName, name, path, first, give, rolesOf } = which;
  const unreadable = { method: "GET", pathPattern: path, fault: notAllowed };
  const keepsRoles = `${text} keeps its roles in project ${projectId} because`;

  it.each(bothProviders)(
    "gives a holder its roles, corrects them, changes them, and takes those in the project alone (%s)",
    async (provider) => {
      keepDefault("refreshBeforeUpdate", "a plain up corrects what was changed outside Pulumi");
      const setup = await startGrants({ access: grant(which) }, { provider });
      const { sandbox, stack, declare } = setup;
      await succeeded(stack.up());
      expect(writes(sandbox)).toMatchObject([first]);
      expect(await stack.resource("access")).toMatchObject({
        id: `${projectId}/${id}`,
        outputs: { ...byId, ...byName, roles: [reader], orgId, origin: "created", onDestroy: "remove" },
      });
      expect(await upAgain(setup)).toEqual(nothing);

      give(sandbox, [projectOwner]);
      await succeeded(stack.up());
      expect(rolesOf(sandbox).here).toEqual([reader]);
      give(sandbox, []);
      await succeeded(stack.up());
      expect(rolesOf(sandbox).here).toEqual([reader]);

      const roles = ["GROUP_MONITORING_ADMIN", reader];
      await declare({ access: grant(which, { roles }) });
      const { writes: change } = await upAgain(setup);
      expect(change.map(({ method }) => method)).toEqual(["PATCH"]);
      expect(rolesOf(sandbox).here).toEqual(roles);
      await declare({ access: grant(which, { roles, onDestroy: "release" }) });
      expect(await upAgain(setup)).toEqual({ changes: { update: 1 }, writes: [] });
      await declare({ access: grant(which, { roles, ...byId }) });
      await succeeded(stack.up());
      expect(operations(await succeeded(stack.up()))).toEqual({ access: "same" });

      await stack.setProgram(emptyProgram);
      expect((await upAgain(setup)).writes).toHaveLength(1);
      expect(rolesOf(sandbox)).toEqual({ here: [], elsewhere: 1 });
    },
  );

  it.each([
    { onDestroy: "remove", end: " From now on this resource manages the roles of" },
    { onDestroy: "release", end: "" },
  ])("adopts roles that a holder has already, and says what $onDestroy means", async ({ onDestroy, end }) => {
    const { sandbox, stack, declare } = await startGrants({ access: grant(which, { onDestroy }) });
    const copy = await stack.copy({});
    give(sandbox, [projectOwner]);
    const found = `${text} has roles in project ${projectId} already: roles ${projectOwner} become ${reader}.`;
    const message = new RegExp(`^${found}${end === "" ? "$" : end}`);
    for (const verb of ["preview", "up"] as const)
      expect(messagesOf(await succeeded(stack[verb]()))).toMatch(message);
    expect(rolesOf(sandbox).here).toEqual([reader]);
    // What is as declared is adopted without a request.
    expect(await upAgain({ sandbox, stack: copy })).toEqual({ changes: { create: 1 }, writes: [] });
    await declare({ access: grant(which, { onDestroy, roles: [projectOwner] }) });
    await succeeded(stack.up());
    expect((await stack.resource("access"))?.outputs).toMatchObject({ origin: "adopted", onDestroy });
    await succeeded(stack.destroy());
    expect(rolesOf(sandbox).here).toEqual(onDestroy === "remove" ? [] : [projectOwner]);
  });

  it("shows other roles as drift, and keeps those that ignoreChanges names unless all were taken", async () => {
    const { sandbox, stack, change, outputs } = await holdGrant(which, {
      config: { refreshBeforeUpdate: false },
    });
    give(sandbox, [projectOwner]);
    expect(changedPaths(await succeeded(stack.preview({ refresh: true })), "access")).toEqual({
      "roles[0]": "update",
    });
    await change({ roles: ["GROUP_USER_ADMIN"] });
    expect(messagesOf(await succeeded(stack.preview()))).toBe(
      `Roles of ${noun} ${name} changed in the service since they were recorded: GROUP_OWNER become GROUP_USER_ADMIN.`,
    );
    const options = { ignoreChanges: ["roles"] };
    await change({ onDestroy: "release" }, options);
    await succeeded(stack.up());
    expect(rolesOf(sandbox).here).toEqual([projectOwner]);
    give(sandbox, []);
    await change({ onDestroy: "remove" }, options);
    await succeeded(stack.up());
    expect(rolesOf(sandbox).here).toEqual([reader]);
    expect(await outputs()).toMatchObject({ origin: "created" });
  });

  // Only a read shows that both mean one holder.
  it("is an error beside another one for the same holder, by its ID and by its name, new or imported", async () => {
    const other = grant(which, { roles: [projectOwner] });
    const { sandbox, stack } = await startGrants({ one: grant(which, byId), other });
    const taken = `in project ${projectId} is already declared by`;
    expect(await errorsOf(stack.up())).toContain(taken);
    expect(rolesOf(sandbox).here).toEqual([reader]);
    await succeeded(stack.import(kind, "other", `${projectId}/${id}`));
    sandbox.clearRequests();
    expect(await errorsOf(stack.up())).toContain(taken);
    expect(writes(sandbox)).toEqual([]);
  });

  it("is refused in the preview for a holder that the organization does not have", async () => {
    const { sandbox, stack } = await startGrants({ access: grant(which, which.unknown) });
    const [property, unknown] = Object.entries(which.unknown)[0] ?? [];
    expect(await errorsOf(stack.preview())).toContain(
      `Organization ${orgId} has no ${noun} "${unknown}" that these credentials can see. Check ${property}, or create the ${noun} first; one of another organization cannot have roles in project ${projectId}. Nothing was written.`,
    );
    expect(writes(sandbox)).toEqual([]);
  });

  it("is refused if the organization of the project, its holders or its grants cannot be read", async () => {
    const { sandbox, stack } = await startGrants({ access: grant(which) });
    const refusedWith = async (fault: object, error: string) => {
      sandbox.addFault({ method: "GET", times: 0, fault: notAllowed, ...fault });
      for (const verb of ["preview", "up"] as const) expect(await errorsOf(stack[verb]())).toContain(error);
      sandbox.clearFaults();
    };
    await refusedWith(
      { pathPattern: `/groups/${projectId}$`, fault: { status: 403 } },
      `these credentials cannot read project ${projectId}, so its organization is not known.`,
    );
    await refusedWith({ pathPattern: "/orgs/.*" }, "403 NOT_ALLOWED");
    const listing = `Listing the ${noun}s of project ${projectId} failed: 403 NOT_ALLOWED`;
    await refusedWith({ pathPattern: path }, listing);
    expect(writes(sandbox)).toEqual([]);
  });

  it("reports roles that the service accepts and does not store, and records what it stores", async () => {
    const { sandbox, stack, change, outputs } = await holdGrant(which);
    await change({ roles: [projectOwner] });
    const accepted = `The service accepted ${projectOwner} for ${text.replace("Team", "team")} in project ${projectId}, but`;
    const ignore = () =>
      sandbox.addFault({ method: "PATCH", pathPattern: path, fault: { status: 200, body: {} } });
    ignore();
    expect(await errorsOf(stack.up())).toBe(`${accepted} it stored ${reader}.`);
    expect(await outputs()).toMatchObject({ roles: [reader] });
    ignore();
    await stack.before("PATCH", new RegExp(path), () => give(sandbox, []));
    expect(await errorsOf(stack.up())).toBe(`${accepted} it does not list the ${noun} there.`);
    give(sandbox, [reader]);
    await stack.before("PATCH", new RegExp(path), () => sandbox.addFault(unreadable));
    expect(await errorsOf(stack.up())).toContain("the result could not be read. Run pulumi up again");
  });

  it("is imported by its name and its ID, declared by the same, and the program has no difference", async () => {
    const { sandbox, stack } = await startGrants({ access: grant(which, byId) });
    give(sandbox, [reader]);
    for (const [imported, declared] of [
      [name, byName],
      [id.toUpperCase(), byId],
    ] as const) {
      const copy = await stack.copy({});
      await succeeded(copy.import(kind, "access", `${projectId}/${imported}`));
      expect(await copy.resource("access")).toMatchObject({
        id: `${projectId}/${id}`,
        inputs: { projectId, ...declared, roles: [reader] },
        outputs: { ...byName, orgId, origin: "imported", onDestroy: "remove" },
      });
      expect(await upAgain({ sandbox, stack: copy })).toEqual(nothing);
    }
  });

  it("imports no holder that is not in the project, none of a deleted project, and fails if none can be read", async () => {
    const { sandbox, stack } = await startGrants({});
    for (const place of [projectId, "5f00000000000000000000af"]) {
      for (const holder of [id, name]) {
        const run = await stack.import(kind, "access", `${place}/${holder}`);
        expect([run.exitCode, messagesOf(run, "error")]).toEqual([1, ""]);
      }
    }
    expect(await errorsOf(stack.import(kind, "access", projectId))).toContain(
      `does not name the roles of one ${noun} in a project: a ${kind} is imported by <projectId>/<`,
    );
    sandbox.addFault(unreadable);
    expect(await errorsOf(stack.import(kind, "access", `${projectId}/${id}`))).toContain("403");
  });

  it("stays recorded with a warning if it cannot be read, is not removed unseen, and leaves the state with its project or its roles", async () => {
    const { sandbox, stack } = await holdGrant(which);
    const before = await stack.resource("access");
    sandbox.addFault({ ...unreadable, times: 0 });
    expect(messagesOf(await succeeded(stack.refresh()))).toContain(
      `[unreadable] [${which.notice} ${projectId}] The ${noun}s of project ${projectId} cannot be read with these credentials, so the state keeps the last known values: `,
    );
    expect(await stack.resource("access")).toEqual(before);
    expect(await errorsOf(stack.destroy())).toContain("403 NOT_ALLOWED");
    expect(rolesOf(sandbox).here).toEqual([reader]);
    sandbox.clearFaults();
    for (const end of [() => give(sandbox, []), () => sandbox.removeProject(projectId)]) {
      const [destroyed, refreshed] = [await stack.copy({ refreshBeforeUpdate: false }), await stack.copy({})];
      end();
      sandbox.clearRequests();
      await succeeded(destroyed.destroy());
      await succeeded(refreshed.refresh());
      expect([await destroyed.resource("access"), await refreshed.resource("access")]).toEqual([
        undefined,
        undefined,
      ]);
      expect(writes(sandbox)).toEqual([]);
    }
  });

  it("takes nothing that another resource of the program declares", async () => {
    const { sandbox, stack, declare } = await holdGrant(which);
    for (const [resource, identity] of Object.entries({ one: byId, two: byName })) {
      await declare({ [resource]: grant(which, identity) });
      expect(messagesOf(await succeeded(stack.up()))).toContain(`${keepsRoles} urn:`);
    }
    expect(rolesOf(sandbox).here).toEqual([reader]);
  });

  it("counts for maxRemovalsPerRun, and not if it is released", async () => {
    const { sandbox, stack, change } = await holdGrant(which, { config: { maxRemovalsPerRun: 0 } });
    expect(await errorsOf(stack.destroy())).toContain(
      `${text} keeps its roles in project ${projectId}: this run would make 1 removal`,
    );
    expect(rolesOf(sandbox).here).toEqual([reader]);
    await change({ onDestroy: "release" });
    await succeeded(stack.up());
    expect(messagesOf(await succeeded(stack.destroy()))).toContain(
      `${text} was released and keeps its roles in project ${projectId}.`,
    );
    expect(rolesOf(sandbox).here).toEqual([reader]);
  });

  it("reports a rejected removal if the read afterwards is refused", async () => {
    const { sandbox, stack } = await holdGrant(which);
    await stack.before("DELETE", new RegExp(path), () => {
      sandbox.addFault({ method: "DELETE", fault: refusal(400, "NOT_NOW") });
      sandbox.addFault({ ...unreadable, fault: notAllowed });
    });
    expect(await errorsOf(stack.destroy())).toContain("400 NOT_NOW Not now.");
    expect(await stack.resource("access")).toBeDefined();
  });

  it("moves to another project by being given there first, and leaves the first one last", async () => {
    const { sandbox, stack, declare } = await holdGrant(which);
    await declare({ access: grant(which, { projectId: otherProjectId, roles: [projectOwner] }) });
    await succeeded(stack.up());
    expect(rolesOf(sandbox)).toEqual({ here: [], elsewhere: 1 });
  });
});
