import { type Properties, UNKNOWN, type Value } from "../../../../provider/resources/contract/values";
import { projectMember } from "../../../../provider/resources/members/project-member";
import { declaredIdentity } from "../../../../provider/resources/members/record";
import { check as checkProjectMembers } from "../../../../provider/resources/project-members/inputs";
import { checker, newSession, urnOf } from "../checker";
import { permutations, projectId } from "../people/people";

const check = checker("ProjectMember", projectMember.check);
const checkAll = checker("ProjectMembers", checkProjectMembers);
const userId = "5f00000000000000000000d1";
const invitationId = "5f00000000000000000000c1";
const roles = ["GROUP_READ_ONLY"];
const ada = { projectId, username: "ada@example.com", roles };

describe("who a person is", () => {
  test.each<[string, Properties]>([
    ["a name with roles", ada],
    ["an account, roles not managed", { projectId, userId }],
    ["an invitation, roles not managed", { projectId, invitationId }],
    ["an account with roles", { projectId, userId, roles }],
    ["more than one, which must mean the same", { ...ada, userId, invitationId }],
    ["a name that is not known yet", { ...ada, username: UNKNOWN }],
    ["an account that is not known yet", { projectId: UNKNOWN, userId: UNKNOWN }],
    ["a name that is no address: a service may have such", { ...ada, username: "cn=ada, ou=people/dba" }],
  ])("%s", (_, inputs) => {
    expect(check(inputs)).toMatchObject({ failures: [], warnings: [] });
  });

  test.each<[string, Properties]>([
    ["no member", { projectId, roles }],
    ["null", { projectId, username: null, userId: null, invitationId: null, roles }],
  ])("%s is a failure between properties", (_, inputs) => {
    expect(check(inputs).failures).toEqual([
      {
        property: "",
        reason: "One of username, userId and invitationId is required to identify the person.",
      },
    ]);
  });

  test.each<[string, Properties, string]>([
    ["without a name that is known", { projectId, username: UNKNOWN }, "the person"],
    ["with null for roles", { projectId, username: "ada@example.com", roles: null }, "ada@example.com"],
  ])("a name alone is not enough (%s): roles are missing", (_, inputs, who) => {
    expect(check(inputs).failures).toEqual([
      {
        property: "roles",
        reason: `roles is missing: set the roles of ${who} in the project, such as ["GROUP_READ_ONLY"].`,
      },
    ]);
  });

  test("is declared as far as it is known", () => {
    expect(declaredIdentity({ username: "ada@example.com", userId: UNKNOWN })).toEqual({
      username: "ada@example.com",
    });
  });
});

describe("the canonical form", () => {
  test("has ids in lower case and roles in order, keeps the name as it is written, and adds nothing", () => {
    const inputs = {
      projectId: projectId.toUpperCase(),
      username: "Ada@Example.com",
      userId: userId.toUpperCase(),
      invitationId: invitationId.toUpperCase(),
      roles: ["GROUP_READ_ONLY", "GROUP_BACKUP_ADMIN"],
      onDestroy: null,
    };
    const expected = {
      ...{ projectId, userId, invitationId, username: "Ada@Example.com" },
      roles: ["GROUP_BACKUP_ADMIN", "GROUP_READ_ONLY"],
    };
    expect(check(inputs).inputs).toEqual(expected);
    expect(check(expected).inputs).toEqual(expected);
  });

  test("is one for every order of roles, and what is not known stands behind", () => {
    for (const order of permutations<Value>([
      "GROUP_OWNER",
      UNKNOWN,
      "GROUP_BACKUP_ADMIN",
      "GROUP_READ_ONLY",
    ])) {
      expect(check({ ...ada, roles: order }).inputs.roles).toEqual([
        "GROUP_BACKUP_ADMIN",
        "GROUP_OWNER",
        "GROUP_READ_ONLY",
        UNKNOWN,
      ]);
    }
  });
});

