/** Design, "A service that offers only the four documented operations". */

import { paymentsOn } from "../../engine/support/payments";
import {
  errorsOf,
  messagesOf,
  projectNamed,
  projectProgram,
  projectsNamed,
  timesPrinted,
  writes,
} from "../../engine/support/project-program";
import { keepDefault, succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";

const { declareExisting } = paymentsOn(setUpStack);

afterEach(tearDownStacks);

const mappings = [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=dba,dc=example,dc=com"] }];
const fourOperations = {
  onlyDocumented: true,
  ldap: true,
  seed: { projects: [{ name: "payments", tags: ["BY-HAND"], ldapGroupMappings: mappings }] },
};

describe("a project on a service with only the four documented operations", () => {
  it("is sent every declared property, and the response becomes the state", async () => {
    const { sandbox, stack, id } = await declareExisting(
      { name: "payments", tags: ["PROD"], ldapGroupMappings: mappings },
      { sandbox: { ...fourOperations, emptyLdapMappings: "clear" } },
    );

    await succeeded(stack.up());
    expect(writes(sandbox)).toEqual([
      {
        method: "PATCH",
        path: `/groups/${id}`,
        body: { name: "payments", tags: ["PROD"], ldapGroupMappings: mappings },
      },
    ]);
    expect(await stack.resource("payments")).toMatchObject({
      id,
      outputs: {
        orgId: sandbox.orgId,
        name: "payments",
        tags: ["PROD"],
        ldapGroupMappings: mappings,
        origin: "adopted",
      },
    });

    sandbox.clearRequests();
    await stack.setProgram(
      projectProgram({ projectId: id, name: "payments", tags: ["EU"], ldapGroupMappings: [] }),
    );
    expect((await succeeded(stack.up())).changes).toEqual({ update: 1 });
    expect(writes(sandbox)).toEqual([
      {
        method: "PATCH",
        path: `/groups/${id}`,
        body: { name: "payments", tags: ["EU"], ldapGroupMappings: [] },
      },
    ]);
    expect(sandbox.project(id)).toMatchObject({ tags: ["EU"], ldapGroupMappings: [] });
  });

  it("keeps its last state at every read, with one warning that names the missing operation", async () => {
    keepDefault("refreshBeforeUpdate", "an up without changes reads the project");
    const { sandbox, stack, id } = await declareExisting({ tags: ["PROD"] }, { sandbox: fourOperations });
    await succeeded(stack.up());
    sandbox.changeProject(id, { tags: ["BY-HAND"] });

    sandbox.clearRequests();
    const up = await succeeded(stack.up());
    expect(up.changes).toEqual({ same: 1 });
    expect(timesPrinted(up, "GET /groups/{id}")).toBe(1);
    expect(messagesOf(up, "warning")).toBe(
      "[missing operation] [project *] This service does not offer reading a project (GET /groups/{id}), so the state keeps the last known values and drift is not detected. If it is a complete Ops Manager or Cloud Manager, check baseUrl.",
    );
    const refresh = await succeeded(stack.refresh());
    expect(refresh.changes).toEqual({ same: 1 });
    expect(timesPrinted(refresh, "GET /groups/{id}")).toBe(1);
    expect(writes(sandbox)).toEqual([]);
    expect(await stack.resource("payments")).toMatchObject({ id, outputs: { tags: ["PROD"] } });

    await succeeded(stack.destroy());
    expect(sandbox.project(id)?.name).toBe("payments");
  });

  it("cannot be created by name: the error names the missing operation and the correction", async () => {
    const { sandbox, stack } = await setUpStack({
      sandbox: { onlyDocumented: true },
      program: ({ orgId }) => projectProgram({ orgId, name: "orders" }),
    });

    expect(await errorsOf(stack.up())).toBe(
      `Project "orders" cannot be created: this service does not offer listing the projects of an organization (GET /orgs/${sandbox.orgId}/groups), so the provider cannot tell whether it exists already. Set projectId to manage an existing project.`,
    );
    expect(writes(sandbox)).toEqual([]);
    expect(projectsNamed(sandbox, "orders")).toEqual([]);
    expect(await stack.resource("payments")).toBeUndefined();
  });

  it("cannot ignore tags: ignoreTags is refused, and nothing is sent", async () => {
    const { sandbox, stack } = await declareExisting(
      { tags: ["PROD"], ignoreTags: ["BY-*"] },
      { sandbox: fourOperations },
    );

    const errors = await errorsOf(stack.up());
    expect(errors).toMatch(/ignoreTags cannot be applied/);
    // The reason is the service, not the key: more roles would not help.
    expect(errors).not.toContain("global role");
    expect(writes(sandbox)).toEqual([]);
    expect(projectNamed(sandbox, "payments").tags).toEqual(["BY-HAND"]);
  });

  it("cannot be deleted: destroy fails with an error that names the correction, and the state keeps it", async () => {
    const { stack, id } = await declareExisting(
      { tags: ["PROD"], onDestroy: "delete" },
      { sandbox: fourOperations },
    );
    await succeeded(stack.up());

    const errors = await errorsOf(stack.destroy());
    expect(errors).toBe(
      `Deleting project ${id} failed: this service does not offer it (DELETE /groups/{id}). Set onDestroy: "release", run pulumi up, and destroy again: then the project stays in the service.`,
    );
    expect(await stack.resource("payments")).toMatchObject({ id });
  });

  it("cannot be adopted with nothing declared, because no response would describe it", async () => {
    const { sandbox, stack } = await declareExisting({}, { sandbox: fourOperations });

    expect(await errorsOf(stack.up())).toBe(
      `Project ${projectNamed(sandbox, "payments").id} cannot be adopted with nothing declared: this service offers no way to read a project, so give at least one of name, tags, ldapGroupMappings and idpGroupMappings.`,
    );
    expect(writes(sandbox)).toEqual([]);
    expect(await stack.resource("payments")).toBeUndefined();
  });

  it("asserts its organization by the PATCH response: a wrong orgId is an error that names both", async () => {
    const wrong = "0123456789abcdef01234567";
    const { sandbox, stack, id } = await declareExisting(
      { orgId: wrong, tags: ["PROD"] },
      { sandbox: fourOperations },
    );

    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    const { orgId } = sandbox;
    expect(messagesOf(up)).toContain(`belongs to organization ${orgId}, not to ${wrong}`);
    expect(await stack.resource("payments")).toMatchObject({ id, outputs: { orgId } });
  });
});

/** A server that offers none of its operations is not this API. */
const exceptInvitations = "^(?!.*/invites/)";

it("a project that a service no longer lets read is updated, and keeps its recorded tags if the response has none", async () => {
  const { sandbox, stack } = await setUpStack({
    program: ({ orgId }) => projectProgram({ orgId, name: "payments", tags: ["PROD"] }),
  });
  await succeeded(stack.up());
  const { id, orgId } = projectNamed(sandbox, "payments");
  sandbox.addFault({
    method: "GET",
    pathPattern: exceptInvitations,
    times: 0,
    fault: { status: 405, body: "" },
  });
  sandbox.addFault({ method: "PATCH", fault: { status: 200, body: { id, orgId, name: "billing" } } });
  const outputs = { name: "billing", tags: ["PROD"], tagsVisible: true, origin: "created" };

  await stack.setProgram(projectProgram({ orgId, name: "billing" }));
  await succeeded(stack.up());
  expect(await stack.resource("payments")).toMatchObject({ outputs });
  await stack.setProgram(projectProgram({ projectId: id }));
  await succeeded(stack.up());
  expect(await stack.resource("payments")).toMatchObject({ outputs });
});

const page = "<!DOCTYPE html><html><body>HTTP ERROR 404</body></html>";

// Each was taken for a wrong baseUrl or for a failure, so a service with few operations could not be used.
it.each([
  ["RESOURCE_NOT_FOUND", { status: 404, body: { error: 404, errorCode: "RESOURCE_NOT_FOUND" } }],
  ["a web page with 404", { status: 404, body: page, contentType: "text/html" }],
  ["a web page with 405", { status: 405, body: page, contentType: "text/html" }],
  ["a bare 501", { status: 501, body: "" }],
])(
  "an operation to which a service responds with %s is missing: the last state is kept, and no project counts as deleted",
  async (_, fault) => {
    const { sandbox, stack } = await declareExisting(
      { tags: ["PROD"], onDestroy: "delete" },
      { sandbox: { seed: { projects: [{ name: "payments" }] } } },
    );
    for (const method of ["GET", "DELETE"])
      sandbox.addFault({ method, pathPattern: exceptInvitations, times: 0, fault });
    await succeeded(stack.up());
    const { id, tags } = projectNamed(sandbox, "payments");
    expect(tags).toEqual(["PROD"]);
    expect(messagesOf(await succeeded(stack.refresh()), "warning")).toContain(
      "does not offer reading a project (GET /groups/{id})",
    );
    expect(messagesOf(await stack.destroy(), "error")).toContain(
      `Deleting project ${id} failed: this service does not offer it (DELETE /groups/{id}). Set onDestroy: "release"`,
    );
    expect(await stack.resource("payments")).toMatchObject({
      id,
      outputs: { origin: "adopted", name: "payments", tags: ["PROD"] },
    });
  },
);
