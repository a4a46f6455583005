/** Design, Lookups: getProject, getProjectInvitation and getProjectInvitations. */
import type { Sandbox } from "../../../sandbox";
import { type ArgumentsFor, lookupProgram, lookupsOf } from "../../engine/support/lookup-program";
import { errorsOf, messagesOf, projectNamed } from "../../engine/support/project-program";
import { succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";

afterEach(tearDownStacks);

const { lookUp, responseOf, lookUpAs, setUpEmptyStack } = lookupsOf(setUpStack, "plugin");

const ldapGroupMappings = [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=dba,dc=example,dc=com"] }];
const seed = {
  projects: [
    {
      name: "payments",
      tags: ["PROD", "EU"],
      ldapGroupMappings,
      invitations: [{ username: "new@example.com", roles: ["GROUP_READ_ONLY", "GROUP_BACKUP_ADMIN"] }],
    },
    { name: "payments-archive" },
    { name: "Payments" },
  ],
};

const payments = (service: Sandbox) => ({ projectId: projectNamed(service, "payments").id });
const invitation = (service: Sandbox) => ({
  ...payments(service),
  invitationId: service.state.invitations[0]?.id ?? "",
});

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
    "fails if there is no project of that name (Ops Manager returns %s), and names all of several",
    async (unknownNameInOrg) => {
      const options = { seed: { projects: [{ name: "twins" }, { name: "twins" }] }, unknownNameInOrg };
      const find = async (name: string) => lookUp("getProject", ({ orgId }) => ({ orgId, name }), options);
      const none = await find("orders");
      expect(messagesOf(none.run, "error")).toContain(
        `Organization ${none.sandbox.orgId} has no project named "orders" that these credentials can see`,
      );
      const several = await find("twins");
      for (const { id } of several.sandbox.state.projects)
        expect(messagesOf(several.run, "error")).toContain(id);
    },
  );

  it.each([{}, { name: "payments" }, { projectId: "0123456789abcdef01234567", name: "payments" }])(
    "requires either projectId or orgId and name, not %j",
    async (args) => {
      const { run, sandbox } = await lookUp("getProject", () => args, { seed });
      expect(messagesOf(run, "error")).toContain("Give either projectId alone, or orgId and name together");
      expect(sandbox.requests).toEqual([]);
    },
  );

  it("returns a project without agents, whose response has no lastActiveAgent", async () => {
    const { found } = await responseOf("getProject", payments, { seed }, (sandbox) => {
      const { id, orgId } = projectNamed(sandbox, "payments");
      const body = { id, name: "payments", orgId, tags: [], activeAgentCount: 0 };
      sandbox.addFault({ method: "GET", pathPattern: `/groups/${id}$`, fault: { status: 200, body } });
    });
    const projectId = expect.stringMatching(/^[0-9a-f]{24}$/);
    expect(found).toEqual({ projectId, orgId: projectId, name: "payments", tags: [], activeAgentCount: 0 });
  });
});

describe("getProject by name, where the organization's list shows no tags and mappings", () => {
  const options = { seed, ldap: true, orgProjectFields: "without-tags-and-mappings" } as const;
  const byName = ({ orgId }: Sandbox) => ({ orgId, name: "payments" });

  it("returns those of the project itself", async () => {
    const { found } = await responseOf("getProject", byName, options);
    expect(found).toMatchObject({ tags: ["EU", "PROD"], ldapGroupMappings });
  });

  it("returns the entry without them if the key may not read the project", async () => {
    const { found, sandbox } = await responseOf("getProject", byName, options, (service) => {
      const fault = { status: 401, body: { error: 401, errorCode: "USER_UNAUTHORIZED" } };
      service.addFault({ method: "GET", pathPattern: "/groups/\\w+$", fault });
    });
    expect(found).toMatchObject({ ...payments(sandbox), orgId: sandbox.orgId, name: "payments" });
    expect(found).not.toHaveProperty("tags");
    expect(found).not.toHaveProperty("ldapGroupMappings");
  });
});

