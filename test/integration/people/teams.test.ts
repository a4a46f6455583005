/** Teams of an organization and in projects: who is removed, what is sent, and what is recorded if a response is missing. */

import type { Call } from "../../../provider/api/client";
import { messageOf } from "../../../provider/errors";
import type { Properties } from "../../../provider/resources/values";
import { shortWaits } from "../short-waits";
import { owner, partialFailureOf, peopleScenarios, type Recorded, reader } from "./run";

const scenario = peopleScenarios();
const ada = "ada@example.com";
const ben = "ben@example.com";
const eve = "eve@example.com";

type Scenario = Awaited<ReturnType<typeof scenario>>;

/** A scenario with the accounts of three people and the team `operators` of the first. */
async function withTeam(...options: Parameters<typeof scenario>) {
  const found = await scenario(...options);
  const { sandbox, user } = found;
  const ids = [ada, ben, eve].map(user);
  const { id: teamId } = sandbox.addTeam({ name: "operators", userIds: ids.slice(0, 1) });
  const people = () =>
    sandbox.state.teams
      .flatMap(({ userIds }) => userIds)
      .map((id) => sandbox.user({ id })?.username ?? id)
      .sort();
  const inProject = () =>
    (sandbox.project(found.projectId)?.teams ?? []).map(({ roleNames }) => [...roleNames].sort().join());
  return { ...found, teamId, ids, people, inProject };
}

async function refusalOf(step: Promise<unknown>): Promise<string> {
  return step.then(
    () => {
      throw new Error("It was not refused.");
    },
    (error: unknown) => messageOf(error),
  );
}

