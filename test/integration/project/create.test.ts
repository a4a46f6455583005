import { createProject } from "../../../provider/api/projects";
import { failureOf } from "../client/with-client";
import { shortWaits } from "../short-waits";
import { runs } from "./with-project";

const start = runs();

describe("a project whose response to the POST was lost", () => {
  // Two stacks created the same name at the same moment. Both recorded it as created, and the destroy of one deleted it.
  test("is adopted although another program created it: destroying releases it", async () => {
    const { sandbox, create, destroy, warnings } = await start();
    const { orgId } = sandbox;
    const inputs = { orgId, name: "payments" };
    // The other program is faster: its project exists when this POST fails.
    sandbox.addFault({
      method: "GET",
      pathPattern: "/orgs/\\w+/groups",
      fault: { status: 200, body: { results: [], totalCount: 0 } },
    });
    const { id } = sandbox.addProject({ name: "payments", tags: ["OTHERS"] });
    sandbox.addFault({ method: "POST", pathPattern: "/groups$", fault: { status: 502 } });

    const created = await create(inputs);
    expect(created).toMatchObject({
      id,
      state: { origin: "adopted", onDestroy: "release", tags: ["OTHERS"] },
    });
    expect(warnings).toEqual([
      `The response to creating project "payments" in organization ${orgId} was lost, and the organization has a project of that name now: ${id}. Another program may have created it, so it is recorded as adopted. Destroying leaves it in the service. If it is yours, declare onDestroy: "delete", and destroying deletes it.`,
    ]);
    await destroy(created, inputs);
    expect(sandbox.project(id)?.name).toBe("payments");
  });

  test("is deleted by destroying if the program requires it, and a warning reports it", async () => {
    const { sandbox, create, destroy, warnings } = await start();
    const inputs = { orgId: sandbox.orgId, name: "payments", onDestroy: "delete", tags: ["PROD"] };
    sandbox.addFault({ method: "POST", pathPattern: "/groups$", fault: "reset-after-write" });

    const created = await create(inputs);
    expect(created.state).toMatchObject({ origin: "adopted", onDestroy: "delete", tags: ["PROD"] });
    expect(warnings[0]).toContain('Destroying deletes it, because the program declares onDestroy: "delete".');
    await destroy(created, inputs);
    expect(sandbox.state.projects).toEqual([]);
  });

  test("stays recorded if it cannot be brought to what is declared", async () => {
    const { sandbox, create } = await start();
    sandbox.addFault({ method: "POST", pathPattern: "/groups$", fault: "reset-after-write" });
    sandbox.addFault({ method: "PATCH", fault: { status: 403 } });
    const failure = await failureOf(create({ orgId: sandbox.orgId, name: "payments", tags: ["PROD"] }));
    const [made] = sandbox.state.projects;
    expect(failure).toMatchObject({ code: "OPSMANAGER_PARTIAL", id: made?.id, state: { origin: "adopted" } });
    expect(failure.message).toContain(`Project ${made?.id} was adopted, but is not yet as declared`);
  });

  // An entry of a list without tags counted as one without any, and the tags of others were removed.
  test("keeps the tags that ignoreTags names although the organization's list does not show them", async () => {
    const { sandbox, create } = await start();
    const { orgId } = sandbox;
    const list = (results: readonly unknown[]) => ({
      method: "GET",
      pathPattern: "/orgs/\\w+/groups",
      fault: { status: 200, body: { results, totalCount: results.length } },
    });
    const { id } = sandbox.addProject({ name: "payments", tags: ["K8S_1"] });
    sandbox.addFault(list([]));
    sandbox.addFault(list([{ id, name: "payments", orgId }]));
    sandbox.addFault({ method: "POST", pathPattern: "/groups$", fault: { status: 502 } });
    await create({ orgId, name: "payments", tags: ["PROD"], ignoreTags: ["K8S_*"] });
    expect(sandbox.project(id)?.tags).toEqual(["K8S_1", "PROD"]);
  });
});

