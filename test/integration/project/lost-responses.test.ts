/** The response to the POST or DELETE of a project was lost. */
import { errorsOf, messagesOf } from "../../engine/support/project-program";
import { succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import { shortWaits } from "../short-waits";
import { holdPayments, idOfPayments, startPayments } from "./payments";

afterEach(tearDownStacks);

const lostPost = { method: "POST", pathPattern: "/groups$", fault: "reset-after-write" } as const;
const listOf = (...results: object[]) => ({
  method: "GET",
  pathPattern: "/orgs/\\w+/groups",
  fault: { status: 200, body: { results, totalCount: results.length } },
});

/** Another program creates the project after the provider has found none, and the POST fails. */
async function setUpRace(tags: readonly string[], ...setup: Parameters<typeof startPayments>) {
  const started = await startPayments(...setup);
  const { sandbox } = started;
  sandbox.addFault(listOf());
  sandbox.addFault({ ...lostPost, fault: { status: 502 } });
  const { id } = sandbox.addProject({ name: "payments", tags });
  return { ...started, id };
}

describe("a project whose response to the POST was lost", () => {
  const found = (orgId: string, id: string) =>
    `Project "payments" (${id}) of organization ${orgId} is recorded as adopted: the response to creating it was lost, so another program may have created it.`;

  // Two stacks created the same name at the same moment. Both recorded it as created, and the destroy of one deleted it.
  it.each([
    { title: "is recorded as a read shows it", status: 200 },
    { title: "is recorded as the organization's list shows it if it cannot be read by itself", status: 403 },
  ])(
    "$title, and is released by destroy, because another program may have created it",
    async ({ status }) => {
      const { sandbox, stack, id, orgId, outputs } = await setUpRace(["OTHERS"]);
      const unread = { method: "GET", pathPattern: `/groups/${id}`, times: 0, fault: { status } };
      if (status !== 200) sandbox.addFault(unread);
      expect(messagesOf(await succeeded(stack.up()), "warning")).toBe(
        `${found(orgId, id)} Destroying leaves it in the service. If it is yours, declare onDestroy: "delete", and destroying deletes it.`,
      );
      const facts = { projectId: id, origin: "adopted", onDestroy: "release", tagsVisible: true };
      expect(await outputs()).toEqual({ ...facts, orgId, name: "payments", tags: ["OTHERS"] });
      sandbox.clearFaults();
      await succeeded(stack.destroy());
      expect(sandbox.project(id)).toBeDefined();
    },
  );

  it("is deleted by destroy if the program requires it, and a warning announces it", async () => {
    const { sandbox, stack, orgId, outputs } = await startPayments({ onDestroy: "delete" });
    sandbox.addFault(lostPost);
    const warning = messagesOf(await succeeded(stack.up()), "warning");
    expect(warning).toBe(
      `${found(orgId, idOfPayments(sandbox))} Destroying deletes it, because the program declares onDestroy: "delete". If it is not yours, remove that line before you destroy.`,
    );
    expect(await outputs()).toMatchObject({ origin: "adopted", onDestroy: "delete" });
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
    const { sandbox, stack, record } = await setUpRace([], {}, { sandbox: { allowDuplicateNames: true } });
    sandbox.addProject({ name: "payments" });
    expect(await errorsOf(stack.up())).toMatch(
      / A read afterwards found 2 projects named "payments"\. Run pulumi up again; if the project exists by then, adopt it by its projectId\.$/,
    );
    expect(await record()).toBeUndefined();
  });
});

const unknown = { status: 404, body: { error: 404, errorCode: "GROUP_NOT_FOUND", detail: "No group." } };

it.each([
  { title: "is done if the organization no longer lists it", listed: 0, waits: [] },
  { title: "is done although it is listed once more", listed: 1, waits: [500] },
  { title: "is done although it is listed three times more", listed: 3, waits: [500, 1000, 2000] },
  {
    title: "fails while the organization keeps listing it",
    listed: 4,
    waits: [500, 1000, 2000],
    error: "GROUP_NOT_FOUND",
  },
  {
    title: "fails at once for another reason, although it is not listed",
    listed: 0,
    waits: [],
    error: "403",
    fault: { status: 403 },
  },
])(
  "the deletion of a project that Ops Manager does not know any more $title",
  async ({ listed, waits: expected, error, fault = unknown }) => {
    const { sandbox, stack, id, orgId, record } = await holdPayments(
      {},
      { config: { "opsmanager:refreshBeforeUpdate": false } },
    );
    sandbox.addFault({ method: "DELETE", fault });
    if (listed > 0) sandbox.addFault({ ...listOf({ id, name: "payments", orgId }), times: listed });
    sandbox.addFault({ ...listOf(), times: 0 });
    const waits = shortWaits();
    if (error === undefined) await succeeded(stack.destroy());
    else expect(await errorsOf(stack.destroy())).toContain(error);
    expect(waits).toEqual(expected);
    expect((await record()) === undefined).toBe(error === undefined);
  },
);