describe("Team", () => {
  const declared = (
    { sandbox, teamId }: Scenario & { readonly teamId?: string },
    usernames: readonly string[],
    more: Properties = {},
  ) => ({
    ...(teamId !== undefined && { teamId }),
    orgId: sandbox.orgId,
    name: "operators",
    usernames,
    ...more,
  });

  it("removes people who were declared and left the program, and no one at adoption", async () => {
    const found = await withTeam();
    const made = await found.run().create("Team", declared(found, [ada, ben]));
    expect(found.people()).toEqual([ada, ben]);
    found.sandbox.changeTeam(found.teamId, { userIds: found.ids });
    const read = (await found.run().read(made)) ?? made;
    expect(read.state.usernames).toEqual([ada, ben]);
    expect(read.state.people).toHaveLength(3);
    const up = found.run();
    const inputs = declared(found, [ada]);
    expect(up.diff(read, inputs)).toEqual(["delete usernames,1"]);
    await up.update(read, inputs);
    expect(found.people()).toEqual([ada, eve]);
    expect(up.messages).toEqual([
      `[undeclared] [organization ${found.sandbox.orgId}] People of team "operators" who are not listed stay in it: ${eve}. To manage them, list them in usernames. To remove them, set removeUnlisted to true.`,
    ]);
  });

  it("is refused before a write if two resources of one team give it two names", async () => {
    const found = await withTeam();
    const made = await found.run().create("Team", declared(found, [ada]), "first");
    const inputs = { orgId: found.sandbox.orgId, usernames: [ada] };
    const up = found.run();
    expect(up.diff(made, { ...inputs, name: "readers" })).toEqual(["update name"]);
    expect(() => up.diff({ ...made, name: "second" }, { ...inputs, name: "operators" })).toThrow(
      'Team "operators" is declared by urn:pulumi:dev::proj::opsmanager:index:Team::first already',
    );
  });

  it.each([
    ["was refused", { method: "DELETE", pathPattern: "/users/", fault: { status: 403 } }],
    [
      "waited for an addition that failed",
      { method: "POST", pathPattern: "/users$", fault: { status: 400 } },
    ],
  ])("removes a person in the next run if the removal %s", async (_, fault) => {
    const found = await withTeam();
    const made = await found.run().create("Team", declared(found, [ada, ben]));
    found.sandbox.addFault(fault);
    const inputs = declared(found, [ada, eve]);
    const failure = await partialFailureOf(found.run().update(made, inputs));
    const read = await found.run().read({ ...made, state: failure.state as never, oldInputs: inputs });
    if (read === undefined) throw new Error("The team was not found.");
    const up = found.run();
    expect(up.diff(read, inputs)).not.toEqual([]);
    await up.update(read, inputs);
    expect(found.people()).toEqual([ada, eve]);
  });

  it.each(["create", "update"] as const)(
    "removes a person whom %s added but could not read afterwards, and who leaves the program then",
    async (verb) => {
      const found = await withTeam();
      const { sandbox } = found;
      const people = { method: "GET", pathPattern: "/teams/.*/users" };
      const inputs = declared(found, [ada, ben], verb === "create" ? { teamId: null } : {});
      const made = verb === "update" ? await found.run().create("Team", declared(found, [ada])) : undefined;
      if (made === undefined) sandbox.removeTeam(found.teamId);
      else sandbox.addFault({ ...people, fault: "close-after-answer" });
      sandbox.addFault({ ...people, fault: { status: 403 } });
      const failure = await partialFailureOf(
        made ? found.run().update(made, inputs) : found.run().create("Team", inputs),
      );
      expect(found.people()).toEqual([ada, ben]);
      const { id, state } = failure;
      const recorded = {
        type: "Team",
        name: "people",
        id,
        state: state as never,
        oldInputs: inputs,
      } as const;
      const read = (await found.run().read(recorded)) ?? recorded;
      await found.run().update(read, { ...inputs, usernames: [ada] });
      expect(found.people()).toEqual([ada]);
    },
  );

  it("with removeUnlisted retains an account that has the name of a declared one now, and warns", async () => {
    const found = await withTeam();
    const { sandbox, teamId } = found;
    const inputs = declared(found, [ada], { removeUnlisted: true });
    const made = await found.run().create("Team", inputs);
    const [idOfAda = ""] = found.ids;
    sandbox.changeUser(idOfAda, { username: "ada.l@example.com" });
    sandbox.changeTeam(teamId, { userIds: [idOfAda, found.user(ada)] });
    const read = (await found.run().read(made)) ?? made;
    expect(read.state.usernames).toEqual([ada]);
    const up = found.run();
    expect(up.diff(read, inputs)).toEqual([]);
    // Another change, such as a name, updates the team.
    await up.update(read, { ...inputs, name: "admins" });
    expect(found.people()).toEqual(["ada.l@example.com", ada]);
    expect(up.messages).toEqual([
      expect.stringContaining(
        `warning: ${ada} in team "operators" is the name of two accounts: the recorded one is ada.l@example.com now.`,
      ),
    ]);
  });

  it("keeps the declared spelling of a name in a refresh", async () => {
    const found = await withTeam();
    const made = await found.run().create("Team", declared(found, ["Ada@Example.com"]));
    const read = await found.run().read(made);
    expect(read?.oldInputs).toEqual(made.oldInputs);
    expect(read?.state.usernames).toEqual(["Ada@Example.com"]);
    expect(read?.state.people).toMatchObject([{ username: ada }]);
  });

  it("with ignored usernames removes and adds no one, also if the record is older than the team", async () => {
    const found = await withTeam();
    const inputs = declared(found, [ada, ben], { removeUnlisted: true });
    const made = await found.run().create("Team", inputs);
    const [idOfAda = "", , idOfEve = ""] = found.ids;
    found.sandbox.changeTeam(found.teamId, { userIds: [idOfAda, idOfEve] });
    const renamed = { ...inputs, name: "admins" };
    await found.run().update(made, renamed, { ignoreChanges: ["usernames"] });
    expect(found.people()).toEqual([ada, eve]);
    expect(found.sandbox.state.teams).toMatchObject([{ name: "admins" }]);
  });

  it("that another resource adopted by its id is not renamed", async () => {
    const found = await withTeam();
    const made = await found.run().create("Team", declared(found, [ada]), "renamed");
    const up = found.run();
    await up.create("Team", declared(found, [ben]), "fresh");
    const inputs = declared(found, [ada], { name: "admins" });
    up.check("Team", inputs, "renamed");
    expect(await refusalOf(up.update(made, inputs))).toContain("::fresh already");
    expect(found.sandbox.state.teams).toMatchObject([{ name: "operators" }]);
  });

  it("adds before it removes, and removes no one if a person cannot be added", async () => {
    const found = await withTeam();
    const made = await found.run().create("Team", declared(found, [ada]));
    found.sandbox.clearRequests();
    await found.run().update(made, declared(found, [ben]));
    expect(found.writes()).toEqual([
      "POST /orgs/{id}/teams/{id}/users",
      "DELETE /orgs/{id}/teams/{id}/users/{id}",
    ]);

    // This account has not accepted an invitation to the organization, and the key cannot list those that have.
    found.sandbox.addUser({ username: "new@example.com" });
    found.sandbox.addFault({ method: "GET", pathPattern: "/orgs/[^/]+/users", fault: { status: 403 } });
    const recorded = (await found.run().read(made)) ?? made;
    const failure = await partialFailureOf(
      found
        .run()
        .update({ ...recorded, oldInputs: declared(found, [ben]) }, declared(found, ["new@example.com"])),
    );
    expect(failure.message).toContain("CANNOT_ADD_PENDING_USER");
    expect(failure.message).toContain("No team can have it before.");
    expect(found.people()).toEqual([ben]);
  });

  it.each(["the response to it is lost", "another program adds the person first"])(
    "counts an addition as done if %s, and then removes who left the program",
    async (situation) => {
      const found = await withTeam();
      const { sandbox, teamId, ids } = found;
      const made = await found.run().create("Team", declared(found, [ada]));
      if (situation.includes("lost")) {
        sandbox.addFault({ method: "POST", pathPattern: "/users$", fault: "reset-after-write" });
      } else {
        const results = sandbox.state.users.filter(({ username }) => username === ada);
        sandbox.addFault({
          method: "GET",
          pathPattern: "/teams/.*/users",
          fault: { status: 200, body: { results, totalCount: 1 } },
        });
        sandbox.changeTeam(teamId, { userIds: ids.slice(0, 2) });
      }
      const updated = await found.run().update(made, declared(found, [ben]));
      expect(found.people()).toEqual([ben]);
      expect(updated.state.people).toMatchObject([{ userId: ids[1], declared: true }]);
    },
  );

  it("refuses an update that would remove more people than maxRemovals, or than the run may remove, before anything is written", async () => {
    const found = await withTeam({}, { maxRemovalsPerRun: 1 });
    const made = await found.run().create("Team", declared(found, [ada, ben, eve]));
    found.sandbox.clearRequests();
    expect(await refusalOf(found.run().update(made, declared(found, [eve], { maxRemovals: 1 })))).toContain(
      `${ada}, ${ben} would be removed from team "operators", more than maxRemovals (1), so nothing was changed.`,
    );
    expect(await refusalOf(found.run().update(made, declared(found, [eve])))).toContain(
      "maxRemovalsPerRun (1)",
    );
    expect(found.writes()).toEqual([]);
  });

  it("follows a renamed account, by its old and its new name, and takes no other account of the old name", async () => {
    const found = await withTeam();
    const made = await found.run().create("Team", declared(found, [ada]));
    const [adaId = ""] = found.ids;
    found.sandbox.changeUser(adaId, { username: "ada.l@example.com" });
    found.user(ada);
    found.sandbox.clearRequests();
    const read = (await found.run().read(made)) ?? made;
    expect(read.state.usernames).toEqual([ada]);
    expect(found.run().diff(read)).toEqual([]);
    const renamed = await found.run().update(read, declared(found, ["ada.l@example.com"]));
    expect(renamed.state.usernames).toEqual(["ada.l@example.com"]);
    expect(found.writes()).toEqual([]);
    expect(await refusalOf(found.run().update(read, declared(found, [ada, "ada.l@example.com"])))).toContain(
      "names one person twice",
    );
  });

  it("is adopted, never created twice, if the response to its creation is lost", async () => {
    const found = await scenario();
    found.user(ada);
    found.sandbox.addFault({ method: "POST", pathPattern: "/teams$", fault: "reset-after-write" });
    const made = await found.run().create("Team", declared(found, [ada]));
    expect(made.state).toMatchObject({ origin: "adopted", usernames: [ada] });
    expect(found.sandbox.state.teams).toHaveLength(1);
  });

  it("gets its people one by one if the service ignores them at the creation", async () => {
    const found = await scenario({ usernamesOfNewTeam: "ignore" });
    [ada, ben].forEach(found.user);
    const made = await found.run().create("Team", declared(found, [ada, ben]));
    expect(made.state).toMatchObject({ origin: "created", usernames: [ada, ben] });
    expect(found.writes()).toEqual([
      "POST /orgs/{id}/teams",
      "POST /orgs/{id}/teams/{id}/users",
      "POST /orgs/{id}/teams/{id}/users",
    ]);
  });

  /** Replaces the recorded team by one with these inputs, as the engine does after Diff; the old one is deleted last. */
  const replaced = async (found: Scenario, made: Recorded, inputs: Properties) => {
    const up = found.run();
    up.diff(made, inputs);
    const next = await up.create("Team", inputs);
    await up.delete(made);
    return { next, messages: up.messages };
  };

  it("keeps a renamed account, and takes no other account of its old name, if the resource is replaced", async () => {
    const found = await withTeam();
    const inputs = declared(found, [ada], { removeUnlisted: true });
    const made = await found.run().create("Team", inputs);
    const [adaId = ""] = found.ids;
    found.sandbox.changeUser(adaId, { username: "ada.l@example.com" });
    found.user(ada);
    const { next } = await replaced(found, made, inputs);
    expect(found.people()).toEqual(["ada.l@example.com"]);
    const read = (await found.run().read(next)) ?? next;
    expect(found.run().diff(read)).toEqual([]);
  });

  it("that is replaced removes who was declared and left the program, within maxRemovals", async () => {
    const found = await scenario();
    [ada, ben].forEach(found.user);
    const peopleOfTeam = () => found.sandbox.state.teams.map(({ userIds }) => userIds.length);
    const made = await found.run().create("Team", declared(found, [ada, ben]));
    expect(await refusalOf(replaced(found, made, declared(found, [ada], { maxRemovals: 0 })))).toContain(
      "more than maxRemovals (0), so nothing was changed",
    );
    expect(peopleOfTeam()).toEqual([2]);
    const { next, messages } = await replaced(found, made, declared(found, [ada]));
    expect(peopleOfTeam()).toEqual([1]);
    expect(next.state).toMatchObject({ teamId: made.state.teamId, origin: "created", usernames: [ada] });
    expect(messages).toEqual([expect.stringContaining("is retained: declared by")]);
  });

  it("that is replaced under a new name leaves no team of the old one", async () => {
    const found = await scenario();
    found.user(ada);
    const made = await found.run().create("Team", declared(found, [ada]));
    const { messages } = await replaced(found, made, { ...declared(found, [ada]), name: "admins" });
    expect(found.sandbox.state.teams.map(({ name }) => name)).toEqual(["admins"]);
    expect(messages).toEqual([]);
  });

  it("declares a person whom the program lists since this person was added outside Pulumi", async () => {
    const found = await withTeam();
    const inputs = declared(found, [ada], { removeUnlisted: true });
    const made = await found.run().create("Team", inputs);
    const [adaId = "", , eveId = ""] = found.ids;
    found.sandbox.changeTeam(found.teamId, { userIds: [adaId, eveId] });
    const read = (await found.run().read(made)) ?? made;
    expect(found.run().diff(read, inputs)).toEqual(["delete usernames,1"]);
    const accepted = { ...inputs, usernames: [ada, eve] };
    expect(found.run().diff(read, accepted)).toEqual(["update usernames"]);
    found.sandbox.clearRequests();
    const updated = await found.run().update(read, accepted);
    expect(found.writes()).toEqual([]);
    expect(found.run().diff(updated, accepted)).toEqual([]);
    found.sandbox.changeUser(eveId, { username: "eve.l@example.com" });
    const renamed = (await found.run().read(updated)) ?? updated;
    expect(found.run().diff(renamed, accepted)).toEqual([]);
  });

  it.each([
    ["without their teams", {}],
    ["with null in place of their teams", { teamIds: null }],
  ])("is not taken for deleted if the people of the organization are listed %s", async (_, teams) => {
    const found = await withTeam();
    const made = await found.run().create("Team", declared(found, [ada], { onDestroy: "delete" }));
    const { sandbox, teamId } = found;
    const results = sandbox.state.users.map(({ id, username, roles }) => ({ id, username, roles, ...teams }));
    const notFound = { status: 404, body: { error: 404, errorCode: "TEAM_NOT_FOUND", detail: "No." } };
    const hide = () => {
      const listed = { results: [], totalCount: 0 };
      sandbox.addFault({
        method: "GET",
        pathPattern: "/orgs/[^/]+/teams(\\?|$)",
        fault: { status: 200, body: listed },
      });
      sandbox.addFault({ method: "GET", pathPattern: `/teams/${teamId}(\\?|$)`, fault: notFound });
      const body = { results, totalCount: results.length };
      sandbox.addFault({
        method: "GET",
        pathPattern: "/orgs/[^/]+/users(\\?|$)",
        fault: { status: 200, body },
      });
    };
    hide();
    const refresh = found.run();
    expect(await refresh.read(made)).toMatchObject({ state: made.state });
    expect(refresh.messages).toEqual([expect.stringContaining("without their teams (teamIds)")]);
    hide();
    expect(await refusalOf(found.run().delete(made))).toContain("so the state retains it");
    expect(sandbox.state.teams).toHaveLength(1);
  });

  it("is not deleted while a project outside the program has it, also if the service would delete it", async () => {
    shortWaits();
    const found = await scenario({ usedTeam: "vanish" });
    found.user(ada);
    const made = await found.run().create("Team", declared(found, [ada]));
    const teamId = String(made.state.teamId);
    found.sandbox.setProjectTeam(found.projectId, { teamId, roleNames: reader });
    expect(await refusalOf(found.run().delete(made))).toContain(`(Project ${found.projectId} has it.)`);
    found.sandbox.setProjectTeam(found.projectId, { teamId, roleNames: [] });
    found.sandbox.addFault({
      method: "GET",
      pathPattern: "/groups/.*/teams(\\?|$)",
      times: 0,
      fault: { status: 403, body: { error: 403, errorCode: "USER_UNAUTHORIZED" } },
    });
    expect(await refusalOf(found.run().delete(made))).toContain(
      `(The teams of project ${found.projectId} could not be read.`,
    );
    expect(found.sandbox.state.teams).toHaveLength(1);
    found.sandbox.clearFaults();
    await found.run().delete(made);
    expect(found.sandbox.state.teams).toEqual([]);
  });

  it("is not deleted while a project has it that was created after this run listed the projects", async () => {
    shortWaits();
    const found = await scenario({ usedTeam: "vanish" });
    found.user(ada);
    const { sandbox } = found;
    const made = await found.run().create("Team", declared(found, [ada]));
    const up = found.run();
    await up.session.projectCache.idsIn(sandbox.orgId, new AbortController().signal);
    const { id: fresh } = sandbox.addProject({ name: "fresh" });
    sandbox.setProjectTeam(fresh, { teamId: String(made.state.teamId), roleNames: reader });
    expect(await refusalOf(up.delete(made))).toContain(`(Project ${fresh} has it.)`);
    expect(sandbox.state.teams).toHaveLength(1);
  });

  it("is not deleted while a project has it, and the error names the solutions", async () => {
    const waits = shortWaits();
    const found = await scenario();
    found.user(ada);
    const made = await found.run().create("Team", declared(found, [ada]));
    const teamId = String(made.state.teamId);
    found.sandbox.setProjectTeam(found.projectId, { teamId, roleNames: reader });
    expect(await refusalOf(found.run().delete(made))).toContain(
      "a project still has it, or may have it. Remove it from its projects first",
    );
    expect(waits).toEqual([500, 1000, 2000]);
    expect(found.sandbox.state.teams).toHaveLength(1);
    found.sandbox.setProjectTeam(found.projectId, { teamId, roleNames: [] });
    await found.run().delete(made);
    await found.run().delete(made);
    expect(found.sandbox.state.teams).toEqual([]);
  });

  it("is deleted although a project still has it at first, whose deletion has not begun", async () => {
    const found = await scenario();
    found.user(ada);
    const made = await found.run().create("Team", declared(found, [ada]));
    found.sandbox.addFault({
      method: "DELETE",
      pathPattern: "/teams/",
      fault: {
        status: 404,
        body: { error: 404, errorCode: "CANNOT_DELETE_TEAM_ASSIGNED_TO_PROJECT", detail: "No." },
      },
      times: 1,
    });
    await found.run().delete(made);
    expect(found.sandbox.state.teams).toEqual([]);
  });

  it("keeps its record and warns with a code if the key cannot read it, and is deleted only if it was", async () => {
    const found = await withTeam();
    const made = await found.run().create("Team", declared(found, [ada]));
    found.sandbox.addFault({ method: "GET", pathPattern: "/teams($|\\?)", fault: { status: 403 } });
    const up = found.run();
    expect(await up.read(made)).toMatchObject({ state: made.state });
    expect(up.messages).toEqual([
      expect.stringContaining(`[unreadable] [organization ${found.sandbox.orgId}]`),
    ]);
    found.sandbox.clearFaults();
    found.sandbox.removeTeam(found.teamId);
    expect(await found.run().read(made)).toBeUndefined();
  });

  it("is not taken for deleted by a key that sees only the teams of its own projects", async () => {
    const found = await withTeam();
    const { sandbox, projectId } = found;
    const made = await found.run().create("Team", declared(found, [ada], { onDestroy: "delete" }));
    const asReader = () =>
      sandbox.changeKey(sandbox.publicKey, { roles: [{ groupId: projectId, roleName: "GROUP_READ_ONLY" }] });
    asReader();
    const refresh = found.run();
    expect(await refresh.read(made)).toMatchObject({ state: made.state });
    expect(refresh.messages).toEqual([
      expect.stringContaining(`[unreadable] [organization ${sandbox.orgId}]`),
    ]);
    expect(await refusalOf(found.run().delete(made))).toContain(
      `Team "operators" (${found.teamId}) is hidden from this API key`,
    );
    sandbox.removeTeam(found.teamId);
    expect(await found.run().read(made)).toBeUndefined();
  });

  it("is not deleted if the run would remove more people than it may", async () => {
    const found = await withTeam({}, { maxRemovalsPerRun: 1 });
    const inputs = declared(found, [ada, ben], { onDestroy: "delete" });
    const made = await found.run().create("Team", inputs);
    expect(await refusalOf(found.run().delete(made))).toContain(
      `Team "operators" (${found.teamId}) was not deleted, because its people would leave it (${ada}, ${ben}): this run would remove 2 people`,
    );
    expect(found.people()).toEqual([ada, ben]);
    const one = await found.run().update(made, { ...inputs, usernames: [ada] });
    await found.run().delete(one);
    expect(found.sandbox.state.teams).toEqual([]);
  });

  it("refuses people who have an account and are not in the organization, with all their names, and writes nothing", async () => {
    const found = await withTeam();
    const [outsider, pending] = ["outsider@example.com", "pending@example.com"];
    for (const username of [outsider, pending]) found.sandbox.addUser({ username });
    const made = await found.run().create("Team", declared(found, [ada]));
    expect(
      await refusalOf(found.run().update(made, declared(found, [ada, ben, outsider, pending]))),
    ).toContain(`Organization ${found.sandbox.orgId} has no account with the name ${outsider}, ${pending}`);
    expect(found.people()).toEqual([ada]);
    // Who joins the organization during the run is found.
    const up = found.run();
    const inputs = declared(found, [ada, outsider]);
    await refusalOf(up.update(made, inputs));
    found.sandbox.addUser({
      username: "late@example.com",
      roles: [{ orgId: found.sandbox.orgId, roleName: "ORG_MEMBER" }],
    });
    await up.update(made, declared(found, [ada, "late@example.com"]));
    expect(found.people()).toEqual([ada, "late@example.com"]);
  });

  it("names the solution if a person is the only owner of a project through the team", async () => {
    const found = await withTeam({ teamOwners: true });
    const { sandbox, projectId } = found;
    const made = await found.run().create("Team", declared(found, [ada, ben]));
    sandbox.addFault({
      method: "DELETE",
      pathPattern: "/teams/",
      fault: { status: 403, body: { error: 403, errorCode: "CANNOT_DELETE_LAST_OWNER" } },
    });
    const failure = await partialFailureOf(found.run().update(made, declared(found, [ada])));
    expect(failure.message).toContain(
      `${ben} stays in team "operators": without this person, a project would have no owner. Give GROUP_OWNER in that project to another person first.`,
    );
    expect(sandbox.project(projectId)?.teams).toEqual([]);
  });

  it("is imported by an id before a team that has the id as its name", async () => {
    const found = await withTeam();
    const { sandbox } = found;
    sandbox.addTeam({ name: found.teamId });
    const imported = await found.run().importOf("Team", `${sandbox.orgId}/${found.teamId}`);
    expect(imported.oldInputs).toMatchObject({ name: "operators" });
  });

  it("is imported by its id and by its name, with all of its people", async () => {
    const found = await withTeam();
    const { orgId } = found.sandbox;
    for (const id of [`${orgId}/operators`, `${orgId}/${found.teamId}`]) {
      const imported = await found.run().importOf("Team", id);
      expect(imported).toMatchObject({
        id: `${orgId}/${found.teamId}`,
        oldInputs: { orgId, usernames: [ada] },
      });
      expect(found.run().diff(imported)).toEqual([]);
    }
  });

  it("that is new is refused by the list of now, also if an earlier list lacks the team of its name", async () => {
    const found = await withTeam();
    const { sandbox, teamId } = found;
    const inputs = declared(found, [ben], { teamId: null });
    sandbox.changeTeam(teamId, { name: "operators-old" });
    const up = found.run();
    await up.preview("Team", inputs);
    const { id: now } = sandbox.addTeam({ name: "operators", userIds: [] });
    expect(await refusalOf(up.create("Team", inputs))).toContain(`named "operators": ${now}.`);
    sandbox.changeTeam(now, { name: "operators-older" });
    expect((await up.create("Team", inputs)).state).toMatchObject({ origin: "created" });
    expect(sandbox.state.teams.map(({ userIds }) => userIds.length)).toEqual([1, 0, 1]);
  });

  it("takes the account that has the name now, also if the list was read before another one was renamed", async () => {
    const found = await withTeam();
    const { sandbox, ids, user } = found;
    const [, formerBen = "", formerEve = ""] = ids;
    const inputs = declared(found, [ada, ben]);
    const up = found.run();
    await up.preview("Team", inputs);
    sandbox.changeUser(formerBen, { username: "ben.l@example.com" });
    user(ben);
    const made = await up.create("Team", inputs);
    expect(found.people()).toEqual([ada, ben]);
    sandbox.changeUser(formerEve, { username: "eve.l@example.com" });
    user(eve);
    await up.update(made, declared(found, [ada, ben, eve]));
    expect(found.people()).toEqual([ada, ben, eve]);
  });

  it("is declared by one resource only", async () => {
    const found = await withTeam();
    const up = found.run();
    expect(up.check("Team", declared(found, [ada]), "one")).toEqual([]);
    expect(up.check("Team", declared(found, [ada]), "other")).toEqual([
      expect.stringContaining(
        'Team "operators" is declared by urn:pulumi:dev::proj::opsmanager:index:Team::one already',
      ),
    ]);
  });
});

