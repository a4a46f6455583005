/**
 * A service that shows the roles of a person's teams among the roles of the person (switch
 * `teamRolesInUsers`), and one that does not.
 */
import {
  invitedTo,
  memberProgram,
  membersOf,
  membersProgram,
  nothing,
  paymentsId,
  upAgain,
} from "../../engine/support/people-program";
import { bothProviders, errorsOf } from "../../engine/support/project-program";
import { ada, owner as ownerName, seedWithTeam, teamNamed } from "../../engine/teams/support";
import { keepDefault, type ProviderKind, succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";
import { admins, eve, owners, readers } from "../../support/people";
import { changePeople } from "./team-stacks";

afterEach(tearDownStacks);

const both = [...owners, ...readers];

type Roles = readonly string[];

const member = (projectId: string, roles: Roles, username = ada) =>
  memberProgram({ projectId, username, roles });
const members = (projectId: string, roles: Roles) =>
  membersProgram({ projectId, members: { [ownerName]: owners, [ada]: roles } });

interface Circumstances {
  readonly provider?: ProviderKind;
  readonly teamRolesInUsers: boolean;
  /** By default, the team owns the project. */
  readonly isInProject?: boolean;
}

/** Ada has another role in the project, and is in the team `operators`. The program is still to be run. */
async function inOwnerTeam(program: typeof members, { provider, ...circumstances }: Circumstances) {
  const { teamRolesInUsers, isInProject = true } = circumstances;
  const setup = await setUpStack({
    ...(provider && { provider }),
    sandbox: { seed: seedWithTeam, teamRolesInUsers },
    program: (service) => program(paymentsId(service), readers),
  });
  const { sandbox, stack } = setup;
  const projectId = paymentsId(sandbox);
  const { id: teamId } = teamNamed(sandbox, "operators");
  const setTeam = (roleNames: Roles) => sandbox.setProjectTeam(projectId, { teamId, roleNames });
  sandbox.setMember(projectId, { username: ada }, admins);
  if (isInProject) setTeam(owners);
  const outputs = async () => (await stack.state()).resources[0]?.outputs;
  const recorded = async () => {
    const { roles, members: people = {} } = (await outputs()) ?? {};
    return roles ?? (people as Readonly<Record<string, Roles>>)[ada];
  };
  const declare = (roles: Roles) => stack.setProgram(program(projectId, roles));
  return { setup, sandbox, stack, projectId, setTeam, outputs, recorded, declare };
}

describe.each([true, false])("if the service shows the roles of teams: %s,", (teamRolesInUsers) => {
  const resources = [
    { resource: "ProjectMember", program: member, teamRoles: teamRolesInUsers ? owners : undefined },
    { resource: "ProjectMembers", program: members, teamRoles: undefined },
  ];

  it.each(resources)(
    "$resource does not take the roles of a team for those of the person, and gives them directly as well",
    async ({ program, teamRoles }) => {
      const found = await inOwnerTeam(program, { teamRolesInUsers });
      const { setup, sandbox, stack, declare, outputs } = found;
      const expectSettled = async (roles: Roles) => {
        expect(membersOf(sandbox)[ada]).toEqual(roles);
        expect(await found.recorded()).toEqual(roles);
        const before = await outputs();
        await succeeded(stack.refresh());
        expect(await outputs()).toEqual(before);
        expect(await upAgain(setup)).toEqual(nothing);
      };
      await succeeded(stack.up());
      expect((await outputs())?.teamRoles).toEqual(teamRoles);
      await expectSettled(readers);
      for (const roles of [both, readers]) {
        await declare(roles);
        await succeeded(stack.up());
        await expectSettled(roles);
      }
    },
  );

  it.each(resources)(
    "a role that a person of $resource is given outside Pulumi is drift, also if a team comes with it later",
    async ({ program }) => {
      const found = await inOwnerTeam(program, { teamRolesInUsers, isInProject: false });
      const { sandbox, stack, projectId } = found;
      await succeeded(stack.up());
      sandbox.setMember(projectId, { username: ada }, both);
      found.setTeam(owners);
      await succeeded(stack.refresh());
      expect(await found.recorded()).toEqual(both);
      await succeeded(stack.up());
      expect(membersOf(sandbox)[ada]).toEqual(readers);
    },
  );

  it("ProjectMembers does not take a person in an owner team for another owner", async () => {
    const { sandbox, stack, projectId, declare } = await inOwnerTeam(members, { teamRolesInUsers });
    await declare(owners);
    await succeeded(stack.up());
    await stack.setProgram(membersProgram({ projectId, members: { [ada]: readers } }));
    const errors = await errorsOf(stack.up());
    expect(errors).toContain("is the last direct owner of project");
    expect(errors).toContain("An owner through a team does not count.");
    expect(membersOf(sandbox)).toEqual({ [ada]: readers, [ownerName]: owners });
  });
});

const shown = { teamRolesInUsers: true };

it.each(bothProviders)(
  "a team that comes into a project is drift in the roles of its people until pulumi up has written their own (%s)",
  async (provider) => {
    keepDefault("refreshBeforeUpdate", "a plain up corrects what was changed outside Pulumi");
    const found = await inOwnerTeam(member, { ...shown, provider, isInProject: false });
    const { setup, sandbox, stack, setTeam } = found;
    await succeeded(stack.up());
    setTeam(owners);
    expect((await upAgain(setup)).changes).toEqual({ update: 1 });
    expect(await upAgain(setup)).toEqual(nothing);
    expect(membersOf(sandbox)[ada]).toEqual(readers);
    setTeam([]);
    expect(await upAgain(setup)).toEqual(nothing);
  },
);

it("a role of a team that leaves the project is drift if the person still has it", async () => {
  const { sandbox, stack, projectId, setTeam, outputs } = await inOwnerTeam(member, shown);
  await succeeded(stack.up());
  sandbox.setMember(projectId, { username: ada }, both);
  setTeam([]);
  await succeeded(stack.refresh());
  expect(await outputs()).toMatchObject({ roles: both });
  expect(await outputs()).not.toHaveProperty("teamRoles");
});

describe("a person of an owner team who is only invited is not taken for a member", () => {
  const isPending = (roles: Roles) => ({ status: "pending", roles });
  const ofEve = {
    ProjectMember: (id: string, roles: Roles) => member(id, roles, eve),
    ProjectMembers: (id: string, roles: Roles) =>
      membersProgram({ projectId: id, members: { [ownerName]: owners, [eve]: roles } }),
  };
  const hideTeams = (body: string) => body.replaceAll('"teamIds"', '"others"');

  it.each([
    { kind: "ProjectMember", title: "other roles than the team", roles: readers },
    { kind: "ProjectMembers", title: "the roles of the team", roles: owners },
    { kind: "ProjectMember", title: "the roles of the team, unseen", roles: owners, rewrite: hideTeams },
  ] as const)("by a $kind with $title", async ({ kind, roles, ...row }) => {
    const { setup, sandbox, stack, outputs, declare } = await inOwnerTeam(ofEve[kind], shown);
    sandbox.addUser({ username: eve });
    changePeople(sandbox, [eve]);
    await declare(roles);
    await stack.rewriteResponses("rewrite" in row ? row.rewrite : String);
    await succeeded(stack.up());
    expect(invitedTo(sandbox)).toEqual({ [eve]: roles });
    const { memberDetails = [] } = (await outputs()) ?? {};
    const recorded = [await outputs(), ...(memberDetails as { username: string }[])];
    expect(recorded).toContainEqual(expect.objectContaining({ username: eve, ...isPending(roles) }));
    expect(await upAgain(setup)).toEqual(nothing);
  });

  it("by a change of roles that finds the person no longer in the project", async () => {
    const { sandbox, stack, outputs, declare, projectId } = await inOwnerTeam(member, shown);
    await succeeded(stack.up());
    await declare(owners);
    await stack.before("POST", /users$/, () => sandbox.removeMember(projectId, { username: ada }));
    await succeeded(stack.up());
    expect(invitedTo(sandbox)).toEqual({ [ada]: owners });
    expect(await outputs()).toMatchObject(isPending(owners));
  });
});

it.each([500, 403])(
  "the roles that are shown are recorded if the teams cannot be read (%s)",
  async (status) => {
    const { sandbox, stack, outputs } = await inOwnerTeam(member, shown);
    await stack.setConfig({ maxRetries: 0 });
    sandbox.addFault({ method: "GET", pathPattern: "/teams", times: 0, fault: { status } });
    await errorsOf(stack.up());
    expect(await outputs()).toMatchObject({ username: ada, roles: both });
  },
);
