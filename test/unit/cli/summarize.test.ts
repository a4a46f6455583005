import { EventReader } from "../../../cli/lib/engine-events";
import { summaryOf } from "../../../cli/summarize/changes";
import { markdown } from "../../../cli/summarize/markdown";
import { text } from "../../../cli/summarize/text";
import { urnOf } from "./drift/stream";

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
    inputs && {
      id,
      custom,
      inputs,
      outputs: { ...inputs, onDestroy, status },
    };
  const type = `opsmanager:index:${kind}`;
  const metadata = {
    op,
    urn: urnOf(name, type),
    type,
    logical: true,
    old: side(sides.old),
    new: side(sides.new),
  };
  return { metadata, planning };
}

const done = (facts: Facts) => ({ resOutputsEvent: event(facts) });
const failed = (facts: Facts) => ({ resOpFailedEvent: event(facts) });

/** The read before a step: the recorded resource, and the live one. */
const refreshed = (facts: Omit<Facts, "op">) => {
  const { metadata } = event({ op: "refresh", ...facts });
  return [{ resourcePreEvent: { metadata } }, { resOutputsEvent: { metadata } }];
};

function summary(
  events: readonly object[],
  command: "preview" | "up" = "preview",
  failure?: string,
  options: Parameters<typeof summaryOf>[1]["options"] = new Map(),
) {
  const reader = new EventReader();
  reader.take(events.map((each) => `${JSON.stringify(each)}\n`).join(""));
  return summaryOf(reader.end(), { command, stack: "prod", failure, options });
}

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

it.each([
  [
    "a person",
    { op: "create", kind: "ProjectMember", new: person("ada", owners) },
    ["ada (GROUP_OWNER) in project Payments"],
  ],
  [
    "who makes owners",
    { op: "create", kind: "ProjectMember", new: person("ada", ["GROUP_USER_ADMIN"]) },
    ["ada (GROUP_USER_ADMIN) in project Payments"],
  ],
  [
    "more roles",
    { op: "update", kind: "ProjectMember", old: person("ada", readers), new: person("ada", owners) },
    ["ada (GROUP_OWNER) in project Payments"],
  ],
  [
    "the same right",
    {
      op: "update",
      kind: "ProjectMember",
      old: person("ada", owners),
      new: person("ada", [...owners, ...readers]),
    },
    [],
  ],
  ["an owner of the organization", { op: "create", kind: "ProjectMember", new: person("boss", owners) }, []],
  [
    "in the organization",
    {
      op: "update",
      kind: "OrganizationMember",
      old: member("ada", ["ORG_MEMBER"]),
      new: member("ada", ["ORG_OWNER"]),
    },
    [`ada (ORG_OWNER) in organization ${orgId}`],
  ],
  [
    "a team",
    { op: "create", kind: "ProjectTeam", new: { projectId, orgId, teamName: "ops", roles: owners } },
    ["team ops (GROUP_OWNER) in project Payments"],
  ],
  [
    "a person of a team that owns",
    {
      op: "create",
      kind: "Team",
      name: "admins",
      new: { orgId, name: "admins", usernames: ["ada", "boss"] },
    },
    ["ada (GROUP_OWNER) through team admins in project Payments"],
  ],
  [
    "a key",
    { op: "create", kind: "ApiKey", new: { orgId, description: "ci", roles: ["ORG_OWNER"] } },
    [`API key ci (ORG_OWNER) in organization ${orgId}`],
  ],
  [
    "a key in a project",
    { op: "create", kind: "ProjectApiKey", new: { projectId, publicKey: "abcdefgh", roles: owners } },
    ["API key abcdefgh (GROUP_OWNER) in project Payments"],
  ],
  [
    "groups",
    {
      op: "update",
      old: { name: "Payments" },
      new: { name: "Payments", ldapGroupMappings: [{ roleName: "GROUP_OWNER", ldapGroups: ["dba"] }] },
    },
    ["group dba (GROUP_OWNER) in project Payments"],
  ],
  [
    "the owner of a new project",
    {
      op: "create",
      name: "billing",
      id: "",
      new: { orgId, name: "Billing", projectOwnerId: "5f00000000000000000000bb" },
    },
    ["user 5f00000000000000000000bb (GROUP_OWNER) in project Billing"],
  ],
] as const)("new owners stand apart: %s", (_title, change, expected) => {
  const plan = text(
    summary([
      payments,
      done({
        op: "same",
        kind: "OrganizationMember",
        name: "boss",
        old: member("boss", ["ORG_OWNER"]),
        new: member("boss", ["ORG_OWNER"]),
      }),
      done({
        op: "same",
        kind: "ProjectTeam",
        name: "admins",
        old: { projectId, teamName: "admins", roles: owners },
        new: { projectId, orgId, teamName: "admins", roles: owners },
      }),
      done({ name: "changed", ...change }),
    ]),
    { wholeReport: [] },
  );
  const lines = [...plan.matchAll(/^ {2}new owner: (.*)$/gm)].map(([, owner]) => owner);
  expect(lines).toEqual(expected.map((owner) => `${owner}, made by the program`));
  expect(/^.*: (\d) new owner/.exec(plan)?.[1] ?? "0").toBe(String(expected.length));
});

