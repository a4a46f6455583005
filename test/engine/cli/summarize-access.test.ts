/**
 * What `opsmanager summarize` says about access, beside what the service has before and after. One run has all
 * rows, each in places of its own. A summary names those who gain or lose access, and no one else. Random worlds
 * check the same of updates; here are previews, and what the worlds leave out: moves, renamed accounts and secret people.
 */
import type { Sandbox, SeedProject, SeedTeam } from "../../../sandbox";
import { type Program, succeeded } from "../../support";
import { ada, bob, cleo, eve, grace, linus, owner, owners, readers, stranger } from "../../support/people";
import {
  accessIn,
  accountOf,
  changesBetween,
  having,
  type InProject,
  list,
  orgId,
  person,
  resource,
  seed,
  summarize,
  team,
} from "../support/access-words";
import { day } from "../support/days";
import { opsmanager } from "../support/opsmanager";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

type Resources = NonNullable<Program["resources"]>;

interface Row {
  /** The project and the team of the row have this name, if the service has them. */
  readonly title: string;
  readonly project?: Omit<SeedProject, "name">;
  readonly team?: Omit<SeedTeam, "name">;
  readonly before: (own: Own) => Resources;
  readonly after: (own: Own) => Resources;
  /** What others do after the first run. */
  readonly meanwhile?: (sandbox: Sandbox) => void;
  /** `+ada@example.com` in the project of the row; `-ada@example.com in team ops` elsewhere. */
  readonly changes: readonly string[];
  /** What the preview says, where it does not know yet. */
  readonly preview?: readonly string[];
  /** Changes that the summary covers with a sentence, because no resource of the run shows them. */
  readonly unseen?: readonly string[];
}

interface Own extends InProject {
  readonly teamId: string;
  /** A project to which rows move something. */
  readonly elsewhere: InProject;
}

const nothing = () => ({});
const past = "2020-12-31";
const key = (description: string, more: object = {}) =>
  resource("ApiKey", { orgId, description, roles: ["ORG_MEMBER"], ...more });

function back(box: Sandbox, title: string, username: string): void {
  const { id = "" } = box.state.projects.find(({ name }) => name === title) ?? {};
  box.setMember(id, { username }, [...readers]);
}

