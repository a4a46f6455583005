/** Which events fit a difference, and which are about something else. */
import type { Finding } from "../../../../cli/drift/report/model";
import { organizationOf, subjectOf, subjectOfUnmanaged } from "../../../../cli/lib/difference-subjects";
import type { Subject } from "../../../../cli/lib/event-subjects";
import type { EventResponse } from "../../../../provider/api/events";
import { finding, member, unowned } from "./reports";

const idWith = (start: string): string => start.padEnd(23, "0").concat("1");
const [orgId, projectId, teamId] = [idWith("5e"), idWith("5f"), idWith("5d")];
const publicKey = "abcdwxyz";

/** The names of reference documents. */
const everyType = [
  "INVITED_TO_GROUP JOINED_GROUP REMOVED_FROM_GROUP USER_ROLES_CHANGED_AUDIT JOIN_GROUP_REQUEST_APPROVED_AUDIT",
  "GROUP_INVITATION_DELETED INVITED_TO_ORG JOINED_ORG REMOVED_FROM_ORG ORG_INVITATION_DELETED",
  "TEAM_CREATED TEAM_DELETED TEAM_NAME_CHANGED TEAM_UPDATED TEAM_ADDED_TO_GROUP TEAM_REMOVED_FROM_GROUP",
  "TEAM_ROLES_MODIFIED USER_ADDED_TO_TEAM JOINED_TEAM REMOVED_FROM_TEAM GROUP_CREATED GROUP_DELETED FLUSHED",
  "GROUP_NAME_CHANGED GROUP_TAGS_MODIFIED TAGS_MODIFIED GROUP_MOVED ORG_API_KEY_ADDED ORG_API_KEY_DELETED",
  "API_KEY_CREATED API_KEY_DELETED API_KEY_ROLES_CHANGED API_KEY_DESCRIPTION_CHANGED API_KEY_ADDED_TO_GROUP",
  "API_KEY_REMOVED_FROM_GROUP API_KEY_ACCESS_LIST_ENTRY_ADDED API_KEY_ACCESS_LIST_ENTRY_DELETED",
  "SERVICE_ACCOUNT_CREATED SERVICE_ACCOUNT_DELETED SERVICE_ACCOUNT_ROLES_CHANGED SERVICE_ACCOUNT_SECRET_ADDED",
  "SERVICE_ACCOUNT_ADDED_TO_GROUP SERVICE_ACCOUNT_REMOVED_FROM_GROUP",
].flatMap((names) => names.split(" "));

const event = (change: Partial<EventResponse>): EventResponse => ({
  id: "e1",
  type: "TEAM_UPDATED",
  createdAt: "2026-01-02T03:04:05Z",
  ...change,
});

function subjectWith(found: Finding, outputs: object): Subject {
  const resource = { type: found.type, id: found.id, inputs: {}, outputs: { ...outputs } };
  return subjectOf(found, resource as never, organizationOf([])) as Subject;
}

function fits(found: Finding, outputs: object, change: Partial<EventResponse>): boolean {
  const { documented, others, isTarget } = subjectWith(found, outputs);
  const candidate = event(change);
  return [...documented, ...others].includes(candidate.type) && isTarget(candidate);
}

const one = (kind: string, id: string, change: Partial<Finding> = {}): Finding =>
  finding({ type: `opsmanager:index:${kind}`, id, kind: "deleted", property: "", ...change });
const people = (change: Partial<Finding> = {}): Finding => finding({ ...member, id: projectId, ...change });
const undeclared = (what: "person" | "team" | "key" | "service account", name: string): Finding =>
  people({
    kind: "undeclared",
    object: { what, name, in: "project", containerId: projectId, containerName: "payments" },
  });
const [adaInProject, adaInOrg] = [`${projectId}/ada@example.com`, `${orgId}/ada@example.com`];
const [team, teamInProject, key, keyInProject] = [
  `${orgId}/${teamId}`,
  `${projectId}/${teamId}`,
  `${orgId}/k`,
  `${projectId}/k`,
];
const changed = (property: string) => ({ kind: "changed", property }) as const;
const roles = changed("roles");
const entry = (declared?: string[], live?: string[]) => ({ ...changed("accessList"), declared, live });
const inTeam = (declared?: string[], live?: string[]) =>
  one("Team", team, { ...changed("usernames"), declared, live });
const invited = { status: "pending", invitationId: idWith("5a"), username: "ada@example.com" };

