import { summaryOf } from "../../../cli/summarize/changes";
import { markdown } from "../../../cli/summarize/markdown";
import { text } from "../../../cli/summarize/text";
import { toldText } from "../../../provider/text/told-access";
import { day } from "../../engine/support/days";
import { line, runOf, urnOf } from "./drift/stream";

const projectId = "5f0000000000000000000001";

interface Facts {
  readonly op: string;
  readonly kind?: string;
  readonly name?: string;
  readonly old?: object;
  readonly new?: object;
  /** What destroying does, as the state records it. */
  readonly onDestroy?: string;
  readonly planning?: boolean;
  readonly custom?: boolean;
  readonly id?: string;
  readonly status?: string;
}

function event({
  op,
  kind = "Project",
  name = "payments",
  onDestroy,
  planning = true,
  custom = true,
  id = kind === "Project" ? projectId : "id",
  status,
  ...sides
}: Facts) {
  const side = (inputs: object | undefined) =>
    inputs && { id, custom, inputs, outputs: { ...inputs, onDestroy, status } };
  const type = `opsmanager:index:${kind}`;
  const about = { op, urn: urnOf(name, type), type, logical: true };
  return { metadata: { ...about, old: side(sides.old), new: side(sides.new) }, planning };
}

const done = (facts: Facts) => ({ resOutputsEvent: event(facts) });
const failed = (facts: Facts) => ({ resOpFailedEvent: event(facts) });

/** The read before a step: the recorded resource, and the live one. */
const refreshed = (facts: Omit<Facts, "op">) => {
  const { metadata } = event({ op: "refresh", ...facts });
  return [{ resourcePreEvent: { metadata } }, { resOutputsEvent: { metadata } }];
};

const summary = (events: readonly object[], facts: Partial<Parameters<typeof summaryOf>[1]> = {}) =>
  summaryOf(runOf(...events.map(line)), { command: "preview", stack: "prod", failure: undefined, ...facts });

const payments = done({ op: "same", old: { name: "Payments" }, new: { name: "Payments" } });
const members = (...names: string[]) => ({
  projectId,
  members: Object.fromEntries(names.map((name) => [name, ["GROUP_READ_ONLY"]])),
});

const orgId = "5f00000000000000000000aa";
const readers = ["GROUP_READ_ONLY"];
const owners = ["GROUP_OWNER"];
const person = (username: string, roles: readonly string[]) => ({ projectId, orgId, username, roles });
const member = (username: string, roles: readonly string[]) => ({ orgId, username, roles });

const same = (kind: string, name: string, inputs: object) =>
  done({ op: "same", kind, name, old: inputs, new: inputs });
const plan = (steps: readonly object[]) => text(summary([payments, ...steps]), { wholeReport: [] });

