/** What a review found before the release; each test describes the fault. */

import { paymentsOn } from "../engine/support/payments";
import { bothProviders, errorsOf, projectProgram } from "../engine/support/project-program";
import { succeeded } from "../support";
import { setUpStack, tearDownStacks } from "../support/model-stack";

const { createPayments } = paymentsOn(setUpStack);

afterEach(tearDownStacks);

/** Diff ignored `orgId` as requested, but the update still refused because of it. */
it.each(bothProviders)(
  "leaves a moved project's organization alone where ignoreChanges names it (%s)",
  async (provider) => {
    const { sandbox, stack, id } = await createPayments(
      { tags: ["PROD"] },
      { provider, options: { ignoreChanges: ["orgId"] } },
    );
    sandbox.changeProject(id, { orgId: sandbox.addOrg({ name: "Other Org" }).id });
    await stack.setProgram(
      projectProgram(
        { orgId: sandbox.orgId, name: "payments", tags: ["URGENT"] },
        { ignoreChanges: ["orgId"] },
      ),
    );
    await succeeded(stack.up());
    expect(sandbox.project(id)?.tags).toEqual(["URGENT"]);
  },
);

/**
 * The first key saw tags, so `ignoreTags` kept those of others. The second key may not see them: responses come without
 * `tags`, and the recorded ones, which leave out what is ignored, stood in for them. The next change of tags would have
 * removed the tags of others unseen.
 */
it("keeps the tags of others if the key no longer sees tags", async () => {
  const { sandbox, stack, id } = await createPayments(
    { tags: ["A"], ignoreTags: ["K8S_*"] },
    { sandbox: { tagsWithoutGlobalRole: "hide" } },
  );
  sandbox.changeProject(id, { tags: ["A", "K8S_X"] });
  await succeeded(stack.up());
  sandbox.changeKey(sandbox.publicKey, { roles: [{ orgId: sandbox.orgId, roleName: "ORG_OWNER" }] });

  await stack.setProgram(
    projectProgram({ orgId: sandbox.orgId, name: "payments", tags: ["A", "B"], ignoreTags: ["K8S_*"] }),
  );
  expect(await errorsOf(stack.up())).toContain("ignoreTags cannot be applied");
  expect(sandbox.project(id)?.tags).toEqual(["A", "K8S_X"]);
});

/** A counter of another kind failed every read, and with it every preview, up and destroy. */
it("does not fail on counters that are not as documented", async () => {
  const { sandbox, stack } = await setUpStack({
    program: ({ orgId }) => projectProgram({ orgId, name: "payments" }),
  });
  const odd = {
    id: "5f00000000000000000000a1",
    name: "payments",
    orgId: sandbox.orgId,
    hostCounts: { primary: null },
  };
  sandbox.addFault({ method: "POST", fault: { status: 201, body: JSON.stringify(odd), afterWrite: false } });
  const up = await stack.up();
  expect(up.exitCode).toBe(0);
  expect(await stack.resource("payments")).toMatchObject({ id: odd.id });
});