describe("an event fits a difference in its direction only:", () => {
  const left = "REMOVED_FROM_GROUP GROUP_INVITATION_DELETED";
  const arrived = "INVITED_TO_GROUP JOINED_GROUP JOIN_GROUP_REQUEST_APPROVED_AUDIT USER_ROLES_CHANGED_AUDIT";
  const keyDeleted = "ORG_API_KEY_DELETED API_KEY_DELETED";
  const newRoles = "USER_ROLES_CHANGED_AUDIT";
  /** Every event about the person, the team or the key of the differences. */
  const aboutThem = { teamId, targetUsername: "ada@example.com", targetPublicKey: publicKey };
  const [ada, ip] = [["ada@example.com"], ["192.0.2.7"]];

  it.each([
    { found: people(), types: left },
    { found: people({ kind: "changed" }), types: newRoles },
    { found: people({ kind: "added" }), types: arrived },
    { found: undeclared("person", "ada@example.com"), types: arrived },
    { found: one("ProjectMember", adaInProject), types: left },
    { found: one("ProjectMember", adaInProject, roles), types: newRoles },
    { found: one("ProjectMember", adaInProject, { ...roles, kind: "removed" }), types: newRoles },
    { found: one("OrganizationMember", adaInOrg), types: "REMOVED_FROM_ORG ORG_INVITATION_DELETED" },
    { found: one("OrganizationMember", adaInOrg, roles), types: newRoles },
    { found: one("ProjectTeam", teamInProject), types: "TEAM_REMOVED_FROM_GROUP" },
    { found: one("ProjectTeam", teamInProject, roles), types: "TEAM_ROLES_MODIFIED" },
    { found: undeclared("team", teamId), types: "TEAM_ADDED_TO_GROUP TEAM_ROLES_MODIFIED" },
    { found: one("Team", team), types: "TEAM_DELETED" },
    { found: one("Team", team, changed("name")), types: "TEAM_NAME_CHANGED TEAM_UPDATED" },
    { found: inTeam(ada), types: "REMOVED_FROM_TEAM" },
    { found: inTeam(undefined, ada), types: "USER_ADDED_TO_TEAM JOINED_TEAM" },
    { found: one("ApiKey", key), types: keyDeleted },
    { found: one("ApiKey", key, roles), types: "API_KEY_ROLES_CHANGED" },
    { found: one("ApiKey", key, changed("description")), types: "API_KEY_DESCRIPTION_CHANGED" },
    { found: one("ApiKey", key, entry(ip)), types: "API_KEY_ACCESS_LIST_ENTRY_DELETED" },
    { found: one("ApiKey", key, entry(undefined, ip)), types: "API_KEY_ACCESS_LIST_ENTRY_ADDED" },
    { found: one("ProjectApiKey", keyInProject), types: `API_KEY_REMOVED_FROM_GROUP ${keyDeleted}` },
    { found: one("ProjectApiKey", keyInProject, roles), types: "API_KEY_ROLES_CHANGED" },
    { found: undeclared("key", publicKey), types: "API_KEY_ADDED_TO_GROUP API_KEY_ROLES_CHANGED" },
    {
      found: undeclared("service account", "mdb_sa_id_1"),
      types: "SERVICE_ACCOUNT_ROLES_CHANGED SERVICE_ACCOUNT_ADDED_TO_GROUP",
    },
    { found: finding({ property: "name" }), types: "GROUP_NAME_CHANGED" },
    { found: finding({ property: "tags" }), types: "GROUP_TAGS_MODIFIED TAGS_MODIFIED" },
  ])("$found.type $found.kind $found.property: $types", ({ found, types }) => {
    const fitting = everyType.filter((type) => fits(found, { publicKey }, { ...aboutThem, type }));
    expect(fitting.sort()).toEqual(types.split(" ").sort());
  });

  it("an event about a person of a team fits only those who differ, and not the one who acted", () => {
    const removed = { type: "REMOVED_FROM_TEAM", teamId, targetUsername: "Ada@example.com" };
    expect(fits(inTeam(ada), {}, removed)).toBe(true);
    expect(fits(inTeam(ada), {}, { ...removed, targetUsername: "carol@example.com" })).toBe(false);
    expect(fits(inTeam(ada), {}, { type: "REMOVED_FROM_TEAM", teamId, username: "ada@example.com" })).toBe(
      false,
    );
  });
});

it("without a target, only who joins is the person who acts", () => {
  const byAda = { username: "ada@example.com" };
  expect(fits(people({ kind: "added" }), {}, { ...byAda, type: "JOINED_GROUP" })).toBe(true);
  expect(fits(people({ kind: "added" }), {}, { ...byAda, type: "USER_ROLES_CHANGED_AUDIT" })).toBe(false);
});

it("an event of a key fits in its project only", () => {
  const event = { targetPublicKey: publicKey, type: "API_KEY_ROLES_CHANGED" };
  const found = one("ProjectApiKey", keyInProject, roles);
  expect(fits(found, { publicKey }, { ...event, projectId })).toBe(true);
  expect(fits(found, { publicKey }, { ...event, projectId: teamId })).toBe(false);
});

it("what no document has an event for is not proven by the lack of one: a deleted invitation, and a key in a project", () => {
  const orgOf = organizationOf([]);
  const inList = { memberDetails: [{ ...invited, declared: true }] };
  for (const invitation of [
    subjectWith(one("ProjectMember", adaInProject), invited),
    subjectWith(people(), inList),
  ])
    expect(invitation).toMatchObject({
      documented: [],
      others: expect.arrayContaining(["REMOVED_FROM_GROUP"]),
    });
  expect(subjectOf(one("ProjectMember", adaInProject), undefined, orgOf)).toMatchObject({
    documented: ["REMOVED_FROM_GROUP"],
  });
  expect(subjectWith(one("ProjectApiKey", keyInProject), { publicKey })).toMatchObject({ documented: [] });
  const key = unowned("keys", "ci", { holder: { name: "ci", id: publicKey } });
  expect(subjectOfUnmanaged(key, orgOf)).toMatchObject({
    documented: [],
    others: expect.arrayContaining(["API_KEY_ROLES_CHANGED"]),
  });
});