describe("ProjectTeam", () => {
  const declared = ({ projectId }: Scenario, roles: readonly string[], more = {}) => ({
    projectId,
    teamName: "operators",
    roles,
    ...more,
  });

  it("gets other roles, and leaves the project, although a Team of the program adopts the team by its id", async () => {
    const found = await withTeam();
    const { sandbox, projectId, teamId } = found;
    const made = await found.run().create("ProjectTeam", { projectId, teamId, roles: reader });
    const up = found.run();
    await up.create("Team", { orgId: sandbox.orgId, teamId, name: "operators", usernames: [ada] });
    expect(up.diff(made, { projectId, teamId, roles: owner })).toEqual(["update roles,0"]);
    const updated = await up.update(made, { projectId, teamId, roles: owner });
    expect(found.inProject()).toEqual(owner);
    const last = found.run();
    last.check("Team", { orgId: sandbox.orgId, teamId, name: "operators", usernames: [ada] });
    await last.delete(updated);
    expect(found.inProject()).toEqual([]);
  });

  it.each([{ teamAnswers: "all" }, { teamAnswers: "changed" }] as const)(
    "reads the complete list after each write, whatever the response shows (%o)",
    async (switches) => {
      const found = await withTeam(switches);
      const { sandbox, projectId } = found;
      // More teams than one page of a response has.
      for (let index = 0; index < 120; index += 1) {
        const { id: teamId } = sandbox.addTeam({ name: `team ${index}` });
        sandbox.setProjectTeam(projectId, { teamId, roleNames: reader });
      }
      const made = await found.run().create("ProjectTeam", declared(found, reader));
      expect(made.state).toMatchObject({ teamId: found.teamId, teamName: "operators", roles: reader });
      const updated = await found.run().update(made, declared(found, owner));
      expect(updated.state).toMatchObject({ roles: owner });
      expect(found.writes()).toEqual(["POST /groups/{id}/teams", "PATCH /groups/{id}/teams/{id}"]);
      await found.run().delete(updated);
      expect(sandbox.project(projectId)?.teams).toHaveLength(120);
    },
  );

  it("gets the declared roles if another program adds it at the same moment", async () => {
    const found = await withTeam();
    const { sandbox, projectId, teamId } = found;
    // The list is read before the other program writes.
    const fault = { status: 200, body: { results: [], totalCount: 0 } };
    sandbox.addFault({ method: "GET", pathPattern: "/groups/[^/]+/teams", fault });
    sandbox.setProjectTeam(projectId, { teamId, roleNames: reader });
    const up = found.run();
    const made = await up.create("ProjectTeam", declared(found, owner));
    expect(made.state).toMatchObject({ roles: owner, origin: "adopted" });
    expect(up.messages).toEqual([
      expect.stringContaining(
        `Team operators is in project ${projectId} already: roles GROUP_READ_ONLY become GROUP_OWNER.`,
      ),
    ]);
    expect(found.writes()).toEqual(["POST /groups/{id}/teams", "PATCH /groups/{id}/teams/{id}"]);
  });

  it("does not take the team that gives up the declared name in the same run", async () => {
    const found = await withTeam();
    const { sandbox, teamId } = found;
    const ops = { teamId, orgId: sandbox.orgId, name: "operators", usernames: [ada] };
    const held = await found.run().create("Team", ops);
    const up = found.run();
    up.diff(held, { ...ops, name: "admins" });
    const refusal = await refusalOf(up.create("ProjectTeam", declared(found, owner)));
    expect(refusal).toContain(`Team "operators" (${teamId}) gets another name in this run`);
    expect(found.inProject()).toEqual([]);
  });

  it("is written beside no other write of the project's people and teams", async () => {
    const found = await withTeam({ latencyMs: 20 });
    const { client, projectId, sandbox } = found;
    const { id: other } = sandbox.addTeam({ name: "others" });
    const underWay = new Set<Call<unknown>>();
    const besideTeam: string[] = [];
    const send = client.call.bind(client);
    const isOfTeam = ({ path }: { readonly path: readonly string[] }) => path.includes("teams");
    client.call = async <Result>(call: Call<Result>) => {
      if (call.method === "GET") return send(call);
      const others = [...underWay];
      if (others.length > 0 && [call, ...others].some(isOfTeam)) besideTeam.push(call.action);
      underWay.add(call as Call<unknown>);
      return send(call).finally(() => underWay.delete(call as Call<unknown>));
    };
    const up = found.run();
    const [team, second, member] = await Promise.all([
      up.create("ProjectTeam", declared(found, reader), "team"),
      up.create("ProjectTeam", { projectId, teamId: other, roles: reader }, "other"),
      up.create("ProjectMember", { projectId, username: ben, roles: reader }, "member"),
      up.create("ProjectMember", { projectId, username: eve, roles: reader }, "another"),
    ]);
    await Promise.all([
      up.update(team, declared(found, owner)),
      up.update(second, { projectId, teamId: other, roles: owner }),
      up.update(member, { projectId, username: ben, roles: owner }),
    ]);
    expect(found.writes()).toHaveLength(7);
    expect(besideTeam).toEqual([]);
  });

  it("fails in part if the service adds the roles to those of the team, and records all of them", async () => {
    const found = await withTeam({ patchTeamRoles: "add" });
    const made = await found.run().create("ProjectTeam", declared(found, reader));
    const failure = await partialFailureOf(found.run().update(made, declared(found, owner)));
    expect(failure.message).toContain("but it stored GROUP_OWNER, GROUP_READ_ONLY.");
    expect(failure.state).toMatchObject({ roles: [...owner, ...reader] });
  });

  it("is found after the response to its addition was lost, and added by one request", async () => {
    const found = await withTeam();
    found.sandbox.addFault({ method: "POST", pathPattern: "/teams$", fault: "reset-after-write" });
    const made = await found.run().create("ProjectTeam", declared(found, reader));
    expect(made.state).toMatchObject({ roles: reader, origin: "created" });
    expect(found.writes()).toEqual(["POST /groups/{id}/teams"]);
  });

  it("is added after a while if the project does not know a new team yet", async () => {
    const found = await scenario({ newTeamUnknownSeconds: 0.2 });
    found.user(ada);
    const { orgId } = found.sandbox;
    await found.run().create("Team", { orgId, name: "operators", usernames: [ada] });
    const made = await found.run().create("ProjectTeam", declared(found, reader));
    expect(made.state).toMatchObject({ roles: reader });
    expect(found.writes().filter((write) => write === "POST /groups/{id}/teams").length).toBeGreaterThan(1);
  });

  it.each(["TEAM_NOT_FOUND", "TEAM_NOT_IN_ORG"] as const)(
    "of another organization is refused at once (%s)",
    async (foreignTeam) => {
      const found = await scenario({ foreignTeam });
      const { sandbox, projectId } = found;
      const { id: teamId } = sandbox.addTeam({
        orgId: sandbox.addOrg({ name: "Other" }).id,
        name: "operators",
      });
      expect(
        await refusalOf(found.run().create("ProjectTeam", { projectId, teamId, roles: reader })),
      ).toContain(foreignTeam);
      expect(found.writes()).toEqual(["POST /groups/{id}/teams"]);
    },
  );

  it("by its name is the team that has the name now, also if the list was read before that team was renamed", async () => {
    const found = await withTeam();
    const { sandbox, projectId, teamId } = found;
    const up = found.run();
    await up.preview("ProjectTeam", declared(found, owner));
    sandbox.changeTeam(teamId, { name: "operators-old" });
    const { id: now } = sandbox.addTeam({ name: "operators" });
    await up.create("ProjectTeam", declared(found, owner));
    expect(sandbox.project(projectId)?.teams).toMatchObject([{ teamId: now }]);
  });

  it("whose removal is refused counts as removed only if the complete list lacks it", async () => {
    const found = await withTeam();
    const { sandbox, projectId, teamId } = found;
    const made = await found.run().create("ProjectTeam", declared(found, reader));
    const fault = { status: 401, body: { error: 401, errorCode: "USER_UNAUTHORIZED", detail: "No." } };
    const refuse = () => sandbox.addFault({ method: "DELETE", pathPattern: "/teams/", fault });
    refuse();
    expect(await refusalOf(found.run().delete(made))).toContain("USER_UNAUTHORIZED");
    refuse();
    // The team leaves the project between the read and the removal.
    const listed = { results: [{ teamId, roleNames: reader, links: [] }], totalCount: 1 };
    sandbox.addFault({
      method: "GET",
      pathPattern: "/groups/[^/]+/teams",
      fault: { status: 200, body: listed },
    });
    sandbox.setProjectTeam(projectId, { teamId, roleNames: [] });
    await found.run().delete(made);
    expect(found.inProject()).toEqual([]);
  });

  it("that owns the project alone is not removed, and the error names the solutions", async () => {
    const found = await withTeam({ teamOwners: true });
    const { sandbox, projectId } = found;
    const made = await found.run().create("ProjectTeam", declared(found, owner));
    sandbox.removeMember(projectId, { username: "owner@example.com" });
    const refusal = await refusalOf(found.run().delete(made));
    expect(refusal).toContain(
      `Team operators is the only owner of project ${projectId} and was not removed. Add an owner first`,
    );
    expect(found.inProject()).toEqual(["GROUP_OWNER"]);
  });

  it("that owns the project alone keeps the role, and the error names the solution", async () => {
    const found = await withTeam({ teamOwners: true });
    const made = await found.run().create("ProjectTeam", declared(found, owner));
    found.sandbox.removeMember(found.projectId, { username: "owner@example.com" });
    expect(await refusalOf(found.run().update(made, declared(found, reader)))).toMatch(
      /CANNOT_DEMOTE_LAST_OWNER.* Give GROUP_OWNER to another member first\./,
    );
    expect(found.inProject()).toEqual(["GROUP_OWNER"]);
  });

  it("keeps its record and warns with a code if its list cannot be read, and destroying removes nothing unseen", async () => {
    const found = await withTeam();
    const made = await found.run().create("ProjectTeam", declared(found, reader));
    found.sandbox.addFault({
      method: "GET",
      pathPattern: "/groups/.*/teams($|\\?)",
      fault: { status: 403 },
      times: 2,
    });
    const up = found.run();
    expect(await up.read(made)).toMatchObject({ state: made.state });
    expect(up.messages).toEqual([expect.stringContaining(`[unreadable] [teams ${found.projectId}]`)]);
    expect(await refusalOf(found.run().delete(made))).toContain("403");
    expect(found.inProject()).toEqual(["GROUP_READ_ONLY"]);
    found.sandbox.setProjectTeam(found.projectId, { teamId: found.teamId, roleNames: [] });
    expect(await found.run().read(made)).toBeUndefined();
  });

  it("declared by its name and, in a new resource, by its id is refused by the run after that", async () => {
    const found = await withTeam();
    const { projectId, teamId } = found;
    const byName = declared(found, reader);
    const made = await found.run().create("ProjectTeam", byName, "by-name");
    const byId = { projectId, teamId, roles: owner };
    await found.run().create("ProjectTeam", byId, "by-id");
    const up = found.run();
    up.check("ProjectTeam", byId, "by-id");
    up.check("ProjectTeam", byName, "by-name");
    expect(await refusalOf(up.update(made, byName))).toContain("::by-id already");
    expect(found.inProject()).toEqual(["GROUP_OWNER"]);
  });

  it("is removed although another resource was declared by its name of today and holds another team", async () => {
    const found = await withTeam();
    const { sandbox, projectId, teamId } = found;
    const byName = declared(found, reader);
    const one = await found.run().create("ProjectTeam", byName, "one");
    sandbox.changeTeam(teamId, { name: "operators-old" });
    const { id: other } = sandbox.addTeam({ name: "operators" });
    const two = await found.run().create("ProjectTeam", { projectId, teamId: other, roles: owner }, "two");
    const up = found.run();
    up.check("ProjectTeam", byName, "one");
    const read = (await up.read(one)) ?? one;
    expect(up.diff(read, byName)).toEqual([]);
    await up.delete(two);
    expect(sandbox.project(projectId)?.teams).toMatchObject([{ teamId }]);
  });

  it("of a Team of the same program, by its name, can be previewed before the team exists", async () => {
    const found = await scenario();
    found.user(ada);
    const { sandbox, projectId } = found;
    const inputs = { projectId, teamName: "operators", roles: reader };
    const up = found.run();
    await up.preview("Team", { orgId: sandbox.orgId, name: "operators", usernames: [ada] }, "team");
    expect(await up.preview("ProjectTeam", inputs)).toMatchObject({
      id: "",
      state: { teamName: "operators" },
    });
    expect(await refusalOf(found.run().preview("ProjectTeam", inputs))).toContain(
      'has no team named "operators"',
    );
  });

  it("stays if another resource declares it by its id or by the name that it has now", async () => {
    const found = await withTeam();
    const { sandbox, projectId, teamId } = found;
    const made = await found.run().create("ProjectTeam", declared(found, reader));
    sandbox.changeTeam(teamId, { name: "admins" });
    for (const named of [{ teamId }, { teamName: "admins" }]) {
      const up = found.run();
      expect(up.check("ProjectTeam", { projectId, roles: reader, ...named }, "other")).toEqual([]);
      await up.delete(made);
      expect(found.inProject()).toEqual(["GROUP_READ_ONLY"]);
    }
    await found.run().delete(made);
    expect(found.inProject()).toEqual([]);
  });

  it("becomes the team that has the declared name now if the recorded one was deleted, by an update", async () => {
    const found = await withTeam();
    const made = await found.run().create("ProjectTeam", declared(found, reader));
    found.sandbox.removeTeam(found.teamId);
    const { id: teamId } = found.sandbox.addTeam({ name: "operators" });
    const updated = await found.run().update(made);
    expect(updated.state).toMatchObject({ teamId, roles: reader });
    await found.run().delete(updated);
    expect(found.inProject()).toEqual([]);
  });

  it("is imported by the id and by the name of the team", async () => {
    const found = await withTeam();
    const { sandbox, projectId, teamId } = found;
    sandbox.setProjectTeam(projectId, { teamId, roleNames: reader });
    for (const id of [`${projectId}/operators`, `${projectId}/${teamId}`]) {
      const imported = await found.run().importOf("ProjectTeam", id);
      expect(imported).toMatchObject({
        id: `${projectId}/${teamId}`,
        oldInputs: { projectId, teamId, roles: reader },
      });
      expect(found.run().diff(imported)).toEqual([]);
    }
  });

  it("makes no one a member: people who are in only through it are neither listed nor removed", async () => {
    const found = await withTeam({ flattenTeams: true, bypassInvitations: true });
    const { projectId } = found;
    await found.run().create("ProjectTeam", declared(found, owner));
    const members = { "owner@example.com": owner, [ben]: reader };
    const made = await found.run().create("ProjectMembers", { projectId, members, removeUnlisted: true });
    expect(Object.keys(made.state.members ?? {})).toEqual([ben, "owner@example.com"]);
    expect(found.run().diff((await found.run().read(made)) ?? made)).toEqual([]);
    expect(found.people()).toEqual([ada]);
  });

  it("is refused on a service that uses LDAP, with the way to give roles there", async () => {
    const found = await withTeam({ ldap: true });
    expect(await refusalOf(found.run().create("ProjectTeam", declared(found, reader)))).toContain(
      "ldapGroupMappings",
    );
    expect(found.inProject()).toEqual([]);
  });

  it("needs exactly one of id and name, and roles without repetition", async () => {
    const found = await scenario();
    const { projectId } = found;
    const both = { projectId, teamId: projectId, teamName: "operators", roles: reader };
    expect(found.run().check("ProjectTeam", { projectId, roles: [] })).toEqual([
      "roles must not be empty: a team without a role is not in the project.",
      "The team is missing: set teamId or teamName.",
    ]);
    expect(found.run().check("ProjectTeam", { ...both, roles: ["GROUP_OWNER", "GROUP_OWNER"] })).toEqual([
      "teamId and teamName are both set. Remove one of them.",
      'roles holds "GROUP_OWNER" more than once.',
    ]);
  });
});
