/** Which events fit a difference, and which are about something else. */

import type { Finding } from "../../../../cli/drift/report/model";
import {
  deletedProjects,
  inDeletedProject,
  organizationOf,
  subjectOf,
  subjectOfUnmanaged,
} from "../../../../cli/lib/difference-subjects";
import type { Subject } from "../../../../cli/lib/event-subjects";
import type { EventResponse } from "../../../../provider/api/events";
import { finding, member, report, unmanaged } from "./reports";

const idWith = (start: string): string => start.padEnd(23, "0").concat("1");
const [orgId, projectId, teamId] = [idWith("5e"), idWith("5f"), idWith("5d")];

/** The names of reference documents. */
const everyType = [
  "INVITED_TO_GROUP JOINED_GROUP REMOVED_FROM_GROUP USER_ROLES_CHANGED_AUDIT JOIN_GROUP_REQUEST_APPROVED_AUDIT",
  "GROUP_INVITATION_DELETED INVITED_TO_ORG JOINED_ORG REMOVED_FROM_ORG ORG_INVITATION_DELETED",
  "TEAM_CREATED TEAM_DELETED TEAM_NAME_CHANGED TEAM_UPDATED TEAM_ADDED_TO_GROUP TEAM_REMOVED_FROM_GROUP",
  "TEAM_ROLES_MODIFIED USER_ADDED_TO_TEAM JOINED_TEAM REMOVED_FROM_TEAM GROUP_CREATED GROUP_DELETED FLUSHED",
  "GROUP_NAME_CHANGED GROUP_TAGS_MODIFIED TAGS_MODIFIED GROUP_MOVED ORG_API_KEY_ADDED ORG_API_KEY_DELETED",
  "API_KEY_CREATED API_KEY_DELETED API_KEY_ROLES_CHANGED API_KEY_DESCRIPTION_CHANGED API_KEY_ADDED_TO_GROUP",
  "API_KEY_REMOVED_FROM_GROUP API_KEY_ACCESS_LIST_ENTRY_ADDED API_KEY_ACCESS_LIST_ENTRY_DELETED",
].flatMap((names) => names.split(" "));

const event = (change: Partial<EventResponse>): EventResponse => ({
  id: "e1",
  type: "TEAM_UPDATED",
  createdAt: "2026-01-02T03:04:05Z",
  ...change,
});

function fits(found: Finding, outputs: object, change: Partial<EventResponse>): boolean {
  const resource = { type: found.type, id: found.id, inputs: {}, outputs: { ...outputs } };
  const subject = subjectOf(found, resource as never, organizationOf([])) as Subject;
  const { documented, others, isTarget } = subject;
  const candidate = event(change);
  return [...documented, ...others].includes(candidate.type) && isTarget(candidate);
}

const team = finding({
  type: "opsmanager:index:Team",
  id: `${orgId}/${teamId}`,
  property: "usernames",
  declared: ["ada@example.com"],
  live: undefined,
});

it("an event about a person of a team fits only those who differ, and not the one who acted", () => {
  const removed = { type: "REMOVED_FROM_TEAM", teamId, targetUsername: "Ada@example.com" };
  expect(fits(team, {}, removed)).toBe(true);
  expect(fits(team, {}, { ...removed, targetUsername: "carol@example.com" })).toBe(false);
  expect(fits(team, {}, { type: "TEAM_UPDATED", teamId, username: "ada@example.com" })).toBe(false);
});

const people = (change: Partial<Finding>): Finding => finding({ ...member, id: projectId, ...change });
const one = (kind: string, name: string, change: Partial<Finding> = {}): Finding =>
  finding({ type: `opsmanager:index:${kind}`, id: name, kind: "deleted", property: "", ...change });
const roles = { kind: "changed", property: "roles" } as const;
const undeclared = (what: "person" | "team" | "key", name: string): Finding =>
  people({
    kind: "undeclared",
    object: { what, name, in: "project", containerId: projectId, containerName: "payments" },
  });
const adaIn = (owner: string) => `${owner}/ada@example.com`;
const invited = { status: "pending", invitationId: idWith("5a"), username: "ada@example.com" };
const invitedInList = { memberDetails: [{ ...invited, declared: true }] };

/** Every event about the person, the team or the key of the differences. */
const aboutThem = { teamId, targetUsername: "ada@example.com", targetPublicKey: "abcdwxyz" };
const key = { publicKey: "abcdwxyz" };
const [left, keyDeleted] = [
  ["REMOVED_FROM_GROUP", "GROUP_INVITATION_DELETED"],
  ["ORG_API_KEY_DELETED", "API_KEY_DELETED"],
];
const arrived = [
  "INVITED_TO_GROUP",
  "JOINED_GROUP",
  "JOIN_GROUP_REQUEST_APPROVED_AUDIT",
  "USER_ROLES_CHANGED_AUDIT",
];

