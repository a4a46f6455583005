/** `opsmanager offboard` until nothing is left: it names everything at once, and each of its advices ends what it is about. */
import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { succeeded } from "../../support";
import { writeFiles, writeProjectFiles } from "../support/access-folder";
import { day, offboard, owns, peopleOf, reads, rolesOf, setUpOffboarding } from "../support/offboarding";
import { opsmanager } from "../support/opsmanager";
import { projectNamed } from "../support/project-program";
import { tearDownStacks } from "../support/stack-setup";
import { ada, grace, linus, orgId, owner, teamsOf } from "../teams/support";

afterEach(tearDownStacks);

const lovelace = "ada.lovelace@example.com";

it("an account with two names leaves three projects that it owns alone, an undeclared role and an invitation, beside a mapping and a list that cannot be read", async () => {
  const names = ["billing", "orders", "payments"];
  const file = (name: string, people: object) => ({ name, members: { ...people, [grace]: reads } });
  const setup = await setUpOffboarding(
    Object.fromEntries(names.map((name) => [`${name}.yaml`, file(name, { [ada]: owns })])),
    { ldap: true },
  );
  const { sandbox, stack } = setup;
  await succeeded(stack.up());
  for (const { id } of sandbox.state.projects) sandbox.removeMember(id, { username: owner });
  sandbox.changeUser(sandbox.user({ username: ada })?.id ?? "", { username: lovelace });
  await writeProjectFiles(setup, { "search.yaml": file("search", { [lovelace]: reads, [owner]: owns }) });
  await succeeded(stack.up());
  const archive = projectNamed(sandbox, "archive");
  sandbox.changeProject(archive.id, {
    ldapGroupMappings: [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=owners"] }],
  });
  const invitation = sandbox.addInvitation(archive.id, { username: lovelace, roles: owns });
  sandbox.addFault({ pathPattern: `/orgs/${orgId}/teams`, times: 0, fault: { status: 403 } });
  sandbox.addFault({ pathPattern: `/orgs/${orgId}/invites`, times: 0, fault: { status: 404 } });

  // Whatever could not be read, everything else is said.
  const unread = await offboard(setup, ada, "--dry-run");
  expect(unread.exitCode).toBe(1);
  for (const list of ["teams of", "pending invitations to"])
    expect(unread.stdout).toMatch(new RegExp(`^ {2}\\? ${list} organization Example Org`, "m"));
  expect(unread.lines(/last direct owner/)).toHaveLength(3);
  sandbox.clearFaults();

  const refused = await offboard(setup, ada);
  expect(refused.exitCode).toBe(3);
  expect(refused.lines(/is its last direct owner/)).toEqual(
    names.map((name) =>
      expect.stringMatching(
        `^  project ${name} .*: Give GROUP_OWNER to another member in projects/${name}.yaml first.`.replace(
          ": Give",
          ": ada.lovelace@example.com is its last direct owner. Give",
        ),
      ),
    ),
  );
  for (const line of [
    /^4 files changed\. /m,
    /^ada@example\.com is also known as ada\.lovelace@example\.com\.$/m,
    /^The account is named ada\.lovelace@example\.com now: after the up, run the command with that name\.$/m,
    /^Without the refusals below, the next up would end 4 ways of access\.$/m,
    /^ {2}project archive .*: GROUP_READ_ONLY\. Nothing declares it\. Remove the person in the service\.$/m,
    /^ {2}project archive .*: invited, GROUP_OWNER\. Nothing declares it\. Delete the invitation in the service\.$/m,
    /^ {2}organization Example Org .*: ORG_MEMBER\. Nothing declares it\. Remove the person in the service/m,
    /^Groups of LDAP .*: project archive \(\w+\)\. /m,
  ])
    expect(refused.stdout).toMatch(line);
  // Without this option, the engine may stop before it comes to the fourth project.
  expect((await stack.up({ continueOnError: true })).exitCode).not.toBe(0);

  // As advised.
  for (const name of names) {
    const path = join(stack.paths.program, "projects", `${name}.yaml`);
    const text = await readFile(path, "utf8");
    await writeProjectFiles(setup, { [`${name}.yaml`]: text.replace(reads.join(), owns.join()) });
  }
  expect(await offboard(setup, ada)).toMatchObject({
    exitCode: 2,
    stdout: expect.stringContaining("The next up ends 3 ways of access.\n"),
  });
  await succeeded(stack.up());
  // The state has forgotten the former name, and access is left.
  expect((await offboard(setup, ada)).exitCode).toBe(4);
  const still = await offboard(setup, lovelace);
  expect([still.exitCode, still.lines(/is named/)]).toEqual([2, []]);
  sandbox.removeInvitation(invitation.id);
  sandbox.removeMember(archive.id, { username: lovelace });
  expect(rolesOf(setup, lovelace)).toEqual(["ORG_MEMBER"]);
  sandbox.removeOrgMember(orgId, { username: lovelace });
  expect(await offboard(setup, lovelace)).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining(`Nothing else is left of ${lovelace}.`),
  });
});

