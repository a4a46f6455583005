/** Design, Project: a project is created by its organization and name, if the organization has none of that name. */
import type { Sandbox } from "../../../sandbox";
import {
  bothProviders,
  errorsOf,
  messagesOf,
  projectNamed,
  projectProgram,
  writes,
} from "../../engine/support/project-program";
import { keepDefault, succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";
import { shortWaits } from "../short-waits";

afterEach(tearDownStacks);

const ownerRoles = (sandbox: Sandbox, username: string, projectId: string) =>
  (sandbox.user({ username })?.roles ?? [])
    .filter(({ groupId }) => groupId === projectId)
    .map(({ roleName }) => roleName);

/** Advice for a name that a project has; the plugin continues with the command that imports it. */
const nameIsTaken = (orgId: string, id: string) =>
  `Organization ${orgId} already has a project named "payments": ${id}. Nothing was written. If this resource was renamed in the program, give it an alias: aliases: [{ name: <old name> }]; in a project file, write key: <old name>. If another resource of the program gives up the name, make this resource depend on it, or run pulumi up without this resource first. To adopt an existing project, set projectId: "${id}"`;

describe.each(bothProviders)("a project created by orgId and name (%s)", (provider) => {
  // Nothing can be imported through the dynamic provider, so its error names no command that cannot work.
  const importing = {
    plugin: (id: string) => `, or import it: pulumi import opsmanager:index:Project payments ${id}.`,
    dynamic: () => ".",
  }[provider];

  it("is refused if the organization has the exact name: the error names the id, aliases, adoption and import", async () => {
    keepDefault("refreshBeforeUpdate", "without it, the error also advises --refresh");
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed: { projects: [{ name: "payments", tags: ["THEIRS"] }] } },
      program: ({ orgId }) => projectProgram({ orgId, name: "payments", tags: ["OURS"] }),
    });
    const { id } = projectNamed(sandbox, "payments");

    expect(await errorsOf(stack.up())).toContain(`${nameIsTaken(sandbox.orgId, id)}${importing(id)}`);
    expect(writes(sandbox)).toEqual([]);
    expect(projectNamed(sandbox, "payments").tags).toEqual(["THEIRS"]);
    expect(await stack.resource("payments")).toBeUndefined();
  });
});

describe("a project created by orgId and name", () => {
  it("is refused with all ids if several projects have the name", async () => {
    const { sandbox, stack } = await setUpStack({
      sandbox: { seed: { projects: [{ name: "payments" }, { name: "payments" }] } },
      program: ({ orgId }) => projectProgram({ orgId, name: "payments" }),
    });
    const error = messagesOf(await stack.up(), "error");
    expect(error).toContain('already has 2 projects named "payments": ');
    for (const { id } of sandbox.state.projects) expect(error).toContain(id);
    expect(error).toContain(
      "set projectId: <one of these>, or import it: pulumi import opsmanager:index:Project payments <id>.",
    );
    expect(writes(sandbox)).toEqual([]);
  });

  it("is not created if the projects of the organization cannot be listed", async () => {
    const { sandbox, stack } = await setUpStack({
      program: ({ orgId }) => projectProgram({ orgId, name: "payments" }),
    });
    sandbox.addFault({ method: "GET", pathPattern: "/orgs/", times: 0, fault: { status: 500 } });
    expect(messagesOf(await stack.up(), "error")).toContain("failed: 500");
    expect(writes(sandbox)).toEqual([]);
  });

  it("sends withDefaultAlertsSettings and projectOwnerId when it is created, and never again", async () => {
    const { sandbox, stack } = await setUpStack({
      sandbox: { defaultAlerts: "refuse", seed: { users: [{ username: "dba@example.com" }] } },
      program: () => ({}),
    });
    const ownerId = sandbox.user({ username: "dba@example.com" })?.id;
    const properties = { orgId: sandbox.orgId, name: "payments", projectOwnerId: ownerId };
    await stack.setProgram(projectProgram({ ...properties, withDefaultAlertsSettings: false }));

    await succeeded(stack.up());
    const { id } = projectNamed(sandbox, "payments");
    expect(ownerRoles(sandbox, "dba@example.com", id)).toEqual(["GROUP_OWNER"]);
    expect(writes(sandbox)).toEqual([
      {
        method: "POST",
        path: "/groups",
        query: `projectOwnerId=${ownerId}`,
        body: { orgId: sandbox.orgId, name: "payments", withDefaultAlertsSettings: false },
      },
    ]);

    sandbox.clearRequests();
    await stack.setProgram(projectProgram({ ...properties, withDefaultAlertsSettings: true }));
    expect(messagesOf(await succeeded(stack.up()), "info")).toBe(
      "withDefaultAlertsSettings is used only when a project is created; nothing was sent.",
    );
    expect(writes(sandbox)).toEqual([]);
    expect((await succeeded(stack.preview())).changes).toEqual({ same: 1 });
  });
});

