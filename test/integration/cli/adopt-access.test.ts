/** `opsmanager adopt`: the files of an organization's projects, teams, people and API keys. */
import { loadFiles } from "../../../projects/load";
import type { Sandbox, Seed } from "../../../sandbox";
import { sandboxes } from "../sandbox/with-sandbox";
import { adoptRuns } from "./adopt-run";

const start = sandboxes();
const { folder, adopt, listed, entries } = adoptRuns("all");

const orgId = "5f0000000000000000000001";
const [ada, grace, linus, carol] = ["ada", "grace", "linus", "carol"].map(
  (name) => `${name}@example.com`,
) as [string, string, string, string];
const owner = ["GROUP_OWNER"];
const roles = { [ada]: "ORG_OWNER", [grace]: "ORG_READ_ONLY", [linus]: "ORG_MEMBER" };

const seed: Seed = {
  orgs: [{ id: orgId, name: "Acme" }],
  users: Object.entries(roles).map(([username, roleName]) => ({ username, roles: [{ orgId, roleName }] })),
  teams: [{ name: "operators", usernames: [ada, linus] }],
  projects: [{ name: "payments", members: { [ada]: owner } }],
};

/** An organization with a key beside that of the command. */
async function startOrganization(options: Parameters<typeof start>[0] = {}) {
  const sandbox = await start({ seed, ...options });
  const access = [{ cidrBlock: "192.0.2.7/32", created: "2026-01-01T00:00:00Z" }];
  addKey(sandbox, "abcdwxyz", "pipeline", access);
  return sandbox;
}

function addKey(
  sandbox: Sandbox,
  publicKey: string,
  desc: string,
  accessList: Sandbox["state"]["keys"][number]["accessList"] = [],
) {
  return sandbox.addKey({ publicKey, desc, roles: [{ orgId, roleName: "ORG_READ_ONLY" }], accessList });
}

const loaded = () => loadFiles(".", folder.path);

it("writes a file for each project, each team and the organization, with the organization once and no secret", async () => {
  const sandbox = await startOrganization();
  sandbox.addOrgInvitation(orgId, { username: carol, roles: ["ORG_GROUP_CREATOR"] });
  const { exitCode, stdout, stderr } = await adopt(sandbox);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(stdout).toContain(
    "1 project file, 1 team file, and 1 organization file written to this folder, with 4 people (1 invited), 1 team, and 1 API key.\nimport.json lists 7 resources to import.\n_defaults.yaml has the organization of the new files.\n",
  );
  expect(stdout).toContain('"access": { type: opsmanager:AccessFolder, properties: { folder: "." } }');
  expect(Object.keys(folder.files())).toEqual([
    "_defaults.yaml",
    "import.json",
    "organizations/acme.yaml",
    "projects/payments.yaml",
    "teams/operators.yaml",
  ]);
  expect(folder.read("organizations/acme.yaml")).toBe(
    `# Written by \`opsmanager adopt\` from the existing organization. You can edit this file: adopt never replaces it.
# People and API keys that are not in this file are not managed. Those that leave it are removed.

key: acme # Name in Pulumi. Do not change it when you rename the file.
members:
  ada@example.com: [ORG_OWNER]
  carol@example.com: [ORG_GROUP_CREATOR]
  grace@example.com: [ORG_READ_ONLY]
apiKeys:
  pipeline:
    description: pipeline
    roles: [ORG_READ_ONLY]
    accessList: [192.0.2.7]
`,
  );
  expect(loaded().teams).toMatchObject([{ key: "operators", orgId, usernames: [ada, linus] }]);
  for (const { privateKey } of sandbox.state.keys)
    expect(JSON.stringify([folder.files(), stdout])).not.toContain(privateKey);
  expect(new Set(sandbox.requests.map(({ method }) => method))).toEqual(new Set(["GET"]));
});

