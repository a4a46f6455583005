/** The teams and API keys that project files name. */
import { loadFiles } from "../../../projects/load";
import { selectFiles } from "../../../projects/select";
import { type Files, faultsOf, folderOf, orgId, removeFolders } from "./folder";

afterEach(removeFolders);

const other = "5f0c0c0c0c0c0c0c0c0c0c0d";
const ci = "{ description: pipeline, roles: [ORG_MEMBER] }";
const acme = `key: acme\norgId: ${orgId}\napiKeys:\n  ci: ${ci}\n  backup: ${ci}`;
const team = (name: string, org = orgId) => `name: ${name}\norgId: ${org}\nusernames: [ada@example.com]`;

/** A project in whose third line something is named. */
const project = (line: string, org = orgId) =>
  `name: payments\n${org === "" ? "# no organization" : `orgId: ${org}`}\n${line}`;

it.each<{ what: string; line: string; org?: string; fault?: string }>([
  {
    what: "names of the folder",
    line: "teams: { operators: [GROUP_OWNER] }\napiKeys: { ci: [GROUP_OWNER] }",
  },
  {
    what: "names of others, which are not checked",
    line: "externalTeams: { auditors: [GROUP_OWNER] }\nexternalApiKeys: { ci2: [GROUP_OWNER] }",
  },
  {
    what: "a misspelled key",
    line: "apiKeys: { cii: [GROUP_OWNER] }",
    fault:
      "3:12: apiKeys.cii: no file of organizations/ declares this API key for the project's organization. Did you mean ci? Otherwise remove it, or name an API key from elsewhere in externalApiKeys, by its public key or ID.",
  },
  {
    what: "a key that has left its file, with its day",
    line: "apiKeys: { deploy: { roles: [GROUP_OWNER], until: 2099-12-31 } }",
    fault:
      "3:12: apiKeys.deploy: no file of organizations/ declares this API key for the project's organization. There are: backup, ci. Remove it, or name an API key from elsewhere in externalApiKeys, by its public key or ID.",
  },
  {
    what: "a team of no file",
    line: "teams:\n  auditors: [GROUP_OWNER]",
    fault:
      "4:3: teams.auditors: no file of teams/ declares this team for the project's organization. There are: operators. Remove it, or name a team from elsewhere in externalTeams, by its name or ID.",
  },
  {
    what: "a key of another organization",
    line: "apiKeys: { ci: [GROUP_OWNER] }",
    org: other,
    fault:
      "3:12: apiKeys.ci is an API key of organizations/acme.yaml. A project's teams and API keys are those of its own organization.",
  },
  {
    what: "a team of an organization that only one file names",
    line: "teams: { operators: [GROUP_OWNER] }",
    org: "",
    fault:
      "3:10: teams.operators is a team of teams/operators.yaml. Only one of the two files names its organization. Write orgId into both, or into neither.",
  },
  {
    what: "one name twice",
    line: "teams: { operators: [GROUP_OWNER] }\nexternalTeams: { operators: [GROUP_OWNER] }",
    fault: "4:18: externalTeams.operators is in teams as well. Remove one of them.",
  },
])("$what", ({ line, fault, org }) => {
  const text = project(line, org);
  const files: Files = {
    "projects/payments.yaml": text,
    "teams/operators.yaml": team("operators"),
    "organizations/acme.yaml": acme,
  };
  expect(faultsOf(files)).toEqual(fault === undefined ? [] : [`projects/payments.yaml:${fault}`]);
});

it("of keys of one name, each project means that of its organization, and no fault of a file is one of those that name it", () => {
  const files: Files = {
    "projects/a.yaml": `name: a\norgId: ${orgId}\napiKeys: { ci: [GROUP_OWNER] }`,
    "projects/b.yaml": `name: b\norgId: ${other}\napiKeys: { ci: [GROUP_OWNER] }`,
    "organizations/acme.yaml": acme,
    "organizations/bank.yaml": `key: bank\norgId: ${other}\napiKeys: { ci: { description: a, roles: [ORG_MEMBER], until: 2026-06-30 } }`,
  };
  const { projects } = loadFiles(".", folderOf(files));
  expect(projects.map(({ ends }) => ends?.map(({ until }) => until))).toEqual([undefined, ["2026-06-30"]]);
  expect(faultsOf({ ...files, "organizations/acme.yaml": `${acme}\ncomplet: owners` })).toEqual([
    expect.stringContaining("complet is not a property"),
  ]);
});

it.each([
  { ofKey: undefined, ofRoles: "2026-06-30", until: "2026-06-30" },
  { ofKey: "2026-06-30", ofRoles: undefined, until: "2026-06-30" },
  { ofKey: "2026-06-30", ofRoles: "2026-05-31", until: "2026-05-31" },
  { ofKey: "2026-06-30", ofRoles: "2026-07-31", until: "2026-06-30" },
])("roles of a key end on the earlier day ($ofKey, $ofRoles)", ({ ofKey, ofRoles, until }) => {
  const day = (each: string | undefined) => (each === undefined ? "" : `, until: ${each}`);
  const files = loadFiles(
    ".",
    folderOf({
      "projects/payments.yaml": project(`apiKeys: { ci: { roles: [GROUP_OWNER]${day(ofRoles)} } }`),
      "organizations/acme.yaml": acme.replace("[ORG_MEMBER] }", `[ORG_MEMBER]${day(ofKey)} }`),
    }),
  );
  const [{ ends } = {}] = files.projects;
  expect(ends).toEqual([expect.objectContaining({ property: "apiKeys", name: "ci", until })]);
});

it("a key of a shard has no name in others", () => {
  const files = loadFiles(
    ".",
    folderOf({
      "projects/payments.yaml": project("apiKeys: { ci: [GROUP_OWNER] }"),
      "organizations/acme.yaml": acme,
    }),
  );
  const select = (index: number) => () => selectFiles(files, { shard: { index, count: 3 } }, ".");
  const shards = [0, 1, 2].filter((index) => {
    const { projects } = selectFiles({ ...files, organizations: [] }, { shard: { index, count: 3 } }, ".");
    return projects.length > 0;
  });
  const [index = -1] = shards;
  expect(select(index)).toThrow(
    "projects/payments.yaml: apiKeys.ci is an API key of organizations/acme.yaml, which select leaves to another stack. Write it into externalApiKeys, by its public key or ID.",
  );
});
