/** Design, "Read must not stop the world" and Identity: a project that vanished, or that lives elsewhere now. */
import { succeeded } from "../../support";
import { createEstate, disposeEstates } from "../support/estate";
import {
  doors,
  operations,
  projectNamed,
  projectProgram,
  said,
  timesSaid,
  writes,
} from "../support/project-program";

afterEach(disposeEstates);

/** The two ways in which versions of the service say that a project does not exist. */
const waysToSayGone = ["GROUP_NOT_FOUND", "NOT_IN_GROUP"] as const;

describe.each(doors)("a created project that was deleted by hand (%s)", (door) => {
  it.each(waysToSayGone)(
    "is made anew by a plain up, where the service answers %s",
    async (unknownProject) => {
      const { sandbox, stack } = await createEstate({
        door,
        sandbox: { unknownProject },
        program: ({ orgId }) => projectProgram({ orgId, name: "payments", tags: ["PROD"] }),
      });
      await succeeded(stack.up());
      const { id } = projectNamed(sandbox, "payments");
      sandbox.removeProject(id);

      await succeeded(stack.up());
      const anew = projectNamed(sandbox, "payments");
      expect(anew.id).not.toBe(id);
      expect(anew.tags).toEqual(["PROD"]);
      expect(await stack.resource("payments")).toMatchObject({ id: anew.id, outputs: { origin: "created" } });
      expect((await succeeded(stack.preview())).changes).toEqual({ same: 1 });
    },
  );
});

describe.each(doors)("an adopted project that was deleted by hand (%s)", (door) => {
  it("cannot be made anew: up ends with an error that names it, and nothing is written", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { seed: { projects: [{ name: "payments" }] } },
      program: (sandbox) => projectProgram({ projectId: projectNamed(sandbox, "payments").id }),
    });
    const { id } = projectNamed(sandbox, "payments");
    await succeeded(stack.up());
    sandbox.removeProject(id);

    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(said(up, "error")).toContain(id);
    expect(writes(sandbox)).toEqual([]);
    await succeeded(stack.refresh());
    expect(await stack.resource("payments")).toBeUndefined();
  });
});

describe.each(doors)("a project that this key may not see any more (%s)", (door) => {
  it("is not gone while its organization lists it: its last state is kept with one warning", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { seed: { projects: [{ name: "payments", tags: ["PROD"] }] } },
      program: (sandbox) =>
        projectProgram({ projectId: projectNamed(sandbox, "payments").id, tags: ["PROD"] }),
    });
    const { id } = projectNamed(sandbox, "payments");
    await succeeded(stack.up());
    // Sees the list of the organization's projects, and none of them from inside.
    sandbox.changeKey(sandbox.publicKey, { roles: [{ orgId: sandbox.orgId, roleName: "ORG_MEMBER" }] });

    const refresh = await succeeded(stack.refresh());
    expect(refresh.changes).toEqual({ same: 1 });
    expect(timesSaid(refresh, "[unreadable]")).toBe(1);
    expect(await stack.resource("payments")).toMatchObject({
      id,
      inputs: { tags: ["PROD"] },
      outputs: { tags: ["PROD"] },
    });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });

  it("is not gone either when nobody can confirm it: an error names baseUrl, and the state keeps it", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { seed: { projects: [{ name: "payments" }] } },
      program: (sandbox) => projectProgram({ projectId: projectNamed(sandbox, "payments").id }),
    });
    const { id } = projectNamed(sandbox, "payments");
    await succeeded(stack.up());
    sandbox.changeKey(sandbox.publicKey, { roles: [] });

    const refresh = await stack.refresh();
    expect(refresh.exitCode).not.toBe(0);
    expect(said(refresh, "error")).toMatch(new RegExp(`${id} seems to be gone.*Check baseUrl`, "s"));
    expect(await stack.resource("payments")).toMatchObject({ id });
  });
});

describe.each(doors)("a project that was moved to another organization by hand (%s)", (door) => {
  async function createMoved() {
    const { sandbox, stack } = await createEstate({
      door,
      program: ({ orgId }) => projectProgram({ orgId, name: "payments" }),
    });
    await succeeded(stack.up());
    const { id } = projectNamed(sandbox, "payments");
    const elsewhere = sandbox.addOrg({ name: "Elsewhere" });
    sandbox.changeKey(sandbox.publicKey, {
      roles: [{ roleName: "GLOBAL_OWNER" }, { orgId: sandbox.orgId, roleName: "ORG_OWNER" }],
    });
    sandbox.changeProject(id, { orgId: elsewhere.id });
    sandbox.clearRequests();
    return { sandbox, stack, id, recorded: sandbox.orgId, live: elsewhere.id };
  }

  it("keeps the recorded organization in the inputs and shows the live one in the outputs", async () => {
    const { stack, recorded, live } = await createMoved();
    await succeeded(stack.refresh());
    expect(await stack.resource("payments")).toMatchObject({
      inputs: { orgId: recorded },
      outputs: { orgId: live },
    });
  });

  it("is no change once the program names the organization where it lives now", async () => {
    const { sandbox, stack, id, live } = await createMoved();
    await stack.setProgram(projectProgram({ orgId: live, name: "payments" }));
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect(writes(sandbox)).toEqual([]);
    expect(await stack.resource("payments")).toMatchObject({ id });
  });

  it("is an update that ends with an error naming both while the program names the old one", async () => {
    const { sandbox, stack, id, recorded, live } = await createMoved();
    // Known difference: no guards in previews through the dynamic door.
    if (door === "plugin") expect(said(await stack.preview(), "error")).toContain(live);
    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(said(up, "error")).toContain(recorded);
    expect(said(up, "error")).toContain(live);
    expect(up.steps.filter(({ op, refreshed }) => op !== "update" && !refreshed)).toEqual([]);
    expect(writes(sandbox)).toEqual([]);
    expect(await stack.resource("payments")).toMatchObject({ id });
  });

  it("is replaced where the program names a third organization", async () => {
    const { sandbox, stack, id } = await createMoved();
    const third = sandbox.addOrg({ name: "Third" });
    await stack.setProgram(projectProgram({ orgId: third.id, name: "payments" }));

    expect(operations(await succeeded(stack.preview()))).toEqual({ payments: "replace" });
    await succeeded(stack.up());
    const anew = projectNamed(sandbox, "payments");
    expect(anew.orgId).toBe(third.id);
    expect(anew.id).not.toBe(id);
    expect(writes(sandbox).map(({ method }) => method)).toEqual(["POST", "DELETE"]);
  });
});
