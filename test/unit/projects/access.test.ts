/** A folder with files of all kinds. What holds for files of any kind is asserted of project files, in the other tests. */
import type { AccessFiles } from "../../../projects/access-files";
import { faultLine, type ProjectFilesError } from "../../../projects/faults";
import { loadFiles } from "../../../projects/load";
import { selectFiles } from "../../../projects/select";
import { type Files, folderOf, orgId, removeFolders } from "./folder";

afterEach(removeFolders);

const other = "5f0c0c0c0c0c0c0c0c0c0c0d";

const load = (files: Files, folder = "."): AccessFiles => loadFiles(folder, folderOf(files));

function faultsOf(files: Files): string[] {
  try {
    load(files);
  } catch (error) {
    return (error as ProjectFilesError).faults.map(faultLine);
  }
  return [];
}

const acme = `orgId: ${orgId}\nmembers: { ada@example.com: [ORG_OWNER] }`;

it("reads the files of the three subfolders, with the organization of all in the defaults of the folder", () => {
  const files = load({
    "_defaults.yaml": `orgId: ${orgId}`,
    "Pulumi.yaml": "name: infra",
    "projects/payments.yaml": "name: payments",
    "teams/_defaults.yaml": "maxRemovals: 2",
    "teams/emea/operators.yaml":
      "name: Operators\nteamId: 5f0000000000000000000be1\nusernames: [ada@example.com]\nremoveUnlisted: true",
    "organizations/acme.yaml":
      "key: acme-eu\ncomplete: owners\nmembers: { ada@example.com: [ORG_OWNER] }\napiKeys:\n  ci: { description: pipeline, roles: [ORG_MEMBER], accessList: [192.0.2.0/24], triggers: { renewed: '2026-07' } }",
  });
  expect(files).toEqual({
    projects: [expect.objectContaining({ key: "payments", orgId })],
    teams: [
      {
        file: "teams/emea/operators.yaml",
        key: "operators",
        orgId,
        name: "Operators",
        teamId: "5f0000000000000000000be1",
        usernames: ["ada@example.com"],
        maxRemovals: 2,
        removeUnlisted: true,
        onDestroy: "release",
      },
    ],
    organizations: [
      {
        file: "organizations/acme.yaml",
        key: "acme-eu",
        orgId,
        complete: "owners",
        members: { "ada@example.com": ["ORG_OWNER"] },
        apiKeys: {
          ci: {
            description: "pipeline",
            roles: ["ORG_MEMBER"],
            accessList: ["192.0.2.0/24"],
            triggers: { renewed: "2026-07" },
          },
        },
      },
    ],
  });
});

