/** What `opsmanager offboard` says of the next up that somebody else has caused, with the engine as the judge. */
import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isInShard } from "../../../projects/select";
import { succeeded } from "../../support";
import { writeFiles, writeProjectFiles } from "../support/access-folder";
import { day, offboard, owns, peopleOf, reads, setUpOffboarding } from "../support/offboarding";
import { projectNamed } from "../support/project-program";
import { tearDownStacks } from "../support/stack-setup";
import { ada, grace, linus, orgId, owner, teamsOf } from "../teams/support";

afterEach(tearDownStacks);

it("says that the next up fails where a project or team cannot become as its file declares, whoever leaves it", async () => {
  const [people, gone, second] = [{ [ada]: reads, [linus]: owns }, "gone@example.com", "linus.t@example.com"];
  const setup = await setUpOffboarding({
    "orders.yaml": { name: "orders", members: people },
    "added.yaml": { name: "added", membership: "additive", members: people },
  });
  const { sandbox, stack } = setup;
  sandbox.addUser({ username: gone, roles: [{ orgId, roleName: "ORG_MEMBER" }] });
  await writeFiles(setup, {
    "teams/admins.yaml": { name: "admins", usernames: [linus] },
    "teams/operators.yaml": { name: "operators", usernames: [linus, gone] },
  });
  await succeeded(stack.up());
  const fails = async (exitCode: number, line: string) => {
    const refused = await offboard(setup, ada);
    expect([
      refused.exitCode,
      refused.lines(/^ {2}.*\.yaml (gives|names|is new)|in .*\.yaml names/).slice(-1),
    ]).toEqual([exitCode, [expect.stringMatching(`^  ${line}`)]]);
    expect((await stack.up({ continueOnError: true, refresh: true })).exitCode).not.toBe(0);
    expect(peopleOf(setup, "added")).toContain(ada);
  };

  // Somebody renames a project, and another one takes the name that its file still declares.
  const { id } = projectNamed(sandbox, "orders");
  sandbox.changeProject(id, { name: "sales" });
  const other = sandbox.addProject({ name: "orders", orgId });
  const named = `projects/orders\\.yaml gives it the name orders, which ${other.id} has, and some versions of the service refuse`;
  await fails(1, `\\? project sales \\(${id}\\): ${named} `);
  expect(peopleOf(setup, "sales")).toContain(ada);
  sandbox.removeProject(other.id);

  const admins = sandbox.state.teams.find(({ name }) => name === "admins")?.id ?? "";
  sandbox.changeTeam(admins, { name: "root" });
  const rival = sandbox.addTeam({ name: "admins", orgId });
  await fails(
    3,
    `team root \\(${admins}\\): teams/admins\\.yaml gives it the name admins, which ${rival.id} has\\. `,
  );
  sandbox.removeTeam(rival.id);

  sandbox.removeTeam(admins);
  const heir = sandbox.addTeam({ name: "admins", orgId });
  await fails(
    3,
    `team root \\(${admins}\\): It is gone, and .* teams/admins\\.yaml gives it the name admins, which ${heir.id} has\\. `,
  );
  sandbox.removeTeam(heir.id);

  sandbox.removeOrgMember(orgId, { username: gone });
  await fails(
    3,
    `team operators .*: usernames in teams/operators\\.yaml names ${gone}, who has no account in the organization`,
  );
  await writeFiles(setup, { "teams/operators.yaml": { name: "operators", usernames: [linus] } });

  sandbox.changeUser(sandbox.user({ username: linus })?.id ?? "", { username: second });
  const twice = { name: "orders", members: { [linus]: owns, [second]: owns } };
  await writeProjectFiles(setup, { "orders.yaml": twice });
  await fails(
    3,
    `project orders .*: members in projects/orders\\.yaml names one person twice, as linus.* and as linus\\.t`,
  );

  const file = { name: "orders", members: { [linus]: owns } };
  const archive = projectNamed(sandbox, "archive").id;
  await writeProjectFiles(setup, { "orders.yaml": file, "archive.yaml": { ...file, name: "archive" } });
  await fails(3, `project archive: projects/archive\\.yaml is new to the stack, and ${archive} has the name`);

  await writeProjectFiles(setup, { "archive.yaml": undefined });
  expect((await offboard(setup, ada)).lines(/refuses|Unknown/)).toEqual([]);
  await succeeded(stack.up({ refresh: true }));
  expect(peopleOf(setup, "added")).not.toContain(ada);
});

