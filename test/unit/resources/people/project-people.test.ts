/** What the lists of the people of a project mean. */
import { Refusal } from "../../../../provider/resources/evidence/refusal";
import {
  decisiveRefusal,
  invitationsRefusal,
  toInvitation,
  toMembers,
} from "../../../../provider/resources/reads/project-people";
import { ApiError } from "../../../../provider/text/errors";
import { invitation, projectId } from "./people";

const roleIn = (groupId: string, roleName: string) => ({ groupId, roleName });

const ada = {
  id: "user-ada",
  username: "ada@example.com",
  roles: [
    roleIn(projectId, "GROUP_READ_ONLY"),
    roleIn("other", "GROUP_OWNER"),
    { orgId: "org", roleName: "ORG_OWNER" },
    { orgId: "org", roleName: "ORG_MEMBER" },
    roleIn(projectId, "GROUP_BACKUP_ADMIN"),
  ],
  teamIds: ["team-1"],
};
const roles = ["GROUP_BACKUP_ADMIN", "GROUP_READ_ONLY"];
const rolesAbove = [{ role: "ORG_OWNER", orgId: "org" }];
const member = { userId: "user-ada", username: "ada@example.com", roles, teamIds: ["team-1"], rolesAbove };

test.each<[string, object, object[]]>([
  [
    "a user is a member with the roles in the project, sorted, and those that own its organization",
    {},
    [member],
  ],
  ["a user with roles only elsewhere is no member", { roles: ada.roles.slice(1, 4) }, []],
  ["a user without roles is no member", { roles: null }, []],
  ["a user without teams is a member", { teamIds: null }, [{ ...member, teamIds: undefined }]],
])("%s", (_, more, expected) => {
  expect(toMembers(projectId, [{ ...ada, ...more }])).toStrictEqual(expected);
});

test("an invitation has each role once, sorted, and the name of the project if there is one", () => {
  const { invitationId: id, groupName = "", ...rest } = invitation("ada");
  const response = { ...rest, id, roles: ["GROUP_READ_ONLY", "GROUP_BACKUP_ADMIN", "GROUP_READ_ONLY"] };
  expect(toInvitation({ ...response, groupName })).toStrictEqual({ ...invitation("ada"), roles });
  expect(toInvitation(response).groupName).toBeUndefined();
});

describe("unread invitations", () => {
  const unreadable = new Refusal(new ApiError("403 Not for you.", { status: 403 }));
  const notOffered = new ApiError("404 Not found.", { status: 404 });
  const contradiction = (proof: string) =>
    `The pending invitations to project ${projectId} could not be read. The response means that the service does not offer invitations, but ${proof}. Run the command again. If it fails again, check the proxies and gateways in front of the service. (404 Not found.)`;

  test.each<[string, Refusal, boolean, Refusal | undefined]>([
    ["is an error if the key may not read it", unreadable, false, unreadable],
    ["is no error if the service does not offer invitations", new Refusal(notOffered), false, undefined],
  ])("a list of invitations that cannot be read %s", (_, invitations, isRecorded, expected) => {
    expect(invitationsRefusal(projectId, { invitations }, isRecorded)).toBe(expected);
    expect(decisiveRefusal(projectId, { members: [], invitations }, isRecorded)).toBe(expected);
  });

  test.each<[string, boolean, boolean, string]>([
    ["the service has listed invitations", true, false, "it has listed invitations before"],
    ["an invitation is recorded", false, true, "an invitation to this project is recorded"],
    ["both", true, true, "it has listed invitations before"],
  ])(
    "a list of invitations that cannot be read contradicts what is known: %s",
    (_, isContradicted, isRecorded, proof) => {
      const invitations = new Refusal(notOffered, isContradicted);
      const refusal = invitationsRefusal(projectId, { invitations }, isRecorded);
      expect(refusal?.error).toMatchObject({
        code: "OPSMANAGER_UNEXPECTED_RESPONSE",
        message: contradiction(proof),
        cause: notOffered,
      });
    },
  );

  test("a list of invitations that cannot be read is no error beside members that cannot be read, which are one", () => {
    const members = new Refusal(notOffered);
    expect(decisiveRefusal(projectId, { members, invitations: unreadable }, true)).toBe(members);
  });
});

test("lists that can be read are no error, also if an invitation is recorded", () => {
  expect(decisiveRefusal(projectId, { members: [], invitations: [] }, true)).toBeUndefined();
});
