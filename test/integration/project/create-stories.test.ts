/** Design, Project: how a project comes into a stack, by its name or by its id. */
import type { Sandbox } from "../../../sandbox";
import {
  bothProviders,
  messagesOf,
  operations,
  projectNamed,
  projectProgram,
  projectsNamed,
  projectsProgram,
  timesPrinted,
  writes,
} from "../../engine/support/project-program";
import { succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";

afterEach(tearDownStacks);

const ownerRoles = (sandbox: Sandbox, username: string, projectId: string) =>
  (sandbox.user({ username })?.roles ?? [])
    .filter(({ groupId }) => groupId === projectId)
    .map(({ roleName }) => roleName);

describe.each(bothProviders)("a project created by orgId and name (%s)", (provider) => {
  it("is refused if the organization has the exact name: the error names the id, aliases, adoption and, for the plugin, import, in this order", async () => {
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed: { projects: [{ name: "payments", tags: ["THEIRS"] }] } },
      program: ({ orgId }) => projectProgram({ orgId, name: "payments", tags: ["OURS"] }),
    });
    const { id } = projectNamed(sandbox, "payments");

    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    const error = messagesOf(up, "error");
    expect(error).toMatch(new RegExp(`${id}.*aliases.*projectId: "${id}"`, "s"));
    // Known difference: nothing can be imported through the dynamic provider, so no command is advised that cannot work.
    if (provider === "dynamic") expect(error).not.toContain("pulumi import");
    else
      expect(error).toMatch(
        new RegExp(`projectId: .*pulumi import opsmanager:index:Project payments ${id}`, "s"),
      );
    expect(writes(sandbox)).toEqual([]);
    expect(projectNamed(sandbox, "payments").tags).toEqual(["THEIRS"]);
    expect(await stack.resource("payments")).toBeUndefined();
  });

  it("is created once if a program declares the same name twice, and the error of the second one names its id", async () => {
    const { sandbox, stack } = await setUpStack({
      provider,
      // The service itself would take both: that only one is made is the provider's doing.
      sandbox: { allowDuplicateNames: true, latencyMs: 20 },
      program: ({ orgId }) =>
        projectsProgram({
          first: { properties: { orgId, name: "payments" } },
          second: { properties: { orgId, name: "payments" } },
        }),
    });

    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(messagesOf(up, "error")).toContain(projectNamed(sandbox, "payments").id);
    const made = [await stack.resource("first"), await stack.resource("second")];
    expect(made.filter((resource) => resource !== undefined)).toHaveLength(1);
  });
});

describe("a project created by orgId and name", () => {
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
    await succeeded(stack.up());
    expect(writes(sandbox)).toEqual([]);
    expect((await succeeded(stack.preview())).changes).toEqual({ same: 1 });
  });

  it("is created beside projects whose names differ in case or are longer", async () => {
    const { sandbox, stack } = await setUpStack({
      sandbox: { seed: { projects: [{ name: "Payments" }, { name: "payments-archive" }] } },
      program: ({ orgId }) => projectProgram({ orgId, name: "payments" }),
    });

    expect((await succeeded(stack.up())).changes).toEqual({ create: 1 });
    expect(sandbox.state.projects.map(({ name }) => name).sort()).toEqual([
      "Payments",
      "payments",
      "payments-archive",
    ]);
  });

  it("is found and recorded as adopted if the response to the POST is lost: there is exactly one", async () => {
    const { sandbox, stack } = await setUpStack({
      sandbox: { allowDuplicateNames: true },
      program: ({ orgId }) => projectProgram({ orgId, name: "payments", tags: ["PROD"] }),
    });
    sandbox.addFault({ method: "POST", pathPattern: "/groups$", fault: "reset-after-write" });

    const up = await succeeded(stack.up());
    const { id, tags } = projectNamed(sandbox, "payments");
    expect(tags).toEqual(["PROD"]);
    expect(await stack.resource("payments")).toMatchObject({ id, outputs: { origin: "adopted" } });
    expect(messagesOf(up, "warning")).toContain(
      `${id}. Another program may have created it, so it is recorded as adopted.`,
    );
    expect(writes(sandbox).filter(({ method }) => method === "POST")).toHaveLength(1);
    expect((await succeeded(stack.preview())).changes).toEqual({ same: 1 });
  });

  it("is not created twice if the POST never arrived: the run fails with an error, and the next up creates it", async () => {
    const { sandbox, stack } = await setUpStack({
      sandbox: { allowDuplicateNames: true },
      program: ({ orgId }) => projectProgram({ orgId, name: "payments" }),
    });
    sandbox.addFault({ method: "POST", pathPattern: "/groups$", fault: "reset-before-write" });

    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(messagesOf(up, "error")).toMatch(/found no project named "payments".*pulumi up again/s);
    expect(projectsNamed(sandbox, "payments")).toEqual([]);
    expect(await stack.resource("payments")).toBeUndefined();

    expect((await succeeded(stack.up())).changes).toEqual({ create: 1 });
    expect(projectsNamed(sandbox, "payments")).toHaveLength(1);
  });
});