describe("getProjectInvitation", () => {
  it.each([
    { end: "was accepted", act: (service: Sandbox, id: string) => void service.acceptInvitation(id) },
    { end: "has expired", act: (service: Sandbox, id: string) => void service.expireInvitation(id) },
    { end: "was deleted", act: (service: Sandbox, id: string) => service.removeInvitation(id) },
  ])("fails with an error that names the reasons when the invitation $end", async ({ act }) => {
    let args = { projectId: "", invitationId: "" };
    const { run } = await lookUp(
      "getProjectInvitation",
      (service) => {
        args = invitation(service);
        act(service, args.invitationId);
        return args;
      },
      { seed },
    );
    expect(messagesOf(run, "error")).toMatch(
      new RegExp(
        `Reading invitation ${args.invitationId} to project ${args.projectId} failed.*The invitation was accepted, has expired or was deleted`,
      ),
    );
  });
});

describe("getProjectInvitations", () => {
  const roles = ["GROUP_READ_ONLY"];
  const invitations = ["b@example.com", "a@example.com"].map((username) => ({ username, roles }));
  const people = { projects: [{ name: "payments", invitations }] };

  it.each([
    { username: undefined, expected: ["a@example.com", "b@example.com"] },
    { username: "b@example.com", expected: ["b@example.com"] },
    { username: "c@example.com", expected: [] },
  ])("returns those of $username alone, sorted by username", async ({ username, expected }) => {
    const args: ArgumentsFor = (service) => ({ ...payments(service), username });
    const { found, sandbox } = await responseOf("getProjectInvitations", args, { seed: people });
    const invitations = expected.map((name) => ({ username: name, groupName: "payments", roles }));
    expect(found).toMatchObject({ ...payments(sandbox), invitations });
  });
});

const lookups: readonly { name: string; args: ArgumentsFor; path: string; action: string }[] = [
  { name: "getProject", args: payments, path: "/groups/\\w+$", action: "Reading project \\w+" },
  {
    name: "getProjects",
    args: ({ orgId }) => ({ orgId }),
    path: "/orgs/",
    action: "Listing the projects of organization \\w+",
  },
  {
    name: "getProjectMembers",
    args: payments,
    path: "/users",
    action: "Listing the people of project \\w+",
  },
  {
    name: "getProjectInvitation",
    args: invitation,
    path: "/invites/",
    action: "Reading invitation \\w+ to project \\w+",
  },
  {
    name: "getProjectInvitations",
    args: payments,
    path: "/invites",
    action: "Listing the pending invitations to project \\w+",
  },
];

it.each(lookups)(
  "$name finds the same after a lost response, and fails with an error that names the object, and a missing operation, if it cannot be read",
  async ({ name, args, path, action }) => {
    const { stack, sandbox } = await setUpEmptyStack({ seed });
    await stack.setProgram(lookupProgram(name, args(sandbox)));
    await succeeded(stack.up());
    const found = await stack.outputs();
    sandbox.addFault({ method: "GET", pathPattern: path, fault: "reset-after-write" });
    await succeeded(stack.up());
    expect([sandbox.faults, await stack.outputs()]).toEqual([[], found]);
    const page = { status: 200, body: "<html>", contentType: "text/html" };
    const missing = { status: 404, body: { error: 404, errorCode: "RESOURCE_NOT_FOUND" } };
    for (const [message, fault] of [
      ["400 Injected by the test", { status: 400 }],
      ["status 200 with a web page\\. Check baseUrl", page],
      ["404 RESOURCE_NOT_FOUND.*no such operation", missing],
    ] as const) {
      sandbox.addFault({ method: "GET", pathPattern: path, fault });
      expect(await errorsOf(stack.up())).toMatch(new RegExp(`${action} failed: .*${message}`));
    }
  },
);

it.each(lookups.slice(2))(
  "$name fails with an error that names the role if the API key lacks Project User Admin",
  async ({ name, args }) => {
    const { run, publicKey, privateKey } = await lookUpAs(name, args, { seed }, (service) => [
      { groupId: payments(service).projectId, roleName: "GROUP_READ_ONLY" },
    ]);
    expect(messagesOf(run, "error")).toContain("needs the role Project User Admin");
    expect(run.output).toContain(publicKey);
    expect(run.output).not.toContain(privateKey);
  },
);
