/** `opsmanager offboard` against the sandbox; a script that prints a state is in for `pulumi`. */
import { pluginType } from "../../../cli/lib/own-resources";
import { withoutPerson } from "../../../cli/offboard/edit";
import type { Sandbox } from "../../../sandbox";
import { sandboxes } from "../sandbox/with-sandbox";
import { commandFolder, printsState } from "./command-folder";

const start = sandboxes();
const folder = commandFolder();

const ada = "ada@example.com";
const owner = ["GROUP_OWNER"];
const olga = "olga@example.com: [GROUP_OWNER]";

let sandbox: Sandbox;

beforeEach(async () => {
  folder.withPulumi(printsState);
  stateOf();
  sandbox = await start({
    seed: {
      orgs: [{ name: "Example" }],
      projects: [
        { name: "payments", members: { "olga@example.com": owner, [ada]: owner } },
        { name: "billing", members: { [ada]: owner } },
      ],
    },
  });
});

/** The state of an AccessFolder that declares ada in these projects. */
function stateOf(...projects: readonly string[]): void {
  const type = pluginType("ProjectMembers");
  const resources = projects.map((project) => {
    const id = sandbox.state.projects.find(({ name }) => name === project)?.id ?? "";
    return {
      ...{ type, custom: true, id, inputs: { projectId: id, members: { [ada]: owner } } },
      urn: `urn:pulumi:prod::platform::opsmanager:index:AccessFolder$${type}::${project}`,
      outputs: { memberDetails: [{ username: ada, status: "active", declared: true, roles: owner }] },
    };
  });
  folder.write({ "state.json": JSON.stringify({ deployment: { resources } }) });
}

const offboard = (...argv: string[]) => folder.run(["offboard", ada, "-s", "prod", ...argv], sandbox);

const orgId = '"5e0000000000000000000001"';
const payments = `# The payments team.
orgId: ${orgId}
name: payments
members:
  # On call.
  ${olga}
  # A contractor,
  # until May.
  Ada@example.com: # leaves in May
    - GROUP_OWNER
    - GROUP_READ_ONLY
tags: [PROD]
`;

