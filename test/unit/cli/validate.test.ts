/** `opsmanager validate`: files are checked without Pulumi, keys and network. */
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describeIf } from "../../support";
import { runCommand } from "../../support/command";
import { judgesProblem, sarifValidator } from "../../support/formats";
import { folderOf, orgId, removeFolders } from "../projects/folder";

afterEach(removeFolders);

const faulty = {
  "app/projects/_defaults.yaml": `orgId: ${orgId}\nonDestroy: relase\n`,
  "app/projects/billing.yaml": "name: billing\ntagz: [A]\n",
  "app/projects/payments.yaml": "name: payments\nmembers:\n  ada@example.com: [GROUP_OWNR]\n",
};

it("prints each fault of each file once, with its line, and ends with exit code 1", async () => {
  const cwd = folderOf(faulty);
  expect(await runCommand(["validate", "--cwd", "app"], { cwd })).toEqual({
    exitCode: 1,
    stdout: [
      'projects/_defaults.yaml:2:12: onDestroy must be "release" or "delete".',
      "projects/billing.yaml:2:1: tagz is not a property. Did you mean tags?",
      'projects/payments.yaml:3:21: members["ada@example.com"] contains "GROUP_OWNR", which is not a role of a project. Did you mean GROUP_OWNER?',
      "3 faults in 3 files.\n",
    ].join("\n"),
    stderr: "",
  });
});

it("checks the files of AccessFolder, and notes those that need the setting, and names that belong elsewhere", async () => {
  const cwd = folderOf({
    "projects/billing.yaml": "name: billing\n",
    "projects/payments.yaml": `orgId: ${orgId}\nname: payments\nexternalTeams: { operators: [GROUP_OWNER] }\nexternalApiKeys: { ci: [GROUP_OWNER] }\n`,
    "teams/operators.yaml": `orgId: ${orgId}\nname: operators\nusernames: [ada@example.com]\n`,
    "organizations/acme.yaml": `orgId: ${orgId}\nkey: acme\napiKeys: { ci: { description: ci, roles: [ORG_MEMBER] } }\n`,
  });
  expect(await runCommand(["validate"], { cwd })).toEqual({
    exitCode: 0,
    stdout:
      "note: files without orgId belong to the organization of the setting opsmanager:orgId: projects/billing.yaml.\nnote: the folder declares these, so move them to teams: externalTeams.operators of projects/payments.yaml.\nnote: the folder declares these, so move them to apiKeys: externalApiKeys.ci of projects/payments.yaml.\n2 projects, 1 team, 1 organization in .: no fault.\n",
    stderr: "",
  });
  expect(await runCommand(["validate", "projects"], { cwd })).toMatchObject({
    exitCode: 1,
    stdout: expect.stringMatching(
      /^projects: projects\/billing\.yaml .* the folder above it\.\n1 fault in 1 file\.\n$/,
    ),
  });
});

const notesOn = async (files: Readonly<Record<string, string>>) =>
  (await runCommand(["validate"], { cwd: folderOf(files) })).stdout;

it("says of each end what a run will do and what is left behind, and finds who stays longer than in the organization", async () => {
  const [day, ada, linus] = ["2999-12-31", "ada@example.com", "linus@example.com"];
  const organization = {
    "organizations/acme.yaml": `key: acme\nmembers: { ${linus}: { roles: [ORG_OWNER], until: ${day} } }\n`,
  };
  const ending = await notesOn({
    ...organization,
    "organizations/acme.yaml": `${organization["organizations/acme.yaml"]}apiKeys: { ci: { description: ci, roles: [ORG_MEMBER], until: ${day} }, next: { description: ci, roles: [ORG_MEMBER] } }\n`,
    "projects/ci.yaml": "name: ci\napiKeys: { ci: [GROUP_READ_ONLY] }",
    "projects/earlier.yaml":
      "name: earlier\napiKeys: { ci: { roles: [GROUP_READ_ONLY], until: 2999-12-30 } }",
    "projects/later.yaml": "name: later\napiKeys: { ci: { roles: [GROUP_READ_ONLY], until: 3000-01-31 } }",
    "projects/rotated.yaml": "name: rotated\napiKeys: { ci: [GROUP_READ_ONLY], next: [GROUP_READ_ONLY] }",
    "projects/read.yaml": `name: read\nmembers: { ${ada}: [GROUP_READ_ONLY] }`,
    "projects/meant.yaml": `name: meant\nminOwners: 0\nmembers: { ${ada}: [GROUP_READ_ONLY] }`,
    "projects/past.yaml": `name: past\nmembership: additive\nmembers: { ${ada}: { roles: [GROUP_READ_ONLY], until: 2020-01-01 } }`,
    "teams/operators.yaml": `name: operators\nusernames: [{ username: ${ada}, until: ${day} }]`,
    "projects/ledger.yaml": `name: ledger\nmembers: { ${ada}: { roles: [GROUP_OWNER], until: ${day} } }`,
  });
  for (const note of [
    `note: Access was to end after 2020-01-01: ${ada} in project past.\nnote: Access will end after 2999-12-30: ci in project earlier; after ${day}: `,
    `if the service does not offer it, ${linus} stays in the organization`,
    `note: team operators has nobody in its file after ${day}. Unless somebody else is in it, the last person stays`,
    "who stays.\nnote: project read has no owner in its file. Unless somebody else owns it directly, an up that takes the last owner away is refused: name one.\nnote: project ledger has",
    `note: project ledger has no owner in its file after ${day}. Unless somebody else owns it directly, the last one stays`,
    `note: organization acme has no owner in its file after ${day}. Unless somebody else`,
    `note: API key ci of organization acme ends after ${day}, and then these projects have no key: ci, later. Give`,
  ])
    expect(ending).toContain(note);
  expect(
    await notesOn({
      ...organization,
      "projects/ledger.yaml": `name: ledger\nmembers: { ${linus}: [GROUP_OWNER] }`,
    }),
  ).toContain(
    `projects/ledger.yaml:2:12: ${linus} leaves the organization after ${day} (organizations/acme.yaml), but stays in this list. Write`,
  );
});