it.each([
  { flag: "--members", chosen: { members: true, team: false, key: false, everyone: false } },
  { flag: "--teams", chosen: { members: false, team: true, key: false, everyone: false } },
  { flag: "--keys", chosen: { members: false, team: false, key: true, everyone: false } },
  { flag: "--everyone", chosen: { members: true, team: true, key: true, everyone: true } },
])("$flag chooses a part", async ({ flag, chosen }) => {
  await adopt(await startOrganization(), [flag]);
  const { projects, teams, organizations } = loaded();
  const [organization] = organizations;
  expect({
    members: projects[0]?.members !== undefined && organization?.members !== undefined,
    team: teams.length > 0,
    key: organization?.apiKeys !== undefined,
    everyone: Object.keys(organization?.members ?? {}).includes(linus),
  }).toEqual(chosen);
});

it("writes only what is new the next time, and drops what no longer exists from the list", async () => {
  const sandbox = await startOrganization();
  addKey(sandbox, "efghwxyz", "pipeline");
  await adopt(sandbox);
  sandbox.addTeam({ name: "Operators!" });
  const [team] = sandbox.state.teams;
  sandbox.removeTeam(team?.id ?? "");
  sandbox.removeKey("abcdwxyz");
  sandbox.removeOrgMember(orgId, { username: grace });
  const again = await adopt(sandbox);
  expect(again.stderr).toMatch(
    /Team "Operators!" \(\w+\) is left out, because a team file cannot declare it: usernames must not be empty/,
  );
  expect(again.stdout).toMatch(
    /Left out, .*: Team operators, OrganizationMember acme\/grace@example\.com, and ApiKey acme\/pipeline(-\w+)?\./,
  );
});

it("finds the key that a file means by its description or the end of its ID, and later by the list, but never one of several", async () => {
  const sandbox = await startOrganization();
  const ids = ["efghwxyz", "ijklwxyz"].map((publicKey) => addKey(sandbox, publicKey, "pipeline").id);
  const other = addKey(sandbox, "botkey", "bot").id;
  const file = (...keys: readonly (readonly [name: string, description: string])[]) => {
    const lines = keys.map(([name, text]) => `  ${name}: { description: ${text}, roles: [ORG_READ_ONLY] }`);
    folder.write({ "organizations/a.yaml": `key: acme\norgId: ${orgId}\napiKeys:\n${lines.join("\n")}\n` });
  };
  const keysListed = async () => {
    await adopt(sandbox);
    const keys = entries().filter(({ type }) => type.endsWith(":ApiKey"));
    return keys.map(({ logicalName, id = "" }) => [logicalName, id.split("/")[1]]);
  };
  file(["one", "bot"], ["two", "pipeline"], ["gone", "gone"]);
  expect(await keysListed()).toEqual([["acme/one", other]]);

  const [second = "", third = ""] = ids;
  sandbox.removeKey("abcdwxyz");
  file([`two-${second.slice(-6)}`, "pipeline"], ["two", "pipeline"]);
  const found = [
    [`acme/two-${second.slice(-6)}`, second],
    ["acme/two", third],
  ];
  expect(await keysListed()).toEqual(expect.arrayContaining(found));
  file([`two-${second.slice(-6)}`, "pipeline"], ["two", "renamed"]);
  expect(await keysListed()).toEqual(expect.arrayContaining(found));
});

it("takes a team by the ID in its file, and leaves an organization alone that has a file of any name", async () => {
  const sandbox = await startOrganization();
  const teamId = sandbox.state.teams[0]?.id ?? "";
  folder.write({
    "teams/ops.yaml": `name: Renamed\norgId: ${orgId}\nteamId: ${teamId.toUpperCase()}\nusernames: [${ada}]`,
    "organizations/any.yaml": `key: any\norgId: ${orgId}\nmembers: { ${grace}: [ORG_READ_ONLY] }`,
  });
  const { exitCode, stdout } = await adopt(sandbox);
  expect({ exitCode, stdout }).toEqual({
    exitCode: 0,
    stdout: expect.stringMatching(/^1 project file written to this folder,/),
  });
  expect(listed()).toEqual([
    "AccessFolder access",
    "OrganizationFile any",
    "Team ops",
    `OrganizationMember any/${grace}`,
    "Project payments",
    "ProjectMembers payments",
  ]);
});

