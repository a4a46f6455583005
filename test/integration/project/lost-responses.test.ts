/** The response to the POST or DELETE of a project was lost. */
import { errorsOf, messagesOf, projectNamed, projectProgram } from "../../engine/support/project-program";
import { succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";
import { shortWaits } from "../short-waits";

afterEach(tearDownStacks);

const lostPost = { method: "POST", pathPattern: "/groups$", fault: "reset-after-write" } as const;
const listOf = (...results: object[]) => ({
  method: "GET",
  pathPattern: "/orgs/\\w+/groups",
  fault: { status: 200, body: { results, totalCount: results.length } },
});

async function setUpPayments(properties = {}, options: Partial<Parameters<typeof setUpStack>[0]> = {}) {
  return setUpStack({
    ...options,
    program: ({ orgId }) => projectProgram({ orgId, name: "payments", ...properties }),
  });
}

/** Another program creates the project after the provider has found none, and the POST fails. */
async function setUpRace(tags: readonly string[], ...setup: Parameters<typeof setUpPayments>) {
  const { sandbox, stack } = await setUpPayments(...setup);
  sandbox.addFault(listOf());
  sandbox.addFault({ ...lostPost, fault: { status: 502 } });
  const { id } = sandbox.addProject({ name: "payments", tags });
  return { sandbox, stack, id };
}

describe("a project whose response to the POST was lost", () => {
  // Two stacks created the same name at the same moment. Both recorded it as created, and the destroy of one deleted it.
  it("is released by destroy, because another program may have created it", async () => {
    const { sandbox, stack, id } = await setUpRace(["OTHERS"]);
    expect(messagesOf(await succeeded(stack.up()), "warning")).toBe(
      `The response to creating project "payments" in organization ${sandbox.orgId} was lost, and the organization has a project of that name now: ${id}. Another program may have created it, so it is recorded as adopted. Destroying leaves it in the service. If it is yours, declare onDestroy: "delete", and destroying deletes it.`,
    );
    expect(await stack.resource("payments")).toMatchObject({
      id,
      outputs: { origin: "adopted", onDestroy: "release", tags: ["OTHERS"] },
    });
    await succeeded(stack.destroy());
    expect(sandbox.project(id)?.name).toBe("payments");
  });

  it("is deleted by destroy if the program requires it, and a warning announces it", async () => {
    const { sandbox, stack } = await setUpPayments({ onDestroy: "delete" });
    sandbox.addFault(lostPost);
    const warning = messagesOf(await succeeded(stack.up()), "warning");
    const { id } = projectNamed(sandbox, "payments");
    expect(warning).toBe(
      `The response to creating project "payments" in organization ${sandbox.orgId} was lost, and the organization has a project of that name now: ${id}. Another program may have created it, so it is recorded as adopted. Destroying deletes it, because the program declares onDestroy: "delete". If it is not yours, remove that line before you destroy.`,
    );
    expect(await stack.resource("payments")).toMatchObject({
      outputs: { origin: "adopted", onDestroy: "delete" },
    });
    await succeeded(stack.destroy());
    expect(sandbox.state.projects).toEqual([]);
  });

  // An entry of a list without tags counted as one without any, and the tags of others were removed.
  it("keeps the tags that ignoreTags names although the organization's list does not show them", async () => {
    const { sandbox, stack, id } = await setUpRace(
      ["K8S_1"],
      { tags: ["PROD"], ignoreTags: ["K8S_*"] },
      { sandbox: { orgProjectFields: "without-tags-and-mappings" } },
    );
    await succeeded(stack.up());
    expect(sandbox.project(id)?.tags).toEqual(["K8S_1", "PROD"]);
  });

  it("is an error with their number if several projects have the name afterwards", async () => {
    const { sandbox, stack } = await setUpRace([], {}, { sandbox: { allowDuplicateNames: true } });
    sandbox.addProject({ name: "payments" });
    expect(await errorsOf(stack.up())).toMatch(
      / A read afterwards found 2 projects named "payments"\. Run pulumi up again; if the project exists by then, adopt it by its projectId\.$/,
    );
    expect(await stack.resource("payments")).toBeUndefined();
  });

  it("is recorded as the organization's list shows it if it cannot be read by itself", async () => {
    const { sandbox, stack, id } = await setUpRace(["OTHERS"]);
    sandbox.addFault({ method: "GET", pathPattern: `/groups/${id}`, times: 0, fault: { status: 403 } });
    await succeeded(stack.up());
    expect((await stack.resource("payments"))?.outputs).toEqual({
      projectId: id,
      orgId: sandbox.orgId,
      name: "payments",
      tags: ["OTHERS"],
      origin: "adopted",
      onDestroy: "release",
      tagsVisible: true,
    });
  });
});

describe("the deletion of a project that Ops Manager does not know any more", () => {
  const unknown = { status: 404, body: { error: 404, errorCode: "GROUP_NOT_FOUND", detail: "No group." } };

  async function setUpDeletion(listed: number, fault: { status: number } = unknown) {
    const { sandbox, stack } = await setUpPayments(
      {},
      { config: { "opsmanager:refreshBeforeUpdate": false } },
    );
    await succeeded(stack.up());
    const { id, orgId } = projectNamed(sandbox, "payments");
    sandbox.addFault({ method: "DELETE", fault });
    if (listed > 0) sandbox.addFault({ ...listOf({ id, name: "payments", orgId }), times: listed });
    sandbox.addFault({ ...listOf(), times: 0 });
    return { stack, waits: shortWaits() };
  }

  it.each([
    [0, []],
    [1, [500]],
    [3, [500, 1000, 2000]],
  ])("is done although the organization lists the project %i times more", async (listed, expected) => {
    const { stack, waits } = await setUpDeletion(listed);
    await succeeded(stack.destroy());
    expect(waits).toEqual(expected);
    expect(await stack.resource("payments")).toBeUndefined();
  });

  it("fails while the organization keeps listing the project, and the state keeps it", async () => {
    const { stack, waits } = await setUpDeletion(4);
    expect(await errorsOf(stack.destroy())).toContain("GROUP_NOT_FOUND");
    expect(waits).toEqual([500, 1000, 2000]);
    expect(await stack.resource("payments")).toMatchObject({ outputs: { name: "payments" } });
  });

  it("fails at once if Ops Manager refuses it for another reason, although the organization lists no project", async () => {
    const { stack, waits } = await setUpDeletion(0, { status: 403 });
    expect(await errorsOf(stack.destroy())).toContain("403");
    expect(waits).toEqual([]);
    expect(await stack.resource("payments")).toMatchObject({ outputs: { name: "payments" } });
  });
});
