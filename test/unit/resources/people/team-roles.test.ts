/** Roles that a service shows for a person because a team of the person has them. */
import type { ProjectContext } from "../../../../provider/resources/contract/resource";
import type { MemberPlace } from "../../../../provider/resources/members/port";
import { withoutRecordedTeamRoles } from "../../../../provider/resources/members/record";
import { rolesBeside, withoutTeamRoles } from "../../../../provider/resources/people/team-roles";
import { ApiError } from "../../../../provider/text/errors";
import { newSession, urnOf } from "../checker";
import { active, pending, projectId } from "./people";

const unreadable = new ApiError("403", { status: 403 });
const teams = [
  { teamId: "team-1", roleNames: ["A", "B"] },
  { teamId: "team-2", roleNames: ["C"] },
];

function project(response: typeof teams | Error = teams) {
  let reads = 0;
  const list = async () => {
    reads += 1;
    if (response instanceof Error) throw response;
    return response;
  };
  const log = { info: () => {}, warn: () => {} };
  const context: ProjectContext = {
    session: newSession({}, { list }),
    ...{ urn: urnOf("ProjectMember", "ada"), log, signal: new AbortController().signal, projectId },
  };
  return { context, reads: () => reads };
}

const ada = { ...active("ada", "A", "B", "C", "D"), teamIds: ["team-1"] };

test.each<[string, string[], string[], string[]]>([
  ["are those that were not sent", ["A", "C"], ["A", "B", "C"], ["B"]],
  ["are none if one that was sent is not shown", ["A", "D"], ["A", "B", "C"], []],
  ["are none if all were sent", ["A"], ["A"], []],
])("roles that are shown beside the accepted ones %s", (_, accepted, shown, expected) => {
  expect(rolesBeside(accepted, active("ada", ...shown))).toEqual(expected);
});

test.each<[string, typeof ada, string[], object, number]>([
  [
    "are those of the person's teams, as far as they are suspected",
    ada,
    ["A", "C"],
    { roles: ["B", "C", "D"], teamRoles: ["A"] },
    1,
  ],
  [
    "are those of all teams of the person",
    { ...ada, teamIds: ["team-1", "team-2"] },
    ["A", "B", "C"],
    { roles: ["D"], teamRoles: ["A", "B", "C"] },
    1,
  ],
  ["are none if no suspected role is shown", ada, ["E"], {}, 0],
  ["are none if no suspected role is one of a team", ada, ["D"], {}, 1],
  ["are none of a person without teams", { ...ada, teamIds: [] }, ["A"], {}, 0],
  ["are none if the person would have no other role", { ...ada, roles: ["A", "B"] }, ["A", "B"], {}, 1],
])("roles of teams %s", async (_, membership, suspected, expected, reads) => {
  const payments = project();
  expect(await withoutTeamRoles(membership, suspected, payments.context)).toEqual({
    ...membership,
    ...expected,
  });
  expect(payments.reads()).toBe(reads);
});

test("roles of teams are not removed where the teams cannot be read, and never from an invitation", async () => {
  expect(await withoutTeamRoles(ada, ["A"], project(unreadable).context)).toBe(ada);
  const invited = { ...pending("ada", "A", "B"), teamIds: ["team-1"] };
  expect(await withoutTeamRoles(invited, ["A"], project().context)).toBe(invited);
});

test("recorded roles of teams count for the recorded account alone", async () => {
  const { context } = project();
  const place: Pick<MemberPlace, "ownRoles"> = {
    ownRoles: (membership, suspected) => withoutTeamRoles(membership, suspected, context),
  };
  const recorded = { userId: "user-ada", teamRoles: ["A"] };
  expect(await withoutRecordedTeamRoles(ada, recorded, place)).toMatchObject({ teamRoles: ["A"] });
  expect(await withoutRecordedTeamRoles(ada, { ...recorded, userId: "user-eve" }, place)).toBe(ada);
  expect(await withoutRecordedTeamRoles(ada, { userId: "user-ada" }, place)).toBe(ada);
});
