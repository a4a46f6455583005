/** getProjectMembers through the engine, and what holds for every lookup. Its rules: test/integration/functions. */
import type { Sandbox } from "../../../sandbox";
import { succeeded } from "../../support";
import { readers } from "../../support/people";
import { invitationOf, paymentsId } from "../support/people-program";
import { bothProviders, pathOf, writes } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const orgId = "5f00000000000000000000b1";
const seed = {
  orgs: [{ id: orgId, name: "Example Org" }],
  users: [{ username: "boss@example.com", roles: [{ orgId, roleName: "ORG_OWNER" }] }],
  projects: [
    {
      name: "payments",
      members: {
        "zoe@example.com": ["GROUP_READ_ONLY", "GROUP_BACKUP_ADMIN"],
        "Ada@example.com": ["GROUP_OWNER"],
      },
      invitations: [{ username: "new@example.com", roles: ["GROUP_USER_ADMIN", "GROUP_READ_ONLY"] }],
    },
    { name: "orders", members: { "eve@example.com": readers } },
  ],
};
const idOf = (sandbox: Sandbox, username: string) => sandbox.user({ username })?.id;

describe.each(bothProviders)("getProjectMembers (%s)", (provider) => {
  it("returns members and pending people of the project alone, sorted by name, with sorted roles, whatever the case of the project's id", async () => {
    const lookup = (projectId: string) => ({ function: "getProjectMembers", arguments: { projectId } });
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed },
      program: (service) => ({
        lookups: {
          found: lookup(paymentsId(service)),
          foundInUpperCase: lookup(paymentsId(service).toUpperCase()),
        },
        outputs: { found: "${found}", foundInUpperCase: "${foundInUpperCase}" },
      }),
    });
    await succeeded(stack.up());
    expect(writes(sandbox)).toEqual([]);
    const { id, createdAt, expiresAt } = invitationOf(sandbox, "new@example.com");
    const found = {
      projectId: paymentsId(sandbox),
      members: [
        {
          username: "Ada@example.com",
          status: "active",
          roles: ["GROUP_OWNER"],
          userId: idOf(sandbox, "Ada@example.com"),
        },
        {
          username: "new@example.com",
          status: "pending",
          roles: ["GROUP_READ_ONLY", "GROUP_USER_ADMIN"],
          invitationId: id,
          createdAt,
          expiresAt,
          inviterUsername: "owner@example.com",
        },
        {
          username: "zoe@example.com",
          status: "active",
          roles: ["GROUP_BACKUP_ADMIN", "GROUP_READ_ONLY"],
          userId: idOf(sandbox, "zoe@example.com"),
        },
      ],
    };
    expect(await stack.outputs()).toEqual({ found, foundInUpperCase: found });
  });

  it("and getProjects keep arguments that are secret out of the state", async () => {
    const hidden = (value: unknown) => ({ "fn::secret": value });
    const tagged = {
      projects: [{ name: "payments", tags: ["SECRETIVE"], members: { "a@example.com": readers } }],
    };
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed: tagged },
      program: (service) => ({
        lookups: {
          byOrganization: { function: "getProjects", arguments: { orgId: hidden(service.orgId) } },
          byTags: { function: "getProjects", arguments: { tags: [hidden("SECRETIVE")] } },
          people: {
            function: "getProjectMembers",
            arguments: { projectId: hidden(paymentsId(service)) },
          },
        },
        outputs: {
          byOrganization: "${byOrganization}",
          byTags: "${byTags}",
          people: "${people}",
        },
      }),
    });
    await succeeded(stack.up());
    expect(writes(sandbox)).toEqual([]);
    for (const found of Object.values(await stack.outputs()))
      expect(Object.keys(found as object)).toContain("ciphertext");
    const inState = async (showSecrets: boolean) => {
      const text = JSON.stringify(await stack.state({ showSecrets }));
      return [sandbox.orgId, "SECRETIVE", paymentsId(sandbox)].filter((value) => text.includes(value));
    };
    expect(await inState(false)).toEqual([]);
    expect(await inState(true)).toEqual([sandbox.orgId, "SECRETIVE", paymentsId(sandbox)]);
  });

  it("with arguments that are not known yet is left out of a preview and made in the real run", async () => {
    const { stack, sandbox } = await setUpStack({
      provider,
      program: (service) => ({
        resources: {
          payments: { type: "Project", properties: { orgId: service.orgId, name: "payments" } },
        },
        lookups: {
          people: { function: "getProjectMembers", arguments: { projectId: "${payments.projectId}" } },
          siblings: { function: "getProjects", arguments: { tags: ["${payments.projectId}"] } },
        },
        outputs: { people: "${people.members}", siblings: "${siblings.projects}" },
      }),
    });
    await succeeded(stack.preview());
    const requestedPaths = () =>
      sandbox.requests.map(pathOf).filter((path) => /users$|^\/groups$/.test(path));
    expect(requestedPaths()).toEqual([]);
    await succeeded(stack.up());
    expect(requestedPaths()).toContain(`/groups/${paymentsId(sandbox)}/users`);
    expect(await stack.outputs()).toEqual({
      people: [expect.objectContaining({ username: "owner@example.com", status: "active" })],
      siblings: [],
    });
  });
});