describe("an event fits a difference in its direction only:", () => {
  test.each<[string, Finding, object, readonly string[]]>([
    ["a member who is missing", people({}), {}, left],
    ["an invited person who is missing from a list", people({}), invitedInList, left],
    [
      "a member with other roles",
      people({ kind: "changed", live: ["GROUP_READ_ONLY"] }),
      {},
      ["USER_ROLES_CHANGED_AUDIT"],
    ],
    ["a member whom no one declared", people({ kind: "added" }), {}, arrived],
    ["an undeclared person", undeclared("person", "ada@example.com"), {}, arrived],
    ["a deleted member", one("ProjectMember", adaIn(projectId)), {}, left],
    ["a deleted invitation", one("ProjectMember", adaIn(projectId)), invited, left],
    [
      "other roles of a member",
      one("ProjectMember", adaIn(projectId), roles),
      {},
      ["USER_ROLES_CHANGED_AUDIT"],
    ],
    [
      "roles of a member that are missing",
      one("ProjectMember", adaIn(projectId), { ...roles, kind: "removed" }),
      {},
      ["USER_ROLES_CHANGED_AUDIT"],
    ],
    [
      "a person who left an organization",
      one("OrganizationMember", adaIn(orgId)),
      {},
      ["REMOVED_FROM_ORG", "ORG_INVITATION_DELETED"],
    ],
    [
      "other roles in an organization",
      one("OrganizationMember", adaIn(orgId), roles),
      {},
      ["USER_ROLES_CHANGED_AUDIT"],
    ],
    [
      "a team that left a project",
      one("ProjectTeam", `${projectId}/${teamId}`),
      {},
      ["TEAM_REMOVED_FROM_GROUP"],
    ],
    [
      "other roles of a team",
      one("ProjectTeam", `${projectId}/${teamId}`, roles),
      {},
      ["TEAM_ROLES_MODIFIED"],
    ],
    ["an undeclared team", undeclared("team", teamId), {}, ["TEAM_ADDED_TO_GROUP", "TEAM_ROLES_MODIFIED"]],
    ["a deleted team", one("Team", `${orgId}/${teamId}`), {}, ["TEAM_DELETED"]],
    [
      "a renamed team",
      one("Team", `${orgId}/${teamId}`, { kind: "changed", property: "name" }),
      {},
      ["TEAM_NAME_CHANGED", "TEAM_UPDATED"],
    ],
    ["a person who left a team", team, {}, ["REMOVED_FROM_TEAM"]],
    [
      "a person who joined a team",
      { ...team, declared: undefined, live: ["ada@example.com"] },
      {},
      ["USER_ADDED_TO_TEAM", "JOINED_TEAM"],
    ],
    ["a deleted key", one("ApiKey", `${orgId}/k`), key, keyDeleted],
    ["other roles of a key", one("ApiKey", `${orgId}/k`, roles), key, ["API_KEY_ROLES_CHANGED"]],
    [
      "another description",
      one("ApiKey", `${orgId}/k`, { kind: "changed", property: "description" }),
      key,
      ["API_KEY_DESCRIPTION_CHANGED"],
    ],
    [
      "an entry that an access list lacks",
      one("ApiKey", `${orgId}/k`, {
        kind: "removed",
        property: "accessList",
        declared: ["192.0.2.7"],
        live: undefined,
      }),
      key,
      ["API_KEY_ACCESS_LIST_ENTRY_DELETED"],
    ],
    [
      "an additional entry of an access list",
      one("ApiKey", `${orgId}/k`, {
        kind: "added",
        property: "accessList",
        declared: undefined,
        live: ["192.0.2.7"],
      }),
      key,
      ["API_KEY_ACCESS_LIST_ENTRY_ADDED"],
    ],
    [
      "a key that left a project",
      one("ProjectApiKey", `${projectId}/k`),
      key,
      ["API_KEY_REMOVED_FROM_GROUP", ...keyDeleted],
    ],
    [
      "other roles of a key in a project",
      one("ProjectApiKey", `${projectId}/k`, roles),
      key,
      ["API_KEY_ROLES_CHANGED"],
    ],
    [
      "an undeclared key",
      undeclared("key", "abcdwxyz"),
      {},
      ["API_KEY_ADDED_TO_GROUP", "API_KEY_ROLES_CHANGED"],
    ],
    ["a renamed project", finding({ property: "name" }), {}, ["GROUP_NAME_CHANGED"]],
    ["tags", finding({ property: "tags" }), {}, ["GROUP_TAGS_MODIFIED", "TAGS_MODIFIED"]],
  ])("%s", (_, found, outputs, expected) => {
    const fitting = everyType.filter((type) => fits(found, outputs, { ...aboutThem, type }));
    expect(fitting.sort()).toEqual([...expected].sort());
  });
});