it("new owners stand apart, and no one else", () => {
  const added = (kind: string, name: string, inputs: object, more: Partial<Facts> = {}) =>
    done({ op: "create", kind, name, new: inputs, ...more });
  const changed = (kind: string, name: string, before: object, after: object) =>
    done({ op: "update", kind, name, old: before, new: after });
  const boss = member("boss", ["ORG_OWNER"]);
  const admins = { projectId, orgId, teamName: "admins", roles: owners };
  const ldapGroupMappings = [{ roleName: "GROUP_OWNER", ldapGroups: ["dba"] }];
  const idpGroupMappings = [{ roleName: "GROUP_OWNER", idpGroups: ["dba"] }];
  const found = text(
    summary([
      changed(
        "Project",
        "payments",
        { name: "Payments" },
        { name: "Payments", ldapGroupMappings, idpGroupMappings },
      ),
      same("OrganizationMember", "boss", boss),
      same("ProjectTeam", "admins", admins),
      // The right of the organization, and the same right again.
      added("ProjectMember", "boss", person("boss", owners)),
      changed("ProjectMember", "ida", person("ida", owners), person("ida", [...owners, ...readers])),
      // Owners before, in another way.
      same("Team", "pros", { orgId, name: "pros", usernames: ["flo"] }),
      same("ProjectTeam", "pros", { ...admins, teamName: "pros" }),
      same("ProjectMember", "gus", person("gus", owners)),
      added("ProjectMember", "flo", person("flo", owners)),
      added("ProjectMember", "ada", person("ada", owners)),
      added("ProjectMember", "bob", person("bob", ["GROUP_USER_ADMIN"])),
      changed("ProjectMember", "cleo", person("cleo", readers), person("cleo", owners)),
      changed("OrganizationMember", "dan", member("dan", ["ORG_MEMBER"]), member("dan", ["ORG_OWNER"])),
      added("ProjectTeam", "ops", { projectId, orgId, teamName: "ops", roles: owners }),
      added("Team", "admins", { orgId, name: "admins", usernames: ["eve", "boss", "gus"] }),
      added("ApiKey", "ci", { orgId, description: "ci", roles: ["ORG_OWNER"] }),
      added("ProjectApiKey", "key", { projectId, publicKey: "abcdefgh", roles: owners }),
      added("Project", "billing", { orgId, name: "Billing", projectOwnerId: "5f" }, { id: "" }),
    ]),
    { wholeReport: [] },
  );
  const lines = [...found.matchAll(/^ {2}new owner: (.*), made by the program$/gm)].map(([, line]) => line);
  expect(lines.sort()).toEqual([
    "API key abcdefgh (GROUP_OWNER) in project Payments",
    `API key ci (ORG_OWNER) in organization ${orgId}`,
    "LDAP group dba (GROUP_OWNER) in project Payments",
    "ada (GROUP_OWNER) in project Payments",
    "bob (GROUP_USER_ADMIN) in project Payments",
    "cleo (GROUP_OWNER) in project Payments",
    `dan (ORG_OWNER) in organization ${orgId}`,
    "eve (GROUP_OWNER) through team admins in project Payments",
    "identity provider group dba (GROUP_OWNER) in project Payments",
    "team ops (GROUP_OWNER) in project Payments",
    "user 5f (GROUP_OWNER) in project Billing",
  ]);
  expect(found).toMatch(/^.*: 11 new owners/);
  expect(found.match(/^ {2}owner .*$/gm)).toEqual([
    "  owner through a team before: flo (GROUP_OWNER) in project Payments, made by the program",
    "  owner in another way before: gus (GROUP_OWNER) through team admins in project Payments, made by the program",
  ]);
  expect(found).toContain("This run does not show who is in team ops.\n");
});

it("last days go by the resource, and each is said once", () => {
  const until = (day: string) => ({ ...person("ada", readers), until: day });
  const list = (days: object) => ({ ...members("bob", "cleo", "dan"), until: days });
  const text = plan([
    done({
      ...{ op: "update", kind: "ProjectMember", name: "any" },
      ...{ old: person("ada", readers), new: until(day(2)) },
    }),
    done({
      ...{ op: "update", kind: "ProjectMembers", name: "people" },
      old: list({ bob: "2999-01-31", cleo: "2999-01-31", dan: day(3) }),
      new: list({ bob: "2999-12-31", dan: day(3) }),
    }),
    // The same name elsewhere.
    same("Team", "people", { orgId, name: "people", usernames: ["bob"] }),
  ]);
  expect(text).toMatch(/^.*: 2 to change, 1 new last day, 1 last day to change, 1 last day to remove$/m);
  expect(text.match(/^.*(last day of|a last day|will end).*$/gm)).toEqual([
    `  The program gives ada in project Payments a last day: ${day(2)}.`,
    "  The program changes the last day of bob in project Payments: 2999-01-31 becomes 2999-12-31.",
    "  The program no longer has a last day for cleo in project Payments, which was 2999-01-31.",
    `Access will end after ${day(3)}: dan in project Payments.`,
  ]);
});

it.each([{ overdueSince: undefined }, { overdueSince: "2020-02-01T00:00:00Z" }])(
  "an end that was tried in vain before is not stated in a preview: $overdueSince",
  ({ overdueSince }) => {
    const old = { ...member("ada", ["ORG_MEMBER"]), until: "2020-01-31", overdueSince };
    const ends = { op: "update", kind: "OrganizationMember", name: "ada", old };
    const found = plan([done({ ...ends, new: { ...old, ended: "as planned" } })]);
    const access = overdueSince === undefined ? "no more access" : "perhaps another access";
    expect(found).toContain(`${access} for ada`);
    expect(found).not.toContain("ended");
  },
);

it("an end that is told without a URN is that of its own resource, and of no other one in the project", () => {
  const old = { ...person("ada", readers), until: "2020-01-31" };
  const told = toldText({
    kind: "ProjectMember",
    accesses: [
      {
        fate: "leaves",
        holder: { kind: "person", username: "ada" },
        place: { kind: "project", id: projectId },
      },
    ],
  });
  const found = plan([
    { diagnosticEvent: { severity: "debug", message: `debug: ${told}` } },
    done({ op: "update", kind: "ProjectMember", name: "ada", old, new: { ...old, ended: "as planned" } }),
    done({ op: "create", kind: "ProjectMember", name: "bob", new: person("bob", readers) }),
  ]);
  expect(found).toMatch(/^Preview of test: 1 to create, 1 gets access; 1 loses access by the calendar$/m);
});

