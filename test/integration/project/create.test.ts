/** A project is created by its organization and name, if the organization has none of that name. */
import { errorsOf, messagesOf, projectNamed, writes } from "../../engine/support/project-program";
import { keepDefault, succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import { shortWaits } from "../short-waits";
import { holdPayments, idOfPayments, startPayments } from "./payments";

afterEach(tearDownStacks);

describe("a name that the organization has already", () => {
  // Nothing can be imported through the dynamic provider, so its error names no command that cannot work. It has no guards in previews.
  it.each([
    {
      provider: "plugin",
      verbs: ["preview", "up"],
      end: (id: string) => `, or import it: pulumi import opsmanager:index:Project payments ${id}.`,
    },
    { provider: "dynamic", verbs: ["up"], end: () => "." },
  ] as const)(
    "is refused, and the error names the id, aliases, adoption and import ($provider)",
    async ({ provider, verbs, end }) => {
      keepDefault("refreshBeforeUpdate", "without it, the error also advises --refresh");
      const { sandbox, stack, orgId, record } = await startPayments(
        { tags: ["OURS"] },
        { provider, sandbox: { seed: { projects: [{ name: "payments", tags: ["THEIRS"] }] } } },
      );
      const id = idOfPayments(sandbox);
      const advice = `Organization ${orgId} already has a project named "payments": ${id}. Nothing was written. If this resource was renamed in the program, give it an alias: aliases: [{ name: <old name> }]; in a project file, write key: <old name>. If another resource of the program gives up the name, make this resource depend on it, or run pulumi up without this resource first. To adopt an existing project, set projectId: "${id}"`;
      for (const verb of verbs) expect(await errorsOf(stack[verb]())).toContain(`${advice}${end(id)}`);
      expect(writes(sandbox)).toEqual([]);
      expect(projectNamed(sandbox, "payments").tags).toEqual(["THEIRS"]);
      expect(await record()).toBeUndefined();
    },
  );

  it("is refused with all ids if several projects have it, and if the projects cannot be listed", async () => {
    const { sandbox, stack } = await startPayments(
      {},
      { sandbox: { seed: { projects: [{ name: "payments" }, { name: "payments" }] } } },
    );
    const errors = await errorsOf(stack.up());
    for (const { id } of sandbox.state.projects) expect(errors).toContain(id);
    expect(errors).toContain('already has 2 projects named "payments": ');
    expect(errors).toContain("set projectId: <one of these>, or import it: pulumi import");
    sandbox.addFault({ method: "GET", pathPattern: "/orgs/", times: 0, fault: { status: 500 } });
    expect(await errorsOf(stack.up())).toContain("failed: 500");
    expect(writes(sandbox)).toEqual([]);
  });
});

it("withDefaultAlertsSettings and projectOwnerId are sent when a project is created, and never again", async () => {
  const owner = { id: "5f00000000000000000000d1", username: "dba@example.com" };
  const properties = { projectOwnerId: owner.id, withDefaultAlertsSettings: false };
  const { sandbox, stack, orgId, declareCreated } = await startPayments(properties, {
    sandbox: { defaultAlerts: "refuse", seed: { users: [owner] } },
  });
  await succeeded(stack.up());
  const role = { groupId: idOfPayments(sandbox), roleName: "GROUP_OWNER" };
  expect(sandbox.user({ username: owner.username })?.roles).toContainEqual(role);
  const body = { orgId, name: "payments", withDefaultAlertsSettings: false };
  const query = `projectOwnerId=${owner.id}`;
  expect(writes(sandbox)).toEqual([{ method: "POST", path: "/groups", query, body }]);

  sandbox.clearRequests();
  await declareCreated({ ...properties, withDefaultAlertsSettings: true });
  expect(messagesOf(await succeeded(stack.up()), "info")).toBe(
    "withDefaultAlertsSettings is used only when a project is created; nothing was sent.",
  );
  expect(writes(sandbox)).toEqual([]);
  expect((await succeeded(stack.preview())).changes).toEqual({ same: 1 });
});

describe("a name that a deleted project still holds", () => {
  const refused = {
    method: "POST",
    pathPattern: "/groups$",
    fault: { status: 409, body: { error: 409, errorCode: "GROUP_ALREADY_EXISTS" } },
  };

  it("is waited for if this run deleted the project, although the service still shows it", async () => {
    const waits = shortWaits();
    const { sandbox, stack, id, orgId, urn, record } = await holdPayments(
      {},
      { options: { deleteBeforeReplace: true } },
    );
    const entry = { id, name: "payments", orgId };
    const list = { status: 200, body: { results: [entry], totalCount: 1 } };
    sandbox.addFault({ method: "GET", pathPattern: "/orgs/\\w+/groups", times: 2, fault: list });
    sandbox.addFault({ method: "GET", pathPattern: id, times: 0, fault: { status: 200, body: entry } });
    sandbox.addFault(refused);
    await succeeded(stack.up({ replace: await urn() }));
    expect(waits).toEqual([500]);
    const now = idOfPayments(sandbox);
    expect(now).not.toBe(id);
    expect(await record()).toMatchObject({ id: now, outputs: { origin: "created" } });
  });

  it("is an error after a few attempts if no project of that name can be seen", async () => {
    const waits = shortWaits();
    const { sandbox, stack } = await startPayments();
    sandbox.addFault({ ...refused, times: 0 });
    const errors = await errorsOf(stack.up());
    expect(waits).toEqual([500, 1000, 2000]);
    expect(errors).toContain("failed (GROUP_ALREADY_EXISTS): the service refuses the name as taken");
    expect(errors).toContain("run pulumi up again in a few minutes");
    expect(writes(sandbox)).toHaveLength(4);
  });
});

describe("mappings of LDAP groups", () => {
  const ldapGroupMappings = [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=owners"] }];

  it("are sent with the creation to a service that requires them, and an error names the correction if the program declares none", async () => {
    const { sandbox, stack, orgId, outputs, declareCreated } = await startPayments(
      {},
      { sandbox: { ldap: true } },
    );
    sandbox.addFault({
      method: "POST",
      pathPattern: "/groups$",
      bodyPattern: "^(?!.*ldapGroupMappings)",
      times: 0,
      fault: { status: 400, body: { error: 400, errorCode: "MISSING_ROLE_ENTRY_IN_LDAP_MAPPING" } },
    });
    expect(await errorsOf(stack.up())).toContain("Map GROUP_OWNER to at least one LDAP group");
    await declareCreated({ ldapGroupMappings });
    await succeeded(stack.up());
    expect(writes(sandbox).at(-1)?.body).toEqual({ orgId, name: "payments", ldapGroupMappings });
    expect(await outputs()).toMatchObject({ origin: "created", ldapGroupMappings });
  });

  it("that a service without LDAP refuses leave the created project in the state, and the next up without them finishes it", async () => {
    const { sandbox, stack, record, declareCreated } = await startPayments({
      tags: ["PROD"],
      ldapGroupMappings,
    });
    const errors = await errorsOf(stack.up());
    const id = idOfPayments(sandbox);
    expect(errors).toContain("DISALLOWED_ATTRIBUTE_TURN_ON_LDAP");
    expect(errors).toContain("Remove ldapGroupMappings, or enable LDAP");
    expect(errors).toContain(
      `Project ${id} was created, but is not yet as declared: Updating tags, ldapGroupMappings of project ${id} failed`,
    );
    expect(await record()).toMatchObject({ id, outputs: { origin: "created" } });

    await declareCreated({ tags: ["PROD"] });
    await succeeded(stack.up());
    expect(projectNamed(sandbox, "payments")).toMatchObject({ id, tags: ["PROD"] });
    expect(writes(sandbox).filter(({ method }) => method === "POST")).toHaveLength(1);
  });
});