it.each<{ what: string; files: Files; faults: unknown[] }>([
  {
    what: "no file in the subfolders",
    files: { "Pulumi.yaml": "name: infra", "teams/README.md": "" },
    faults: [
      expect.stringContaining(
        "There is no file in projects/, teams/, organizations/ of this folder (*.yaml, *.yml, *.json). To release everything, remove AccessFolder from the program.",
      ),
    ],
  },
  {
    what: "a subfolder that is a link",
    files: { "shared/a.yaml": "name: a", teams: { linkTo: "shared" }, "organizations/acme.yaml": acme },
    faults: [
      "teams: This is a symbolic link to a folder, which is not followed. Put the file itself here, or share a file with extends.",
    ],
  },
  {
    what: "defaults of all kinds with what one kind has",
    files: {
      "_defaults.yaml": "tags: [PROD]\nonDestroy: delete\nzzz: 1",
      "organizations/acme.yaml": acme,
    },
    faults: [
      " Move tags to projects/_defaults.yaml.",
      " Move onDestroy to projects/_defaults.yaml or teams/_defaults.yaml.",
      "",
    ].map(
      (move, index) =>
        `_defaults.yaml:${index + 1}:1: The files of all three folders inherit from this one, so it holds orgId and $schema only.${move}`,
    ),
  },
  {
    what: "values of an organization",
    files: {
      "organizations/a.yaml": `orgId: ${orgId}`,
      "organizations/b.yaml": `orgId: ${other}\nmembers: {}\nidpGroupMappings: [{ roleName: GROUP_OWNER, idpGroups: [a, a] }]`,
      "organizations/c.yaml": "complete: owners\napiKeys: { ci: { description: a, roles: [ORG_MEMBER] } }",
      "organizations/d.yaml":
        "key: acme\nmembers: { ada: [GROUP_OWNER], bob: [ORG_MEMBER], Bob: [ORG_MEMBER] }\napiKeys:\n  ci: { desc: a, roles: [ORG_OWNR], accessList: [300.0.0.1] }\n  a/b: { description: b, roles: [ORG_MEMBER] }\n  c: text",
    },
    faults: [
      "organizations/a.yaml:1:1: The file declares nothing. Add one of members, apiKeys, ldapGroupMappings, idpGroupMappings, name, or delete the file.",
      "organizations/b.yaml:2:1: members must not be empty. To remove nobody, delete the file or list who stays.",
      expect.stringMatching(
        /^\S+b.yaml:3:32: idpGroupMappings\[0\].roleName contains "GROUP_OWNER", which is a role/,
      ),
      'organizations/b.yaml:3:45: idpGroupMappings[0].idpGroups contains "a" more than once.',
      "organizations/c.yaml:1:1: complete requires members. List the people, or remove complete.",
      "organizations/c.yaml:2:1: key is missing, and a renamed file would create every API key again. Write key: c.",
      expect.stringMatching(/^\S+:2:18: members.ada contains "GROUP_OWNER", which is a role of a project/),
      expect.stringMatching(
        /^\S+:2:51: members names one person more than once.* The other is in organizations\/d.yaml:2:32\.$/,
      ),
      "organizations/d.yaml:4:9: desc is not a property in apiKeys.ci. Did you mean description?",
      expect.stringMatching(/^\S+:4:26: apiKeys.ci.roles contains "ORG_OWNR".* Did you mean ORG_OWNER\?$/),
      expect.stringMatching(/^\S+:4:50: apiKeys.ci.accessList\[0\] "300.0.0.1" /),
      'organizations/d.yaml:5:3: apiKeys["a/b"] must not contain ::, / or \\.',
      "organizations/d.yaml:6:6: apiKeys.c must be a map of properties.",
    ],
  },
  {
    what: "values of a team",
    files: {
      "teams/_defaults.yaml": "teamId: 5f0000000000000000000be1",
      "teams/a.yaml": "name: a\nmembers: [ada]\nusernames: [ada, Ada]",
      "teams/b.yaml": "maxRemovals: 1",
      "teams/c.yaml": "",
    },
    faults: [
      "teams/_defaults.yaml:1:1: teamId is not inherited. Move it to the file of the team.",
      "teams/a.yaml:2:1: members is not a property. Did you mean usernames?",
      'teams/a.yaml:3:1: usernames contains "ada" more than once; case does not count.',
      "teams/b.yaml:1:1: name is missing. Set the team's name in the service, such as name: b.",
      "teams/b.yaml:1:1: usernames is missing. List the people of the team, here or in a file that this one extends.",
      "teams/c.yaml: The file is empty. Write the team into it, or delete the file to release its team.",
    ],
  },
  {
    what: "fewer owners than there must be, now or after a day",
    files: {
      "organizations/acme.yaml":
        "key: acme\nminOwners: 1\nmembers: { ada: { roles: [ORG_OWNER], until: 2999-12-31 }, bob: [ORG_MEMBER] }",
      "organizations/keys.yaml": `key: keys\norgId: ${other}\nminOwners: 1\napiKeys: { ci: { description: a, roles: [ORG_OWNER] } }`,
      "projects/_defaults.yaml": "minOwners: 2",
      "projects/enough.yaml": "name: enough\nmembers: { ada: [GROUP_OWNER], bob: [GROUP_OWNER] }",
      "projects/few.yaml": "name: few\nmembers: { ada: [GROUP_OWNER], bob: [GROUP_READ_ONLY] }",
      "projects/later.yaml":
        "name: later\nmembership: additive\nmembers:\n  ada: { roles: [GROUP_OWNER], until: 2999-12-31 }\n  bob: { roles: [GROUP_OWNER], until: 2998-12-31 }\n  eve: [GROUP_OWNER]",
      "projects/none.yaml": "name: none",
      "projects/nobody/_defaults.yaml": "removeUnlisted: true\nmembers: { bob: [GROUP_READ_ONLY] }",
      "projects/nobody/fault.yaml": "name: fault",
      "projects/nobody/meant.yaml": "name: meant\nminOwners: 0",
    },
    faults: [
      "organizations/acme.yaml:3:1: minOwners is 1, but after 2999-12-31 members lists nobody with ORG_OWNER. Name another owner.",
      "organizations/keys.yaml:3:1: minOwners requires members. List the people, or remove minOwners.",
      "projects/few.yaml:2:1: minOwners is 2, but members lists only ada with GROUP_OWNER. Name another owner.",
      "projects/later.yaml:3:1: minOwners is 2, but after 2999-12-31 members lists only eve with GROUP_OWNER. Name another owner.",
      "projects/nobody/_defaults.yaml:2:1: minOwners is 2, but members lists nobody with GROUP_OWNER. Name another owner.",
    ],
  },
  {
    what: "a list that would remove every owner",
    files: {
      "projects/_defaults.yaml": "removeUnlisted: true\nmembers: { bob: [GROUP_READ_ONLY] }",
      "projects/fault.yaml":
        "name: fault\nmembers: { eve: [GROUP_READ_ONLY] }\nexternalTeams: { operators: [GROUP_READ_ONLY] }",
      "projects/ignored.yaml": 'name: ignored\nignoreUsers: ["root-*"]',
      "projects/meant.yaml": "name: meant\nminOwners: 0",
      "projects/team.yaml": "name: team\nexternalTeams: { operators: [GROUP_OWNER] }",
    },
    faults: [
      "projects/fault.yaml:2:1: removeUnlisted: true removes every owner, because nobody in members has GROUP_OWNER. Name an owner, or write minOwners: 0 if the project has none.",
    ],
  },
  {
    what: "a team and an organization in two files",
    files: {
      "teams/a.yaml": "name: a\nusernames: [ada]",
      "teams/b.yaml": "name: a\nusernames: [bob]",
      "organizations/a.yaml": acme,
      "organizations/b.yaml": acme,
    },
    faults: [
      "organizations/b.yaml:1:8: This organization is also declared by organizations/a.yaml. Keep one file for each organization.",
      'teams/b.yaml:1:7: The team "a" is also declared by teams/a.yaml. Keep one file for each team.',
    ],
  },
])("$what", ({ files, faults }) => {
  expect(faultsOf(files)).toEqual(faults);
});