test("the deletion of an invitation has no documented event, so none found is no proof", () => {
  const orgOf = organizationOf([]);
  const resource = { type: "", id: "", inputs: {}, outputs: invited };
  const found = one("ProjectMember", adaIn(projectId));
  expect(subjectOf(found, resource as never, orgOf)).toMatchObject({ documented: [] });
  expect(subjectOf(found, undefined, orgOf)).toMatchObject({ documented: ["REMOVED_FROM_GROUP"] });
});

it("without a target, only who joins is the person who acts", () => {
  const added = people({ kind: "added" });
  const byAda = { username: "ada@example.com" };
  expect(fits(added, {}, { ...byAda, type: "JOINED_GROUP" })).toBe(true);
  expect(fits(added, {}, { ...byAda, type: "USER_ROLES_CHANGED_AUDIT" })).toBe(false);
});

it("an event of a key fits its property and its project", () => {
  const key = finding({ type: "opsmanager:index:ProjectApiKey", id: `${projectId}/k`, property: "roles" });
  const outputs = { publicKey: "abcdwxyz" };
  const about = { targetPublicKey: "abcdwxyz" };
  const roles = { ...about, type: "API_KEY_ROLES_CHANGED" };
  expect(fits(key, outputs, { ...roles, projectId })).toBe(true);
  expect(fits(key, outputs, { ...roles, projectId: teamId })).toBe(false);
  expect(fits(key, outputs, { ...about, type: "API_KEY_ACCESS_LIST_ENTRY_ADDED" })).toBe(false);
});

it("the creation of a key in its organization does not explain its roles in a project, which have no documented event", () => {
  const publicKey = "abcdwxyz";
  const key = finding({
    ...member,
    id: projectId,
    kind: "undeclared",
    object: {
      what: "key",
      name: publicKey,
      in: "project",
      containerId: projectId,
      containerName: "payments",
    },
  });
  const created = { type: "ORG_API_KEY_ADDED", targetPublicKey: publicKey };
  expect(fits(key, {}, created)).toBe(false);
  expect(fits(key, {}, { ...created, type: "API_KEY_ADDED_TO_GROUP", projectId })).toBe(true);
  const facts = { projectId, projectName: "payments", keyId: "5a", publicKey, name: "ci", roles: [] };
  const entries =
    report({ unmanaged: { ...unmanaged, projects: [], people: [], keys: [facts] } }).unmanaged?.rows ?? [];
  const subjects = entries.map((entry) => subjectOfUnmanaged(entry, organizationOf([])));
  expect(subjects).toMatchObject([
    { documented: [], others: expect.arrayContaining(["API_KEY_ROLES_CHANGED"]) },
  ]);
});

it("only the deletion of a key explains that it no longer exists, and also why it has no roles in a project", () => {
  const deleted = { kind: "deleted", property: "" } as const;
  const outputs = { publicKey: "abcdwxyz" };
  const about = { targetPublicKey: "abcdwxyz" };
  const key = finding({ ...deleted, type: "opsmanager:index:ApiKey", id: `${orgId}/k` });
  const inProject = finding({ ...deleted, type: "opsmanager:index:ProjectApiKey", id: `${projectId}/k` });
  for (const found of [key, inProject]) {
    expect(fits(found, outputs, { ...about, type: "ORG_API_KEY_DELETED" })).toBe(true);
    expect(fits(found, outputs, { ...about, type: "ORG_API_KEY_ADDED" })).toBe(false);
  }
  expect(subjectOf(inProject, { ...inProject, outputs } as never, organizationOf([]))).toMatchObject({
    documented: [],
  });
});

it("only the deletion of a project explains what was in it, and is sought in the list of its organization", () => {
  const deleted = deletedProjects([
    finding({ ...member, id: projectId, kind: "deleted", property: "" }),
    finding({ id: teamId }),
  ]);
  const orgOf = organizationOf([{ id: projectId, type: "", outputs: { orgId } } as never]);
  for (const [kind, name] of [
    ["ProjectTeam", teamId],
    ["ProjectMember", "ada@example.com"],
  ] as const) {
    const facts = { id: `${projectId}/${name}`, kind: "deleted", property: "" } as const;
    const inProject = finding({ type: `opsmanager:index:${kind}`, ...facts });
    const subject = subjectOf(inProject, undefined, organizationOf([])) as Subject;
    const explained = inDeletedProject(subject, deleted, orgOf);
    expect(explained).toMatchObject({ place: { orgId }, deletedProject: projectId });
    expect(explained.documented).toContain("GROUP_DELETED");
    expect(explained.documented).not.toContain("INVITED_TO_GROUP");
    expect(explained.isTarget(event({ type: "GROUP_DELETED", projectId }))).toBe(true);
    expect(explained.isTarget(event({ type: "GROUP_DELETED", projectId: teamId }))).toBe(false);
    expect(inDeletedProject(subject, new Set(), orgOf)).toBe(subject);
  }
});

it("all people of a project that no longer exists were deleted with it", () => {
  expect(fits(people({ kind: "deleted", property: "" }), {}, { type: "GROUP_DELETED", projectId })).toBe(
    true,
  );
});