it("leaves out, by name, the people and keys that a file cannot declare, and writes the others", async () => {
  const sandbox = await startOrganization();
  addKey(sandbox, "nodesc", "");
  addKey(sandbox, "hidden", "pipe\u200bline");
  sandbox.addOrgInvitation(orgId, { username: `${carol}\u200b`, roles: ["ORG_OWNER"] });
  const { exitCode, stderr } = await adopt(sandbox, ["--complete", "owners"]);
  expect(exitCode).toBe(1);
  expect(
    stderr
      .trim()
      .split("\n")
      .map((line) => line.replace(/(?<=\]): .*/, "")),
  ).toEqual([
    'opsmanager: The file of organization "Acme" (5f0000000000000000000001) omits members["carol@example.com\\u200b"]',
    expect.stringMatching(/ omits apiKeys\["key-\w{6}"\]$/),
    expect.stringMatching(/ omits apiKeys\["pipe-line"\]$/),
    "opsmanager: The organization file is not called complete: It lacks people or API keys that are named above.",
  ]);
  const [organization] = loaded().organizations;
  expect(Object.keys(organization?.members ?? {})).toEqual([ada, grace]);
  expect(Object.keys(organization?.apiKeys ?? {})).toEqual(["pipeline"]);
  expect(organization).not.toHaveProperty("complete");
});

it.each([
  { teamRolesInUsers: true, direct: owner },
  // A person without the role of the team shows that no role comes from it.
  { teamRolesInUsers: false, direct: ["GROUP_OWNER", "GROUP_READ_ONLY"] },
])(
  "a project file has the roles that people have themselves, beside those of their team: %j",
  async (each) => {
    const { teamRolesInUsers, direct } = each;
    const sandbox = await startOrganization({ teamRolesInUsers });
    const [project, team] = [sandbox.state.projects[0], sandbox.state.teams[0]];
    sandbox.setProjectTeam(project?.id ?? "", { teamId: team?.id ?? "", roleNames: ["GROUP_READ_ONLY"] });
    sandbox.setMember(project?.id ?? "", { username: ada }, direct);
    sandbox.setMember(project?.id ?? "", { username: linus }, owner);
    expect((await adopt(sandbox)).exitCode).toBe(0);
    expect(loaded().projects).toMatchObject([{ members: { [ada]: direct, [linus]: owner } }]);
  },
);

describe("project files name teams and keys", () => {
  const inProject = (sandbox: Sandbox, ...publicKeys: string[]) => {
    const projectId = sandbox.state.projects[0]?.id ?? "";
    const [team] = sandbox.state.teams;
    sandbox.setProjectTeam(projectId, { teamId: team?.id ?? "", roleNames: owner });
    for (const publicKey of publicKeys) {
      const key = sandbox.state.keys.find((each) => each.publicKey === publicKey);
      sandbox.changeKey(publicKey, {
        roles: [...(key?.roles ?? []), { groupId: projectId, roleName: "GROUP_OWNER" }],
      });
    }
    return [`ProjectTeam ${projectId}/${team?.id}`, ...publicKeys].map((text) => {
      const key = sandbox.state.keys.find(({ publicKey }) => publicKey === text);
      return key === undefined ? text : `ProjectApiKey ${projectId}/${key.id}`;
    });
  };
  const grants = () =>
    entries().flatMap(({ type, id }) => {
      const kind = type.split(":").at(-1) ?? "";
      return ["ProjectTeam", "ProjectApiKey"].includes(kind) ? [`${kind} ${id}`] : [];
    });

  it("by the names of the folder, of existing files and of new ones, and all others as the service does", async () => {
    const sandbox = await startOrganization();
    addKey(sandbox, "efghwxyz", "pipeline");
    sandbox.addKey({ publicKey: "norole", desc: "no role in the organization" });
    const imported = inProject(sandbox, "abcdwxyz", "efghwxyz", "norole");
    expect(await adopt(sandbox)).toMatchObject({ exitCode: 0, stderr: "" });
    const [first] = loaded().projects;
    const keys = Object.keys(loaded().organizations[0]?.apiKeys ?? {});
    expect([keys.length, first]).toEqual([
      2,
      expect.objectContaining({
        teams: { operators: owner },
        apiKeys: Object.fromEntries(keys.map((name) => [name, owner])),
        externalApiKeys: { norole: owner },
      }),
    ]);
    expect(grants().sort()).toEqual(imported.sort());

    // The same with files that exist: they alone say what the names are.
    const own = folder.read("organizations/acme.yaml").replace("  pipeline:", "  deploy:");
    folder.remove("projects", "organizations", "import.json");
    folder.write({
      "organizations/acme.yaml": own,
      "teams/operators.yaml": folder
        .read("teams/operators.yaml")
        .replace("name: operators", "name: ops\nteamId: TEAM"),
    });
    folder.write({
      "teams/operators.yaml": folder
        .read("teams/operators.yaml")
        .replace("TEAM", sandbox.state.teams[0]?.id ?? ""),
    });
    expect(await adopt(sandbox)).toMatchObject({ exitCode: 0, stderr: "" });
    expect(loaded().projects).toMatchObject([{ teams: { ops: owner }, externalApiKeys: { norole: owner } }]);
    expect(grants().sort()).toEqual(imported.sort());
  });

  it("as external ones if only some projects are adopted, and the folder stays valid when the others follow", async () => {
    const sandbox = await startOrganization();
    const imported = inProject(sandbox, "abcdwxyz");
    await adopt(sandbox, ["--name", "*"]);
    const external = { externalTeams: { operators: owner }, externalApiKeys: { abcdwxyz: owner } };
    expect(loaded().projects).toMatchObject([external]);
    expect(await adopt(sandbox)).toMatchObject({ exitCode: 0, stderr: "" });
    expect(loaded()).toMatchObject({ projects: [external], teams: [{ name: "operators" }] });
    expect(grants()).toEqual(expect.arrayContaining(imported));
  });
});