describe("complete: members", () => {
  const complete = `${acme}\ncomplete: members`;
  const outside = (name: string) =>
    `${name} is not in members of organizations/acme.yaml, which lists the people of the organization completely. Add the person there, or remove them here.`;

  it("finds each person of the organization's projects and teams who is not in it, once, whatever a stack selects", () => {
    const files = {
      "organizations/acme.yaml": complete,
      "projects/_people.yaml": "members: { eve@example.com: [GROUP_OWNER] }",
      "projects/a.yaml": `orgId: ${orgId}\nname: a\nextends: _people.yaml\nmembers: { ADA@example.com: [GROUP_OWNER] }`,
      "projects/elsewhere.yaml": `orgId: ${other}\nname: b\nmembers: { bob@example.com: [GROUP_OWNER] }`,
      "teams/t.yaml": `orgId: ${orgId.toUpperCase()}\nname: t\nusernames: [ada@example.com, bob@example.com, eve@example.com, ada@exmaple.com]`,
    };
    expect(faultsOf(files)).toEqual([
      `projects/_people.yaml:1:12: ${outside("eve@example.com")} The name is also in teams/t.yaml:3:47.`,
      `teams/t.yaml:3:30: ${outside("bob@example.com")}`,
      `teams/t.yaml:3:64: ${outside("ada@exmaple.com")} Did you mean ada@example.com?`,
    ]);
    expect(faultsOf({ ...files, "organizations/acme.yaml": `${acme}\ncomplete: owners` })).toEqual([]);
  });

  it("needs to know the organization of each file with people", () => {
    const reason =
      "orgId is missing. complete: members compares the files of one organization, so all of them must name it, or none.";
    const team = { "teams/t.yaml": "name: t\nusernames: [bob]" };
    expect(faultsOf({ "organizations/acme.yaml": complete, ...team })).toEqual([
      `teams/t.yaml:1:1: ${reason}`,
    ]);
    const unnamed = complete.replace(/^.*\n/, "");
    expect(faultsOf({ "organizations/acme.yaml": unnamed, ...team })).toEqual([
      `teams/t.yaml:2:13: ${outside("bob")}`,
    ]);
    expect(
      faultsOf({
        "organizations/acme.yaml": unnamed,
        "teams/t.yaml": `orgId: ${orgId}\nname: t\nusernames: [ada]`,
      }),
    ).toEqual([`organizations/acme.yaml:1:1: ${reason}`]);
  });
});

it("gives each file to one part only", () => {
  const files = load({
    "projects/emea/a.yaml": `orgId: ${orgId}\nname: a`,
    "projects/b.yaml": `orgId: ${other}\nname: b`,
    "teams/c.yaml": `orgId: ${other}\nname: c\nusernames: [ada]`,
    "organizations/acme.yaml": acme,
  });
  const keysOf = (select: Parameters<typeof selectFiles>[1]) =>
    Object.values(selectFiles(files, select, ".")).map((kind) => kind.map(({ key }: { key: string }) => key));
  expect(keysOf({ orgId })).toEqual([["a"], [], ["acme"]]);
  const parts = [0, 1, 2].map((index) => keysOf({ shard: { index, count: 3 } }).flat());
  expect(parts.flat().sort()).toEqual(["a", "acme", "b", "c"]);
});

it.each([
  { name: "team", meant: "teams" },
  { name: "project", meant: "projects" },
])(
  "a folder $name with files, which would declare nothing, is one fault, and others may hold anything",
  ({ name, meant }) => {
    const project = { "projects/payments.yaml": `orgId: ${orgId}\nname: payments` };
    expect(faultsOf({ ...project, [`${name}/x.yaml`]: "name: x" })).toEqual([
      `${name}: The files of this folder are not read: an access folder has projects, teams, organizations. Did you mean ${meant}?`,
    ]);
    expect(faultsOf({ [`${name}/x.yaml`]: "name: x" })).toHaveLength(1);
    const others = { "products/x.yaml": "a: 1", [`${name}/README.md`]: "a", [`.${name}/x.yaml`]: "a: 1" };
    expect(faultsOf({ ...project, ...others })).toEqual([]);
  },
);