it("each advice ends the access: lists of one person, limits, another declaration, and a removal that the service does not offer", async () => {
  const setup = await setUpOffboarding({
    "solo.yaml": { name: "solo", members: { [ada]: owns } },
    "limited.yaml": { name: "limited", maxRemovals: 0, members: { [ada]: reads, [linus]: reads } },
    "added.yaml": { name: "added", membership: "additive", members: { [ada]: reads, [linus]: reads } },
  });
  const { sandbox, stack } = setup;
  const member = ["ORG_MEMBER"];
  await writeFiles(setup, {
    "teams/operators.yaml": { name: "operators", usernames: [ada] },
    "organizations/acme.yaml": { key: "acme", members: { [ada]: member, [linus]: member } },
  });
  const program = join(stack.paths.program, "index.js");
  const alone = await readFile(program, "utf8");
  const archive = JSON.stringify({
    projectId: projectNamed(sandbox, "archive").id,
    username: ada,
    roles: reads,
  });
  await appendFile(program, `\nnew opsmanager.ProjectMember("extra", ${archive});`);
  await succeeded(stack.up());
  await stack.setConfig({ "opsmanager:maxRemovalsPerRun": "2" });

  const first = await offboard(setup, ada);
  expect([first.exitCode, first.lines(/left as it is/)]).toEqual([
    3,
    ["projects/solo.yaml", "teams/operators.yaml"].map((file) =>
      expect.stringMatching(
        `^  ${file}:.*: left as it is, because nobody else would be in the list. Name somebody else there`,
      ),
    ),
  ]);
  for (const line of [
    /^The next up refuses:$/m,
    /^ {2}project limited .*: 1 person leaves its list, and maxRemovals allows 0\. Set maxRemovals: 1 in projects\/limited\.yaml for this run\.$/m,
    /^ {2}organization Example Org .*: The files still declare the person below it: .*solo \(ProjectMembers\)/m,
    /^ {2}the run: It would make \d removals, and the setting maxRemovalsPerRun allows 2\. Run pulumi config set opsmanager:maxRemovalsPerRun \d\.$/m,
    /^ {2}project solo .*: GROUP_OWNER\. Declared by solo \(ProjectMembers\), whose file still lists the person\.$/m,
    /^ {2}project archive .*: GROUP_READ_ONLY\. Declared by extra \(ProjectMember\): take the person out there\.$/m,
  ])
    expect(first.stdout).toMatch(line);

  // As advised.
  const allowed = /maxRemovalsPerRun (\d)\./.exec(first.stdout)?.[1] ?? "";
  await stack.setConfig({ "opsmanager:maxRemovalsPerRun": String(Number(allowed) + 3) });
  await writeFile(program, alone);
  const limited = join(stack.paths.program, "projects", "limited.yaml");
  await writeFile(limited, (await readFile(limited, "utf8")).replace('"maxRemovals": 0', '"maxRemovals": 1'));
  await writeFiles(setup, {
    "projects/solo.yaml": { name: "solo", members: { [ada]: owns, [linus]: reads } },
    "teams/operators.yaml": { name: "operators", usernames: [ada, linus] },
  });
  const second = await offboard(setup, ada);
  expect([second.exitCode, second.lines(/refuses|left as it is/)]).toEqual([1, []]);
  expect(second.lines(/^ {2}\? organization Example Org/)).toEqual([
    expect.stringMatching(/while the program declares them below it: extra \(ProjectMember\)\.$/),
    expect.stringMatching(/Only Cloud Manager documents .* remove the person in the service's web interface/),
  ]);
  expect((await stack.up()).exitCode).not.toBe(0);
  sandbox.removeOrgMember(orgId, { username: ada });
  await succeeded(stack.up());
  expect([rolesOf(setup, ada), teamsOf(sandbox)]).toEqual([[], { operators: [linus] }]);
  expect((await offboard(setup, ada)).exitCode).toBe(0);
});

it("judges by what the next up leaves, whoever took the others out: the last owner, the last of a team, the limits, and whoever is back after their day", async () => {
  const newbie = "newbie@example.com";
  const files = (end: string) => ({
    "over.yaml": {
      name: "over",
      members: { [ada]: owns, [grace]: { roles: owns, until: end }, [linus]: reads },
    },
    "back.yaml": { name: "back", members: { [newbie]: { roles: reads, until: end }, [linus]: owns } },
  });
  const others = (role: readonly string[], more: object) => ({
    "additive.yaml": {
      name: "additive",
      membership: "additive",
      members: { [ada]: owns, [linus]: reads, ...more },
    },
    "demoted.yaml": { name: "demoted", members: { [ada]: owns, [grace]: role, [linus]: reads } },
  });
  const operators = (end: string) => ({
    "teams/operators.yaml": { name: "operators", usernames: [ada, { username: linus, until: end }] },
  });
  const unlisted = {
    name: "unlisted",
    removeUnlisted: true,
    maxRemovals: 1,
    members: { [ada]: reads, [owner]: owns },
  };
  const setup = await setUpOffboarding({
    ...files(day(1)),
    ...others(owns, { [grace]: owns }),
    "unlisted.yaml": unlisted,
  });
  const { sandbox, stack } = setup;
  await writeFiles(setup, operators(day(1)));
  await succeeded(stack.up());
  await writeProjectFiles(setup, { "back.yaml": files(day(-2))["back.yaml"] });
  await succeeded(stack.up());
  const back = sandbox.addInvitation(projectNamed(sandbox, "back").id, { username: newbie, roles: owns });
  sandbox.setMember(projectNamed(sandbox, "unlisted").id, { username: grace }, reads);
  for (const name of ["over", "additive", "demoted"])
    sandbox.removeMember(projectNamed(sandbox, name).id, { username: owner });
  await writeProjectFiles(setup, { ...files(day(-2)), ...others(reads, {}) });
  await writeFiles(setup, operators(day(-2)));
  await stack.setConfig({ "opsmanager:maxRemovalsPerRun": "5" });

  expect(await offboard(setup, newbie)).toMatchObject({
    exitCode: 2,
    stdout: expect.stringMatching(
      /^ {2}project back .*: invited, GROUP_OWNER\. It ended on its last day by back \(ProjectMembers\), and somebody brought it back\. .*\. Delete the invitation in the service\.$/m,
    ),
  });
  const refused = await offboard(setup, ada);
  expect([refused.exitCode, refused.lines(/^ {2}.*(last direct|last person|allows)/)]).toEqual([
    1,
    [
      "project demoted .*: ada.* is its last direct owner\\. Give GROUP_OWNER to another member in projects/demoted",
      "project over .*: grace.*, whose last day is over, is its last direct owner\\. Give GROUP_OWNER to another member in projects/over",
      "project unlisted .*: 2 people leave its list, and maxRemovals allows 1\\.",
      "the run: It would make 9 removals, and the setting maxRemovalsPerRun allows 5\\.",
      "\\? team operators .*: linus.*, whose last day is over, is the last person in it, and some .*\\. Name another person in teams/operators\\.yaml first\\.",
      // Whether an owner of the organization counts there is different in each version.
      "\\? project additive .* is its last direct owner, and some .*\\. Give GROUP_OWNER to another member in projects/additive",
    ].map((line) => expect.stringMatching(`^  ${line}`)),
  ]);
  // Nobody declares her there, and the list removes whoever is not in it.
  const brought = await offboard(setup, grace, "--dry-run");
  expect(brought.lines(/project unlisted/)).toEqual([
    expect.stringMatching(/: 2 people leave its list, and maxRemovals allows 1\./),
  ]);
  await stack.setConfig({ "opsmanager:maxRemovalsPerRun": "9" });
  // Without this option, the engine may stop before it comes to each project.
  expect((await stack.up({ continueOnError: true })).exitCode).not.toBe(0);
  expect(teamsOf(sandbox)).toEqual({ operators: [linus] });
  expect(peopleOf(setup, "over")).toEqual([grace, linus]);
  expect(peopleOf(setup, "demoted")).toContain(ada);

  // As advised.
  sandbox.removeInvitation(back.id);
  const owned = (name: string) => ({ name, members: { [linus]: owns, [grace]: reads } });
  await writeProjectFiles(setup, {
    "additive.yaml": { ...owned("additive"), membership: "additive" },
    "demoted.yaml": owned("demoted"),
    "over.yaml": owned("over"),
    "unlisted.yaml": { ...unlisted, maxRemovals: 2, members: { [owner]: owns } },
  });
  await writeFiles(setup, { "teams/operators.yaml": { name: "operators", usernames: [grace] } });
  // The state knows the invitation that was deleted, and nothing shows that nobody has accepted it.
  expect(await offboard(setup, ada, newbie)).toMatchObject({ exitCode: 1 });
  expect((await offboard(setup, grace, "--dry-run")).stdout).not.toContain("project unlisted");
  await succeeded(stack.up());
  expect(await offboard(setup, ada, newbie)).toMatchObject({ exitCode: 4 });
  const unlistedId = projectNamed(sandbox, "unlisted").id;
  expect(sandbox.user({ username: grace })?.roles.some(({ groupId }) => groupId === unlistedId)).toBe(false);
  expect([rolesOf(setup, ada), teamsOf(sandbox)]).toEqual([[...reads, "ORG_MEMBER"], { operators: [grace] }]);
});

it("counts what the next up takes with deleted files, and says that an invitation stays which came later than the declared one", async () => {
  const deleted = { onDestroy: "delete", maxRemovals: 5 };
  const setup = await setUpOffboarding({
    "again.yaml": { name: "again", members: { [ada]: owns, [linus]: owns } },
    "invited.yaml": { name: "invited", members: { [ada]: owns, [linus]: owns } },
    "both.yaml": { name: "both", members: { [ada]: reads, [linus]: owns } },
    "deleted.yaml": { name: "deleted", onDestroy: "delete", members: { [ada]: owns, [linus]: reads } },
  });
  const { sandbox, stack } = setup;
  const member = ["ORG_MEMBER"];
  const acme = (apiKeys: object) => ({ key: "acme", members: { [linus]: member }, apiKeys });
  await writeFiles(setup, {
    "teams/deleted.yaml": { name: "deleted", usernames: [ada, linus], ...deleted },
    "organizations/acme.yaml": acme({ ci: { description: "ci", roles: member } }),
  });
  await succeeded(stack.up());
  // Nothing declares these.
  const ofKey = ["archive", "both"].map((name) => {
    return { groupId: projectNamed(sandbox, name).id, roleName: "GROUP_READ_ONLY" };
  });
  const { publicKey = "", roles = [] } = sandbox.state.keys.find(({ desc }) => desc === "ci") ?? {};
  sandbox.changeKey(publicKey, { roles: [...roles, ...ofKey] });
  sandbox.setSwitches({ bypassInvitations: false });
  for (const name of ["invited", "again"]) {
    const { id } = projectNamed(sandbox, name);
    sandbox.removeMember(id, { username: ada });
    // Then the list records the account with an invitation, and somebody sends another one.
    if (name === "invited") await succeeded(stack.up());
    for (const invitation of sandbox.state.invitations.filter(({ groupId }) => groupId === id))
      sandbox.removeInvitation(invitation.id);
    sandbox.addInvitation(id, { username: ada, roles: owns });
  }
  // Beside the membership, and gone with it.
  sandbox.setSwitches({ inviteMember: "invite" });
  sandbox.addInvitation(projectNamed(sandbox, "both").id, { username: ada, roles: owns });
  await writeProjectFiles(setup, { "deleted.yaml": undefined });
  await writeFiles(setup, { "teams/deleted.yaml": undefined, "organizations/acme.yaml": acme({}) });
  await stack.setConfig({ "opsmanager:maxRemovalsPerRun": "5" });

  const refused = await offboard(setup, ada);
  expect([refused.exitCode, refused.lines(/the run:|last direct owner|ways of/)]).toEqual([
    3,
    [
      "Without the refusals below, the next up would end 4 ways of access.",
      expect.stringMatching(/^ {2}the run: It would make 6 removals, .* allows 5\. /),
    ],
  ]);
  for (const name of ["again", "invited"])
    expect(refused.lines(new RegExp(`^ {2}project ${name} `))).toEqual([
      expect.stringMatching(
        /: invited, GROUP_OWNER\. .* did not give it\. Without the entry, the next up leaves it\. Delete the invitation in the service\.$/,
      ),
    ]);
  expect((await stack.up()).exitCode).not.toBe(0);
  await stack.setConfig({ "opsmanager:maxRemovalsPerRun": "6" });
  await succeeded(stack.up());
  expect([rolesOf(setup, ada), teamsOf(sandbox)]).toEqual([[...reads, "ORG_MEMBER"], {}]);
  expect(sandbox.state.invitations.map(({ username }) => username)).toEqual([ada, ada]);
});

it("counts whose last day somebody has moved into the past, also when they are back", async () => {
  const file = (name: string, end: string, more: object) => ({
    name,
    members: { [ada]: reads, [linus]: { roles: reads, until: end }, [owner]: owns },
    ...more,
  });
  const files = (end: string, maxRemovals: number) => ({
    "additive.yaml": file("additive", end, { membership: "additive" }),
    "back.yaml": file("back", day(-1), { maxRemovals }),
    "limited.yaml": file("limited", end, {
      maxRemovals,
      teams: { operators: { roles: reads, until: end } },
    }),
  });
  const setup = await setUpOffboarding(files(day(1), 1));
  const { sandbox, stack } = setup;
  await writeFiles(setup, { "teams/operators.yaml": { name: "operators", usernames: [grace] } });
  await succeeded(stack.up());
  sandbox.setMember(projectNamed(sandbox, "back").id, { username: linus }, reads);
  await writeProjectFiles(setup, files(day(-1), 1));
  await stack.setConfig({ "opsmanager:maxRemovalsPerRun": "5" });

  const refused = await offboard(setup, ada);
  expect([refused.exitCode, refused.lines(/allows/)]).toEqual([
    3,
    [
      ...["back", "limited"].map((name) =>
        expect.stringMatching(
          `^  project ${name} .*: 2 people leave its list, and maxRemovals allows 1\\. Set maxRemovals: 2 `,
        ),
      ),
      expect.stringMatching(/^ {2}the run: It would make 7 removals, .* allows 5\. /),
    ],
  ]);
  expect((await stack.up()).exitCode).not.toBe(0);
  await writeProjectFiles(setup, files(day(-1), 2));
  expect(await offboard(setup, ada, "--dry-run")).toMatchObject({ exitCode: 3 });
  await offboard(setup, ada);
  expect((await stack.up()).exitCode).not.toBe(0);
  await stack.setConfig({ "opsmanager:maxRemovalsPerRun": "7" });
  await succeeded(stack.up());
  expect([rolesOf(setup, ada), rolesOf(setup, linus)]).toEqual([[...reads, "ORG_MEMBER"], ["ORG_MEMBER"]]);
});

it("says that the next up refuses a file that was renamed without its key, and ends the access once it has it", async () => {
  const people = { [ada]: reads, [linus]: owns };
  const setup = await setUpOffboarding({ "orders.yaml": { name: "orders", members: people } });
  const { sandbox, stack } = setup;
  const operators = { name: "operators", usernames: [ada, linus] };
  await writeFiles(setup, { "teams/operators.yaml": operators });
  await succeeded(stack.up());
  await writeProjectFiles(setup, {
    "orders.yaml": undefined,
    "sales.yaml": { name: "orders", members: people },
  });
  await writeFiles(setup, { "teams/operators.yaml": undefined, "teams/admins.yaml": operators });
  const refused = await offboard(setup, ada);
  expect([refused.exitCode, refused.lines(/would end|Write key/)]).toEqual([
    3,
    [
      "Without the refusals below, the next up would end 2 ways of access.",
      ...["team operators .*: teams/admins.yaml", "project orders .*: projects/sales.yaml"].map((line) =>
        expect.stringMatching(
          `^  ${line} declares it without its key, .* Write key: (orders|operators) into that file\\.$`,
        ),
      ),
    ],
  ]);
  expect((await stack.up({ continueOnError: true })).exitCode).not.toBe(0);
  expect([rolesOf(setup, ada), teamsOf(sandbox)]).toEqual([
    [...reads, ...reads, "ORG_MEMBER"],
    { operators: [ada, linus] },
  ]);

  // As advised.
  const left = { [linus]: owns };
  await writeProjectFiles(setup, { "sales.yaml": { key: "orders", name: "orders", members: left } });
  await writeFiles(setup, { "teams/admins.yaml": { ...operators, key: "operators", usernames: [linus] } });
  expect((await offboard(setup, ada)).lines(/refuses|ends/)).toEqual(["The next up ends 2 ways of access."]);
  await succeeded(stack.up());
  expect([rolesOf(setup, ada), teamsOf(sandbox)]).toEqual([[...reads, "ORG_MEMBER"], { operators: [linus] }]);
});

it("without refreshBeforeUpdate, is about `pulumi up --refresh`, which alone removes whoever was added and restores the other owner first", async () => {
  const [guest, shared] = ["guest@example.com", { name: "shared", membership: "additive" }];
  const setup = await setUpOffboarding(
    {
      "unlisted.yaml": {
        name: "unlisted",
        removeUnlisted: true,
        members: { [owner]: owns, [linus]: reads },
      },
      "shared.yaml": { ...shared, members: { [ada]: owns, [grace]: owns } },
    },
    {},
    { "opsmanager:refreshBeforeUpdate": false },
  );
  const { sandbox, stack } = setup;
  await succeeded(stack.up());
  sandbox.addInvitation(projectNamed(sandbox, "unlisted").id, { username: guest, roles: owns });
  const { id } = projectNamed(sandbox, "shared");
  sandbox.removeMember(id, { username: owner });
  sandbox.setMember(id, { username: grace }, reads);
  sandbox.changeUser(sandbox.user({ username: ada })?.id ?? "", {
    roles: [{ groupId: id, roleName: "GROUP_OWNER" }],
  });

  const { exitCode, lines } = await offboard(setup, ada, guest);
  expect([exitCode, lines(/--refresh|ends|Nothing else/)]).toEqual([
    0,
    [
      "1 file changed. Run pulumi up --refresh to end what it declared.",
      "The setting refreshBeforeUpdate is off, so every up in this report means pulumi up --refresh.",
      "The next up ends 1 way of access.",
      `Nothing else is left of ${ada}.`,
      "The next up ends 1 way of access.",
      `Nothing else is left of ${guest}.`,
    ],
  ]);
  const json = await offboard(setup, ada, "--format", "json");
  expect(JSON.parse(json.stdout)).toMatchObject({ refreshBeforeUpdate: false });
  expect((await stack.up({ continueOnError: true })).exitCode).not.toBe(0);
  expect([sandbox.state.invitations.length, rolesOf(setup, ada)]).toEqual([1, owns]);

  await succeeded(stack.up({ refresh: true }));
  expect([sandbox.state.invitations, rolesOf(setup, ada)]).toEqual([[], []]);
});

it("never says that nothing is left of an invitation that is gone, because whoever accepted it may have been renamed", async () => {
  const newbie = "newbie@example.com";
  const setup = await setUpOffboarding(
    { "orders.yaml": { name: "orders", members: { [owner]: owns, [newbie]: reads } } },
    { bypassInvitations: false },
  );
  const { sandbox, stack } = setup;
  await succeeded(stack.up());
  const { id = "" } = sandbox.state.invitations.find(({ username }) => username === newbie) ?? {};
  const renamed = "newbie.two@example.com";
  sandbox.changeUser(sandbox.acceptInvitation(id).id, { username: renamed });

  const unknown = await offboard(setup, newbie);
  expect([unknown.exitCode, unknown.lines(/^ {2}\?|Nothing else/)]).toEqual([
    1,
    [
      expect.stringMatching(
        /^ {2}\? project orders \(\w+\): The invitation is gone, .* may have been renamed since\. Look with opsmanager access /,
      ),
    ],
  ]);
  expect(rolesOf(setup, renamed)).toEqual([...reads, "ORG_MEMBER"]);
  // As advised.
  expect((await opsmanager(stack, ["access"])).stdout).toContain(renamed);
  expect(await offboard(setup, renamed)).toMatchObject({ exitCode: 2 });
  // It is gone with the project, and so is the access.
  sandbox.removeProject(projectNamed(sandbox, "orders").id);
  expect((await offboard(setup, newbie)).stdout).not.toContain("invitation is gone");
  // Once the state has forgotten the name, only events know it, if the account has acted by it.
  await succeeded(stack.up({ refresh: true }));
  expect(await offboard(setup, newbie)).toMatchObject({ exitCode: 4 });
  const { id: userId = "" } = sandbox.user({ username: renamed }) ?? {};
  sandbox.changeUser(userId, { username: newbie });
  sandbox.actAs({ username: newbie });
  sandbox.addTeam({ name: "operators", orgId });
  sandbox.changeUser(userId, { username: renamed });
  const acted = await offboard(setup, newbie);
  expect([acted.exitCode, acted.lines(/By events/)]).toEqual([
    1,
    [`  ? account ${renamed}: By events, it was named ${newbie}. Run the command with ${renamed}.`],
  ]);
});
