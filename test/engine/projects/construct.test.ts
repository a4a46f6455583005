/**
 * The component as the plugin constructs it for programs in other languages than Node.js. The files
 * declare the same resources there, so the other tests of this folder hold for them too.
 */
import { succeeded } from "../../support";
import { doings, setUpProjectFolder, useYaml, writeProjectFiles } from "../support/project-folder";
import { errorsOf, writes } from "../support/project-program";
import { tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const unknownOrganization = "5f5f5f5f5f5f5f5f5f5f5f5f";

it("two components of one program are constructed at the same time: faults are their errors, and one fails without the other", async () => {
  const fileOf = (orgId: string, name: string, more = {}) => ({
    orgId,
    name,
    membership: "additive",
    members: { "ada@example.com": ["GROUP_OWNER"] },
    ...more,
  });
  const setup = await setUpProjectFolder({
    provider: "plugin",
    files: ({ orgId }) => ({
      "eu/payments.yaml": fileOf(orgId, "payments", { tagz: [] }),
      "us/billing.yaml": fileOf(unknownOrganization, "billing"),
    }),
  });
  const { sandbox, stack } = setup;
  const declare = (orgId: object) => {
    const eu = { folder: "projects", select: { folder: "eu" } };
    const us = { folder: "projects/us", ...orgId };
    const type = "opsmanager:ProjectFolder";
    const resources = { eu: { type, properties: eu }, us: { type, properties: us } };
    return useYaml(setup, resources, { eu: "${eu.projects}", us: "${us.projects}" });
  };
  await declare({ select: { orgId: "eu" } });
  const faults = await errorsOf(stack.preview());
  expect(faults).toContain("There is a fault in the project files; nothing was changed:\n");
  expect(faults).toContain("tagz is not a property. Did you mean tags?");
  expect(faults).toContain('ProjectFolder "us": select.orgId must be the id of an organization');
  expect(faults).not.toContain("fault of the provider");
  expect(writes(sandbox)).toEqual([]);

  await declare({});
  await writeProjectFiles(setup, { "eu/payments.yaml": fileOf(sandbox.orgId, "payments") });
  const failed = await errorsOf(stack.up({ continueOnError: true }));
  expect(failed).toContain("us is not complete, because billing failed: see the message of billing.");
  expect(failed).not.toContain("fault of the provider");
  expect(sandbox.state.projects.map(({ name }) => name)).toEqual(["payments"]);

  await writeProjectFiles(setup, { "us/billing.yaml": fileOf(sandbox.orgId, "billing") });
  expect(doings(await succeeded(stack.up()))).toEqual(
    expect.arrayContaining(["create Project billing", "create ProjectMember billing/ada@example.com"]),
  );
  const { eu, us } = await stack.outputs();
  expect([eu, us].map((projects) => Object.keys(projects ?? {}))).toEqual([["payments"], ["billing"]]);
});