it("says that the next up fails where a list adds somebody beside whom logins by LDAP add people", async () => {
  const members = { [linus]: owns };
  const setup = await setUpOffboarding(
    {
      "orders.yaml": { name: "orders", members },
      "added.yaml": { name: "added", membership: "additive", members: { ...members, [ada]: reads } },
    },
    { ldap: true },
  );
  const { sandbox, stack } = setup;
  await succeeded(stack.up());
  const mapping = { roleName: "GROUP_OWNER", ldapGroups: ["cn=owners"] };
  sandbox.changeProject(projectNamed(sandbox, "orders").id, { ldapGroupMappings: [mapping] });
  const more = { name: "orders", members: { ...members, [grace]: reads } };
  await writeProjectFiles(setup, { "orders.yaml": more });
  const refused = await offboard(setup, ada);
  expect([refused.exitCode, refused.lines(/LDAP add/)]).toEqual([
    3,
    [expect.stringMatching(`^  project orders .* projects/orders\\.yaml cannot add ${grace}\\.`)],
  ]);
  expect((await stack.up({ continueOnError: true, refresh: true })).exitCode).not.toBe(0);
  expect(peopleOf(setup, "added")).toContain(ada);

  // As advised.
  await writeProjectFiles(setup, { "orders.yaml": { ...more, ignoreUsers: ["*@ldap.example.com"] } });
  expect((await offboard(setup, ada)).lines(/refuses|LDAP add/)).toEqual([]);
  await succeeded(stack.up({ refresh: true }));
  expect(peopleOf(setup, "added")).not.toContain(ada);
});

it("says nothing of a new file that another stack selects", async () => {
  const shard = { index: 0, count: 2 };
  const keys = Array.from({ length: 9 }, (_, index) => `part-${index}`);
  const [own = "", others = ""] = [true, false].map((wanted) =>
    keys.find((key) => isInShard(key, shard) === wanted),
  );
  const members = { [ada]: reads, [linus]: owns };
  const setup = await setUpOffboarding(
    { [`${own}.yaml`]: { name: "orders", members } },
    {},
    {},
    JSON.stringify({ shard }),
  );
  await succeeded(setup.stack.up());
  await writeProjectFiles(setup, { [`${others}.yaml`]: { name: "archive", members: { [linus]: owns } } });
  expect((await offboard(setup, ada)).lines(/refuses|is new/)).toEqual([]);
  await succeeded(setup.stack.up());
  expect(peopleOf(setup, "orders")).not.toContain(ada);
});

it("ends what comes through a team that loses its roles in the same run, also a team from outside the files", async () => {
  const file = (name: string, more: object) => ({ name, members: { [linus]: owns }, ...more });
  const setup = await setUpOffboarding({});
  const { sandbox, stack } = setup;
  const { id = "" } = sandbox.user({ username: ada }) ?? {};
  const outside = ["over", "left", "back"].map((name) => sandbox.addTeam({ name, orgId, userIds: [id] }));
  const [over = "", left = "", back = ""] = outside.map((team) => team.id);
  const roles = (days: number) => ({ roles: reads, until: day(days) });
  const files = (days: number, more: object) => ({
    "one.yaml": file("one", { externalTeams: { [over]: roles(days), [back]: roles(-1), ...more } }),
    "two.yaml": file("two", { onDestroy: "delete", externalTeams: { [left]: reads } }),
  });
  await writeProjectFiles(setup, files(1, { [left]: reads }));
  await succeeded(stack.up());
  sandbox.setProjectTeam(projectNamed(sandbox, "one").id, { teamId: back, roleNames: reads });
  // Nobody declares these, and they go with the project.
  sandbox.setMember(projectNamed(sandbox, "two").id, { username: ada }, reads);
  await writeProjectFiles(setup, { ...files(-1, {}), "two.yaml": undefined });
  await stack.setConfig({ "opsmanager:maxRemovalsPerRun": "1" });
  const refused = await offboard(setup, ada);
  expect([refused.exitCode, refused.lines(/ways of|the run/)]).toEqual([
    3,
    [
      "Without the refusals below, the next up would end 5 ways of access.",
      expect.stringMatching(/It would make 2 removals/),
    ],
  ]);
  expect(refused.lines(/^ {2}project (one|two)/)).toEqual([]);
  expect((await stack.up({ refresh: true })).exitCode).not.toBe(0);
  await stack.setConfig({ "opsmanager:maxRemovalsPerRun": "2" });
  await succeeded(stack.up({ refresh: true }));
  expect(sandbox.state.projects.map(({ name, teams: has }) => [name, has.length])).toEqual([
    ["archive", 0],
    ["one", 0],
  ]);
});