it("takes the person out of each file, with comments and order, and prints what no file declares", async () => {
  const search = (people: string) => `{ "orgId": ${orgId}, "name": "search", "members": { ${people} } }\n`;
  const other = '"x@example.com": ["GROUP_OWNER"]';
  folder.write({
    "projects/payments.yaml": payments,
    "projects/search.json": search(`"${ada}": ["GROUP_OWNER"], ${other}`),
    "other/x.yaml": payments,
  });
  stateOf("payments");
  sandbox.actAs({ username: ada });
  sandbox.addKey({ desc: "deploy", publicKey: "abcdefgh", orgId: sandbox.orgId });
  const { exitCode, stdout } = await offboard();
  expect(folder.files()).toMatchObject({
    "projects/payments.yaml": payments.replace(/ {2}# A contractor(.*\n){5}/, ""),
    "projects/search.json": search(other),
    "other/x.yaml": payments,
  });
  for (const line of [
    /2 files changed\. Run pulumi up to end what they declared\.\n {2}projects\/payments\.yaml:9 \(members\)\n/,
    /The next up ends 1 way of access\.\n/,
    / {2}project billing \(\w+\): GROUP_OWNER\. Nothing declares it\. /,
    / {2}organization Example \(\w+\): ORG_MEMBER\. Nothing declares it\. /,
    / {2}API key abcdefgh \\?"deploy\\?" of organization Example/,
  ])
    expect(stdout).toMatch(line);
  expect(exitCode).toBe(2);
});

it("takes the person out of a file that another one extends, wherever it is, and leaves a file alone that declares nothing", async () => {
  const shared = `members:\n  ${ada}: [GROUP_OWNER]\n  ${olga}\n`;
  folder.write({
    "shared.yaml": shared,
    "projects/payments.yaml": `orgId: ${orgId}\nname: payments\nextends: ../shared.yaml\n`,
    "projects/_unused.yaml": shared,
  });
  expect((await offboard()).stdout).toContain(
    "1 file changed. Run pulumi up to end what it declared.\n  shared.yaml:2 (members)\n",
  );
  expect(folder.read("shared.yaml")).toBe(`members:\n  ${olga}\n`);
  expect(folder.read("projects/_unused.yaml")).toBe(shared);
});

it("says where the next up refuses, because nobody else owns the place", async () => {
  const project = (name: string, people: string) =>
    `orgId: ${orgId}\nname: ${name}\nmembers: { ${ada}: [GROUP_OWNER], ${people} }\n`;
  folder.write({
    "projects/billing.yaml": project("billing", "bob@example.com: [GROUP_READ_ONLY]"),
    "projects/payments.yaml": project("payments", olga),
    "organizations/example.yaml": `orgId: ${orgId}\nmembers: { ${ada}: [ORG_OWNER], bob@example.com: [ORG_MEMBER] }\n`,
  });
  stateOf("payments", "billing");
  const { exitCode, stdout } = await offboard();
  const refused =
    "has no other owner in its file. Unless somebody else owns it directly, the next up refuses";
  expect(stdout.match(/^.* has no other owner .*$/gm)).toEqual([
    expect.stringContaining(`project billing ${refused}`),
    expect.stringContaining(`organization example ${refused}`),
  ]);
  expect(exitCode).toBe(2);
});

it("leaves a file as it is in which nobody else would be left, and never says that its access ends", async () => {
  const billing = `orgId: ${orgId}\nname: billing\nmembers:\n  ${ada}: [GROUP_OWNER]\n`;
  folder.write({ "projects/billing.yaml": billing, "projects/payments.yaml": payments });
  stateOf("payments", "billing");
  const { exitCode, stdout } = await offboard();
  expect([exitCode, folder.read("projects/billing.yaml")]).toEqual([2, billing]);
  for (const line of [
    /projects\/billing\.yaml:4 \(members\): left as it is, because nobody else is in members\./,
    / {2}project billing .* Declared by billing \(ProjectMembers\): change that\./,
    /The next up ends 1 way of access\.\n/,
  ])
    expect(stdout).toMatch(line);
});

it("writes nothing with --dry-run, and nothing if a file has a fault", async () => {
  folder.write({ "projects/payments.yaml": payments });
  expect((await offboard("--dry-run")).stdout).toContain("1 file would change. Nothing was written.");
  folder.write({ "projects/_defaults.yaml": "minOwners: 2\n" });
  const before = folder.read("projects/payments.yaml");
  expect((await offboard()).stderr).toContain(
    "The files would have faults, so none was changed:\nprojects/payments.yaml:4:1: minOwners is 2, but members lists only olga@example.com with GROUP_OWNER. Name another owner.\n",
  );
  expect(folder.read("projects/payments.yaml")).toBe(before);
  folder.write({ "projects/odd.yaml": "orgId: 1\n" });
  const { exitCode, stderr } = await offboard();
  expect([exitCode, folder.read("projects/payments.yaml")]).toEqual([1, payments]);
  expect(stderr).toContain("projects/odd.yaml");
});

it("changes the files also if the service cannot be read, and says what is unknown", async () => {
  folder.write({ "projects/payments.yaml": payments });
  sandbox.removeKey(sandbox.publicKey);
  const { exitCode, stdout } = await offboard();
  expect(exitCode).toBe(1);
  expect(folder.read("projects/payments.yaml")).not.toContain("Ada@");
  expect(stdout).toContain("Unknown:\n  ? what else the person can reach: ");
});

it.each([
  { list: "invitations", path: "invites", fault: { status: 404 } },
  {
    list: "invitations",
    path: "invites",
    fault: { status: 404, body: { error: 404, errorCode: "RESOURCE_NOT_FOUND" } },
  },
  { list: "teams", path: "teams", fault: { status: 405, body: "" } },
])(
  "never says that nothing is left if the service does not offer the list of $list: $fault",
  async ({ path, fault }) => {
    const [lina, { orgId: id }] = ["lina@example.com", sandbox];
    sandbox.addOrgInvitation(id, { username: lina, roles: ["ORG_OWNER"] });
    sandbox.addFault({ pathPattern: `/orgs/${id}/${path}`, times: 0, fault });
    folder.write({ "projects/payments.yaml": payments });
    const { exitCode, stdout } = await folder.run(["offboard", lina, "-s", "prod"], sandbox);
    expect(exitCode).toBe(1);
    expect(stdout).not.toContain("Nothing else is left");
    expect(stdout).toMatch(/Unknown:\n {2}\? .* organization Example .*: Listing /);
  },
);

it.each([
  {
    place: "the last of a flow map",
    text: "members: { bob: [B], ada@example.com: [A] }\n",
    left: "members: { bob: [B] }\n",
  },
  {
    place: "one of a list",
    text: "usernames:\n  - bob # b\n  - ada@example.com # a\n  - eve\n",
    left: "usernames:\n  - bob # b\n  - eve\n",
  },
  {
    place: "the last line without an end",
    text: "members:\n  bob: [B]\n  ada@example.com: [A]",
    left: "members:\n  bob: [B]\n",
  },
  {
    place: "a list below its name",
    text: "members:\n  ada@example.com:\n    - A\n\n  bob: [B]\n",
    left: "members:\n\n  bob: [B]\n",
  },
  {
    place: "lines that end like on Windows",
    text: "members:\r\n  bob: [B]\r\n  ada@example.com: [A]\r\n",
    left: "members:\r\n  bob: [B]\r\n",
  },
])("takes out $place", ({ text, left }) => {
  expect(withoutPerson(text, ada)?.text).toBe(left);
});
