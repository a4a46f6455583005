/** A team of an organization: which requests are sent, what messages name, and what is recorded after a failure. */

import { errorsOf, messagesOf, writes } from "../../engine/support/project-program";
import { ada, grace, linus, orgId, seed, teamProgram, teamsOf } from "../../engine/teams/support";
import { succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";
import { refusal } from "../refusal";
import { holdTeam, idOf } from "./team-stacks";

afterEach(tearDownStacks);

const operators = { orgId, name: "operators", usernames: [ada] };
const peopleOfTeam = { method: "GET", pathPattern: "/teams/\\w+/users" };
const teamsOfOrganization = { method: "GET", pathPattern: "/orgs/\\w+/teams(\\?|$)" };
const none = { status: 200, body: { results: [], totalCount: 0 } };
const teamNotFound = refusal(404, "TEAM_NOT_FOUND");
const list = { method: "GET", pathPattern: "/orgs/\\w+/users(\\?|$)" };

describe("a team that the organization neither lists nor shows", () => {
  it.each([
    ["another team", (teamIds: readonly string[]) => teamIds.filter(() => false)],
    ["no team that is shown", () => null],
  ])("was deleted if people of the organization are in %s", async (_, teamIdsOf) => {
    const { sandbox, stack, teamId } = await holdTeam([ada]);
    const results = sandbox.state.users.map(({ id, username, roles }, index) => ({
      ...{ id, username, roles },
      teamIds: index === 0 ? ["5f00000000000000000000af"] : teamIdsOf([teamId]),
    }));
    sandbox.addFault({ ...teamsOfOrganization, fault: none });
    sandbox.addFault({ method: "GET", pathPattern: `/teams/${teamId}(\\?|$)`, fault: teamNotFound });
    sandbox.addFault({ ...list, fault: { status: 200, body: { results, totalCount: results.length } } });
    expect(messagesOf(await succeeded(stack.refresh()))).toBe("");
    expect(await stack.resource("operators")).toBeUndefined();
  });

  it("is hidden if a person of the organization is in it, and the refresh names the role that is needed", async () => {
    const { sandbox, stack, teamId } = await holdTeam([ada]);
    sandbox.addFault({ ...teamsOfOrganization, fault: none });
    sandbox.addFault({ method: "GET", pathPattern: `/teams/${teamId}(\\?|$)`, fault: teamNotFound });
    expect(messagesOf(await succeeded(stack.refresh()))).toBe(
      `[unreadable] [organization ${orgId}] The team "operators" of organization ${orgId} cannot be read with these credentials, so the state keeps the last known values: Team "operators" (${teamId}) is hidden from these credentials: organization ${orgId} does not list it, but people of the organization are in it. These credentials need the role Organization Owner.`,
    );
    expect(await stack.resource("operators")).toBeDefined();
  });

  it("stays if the service does not allow to read it", async () => {
    const { sandbox, stack, teamId } = await holdTeam([ada]);
    sandbox.addFault({ ...teamsOfOrganization, fault: none });
    sandbox.addFault({
      method: "GET",
      pathPattern: `/teams/${teamId}(\\?|$)`,
      fault: refusal(403, "NOT_ALLOWED"),
    });
    expect(messagesOf(await succeeded(stack.refresh()))).toContain("403 NOT_ALLOWED Not now.");
    expect(await stack.resource("operators")).toBeDefined();
  });
});

describe("a team that is adopted by its id", () => {
  const adopt = (more: object) =>
    setUpStack({
      sandbox: { seed: { ...seed, teams: [{ name: "operators", usernames: [ada, linus] }] } },
      program: ({ state }) => teamProgram({ ...operators, teamId: state.teams[0]?.id ?? "", ...more }),
    });

  it("is not renamed and gets no one if that is rejected, and is not recorded", async () => {
    const { sandbox, stack } = await adopt({ name: "admins", usernames: [grace] });
    sandbox.addFault({ method: "PATCH", pathPattern: "/teams/", fault: refusal(400, "NOT_NOW") });
    expect(await errorsOf(stack.up())).toContain("400 NOT_NOW Not now.");
    expect(await stack.resource("operators")).toBeUndefined();
    expect(teamsOf(sandbox)).toEqual({ operators: [ada, linus] });
  });

  it("cannot be read by these credentials, which is an error", async () => {
    const { sandbox, stack } = await adopt({});
    sandbox.addFault({ ...teamsOfOrganization, fault: refusal(403, "NOT_ALLOWED") });
    expect(await errorsOf(stack.preview())).toContain(
      `Listing the teams of organization ${orgId} failed: 403 NOT_ALLOWED Not now.`,
    );
  });
});

it.each(["create", "update"] as const)(
  "people of a team who cannot be read after %s are recorded as they were sent, with the reason",
  async (verb) => {
    const both = teamProgram({ ...operators, usernames: [ada, grace] });
    const { sandbox, stack } =
      verb === "update"
        ? await holdTeam([ada])
        : await setUpStack({ sandbox: { seed }, program: () => both });
    await stack.setProgram(both);
    await stack.before("POST", verb === "update" ? /\/users$/ : /\/teams$/, () =>
      sandbox.addFault({ ...peopleOfTeam, fault: refusal(400, "NOT_NOW") }),
    );
    expect(await errorsOf(stack.up())).toBe(
      `The people of team "operators" could not be read after it was changed. Run pulumi up again: it continues from what exists. (Listing the people of team operators of organization ${orgId} failed: 400 NOT_NOW Not now.)`,
    );
    expect((await stack.resource("operators"))?.outputs?.people).toEqual(
      [ada, grace].map((username) => ({ userId: idOf(sandbox, username), username, declared: true })),
    );
  },
);

describe("the deletion of a team", () => {
  it("that is rejected fails with its own reason if the team cannot be read afterwards", async () => {
    const { sandbox, stack } = await holdTeam([ada]);
    await stack.before("DELETE", /\/teams\//, () => {
      sandbox.addFault({ method: "DELETE", pathPattern: "/teams/", fault: refusal(400, "NOT_NOW") });
      sandbox.addFault({ ...teamsOfOrganization, fault: refusal(400, "UNREADABLE") });
    });
    expect(await errorsOf(stack.destroy())).toContain("400 NOT_NOW Not now.");
    expect(await stack.resource("operators")).toBeDefined();
  });
});

it("an update of a team that cannot be read is an error, and sends nothing", async () => {
  const { sandbox, stack, declare } = await holdTeam([ada]);
  await declare([ada], { name: "admins" });
  sandbox.addFault({ ...teamsOfOrganization, times: 0, fault: refusal(403, "NOT_ALLOWED") });
  expect(await errorsOf(stack.up())).toContain(`Listing the teams of organization ${orgId} failed: 403`);
  expect(writes(sandbox)).toEqual([]);
});
