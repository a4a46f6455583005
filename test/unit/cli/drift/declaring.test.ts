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
const gone = refreshed({ ...about, op: "delete", old: inputs, new: null });
const same = planned({ ...about, op: "same", old: inputs, new: inputs });
const update = (more: object) =>
  planned({ ...about, op: "update", old: inputs, new: { ...inputs, ...more }, diff: { members: "update" } });
const warned = (code: "undeclared" | "unreadable") =>
  diagnostic("warning", formatNotice({ code, subject: "people", projectId }, "1 person ..."));

const resourceAfter = (...lines: readonly string[]) => declaringResources(state, runOf(...lines)).inStack[0];

it("has the outputs of an unchanged resource, and the inputs that the program changes", () => {
  expect(resourceAfter(read, update({ ignoreUsers: ["svc-*"] }))).toMatchObject({
    urn: urnOf("people", type),
    stack: "test",
    inputs: { ignoreUsers: ["svc-*"] },
    outputs: { memberDetails: [] },
    isRead: true,
  });
});

it.each([
  { what: "was not refreshed", lines: [] },
  { what: "no longer exists", lines: [gone] },
  { what: "cannot be read", lines: [read, warned("unreadable")] },
])("is not read if it $what", ({ lines }) => {
  expect(resourceAfter(...lines)?.isRead).toBe(false);
});

it.each([
  { has: true, why: "with a notice of the provider", lines: [read, same, warned("undeclared")] },
  { has: false, why: "without a notice, if the program changes nothing", lines: [read, same] },
  {
    has: false,
    why: "if the update removes everyone else",
    lines: [read, update({ removeUnlisted: true })],
  },
  { has: undefined, why: "if the update may have unknown inputs", lines: [read, update({})] },
  { has: undefined, why: "without a program", lines: [read] },
])("that a resource has undeclared people is $has $why", ({ lines, has }) => {
  expect(resourceAfter(...lines)?.hasUndeclared).toBe(has);
});

it("names people and teams that only the program has by project and name", () => {
  const create = (kind: string, values: object) =>
    planned({ type: `opsmanager:index:${kind}`, op: "create", old: null, new: { projectId, ...values } });
  const run = runOf(
    create("ProjectMember", { username: "mallory@example.com" }),
    create("ProjectTeam", { teamName: "admins" }),
  );
  expect(declaringResources(state, run).planned.map(({ id }) => id)).toEqual([
    `${projectId}/mallory@example.com`,
    `${projectId}/admins`,
  ]);
});
