/**
 * Switches that neither `opsmanager verify` can find out (`../cli/verify.test.ts` proves those) nor a story of the resources
 * sets, and what follows from them. Each story sets the values that it compares, so that none depends on the default.
 */
import type { SandboxOptions } from "../../../sandbox";
import { type SwitchName, switchTable } from "../../../sandbox/switches";
import { outcome } from "./client";
import { type Step, scenes } from "./scene";

const start = scenes();

interface Story {
  readonly set: SandboxOptions;
  readonly steps: readonly Step[];
}

/** A switch, and what the last of some requests is with each of its values. */
interface Either {
  readonly of: SwitchName;
  readonly before?: readonly Step[];
  readonly request: readonly [string, unknown?];
  readonly is: Readonly<Record<string, string | object>>;
}

function compare(switches: readonly Either[]): void {
  const cases = switches.flatMap(({ of, before = [], request: [request, body], is }) =>
    Object.entries(is).map(([value, expected]): Story => {
      const isFlag = switchTable[of].kind === "boolean";
      return {
        set: { [of]: isFlag ? value === "true" : value },
        steps: [...before, body === undefined ? [request, expected] : [request, body, expected]],
      };
    }),
  );
  tell(cases);
}

function tell(stories: readonly Story[]): void {
  test.each(stories.map((story) => [JSON.stringify(story.set), story] as const))("%s", async (_, story) => {
    const { play } = await start(story.set);
    await play(story.steps);
  });
}

const roles = ["GROUP_READ_ONLY"];
const owner = ["GROUP_OWNER"];
const inTeams = "/groups/{project}/teams";
const addTeam = (roleNames: readonly string[] = roles, teamId = "{team}") =>
  [`POST ${inTeams}`, [{ teamId, roleNames }]] as const;
const added: Step = [...addTeam(), "200"];
const annLeavesTeam = "DELETE /orgs/{org}/teams/{team}/users/{ann}";
const ownerLeaves = "DELETE /groups/{project}/users/{owner}";
const newTeam = (name: string): Step => ["POST /orgs/{org}/teams", { name }, "200"];
const lastOwner = "403 CANNOT_DELETE_LAST_OWNER";

describe("teams", () => {
  const other = newTeam("other");
  const patch = [`PATCH ${inTeams}/{team}`, { roleNames: owner }] as const;
  const list = [`GET ${inTeams}`] as const;
  const holds = (...roleNames: string[]) => ({ results: [{ roleNames }] });
  compare([
    {
      of: "emptyTeam",
      request: ["POST /orgs/{org}/teams", { name: "a" }],
      is: { accept: "200", refuse: "400 CANNOT_CREATE_EMPTY_TEAM" },
    },
    {
      of: "lastTeamUser",
      request: [annLeavesTeam],
      is: { keep: "400 CANNOT_REMOVE_LAST_USER_FROM_TEAM", remove: "204" },
    },
    {
      of: "patchTeamRoles",
      before: [added, [...patch, "200"]],
      request: list,
      is: { replace: holds(...owner), add: holds(...roles, ...owner) },
    },
    {
      of: "projectTeam",
      before: [added],
      request: [`GET ${inTeams}/{team}`],
      is: { offered: "200", "not-offered": "404 RESOURCE_NOT_FOUND" },
    },
    // The last owner leaves if the owner of the organization counts.
    { of: "orgOwners", request: [ownerLeaves], is: { true: "200", false: lastOwner } },
  ]);
  tell([
    {
      set: { newTeamUnknownSeconds: 5 },
      steps: [
        newTeam("a"),
        [...addTeam(roles, "{last}"), "404 TEAM_NOT_FOUND"],
        ["wait 5", ""],
        [...addTeam(roles, "{last}"), "200"],
      ],
    },
    {
      set: { maxTeamsPerProject: 1 },
      steps: [added, other, [...addTeam(roles, "{last}"), "400 MAX_TEAMS_PER_GROUP_EXCEEDED"]],
    },
  ]);

  test.each(["TEAM_NOT_FOUND", "TEAM_NOT_IN_ORG"] as const)(
    "a team of another organization is 404 %s",
    async (foreignTeam) => {
      const { sandbox, ids, ask } = await start({ foreignTeam });
      const { id } = sandbox.addTeam({ orgId: ids.foreignOrg ?? "", name: "a" });
      expect(outcome(await ask(...addTeam(roles, id)))).toBe(`404 ${foreignTeam}`);
    },
  );
});