describe("says beforehand which deletions are refused:", () => {
  const ada = { kind: "OrganizationMember", old: member("ada", ["ORG_MEMBER"]) };
  const replaced = [
    done({ op: "delete-replaced", ...ada, onDestroy: "remove", status: "active" }),
    done({ op: "create-replacement", ...ada, new: member("eve", ["ORG_MEMBER"]) }),
  ];
  const team = { orgId, name: "ops", usernames: ["ada"] };
  const ofKey = { projectId: "p", publicKey: "abcdefgh", roles: readers };
  const key = { orgId, publicKey: "abcdefgh", description: "ci", roles: ["ORG_MEMBER"] };

  it.each([
    {
      what: "a person who is deleted first",
      steps: [same("ProjectMember", "ada", person("ada", readers)), ...replaced],
      line: "OrganizationMember payments will fail: ProjectMember ada still declares ada.",
    },
    {
      what: "a person who is deleted first, and is in a team",
      steps: [...replaced, same("Team", "ops", team)],
      line: "OrganizationMember payments will fail: ada still has access in team ops.",
    },
    {
      what: "a key in a project of an unknown organization",
      steps: [
        same("ProjectApiKey", "payments", ofKey),
        done({ op: "delete", kind: "ApiKey", name: "ci", old: key, onDestroy: "remove" }),
      ],
      line: "ApiKey ci may fail: ProjectApiKey payments still declares API key ci (abcdefgh) in a project whose organization this run does not show.",
    },
  ])("$what", ({ steps, line }) => {
    expect(/^ {2}Deleting (.* fail: .*)$/m.exec(plan(steps))?.[1]).toBe(line);
  });
});

describe("what the program changes stands apart from what is changed back", () => {
  const [recorded, live, wanted] = [{ tags: ["A"] }, { tags: ["B"] }, { tags: ["A", "C"] }];
  const change = done({ op: "update", old: live, new: wanted });
  /** `program change tags: -A +C` */
  const causesIn = ({ groups }: ReturnType<typeof summary>) =>
    groups.flatMap(({ cause, changes }) =>
      changes.map(({ operation, values }) => {
        const sides = values.map(({ path, before, after }) =>
          [path, ...(before ? [`-${before}`] : []), ...(after ? [`+${after}`] : [])].join(" "),
        );
        return [cause, operation, ...sides].join(" ");
      }),
    );

  it.each([
    {
      title: "without a refresh, the state has what was applied",
      before: [],
      expected: ["program change tags -B +A,C"],
      unread: 1,
    },
    {
      title: "the state was overwritten by an earlier refresh",
      before: refreshed({ old: { ...recorded, __inputsRead: ["tags"] }, new: live }),
      expected: ["unknown change tags -B +A,C"],
    },
  ])("$title", ({ before, expected, unread = 0 }) => {
    const found = summary([...before, change]);
    expect(causesIn(found)).toEqual(expected);
    expect(found.unread).toBe(unread);
  });

  it("of a resource whose last update failed halfway, nobody knows", () => {
    const options = new Map([[urnOf("payments"), { initErrors: ["half"] }]]);
    const found = summary([...refreshed({ old: recorded, new: live }), change], { options });
    expect(causesIn(found)).toEqual(["unknown change tags -B +A,C"]);
    expect(text(found, { wholeReport: [] })).toMatch(/^Preview of test: 1 change of unknown origin$/m);
  });

  it("the title counts whoever gets or loses access for an unknown cause", () => {
    const people = { kind: "ProjectMembers", name: "people" };
    const options = new Map([[urnOf("people", "opsmanager:index:ProjectMembers"), { initErrors: ["half"] }]]);
    const [before, live] = [members("ada", "bob", "cleo"), members("ada", "bob")];
    const steps = [
      ...refreshed({ ...people, old: before, new: live }),
      done({ ...people, op: "update", old: live, new: members("ada", "cleo"), planning: false }),
    ];
    expect(text(summary(steps, { command: "up", options }), { wholeReport: [] })).toMatch(
      /^Update of test: 1 change of unknown origin, 1 gets access, 1 loses access$/m,
    );
  });

  it("an owner whom somebody made outside Pulumi is new, although the program declares it now", () => {
    const list = (...names: string[]) => ({
      projectId,
      members: Object.fromEntries(names.map((name) => [name, owners])),
    });
    const people = { kind: "ProjectMembers", name: "people" };
    const found = plan([
      ...refreshed({ ...people, old: list("ada"), new: list("ada", "eve") }),
      done({ ...people, op: "update", old: list("ada", "eve"), new: list("ada", "eve", "bob") }),
    ]);
    expect(found.match(/new owner: .*$/gm)).toEqual([
      "new owner: bob (GROUP_OWNER) in project Payments, made by the program",
      "new owner: eve (GROUP_OWNER) in project Payments, made by somebody outside Pulumi; declared now",
    ]);
  });
});

