/**
 * The component as the plugin constructs it for programs in other languages than Node.js. The files
 * declare the same resources there, so the other tests of this folder hold for them too.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { keepDefault, succeeded } from "../../support";
import {
  attachPlugin,
  doings,
  setUpAccessFolder,
  useYaml,
  writeFiles,
  writeProjectFiles,
} from "../support/access-folder";
import { errorsOf, writes } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";
import { ada, orgId, owner, seed } from "../teams/support";

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
  const setup = await setUpAccessFolder({
    provider: "plugin",
    files: ({ orgId }) => ({
      "../eu/projects/payments.yaml": fileOf(orgId, "payments", { tagz: [] }),
      "../us/projects/billing.yaml": fileOf(orgId, "billing"),
    }),
  });
  const { sandbox, stack } = setup;
  const declare = (orgId: object) => {
    const us = { folder: "us", ...orgId };
    const type = "opsmanager:AccessFolder";
    const resources = { eu: { type, properties: { folder: "eu" } }, us: { type, properties: us } };
    return useYaml(setup, resources, { eu: "${eu.projects}", us: "${us.projects}" });
  };
  // The first fault ends a preview, so each has one of its own.
  await declare({});
  const inFiles = await errorsOf(stack.preview());
  expect(inFiles).toContain("There is a fault in the files; nothing was changed:\n");
  expect(inFiles).toContain("tagz is not a property. Did you mean tags?");
  await declare({ select: { orgId: "eu" } });
  await writeProjectFiles(setup, { "../eu/projects/payments.yaml": fileOf(sandbox.orgId, "payments") });
  const inArguments = await errorsOf(stack.preview());
  expect(inArguments).toContain('AccessFolder "us": select.orgId must be the id of an organization');
  expect(inFiles + inArguments).not.toContain("fault of the provider");
  expect(writes(sandbox)).toEqual([]);

  await declare({});
  await writeProjectFiles(setup, { "../us/projects/billing.yaml": fileOf(unknownOrganization, "billing") });
  // The failure ends the program, and then the engine begins nothing: the other component is on its way by then.
  sandbox.addFault({ pathPattern: unknownOrganization, fault: { delayMs: 2_000 } });
  const failed = await errorsOf(stack.up({ continueOnError: true }));
  expect(failed).toContain("us is not complete, because billing failed: see the message of billing.");
  expect(failed).not.toContain("fault of the provider");
  expect(sandbox.state.projects.map(({ name }) => name)).toEqual(["payments"]);

  await writeProjectFiles(setup, { "../us/projects/billing.yaml": fileOf(sandbox.orgId, "billing") });
  expect(doings(await succeeded(stack.up()))).toEqual(
    expect.arrayContaining(["create Project billing", "create ProjectMember billing/ada@example.com"]),
  );
  const { eu, us } = await stack.outputs();
  expect([eu, us].map((projects) => Object.keys(projects ?? {}))).toEqual([["payments"], ["billing"]]);
});

it("a component that moves below another one keeps what its files declare, by the alias of its old parent or URN", async () => {
  keepDefault("refreshBeforeUpdate", "the error names what the stack holds, which the run has read");
  const setup = await setUpStack({
    provider: "dynamic",
    sandbox: { orgUserChanges: "offered", bypassInvitations: true, seed: { ...seed, projects: [] } },
    config: { "opsmanager:orgId": orgId },
    program: () => ({}),
  });
  await attachPlugin(setup);
  const { sandbox, stack } = setup;
  const { program: folder } = stack.paths;
  /** As an SDK of another language asks for it. */
  const use = (options: string) =>
    writeFile(
      join(folder, "index.js"),
      [
        'const pulumi = require("@pulumi/pulumi");',
        'const platform = new pulumi.ComponentResource("acme:index:Platform", "platform");',
        `const args = [${JSON.stringify({ folder })}, ${options}];`,
        'new pulumi.ComponentResource("opsmanager:index:AccessFolder", "access", ...args, true);',
      ].join("\n"),
    );
  await use("{}");
  await writeFiles(setup, {
    "projects/payments.yaml": `name: payments\nmembers: { ${owner}: [GROUP_OWNER] }`,
    "teams/operators.yaml": `name: operators\nusernames: [${ada}]`,
    "organizations/acme.yaml": `key: acme\nmembers: { ${ada}: [ORG_READ_ONLY] }`,
  });
  await succeeded(stack.up());
  const [urn, project] = await Promise.all(
    ["access", "payments"].map(async (name) => (await stack.resource(name))?.urn),
  );
  sandbox.clearRequests();

  await use("{ parent: platform }");
  // The team has an error of its own, which may end the preview first.
  expect(await errorsOf(stack.preview({ exclude: "**::operators" }))).toContain(
    `This stack holds it as ${project}. If that is this resource under its old name or parent, declare the alias: in the program by aliases: ["${project}"], for a project file by aliases of its AccessFolder with the old URN of that component.`,
  );
  for (const alias of [JSON.stringify(urn), "{ parent: pulumi.rootStackResource }"]) {
    await use(`{ parent: platform, aliases: [${alias}] }`);
    expect({ alias, steps: doings(await succeeded(stack.preview())) }).toEqual({ alias, steps: [] });
  }
  expect(doings(await succeeded(stack.up()))).toEqual([]);
  expect(writes(sandbox)).toEqual([]);
});
