/** The people of an organization: who is listed, who owns it, and who stays the only owner. */
import type { Call } from "../../../../provider/api/client";
import { Refusal } from "../../../../provider/resources/evidence/refusal";
import {
  isOnlyOwner,
  isOwner,
  OrganizationPeopleCache,
  unknownInvitations,
} from "../../../../provider/resources/reads/organization-people";
import { ApiError } from "../../../../provider/text/errors";
import { newSession } from "../checker";
import { active, invitation, member, pending } from "../people/people";

const orgId = "5f00000000000000000000b1";
const never = new AbortController().signal;
const unreadable = new ApiError("403", { status: 403 });
const notOffered = new ApiError("404", { status: 404 });

/** Reads an organization with these users and invitations; an error is thrown. */
function peopleOf(users: object[] | Error, invitations: object[] | Error) {
  const respond = (response: object[] | Error) => {
    if (response instanceof Error) throw response;
    return response;
  };
  const client = {
    now: () => Date.parse("2026-01-15T00:00:00Z"),
    list: async ({ shape }: Call<unknown>) => respond(users).map((user) => shape.parse(user)),
    call: async ({ shape }: Call<unknown>) => shape.parse(respond(invitations)),
  };
  return newSession({}, client).of(OrganizationPeopleCache).read(orgId, "reading", never);
}

const roles = [
  { orgId, roleName: "ORG_READ_ONLY" },
  { orgId: "other", roleName: "ORG_OWNER" },
  { groupId: "project", roleName: "GROUP_OWNER" },
];
const ada = { id: "user-ada", username: "ada@example.com", roles, teamIds: ["team"] };
const bob = { id: "user-bob", username: "bob@example.com", roles: [], teamIds: null };

test("an organization has its members with their roles in it, and invitations that have not expired", async () => {
  const { groupName: _, ...ofOrganization } = invitation("eve");
  const pendingEve = { ...ofOrganization, id: "invite-eve" };
  const expired = { ...pendingEve, id: "expired", expiresAt: "2026-01-13T00:00:00Z" };
  expect(await peopleOf([ada, bob], [expired, pendingEve])).toEqual({
    members: [
      {
        userId: "user-ada",
        username: "ada@example.com",
        roles: ["ORG_READ_ONLY"],
        teamIds: ["team"],
        inProjects: [{ projectId: "project", roles: ["GROUP_OWNER"] }],
        rolesAbove: [{ role: "ORG_OWNER", orgId: "other" }],
      },
      { userId: "user-bob", username: "bob@example.com", roles: [], teamIds: undefined, inProjects: [] },
    ],
    invitations: [{ ...ofOrganization, groupName: undefined }],
  });
});

test("a list of people without their roles is an error", async () => {
  await expect(peopleOf([ada, { ...bob, roles: null }], [])).rejects.toThrow(
    "The service lists the people of an organization without their roles (bob@example.com), so it is not known who owns it.",
  );
});

test.each<[string, Error | undefined, boolean, boolean]>([
  ["known where the list can be read", undefined, true, true],
  ["known where the service offers none and none is recorded", notOffered, false, true],
  ["not known where the service offers none and one is recorded", notOffered, true, false],
  ["not known where the key may not read them", unreadable, false, false],
])("invitations to an organization are %s", (_, error, isRecorded, isKnown) => {
  const invitations = error ? new Refusal(error) : [];
  const expected = isKnown ? undefined : invitations;
  expect(unknownInvitations({ members: [], invitations }, isRecorded)).toBe(expected);
});

test("an owner of an organization is a member with that role, not an invited person", () => {
  const people = [active("ada", "ORG_OWNER"), active("ada", "ORG_READ_ONLY"), pending("ada", "ORG_OWNER")];
  expect(people.map(isOwner)).toEqual([true, false, false]);
});

test("the only owner is the member who owns the organization alone", () => {
  const owner = active("ada", "ORG_OWNER");
  const [one, two] = [member("ada", "ORG_OWNER"), member("bob", "ORG_OWNER")];
  const among = (...members: (typeof one)[]) => ({
    members: members.map((account) => ({ ...account, inProjects: [] })),
    invitations: [],
  });
  expect(isOnlyOwner(owner, among(one, member("bob", "ORG_READ_ONLY")))).toBe(true);
  expect(isOnlyOwner(owner, among(one, two))).toBe(false);
  expect(isOnlyOwner(owner, among(two))).toBe(false);
  expect(isOnlyOwner(pending("ada", "ORG_OWNER"), among(one))).toBe(false);
  expect(isOnlyOwner(owner, { members: new Refusal(unreadable), invitations: [] })).toBe(false);
});
