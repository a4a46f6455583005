/** Design, "A service that offers only the four documented operations", and the dialects of its Digest challenge. */
import { succeeded } from "../../support";
import { createEstate, disposeEstates } from "../support/estate";
import {
  doors,
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

describe.each(doors)("a project on a service with only the four documented operations (%s)", (door) => {
  it.each(["qop", "op"] as const)(
    "is sent every declared field, and the answer is the state (challenge %s)",
    async (challenge) => {
      const estate = await createEstate({
        door,
        sandbox: { ...sandbox, challenge },
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
      door,
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

  it("cannot be created by name: the error names the missing operation and the way out", async () => {
    const estate = await createEstate({
      door,
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

  it("cannot leave tags to others: ignoreTags is refused, and nothing is sent", async () => {
    const estate = await createEstate({
      door,
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

  it("cannot be adopted with nothing declared: nobody would know what it is", async () => {
    const estate = await createEstate({
      door,
      sandbox,
      program: (service) => projectProgram({ projectId: projectNamed(service, "payments").id }),
    });

    const up = await estate.stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(said(up, "error")).toMatch(/at least one of name, tags and ldapGroupMappings/);
    expect(writes(estate.sandbox)).toEqual([]);
    expect(await estate.stack.resource("payments")).toBeUndefined();
  });

  it("asserts its organization by the PATCH answer: a wrong orgId is an error naming both", async () => {
    const wrong = "0123456789abcdef01234567";
    const estate = await createEstate({
      door,
      sandbox,
      program: (service) =>
        projectProgram({ projectId: projectNamed(service, "payments").id, orgId: wrong, tags: ["PROD"] }),
    });

    const up = await estate.stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(said(up)).toContain(wrong);
    expect(said(up)).toContain(estate.sandbox.orgId);
  });

  it("cannot be deleted: destroy ends with an error that names the way out, and the state keeps it", async () => {
    const estate = await createEstate({
      door,
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

  it("is told in one sentence when it does not exist", async () => {
    const missing = "0123456789abcdef01234567";
    const estate = await createEstate({
      door,
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

describe.each(doors)("the Digest challenge of the service (%s)", (door) => {
  it.each([
    ["qop", 'with qop="auth"', {}],
    ["op", 'with op="auth" as the API document prints it', {}],
    ["op", "with op, where only the older form of the answer is taken", { opAccepts: "rfc2069" }],
    ["op", "with op, where only the newer form of the answer is taken", { opAccepts: "qop" }],
    ["none", "without either", {}],
  ] as const)("may come %s: %s", async (challenge, _, options) => {
    const estate = await createEstate({
      door,
      sandbox: { challenge, ...options },
      program: ({ orgId }) => projectProgram({ orgId, name: "payments", tags: ["PROD"] }),
    });
    await succeeded(estate.stack.up());
    expect(projectNamed(estate.sandbox, "payments").tags).toEqual(["PROD"]);
    expect((await succeeded(estate.stack.up())).changes).toEqual({ same: 1 });
  });

  it.each(["refuse", "refuse-silently"] as const)(
    "may allow a nonce for one request only: everything is still written once (nonceReuse %s)",
    async (nonceReuse) => {
      const estate = await createEstate({
        door,
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
});