const rows: readonly Row[] = [
  {
    title: "a list changes",
    project: having(),
    before: (own) => ({ list1: list(own, { [ada]: readers, [bob]: readers }) }),
    after: (own) => ({ list1: list(own, { [ada]: owners, [eve]: readers }) }),
    changes: [`+${eve}`, `-${bob}`],
  },
  {
    title: "a new list that removes unlisted people",
    project: having({ [stranger]: owners, [ada]: readers }),
    before: nothing,
    after: (own) => ({ list7: list(own, { [eve]: readers }, { removeUnlisted: true }) }),
    changes: [`+${eve}`, `-${ada}`, `-${stranger}`],
  },
  {
    title: "another secret person",
    project: having(),
    before: (own) => ({ person8: person(own, { "fn::secret": cleo }) }),
    after: (own) => ({ person8: person(own, { "fn::secret": linus }) }),
    changes: ["+[secret]", "-[secret]"],
  },
  {
    title: "a person moves",
    project: having(),
    before: (own) => ({ move1: person(own, ada) }),
    after: (own) => ({ move1: person(own.elsewhere, ada) }),
    changes: [`-${ada}`, `+${ada} in project elsewhere`],
  },
  {
    title: "a person with another name",
    project: having(),
    before: (own) => ({ move6: list(own, { "first@example.com": readers, [ada]: readers }) }),
    meanwhile: (box) =>
      void box.changeUser(accountOf(box, "first@example.com"), { username: "later@example.com" }),
    after: (own) => ({ move6: list(own, { "later@example.com": readers }) }),
    changes: [`-${ada}`],
  },
  {
    title: "a replaced project",
    before: () => ({
      move7: resource("Project", { orgId, name: "a replaced project" }),
      move7b: resource("ProjectMember", { projectId: "${move7.projectId}", username: ada, roles: readers }),
    }),
    after: () => ({
      move7: resource("Project", { orgId, name: "its replacement" }, { replaceOnChanges: ["name"] }),
      move7b: resource("ProjectMember", { projectId: "${move7.projectId}", username: ada, roles: readers }),
    }),
    changes: [`-${ada}`, `+${ada} in project its replacement`],
    unseen: [`-${owner}`, `+${owner} in project its replacement`],
  },
  {
    title: "a secret list changes",
    project: having(),
    before: (own) => ({
      move8: list(own, {}, { members: { "fn::secret": { [owner]: owners, [ada]: readers } } }),
    }),
    after: (own) => ({
      move8: list(own, {}, { members: { "fn::secret": { [owner]: owners, [bob]: readers } } }),
    }),
    changes: [],
    unseen: [`-${ada}`, `+${bob}`],
  },
  {
    title: "a deleted team",
    project: having(),
    before: ({ projectId }) => ({
      team5: team("a deleted team", [ada, bob]),
      team5b: resource("ProjectTeam", { projectId, teamId: "${team5.teamId}", roles: readers }),
    }),
    after: nothing,
    changes: ["-team a deleted team", `-${ada} in team`, `-${bob} in team`],
  },
  {
    title: "a new team with roles",
    project: having(),
    before: nothing,
    after: ({ projectId }) => ({
      team6: team("a new team with roles", [ada]),
      team6b: resource(
        "ProjectTeam",
        { projectId, teamName: "a new team with roles", roles: owners },
        { dependsOn: ["${team6}"] },
      ),
    }),
    changes: ["+team a new team with roles", `+${ada} in team`],
  },
  {
    title: "a deleted project with a released person",
    before: () => ({
      box6: resource("Project", { orgId, name: "a deleted project with a released person" }),
      box6b: resource("ProjectMember", {
        projectId: "${box6.projectId}",
        username: bob,
        roles: readers,
        onDestroy: "release",
      }),
    }),
    after: nothing,
    changes: [`-${bob}`],
    unseen: [`-${owner}`],
  },
  {
    title: "a project that is only released",
    project: having(),
    team: { usernames: [ada] },
    before: ({ projectId, teamId }) => ({
      box2: resource("Project", { projectId, orgId, name: "a project that is only released" }),
      box2b: resource("ProjectTeam", { projectId, teamId, roles: readers }, { deletedWith: "${box2}" }),
      box2c: person({ projectId }, ada, {}, { deletedWith: "${box2}" }),
    }),
    after: nothing,
    changes: [],
  },
  {
    title: "mappings to groups",
    before: () => ({
      box3: resource("Project", {
        orgId,
        name: "mappings to groups",
        idpGroupMappings: [
          { roleName: "GROUP_OWNER", idpGroups: ["owners", "admins"] },
          { roleName: "GROUP_READ_ONLY", idpGroups: ["admins"] },
        ],
      }),
    }),
    after: () => ({
      box3: resource("Project", {
        orgId,
        name: "mappings to groups",
        idpGroupMappings: [{ roleName: "GROUP_OWNER", idpGroups: ["admins", "others"] }],
      }),
    }),
    changes: ["+identity provider group others", "-identity provider group owners"],
  },
  {
    title: "a person leaves the organization",
    project: having({ [grace]: readers }),
    team: { usernames: [grace] },
    before: (own) => ({
      box4: resource("OrganizationMember", { orgId, username: grace, roles: ["ORG_MEMBER"] }),
      box4b: list(own, { [ada]: readers }),
      box4c: team("a person leaves the organization", [ada], { teamId: own.teamId }),
    }),
    after: (own) => ({
      box4b: list(own, { [ada]: readers }),
      box4c: team("a person leaves the organization", [ada], { teamId: own.teamId }),
    }),
    changes: [`-${grace}`, `-${grace} in team`, `-${grace} in organization`],
  },
  {
    title: "a rotated key",
    project: having(),
    before: ({ projectId }) => ({
      key2: resource("ApiKey", {
        orgId,
        description: "rotated",
        roles: ["ORG_MEMBER"],
        triggers: { month: "1" },
      }),
      key2b: resource("ProjectApiKey", { projectId, keyId: "${key2.keyId}", roles: readers }),
    }),
    after: ({ projectId }) => ({
      key2: resource("ApiKey", {
        orgId,
        description: "rotated",
        roles: ["ORG_MEMBER"],
        triggers: { month: "2" },
      }),
      key2b: resource("ProjectApiKey", { projectId, keyId: "${key2.keyId}", roles: readers }),
    }),
    changes: [
      "+API key rotated in organization",
      "-API key rotated in organization",
      "+API key rotated",
      "-API key rotated",
    ],
    preview: [
      "+API key rotated in organization",
      "-API key rotated in organization",
      "+API key not known yet (ProjectApiKey key2b)",
      "-API key rotated",
    ],
  },
  {
    title: "an ended person, and another one",
    project: having(),
    before: (own) => ({ end1: person(own, bob, { until: past }) }),
    after: (own) => ({ end1: person(own, cleo) }),
    changes: [`+${cleo}`],
  },
  {
    title: "an ended person who is back, and another one",
    project: having(),
    before: (own) => ({ end2: person(own, bob, { until: past }) }),
    meanwhile: (box) => back(box, "an ended person who is back, and another one", bob),
    after: (own) => ({ end2: person(own, cleo) }),
    changes: [`+${cleo}`, `-${bob}`],
  },
  {
    title: "an ended person, and another one whose day is over",
    project: having({ [cleo]: readers }),
    before: (own) => ({ end3: person(own, bob, { until: past }) }),
    after: (own) => ({ end3: person(own, cleo, { until: past }) }),
    changes: [`-${cleo}`],
  },
  {
    title: "an ended person who is back, and leaves the program",
    project: having(),
    before: (own) => ({ end4: person(own, bob, { until: past }) }),
    meanwhile: (box) => back(box, "an ended person who is back, and leaves the program", bob),
    after: nothing,
    changes: [`-${bob}`],
  },
  {
    title: "an ended person with a later day",
    project: having(),
    before: (own) => ({ end5: person(own, bob, { until: past }) }),
    after: (own) => ({ end5: person(own, bob) }),
    changes: [`+${bob}`],
  },
  {
    title: "a key that was never made, with a later day",
    before: () => ({ end6: key("late", { until: past }) }),
    after: () => ({ end6: key("late") }),
    changes: ["+API key late in organization"],
  },
  {
    title: "a key of agents",
    project: having(),
    before: ({ projectId }) => ({
      key4: resource("AgentApiKey", { projectId, description: "old agents" }),
      key4b: resource("AgentApiKey", { projectId, description: "kept agents", onDestroy: "release" }),
    }),
    after: ({ projectId }) => ({ key4: resource("AgentApiKey", { projectId, description: "new agents" }) }),
    changes: ["+agent API key new agents", "-agent API key old agents"],
  },
];

