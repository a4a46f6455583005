/** A project that exists comes into a stack, by its projectId or by an import. */
import { errorsOf, messagesOf, writes } from "../../engine/support/project-program";
import { succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";
import { idOfPayments, startAdoption } from "./payments";

afterEach(tearDownStacks);

const orgId = "5f00000000000000000000b1";
const elsewhere = "5f00000000000000000000b2";
const missing = "0123456789abcdef01234567";
const orgs = [{ id: orgId }, { id: elsewhere }];
const owners = { roleName: "GROUP_OWNER", ldapGroups: ["cn=old,dc=example,dc=com"] };

it("a project adopted by projectId gets the declared values, and preview and update log each value that this overwrites", async () => {
  const declared = { orgId, name: "invoices", tags: ["PROD"], ldapGroupMappings: [] };
  const projects = [{ name: "payments", tags: ["OLD", "PROD"], ldapGroupMappings: [owners] }];
  const { sandbox, stack, id, outputs } = await startAdoption(declared, {
    sandbox: { ldap: true, emptyLdapMappings: "clear", seed: { orgs, projects } },
  });
  const facts = { projectId: id, origin: "adopted", onDestroy: "release", tagsVisible: true };
  const overwritten = `Adopting project ${id}: name "payments" becomes "invoices"; tag "OLD" is removed; GROUP_OWNER is no longer mapped to "cn=old,dc=example,dc=com".`;

  const preview = await succeeded(stack.preview());
  expect(messagesOf(preview)).toBe(overwritten);
  expect(preview.steps[0]?.new?.outputs).toEqual({ ...declared, ...facts });
  expect(writes(sandbox)).toEqual([]);
  expect(messagesOf(await succeeded(stack.up()))).toBe(overwritten);
  expect(sandbox.project(id)).toMatchObject(declared);
  expect(await outputs()).toEqual({ ...declared, ...facts });
});

it.each([
  {
    title: "does not exist",
    properties: { projectId: missing },
    error: new RegExp(`Reading project ${missing} failed.*Check the project id`, "s"),
  },
  {
    title: "the key may not read",
    properties: {},
    fault: { status: 403 },
    error: /Reading project \w+ failed: 403/,
  },
  {
    title: "belongs to another organization than the program declares",
    properties: { orgId: elsewhere },
    error: new RegExp(`Project \\w+ belongs to organization ${orgId}, not to ${elsewhere}`),
  },
])("a project is not adopted, and not written to, if it $title", async ({ properties, fault, error }) => {
  const { sandbox, stack, record } = await startAdoption(
    { tags: ["PROD"], ...properties },
    { sandbox: { seed: { orgs, projects: [{ name: "payments" }] } } },
  );
  if (fault) sandbox.addFault({ method: "GET", fault });
  expect(await errorsOf(stack.up())).toMatch(error);
  expect(writes(sandbox)).toEqual([]);
  expect(await record()).toBeUndefined();
});

// Nothing can be imported into a dynamic resource.
describe("an import of a project", () => {
  const token = "opsmanager:index:Project";

  it("records its live values in inputs and outputs, each list in its one order, and its id in lower case", async () => {
    const mapped = { ...owners, ldapGroups: ["cn=owners", "cn=founders"] };
    const projects = [{ name: "payments", tags: ["PROD"], ldapGroupMappings: [mapped] }];
    const { sandbox, stack } = await setUpStack({
      sandbox: { ldap: true, seed: { orgs, projects } },
      program: () => ({}),
    });
    const projectId = idOfPayments(sandbox);
    await succeeded(stack.import(token, "payments", projectId.toUpperCase()));
    const ldapGroupMappings = [{ ...owners, ldapGroups: ["cn=founders", "cn=owners"] }];
    const inputs = { orgId, name: "payments", tags: ["PROD"], ldapGroupMappings };
    const facts = { projectId, origin: "imported", onDestroy: "release", tagsVisible: true };
    const imported = await stack.resource("payments");
    expect(imported).toMatchObject({ id: projectId, inputs });
    expect(imported?.outputs).toEqual({ ...inputs, ...facts });
  });

  it("takes no text other than an id, nor the id of no project, and fails if the read does", async () => {
    const { sandbox, stack, id } = await startAdoption();
    const importOf = (text: string) => stack.import(token, "payments", text);
    expect(await errorsOf(importOf("payments"))).toBe(
      '"payments" is not the id of a project: a Project is imported by its projectId, 24 hexadecimal digits.',
    );
    expect(sandbox.requests).toEqual([]);
    expect(await errorsOf(importOf(missing))).toBe("");
    sandbox.addFault({ method: "GET", times: 0, fault: { status: 500 } });
    expect(await errorsOf(importOf(id))).toContain("failed: 500");
    expect(await stack.resource("payments")).toBeUndefined();
  });
});
