/** Names of projects that pass from one resource of a program to another, and names that two resources have. */
import { type Sandbox, startSandbox } from "../../../sandbox";
import {
  bothProviders,
  errorsOf,
  operations,
  projectNamed,
  projectsProgram,
  writes,
} from "../../engine/support/project-program";
import { connectPlugin } from "../../proof/plugin-connection";
import { type ProviderKind, succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";
import { shortWaits } from "../short-waits";

afterEach(tearDownStacks);

/** A resource for each of these names, which depends on another one if it names it. */
function program(orgId: string, names: Readonly<Record<string, string | readonly [string, string]>>) {
  const declarations = Object.entries(names).map(([resource, given]) => {
    const [name, first] = [given].flat();
    const options = first === undefined ? {} : { options: { dependsOn: [`\${${first}}`] } };
    return [resource, { properties: { orgId, name }, ...options }] as const;
  });
  return projectsProgram(Object.fromEntries(declarations));
}

async function holding(names: Readonly<Record<string, string>>, provider: ProviderKind = "plugin") {
  const setup = await setUpStack({ provider, program: ({ orgId }) => program(orgId, names) });
  await succeeded(setup.stack.up());
  setup.sandbox.clearRequests();
  const declare = (next: Parameters<typeof program>[1]) =>
    setup.stack.setProgram(program(setup.sandbox.orgId, next));
  return { ...setup, declare };
}

const namesOf = ({ state }: Sandbox) => state.projects.map(({ name }) => name).sort();

it("a name that two resources of one run create at once, on a service that accepts it twice, becomes one project", async () => {
  const sandbox = await startSandbox({ allowDuplicateNames: true, latencyMs: 20 });
  const { baseUrl, publicKey, privateKey } = sandbox;
  const connection = await connectPlugin({ baseUrl, publicKey, privateKey }, () => undefined);
  const inputs = { orgId: sandbox.orgId, name: "payments" };
  const create = (name: string) => connection.create({ type: "Project", name }, inputs, false);
  const created = await Promise.allSettled([create("one"), create("two")]);
  await connection.close();
  await sandbox.close();
  expect(created.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(namesOf(sandbox)).toEqual(["payments"]);
});

describe.each(bothProviders)("a name that another project of the program gives up (%s)", (provider) => {
  it("goes to a new project that depends on the other one, and through a third name to a renamed one", async () => {
    const { sandbox, stack, declare } = await holding({ one: "alpha", two: "beta" }, provider);
    const [one, two] = [projectNamed(sandbox, "alpha").id, projectNamed(sandbox, "beta").id];
    await declare({ one: "gamma", two: ["alpha", "one"], three: ["beta", "two"] });
    await succeeded(stack.preview());
    await succeeded(stack.up());
    expect(namesOf(sandbox)).toEqual(["alpha", "beta", "gamma"]);
    expect([projectNamed(sandbox, "gamma").id, projectNamed(sandbox, "alpha").id]).toEqual([one, two]);
    expect((await succeeded(stack.up())).changes).toEqual({ same: 3 });
  });

  it("is refused to a new project that does not wait for it, with the advice to depend on the other one", async () => {
    const { sandbox, stack, declare } = await holding({ one: "alpha" }, provider);
    const { id } = projectNamed(sandbox, "alpha");
    await declare({ one: ["gamma", "two"], two: "alpha" });
    const errors = await errorsOf(stack.up());
    expect(errors).toContain(`already has a project named "alpha": ${id}. Nothing was written.`);
    expect(errors).toMatch(/gives up the name, make this resource depend on it/);
    expect(writes(sandbox)).toEqual([]);
  });
});

describe("a project that is renamed", () => {
  it("to the name that another one has is refused with the advice to depend on it, and renamed by that", async () => {
    const { sandbox, stack, declare } = await holding({ one: "alpha", two: "beta" });
    const { id } = projectNamed(sandbox, "alpha");
    await declare({ two: "alpha", one: ["gamma", "two"] });
    const errors = await errorsOf(stack.up());
    expect(errors).toContain(`has another project named "alpha": ${id}. Nothing was written.`);
    expect(errors).toContain("gives up the name, make this resource depend on it");
    await declare({ one: "gamma", two: ["alpha", "one"] });
    await succeeded(stack.up());
    expect(namesOf(sandbox)).toEqual(["alpha", "gamma"]);
  });

  it("waits for the name of a project whose deletion is not finished", async () => {
    const waits = shortWaits();
    const { sandbox, stack, declare } = await holding({ one: "alpha" });
    const body = { error: 409, reason: "Conflict", errorCode: "GROUP_ALREADY_EXISTS", detail: "Taken." };
    sandbox.addFault({ method: "PATCH", times: 2, fault: { status: 409, body } });
    await declare({ one: "beta" });
    await succeeded(stack.up());
    expect(waits).toEqual([500, 1000]);
    expect(namesOf(sandbox)).toEqual(["beta"]);
  });
});

describe("two resources of one name", () => {
  it.each([
    { title: "that are new", before: {}, after: { one: "alpha", two: "alpha" } },
    { title: "of which one is new", before: { one: "alpha" }, after: { two: "alpha", one: "alpha" } },
    {
      title: "of which one is renamed and comes first",
      before: { one: "alpha", two: "beta" },
      after: { two: "alpha", one: "alpha" },
    },
  ] as const)("$title are refused in the preview, and nothing is written", async ({ before, after }) => {
    const { sandbox, stack, declare } = await holding(before);
    await declare(after);
    expect(await errorsOf(stack.preview())).toMatch(
      /Project "alpha" in organization \w+ is already declared by urn:\S+::(one|two)\. Rename one of the two/,
    );
    expect(writes(sandbox)).toEqual([]);
  });

  it("are refused if one has the organization of the setting, and the other spells it otherwise", async () => {
    const { sandbox, stack } = await setUpStack({ program: () => ({}) });
    await stack.setConfig({ orgId: sandbox.orgId });
    const two = { properties: { orgId: sandbox.orgId.toUpperCase(), name: "alpha" } };
    await stack.setProgram(projectsProgram({ one: { properties: { name: "alpha" } }, two }));
    expect(await errorsOf(stack.preview())).toContain("is already declared by urn:");
  });

  it("make one project through the dynamic provider, whose error says that it is the other resource's", async () => {
    const { sandbox, stack } = await setUpStack({
      provider: "dynamic",
      // The service itself would take both: that only one is made is the provider's doing.
      sandbox: { allowDuplicateNames: true, latencyMs: 20 },
      program: ({ orgId }) => program(orgId, { one: "alpha", two: "alpha" }),
    });
    expect(await errorsOf(stack.up())).toContain(
      "This run has created it for another resource of the program",
    );
    expect(namesOf(sandbox)).toEqual(["alpha"]);
  });

  it("are no conflict in two organizations, or if one is given by its projectId", async () => {
    const { sandbox, stack } = await holding({ one: "alpha" });
    const { orgId } = sandbox;
    const other = sandbox.addOrg({ name: "Other" }).id;
    sandbox.changeKey(sandbox.publicKey, { roles: [{ roleName: "GLOBAL_OWNER" }] });
    const { id: projectId } = sandbox.addProject({ name: "alpha", orgId: other });
    const one = { properties: { orgId, name: "alpha" } };
    for (const identity of [{ projectId }, { orgId: other }]) {
      await stack.setProgram(projectsProgram({ one, two: { properties: { ...identity, name: "alpha" } } }));
      await succeeded(stack.up());
    }
    expect(namesOf(sandbox)).toEqual(["alpha", "alpha"]);
  });

  it("are no conflict if both hold such a project already, on a service that allows that", async () => {
    const seed = { projects: [{ name: "alpha" }, { name: "alpha" }] };
    const { sandbox, stack } = await setUpStack({
      sandbox: { seed, allowDuplicateNames: true },
      program: ({ orgId }) => program(orgId, { one: "alpha", two: "alpha" }),
    });
    const [one, two] = sandbox.state.projects.map(({ id }) => id);
    for (const [name, id = ""] of Object.entries({ one, two }))
      await succeeded(stack.import("opsmanager:index:Project", name, id));
    expect((await succeeded(stack.up())).changes).toEqual({ same: 2 });
    const replace = (await stack.resource("one"))?.urn;
    const replaced = await succeeded(stack.up({ replace, refresh: true }));
    expect(operations(replaced)).toMatchObject({ two: "same" });
    expect(namesOf(sandbox)).toEqual(["alpha", "alpha"]);
  });
});