describe("a preview of a project created by orgId and name (plugin; the dynamic provider has no guards in previews)", () => {
  it("fails as the real run would where the name is taken, and writes nothing", async () => {
    const { sandbox, stack } = await setUpStack({
      sandbox: { seed: { projects: [{ name: "payments" }] } },
      program: ({ orgId }) => projectProgram({ orgId, name: "payments" }),
    });

    const preview = await stack.preview();
    expect(preview.exitCode).not.toBe(0);
    expect(messagesOf(preview, "error")).toContain(projectNamed(sandbox, "payments").id);
    expect(messagesOf(preview, "error")).toContain(
      "give it an alias: aliases: [{ name: <old name> }]; in a project file, write key: <old name>.",
    );
    expect(writes(sandbox)).toEqual([]);
  });

  it("reports once that it could not read while the organization is unknown, and the real run reads", async () => {
    const { sandbox, stack } = await setUpStack({
      sandbox: { seed: { projects: [{ name: "payments" }] } },
      program: ({ orgId }) =>
        projectsProgram({
          orders: { properties: { orgId, name: "orders" } },
          payments: { properties: { orgId: "${orders.orgId}", name: "${orders.projectId}" } },
        }),
    });

    const preview = await succeeded(stack.preview());
    expect(operations(preview)).toEqual({ orders: "create", payments: "create" });
    expect(timesPrinted(preview, "not known yet")).toBe(1);
    expect(writes(sandbox)).toEqual([]);

    await succeeded(stack.up());
    expect(projectsNamed(sandbox, projectNamed(sandbox, "orders").id)).toHaveLength(1);
  });
});

describe("a project adopted by projectId", () => {
  const seed = {
    projects: [{ name: "payments", tags: ["BY-HAND", "EU"], ldapGroupMappings: [] }],
  };

  it("is sent only what differs", async () => {
    const { sandbox, stack } = await setUpStack({
      sandbox: { seed, ldap: true },
      program: (sandbox) =>
        projectProgram({
          projectId: projectNamed(sandbox, "payments").id,
          name: "payments",
          tags: ["EU", "PROD"],
          ldapGroupMappings: [],
        }),
    });

    expect((await succeeded(stack.up())).changes).toEqual({ create: 1 });
    const { id } = projectNamed(sandbox, "payments");
    expect(writes(sandbox)).toEqual([
      { method: "PATCH", path: `/groups/${id}`, body: { tags: ["EU", "PROD"] } },
    ]);
    expect(await stack.resource("payments")).toMatchObject({
      id,
      outputs: { origin: "adopted", onDestroy: "release", orgId: sandbox.orgId, tags: ["EU", "PROD"] },
    });
  });

  it("is left unchanged if nothing but projectId is declared, whatever its values are", async () => {
    const { sandbox, stack } = await setUpStack({
      sandbox: { seed },
      program: (sandbox) => projectProgram({ projectId: projectNamed(sandbox, "payments").id }),
    });

    await succeeded(stack.up());
    const { id } = projectNamed(sandbox, "payments");
    sandbox.changeProject(id, { name: "renamed", tags: ["OTHER"] });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect(writes(sandbox)).toEqual([]);
    expect(sandbox.project(id)).toMatchObject({ name: "renamed", tags: ["OTHER"] });
  });

  it("asserts the organization if orgId is declared beside projectId: a wrong one is an error that names both", async () => {
    const { sandbox, stack } = await setUpStack({
      sandbox: { seed },
      program: () => ({}),
    });
    const { id } = projectNamed(sandbox, "payments");
    const other = sandbox.addOrg({ name: "Elsewhere" });
    await stack.setProgram(projectProgram({ projectId: id, orgId: other.id, name: "renamed" }));

    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(messagesOf(up, "error")).toContain(other.id);
    expect(messagesOf(up, "error")).toContain(sandbox.orgId);
    expect(writes(sandbox)).toEqual([]);
    expect(await stack.resource("payments")).toBeUndefined();

    await stack.setProgram(projectProgram({ projectId: id, orgId: sandbox.orgId, name: "renamed" }));
    await succeeded(stack.up());
    expect(sandbox.project(id)?.name).toBe("renamed");
  });

  it("is refused with its id in the message if there is no such project", async () => {
    const missing = "0123456789abcdef01234567";
    const { sandbox, stack } = await setUpStack({
      program: () => projectProgram({ projectId: missing, tags: ["PROD"] }),
    });

    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(messagesOf(up, "error")).toMatch(
      new RegExp(`Reading project ${missing} failed.*Check the project id`, "s"),
    );
    expect(writes(sandbox)).toEqual([]);
    expect(await stack.resource("payments")).toBeUndefined();
  });

  it("logs every value that it overwrites, in the preview and in the update", async () => {
    const { sandbox, stack } = await setUpStack({
      sandbox: {
        ldap: true,
        emptyLdapMappings: "clear",
        seed: {
          projects: [
            {
              name: "payments",
              tags: ["BY-HAND"],
              ldapGroupMappings: [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=old,dc=example,dc=com"] }],
            },
          ],
        },
      },
      program: (sandbox) =>
        projectProgram({
          projectId: projectNamed(sandbox, "payments").id,
          name: "invoices",
          tags: ["PROD"],
          ldapGroupMappings: [],
        }),
    });
    const overwritten = [
      'name "payments" becomes "invoices"',
      'tag "BY-HAND" is removed',
      'GROUP_OWNER is no longer mapped to "cn=old,dc=example,dc=com"',
    ];

    const preview = messagesOf(await succeeded(stack.preview()), "info");
    expect(writes(sandbox)).toEqual([]);
    const up = messagesOf(await succeeded(stack.up()), "info");
    for (const sentence of overwritten) {
      expect(preview).toContain(sentence);
      expect(up).toContain(sentence);
    }
    expect(projectNamed(sandbox, "invoices")).toMatchObject({ tags: ["PROD"], ldapGroupMappings: [] });
  });
});
