/** A project on a service that offers only the four documented operations, or lacks some of the others. */
import { errorsOf, messagesOf, timesPrinted, writes } from "../../engine/support/project-program";
import { keepDefault, succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import { holdAdopted, holdPayments, startAdoption, startPayments } from "./payments";

afterEach(tearDownStacks);

const checkBaseUrl = "If it is a complete Ops Manager or Cloud Manager, check baseUrl.";
const mappings = [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=dba,dc=example,dc=com"] }];
const fourOperations = {
  onlyDocumented: true,
  ldap: true,
  emptyLdapMappings: "clear",
  seed: { projects: [{ name: "payments", tags: ["BY-HAND"], ldapGroupMappings: mappings }] },
} as const;

it("with four operations, a project is sent every declared property, and the response becomes the state, which each read keeps with one warning", async () => {
  keepDefault("refreshBeforeUpdate", "an up without changes reads the project");
  const { sandbox, stack, id, orgId, outputs, declare } = await startAdoption(
    { name: "payments", tags: ["PROD"], ldapGroupMappings: mappings },
    { sandbox: fourOperations },
  );
  const sent = { method: "PATCH", path: `/groups/${id}` };
  await succeeded(stack.up());
  const declared = { name: "payments", tags: ["PROD"], ldapGroupMappings: mappings };
  expect(writes(sandbox)).toEqual([{ ...sent, body: declared }]);
  expect(await outputs()).toMatchObject({ ...declared, orgId, origin: "adopted" });

  sandbox.clearRequests();
  const changed = { name: "payments", tags: ["EU"], ldapGroupMappings: [] };
  await declare({ projectId: id, ...changed });
  expect((await succeeded(stack.up())).changes).toEqual({ update: 1 });
  expect(writes(sandbox)).toEqual([{ ...sent, body: changed }]);
  expect(sandbox.project(id)).toMatchObject(changed);

  sandbox.changeProject(id, { tags: ["OUTSIDE"] });
  sandbox.clearRequests();
  for (const verb of ["up", "refresh"] as const) {
    const run = await succeeded(stack[verb]());
    expect([run.changes, timesPrinted(run, "GET /groups/{id}")]).toEqual([{ same: 1 }, 1]);
    expect(messagesOf(run, "warning")).toBe(
      `[missing operation] [project *] This service does not offer reading a project (GET /groups/{id}), so the state keeps the last known values and drift is not detected. ${checkBaseUrl}`,
    );
  }
  expect(await outputs()).toMatchObject({ tags: ["EU"] });
  await succeeded(stack.destroy());
  expect(writes(sandbox)).toEqual([]);
});

it("with four operations, no project is created by its name: the error names the missing operation and the correction", async () => {
  const { sandbox, stack, orgId, record } = await startPayments({}, { sandbox: { onlyDocumented: true } });
  expect(await errorsOf(stack.up())).toBe(
    `Project "payments" cannot be created: this service does not offer listing the projects of an organization (GET /orgs/${orgId}/groups), so the provider cannot tell whether it exists already. Set projectId to manage an existing project. ${checkBaseUrl}`,
  );
  expect(writes(sandbox)).toEqual([]);
  expect(await record()).toBeUndefined();
});

it.each([
  {
    title: "with ignoreTags, because the service does not show the tags of others",
    properties: { tags: ["PROD"], ignoreTags: ["BY-*"] },
    // The reason is the service, not the key: more roles would not help.
    error: /^(?!.*global role).*ignoreTags cannot be applied/s,
  },
  {
    title: "with nothing declared, because no response would describe it",
    properties: {},
    error:
      /^Project \w+ cannot be adopted with nothing declared: this service offers no way to read a project, so give at least one of name, tags, ldapGroupMappings and idpGroupMappings\.$/,
  },
])("with four operations, no project is adopted $title", async ({ properties, error }) => {
  const { sandbox, stack, record } = await startAdoption(properties, { sandbox: fourOperations });
  expect(await errorsOf(stack.up())).toMatch(error);
  expect(writes(sandbox)).toEqual([]);
  expect(await record()).toBeUndefined();
});

it("with four operations, the response to PATCH shows that a project is in another organization, and the error names both", async () => {
  const wrong = "0123456789abcdef01234567";
  const { stack, id, orgId, record } = await startAdoption(
    { orgId: wrong, tags: ["PROD"] },
    { sandbox: fourOperations },
  );
  expect(await errorsOf(stack.up())).toContain(`belongs to organization ${orgId}, not to ${wrong}`);
  expect(await record()).toMatchObject({ id, outputs: { orgId } });
});

/** A server that offers none of its operations is not this API. */
const exceptInvitations = "^(?!.*/invites/)";

it("a project that a service no longer lets read is updated, and keeps its recorded tags if the response has none", async () => {
  const { sandbox, stack, id, orgId, outputs, declare } = await holdPayments({ tags: ["PROD"] });
  sandbox.addFault({
    method: "GET",
    pathPattern: exceptInvitations,
    times: 0,
    fault: { status: 405, body: "" },
  });
  sandbox.addFault({ method: "PATCH", fault: { status: 200, body: { id, orgId, name: "billing" } } });
  for (const properties of [{ orgId, name: "billing" }, { projectId: id }]) {
    await declare(properties);
    await succeeded(stack.up());
    const recorded = { name: "billing", tags: ["PROD"], tagsVisible: true, origin: "created" };
    expect(await outputs()).toMatchObject(recorded);
  }
});

const page = "<!DOCTYPE html><html><body>HTTP ERROR 404</body></html>";

// Each was taken for a wrong baseUrl or for a failure, so a service with few operations could not be used.
it.each([
  {
    response: "RESOURCE_NOT_FOUND",
    fault: { status: 404, body: { error: 404, errorCode: "RESOURCE_NOT_FOUND" } },
  },
  { response: "a web page with 405", fault: { status: 405, body: page, contentType: "text/html" } },
  { response: "a bare 501", fault: { status: 501, body: "" } },
])(
  "an operation to which a service responds with $response is missing: the last state is kept, and a deletion names the correction",
  async ({ fault }) => {
    const { sandbox, stack, id, record } = await holdAdopted({ tags: ["PROD"], onDestroy: "delete" });
    for (const method of ["GET", "DELETE"])
      sandbox.addFault({ method, pathPattern: exceptInvitations, times: 0, fault });
    expect(messagesOf(await succeeded(stack.refresh()), "warning")).toContain(
      "does not offer reading a project (GET /groups/{id})",
    );
    expect(await errorsOf(stack.destroy())).toBe(
      `Deleting project ${id} failed: this service does not offer it (DELETE /groups/{id}). Set onDestroy: "release", run pulumi up, and destroy again: then the project stays in the service. ${checkBaseUrl}`,
    );
    const outputs = { origin: "adopted", name: "payments", tags: ["PROD"] };
    expect(await record()).toMatchObject({ id, outputs });
  },
);
