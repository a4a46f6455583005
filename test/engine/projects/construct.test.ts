/**
 * The component as the plugin constructs it for programs in other languages than Node.js. The files
 * declare the same resources there, so the other tests of this folder hold for them too.
 */
import { succeeded } from "../../support";
import { doings, type FileContents, recorded, setUpProjectFolder, useYaml } from "../support/project-folder";
import { errorsOf, writes } from "../support/project-program";
import { type StackSetup, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const unknownOrganization = "5f5f5f5f5f5f5f5f5f5f5f5f";

const fileOf = (orgId: string, name = "payments") => ({
  orgId,
  name,
  membership: "additive",
  members: { "ada@example.com": ["GROUP_OWNER"] },
});

/** Components by name, with the arguments of each. */
function writeInYaml(setup: StackSetup, components: Readonly<Record<string, object>>): Promise<void> {
  const typed = Object.entries(components).map(([component, properties]) => [
    component,
    { type: "opsmanager:ProjectFolder", properties },
  ]);
  const outputs = Object.keys(components).map((name) => [name, `\${${name}.projects}`]);
  return useYaml(setup, Object.fromEntries(typed), Object.fromEntries(outputs));
}

function setUp(files: (orgId: string) => FileContents): Promise<StackSetup> {
  return setUpProjectFolder({ provider: "plugin", files: ({ orgId }) => files(orgId) });
}

it("a program in YAML declares what a Node.js program declared, so moving between them changes nothing", async () => {
  const setup = await setUp((orgId) => ({ "payments.yaml": fileOf(orgId) }));
  const { stack, sandbox } = setup;
  await succeeded(stack.up());
  const before = { resources: await recorded(setup), outputs: await stack.outputs() };
  sandbox.clearRequests();
  await writeInYaml(setup, { projects: { folder: "projects" } });
  const moved = await succeeded(stack.up());
  expect(doings(moved)).toEqual([]);
  expect(writes(sandbox)).toEqual([]);
  expect({ resources: await recorded(setup), outputs: await stack.outputs() }).toEqual(before);
});

it("two components of one program are constructed at the same time, each with its own files", async () => {
  const setup = await setUp((orgId) => ({
    "eu/payments.yaml": fileOf(orgId),
    "us/billing.yaml": fileOf(orgId, "billing"),
  }));
  await writeInYaml(setup, {
    eu: { folder: "projects", select: { folder: "eu" } },
    us: { folder: "projects/us" },
  });
  const run = await succeeded(setup.stack.up());
  expect(doings(run)).toEqual([
    "create Project billing",
    "create Project payments",
    "create ProjectFolder eu",
    "create ProjectFolder us",
    "create ProjectMember billing/ada@example.com",
    "create ProjectMember payments/ada@example.com",
  ]);
  const { eu, us } = await setup.stack.outputs();
  expect([eu, us].map((projects) => Object.keys(projects as object))).toEqual([["payments"], ["billing"]]);
});

it("all faults of the files and options are errors of the component, and nothing is declared", async () => {
  const setup = await setUp((orgId) => ({ "payments.yaml": { ...fileOf(orgId), tagz: [] } }));
  await writeInYaml(setup, {
    files: { folder: "projects" },
    options: { folder: "projects", select: { orgId: "eu" } },
  });
  const errors = await errorsOf(setup.stack.preview());
  expect(errors).toContain("There is a fault in the project files; nothing was changed:\n");
  expect(errors).toContain("tagz is not a property. Did you mean tags?");
  expect(errors).toContain('ProjectFolder "options": select.orgId must be the id of an organization');
  expect(errors).not.toContain("fault of the provider");
});

it("a component whose project fails refers to the message of that project", async () => {
  const setup = await setUp(() => ({ "payments.yaml": fileOf(unknownOrganization) }));
  await writeInYaml(setup, { projects: { folder: "projects" } });
  const errors = await errorsOf(setup.stack.up({ continueOnError: true }));
  expect(errors).toContain("projects is not complete, because payments failed: see the message of payments.");
  expect(errors).not.toContain("fault of the provider");
});
