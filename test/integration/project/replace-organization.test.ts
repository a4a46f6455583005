/** A Project is replaced because its organization changes, on a service that accepts a deletion (202) and finishes it later. */
import { setTimeout as pause } from "node:timers/promises";
import type { Sandbox } from "../../../sandbox";
import { bothProviders, projectNamed, projectProgram, writes } from "../../engine/support/project-program";
import { succeeded } from "../../support";
import { type Run, type Stack, setUpStack, tearDownStacks } from "../../support/model-stack";

afterEach(tearDownStacks);

/** Nothing is finished until the test advances the clock. */
const hour = 3600;

/** Runs `up`, and completes the deletions after the service has refused the name. */
async function upWhileNameIsTaken(sandbox: Sandbox, stack: Stack): Promise<Run> {
  const up = succeeded(stack.up());
  let isOver = false;
  const ended = up.finally(() => {
    isOver = true;
  });
  while (!isOver && !writes(sandbox).some(({ method }) => method === "POST")) await pause(10);
  sandbox.advanceClock(hour);
  return ended;
}

it.each(bothProviders)(
  "a Project moves to another organization and back while deleted ones are still listed and hold their names (%s)",
  async (provider) => {
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: {
        seed: { orgs: [{ name: "One" }, { name: "Two" }] },
        deleteProjectStatus: "202",
        deletedProjectListedSeconds: hour,
        deletedProjectNameSeconds: hour,
      },
      program: ({ orgId }) => projectProgram({ orgId, name: "payments", tags: ["PROD"] }),
    });
    const [one = "", two = ""] = sandbox.state.orgs.map(({ id }) => id);
    sandbox.changeKey(sandbox.publicKey, { roles: [{ roleName: "GLOBAL_OWNER" }] });
    const moveTo = (orgId: string, options?: { deleteBeforeReplace: boolean }) => {
      sandbox.clearRequests();
      return stack.setProgram(projectProgram({ orgId, name: "payments", tags: ["PROD"] }, options));
    };
    const sent = () =>
      writes(sandbox).map(({ method, path }) => (method === "DELETE" ? `${method} ${path}` : method));
    const expectOneProjectIn = async (orgId: string) => {
      const { id } = projectNamed(sandbox, "payments");
      expect(sandbox.project(id)).toMatchObject({ orgId, tags: ["PROD"] });
      expect(await stack.resource("payments")).toMatchObject({ id, outputs: { orgId, origin: "created" } });
      sandbox.clearRequests();
      await succeeded(stack.refresh({ expectNoChanges: true }));
      expect((await succeeded(stack.up({ expectNoChanges: true }))).changes).toEqual({ same: 1 });
      expect(writes(sandbox)).toEqual([]);
      return id;
    };
    await succeeded(stack.up());
    const first = await expectOneProjectIn(one);

    // The new one is created before the old one is deleted, because the name is free in the other organization.
    await moveTo(two);
    await succeeded(stack.up());
    expect(sent()).toEqual(["POST", "PATCH", `DELETE /groups/${first}`]);
    const second = await expectOneProjectIn(two);

    // The deleted project is still listed in the first organization. It is not adopted, and its name is waited for.
    await moveTo(one);
    await upWhileNameIsTaken(sandbox, stack);
    expect(sent()).toEqual(["POST", "POST", "PATCH", `DELETE /groups/${second}`]);
    const third = await expectOneProjectIn(one);
    expect(third).not.toBe(first);

    // The same, with the deletion before the creation.
    await moveTo(two, { deleteBeforeReplace: true });
    await upWhileNameIsTaken(sandbox, stack);
    expect(sent()).toEqual([`DELETE /groups/${third}`, "POST", "POST", "PATCH"]);
    await expectOneProjectIn(two);
  },
);