it("names those who gain access and those who lose it, and no one else", async () => {
  const { sandbox, stack } = await setUpStack({
    sandbox: {
      bypassInvitations: true,
      idpMappings: "present",
      orgUserChanges: "offered",
      seed: {
        ...seed,
        projects: [
          { name: "elsewhere", ...having() },
          ...rows.flatMap(({ title, project }) => (project ? [{ name: title, ...project }] : [])),
        ],
        teams: rows.flatMap(({ title, team }) => (team ? [{ name: title, ...team }] : [])),
      },
    },
    program: (box) => programOf(box, "before"),
  });
  await succeeded(stack.up());
  for (const { meanwhile } of rows) meanwhile?.(sandbox);
  const before = accessIn(sandbox);
  await stack.setProgram(programOf(sandbox, "after"));
  const preview = await summarize(stack, sandbox, "preview");
  const update = await summarize(stack, sandbox, "up", "--yes", "--skip-preview");
  const placed = (changesOf: (row: Row) => readonly string[]) =>
    rows.flatMap((row) => changesOf(row).map((change) => inPlace(change, row.title))).sort();
  expect(changesBetween(before, accessIn(sandbox)).map(masked).sort()).toEqual(
    placed(({ changes, unseen = [] }) => [...changes, ...unseen]),
  );
  expect(update.changes).toEqual(placed(({ changes }) => changes));
  expect(update.plan).toContain(`  organization Example Org (${orgId}): `);
  expect(update.plan).toContain("perhaps another access for [secret] (everyone in ProjectMembers move8)");
  expect(preview.changes).toEqual(placed(({ changes, preview: said = changes }) => said));
});