it.each([
  [
    "a person who is deleted first",
    [
      done({
        op: "same",
        kind: "ProjectMember",
        name: "ada",
        old: person("ada", readers),
        new: person("ada", readers),
      }),
      done({
        op: "delete-replaced",
        kind: "OrganizationMember",
        old: member("ada", ["ORG_MEMBER"]),
        onDestroy: "remove",
        status: "active",
      }),
      done({
        op: "create-replacement",
        kind: "OrganizationMember",
        old: member("ada", ["ORG_MEMBER"]),
        new: member("eve", ["ORG_MEMBER"]),
      }),
    ],
    "Deleting OrganizationMember payments will fail: ProjectMember ada still declares ada.",
  ],
  [
    "a person who is deleted first, and is in a team",
    [
      done({
        op: "delete-replaced",
        kind: "OrganizationMember",
        old: member("ada", ["ORG_MEMBER"]),
        onDestroy: "remove",
        status: "active",
      }),
      done({
        op: "create-replacement",
        kind: "OrganizationMember",
        old: member("ada", ["ORG_MEMBER"]),
        new: member("eve", ["ORG_MEMBER"]),
      }),
      done({
        op: "same",
        kind: "Team",
        name: "ops",
        old: { orgId, name: "ops", usernames: ["ada"] },
        new: { orgId, name: "ops", usernames: ["ada"] },
      }),
    ],
    "Deleting OrganizationMember payments will fail: ada still has access in team ops.",
  ],
  [
    "a key in a project of an unknown organization",
    [
      done({
        op: "same",
        kind: "ProjectApiKey",
        old: { projectId: "p", publicKey: "abcdefgh", roles: readers },
        new: { projectId: "p", publicKey: "abcdefgh", roles: readers },
      }),
      done({
        op: "delete",
        kind: "ApiKey",
        name: "ci",
        old: { orgId, publicKey: "abcdefgh", description: "ci", roles: ["ORG_MEMBER"] },
        onDestroy: "remove",
      }),
    ],
    "Deleting ApiKey ci may fail: ProjectApiKey payments still declares API key ci (abcdefgh) in a project whose organization this run does not show.",
  ],
])("says beforehand which deletions are refused: %s", (_title, steps, expected) => {
  const plan = text(summary([payments, ...steps]), { wholeReport: [] });
  expect(/^ {2}(Deleting .* fail: .*)$/m.exec(plan)?.[1]).toBe(expected);
});

