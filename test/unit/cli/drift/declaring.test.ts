/** What the program and the last reads declare, from the engine's events. */
import { declaringResources } from "../../../../cli/drift/stack-drift";
import { formatNotice } from "../../../../provider/text/notices";
import { diagnostic, planned, refreshed, runOf, stateOf, urnOf } from "./stream";

const projectId = "5f0000000000000000000001";
const type = "opsmanager:index:ProjectMembers";
const about = { name: "people", type };
const state = stateOf({ people: { type, id: projectId } });
const inputs = { projectId, members: { "olga@example.com": ["GROUP_OWNER"] } };
const read = refreshed({ ...about, op: "same", old: inputs, new: inputs, outputs: { memberDetails: [] } });
const notice = formatNotice({ code: "undeclared", subject: "people", projectId }, "1 person ...");

function resourceAfter(...lines: readonly string[]) {
  return declaringResources(state, runOf(...lines)).inStack[0];
}

it("has the outputs of an unchanged resource, and the inputs that the program changes", () => {
  const changed = { ...inputs, ignoreUsers: ["svc-*"] };
  const update = planned({ ...about, op: "update", old: inputs, new: changed, diff: { ignoreUsers: "add" } });
  expect(resourceAfter(read, update)).toMatchObject({
    urn: urnOf("people", type),
    stack: "test",
    inputs: { ignoreUsers: ["svc-*"] },
    outputs: { memberDetails: [] },
    isRead: true,
  });
});

it.each([
  ["was not refreshed", []],
  ["no longer exists", [refreshed({ ...about, op: "delete", old: inputs, new: null })]],
  [
    "cannot be read",
    [
      read,
      diagnostic("warning", formatNotice({ code: "unreadable", subject: "people", projectId }, "No role.")),
    ],
  ],
])("is not read if it %s", (_, lines) => {
  expect(resourceAfter(...lines)?.isRead).toBe(false);
});

const same = planned({ ...about, op: "same", old: inputs, new: inputs });
const update = (more: object) =>
  planned({ ...about, op: "update", old: inputs, new: { ...inputs, ...more }, diff: { members: "update" } });

it.each([
  ["true with a notice of the provider", [read, same, diagnostic("info", notice)], true],
  ["false without a notice, if the program changes nothing", [read, same], false],
  ["false if the update removes everyone else", [read, update({ removeUnlisted: true })], false],
  ["unknown if the update may have unknown inputs", [read, update({})], undefined],
  ["unknown without a program", [read], undefined],
])("that a resource has undeclared people is %s", (_, lines, expected) => {
  expect(resourceAfter(...lines)?.hasUndeclared).toBe(expected);
});

it("names people and teams that only the program has by project and name", () => {
  const create = (name: string, kind: string, values: object) =>
    planned({
      name,
      type: `opsmanager:index:${kind}`,
      op: "create",
      old: null,
      new: { projectId, ...values },
    });
  const lines = [
    create("mallory", "ProjectMember", { username: "mallory@example.com" }),
    create("admins", "ProjectTeam", { teamName: "admins" }),
  ];
  expect(declaringResources(state, runOf(...lines)).planned.map(({ id }) => id)).toEqual([
    `${projectId}/mallory@example.com`,
    `${projectId}/admins`,
  ]);
});