describe("faults", () => {
  test.each<[string, Properties, string]>([
    ["no roles", { roles: [] }, "roles must not be empty: a person without a role is not in the project."],
    [
      "a role twice",
      { roles: ["GROUP_A", "GROUP_B", "GROUP_A"] },
      'roles contains "GROUP_A" more than once.',
    ],
    ["an empty role", { roles: ["GROUP_OWNER", ""] }, "roles[1] must not be empty."],
    ["null for a role", { roles: [null] }, "roles[0] must be text."],
    ["roles that are no list", { roles: "GROUP_OWNER" }, "roles must be a list."],
    ["an empty name", { username: "" }, "username must not be empty."],
    [
      "a role of an organization",
      { roles: ["ORG_OWNER"] },
      'roles contains "ORG_OWNER", which is a role of an organization, not of a project. The roles are GROUP_AUTOMATION_ADMIN, GROUP_BACKUP_ADMIN, GROUP_DATA_ACCESS_ADMIN, GROUP_DATA_ACCESS_READ_ONLY, GROUP_DATA_ACCESS_READ_WRITE, GROUP_MONITORING_ADMIN, GROUP_OWNER, GROUP_READ_ONLY, GROUP_USER_ADMIN.',
    ],
    [
      "a misspelled role",
      { roles: ["GROUP_OWNR"] },
      'roles contains "GROUP_OWNR", which is not a role of a project. Did you mean GROUP_OWNER?',
    ],
    [
      "the name that Ops Manager shows for a role",
      { roles: ["Project Read Only"] },
      'roles contains "Project Read Only", which is not a role of a project. Did you mean GROUP_READ_ONLY?',
    ],
    ["a name that is no text", { username: ["ada@example.com"] }, "username must be text."],
    ["a bad project", { projectId: "5f" }, "projectId must be the id of a project: 24 hexadecimal digits."],
    ["a bad account", { userId: "ada" }, "userId must be the id of a user: 24 hexadecimal digits."],
    [
      "a bad invitation",
      { invitationId: "x" },
      "invitationId must be the id of an invitation: 24 hexadecimal digits.",
    ],
    ["an unknown end", { onDestroy: "delete" }, 'onDestroy must be "remove" or "release".'],
    [
      "a property that does not exist",
      { role: "GROUP_OWNER" },
      "role is not a property. Did you mean roles?",
    ],
  ])("%s", (_, inputs, reason) => {
    expect(check({ ...ada, ...inputs }).reasons).toEqual([reason]);
  });

  test("are all named at once", () => {
    expect(check({ projectId: "5f", username: " ", roles: ["GROUP_A", "GROUP_A"] }).reasons).toEqual([
      "projectId must be the id of a project: 24 hexadecimal digits.",
      "username must not begin or end with blanks.",
      'roles contains "GROUP_A" more than once.',
    ]);
    expect(check({}).reasons).toEqual([
      "projectId must be text.",
      "One of username, userId and invitationId is required to identify the person.",
    ]);
  });

  test("claim no one", () => {
    const session = newSession();
    check({ ...ada, roles: [] }, session, "one");
    expect(check(ada, session, "other").failures).toEqual([]);
  });
});

test("a role that is not known here is taken, with a warning for each", () => {
  const { failures, warnings } = check({
    ...ada,
    roles: ["GROUP_OWNER", "GROUP_BRAND_NEW", "GROUP_ELSE2"],
  });
  expect(failures).toEqual([]);
  expect(warnings).toEqual([
    'Role "GROUP_BRAND_NEW" is not a project role that this version knows, and is sent unchanged.',
    'Role "GROUP_ELSE2" is not a project role that this version knows, and is sent unchanged.',
  ]);
});

describe("two resources for one person", () => {
  test.each<[string, Properties, Properties]>([
    ["by name in another case", ada, { ...ada, username: "ADA@example.com" }],
    ["by account in another case", { projectId, userId }, { projectId, userId: userId.toUpperCase() }],
    ["by invitation", { projectId, invitationId }, { projectId, invitationId }],
  ])("fail, naming both: %s", (_, one, other) => {
    const session = newSession();
    expect(check(one, session, "one").failures).toEqual([]);
    const { failures } = check(other, session, "other");
    expect(failures).toEqual([
      {
        property: "",
        reason: expect.stringContaining(`is already declared by ${urnOf("ProjectMember", "one")}`),
      },
    ]);
  });

  test("are no fault in two projects, nor where one is checked twice", () => {
    const session = newSession();
    check(ada, session);
    expect(check(ada, session).failures).toEqual([]);
    expect(check({ ...ada, projectId: "5f00000000000000000000a2" }, session, "other").failures).toEqual([]);
  });

  test("cannot be seen while the project or the person is not known", () => {
    const session = newSession();
    check(ada, session, "one");
    expect(check({ ...ada, projectId: UNKNOWN }, session, "other").failures).toEqual([]);
    expect(check({ ...ada, username: UNKNOWN }, session, "third").failures).toEqual([]);
  });

  test("fail beside a ProjectMembers of the same project, whatever the username", () => {
    const session = newSession();
    checkAll({ projectId, members: { "bob@example.com": roles } }, session, "allMembers");
    const [failure] = check(ada, session, "one").failures;
    expect(failure?.property).toBe("projectId");
    for (const urn of [urnOf("ProjectMember", "one"), urnOf("ProjectMembers", "allMembers"), projectId]) {
      expect(failure?.reason).toContain(urn);
    }
  });
});

test.each(["ada@example.com", "ada.lovelace+ops@example.com", "alovelace", "Ada Lovelace", "EXAMPLE\\ada"])(
  "%s may be a name: of an address, or of an LDAP directory",
  (username) => {
    expect(check({ projectId, username, roles: ["GROUP_READ_ONLY"] }).reasons).toEqual([]);
  },
);