describe("what the program changes stands apart from what is changed back", () => {
  const [recorded, live, wanted] = [{ tags: ["A"] }, { tags: ["B"] }, { tags: ["A", "C"] }];
  const change = done({ op: "update", old: live, new: wanted });
  const causesIn = ({ groups }: ReturnType<typeof summary>) =>
    groups.flatMap(({ cause, changes }) =>
      changes.map(({ operation, values }) => [
        cause,
        operation,
        values.map(({ path, ...sides }) => ({
          path,
          ...("before" in sides && { before: sides.before }),
          ...("after" in sides && { after: sides.after }),
        })),
      ]),
    );
  const whole = { path: ["tags"], before: ["B"], after: ["A", "C"] };

  it.each([
    [
      "both changed tags",
      refreshed({ old: recorded, new: live }),
      [
        ["program", "change", [{ path: ["tags"], after: ["C"] }]],
        ["outside", "change", [{ path: ["tags"], before: ["A"], after: ["B"] }]],
      ],
    ],
    [
      "without a refresh, the state has what was applied",
      [],
      [["program", "change", [{ path: ["tags"], before: ["B"], after: ["A", "C"] }]]],
    ],
    [
      "the state was overwritten by an earlier refresh",
      refreshed({ old: { ...recorded, __inputsRead: ["tags"] }, new: live }),
      [["unknown", "change", [whole]]],
    ],
  ])("%s", (_title, before, expected) => {
    const found = summary([...before, change]);
    expect(causesIn(found)).toEqual(expected);
    expect(found.unread).toBe(before.length === 0 ? 1 : 0);
  });

  it("of a resource whose last update failed halfway, nobody knows", () => {
    const options = new Map([[urnOf("payments"), { initErrors: ["half"] }]]);
    const found = summary(
      [...refreshed({ old: recorded, new: live }), change],
      "preview",
      undefined,
      options,
    );
    expect(causesIn(found)).toEqual([["unknown", "change", [whole]]]);
    expect(text(found, { wholeReport: [] })).toMatch(/^Preview of test: 1 change of unknown origin$/m);
  });

  it("a project that somebody deleted is made again, with what the program changes of it", () => {
    const found = summary([...refreshed({ old: recorded }), done({ op: "create", id: "", new: wanted })]);
    expect(causesIn(found)).toEqual([
      ["program", "change", [{ path: ["tags"], after: ["C"] }]],
      ["outside", "create", [{ path: ["tags"], before: ["A"] }]],
    ]);
    expect(found.outside).toMatchObject([{ isDeleted: true, others: 0 }]);
  });

  it("an owner whom somebody made outside Pulumi is new, although the program declares it now", () => {
    const list = (...names: string[]) => ({
      projectId,
      members: Object.fromEntries(names.map((name) => [name, owners])),
    });
    const people = { kind: "ProjectMembers", name: "people" };
    const found = summary([
      payments,
      ...refreshed({ ...people, old: list("ada"), new: list("ada", "eve") }),
      done({ ...people, op: "update", old: list("ada", "eve"), new: list("ada", "eve", "bob") }),
    ]);
    expect(text(found, { wholeReport: [] }).match(/new owner: .*$/gm)).toEqual([
      "new owner: bob (GROUP_OWNER) in project Payments, made by the program",
      "new owner: eve (GROUP_OWNER) in project Payments, made by somebody outside Pulumi; declared now",
    ]);
  });
});

it.each([
  ["same", "delete"],
  ["delete", "release"],
])("a person of a file that is %s: %s", (op, operation) => {
  const deletedWith = urnOf("acme", "opsmanager:index:OrganizationFile");
  const file = done({ op, kind: "OrganizationFile", name: "acme", old: {}, new: {}, custom: false });
  const leaving = { kind: "OrganizationMember", name: "ada", old: member("ada", ["ORG_MEMBER"]) };
  const person = done({ op: "delete", ...leaving, onDestroy: "remove" });
  const options = new Map([[urnOf("ada", "opsmanager:index:OrganizationMember"), { deletedWith }]]);
  expect(summary([file, person], "preview", undefined, options).groups).toMatchObject([
    { changes: [{ operation }], lost: operation === "delete" ? ["ada"] : [] },
  ]);
});