describe("complete", () => {
  it("is written on request, unless someone has access without being in the organization", async () => {
    const sandbox = await startOrganization();
    const complete = ["--complete", "members"];
    expect(await adopt(sandbox, complete)).toMatchObject({ exitCode: 0, stderr: "" });
    const everyone = { complete: "members", members: { [linus]: ["ORG_MEMBER"] } };
    expect(loaded().organizations).toMatchObject([everyone]);

    folder.remove("projects", "teams", "organizations", "import.json");
    const [project] = sandbox.state.projects;
    sandbox.addInvitation(project?.id ?? "", { username: carol, roles: owner });
    expect(await adopt(sandbox, complete)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(
        `The organization file is not called complete: ${carol} is not in members of organizations/acme.yaml`,
      ),
    });
    expect(loaded().organizations[0]).not.toHaveProperty("complete");
  });

  it("in a file that exists keeps out of new files whom that file lacks, so that the folder stays valid", async () => {
    const sandbox = await startOrganization();
    folder.write({
      "organizations/acme.yaml": `key: acme\norgId: ${orgId}\ncomplete: members\nmembers: { ${grace}: [ORG_READ_ONLY] }\n`,
    });
    const { exitCode, stderr } = await adopt(sandbox);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /The file of project "payments" .* omits members: .*ada@example\.com is not in members/,
    );
    expect(stderr).toMatch(/Team "operators" .* is left out, .* linus@example\.com is not in members/);
    expect(loaded().projects).toEqual([expect.not.objectContaining({ members: expect.anything() })]);
  });
});

it.each([
  {
    list: "/orgs/[^/]+/teams(\\?|$)",
    says: /The teams of organization \w+ could not be read, so none of them has a new file/,
  },
  {
    list: "/orgs/[^/]+/users",
    says: /The people of organization \w+ could not be read, so its file has no members/,
  },
  {
    list: "/orgs/[^/]+/apiKeys(\\?|$)",
    says: /The API keys of organization \w+ could not be read, so its file has no apiKeys/,
  },
  {
    list: "/accessList",
    says: /The access list of API key abcdwxyz could not be read, so its file has no accessList/,
  },
  {
    list: "/teams/[^/]+/users",
    says: /The people of team "operators" could not be read, so it has no file/,
  },
])("a list that cannot be read is named, and everything else is written: $list", async ({ list, says }) => {
  const sandbox = await startOrganization();
  sandbox.addFault({ method: "GET", pathPattern: list, times: 0, fault: { status: 403 } });
  const { exitCode, stderr } = await adopt(sandbox);
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringMatching(says) });
  expect(loaded().projects).toHaveLength(1);
});
