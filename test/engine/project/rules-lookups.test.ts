/** Design, Lookups. */
import type { Sandbox } from "../../../sandbox";
import { succeeded } from "../../support";
import { lookupProgram, lookupsThrough } from "../support/lookup-program";
import { bothProviders, projectNamed, writes } from "../support/project-program";
import { connection, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const mappings = [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=dba,dc=example,dc=com"] }];

const seed = {
  projects: [
    {
      name: "payments",
      tags: ["PROD", "EU"],
      ldapGroupMappings: mappings,
      replicaSetCount: 2,
      activeAgentCount: 3,
      lastActiveAgent: "2026-01-02T03:04:05Z",
      invitations: [{ username: "new@example.com", roles: ["GROUP_READ_ONLY", "GROUP_BACKUP_ADMIN"] }],
    },
    { name: "payments-archive" },
    { name: "Payments" },
  ],
};

const named = (service: Sandbox) => {
  const [invitation] = service.state.invitations;
  if (!invitation) throw new Error("The seed has an invitation.");
  return { projectId: projectNamed(service, "payments").id, invitationId: invitation.id };
};
const people = {
  projects: [
    {
      name: "payments",
      invitations: ["b@example.com", "a@example.com"].map((username) => ({
        username,
        roles: ["GROUP_READ_ONLY"],
      })),
    },
  ],
};
const projectId = (service: Sandbox) => projectNamed(service, "payments").id;

describe.each(bothProviders)("the lookup (%s)", (provider) => {
  const { lookUp, setUpEmptyStack } = lookupsThrough(provider);

  it("getProject returns every property of a project, except its secret and its links", async () => {
    const { run, stack, sandbox } = await lookUp(
      "getProject",
      (service) => ({ projectId: projectNamed(service, "payments").id }),
      { seed, ldap: true },
    );
    await succeeded(Promise.resolve(run));
    expect(await stack.outputs()).toEqual({
      found: {
        projectId: projectNamed(sandbox, "payments").id,
        orgId: sandbox.orgId,
        name: "payments",
        tags: ["EU", "PROD"],
        ldapGroupMappings: mappings,
        hostCounts: { arbiter: 0, config: 0, mongos: 0, primary: 0, secondary: 0 },
        activeAgentCount: 3,
        replicaSetCount: 2,
        shardCount: 0,
        lastActiveAgent: "2026-01-02T03:04:05Z",
        publicApiEnabled: true,
      },
    });
    expect(writes(sandbox)).toEqual([]);
  });

  it("getProject fails if there is no project of that id", async () => {
    const projectId = "0123456789abcdef01234567";
    const { run } = await lookUp("getProject", () => ({ projectId }), { seed });
    expect(run.exitCode).not.toBe(0);
    expect(run.output).toMatch(new RegExp(`Reading project ${projectId} failed: 404 GROUP_NOT_FOUND`));
  });

  it("getProjectInvitation returns all eight fields of a pending invitation", async () => {
    const { run, stack, sandbox } = await lookUp("getProjectInvitation", named, { seed });
    await succeeded(Promise.resolve(run));
    const [invitation] = sandbox.state.invitations;
    expect(await stack.outputs()).toEqual({
      found: {
        id: invitation?.id,
        groupId: projectNamed(sandbox, "payments").id,
        groupName: "payments",
        createdAt: invitation?.createdAt,
        expiresAt: invitation?.expiresAt,
        inviterUsername: "owner@example.com",
        roles: ["GROUP_BACKUP_ADMIN", "GROUP_READ_ONLY"],
        username: "new@example.com",
      },
    });
  });

  it("getProjectInvitations returns the invitations of one username, or an empty list", async () => {
    const { stack, sandbox } = await setUpEmptyStack({ seed: people });
    const lookUp = (username: string) => ({
      function: "getProjectInvitations",
      arguments: { projectId: projectId(sandbox), username },
    });
    await stack.setProgram({
      lookups: { one: lookUp("b@example.com"), none: lookUp("c@example.com") },
      outputs: { one: "${one.invitations}", none: "${none.invitations}" },
    });
    await succeeded(stack.up());
    expect(await stack.outputs()).toEqual({
      one: [expect.objectContaining({ username: "b@example.com" })],
      none: [],
    });
  });
});

describe("the lookup", () => {
  const { lookUp, setUpEmptyStack } = lookupsThrough("plugin");

  describe("getProject", () => {
    it("finds a project by its organization, in any case, and exact name, beside names that differ in case or are longer", async () => {
      const { stack, sandbox } = await setUpEmptyStack({
        seed: { ...seed, orgs: [{ id: "5f00000000000000000000b1" }] },
      });
      const { orgId } = sandbox;
      const find = (id: string) => ({ function: "getProject", arguments: { orgId: id, name: "payments" } });
      await stack.setProgram({
        lookups: { exact: find(orgId), upper: find(orgId.toUpperCase()) },
        outputs: { exact: "${exact}", upper: "${upper}" },
      });
      await succeeded(stack.up());
      const found = { projectId: projectNamed(sandbox, "payments").id, orgId, name: "payments" };
      expect(await stack.outputs()).toMatchObject({ exact: found, upper: found });
    });

    it.each(["empty", "GROUP_NAME_NOT_FOUND"] as const)(
      "fails if there is no project of that name (Ops Manager returns %s)",
      async (unknownNameInOrg) => {
        const { run, sandbox } = await lookUp("getProject", ({ orgId }) => ({ orgId, name: "orders" }), {
          seed,
          unknownNameInOrg,
        });
        expect(run.exitCode).not.toBe(0);
        expect(run.output).toMatch(
          new RegExp(`Organization ${sandbox.orgId} has no project named "orders" that this API key can see`),
        );
      },
    );

    it("names all of several projects with that name", async () => {
      const { run, sandbox } = await lookUp("getProject", ({ orgId }) => ({ orgId, name: "twins" }), {
        seed: { projects: [{ name: "twins" }, { name: "twins" }] },
      });
      expect(run.exitCode).not.toBe(0);
      for (const { id } of sandbox.state.projects) expect(run.output).toContain(id);
    });

    it.each([
      ["neither id nor name", {}],
      ["a name without an organization", { name: "payments" }],
      ["an id and a name", { projectId: "0123456789abcdef01234567", name: "payments" }],
    ])("requires either projectId or orgId and name, not %s", async (_, args) => {
      const { run, sandbox } = await lookUp("getProject", () => args, { seed });
      expect(run.exitCode).not.toBe(0);
      expect(run.output).toContain("Give either projectId alone, or orgId and name together");
      expect(sandbox.requests).toEqual([]);
    });

    it("leaves tags out if the key may not see them", async () => {
      const { stack, sandbox } = await setUpEmptyStack({ seed, tagsWithoutGlobalRole: "hide" });
      const { publicKey, privateKey } = sandbox.addKey({
        roles: [{ orgId: sandbox.orgId, roleName: "ORG_OWNER" }],
      });
      await stack.setConfig(connection({ baseUrl: sandbox.baseUrl, publicKey, privateKey }));
      await stack.setProgram(
        lookupProgram("getProject", { projectId: projectNamed(sandbox, "payments").id }),
      );
      await succeeded(stack.up());
      const { found } = await stack.outputs();
      expect(found).toMatchObject({ name: "payments" });
      expect(found).not.toHaveProperty("tags");
    });
  });

  describe("getProjectInvitation", () => {
    it.each([
      ["was accepted", (service: Sandbox, id: string) => void service.acceptInvitation(id)],
      ["has expired", (service: Sandbox, id: string) => void service.expireInvitation(id)],
      ["was deleted", (service: Sandbox, id: string) => service.removeInvitation(id)],
    ])("fails with an error that names the reasons when the invitation %s", async (_, end) => {
      const { stack, sandbox } = await setUpEmptyStack({ seed });
      const args = named(sandbox);
      end(sandbox, args.invitationId);
      await stack.setProgram(lookupProgram("getProjectInvitation", args));

      const up = await stack.up();
      expect(up.exitCode).not.toBe(0);
      expect(up.output).toMatch(
        new RegExp(`Reading invitation ${args.invitationId} to project ${args.projectId} failed`),
      );
      expect(up.output).toContain("The invitation was accepted, has expired or was deleted");
    });

    it("refuses a malformed id before anything is sent", async () => {
      const { run, sandbox } = await lookUp(
        "getProjectInvitation",
        (service) => ({ projectId: projectNamed(service, "payments").id, invitationId: "xyz" }),
        { seed },
      );
      expect(run.exitCode).not.toBe(0);
      expect(run.output).toContain("invitationId must be the id of an invitation: 24 hexadecimal digits");
      expect(sandbox.requests).toEqual([]);
    });

    it("works on a service that offers only the four documented operations", async () => {
      const { run, stack } = await lookUp("getProjectInvitation", named, { seed, onlyDocumented: true });
      await succeeded(Promise.resolve(run));
      expect(await stack.outputs()).toMatchObject({ found: { username: "new@example.com" } });
    });
  });

  describe("getProjectInvitations", () => {
    it("returns all invitations, sorted by username", async () => {
      const { run, stack, sandbox } = await lookUp(
        "getProjectInvitations",
        (service) => ({ projectId: projectId(service) }),
        { seed: people },
      );
      await succeeded(Promise.resolve(run));
      expect(await stack.outputs()).toMatchObject({
        found: {
          projectId: projectId(sandbox),
          invitations: [
            { username: "a@example.com", groupName: "payments", roles: ["GROUP_READ_ONLY"] },
            { username: "b@example.com" },
          ],
        },
      });
    });

    it("names the missing operation on a service that offers only the four documented ones", async () => {
      const { run } = await lookUp(
        "getProjectInvitations",
        (service) => ({ projectId: projectId(service) }),
        {
          seed: people,
          onlyDocumented: true,
        },
      );
      expect(run.exitCode).not.toBe(0);
      expect(run.output).toMatch(/Listing the pending invitations.*failed: 404.*no such operation/s);
    });
  });

  describe("of invitations with an API key that lacks Project User Admin", () => {
    it.each(["getProjectInvitation", "getProjectInvitations"])(
      "fails with an error that names the role: %s",
      async (name) => {
        const { stack, sandbox } = await setUpEmptyStack({ seed });
        const { id: projectId } = projectNamed(sandbox, "payments");
        const { publicKey, privateKey } = sandbox.addKey({
          roles: [{ groupId: projectId, roleName: "GROUP_READ_ONLY" }],
        });
        await stack.setConfig(connection({ baseUrl: sandbox.baseUrl, publicKey, privateKey }));
        const invitation = { invitationId: sandbox.state.invitations[0]?.id };
        await stack.setProgram(
          lookupProgram(name, { projectId, ...(name === "getProjectInvitation" && invitation) }),
        );

        const up = await stack.up();
        expect(up.exitCode).not.toBe(0);
        expect(up.output).toContain("needs the role Project User Admin");
        expect(up.output).toContain(publicKey);
        expect(up.output).not.toContain(privateKey);
      },
    );
  });
});