it("does not know whom a new list of the dynamic provider may remove, nor whom a limit keeps", async () => {
  const peopleOf = (
    { state }: Sandbox,
    members: Parameters<typeof list>[1],
    more: Parameters<typeof list>[2],
  ) => {
    const projectId = state.projects[0]?.id ?? "";
    return { resources: { people: list({ projectId }, members, more) } };
  };
  const { sandbox, stack } = await setUpStack({
    provider: "dynamic",
    sandbox: { seed: { ...seed, projects: [{ name: "payments", ...having({ [ada]: readers }) }] } },
    program: (box) => peopleOf(box, { [ada]: readers }, { until: { [ada]: past } }),
  });
  const { plan } = await summarize(stack, sandbox, "preview");
  expect(plan).toContain(`perhaps another access for ${ada}`);

  await stack.setProgram(peopleOf(sandbox, { [ada]: readers, [bob]: readers }, {}));
  await succeeded(stack.up());
  await stack.setProgram(peopleOf(sandbox, {}, { maxRemovals: 1 }));
  const limited = await summarize(stack, sandbox, "preview");
  expect(limited.changes).toEqual([]);
  expect(limited.plan).toContain(`: 1 to change, perhaps another access for ${ada}, ${bob}\n`);
  expect(await summarize(stack, sandbox, "up", "--yes", "--skip-preview")).toMatchObject({
    exitCode: 1,
    changes: [],
  });
});

it("an account with another name is the same person without a refresh, as far as the organization shows its name", async () => {
  const people = (sandbox: Sandbox, first: string) => {
    const [payments, single] = sandbox.state.projects.map(({ id }) => ({ projectId: id }));
    return {
      resources: {
        list: list(payments ?? { projectId: "" }, { [first]: readers }),
        one: person(single ?? { projectId: "" }, first),
      },
    };
  };
  const { sandbox, stack } = await setUpStack({
    provider: "dynamic",
    sandbox: {
      bypassInvitations: true,
      seed: { ...seed, projects: ["payments", "single"].map((name) => ({ name, ...having() })) },
    },
    program: (box) => people(box, "first@example.com"),
  });
  await succeeded(stack.up());
  sandbox.changeUser(accountOf(sandbox, "first@example.com"), { username: "later@example.com" });
  await stack.setProgram(people(sandbox, "later@example.com"));
  expect(await summarize(stack, sandbox, "preview")).toMatchObject({ exitCode: 0, changes: [] });
  expect(await summarize(stack, sandbox, "up", "--yes", "--skip-preview")).toMatchObject({
    exitCode: 0,
    changes: [],
  });
});

it("without a refresh, a renamed account has its present name, and whoever leaves is named even if the state lacks them", async () => {
  const [first, later] = ["first@example.com", "later@example.com"];
  const programOf = (box: Sandbox, isChanged: boolean): Program => {
    const payments = { projectId: box.state.projects[0]?.id ?? "" };
    return {
      resources: {
        list: list(payments, { [first]: isChanged ? owners : readers }, { removeUnlisted: isChanged }),
        ops: team("ops", isChanged ? [ada] : [ada, first]),
      },
    };
  };
  const { sandbox, stack } = await setUpStack({
    config: { "opsmanager:refreshBeforeUpdate": "false" },
    sandbox: { bypassInvitations: true, seed: { ...seed, projects: [{ name: "payments", ...having() }] } },
    program: (box) => programOf(box, false),
  });
  await succeeded(stack.up());
  sandbox.changeUser(accountOf(sandbox, first), { username: later });
  back(sandbox, "payments", stranger);
  await stack.setProgram(programOf(sandbox, true));
  for (const command of [["preview"], ["up", "--yes", "--skip-preview"]]) {
    const { plan, changes } = await summarize(stack, sandbox, ...command);
    expect(plan).toContain(`  new owner: ${later} (GROUP_OWNER) in project payments, made by the program\n`);
    expect(changes).toEqual([`-${later} in team ops`, `-${stranger} in project payments`]);
    // Only the changed values have the name by which the program declares the account.
    expect(plan.split("\n").filter((line) => line.includes(first) && !/^[-+]/.test(line))).toEqual([]);
  }
});

