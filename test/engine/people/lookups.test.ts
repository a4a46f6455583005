/** Design, Lookups: getProjectMembers, and what holds for every lookup. */
import type { Sandbox, SandboxOptions } from "../../../sandbox";
import { succeeded } from "../../support";
import { readers } from "../../support/people";
import { type ArgumentsFor, lookupProgram, lookupsThrough } from "../support/lookup-program";
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
const ofPayments: ArgumentsFor = (service) => ({ projectId: paymentsId(service) });
const idOf = (sandbox: Sandbox, username: string) => sandbox.user({ username })?.id;

interface Person {
  readonly username: string;
  readonly status: string;
  readonly roles: readonly string[];
}

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

  it("rejects a malformed id before anything is sent", async () => {
    const { run, sandbox } = await lookupsThrough(provider).lookUp(
      "getProjectMembers",
      () => ({ projectId: "xyz" }),
      { seed },
    );
    expect(run.exitCode).not.toBe(0);
    expect(run.output).toContain("projectId must be the id of a project: 24 hexadecimal digits");
    expect(sandbox.requests).toEqual([]);
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

describe("getProjectMembers (plugin)", () => {
  const { responseOf, lookUp, lookUpAs } = lookupsThrough("plugin");

  async function peopleFound(
    args: ArgumentsFor = ofPayments,
    options: SandboxOptions = { seed },
    change?: (sandbox: Sandbox) => void,
  ) {
    const { found, ...setup } = await responseOf("getProjectMembers", args, options, change);
    const people = found.members as Person[];
    return { ...setup, found, people, stages: stagesOf(people) };
  }

  /** `["ada@example.com active"]` */
  function stagesOf(people: readonly Person[]): string[] {
    return people.map(({ username, status }) => `${username} ${status}`);
  }

  const direct = ["Ada@example.com active", "new@example.com pending", "zoe@example.com active"];

  it("returns a member with an additional invitation once, with both ids", async () => {
    const extra = { username: "ZOE@example.com", roles: ["GROUP_OWNER"] };
    const { people, stages, sandbox } = await peopleFound(ofPayments, { seed }, (service) => {
      service.addInvitation(paymentsId(service), extra);
    });
    expect(stages).toEqual(direct);
    expect(people[2]).toMatchObject({
      roles: ["GROUP_BACKUP_ADMIN", "GROUP_READ_ONLY"],
      userId: idOf(sandbox, "zoe@example.com"),
      invitationId: invitationOf(sandbox, "ZOE@example.com").id,
    });
  });

  it("leaves out invitations that have expired, also where the service still lists them", async () => {
    const { stages, sandbox } = await peopleFound(ofPayments, { seed }, (service) => {
      const { teamIds, ...invitation } = invitationOf(service, "new@example.com");
      const past = { createdAt: "2026-01-01T00:00:00Z", expiresAt: "2026-01-31T00:00:00Z" };
      const body = [{ ...invitation, ...past, groupName: "payments" }];
      service.addFault({ pathPattern: "/invites", fault: { status: 200, body } });
    });
    expect(sandbox.faults).toEqual([]);
    expect(stages).toEqual(["Ada@example.com active", "zoe@example.com active"]);
  });

  it("returns an empty list for a project without members", async () => {
    const { people } = await peopleFound(ofPayments, {
      seed: { users: [], projects: [{ name: "payments" }] },
    });
    expect(people).toEqual([]);
  });

  it("reads all pages of more than 500 people", async () => {
    const names = Array.from({ length: 501 }, (_, index) => `p${1000 + index}@example.com`);
    const members = Object.fromEntries(names.map((name) => [name, readers]));
    const { people } = await peopleFound(ofPayments, { seed: { projects: [{ name: "payments", members }] } });
    expect(people.map(({ username }) => username)).toEqual(names);
  });

  it("returns the members of a service that has no invitations", async () => {
    const { stages } = await peopleFound(ofPayments, { seed }, (service) =>
      service.addFault({
        pathPattern: "/invites",
        times: 0,
        fault: { status: 404, body: { error: 404, reason: "Not Found" } },
      }),
    );
    expect(stages).toEqual(["Ada@example.com active", "zoe@example.com active"]);
  });

  describe("includeIndirect", () => {
    /** Two teams of the project, one person in both; some are members or invited as well. */
    function addTeams(sandbox: Sandbox): void {
      for (const name of ["tim@example.com", "new@example.com"]) sandbox.addUser({ username: name });
      for (const name of ["platform", "support"]) {
        const userIds = ["tim@example.com", "new@example.com", "zoe@example.com"].map(
          (username) => idOf(sandbox, username) ?? "",
        );
        const { id } = sandbox.addTeam({ name, userIds });
        sandbox.setProjectTeam(paymentsId(sandbox), { teamId: id, roleNames: ["GROUP_OWNER"] });
      }
    }

    it("adds those who are in only through a team or the organization, each person once, and only if it is true", async () => {
      const { stack, sandbox } = await setUpStack({ sandbox: { seed }, program: () => ({}) });
      addTeams(sandbox);
      const lookup = (given: object) => ({
        function: "getProjectMembers",
        arguments: { ...ofPayments(sandbox), ...given },
      });
      await stack.setProgram({
        lookups: {
          included: lookup({ includeIndirect: true }),
          excluded: lookup({ includeIndirect: false }),
          unspecified: lookup({}),
        },
        outputs: {
          included: "${included.members}",
          excluded: "${excluded.members}",
          unspecified: "${unspecified.members}",
        },
      });
      await succeeded(stack.up());
      expect(writes(sandbox)).toEqual([]);
      const { included, excluded, unspecified } = (await stack.outputs()) as Record<string, Person[]>;
      expect(stagesOf(included ?? [])).toEqual([
        "Ada@example.com active",
        "boss@example.com indirect",
        "new@example.com pending",
        "tim@example.com indirect",
        "zoe@example.com active",
      ]);
      expect(included?.[3]).toEqual({
        username: "tim@example.com",
        status: "indirect",
        roles: [],
        userId: idOf(sandbox, "tim@example.com"),
      });
      expect(stagesOf(excluded ?? [])).toEqual(direct);
      expect(stagesOf(unspecified ?? [])).toEqual(direct);
    });
  });

  describe("ends with an error", () => {
    const nowhere = "0123456789abcdef01234567";

    it.each([
      ["404", "GROUP_NOT_FOUND"],
      ["401", "NOT_IN_GROUP"],
    ] as const)("that names a project that is not there (service returns %s %s)", async (status, code) => {
      const options = { seed, unknownProject: code };
      const { run } = await lookUp("getProjectMembers", () => ({ projectId: nowhere }), options);
      expect(run.exitCode).not.toBe(0);
      expect(run.output).toContain(`project ${nowhere} failed: ${status} ${code}`);
    });

    it("before anything is sent, where the id is missing or a flag is no boolean", async () => {
      const { stack, sandbox } = await setUpStack({ sandbox: { seed }, program: () => ({}) });
      for (const [args, message] of [
        [{ includeIndirect: true }, "projectId"],
        [{ projectId: nowhere, includeIndirect: "sure" }, "includeIndirect"],
      ] as const) {
        await stack.setProgram(lookupProgram("getProjectMembers", args));
        const run = await stack.up();
        expect(run.exitCode).not.toBe(0);
        expect(run.output).toContain(message);
        expect(sandbox.requests).toEqual([]);
      }
    });

    it("that names the role which the key lacks", async () => {
      const { run, publicKey, privateKey } = await lookUpAs(
        "getProjectMembers",
        ofPayments,
        { seed },
        (service) => [{ groupId: paymentsId(service), roleName: "GROUP_READ_ONLY" }],
      );
      expect(run.exitCode).not.toBe(0);
      expect(run.output).toContain(`The API key ${publicKey} needs the role Project User Admin`);
      expect(run.output).not.toContain(privateKey);
    });

    it("that names the missing operation on a service that offers only the four documented ones", async () => {
      const { run } = await lookUp("getProjectMembers", ofPayments, { seed, onlyDocumented: true });
      expect(run.exitCode).not.toBe(0);
      expect(run.output).toMatch(/Listing the people of project \w+ failed: 404/);
      expect(run.output).toContain("The service has no such operation or no such object. Check baseUrl");
    });
  });
});