describe("a preview of a project created by orgId and name (plugin; the dynamic provider has no guards in previews)", () => {
  it("fails as the real run would where the name is taken, and writes nothing", async () => {
    keepDefault("refreshBeforeUpdate", "without a read, the error says what a replacement needs");
    const { sandbox, stack } = await setUpStack({
      sandbox: { seed: { projects: [{ name: "payments" }] } },
      program: ({ orgId }) => projectProgram({ orgId, name: "payments" }),
    });

    const errors = await errorsOf(stack.preview());
    const { id, orgId } = projectNamed(sandbox, "payments");
    expect(errors).toContain(nameIsTaken(orgId, id));
    expect(writes(sandbox)).toEqual([]);
  });
});

describe("a name that a deleted project still holds", () => {
  const isListed = (entry: object, times = 2) => ({
    method: "GET",
    pathPattern: "/orgs/\\w+/groups",
    times,
    fault: { status: 200, body: { results: [entry], totalCount: 1 } },
  });
  const refused = {
    method: "POST",
    pathPattern: "/groups$",
    fault: { status: 409, body: { error: 409, errorCode: "GROUP_ALREADY_EXISTS" } },
  };
  const payments = ({ orgId }: Sandbox) => projectProgram({ orgId, name: "payments" });

  it("is waited for if this run deleted the project, although the service still shows it", async () => {
    const waits = shortWaits();
    const { sandbox, stack } = await setUpStack({
      program: ({ orgId }) => projectProgram({ orgId, name: "payments" }, { deleteBeforeReplace: true }),
    });
    await succeeded(stack.up());
    const { id, orgId } = projectNamed(sandbox, "payments");
    const entry = { id, name: "payments", orgId };
    sandbox.addFault(isListed(entry));
    sandbox.addFault({ method: "GET", pathPattern: id, times: 0, fault: { status: 200, body: entry } });
    sandbox.addFault(refused);

    await succeeded(stack.up({ replace: (await stack.resource("payments"))?.urn }));
    expect(waits).toEqual([500]);
    const created = projectNamed(sandbox, "payments");
    expect(created.id).not.toBe(id);
    expect(await stack.resource("payments")).toMatchObject({
      id: created.id,
      outputs: { origin: "created" },
    });
  });

  it("is an error after a few attempts if no project of that name can be seen", async () => {
    const waits = shortWaits();
    const { sandbox, stack } = await setUpStack({ program: payments });
    sandbox.addFault({ ...refused, times: 0 });
    const error = messagesOf(await stack.up(), "error");
    expect(waits).toEqual([500, 1000, 2000]);
    expect(error).toContain("failed (GROUP_ALREADY_EXISTS): the service refuses the name as taken");
    expect(error).toContain("run pulumi up again in a few minutes");
    expect(writes(sandbox)).toHaveLength(4);
  });
});

describe("a project on an LDAP-backed service that takes none without mappings", () => {
  const ldapGroupMappings = [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=owners"] }];
  const takesNoneWithout = {
    method: "POST",
    pathPattern: "/groups$",
    bodyPattern: "^(?!.*ldapGroupMappings)",
    times: 0,
    fault: { status: 400, body: { error: 400, errorCode: "MISSING_ROLE_ENTRY_IN_LDAP_MAPPING" } },
  };

  it("is created with the declared mappings, and refused with the correction if the program declares none", async () => {
    const { sandbox, stack } = await setUpStack({
      sandbox: { ldap: true },
      program: ({ orgId }) => projectProgram({ orgId, name: "payments" }),
    });
    sandbox.addFault(takesNoneWithout);
    expect(messagesOf(await stack.up(), "error")).toContain("Map GROUP_OWNER to at least one LDAP group");

    sandbox.clearRequests();
    const { orgId } = sandbox;
    await stack.setProgram(projectProgram({ orgId, name: "payments", ldapGroupMappings }));
    await succeeded(stack.up());
    expect(writes(sandbox).at(-1)?.body).toEqual({ orgId, name: "payments", ldapGroupMappings });
    expect(projectNamed(sandbox, "payments").ldapGroupMappings).toEqual(ldapGroupMappings);
    expect(await stack.resource("payments")).toMatchObject({
      outputs: { origin: "created", ldapGroupMappings },
    });
  });
});