/** What the program keeps secret. */
function masked(change: string): string {
  return change.replace(/\S+(?= in project another secret person$)/, (who) => `${who[0]}[secret]`);
}

function programOf(sandbox: Sandbox, when: "before" | "after"): Program {
  const { projects, teams: existing } = sandbox.state;
  const idOf = (all: readonly { readonly id: string; readonly name: string }[], title: string) =>
    all.find(({ name }) => name === title)?.id ?? "";
  const inProject = (title: string) => ({ projectId: idOf(projects, title) });
  const own = (title: string): Own => ({
    ...inProject(title),
    teamId: idOf(existing, title),
    elsewhere: inProject("elsewhere"),
  });
  return { resources: Object.assign({}, ...rows.map((row) => row[when](own(row.title)))) };
}

/** `+ada@example.com in project a list changes` */
function inPlace(change: string, title: string): string {
  if (/ in (organization|project .*)$/.test(change)) return change;
  if (change.endsWith(" in team")) return `${change} ${title}`;
  return `${change} in project ${title}`;
}

it("a preview says of a removal that the service refused before only that the access may change", async () => {
  const member = (username: string, more: object = {}) =>
    resource("OrganizationMember", { orgId, username, roles: ["ORG_MEMBER"], ...more });
  const { stack } = await setUpStack({
    sandbox: { seed },
    program: () => ({ resources: { ada: member(ada), bob: member(bob, { until: day(1) }) } }),
  });
  await succeeded(stack.up());
  await stack.setProgram({ resources: { ada: member(ada), bob: member(bob, { until: day(-2) }) } });
  await succeeded(stack.up());
  await stack.setProgram({});
  const { stdout } = await opsmanager(stack, ["summarize", "preview"]);
  expect(stdout).toMatch(/^Preview of test: 2 to delete, 1 loses access$/m);
  expect(stdout).toMatch(
    /^Only Cloud Manager documents how to remove people .* leave them there: ada@example\.com\.$/m,
  );
  expect(stdout).toMatch(
    /^ {2}organization .*: 2 to delete, no more access for ada@example\.com, .*bob@example\.com/m,
  );
});

it.each(["plugin", "dynamic"] as const)(
  "a preview (%s) names who gets access, and who becomes an owner, in a project that replaces another one, although its list stays as it is",
  async (provider) => {
    const elsewhere = "5f0000000000000000000009";
    const moving = (toOrgId: string): Program => ({
      resources: {
        d: resource("Project", { orgId: toOrgId, name: "d", onDestroy: "delete" }),
        people: list({ projectId: "${d.projectId}" }, { [ada]: readers }),
      },
    });
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: {
        bypassInvitations: true,
        seed: { ...seed, orgs: [...seed.orgs, { id: elsewhere, name: "Other Org" }] },
      },
      program: () => moving(orgId),
    });
    await succeeded(stack.up());
    await stack.setProgram(moving(elsewhere));
    const changes = [ada, owner].flatMap((name) => [`+${name} in project d`, `-${name} in project d`]).sort();
    for (const command of [["preview"], ["up", "--yes"]]) {
      const said = await summarize(stack, sandbox, ...command);
      expect(said).toMatchObject({ exitCode: 0, changes });
      expect(said.plan).toContain(
        `\n  new owner: ${owner} (GROUP_OWNER) in project d, made by the program\n`,
      );
    }
    expect(sandbox.state.projects.map((project) => project.orgId)).toEqual([elsewhere]);
  },
);