it("a group that owns an organization by its file is an owner, and nobody may be in it yet", async () => {
  const of = (key: string, id: string, member: string) =>
    `key: ${key}\norgId: 5f000000000000000000000${id}\nmembers: { ada@example.com: ${member} }\n`;
  const [reader, ending] = ["[ORG_READ_ONLY]", "{ roles: [ORG_OWNER], until: 2999-12-31 }"];
  const owning = "idpGroupMappings: [{ roleName: ORG_OWNER, idpGroups: [dba] }]\n";
  const found = await notesOn({
    "organizations/none.yaml": `${of("none", "1", reader)}complete: owners\nidpGroupMappings: []\n`,
    "organizations/groups.yaml": `${of("groups", "2", reader)}complete: owners\n${owning}`,
    "organizations/both.yaml": `${of("both", "3", ending)}${owning}`,
  });
  expect(found.match(/(?<=note: organization ).*/g)).toEqual([
    "none has no owner in its file. Unless somebody else owns it directly, an up that takes the last owner away is refused: name one.",
    "both is owned by groups alone after 2999-12-31: dba. Unless somebody of them has signed in as an owner by then, the last person stays, with an error.",
  ]);
});

it("notes a name that is written once and is nearly one of other files, and no two people of one file", async () => {
  const file = (...names: string[]) =>
    `name: NAME\nmembership: additive\nmembers:\n${names.map((name) => `  ${name}: [GROUP_READ_ONLY]\n`).join("")}`;
  const files = {
    a: file("ada@example.com", "grace.hopper@example.com", "contractor1@example.com", "jan@example.com"),
    b: file("ada@example.com", "Grace.Hopper@example.com", "contractor1@example.com", "jan@example.com"),
    c: file("ada@exmaple.com", "grace.hoper@example.com", "contractor2@example.com", "dan@example.com"),
    d: file("ada@example.com", "adb@example.com", "marie@example.com", "grace.hopper@example.org"),
    e: file("marie@example.com", "maria@example.com", "linus@example.org"),
    f: file("linus@example.com", "Maire@example.com"),
  };
  const output = await notesOn(
    Object.fromEntries(
      Object.entries(files).map(([name, text]) => [`projects/${name}.yaml`, text.replace("NAME", name)]),
    ),
  );
  expect(output.split("\n").filter((line) => line.includes(" is nearly "))).toEqual([
    "note: projects/c.yaml:4:3: ada@exmaple.com is nearly ada@example.com, whom other files name. Check the name.",
    "note: projects/c.yaml:5:3: grace.hoper@example.com is nearly grace.hopper@example.com, whom other files name. Check the name.",
    "note: projects/f.yaml:5:3: Maire@example.com is nearly marie@example.com, whom other files name. Check the name.",
  ]);
});

it("writes the faults as SARIF with the paths from the root of the repository, and through no link", async () => {
  const cwd = folderOf({ ...faulty, victim: "untouched", "reports/README.md": "" });
  mkdirSync(join(cwd, ".git"));
  // In a folder such as /tmp, anyone can put a link at the path of an incomplete file.
  symlinkSync("../victim", join(cwd, "reports", `.faults.sarif.${process.pid}.tmp`));
  const argv = ["validate", "--cwd", "app", "--sarif", "reports/faults.sarif"];
  expect((await runCommand(argv, { cwd })).exitCode).toBe(1);
  expect(readFileSync(join(cwd, "victim"), "utf8")).toBe("untouched");
  const [{ results, tool }] = JSON.parse(readFileSync(join(cwd, "reports/faults.sarif"), "utf8")).runs;
  expect(tool.driver.name).toBe("opsmanager validate");
  expect(results).toMatchObject(
    ["_defaults", "billing", "payments"].map((name, index) => ({
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: `app/projects/${name}.yaml` },
            region: { startLine: index === 2 ? 3 : 2 },
          },
        },
      ],
    })),
  );
});

describeIf(judgesProblem() === "", judgesProblem())("the SARIF file", () => {
  it("is valid by the schema of OASIS", async () => {
    const cwd = folderOf(faulty);
    await runCommand(["validate", "--cwd", "app", "--sarif", "faults.sarif"], { cwd });
    const validate = await sarifValidator();
    expect(await validate(readFileSync(join(cwd, "faults.sarif"), "utf8"))).toEqual([]);
  });
});
