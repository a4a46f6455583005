/** The people of a team: who is added and removed, and what is recorded if a response is missing. */
import { nothing, upAgain } from "../../engine/support/people-program";
import {
  bothProviders,
  changedPaths,
  errorsOf,
  messagesOf,
  writes,
} from "../../engine/support/project-program";
import { ada, grace, linus, orgId, seed, teamProgram, teamsOf } from "../../engine/teams/support";
import { keepDefault, succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";
import { changePeople, giveNameAway, holdTeam, idOf } from "./team-stacks";

afterEach(tearDownStacks);

const adaLovelace = "ada.l@example.com";
const addPerson = /\/teams\/\w+\/users$/;

it("a person of a team who was declared and leaves the program is removed; one added outside Pulumi stays and is named", async () => {
  const { sandbox, stack, declare } = await holdTeam([ada, grace]);
  changePeople(sandbox, [ada, grace, linus]);
  await succeeded(stack.refresh());
  const read = await stack.resource("operators");
  expect(read?.outputs?.usernames).toEqual([ada, grace]);
  expect(read?.outputs?.people).toHaveLength(3);
  await declare([ada]);
  const up = await succeeded(stack.up());
  expect(changedPaths(up, "operators")).toEqual({ "usernames[1]": "delete" });
  expect(teamsOf(sandbox)).toEqual({ operators: [ada, linus] });
  expect(messagesOf(up)).toContain(
    `[undeclared] [organization ${orgId}] People of team "operators" who are not listed stay in it: ${linus}. To manage them, list them in usernames. To remove them, set removeUnlisted to true.`,
  );
});

it("a person whom the program lists since someone added this person to the team is declared by a write of nothing", async () => {
  const { setup, sandbox, stack, declare } = await holdTeam([ada], { properties: { removeUnlisted: true } });
  changePeople(sandbox, [ada, linus]);
  await succeeded(stack.refresh());
  const preview = async () => changedPaths(await succeeded(stack.preview()), "operators");
  expect(await preview()).toEqual({ "usernames[1]": "delete" });
  await declare([ada, linus]);
  expect(await preview()).toEqual({ usernames: "update" });
  expect(await upAgain(setup)).toEqual({ changes: { update: 1 }, writes: [] });
  expect(await upAgain(setup)).toEqual(nothing);
  sandbox.changeUser(idOf(sandbox, linus), { username: "linus.t@example.com" });
  await succeeded(stack.refresh());
  expect(await upAgain(setup)).toEqual(nothing);
});

describe.each(bothProviders)("the removal of a person from a team (%s)", (provider) => {
  it.each([
    ["was refused", { method: "DELETE", pathPattern: "/users/", fault: { status: 403 } }],
    [
      "waited for an addition that failed",
      { method: "POST", pathPattern: "/users$", fault: { status: 400 } },
    ],
  ])("is repeated by the next run if it %s", async (_, fault) => {
    const { setup, sandbox, stack, declare } = await holdTeam([ada, grace], { provider });
    sandbox.addFault(fault);
    await declare([ada, linus]);
    await errorsOf(stack.up());
    expect(teamsOf(sandbox).operators).toContain(grace);
    expect((await upAgain(setup)).changes).toEqual({ update: 1 });
    expect(teamsOf(sandbox)).toEqual({ operators: [ada, linus] });
    expect(await upAgain(setup)).toEqual(nothing);
  });
});

it.each(["create", "update"] as const)(
  "a person whom %s added to a team but could not read afterwards is removed if the program no longer lists this person",
  async (verb) => {
    const both = teamProgram({ orgId, name: "operators", usernames: [ada, grace] });
    const { sandbox, stack } =
      verb === "update"
        ? await holdTeam([ada])
        : await setUpStack({ sandbox: { seed }, program: () => both });
    await stack.setProgram(both);
    await stack.before("POST", verb === "update" ? addPerson : /\/teams$/, () =>
      sandbox.addFault({ method: "GET", pathPattern: "/teams/.*/users", fault: { status: 403 } }),
    );
    await errorsOf(stack.up());
    expect(teamsOf(sandbox)).toEqual({ operators: [ada, grace] });
    await stack.setProgram(teamProgram({ orgId, name: "operators", usernames: [ada] }));
    await succeeded(stack.up());
    expect(teamsOf(sandbox)).toEqual({ operators: [ada] });
  },
);

it("people join a team before others leave it, and no one leaves if a person cannot join", async () => {
  const { sandbox, stack, declare, teamId } = await holdTeam([ada]);
  await declare([grace]);
  await succeeded(stack.up());
  const people = `/orgs/${orgId}/teams/${teamId}/users`;
  expect(writes(sandbox)).toMatchObject([
    { method: "POST", path: people },
    { method: "DELETE", path: `${people}/${idOf(sandbox, ada)}` },
  ]);

  // This account has not accepted an invitation to the organization, and the key cannot list those that have.
  sandbox.addUser({ username: "new@example.com" });
  sandbox.addFault({ method: "GET", pathPattern: "/orgs/[^/]+/users", fault: { status: 403 } });
  await declare(["new@example.com"]);
  const errors = await errorsOf(stack.up());
  expect(errors).toContain("CANNOT_ADD_PENDING_USER");
  expect(errors).toContain("No team can have it before.");
  expect(teamsOf(sandbox)).toEqual({ operators: [grace] });
});

it.each(["the response to it is lost", "another program adds the person first"])(
  "the addition of a person to a team is done if %s, and then others leave it",
  async (situation) => {
    const { sandbox, stack, declare } = await holdTeam([ada]);
    if (situation.includes("lost"))
      sandbox.addFault({ method: "POST", pathPattern: "/users$", fault: "reset-after-write" });
    else await stack.before("POST", addPerson, () => changePeople(sandbox, [ada, grace]));
    await declare([grace]);
    await succeeded(stack.up());
    expect(teamsOf(sandbox)).toEqual({ operators: [grace] });
    expect((await stack.resource("operators"))?.outputs?.people).toMatchObject([
      { userId: idOf(sandbox, grace), declared: true },
    ]);
  },
);

it("people who have no account in the organization are refused with all their names before a team is written", async () => {
  const outsider = "outsider@example.com";
  const { sandbox, stack, declare } = await holdTeam([ada]);
  sandbox.addUser({ username: outsider });
  await declare([ada, "eve@example.com", grace, outsider]);
  expect(await errorsOf(stack.up())).toContain(
    `Organization ${orgId} has no account with the name eve@example.com, ${outsider}`,
  );
  expect(writes(sandbox)).toEqual([]);
});

it("a declared person of a team is the same account by its old and its new name, and no other account of the old one", async () => {
  const { setup, sandbox, stack, declare } = await holdTeam([ada]);
  giveNameAway(sandbox, ada, adaLovelace);
  await succeeded(stack.refresh());
  expect((await stack.resource("operators"))?.outputs).toMatchObject({ usernames: [ada] });
  expect(await upAgain(setup)).toEqual(nothing);
  await declare([ada, adaLovelace]);
  expect(await errorsOf(stack.up())).toContain('names one person of team "operators" twice');
  await declare([adaLovelace]);
  expect((await upAgain(setup)).writes).toEqual([]);
  expect((await stack.resource("operators"))?.outputs).toMatchObject({ usernames: [adaLovelace] });
  expect(teamsOf(sandbox)).toEqual({ operators: [adaLovelace] });
});

it("a team with removeUnlisted retains an account that has the name of a declared one now, and a warning names both", async () => {
  const { setup, sandbox, stack, declare } = await holdTeam([ada], { properties: { removeUnlisted: true } });
  giveNameAway(sandbox, ada, adaLovelace);
  changePeople(sandbox, [adaLovelace, ada]);
  await succeeded(stack.refresh());
  expect((await stack.resource("operators"))?.outputs).toMatchObject({ usernames: [ada] });
  expect(await upAgain(setup)).toEqual(nothing);
  // Another change, such as a name, updates the team.
  await declare([ada], { name: "admins" });
  const up = await succeeded(stack.up());
  expect(teamsOf(sandbox)).toEqual({ admins: [adaLovelace, ada] });
  expect(messagesOf(up, "warning")).toContain(
    `${ada} in team "operators" is the name of two accounts: the recorded one is ${adaLovelace} now.`,
  );
});

it("a team with ignored usernames removes and adds no one, also if the record is older than the team", async () => {
  const options = { ignoreChanges: ["usernames"] };
  const team = (name: string, usernames: readonly string[]) => ({
    resources: {
      operators: { type: "Team", properties: { orgId, name, usernames, removeUnlisted: true }, options },
    },
  });
  const { sandbox, stack } = await setUpStack({
    sandbox: { seed },
    config: { refreshBeforeUpdate: false },
    program: () => team("operators", [ada, grace]),
  });
  await succeeded(stack.up());
  changePeople(sandbox, [ada, linus]);
  await stack.setProgram(team("admins", [ada]));
  await succeeded(stack.up());
  expect(teamsOf(sandbox)).toEqual({ admins: [ada, linus] });
});

it("a person who is the only owner of a project through a team stays in it, and the error names the solution", async () => {
  const { sandbox, stack, declare } = await holdTeam([ada, grace]);
  sandbox.addFault({
    method: "DELETE",
    pathPattern: "/teams/",
    fault: { status: 403, body: { error: 403, errorCode: "CANNOT_DELETE_LAST_OWNER" } },
  });
  await declare([ada]);
  expect(await errorsOf(stack.up())).toContain(
    `${grace} stays in team "operators": without this person, a project would have no owner. Give GROUP_OWNER in that project to another person first.`,
  );
});

it("a team gets its people one by one if the service ignores them at its creation", async () => {
  const { sandbox, stack } = await setUpStack({
    sandbox: { seed, usernamesOfNewTeam: "ignore" },
    program: () => teamProgram({ orgId, name: "operators", usernames: [ada, grace] }),
  });
  await succeeded(stack.up());
  expect((await stack.resource("operators"))?.outputs).toMatchObject({
    origin: "created",
    usernames: [ada, grace],
  });
  expect(writes(sandbox).map(({ path }) => path.replace(/\w{24}/g, "ID"))).toEqual([
    "/orgs/ID/teams",
    "/orgs/ID/teams/ID/users",
    "/orgs/ID/teams/ID/users",
  ]);
});

it.each([
  { refreshBeforeUpdate: true, refresh: false },
  // Then only `--refresh` reads the accounts in the run that replaces the team.
  { refreshBeforeUpdate: false, refresh: true },
])(
  "a team that is replaced keeps a renamed account, and takes no other account of its old name (%o)",
  async ({ refreshBeforeUpdate, refresh }) => {
    const circumstances = { properties: { removeUnlisted: true }, config: { refreshBeforeUpdate } };
    const { setup, sandbox, stack, replace } = await holdTeam([ada], circumstances);
    giveNameAway(sandbox, ada, adaLovelace);
    await succeeded(replace({ refresh }));
    expect(teamsOf(sandbox)).toEqual({ operators: [adaLovelace] });
    expect((await stack.resource("operators"))?.outputs).toMatchObject({
      origin: "created",
      usernames: [ada],
    });
    expect(await upAgain(setup)).toEqual(nothing);
  },
);

it("a team that is replaced removes who was declared and left the program, within maxRemovals", async () => {
  keepDefault("refreshBeforeUpdate", "a replacement by --replace needs a read of the team in the same run");
  const { sandbox, stack, teamId, declare, replace } = await holdTeam([ada, grace]);
  await declare([ada], { maxRemovals: 0 });
  expect(await errorsOf(replace())).toContain("more than maxRemovals (0), so nothing was changed");
  expect(teamsOf(sandbox)).toEqual({ operators: [ada, grace] });
  await declare([ada]);
  expect(messagesOf(await succeeded(replace()))).toContain(
    `Team "operators" (${teamId}) was kept because urn:pulumi:test::platform::opsmanager:index:Team::operators declares it.`,
  );
  expect(teamsOf(sandbox)).toEqual({ operators: [ada] });
  expect((await stack.resource("operators"))?.outputs).toMatchObject({
    teamId,
    origin: "created",
    usernames: [ada],
  });
});

it("people whom no list and no lookup shows are refused with the role that is needed, before a team is written", async () => {
  const { sandbox, stack, declare } = await holdTeam([ada]);
  sandbox.addFault({ method: "GET", pathPattern: "/orgs/\\w+/users", times: 0, fault: { status: 403 } });
  sandbox.addFault({ method: "GET", pathPattern: "/users/byName", times: 0, fault: { status: 403 } });
  await declare([ada, grace, linus]);
  expect(await errorsOf(stack.up())).toContain(
    `Team "operators" was not changed. ${grace}, ${linus} cannot be looked up. These credentials need the role Organization Owner, which may list the people of the organization.`,
  );
  expect(writes(sandbox)).toEqual([]);
});

it("a removal from a team that the service accepts and does not make is an error, and is repeated by the next run", async () => {
  const { setup, sandbox, stack, declare } = await holdTeam([ada, grace]);
  sandbox.addFault({ method: "DELETE", pathPattern: "/teams/", fault: { status: 204 } });
  await declare([ada]);
  expect(await errorsOf(stack.up())).toContain(
    `The service accepted the removal of ${grace} from team "operators", but still lists this person in it.`,
  );
  expect((await upAgain(setup)).changes).toEqual({ update: 1 });
  expect(teamsOf(sandbox)).toEqual({ operators: [ada] });
});

it("an addition to a team that the service accepts and does not make is an error", async () => {
  const { sandbox, stack, declare } = await holdTeam([ada]);
  sandbox.addFault({ method: "POST", pathPattern: "/teams/\\w+/users", fault: { status: 200, body: [] } });
  await declare([ada, grace]);
  expect(await errorsOf(stack.up())).toContain(
    `The service accepted ${grace} for team "operators", but does not list this person in it.`,
  );
});