it("counts a key that other triggers replace where the next one does not get its roles, and says what keeps a project or team whose file was deleted", async () => {
  const people = { [ada]: reads, [linus]: owns };
  const ci = (renewed: string) => ({ description: "ci", roles: ["ORG_MEMBER"], triggers: { renewed } });
  const acme = (renewed: string) => ({
    "organizations/acme.yaml": {
      key: "acme",
      apiKeys: { ci: ci(renewed), other: { description: "other", roles: ["ORG_MEMBER"] } },
    },
  });
  const setup = await setUpOffboarding({
    "orders.yaml": { name: "orders", members: people, apiKeys: { ci: reads } },
    "gone.yaml": { name: "gone", members: people, onDestroy: "delete" },
  });
  const { sandbox, stack } = setup;
  const operators = { name: "operators", usernames: [ada, linus], onDestroy: "delete" };
  await writeFiles(setup, { ...acme("2026-01"), "teams/operators.yaml": operators });
  await succeeded(stack.up());
  const archive = projectNamed(sandbox, "archive").id;
  const { publicKey = "", roles = [] } = sandbox.state.keys.find(({ desc }) => desc === "ci") ?? {};
  sandbox.changeKey(publicKey, { roles: [...roles, { groupId: archive, roleName: "GROUP_READ_ONLY" }] });
  await writeFiles(setup, acme("2026-07"));
  await stack.setConfig({ "opsmanager:maxRemovalsPerRun": "3" });
  const counted = await offboard(setup, ada);
  expect([counted.exitCode, counted.lines(/the run|ways of/)]).toEqual([
    3,
    [
      "Without the refusals below, the next up would end 3 ways of access.",
      expect.stringMatching(/It would make 4 removals, .* allows 3\./),
    ],
  ]);
  expect((await stack.up({ refresh: true })).exitCode).not.toBe(0);
  await stack.setConfig({ "opsmanager:maxRemovalsPerRun": "4" });
  await succeeded(stack.up({ refresh: true }));

  // Nobody declares her there, and she would go with the project and the team.
  sandbox.setMember(projectNamed(sandbox, "gone").id, { username: ada }, reads);
  const { id: teamId = "", userIds = [] } = sandbox.state.teams[0] ?? {};
  sandbox.changeTeam(teamId, { userIds: [...userIds, sandbox.user({ username: ada })?.id ?? ""] });
  sandbox.setProjectTeam(archive, { teamId, roleNames: reads });
  const program = join(stack.paths.program, "index.js");
  const alone = await readFile(program, "utf8");
  const extra = JSON.stringify({ projectId: projectNamed(sandbox, "gone").id, teamId, roles: reads });
  await appendFile(program, `\nnew opsmanager.ProjectTeam("extra", ${extra});`);
  await succeeded(stack.up());
  await writeProjectFiles(setup, { "gone.yaml": undefined });
  await writeFiles(setup, { "teams/operators.yaml": undefined });
  const kept = await offboard(setup, ada);
  expect([kept.exitCode, kept.lines(/Its file was deleted|ways of/)]).toEqual([
    1,
    [
      "Without the refusals below, the next up would end 4 ways of access.",
      expect.stringMatching(
        /^ {2}team operators .*: Its file was deleted, but project archive .* still has it/,
      ),
      expect.stringMatching(
        /^ {2}\? project gone .*Its file was deleted, and the project stays while the program declares in it: extra \(ProjectTeam\)\.$/,
      ),
    ],
  ]);
  expect((await stack.up({ refresh: true, continueOnError: true })).exitCode).not.toBe(0);
  expect([sandbox.state.teams.length, peopleOf(setup, "gone")]).toEqual([1, [ada, linus, owner]]);
  await writeFile(program, alone);
  sandbox.changeProject(archive, { teams: [] });
  // The state has it until the up.
  expect((await offboard(setup, ada)).lines(/Its file was deleted/)).toHaveLength(1);
  await succeeded(stack.up({ refresh: true }));
  expect(sandbox.state.teams).toEqual([]);
});

it("refuses nothing because of colleagues who were renamed, and whom the files name as they are called now", async () => {
  const later = "linus.t@example.com";
  const one = (name: string) => ({ name: "one", maxRemovals: 1, members: { [ada]: owns, [name]: owns } });
  const added = (name: string) => ({
    name: "added",
    membership: "additive",
    members: { [ada]: owns, [name]: owns },
  });
  const files = (name: string) => ({
    "projects/one.yaml": one(name),
    "projects/added.yaml": added(name),
    "teams/operators.yaml": { name: "operators", maxRemovals: 1, usernames: [ada, name] },
  });
  const setup = await setUpOffboarding({});
  const { sandbox, stack } = setup;
  await writeFiles(setup, files(linus));
  await succeeded(stack.up());
  for (const name of ["one", "added"])
    sandbox.removeMember(projectNamed(sandbox, name).id, { username: owner });
  sandbox.changeUser(sandbox.user({ username: linus })?.id ?? "", { username: later });
  await writeFiles(setup, files(later));
  await stack.setConfig({ "opsmanager:maxRemovalsPerRun": "3" });
  const report = await offboard(setup, ada);
  expect([report.exitCode, report.lines(/refuses|Unknown|ways of/)]).toEqual([
    2,
    ["The next up ends 3 ways of access."],
  ]);
  await succeeded(stack.up({ refresh: true }));
  expect(["one", "added"].map((name) => peopleOf(setup, name))).toEqual([[later], [later]]);
  expect(teamsOf(sandbox)).toEqual({ operators: [later] });
});