it.each([
  { op: "same", operation: "delete", lost: ["ada"] },
  { op: "delete", operation: "release", lost: [] },
])("a person of a file that is $op: $operation", ({ op, operation, lost }) => {
  const deletedWith = urnOf("acme", "opsmanager:index:OrganizationFile");
  const file = done({ op, kind: "OrganizationFile", name: "acme", old: {}, new: {}, custom: false });
  const leaving = { kind: "OrganizationMember", name: "ada", old: member("ada", ["ORG_MEMBER"]) };
  const person = done({ op: "delete", ...leaving, onDestroy: "remove" });
  const options = new Map([[urnOf("ada", "opsmanager:index:OrganizationMember"), { deletedWith }]]);
  expect(summary([file, person], { options }).groups).toMatchObject([
    { changes: [{ operation }], lost: lost.map((name) => ({ name })) },
  ]);
});

it("components and parts of a replacement are no changes, and other packages are one group", () => {
  const component = done({ op: "create", kind: "AccessFolder", new: {}, custom: false });
  expect(summary([component]).groups).toEqual([]);
  const type = "random:index:Pet";
  const pet = { type, urn: urnOf("pet", type), new: { custom: true, inputs: {} } };
  const steps = [{ op: "create-replacement", logical: false }, { op: "replace" }];
  expect(
    summary(steps.map((step) => ({ resOutputsEvent: { metadata: { ...pet, ...step } } }))).groups,
  ).toMatchObject([{ what: "other", changes: [{ operation: "replace", kind: type }] }]);
});

it("a failed run names a team as the state does, although it has no step of the team", () => {
  const teamId = "5f00000000000000000000bb";
  const options = new Map([[urnOf("ops", "opsmanager:index:Team"), { outputs: { teamId, name: "ops" } }]]);
  const grant = { projectId, orgId, teamId, roles: readers };
  const steps = [failed({ op: "create", kind: "ProjectTeam", name: "ops", new: grant, planning: false })];
  const found = summary([payments, ...steps], { command: "up", failure: "half", options });
  expect(found.groups.flatMap(({ gained }) => gained.map(({ name }) => name))).toEqual(["team ops"]);
});

it("an update is what was done, and names what failed", () => {
  const create = { op: "create", new: { name: "Payments" } };
  const message = "<{%reset%}>The key lacks a role.\n";
  const events = [
    done(create),
    failed({ ...create, planning: false }),
    { diagnosticEvent: { urn: urnOf("payments"), severity: "error", message } },
    { diagnosticEvent: { severity: "error", message: "update failed" } },
    // An output of the stack needs the resource.
    {
      diagnosticEvent: {
        severity: "error",
        message:
          "Error: error serializing: resource payments [opsmanager:index:Project] failed to register\n  at x",
      },
    },
  ];
  const update = summary(events, { command: "up", failure: "update failed." });
  expect(update).toMatchObject({
    isDone: true,
    errors: [{ name: "payments", text: "The key lacks a role." }],
    groups: [{ changes: [{ operation: "create", hasFailed: true }] }],
  });
  expect(text(update, { wholeReport: [] })).toContain("+ create Project payments (failed)\n");
  expect(markdown(update, { wholeReport: [] })).toContain(
    "| project | failed |\n| --- | --- |\n| `Payments` | 1 |\n",
  );
  expect(summary(events.slice(0, 1), { command: "up", failure: "interrupted." })).toMatchObject({
    isDone: false,
    errors: [{ text: "interrupted." }],
  });
});

describe("the comment", () => {
  it("names at most 20 people in a cell, and counts the others", () => {
    const names = Array.from({ length: 23 }, (_, index) => `p${index}`);
    const list = done({ op: "create", kind: "ProjectMembers", new: members(...names) });
    expect(markdown(summary([payments, list]), { wholeReport: [] })).toMatch(
      /`p6` \(GROUP_READ_ONLY\), and 3 more \|\n/,
    );
  });
});