describe("a name that a deleted project still holds", () => {
  const taken = { status: 409, body: { error: 409, errorCode: "GROUP_ALREADY_EXISTS" } };

  test("is waited for if the project is still listed after this run deleted it", async () => {
    const { sandbox, create, destroy } = await start();
    const inputs = { orgId: sandbox.orgId, name: "payments" };
    const first = await create(inputs);
    await destroy(first, inputs);
    const entry = { id: first.id, name: "payments", orgId: sandbox.orgId };
    const fault = { status: 200, body: { results: [entry], totalCount: 1 } };
    sandbox.addFault({ method: "GET", pathPattern: "/orgs/\\w+/groups", times: 2, fault });
    sandbox.addFault({ method: "POST", pathPattern: "/groups$", fault: taken });

    const second = await create(inputs);
    expect(second.state).toMatchObject({ origin: "created" });
    expect(sandbox.state.projects.map(({ id }) => id)).toEqual([second.id]);
  });

  test("is waited for if another run deleted the project and the service reports it as deleted", async () => {
    const { sandbox, create } = await start();
    const { orgId } = sandbox;
    const entry = { id: "5f00000000000000000000a1", name: "payments", orgId };
    const fault = { status: 200, body: { results: [entry], totalCount: 1 } };
    sandbox.addFault({ method: "GET", pathPattern: "/orgs/\\w+/groups", times: 2, fault });
    sandbox.addFault({ method: "POST", pathPattern: "/groups$", fault: taken });
    const { id } = await create({ orgId, name: "payments" });
    expect(sandbox.project(id)?.name).toBe("payments");
  });

  test("is an error after a few attempts if no project of that name can be seen", async () => {
    const waits = shortWaits();
    const { sandbox, create } = await start();
    sandbox.addFault({ method: "POST", pathPattern: "/groups$", times: 0, fault: taken });
    const failure = await failureOf(create({ orgId: sandbox.orgId, name: "payments" }));
    expect(waits).toEqual([500, 1000, 2000]);
    expect(failure).toMatchObject({ code: "OPSMANAGER_REFUSED" });
    expect(failure.message).toContain("failed (GROUP_ALREADY_EXISTS): the service refuses the name as taken");
    expect(failure.message).toContain("run pulumi up again in a few minutes");
    expect(sandbox.requests.filter(({ method, authorized }) => method === "POST" && authorized)).toHaveLength(
      4,
    );
  });

  test("is not waited for if a project of that name exists", async () => {
    const { sandbox, create, context } = await start();
    const { orgId } = sandbox;
    const { id } = await createProject(context.session.client, { orgId, name: "payments" });
    const empty = { status: 200, body: { results: [], totalCount: 0 } };
    sandbox.addFault({ method: "GET", pathPattern: "/orgs/\\w+/groups", fault: empty });
    const failure = await failureOf(create({ orgId, name: "payments" }));
    expect(failure.message).toContain(`already has a project named "payments": ${id}`);
  });
});

test("a deletion that the service accepts (202) is done, although the project is still listed", async () => {
  const { sandbox, create, destroy } = await start();
  const inputs = { orgId: sandbox.orgId, name: "payments" };
  const created = await create(inputs);
  sandbox.addFault({ method: "DELETE", fault: { status: 202, body: "" } });
  await expect(destroy(created, inputs)).resolves.toBeUndefined();
});

test("a deletion that is repeated after its response was lost is done when the list no longer shows the project", async () => {
  const { sandbox, create, destroy } = await start({}, { maxRetries: 1 });
  const inputs = { orgId: sandbox.orgId, name: "payments" };
  const created = await create(inputs);
  sandbox.addFault({ method: "DELETE", fault: "reset-after-write" });
  const entry = { id: created.id, name: "payments", orgId: sandbox.orgId };
  const listed = { status: 200, body: { results: [entry], totalCount: 1 } };
  sandbox.addFault({ method: "GET", pathPattern: "/orgs/\\w+/groups", fault: listed });
  await expect(destroy(created, inputs)).resolves.toBeUndefined();
});

describe("a project on an LDAP-backed service that takes none without mappings", () => {
  const refusal = { status: 400, body: { error: 400, errorCode: "MISSING_ROLE_ENTRY_IN_LDAP_MAPPING" } };
  const ldapGroupMappings = [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=owners"] }];
  const withoutMappings = {
    method: "POST",
    pathPattern: "/groups$",
    bodyPattern: "^(?!.*ldapGroupMappings)",
  };

  test("is created with the declared mappings", async () => {
    const { sandbox, create } = await start({ ldap: true });
    sandbox.addFault({ ...withoutMappings, times: 0, fault: refusal });
    const { id, state } = await create({ orgId: sandbox.orgId, name: "payments", ldapGroupMappings });
    expect(state).toMatchObject({ origin: "created", ldapGroupMappings });
    expect(sandbox.project(id)?.ldapGroupMappings).toEqual(ldapGroupMappings);
    expect(sandbox.requests.filter(({ method }) => method === "PATCH")).toEqual([]);
  });

  test("is refused with the correction if the program declares no mappings", async () => {
    const { sandbox, create } = await start({ ldap: true });
    sandbox.addFault({ ...withoutMappings, times: 0, fault: refusal });
    const failure = await failureOf(create({ orgId: sandbox.orgId, name: "payments" }));
    expect(failure.message).toContain("Map GROUP_OWNER to at least one LDAP group");
  });
});
