/** Design, Project: a project that exists comes into a stack, by its projectId or by an import. */
import { paymentsOn } from "../../engine/support/payments";
import {
  errorsOf,
  messagesOf,
  projectNamed,
  projectProgram,
  writes,
} from "../../engine/support/project-program";
import { succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";

const { declareExisting } = paymentsOn(setUpStack);

afterEach(tearDownStacks);

const seed = { projects: [{ name: "payments", tags: ["EU", "OLD"], ldapGroupMappings: [] }] };
const missing = "0123456789abcdef01234567";

describe("a project adopted by projectId", () => {
  it("gets the declared values, and preview and update log each value that this overwrites", async () => {
    const owners = [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=old,dc=example,dc=com"] }];
    const { sandbox, stack, id } = await declareExisting(
      { name: "invoices", tags: ["PROD"], ldapGroupMappings: [] },
      {
        sandbox: {
          ldap: true,
          emptyLdapMappings: "clear",
          seed: { projects: [{ name: "payments", tags: ["OLD", "PROD"], ldapGroupMappings: owners }] },
        },
      },
    );
    const declared = { name: "invoices", tags: ["PROD"], ldapGroupMappings: [] };
    const outputs = {
      ...declared,
      projectId: id,
      orgId: sandbox.orgId,
      origin: "adopted",
      onDestroy: "release",
      tagsVisible: true,
    };
    const overwritten = `Adopting project ${id}: name "payments" becomes "invoices"; tag "OLD" is removed; GROUP_OWNER is no longer mapped to "cn=old,dc=example,dc=com".`;

    const preview = await succeeded(stack.preview());
    expect(messagesOf(preview)).toBe(overwritten);
    expect(preview.steps[0]?.new?.outputs).toEqual(outputs);
    expect(writes(sandbox)).toEqual([]);
    expect(messagesOf(await succeeded(stack.up()))).toBe(overwritten);
    expect(sandbox.project(id)).toMatchObject(declared);
    expect((await stack.resource("payments"))?.outputs).toEqual(outputs);
  });

  it("asserts the organization if orgId is declared beside projectId: a wrong one is an error that names both", async () => {
    const { sandbox, stack } = await setUpStack({ sandbox: { seed }, program: () => ({}) });
    const { id } = projectNamed(sandbox, "payments");
    const other = sandbox.addOrg({ name: "Elsewhere" });
    await stack.setProgram(projectProgram({ projectId: id, orgId: other.id, name: "renamed" }));

    expect(await errorsOf(stack.up())).toContain(
      `Project ${id} belongs to organization ${sandbox.orgId}, not to ${other.id}`,
    );
    expect(writes(sandbox)).toEqual([]);
    expect(await stack.resource("payments")).toBeUndefined();

    await stack.setProgram(projectProgram({ projectId: id, orgId: sandbox.orgId, name: "renamed" }));
    await succeeded(stack.up());
    expect(sandbox.project(id)?.name).toBe("renamed");
  });

  it("is refused with its id in the message if there is no such project", async () => {
    const { sandbox, stack } = await setUpStack({
      program: () => projectProgram({ projectId: missing, tags: ["PROD"] }),
    });

    expect(await errorsOf(stack.up())).toMatch(
      new RegExp(`Reading project ${missing} failed.*Check the project id`, "s"),
    );
    expect(writes(sandbox)).toEqual([]);
    expect(await stack.resource("payments")).toBeUndefined();
  });

  it("is refused, and not written to, if the key may not read it", async () => {
    const { sandbox, stack } = await declareExisting({ tags: ["PROD"] }, { sandbox: { seed } });
    sandbox.addFault({ method: "GET", fault: { status: 403 } });
    expect(await errorsOf(stack.up())).toMatch(/Reading project \w+ failed: 403/);
    expect(writes(sandbox)).toEqual([]);
  });
});

// Nothing can be imported into a dynamic resource.
describe("a project that is imported", () => {
  const token = "opsmanager:index:Project";

  it("has its live values in inputs and outputs, each list in its one order, and its id in lower case", async () => {
    const ldapGroupMappings = [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=owners", "cn=founders"] }];
    const { sandbox, stack } = await setUpStack({
      sandbox: { ldap: true, seed: { projects: [{ name: "payments", tags: ["PROD"], ldapGroupMappings }] } },
      program: () => ({}),
    });
    const { id: projectId } = projectNamed(sandbox, "payments");
    await succeeded(stack.import(token, "payments", projectId.toUpperCase()));
    const inputs = {
      orgId: sandbox.orgId,
      name: "payments",
      tags: ["PROD"],
      ldapGroupMappings: [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=founders", "cn=owners"] }],
    };
    expect(await stack.resource("payments")).toMatchObject({ id: projectId, inputs });
    expect((await stack.resource("payments"))?.outputs).toEqual({
      ...inputs,
      projectId,
      origin: "imported",
      onDestroy: "release",
      tagsVisible: true,
    });
  });

  it("is no text other than an id, nor the id of no project, and a failed read is an error", async () => {
    const { sandbox, stack } = await setUpStack({ sandbox: { seed }, program: () => ({}) });
    const importOf = async (id: string) => {
      const run = await stack.import(token, "payments", id);
      expect(run.exitCode).not.toBe(0);
      return messagesOf(run);
    };
    expect(await importOf("payments")).toBe(
      '"payments" is not the id of a project: a Project is imported by its projectId, 24 hexadecimal digits.',
    );
    expect(sandbox.requests).toEqual([]);
    expect(await importOf(missing)).toBe("");
    sandbox.addFault({ method: "GET", times: 0, fault: { status: 500 } });
    expect(await importOf(projectNamed(sandbox, "payments").id)).toContain("failed: 500");
    expect(await stack.resource("payments")).toBeUndefined();
  });
});
