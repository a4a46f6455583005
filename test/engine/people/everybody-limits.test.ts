/** Design, ProjectMembers: the limits that protect people. `maxRemovals`, `ignoreUsers`, and projects with live LDAP mappings. */
import { succeeded } from "../../support";
import { createEstate, disposeEstates } from "../support/estate";
import { invitedTo, membersOf, membersProgram, paymentsId } from "../support/people-program";
import { changedPaths, doors, said, writes } from "../support/project-program";

afterEach(disposeEstates);

const olga = "olga@example.com";
const ada = "ada@example.com";
const cleo = "cleo@example.com";
const robot = "robot-7@ci.example.com";
const waitingRobot = "Robot-8@CI.example.com";

const owner = ["GROUP_OWNER"];
const reader = ["GROUP_READ_ONLY"];

type Properties = Readonly<Record<string, unknown>>;

describe.each(doors)("maxRemovals (%s)", (door) => {
  const leavers = [1, 2, 3, 4].map((number) => `leaver-${number}@example.com`);
  const invited = [5, 6].map((number) => `leaver-${number}@example.com`);
  const six = [...leavers, ...invited];
  const seed = {
    projects: [
      {
        name: "payments",
        members: { [olga]: owner, ...Object.fromEntries(leavers.map((name) => [name, reader])) },
        invitations: invited.map((username) => ({ username, roles: reader })),
      },
    ],
  };
  const all = { [olga]: owner, ...Object.fromEntries(six.map((name) => [name, reader])) };
  const begin = async (settings: Properties = {}) => {
    const estate = await createEstate({
      door,
      sandbox: { seed },
      program: (sandbox) => membersProgram({ projectId: paymentsId(sandbox), members: all, ...settings }),
    });
    await succeeded(estate.stack.up());
    const projectId = paymentsId(estate.sandbox);
    const declare = (members: Properties, more: Properties = {}) =>
      estate.stack.setProgram(membersProgram({ projectId, members, ...settings, ...more }));
    return { ...estate, projectId, declare };
  };

  it("is five: of six nobody is removed, invitations count, others are let in, and the error names all six", async () => {
    const { sandbox, stack, projectId, declare } = await begin();
    await declare({ [olga]: owner, [cleo]: reader });
    const preview = await stack.preview();
    if (door === "plugin") expect(preview.exitCode).not.toBe(0);
    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    for (const run of door === "plugin" ? [preview, up] : [up]) {
      expect(said(run, "error")).toContain(
        `6 people would be removed from project ${projectId}, more than maxRemovals (5), so nobody is removed: ${six.join(", ")}. Set maxRemovals to 6`,
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

    await declare({ [olga]: owner, [cleo]: reader }, { maxRemovals: 6 });
    await succeeded(stack.up());
    expect(membersOf(sandbox)).toEqual({ [olga]: owner });
    expect(invitedTo(sandbox)).toEqual({ [cleo]: reader });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });

  it("of five removes five", async () => {
    const [first = "", ...others] = six;
    const { sandbox, stack, declare } = await begin();
    await declare({ [olga]: owner, [first]: reader });
    await succeeded(stack.up());
    expect(Object.keys({ ...membersOf(sandbox), ...invitedTo(sandbox) })).toEqual([first, olga]);
    expect(others).toHaveLength(5);
  });

  it("of 0 removes nobody at all", async () => {
    const { sandbox, stack, declare } = await begin({ maxRemovals: 0 });
    await declare({ ...all, [six[0] ?? ""]: undefined });
    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(said(up, "error")).toContain("1 person would be removed");
    expect(said(up, "error")).toContain(`more than maxRemovals (0), so nobody is removed: ${six[0]}.`);
    expect(writes(sandbox)).toEqual([]);
  });

  it("sends nothing when it alone changes, and is no change where the default is written down", async () => {
    const { sandbox, stack, declare } = await begin();
    await declare(all, { maxRemovals: 5, removeUnlistedOnCreate: false, onDestroy: "release" });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    await declare(all, { maxRemovals: 7 });
    expect((await succeeded(stack.up())).changes).toEqual({ update: 1 });
    expect(writes(sandbox)).toEqual([]);
    expect((await stack.resource("people"))?.outputs).toMatchObject({ maxRemovals: 7 });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });
});

describe.each(doors)("ignoreUsers (%s)", (door) => {
  const seed = {
    projects: [
      {
        name: "payments",
        members: { [olga]: owner, [ada]: reader, [robot]: owner },
        invitations: [{ username: waitingRobot, roles: reader }],
      },
    ],
  };
  const members = { [olga]: owner, [ada]: reader };
  const begin = async (settings: Properties) => {
    const estate = await createEstate({
      door,
      sandbox: { seed },
      program: (sandbox) => membersProgram({ projectId: paymentsId(sandbox), members, ...settings }),
    });
    const projectId = paymentsId(estate.sandbox);
    const declare = (settings: Properties) =>
      estate.stack.setProgram(membersProgram({ projectId, members, ...settings }));
    return { ...estate, projectId, declare };
  };

  it("leaves people to others: not named, not changed, not removed, not drift; the details show them", async () => {
    const { sandbox, stack } = await begin({ ignoreUsers: ["ROBOT-?@*.example.com"] });
    const up = await succeeded(stack.up());
    expect(said(up, "warning")).toBe("");
    expect((await stack.resource("people"))?.outputs).toMatchObject({
      members,
      memberDetails: [
        { username: waitingRobot, status: "pending", declared: false, ignored: true },
        { username: ada, declared: true, ignored: false },
        { username: olga, declared: true, ignored: false },
        { username: robot, status: "active", roles: owner, declared: false, ignored: true },
      ],
    });
    sandbox.setMember(paymentsId(sandbox), { username: robot }, reader);
    sandbox.setMember(paymentsId(sandbox), { username: "robot-9@x.example.com" }, reader);
    expect((await succeeded(stack.preview())).changes).toEqual({ same: 1 });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect((await succeeded(stack.refresh())).exitCode).toBe(0);
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect(writes(sandbox)).toEqual([]);
    // One character for each question mark.
    sandbox.setMember(paymentsId(sandbox), { username: "robot-10@ci.example.com" }, reader);
    expect((await succeeded(stack.preview())).changes).toEqual({ update: 1 });
  });

  it("is refused for somebody who is declared, whatever the case of the name", async () => {
    const { sandbox, stack } = await begin({ ignoreUsers: ["ADA@*"] });
    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(said(up, "error")).toContain(
      `members["${ada}"] is somebody whom ignoreUsers leaves to others: take them out of one of the two.`,
    );
    expect(writes(sandbox)).toEqual([]);
    expect(await stack.resource("people")).toBeUndefined();
  });

  it("removes nobody unseen when a pattern is dropped: they show in the preview after that up", async () => {
    const { sandbox, stack, declare } = await begin({ ignoreUsers: ["robot-*"] });
    await succeeded(stack.up());

    await declare({});
    const preview = await succeeded(stack.preview());
    expect(preview.changes).toEqual({ update: 1 });
    if (door === "plugin") expect(changedPaths(preview, "people")).toEqual({ ignoreUsers: "delete" });
    expect(said(preview, "info")).not.toContain("will be removed");
    expect((await succeeded(stack.up())).changes).toEqual({ update: 1 });
    expect(writes(sandbox)).toEqual([]);
    expect((await stack.resource("people"))?.outputs?.members).toEqual({
      ...members,
      [robot]: owner,
      [waitingRobot]: reader,
    });

    const next = await succeeded(stack.preview());
    expect(next.changes).toEqual({ update: 1 });
    if (door === "plugin") {
      expect(changedPaths(next, "people")).toEqual({
        [`members["${robot}"]`]: "delete",
        [`members["${waitingRobot}"]`]: "delete",
      });
      expect(said(next, "info")).toContain(`${robot} (GROUP_OWNER) will be removed`);
    }
    await succeeded(stack.up());
    expect(membersOf(sandbox)).toEqual({ [ada]: reader, [olga]: owner });
    expect(invitedTo(sandbox)).toEqual({});
  });

  it("takes people out of the list's care when a pattern is added, and sends nothing", async () => {
    const { sandbox, stack, declare } = await begin({});
    await succeeded(stack.up());
    await declare({ ignoreUsers: ["robot-*"] });
    const preview = await succeeded(stack.preview());
    if (door === "plugin") expect(changedPaths(preview, "people")).toEqual({ ignoreUsers: "add" });
    await succeeded(stack.up());
    expect(writes(sandbox)).toEqual([]);
    expect((await stack.resource("people"))?.outputs?.members).toEqual(members);

    await declare({ ignoreUsers: ["robot-*", "bot-*"] });
    const second = await succeeded(stack.preview());
    if (door === "plugin") expect(changedPaths(second, "people")).toEqual({ "ignoreUsers[0]": "add" });
    await succeeded(stack.up());
    expect(writes(sandbox)).toEqual([]);
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });
});

describe.each(doors)("a project with live LDAP mappings (%s)", (door) => {
  const mapping = { roleName: "GROUP_READ_ONLY", ldapGroups: ["cn=readers"] };
  const begin = async (ldapGroupMappings: (typeof mapping)[], settings: Properties = {}) => {
    const members = { [olga]: owner };
    const projects = [{ name: "payments", members: { ...members, [ada]: reader }, ldapGroupMappings }];
    const estate = await createEstate({
      door,
      sandbox: { ldap: true, seed: { projects } },
      program: (sandbox) =>
        membersProgram({
          projectId: paymentsId(sandbox),
          members: { ...members, [ada]: reader },
          ...settings,
        }),
    });
    const projectId = paymentsId(estate.sandbox);
    const declare = (settings: Properties) =>
      estate.stack.setProgram(membersProgram({ projectId, members, ...settings }));
    return { ...estate, projectId, declare };
  };

  it("is refused a list of everybody, until ignoreUsers says who comes through LDAP", async () => {
    const { sandbox, stack, projectId, declare } = await begin([mapping]);
    const preview = await stack.preview();
    if (door === "plugin") expect(preview.exitCode).not.toBe(0);
    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    for (const run of door === "plugin" ? [preview, up] : [up]) {
      expect(said(run, "error")).toMatch(
        new RegExp(
          `Project ${projectId} has LDAP group mappings \\(GROUP_READ_ONLY\\).*Set ignoreUsers to patterns`,
        ),
      );
    }
    expect(writes(sandbox)).toEqual([]);
    expect(await stack.resource("people")).toBeUndefined();

    await declare({ ignoreUsers: ["ada@*"] });
    await succeeded(stack.up());
    expect(membersOf(sandbox)).toEqual({ [ada]: reader, [olga]: owner });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });

  it("is refused an update as well, once somebody has mapped a group", async () => {
    const { sandbox, stack, projectId, declare } = await begin([]);
    await succeeded(stack.up());
    sandbox.changeProject(projectId, { ldapGroupMappings: [mapping] });
    await declare({});
    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(said(up, "error")).toContain("has LDAP group mappings (GROUP_READ_ONLY)");
    expect(writes(sandbox)).toEqual([]);
    expect(membersOf(sandbox)).toEqual({ [ada]: reader, [olga]: owner });
  });

  it("has none where a mapping names no group", async () => {
    const { sandbox, stack, declare } = await begin([{ ...mapping, ldapGroups: [] }]);
    await succeeded(stack.up());
    await declare({});
    await succeeded(stack.up());
    expect(membersOf(sandbox)).toEqual({ [olga]: owner });
  });
});
