/**
 * ProjectMembers: what limits removals: `maxRemovals`, `ignoreUsers`, and the groups of LDAP or of an
 * identity provider.
 */

import { membershipsIn } from "../../engine/support/people-program";
import {
  bothProviders,
  changedPaths,
  errorsOf,
  messagesOf,
  writes,
} from "../../engine/support/project-program";
import { keepDefault, type ProviderKind, succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import { ada, cleo, owner, owners, readers } from "../../support/people";
import { allMembers, peopleWith, projectId, setUpPayments } from "./payments";

afterEach(tearDownStacks);

const robot = "robot-7@ci.example.com";
const waitingRobot = "Robot-8@CI.example.com";

it("maxRemovals is 5 by default: with six removals no member is removed, invitations count, others are added, and the error names all six", async () => {
  const six = [1, 2, 3, 4, 5, 6].map((number) => `leaver-${number}@example.com`);
  const reading = (usernames: readonly string[]) =>
    Object.fromEntries(usernames.map((username) => [username, readers]));
  const [members, invited] = [reading(six.slice(0, 4)), reading(six.slice(4))];
  const setup = await setUpPayments({ members, invited });
  const { sandbox, stack, upWith, previewWith, outputsOf } = setup;
  await succeeded(upWith({ people: allMembers(reading(six)) }));

  const fewer = { people: allMembers({ [cleo]: readers }) };
  const refusal = `Nobody was removed from project ${projectId}, because 6 people would leave, more than maxRemovals (5) allows: ${six.join(", ")}. Set maxRemovals to 6 if that is intended, or add them to members or ignoreUsers.`;
  expect(await errorsOf(previewWith(fewer))).toContain(refusal);
  expect(await errorsOf(stack.up())).toContain(refusal);
  expect(writes(sandbox)).toMatchObject([{ method: "POST", path: `/groups/${projectId}/invites` }]);
  expect(membershipsIn(sandbox)).toEqual(peopleWith(members, { [cleo]: readers, ...invited }));
  expect(Object.keys((await outputsOf("people"))?.members ?? {})).toEqual([cleo, ...six, owner]);

  await succeeded(upWith({ people: allMembers({ [cleo]: readers }, { maxRemovals: 6 }) }));
  expect(membershipsIn(sandbox)).toEqual(peopleWith({}, { [cleo]: readers }));
  expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
});

describe("ignoreUsers", () => {
  const begin = async (settings: object, provider: ProviderKind = "plugin") => {
    const setup = await setUpPayments({
      provider,
      members: { [ada]: readers, [robot]: owners },
      invited: { [waitingRobot]: readers },
    });
    const program = (more: object) => ({
      people: allMembers({ [ada]: readers }, { removeUnlisted: true, ...more }),
    });
    const first = await succeeded(setup.upWith(program(settings)));
    return { ...setup, first, program };
  };
  const members = { [ada]: readers, [owner]: owners };

  it("excludes users from warnings, changes, removals and drift; only memberDetails lists them", async () => {
    keepDefault("refreshBeforeUpdate", "a plain preview shows drift");
    const { sandbox, stack, first, outputsOf } = await begin({ ignoreUsers: ["ROBOT-?@*.example.com"] });
    expect(messagesOf(first, "warning")).toBe("");
    expect(await outputsOf("people")).toMatchObject({
      members,
      memberDetails: [
        { username: waitingRobot, status: "pending", declared: false, ignored: true },
        { username: ada, declared: true, ignored: false },
        { username: owner, declared: true, ignored: false },
        { username: robot, status: "active", roles: owners, declared: false, ignored: true },
      ],
    });
    sandbox.setMember(projectId, { username: robot }, readers);
    sandbox.setMember(projectId, { username: "robot-9@x.example.com" }, readers);
    expect((await succeeded(stack.preview())).changes).toEqual({ same: 1 });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect((await succeeded(stack.refresh())).exitCode).toBe(0);
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect(writes(sandbox)).toEqual([]);
    // One character for each question mark.
    sandbox.setMember(projectId, { username: "robot-10@ci.example.com" }, readers);
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
    const setup = await begin({ ignoreUsers: ["robot-*"] }, provider);
    const { sandbox, stack, program, previewWith, outputsOf } = setup;
    const preview = await succeeded(previewWith(program({})));
    expect(preview.changes).toEqual({ update: 1 });
    expect(changedPaths(preview, "people")).toEqual(pattern);
    expect(messagesOf(preview, "info")).not.toContain("will be removed");
    expect((await succeeded(stack.up())).changes).toEqual({ update: 1 });
    expect(writes(sandbox)).toEqual([]);
    expect((await outputsOf("people"))?.members).toEqual({
      ...members,
      [robot]: owners,
      [waitingRobot]: readers,
    });

    const next = await succeeded(stack.preview());
    expect(next.changes).toEqual({ update: 1 });
    expect(changedPaths(next, "people")).toEqual(removals);
    expect(messagesOf(next, "info")).toContain(message);
    await succeeded(stack.up());
    expect(membershipsIn(sandbox)).toEqual(peopleWith({ [ada]: readers }));
  });

  it("stops managing users if a pattern is added, and sends nothing", async () => {
    const { sandbox, stack, program, previewWith, outputsOf } = await begin({ removeUnlisted: false });
    const ignoring = program({ removeUnlisted: false, ignoreUsers: ["robot-*"] });
    const preview = await succeeded(previewWith(ignoring));
    expect(changedPaths(preview, "people")).toEqual({ ignoreUsers: "add" });
    await succeeded(stack.up());
    expect(writes(sandbox)).toEqual([]);
    expect((await outputsOf("people"))?.members).toEqual(members);
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });
});

describe("ProjectMembers of a project with LDAP mappings", () => {
  const mapping = { roleName: "GROUP_READ_ONLY", ldapGroups: ["cn=readers"] };
  const begin = async (ldapGroupMappings: (typeof mapping)[]) => {
    const setup = await setUpPayments({ sandbox: { ldap: true }, members: { [ada]: readers } });
    setup.sandbox.changeProject(projectId, { ldapGroupMappings });
    return setup;
  };

  it("cannot be created unless ignoreUsers names the users who are members through LDAP", async () => {
    const { sandbox, stack, upWith, previewWith } = await begin([mapping]);
    const refusal = new RegExp(
      `Project ${projectId} has LDAP group mappings \\(GROUP_READ_ONLY\\).*Set ignoreUsers to patterns`,
    );
    expect(await errorsOf(previewWith({ people: allMembers({ [ada]: readers }) }))).toMatch(refusal);
    expect(await errorsOf(stack.up())).toMatch(refusal);
    expect(writes(sandbox)).toEqual([]);
    expect(await stack.resource("people")).toBeUndefined();

    await succeeded(upWith({ people: allMembers({}, { ignoreUsers: ["ada@*"] }) }));
    expect(membershipsIn(sandbox)).toEqual(peopleWith({ [ada]: readers }));
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });

  it("warns that a login may undo the list, if the groups are those of an identity provider", async () => {
    const { sandbox, previewWith } = await setUpPayments({ sandbox: { idpMappings: "present" } });
    const idpGroupMappings = [{ roleName: "GROUP_READ_ONLY", idpGroups: ["auditors"] }];
    sandbox.changeProject(projectId, { idpGroupMappings });
    const preview = await succeeded(previewWith({ people: allMembers({ [ada]: readers }) }));
    expect(messagesOf(preview, "warning")).toContain(
      `Project ${projectId} has mappings of an identity provider's groups (GROUP_READ_ONLY): the groups of a person decide at each login`,
    );
  });

  describe.each(bothProviders)("to which someone adds one later (%s)", (provider) => {
    const undone = (...parts: readonly string[]) =>
      `Project ${projectId} has LDAP group mappings (GROUP_READ_ONLY): each login adds people who are not listed, so this list would never be correct. Set ignoreUsers to patterns of the people who are added through LDAP, or use ProjectMember. Not done because of that: ${parts.join("; ")}.`;

    async function mapped() {
      const people = { [ada]: readers, [cleo]: [...owners, ...readers] };
      const setup = await setUpPayments({ provider, sandbox: { ldap: true }, members: people });
      const { sandbox, stack, upWith } = setup;
      await succeeded(upWith({ people: allMembers(people) }));
      // Without groups, a mapping has no effect.
      const none = { ...mapping, ldapGroups: [] };
      sandbox.changeProject(projectId, { ldapGroupMappings: [none] });
      expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
      sandbox.changeProject(projectId, { ldapGroupMappings: [mapping] });
      sandbox.clearRequests();
      return setup;
    }

    it("still lose people and roles that leave the program, and get no one and no roles, which the error says afterwards", async () => {
      const { sandbox, stack, upWith } = await mapped();
      await succeeded(upWith({ people: allMembers({ [cleo]: readers }) }));
      expect(membershipsIn(sandbox)).toEqual(peopleWith({ [cleo]: readers }));
      sandbox.setMember(projectId, { username: ada }, readers);

      const added = { [robot]: readers, [ada]: [...owners, ...readers] };
      const people = (more: object) => ({ people: allMembers({ [cleo]: readers, ...added }, more) });
      const refused = undone(`adding ${robot}`, `giving more roles to ${ada}`);
      expect(await errorsOf(upWith(people({})))).toContain(refused);
      sandbox.clearRequests();
      // Nothing is left to do.
      expect(await errorsOf(stack.up())).toContain(`${refused} Nothing was written.`);
      expect(writes(sandbox)).toEqual([]);
      expect(membershipsIn(sandbox)).toEqual(peopleWith({ [ada]: readers, [cleo]: readers }));
      await succeeded(upWith(people({ ignoreUsers: ["ldap-*"] })));
      expect(membershipsIn(sandbox)).toMatchObject({ members: { [ada]: added[ada] } });
    });

    it("keep people who were never declared, also with removeUnlisted", async () => {
      const { sandbox, upWith } = await mapped();
      sandbox.setMember(projectId, { username: robot }, readers);
      const fewer = { people: allMembers({ [cleo]: readers }, { removeUnlisted: true }) };
      expect(await errorsOf(upWith(fewer))).toContain(undone(`removing, although never declared, ${robot}`));
      expect(membershipsIn(sandbox)).toEqual(peopleWith({ [cleo]: readers, [robot]: readers }));
    });
  });

  it("lose people in a run whose preview warns of what is not done", async () => {
    const { sandbox, stack, upWith, previewWith } = await begin([]);
    await succeeded(upWith({ people: allMembers({ [ada]: readers }) }));
    sandbox.changeProject(projectId, { ldapGroupMappings: [mapping] });
    const preview = await succeeded(previewWith({ people: allMembers({ [robot]: readers }) }));
    expect(messagesOf(preview, "warning")).toContain(`Not done because of that: adding ${robot}.`);
    expect(messagesOf(preview, "info")).toContain(`${ada} (GROUP_READ_ONLY) will be removed`);
    await errorsOf(stack.up());
    expect(membershipsIn(sandbox)).toEqual(peopleWith({}));
  });
});