describe("people and projects", () => {
  const invite = (is: string | object): Step => [
    "POST /groups/{project}/invites",
    { username: "more@example.com", roles },
    is,
  ];
  const someOwner = [
    { orgId: "{org}", roleName: "ORG_MEMBER" },
    { groupId: "{project}", roleName: "GROUP_OWNER" },
  ];
  const of = (...names: string[]) => ({ roles: names.map((roleName) => ({ roleName })) });
  compare([
    {
      of: "patchUserRoles",
      request: ["PATCH /users/{member}", { roles: someOwner }],
      is: {
        replace: of("ORG_MEMBER", "GROUP_OWNER"),
        merge: of("ORG_MEMBER", "GROUP_READ_ONLY", "GROUP_OWNER"),
      },
    },
  ]);
  tell([
    {
      set: { bypassNewUsers: true },
      steps: [
        invite("201"),
        ["GET /users/byName/more@example.com", { roles: [{}, { roleName: "GROUP_READ_ONLY" }] }],
      ],
    },
  ]);

  test.each(["CANNOT_CLOSE_GROUP_ACTIVE_BACKUP", "CANNOT_CLOSE_ACCOUNT_ACTIVE_BACKUP"] as const)(
    "a project with backups is not deleted: %s",
    async (activeBackupCode) => {
      const { sandbox, ids, play } = await start({ activeBackupCode });
      sandbox.changeProject(ids.project ?? "", { hasBackups: true });
      await play([["DELETE /groups/{project}", `409 ${activeBackupCode}`]]);
    },
  );
});

test("requests over the limit per minute are 429 with the chosen Retry-After", async () => {
  const { sandbox, ask } = await start({ requestsPerMinute: 1 });
  const limited = async () => {
    const response = await ask("GET /orgs");
    return [outcome(response), response.headers.get("retry-after")];
  };
  expect(await limited()).toEqual(["200", null]);
  expect(await limited()).toEqual(["429 RATE_LIMITED", expect.stringMatching(/^\d+$/)]);
  sandbox.setSwitches({ retryAfter: "date" });
  expect(await limited()).toEqual(["429 RATE_LIMITED", expect.stringMatching(/ GMT$/)]);
  sandbox.setSwitches({ retryAfter: "none" });
  expect(await limited()).toEqual(["429 RATE_LIMITED", null]);
  sandbox.advanceClock(60);
  expect(await limited()).toEqual(["200", null]);
});

test("people from LDAP groups replace those of a project with mappings within an hour, the last owner included, and nobody is invited", async () => {
  const { sandbox, ids, ask, play } = await start({ ldapPeople: true });
  const people = async () =>
    (await ask("GET /groups/{project}/users")).json.results.map(
      ({ username }: { username: string }) => username,
    );
  sandbox.changeProject(ids.project ?? "", {
    ldapGroupMappings: [
      { roleName: "GROUP_OWNER", ldapGroups: ["cn=owners"] },
      { roleName: "GROUP_READ_ONLY", ldapGroups: ["cn=readers", "cn=owners"] },
    ],
  });
  sandbox.changeUser(ids.ann ?? "", { ldapGroups: ["cn=owners"] });
  sandbox.changeUser(ids.bob ?? "", { ldapGroups: ["cn=readers"] });
  sandbox.setMember(ids.other ?? "", { username: "manual@example.com" }, owner);
  expect(await people()).toEqual(["owner@example.com", "member@example.com"]);
  sandbox.advanceClock(3600);
  expect(await people()).toEqual(["ann@example.com", "bob@example.com"]);
  const refused = "403 INVITATION_ONLY_MODE_OR_LDAP";
  await play([
    ["GET /groups/{other}/users", { totalCount: 1 }],
    ["POST /groups/{other}/invites", { username: "more@example.com", roles }, refused],
    ["POST /groups/{other}/users", [{ id: "{bob}", roles: [{ roleName: "GROUP_READ_ONLY" }] }], refused],
  ]);
});
