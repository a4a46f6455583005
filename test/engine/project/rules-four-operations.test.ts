/** Design, "A service that offers only the four documented operations", and the dialects of its Digest challenge. */
import { succeeded } from "../../support";
import { createEstate, disposeEstates } from "../support/estate";
import {
  pathOf,
  projectNamed,
  projectProgram,
  projectsNamed,
  said,
  timesSaid,
  writes,
} from "../support/project-program";

afterEach(disposeEstates);

const mappings = [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=dba,dc=example,dc=com"] }];
const sandbox = {
  onlyDocumented: true,
  ldap: true,
  seed: { projects: [{ name: "payments", tags: ["BY-HAND"], ldapGroupMappings: mappings }] },
};

describe("a project on a service with only the four documented operations", () => {
  it.each([
    ["qop", "any form", {}],
    ["op", "any form", {}],
    ["op", "the older form", { opAccepts: "rfc2069" }],
    ["op", "the newer form", { opAccepts: "qop" }],
    ["none", "any form", {}],
  ] as const)(
    "is sent every declared property, and the response becomes the state (challenge %s, %s of the answer accepted)",
    async (challenge, _, options) => {
      const estate = await createEstate({
        sandbox: { ...sandbox, challenge, emptyLdapMappings: "clear", ...options },
        program: (service) =>
          projectProgram({
            projectId: projectNamed(service, "payments").id,
            name: "payments",
            tags: ["PROD"],
            ldapGroupMappings: mappings,
          }),
      });
      const { stack } = estate;
      const { id } = projectNamed(estate.sandbox, "payments");

      await succeeded(stack.up());
      expect(writes(estate.sandbox)).toEqual([
        {
          method: "PATCH",
          path: `/groups/${id}`,
          body: { name: "payments", tags: ["PROD"], ldapGroupMappings: mappings },
        },
      ]);
      expect(await stack.resource("payments")).toMatchObject({
        id,
        outputs: {
          orgId: estate.sandbox.orgId,
          name: "payments",
          tags: ["PROD"],
          ldapGroupMappings: mappings,
          origin: "adopted",
        },
      });

      estate.sandbox.clearRequests();
      await stack.setProgram(
        projectProgram({ projectId: id, name: "payments", tags: ["EU"], ldapGroupMappings: [] }),
      );
      expect((await succeeded(stack.up())).changes).toEqual({ update: 1 });
      expect(writes(estate.sandbox)).toEqual([
        {
          method: "PATCH",
          path: `/groups/${id}`,
          body: { name: "payments", tags: ["EU"], ldapGroupMappings: [] },
        },
      ]);
      expect(estate.sandbox.project(id)).toMatchObject({ tags: ["EU"], ldapGroupMappings: [] });
    },
  );

  it("keeps its last state at every read, with one warning that names the missing operation", async () => {
    const estate = await createEstate({
      sandbox,
      program: (service) =>
        projectProgram({ projectId: projectNamed(service, "payments").id, tags: ["PROD"] }),
    });
    const { stack } = estate;
    const { id } = projectNamed(estate.sandbox, "payments");
    await succeeded(stack.up());
    estate.sandbox.changeProject(id, { tags: ["BY-HAND"] });

    estate.sandbox.clearRequests();
    const up = await succeeded(stack.up());
    expect(up.changes).toEqual({ same: 1 });
    expect(timesSaid(up, "GET /groups/{id}")).toBe(1);
    expect(said(up, "warning")).toContain("[missing operation]");
    const refresh = await succeeded(stack.refresh());
    expect(refresh.changes).toEqual({ same: 1 });
    expect(timesSaid(refresh, "GET /groups/{id}")).toBe(1);
    expect(writes(estate.sandbox)).toEqual([]);
    expect(await stack.resource("payments")).toMatchObject({ id, outputs: { tags: ["PROD"] } });

    await succeeded(stack.destroy());
    expect(estate.sandbox.project(id)?.name).toBe("payments");
  });

  it("cannot be created by name: the error names the missing operation and the correction", async () => {
    const estate = await createEstate({
      sandbox: { onlyDocumented: true },
      program: ({ orgId }) => projectProgram({ orgId, name: "orders" }),
    });

    const up = await estate.stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(said(up, "error")).toMatch(
      /"orders" cannot be created.*GET \/orgs\/[0-9a-f]{24}\/groups.*Give projectId/s,
    );
    expect(writes(estate.sandbox)).toEqual([]);
    expect(projectsNamed(estate.sandbox, "orders")).toEqual([]);
    expect(await estate.stack.resource("payments")).toBeUndefined();
  });

  it("cannot ignore tags: ignoreTags is refused, and nothing is sent", async () => {
    const estate = await createEstate({
      sandbox,
      program: (service) =>
        projectProgram({
          projectId: projectNamed(service, "payments").id,
          tags: ["PROD"],
          ignoreTags: ["BY-*"],
        }),
    });

    const up = await estate.stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(said(up, "error")).toMatch(/ignoreTags cannot be honoured/);
    // The reason is the service, not the key: more roles would not help.
    expect(said(up, "error")).not.toContain("global role");
    expect(writes(estate.sandbox)).toEqual([]);
    expect(projectNamed(estate.sandbox, "payments").tags).toEqual(["BY-HAND"]);
  });

  it("cannot be adopted with nothing declared, because no response would describe it", async () => {
    const estate = await createEstate({
      sandbox,
      program: (service) => projectProgram({ projectId: projectNamed(service, "payments").id }),
    });

    const up = await estate.stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(said(up, "error")).toMatch(/at least one of name, tags and ldapGroupMappings/);
    expect(writes(estate.sandbox)).toEqual([]);
    expect(await estate.stack.resource("payments")).toBeUndefined();
  });

  it("asserts its organization by the PATCH response: a wrong orgId is an error that names both", async () => {
    const wrong = "0123456789abcdef01234567";
    const estate = await createEstate({
      sandbox,
      program: (service) =>
        projectProgram({ projectId: projectNamed(service, "payments").id, orgId: wrong, tags: ["PROD"] }),
    });

    const up = await estate.stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(said(up)).toContain(wrong);
    expect(said(up)).toContain(estate.sandbox.orgId);
  });

  it("cannot be deleted: destroy fails with an error that names the correction, and the state keeps it", async () => {
    const estate = await createEstate({
      sandbox,
      program: (service) =>
        projectProgram({
          projectId: projectNamed(service, "payments").id,
          tags: ["PROD"],
          onDestroy: "delete",
        }),
    });
    const { id } = projectNamed(estate.sandbox, "payments");
    await succeeded(estate.stack.up());

    const destroy = await estate.stack.destroy();
    expect(destroy.exitCode).not.toBe(0);
    expect(said(destroy, "error")).toMatch(new RegExp(`Deleting project ${id} failed`));
    expect(said(destroy, "error")).toContain('onDestroy: "release"');
    expect(await estate.stack.resource("payments")).toMatchObject({ id });
  });

  it("is an error of one sentence if it does not exist", async () => {
    const missing = "0123456789abcdef01234567";
    const estate = await createEstate({
      sandbox,
      program: () => projectProgram({ projectId: missing, tags: ["PROD"] }),
    });

    const up = await estate.stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(said(up, "error")).toMatch(
      new RegExp(`Updating tags of project ${missing} failed.*GROUP_NOT_FOUND`),
    );
    expect(await estate.stack.resource("payments")).toBeUndefined();
  });
});

it.each(["refuse", "refuse-silently"] as const)(
  "a service that accepts a nonce for one request only receives every write once (nonceReuse %s)",
  async (nonceReuse) => {
    const estate = await createEstate({
      sandbox: { nonceReuse },
      program: ({ orgId }) => projectProgram({ orgId, name: "payments", tags: ["PROD"] }),
    });
    await succeeded(estate.stack.up());
    const { id } = projectNamed(estate.sandbox, "payments");
    expect(
      estate.sandbox.requests
        .filter(({ method, status }) => method !== "GET" && status !== undefined && status < 300)
        .map((request) => [request.method, pathOf(request)]),
    ).toEqual([
      ["POST", "/groups"],
      ["PATCH", `/groups/${id}`],
    ]);
    expect((await succeeded(estate.stack.up())).changes).toEqual({ same: 1 });
  },
);
