/**
 * ProjectMembers: what limits removals: `maxRemovals`, `ignoreUsers`, and LDAP mappings of the
 * project.
 */

import { invitedTo, membersOf, membersProgram, paymentsId } from "../../engine/support/people-program";
import { changedPaths, messagesOf, writes } from "../../engine/support/project-program";
import { keepDefault, type ProviderKind, succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";
import { ada, cleo, olga, owners, readers } from "../../support/people";

afterEach(tearDownStacks);

const robot = "robot-7@ci.example.com";
const waitingRobot = "Robot-8@CI.example.com";

type Properties = Readonly<Record<string, unknown>>;

describe("maxRemovals", () => {
  const leavers = [1, 2, 3, 4].map((number) => `leaver-${number}@example.com`);
  const invited = [5, 6].map((number) => `leaver-${number}@example.com`);
  const six = [...leavers, ...invited];
  const seed = {
    projects: [
      {
        name: "payments",
        members: { [olga]: owners, ...Object.fromEntries(leavers.map((name) => [name, readers])) },
        invitations: invited.map((username) => ({ username, roles: readers })),
      },
    ],
  };
  const all = { [olga]: owners, ...Object.fromEntries(six.map((name) => [name, readers])) };
  const begin = async () => {
    const setup = await setUpStack({
      sandbox: { seed },
      program: (sandbox) => membersProgram({ projectId: paymentsId(sandbox), members: all }),
    });
    await succeeded(setup.stack.up());
    const projectId = paymentsId(setup.sandbox);
    const declare = (members: Properties, more: Properties = {}) =>
      setup.stack.setProgram(membersProgram({ projectId, members, ...more }));
    return { ...setup, projectId, declare };
  };

  it("is 5 by default: with six removals no member is removed, invitations count, others are added, and the error names all six", async () => {
    const { sandbox, stack, projectId, declare } = await begin();
    await declare({ [olga]: owners, [cleo]: readers });
    const preview = await stack.preview();
    const up = await stack.up();
    for (const run of [preview, up]) {
      expect(run.exitCode).not.toBe(0);
      expect(messagesOf(run, "error")).toContain(
        `6 people would be removed from project ${projectId}, more than maxRemovals (5), so no one is removed: ${six.join(", ")}. Set maxRemovals to 6`,
      );
    }
    expect(writes(sandbox).map(({ method, path }) => `${method} ${path}`)).toEqual([
      `POST /groups/${projectId}/invites`,
    ]);
    expect(Object.keys(membersOf(sandbox))).toEqual([...leavers, olga]);
    expect(Object.keys(invitedTo(sandbox))).toEqual([cleo, ...invited]);
    expect(Object.keys((await stack.resource("people"))?.outputs?.members ?? {})).toEqual([
      cleo,
      ...six,
      olga,
    ]);

    await declare({ [olga]: owners, [cleo]: readers }, { maxRemovals: 6 });
    await succeeded(stack.up());
    expect(membersOf(sandbox)).toEqual({ [olga]: owners });
    expect(invitedTo(sandbox)).toEqual({ [cleo]: readers });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });
});

describe("ignoreUsers", () => {
  const seed = {
    projects: [
      {
        name: "payments",
        members: { [olga]: owners, [ada]: readers, [robot]: owners },
        invitations: [{ username: waitingRobot, roles: readers }],
      },
    ],
  };
  const members = { [olga]: owners, [ada]: readers };
  const begin = async (settings: Properties, provider: ProviderKind = "plugin") => {
    const setup = await setUpStack({
      provider,
      sandbox: { seed },
      program: (sandbox) =>
        membersProgram({ projectId: paymentsId(sandbox), members, removeUnlisted: true, ...settings }),
    });
    const projectId = paymentsId(setup.sandbox);
    const declare = (settings: Properties) =>
      setup.stack.setProgram(membersProgram({ projectId, members, removeUnlisted: true, ...settings }));
    return { ...setup, projectId, declare };
  };

  it("excludes users from warnings, changes, removals and drift; only memberDetails lists them", async () => {
    keepDefault("refreshBeforeUpdate", "a plain preview shows drift");
    const { sandbox, stack } = await begin({ ignoreUsers: ["ROBOT-?@*.example.com"] });
    const up = await succeeded(stack.up());
    expect(messagesOf(up, "warning")).toBe("");
    expect((await stack.resource("people"))?.outputs).toMatchObject({
      members,
      memberDetails: [
        { username: waitingRobot, status: "pending", declared: false, ignored: true },
        { username: ada, declared: true, ignored: false },
        { username: olga, declared: true, ignored: false },
        { username: robot, status: "active", roles: owners, declared: false, ignored: true },
      ],
    });
    sandbox.setMember(paymentsId(sandbox), { username: robot }, readers);
    sandbox.setMember(paymentsId(sandbox), { username: "robot-9@x.example.com" }, readers);
    expect((await succeeded(stack.preview())).changes).toEqual({ same: 1 });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect((await succeeded(stack.refresh())).exitCode).toBe(0);
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect(writes(sandbox)).toEqual([]);
    // One character for each question mark.
    sandbox.setMember(paymentsId(sandbox), { username: "robot-10@ci.example.com" }, readers);
    expect((await succeeded(stack.preview())).changes).toEqual({ update: 1 });
  });

  const dropped =
    "protects users for one more up if a pattern is deleted: the preview after that up shows their removal";

  // The dynamic provider reports a difference without its properties.
  it.each([
    {
      provider: "plugin",
      pattern: { ignoreUsers: "delete" },
      removals: { [`members["${robot}"]`]: "delete", [`members["${waitingRobot}"]`]: "delete" },
      message: `${robot} (GROUP_OWNER) will be removed`,
    },
    { provider: "dynamic", pattern: {}, removals: {}, message: "" },
  ] as const)(`${dropped} ($provider)`, async ({ provider, pattern, removals, message }) => {
    const { sandbox, stack, declare } = await begin({ ignoreUsers: ["robot-*"] }, provider);
    await succeeded(stack.up());

    await declare({});
    const preview = await succeeded(stack.preview());
    expect(preview.changes).toEqual({ update: 1 });
    expect(changedPaths(preview, "people")).toEqual(pattern);
    expect(messagesOf(preview, "info")).not.toContain("will be removed");
    expect((await succeeded(stack.up())).changes).toEqual({ update: 1 });
    expect(writes(sandbox)).toEqual([]);
    expect((await stack.resource("people"))?.outputs?.members).toEqual({
      ...members,
      [robot]: owners,
      [waitingRobot]: readers,
    });

    const next = await succeeded(stack.preview());
    expect(next.changes).toEqual({ update: 1 });
    expect(changedPaths(next, "people")).toEqual(removals);
    expect(messagesOf(next, "info")).toContain(message);
    await succeeded(stack.up());
    expect(membersOf(sandbox)).toEqual({ [ada]: readers, [olga]: owners });
    expect(invitedTo(sandbox)).toEqual({});
  });

  it("stops managing users if a pattern is added, and sends nothing", async () => {
    const { sandbox, stack, declare } = await begin({ removeUnlisted: false });
    await succeeded(stack.up());
    const stays = { removeUnlisted: false };
    await declare({ ...stays, ignoreUsers: ["robot-*"] });
    const preview = await succeeded(stack.preview());
    expect(changedPaths(preview, "people")).toEqual({ ignoreUsers: "add" });
    await succeeded(stack.up());
    expect(writes(sandbox)).toEqual([]);
    expect((await stack.resource("people"))?.outputs?.members).toEqual(members);

    await declare({ ...stays, ignoreUsers: ["robot-*", "bot-*"] });
    const second = await succeeded(stack.preview());
    expect(changedPaths(second, "people")).toEqual({ "ignoreUsers[0]": "add" });
    await succeeded(stack.up());
    expect(writes(sandbox)).toEqual([]);
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });
});

describe("ProjectMembers of a project with LDAP mappings", () => {
  const mapping = { roleName: "GROUP_READ_ONLY", ldapGroups: ["cn=readers"] };
  const begin = async (ldapGroupMappings: (typeof mapping)[], settings: Properties = {}) => {
    const members = { [olga]: owners };
    const projects = [{ name: "payments", members: { ...members, [ada]: readers }, ldapGroupMappings }];
    const setup = await setUpStack({
      sandbox: { ldap: true, seed: { projects } },
      program: (sandbox) =>
        membersProgram({
          projectId: paymentsId(sandbox),
          members: { ...members, [ada]: readers },
          ...settings,
        }),
    });
    const projectId = paymentsId(setup.sandbox);
    const declare = (settings: Properties) =>
      setup.stack.setProgram(membersProgram({ projectId, members, ...settings }));
    return { ...setup, projectId, declare };
  };

  it("cannot be created unless ignoreUsers names the users who are members through LDAP", async () => {
    const { sandbox, stack, projectId, declare } = await begin([mapping]);
    const preview = await stack.preview();
    const up = await stack.up();
    for (const run of [preview, up]) {
      expect(run.exitCode).not.toBe(0);
      expect(messagesOf(run, "error")).toMatch(
        new RegExp(
          `Project ${projectId} has LDAP group mappings \\(GROUP_READ_ONLY\\).*Set ignoreUsers to patterns`,
        ),
      );
    }
    expect(writes(sandbox)).toEqual([]);
    expect(await stack.resource("people")).toBeUndefined();

    await declare({ ignoreUsers: ["ada@*"] });
    await succeeded(stack.up());
    expect(membersOf(sandbox)).toEqual({ [ada]: readers, [olga]: owners });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });

  it("cannot be updated while a mapping names a group; a mapping without groups has no effect", async () => {
    const withoutGroups = { ...mapping, ldapGroups: [] };
    const { sandbox, stack, projectId, declare } = await begin([withoutGroups]);
    await succeeded(stack.up());

    sandbox.changeProject(projectId, { ldapGroupMappings: [mapping] });
    await declare({});
    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(messagesOf(up, "error")).toContain("has LDAP group mappings (GROUP_READ_ONLY)");
    expect(writes(sandbox)).toEqual([]);
    expect(membersOf(sandbox)).toEqual({ [ada]: readers, [olga]: owners });

    sandbox.changeProject(projectId, { ldapGroupMappings: [withoutGroups] });
    await succeeded(stack.up());
    expect(membersOf(sandbox)).toEqual({ [olga]: owners });
  });
});