it("counts the end of a renamed colleague, and nothing of a team or key that the file names in another property", async () => {
  const later = "linus.t@example.com";
  const files = (colleague: object, others: object) => ({
    "projects/one.yaml": { name: "one", members: { [ada]: reads, [owner]: owns }, ...others },
    "projects/added.yaml": { name: "added", membership: "additive", members: { [ada]: reads, ...colleague } },
  });
  const setup = await setUpOffboarding({});
  const { sandbox, stack } = setup;
  const key = { description: "ci", roles: ["ORG_MEMBER"] };
  await writeFiles(setup, {
    "organizations/acme.yaml": { key: "acme", apiKeys: { ci: key } },
    "teams/operators.yaml": { name: "operators", usernames: [grace] },
    ...files({ [linus]: reads }, { teams: { operators: reads }, apiKeys: { ci: reads } }),
  });
  await succeeded(stack.up());
  sandbox.changeUser(sandbox.user({ username: linus })?.id ?? "", { username: later });
  const { publicKey = "" } = sandbox.state.keys.find(({ desc }) => desc === "ci") ?? {};
  const { id = "" } = sandbox.state.teams[0] ?? {};
  await writeFiles(
    setup,
    files(
      { [later]: { roles: reads, until: day(-2) } },
      { externalTeams: { [id]: reads }, externalApiKeys: { [publicKey]: reads } },
    ),
  );
  await stack.setConfig({ "opsmanager:maxRemovalsPerRun": "2" });
  const refused = await offboard(setup, ada);
  expect([refused.exitCode, refused.lines(/the run/)]).toEqual([
    3,
    [expect.stringMatching(/It would make 3 removals, .* allows 2\./)],
  ]);
  expect((await stack.up({ refresh: true })).exitCode).not.toBe(0);
  await stack.setConfig({ "opsmanager:maxRemovalsPerRun": "3" });
  expect((await offboard(setup, ada)).lines(/refuses|Unknown/)).toEqual([]);
  await succeeded(stack.up({ refresh: true }));
  expect(["one", "added"].map((name) => peopleOf(setup, name))).toEqual([[owner], [owner]]);
});

it("says that access stays in a project or team whose file now names another organization", async () => {
  const other = "5f0000000000000000000009";
  const members = { [ada]: reads, [linus]: reads, [owner]: owns };
  const files = (more: object) => ({
    "projects/kept.yaml": { name: "kept", members, ...more },
    "projects/added.yaml": { name: "added", membership: "additive", members, ...more },
    "projects/deleted.yaml": { name: "deleted", onDestroy: "delete", members, ...more },
    "teams/operators.yaml": { name: "operators", usernames: [ada, linus], ...more },
  });
  const setup = await setUpOffboarding({});
  const { sandbox, stack } = setup;
  sandbox.addOrg({ id: other, name: "Other Org" });
  await writeFiles(setup, files({}));
  await succeeded(stack.up());
  const { id = "", roles = [] } = sandbox.user({ username: linus }) ?? {};
  sandbox.changeUser(id, { roles: [...roles, { orgId: other, roleName: "ORG_MEMBER" }] });
  await writeFiles(setup, files({ orgId: other }));
  const report = await offboard(setup, ada);
  expect([report.exitCode, report.lines(/refuses|Unknown|ways? of/)]).toEqual([
    2,
    ["The next up ends 1 way of access."],
  ]);
  expect(report.lines(/releases/)).toEqual([
    expect.stringMatching(/^ {2}team operators .*The next up releases operators \(Team\) and leaves/),
    expect.stringMatching(
      /^ {2}project added .*The next up releases added\/ada@example\.com \(ProjectMember\)/,
    ),
    expect.stringMatching(/^ {2}project kept .*The next up releases kept \(ProjectMembers\) and leaves/),
  ]);
  await succeeded(stack.up({ refresh: true }));
  const old = sandbox.state.projects.filter((project) => project.orgId === orgId);
  const hasAda = ({ id: groupId }: { readonly id: string }) =>
    sandbox.user({ username: ada })?.roles.some((role) => role.groupId === groupId) === true;
  expect(
    old
      .filter(hasAda)
      .map(({ name }) => name)
      .sort(),
  ).toEqual(["added", "archive", "kept"]);
  const { id: adaId = "" } = sandbox.user({ username: ada }) ?? {};
  expect(sandbox.state.teams.map(({ orgId: of, userIds }) => [of, userIds.includes(adaId)])).toEqual([
    [orgId, true],
    [other, false],
  ]);
});