it("components and parts of a replacement are no changes, and other packages are one group", () => {
  const component = done({ op: "create", kind: "ProjectFolder", new: {}, custom: false });
  expect(summary([component]).groups).toEqual([]);
  const other = {
    type: "random:index:Pet",
    urn: urnOf("pet", "random:index:Pet"),
    new: { custom: true, inputs: {} },
  };
  const replacement = { metadata: { ...other, op: "create-replacement", logical: false } };
  const replace = { metadata: { ...other, op: "replace" } };
  const { groups } = summary([{ resOutputsEvent: replacement }, { resOutputsEvent: replace }]);
  expect(groups).toMatchObject([
    { what: "other", changes: [{ operation: "replace", kind: "random:index:Pet" }] },
  ]);
});

it("an update is what was done, and names what failed", () => {
  const create = { op: "create", new: { name: "Payments" } };
  const events = [
    done(create),
    failed({ ...create, planning: false }),
    {
      diagnosticEvent: {
        urn: urnOf("payments"),
        severity: "error",
        message: "<{%reset%}>The key lacks a role.\n",
      },
    },
    { diagnosticEvent: { severity: "error", message: "update failed" } },
  ];
  const update = summary(events, "up", "update failed.");
  expect(update).toMatchObject({
    isDone: true,
    errors: [{ name: "payments", text: "The key lacks a role." }],
    groups: [{ changes: [{ operation: "create", hasFailed: true }] }],
  });
  expect(text(update, { wholeReport: [] })).toContain("+ create Project payments (failed)\n");
  expect(summary(events.slice(0, 1), "up", "interrupted.")).toMatchObject({
    isDone: false,
    errors: [{ text: "interrupted." }],
  });
});

describe("the comment", () => {
  const many = summary(
    Array.from({ length: 3000 }, (_, index) =>
      done({
        op: "update",
        kind: "ProjectMembers",
        name: `list-${index}`,
        old: { ...members(`old-${index}`), projectId: `p${index}` },
        new: { ...members(`new-${index}`), projectId: `p${index}` },
      }),
    ),
  );

  it("fits, and counts what it leaves out", () => {
    const comment = markdown(many, { wholeReport: ["plan.txt", "https://example.com/runs/1"] });
    expect(comment.length).toBeLessThan(65_536);
    const [, missing = "", all] =
      /\*\*(\d+) of (\d+) rows and resources are not shown\*\*, because .*: `plan.txt`, https:\/\/example.com\/runs\/1\.\n/.exec(
        comment,
      ) ?? [];
    expect(all).toBe("6000");
    const shown = comment.match(/^(\| `p\d|! change)/gm) ?? [];
    expect(shown.length).toBe(6000 - Number(missing));
    expect(text(many, { wholeReport: [] }).match(/^! change/gm)).toHaveLength(3000);
  });

  it("shows a name from outside as text that ends no block and mentions no one", () => {
    const evil = "`~~~~~\n@everyone </details> |";
    const comment = markdown(summary([done({ op: "create", name: evil, new: { name: evil } })]), {
      wholeReport: [],
    });
    const [, fence = "", block = ""] = /^(~+)diff\n(.*?)^\1$/ms.exec(comment) ?? [];
    expect(block).toContain("~~~~~\\u000a@everyone");
    expect(fence.length).toBeGreaterThan(5);
    expect(
      comment.replace(block, "").replace(/(`+)(?!`).*?(?<!`)\1(?!`)|<code>.*?<\/code>/g, ""),
    ).not.toMatch(/@everyone/);
  });

  it("names at most 20 people in a cell, and counts the others", () => {
    const names = Array.from({ length: 23 }, (_, index) => `p${index}`);
    const list = done({ op: "create", kind: "ProjectMembers", new: members(...names) });
    expect(markdown(summary([payments, list]), { wholeReport: [] })).toMatch(/`p6`, and 3 more \|\n/);
  });
});
