/** Which events fit a difference, and which are about something else. */
import {
  deletedProjects,
  inDeletedProject,
  organizationOf,
  type Subject,
  subjectOf,
  subjectOfUnmanaged,
} from "../../../../cli/drift/event-subjects";
import { type Finding, unmanagedEntries } from "../../../../cli/drift/report";
import type { EventResponse } from "../../../../provider/api/events";
import { finding, member, unmanaged } from "./reports";

const idWith = (start: string): string => start.padEnd(23, "0").concat("1");
const [orgId, projectId, teamId] = [idWith("5e"), idWith("5f"), idWith("5d")];

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

it("without a target, only who joins is the person who acts", () => {
  const people = finding(member);
  const byAda = { username: "ada@example.com" };
  expect(fits(people, {}, { ...byAda, type: "JOINED_GROUP" })).toBe(true);
  expect(fits(people, {}, { ...byAda, type: "USER_ROLES_CHANGED_AUDIT" })).toBe(false);
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
  const entries = unmanagedEntries({ ...unmanaged, projects: [], people: [], keys: [facts] });
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
  const people = finding({ ...member, id: projectId, kind: "deleted", property: "" });
  expect(fits(people, {}, { type: "GROUP_DELETED", projectId })).toBe(true);
});
