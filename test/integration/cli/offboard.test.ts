/** `opsmanager offboard` against the sandbox; a script that prints a state is in for `pulumi`. */
import { chmodSync, statSync } from "node:fs";
import { join } from "node:path";
import { pluginType } from "../../../cli/lib/own-resources";
import { withoutPeople } from "../../../cli/offboard/edit";
import { ACCESS_FOLDER_TYPE } from "../../../provider/component";
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

it("lists the service accounts of which the person perhaps knows a secret, until that is replaced, by the time alone", async () => {
  folder.write({ "projects/payments.yaml": payments });
  const [hour, roles] = [3600, [{ orgId: sandbox.orgId, roleName: "ORG_READ_ONLY" }]];
  const add = (name: string, more = {}) => sandbox.addServiceAccount({ name, roles, ...more });
  const listed = async () => {
    const { exitCode, stdout } = await offboard();
    const lines = stdout.match(/^ {2}service account .* of organization Example /gm) ?? [];
    return { exitCode, stdout, names: lines.map((line) => line.split(" ")[4]) };
  };
  sandbox.setSwitches({ serviceAccountLists: "offered", undocumentedEvents: true });
  sandbox.advanceClock(-10 * hour);
  const [theirs, shared] = [add("theirs"), add("shared")];
  sandbox.advanceClock(hour);
  sandbox.actAs({ username: ada });
  const deploy = add("deploy");
  const [{ createdAt, id } = { createdAt: "", id: "" }] = deploy.secrets;
  add("expired", { secrets: [{ id, createdAt, expiresAt: createdAt }] });
  sandbox.advanceClock(hour);
  sandbox.changeServiceAccount(shared.clientId, { clientSecret: "mdb_sa_sk_new" });
  sandbox.advanceClock(hour);
  sandbox.actAs({ username: "olga@example.com" });
  sandbox.changeServiceAccount(theirs.clientId, { clientSecret: "mdb_sa_sk_other" });
  const { names, stdout } = await listed();
  expect(names).toEqual(["shared", "deploy"]);
  expect(stdout).toContain(`  service account deploy (${deploy.clientId}) of organization Example (`);
  sandbox.changeServiceAccount(deploy.clientId, { clientSecret: "mdb_sa_sk_next" });
  expect((await listed()).names).toEqual(["shared"]);
  // Events have the name of their time, and neither a file nor the state knows that this account had it.
  sandbox.changeUser(sandbox.user({ username: ada })?.id ?? "", { username: "lovelace@example.com" });
  const renamed = await folder.run(["offboard", "lovelace@example.com", "-s", "prod", "--dry-run"], sandbox);
  expect(renamed.stdout).toMatch(/^ {2}service account shared /m);
  sandbox.changeUser(sandbox.user({ username: "lovelace@example.com" })?.id ?? "", { username: ada });
  sandbox.setSwitches({ serviceAccountLists: "not-offered" });
  expect((await listed()).stdout).not.toContain("service account");
  sandbox.setSwitches({ serviceAccountLists: "offered" });
  const unreadable = { status: 403, body: { error: 403, errorCode: "USER_UNAUTHORIZED" } };
  sandbox.addFault({ pathPattern: `/orgs/${sandbox.orgId}/events`, times: 0, fault: unreadable });
  expect((await listed()).stdout).toContain(
    `  ? API keys and service accounts created in organization ${sandbox.orgId}: `,
  );
  sandbox.addFault({ pathPattern: `/orgs/${sandbox.orgId}/serviceAccounts`, times: 0, fault: unreadable });
  expect(await listed()).toMatchObject({
    exitCode: 1,
    stdout: expect.stringContaining("  ? service accounts of organization Example "),
  });
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

it("leaves a file as it is in which nobody else would be left, and never says that its access ends", async () => {
  const billing = `orgId: ${orgId}\nname: billing\nmembers:\n  ${ada}: [GROUP_OWNER]\n`;
  folder.write({
    "projects/billing.yaml": billing,
    "projects/payments.yaml": payments,
    // Another kind of file with the key of a list that ends.
    "teams/payments.yaml": `orgId: ${orgId}\nname: payments\nusernames: [${ada}]\n`,
  });
  stateOf("payments", "billing");
  const { exitCode, stdout } = await offboard();
  expect([exitCode, folder.read("projects/billing.yaml")]).toEqual([2, billing]);
  for (const line of [
    /projects\/billing\.yaml:4 \(members\): left as it is, because nobody else would be in the list\./,
    /teams\/payments\.yaml:3 \(usernames\): left as it is, /,
    / {2}project billing .* Declared by billing \(ProjectMembers\), whose file still lists the person\./,
    /The next up ends 1 way of access\.\n/,
  ])
    expect(stdout).toMatch(line);
});

it("empties a list where defaults have others, and keeps the only person of a folder's defaults", async () => {
  const near = `orgId: ${orgId}\nname: billing\nmembers: # here\n  ${ada}: [GROUP_OWNER]\n`;
  folder.write({
    "projects/_defaults.yaml": `members:\n  ${olga}\n`,
    "projects/billing.yaml": near,
    "teams/_defaults.yaml": `usernames:\n  - ${ada}\n`,
    "teams/a.yaml": `orgId: ${orgId}\nname: a\n`,
  });
  const { stdout } = await offboard();
  expect(folder.read("projects/billing.yaml")).toBe(`orgId: ${orgId}\nname: billing\nmembers: {} # here\n`);
  expect(stdout).toContain(
    "  projects/billing.yaml:4 (members)\n  teams/_defaults.yaml:2 (usernames): left as",
  );
});

it("writes nothing with --dry-run, and nothing if a file then has a fault, but mends the faults of the person", async () => {
  folder.write({ "projects/payments.yaml": payments });
  expect((await offboard("--dry-run")).stdout).toContain("1 file would change. Nothing was written.");
  folder.write({ "projects/_defaults.yaml": "minOwners: 2\n" });
  stateOf("payments", "billing");
  const refused = await offboard();
  expect([refused.exitCode, folder.read("projects/payments.yaml")]).toEqual([3, payments]);
  for (const text of [
    "No file was changed, because the files would have faults. Mend them, and run the command again:\n  projects/payments.yaml:4:1: minOwners is 2, but members lists only olga@example.com with GROUP_OWNER. Name another owner.\n",
    "Declared by payments (ProjectMembers), whose file still lists the person.",
  ])
    expect(refused.stdout).toContain(text);
  folder.remove("projects/_defaults.yaml");
  folder.write({ "projects/odd.yaml": "orgId: 1\n", "teams/odd.yaml": "usernames:\n  -\n  - bob\n" });
  const odd = await offboard();
  expect([odd.exitCode, folder.read("projects/payments.yaml")]).toEqual([3, payments]);
  expect(odd.stdout).toContain("  projects/odd.yaml:1:8: ");
  folder.remove("projects/odd.yaml", "teams");
  stateOf("payments");
  folder.write({
    "projects/billing.yaml": `orgId: "${sandbox.orgId}"\nname: billing\nmembers: { ${olga}, ${ada}: [GROUP_OWNER] }\n`,
    "projects/payments.yaml": `${payments.replace(`  ${olga}`, `  ${olga}\n  ${ada}: [GROUP_OWNER]`)}ignoreUsers: [${ada}]\n`,
  });
  expect((await folder.run(["validate"])).exitCode).toBe(1);
  const { stdout } = await offboard();
  for (const line of [
    /^2 files changed\..*\n.*\n {2}projects\/payments\.yaml:7 \(members\), projects\/payments\.yaml:10 \(members\)$/m,
    /^ {2}project payments .* The next up releases payments \(ProjectMembers\) and leaves the access\./m,
    /^ {2}project billing .* projects\/billing\.yaml listed it, and the stack does not declare it\. If another stack does, run pulumi up there\./m,
  ])
    expect(stdout).toMatch(line);
  expect((await folder.run(["validate"])).exitCode).toBe(0);
});

it("knows a person by a former name of the files and the state, and says whom nobody knows, for several in one report", async () => {
  const [now, former, odd] = ["ada.lovelace@example.com", "countess@example.com", "ada.lovelase@example.com"];
  const bob = "bob@example.com: [GROUP_READ_ONLY]";
  stateOf("payments", "billing");
  const { id = "" } = sandbox.user({ username: ada }) ?? {};
  const state = folder.read("state.json").replaceAll('"username"', `"userId":"${id}","username"`);
  folder.write({
    "state.json": state.replace(`"username":"${ada}"`, `"declaredAs":"${former}","username":"${ada}"`),
    "projects/billing.yaml": `orgId: ${orgId}\nname: billing\nmembers: { ${former}: [GROUP_OWNER], ${bob} }\n`,
    "projects/payments.yaml": payments,
  });
  sandbox.changeUser(id, { username: now });
  const ended = { name: former, otherNames: [now, ada], ending: [expect.anything(), expect.anything()] };
  const run = async (...argv: string[]) => {
    const { exitCode, stdout } = await folder.run(["offboard", "-s", "prod", ...argv], sandbox);
    return { exitCode, ...JSON.parse(stdout) };
  };
  const several = await run(` ${former}`, odd, now.toUpperCase(), "--format", "json");
  expect(several).toMatchObject({
    exitCode: 4,
    files: [
      { file: "projects/billing.yaml", entries: [{ name: former, property: "members", line: 3 }] },
      { file: "projects/payments.yaml", entries: [{ name: "Ada@example.com", line: 9 }] },
    ],
    people: [
      { ...ended, result: "refused", refused: [{ what: expect.stringContaining("project billing") }] },
      { result: "not found", didYouMean: [now] },
      { result: "refused" },
    ],
  });
  expect(folder.read("projects/billing.yaml")).toContain(`members: { ${bob} }`);

  expect((await folder.run(["access", former, "-s", "prod"], sandbox)).stdout).toContain(now);

  // Somebody else is invited by the former name, and only a person can say whom a file means by it.
  folder.write({ "projects/payments.yaml": payments });
  sandbox.addOrgInvitation(sandbox.orgId, { username: ada, roles: ["ORG_MEMBER"] });
  const taken = [{ name: ada, lines: ["projects/payments.yaml:9:3"] }];
  expect(await run(now, "--format", "json")).toMatchObject({ files: [], people: [{ taken }] });
  sandbox.addUser({ username: ada, roles: [{ orgId: sandbox.orgId, roleName: "ORG_MEMBER" }] });
  expect(await run(now, "--format", "json")).toMatchObject({
    exitCode: 3,
    files: [],
    people: [{ taken, ending: [expect.anything()] }],
  });
  // The state says that the line means the one who has been renamed.
  expect(await run(ada, "--format", "json")).toMatchObject({ exitCode: 2, files: [], people: [{ taken }] });
  expect(folder.read("projects/payments.yaml")).toBe(payments);
  expect((await folder.run(["offboard", odd, "-s", "prod"], sandbox)).stdout).toContain(
    `Nobody is named ${odd}.\nDid you mean ${now}?\n`,
  );
});

it("names everything that keeps the only owner of an organization in it, whom the files leave no other one", async () => {
  const type = pluginType("OrganizationMember");
  const [at, lina] = [sandbox.orgId, "lina@example.com"];
  sandbox.addUser({ username: lina, roles: [{ orgId: at, roleName: "ORG_OWNER" }] });
  const resources = [ada, lina].map((username) => ({
    ...{ type, custom: true, protect: username === ada, id: `${at}/${username}` },
    urn: `urn:pulumi:prod::platform::opsmanager:index:AccessFolder$opsmanager:index:OrganizationFile$${type}::acme/${username}`,
    inputs: { orgId: at, username, roles: ["ORG_OWNER"] },
    outputs: { orgId: at, username, status: "active", userId: sandbox.user({ username })?.id },
  }));
  // Olga loses the role with the next up, and lina her place.
  folder.write({
    "state.json": JSON.stringify({ deployment: { resources } }),
    "organizations/acme.yaml": `members:\n  ${ada}: [ORG_OWNER]\n  olga@example.com: [ORG_MEMBER]\n`,
  });
  const owners = [ada, lina, "olga@example.com"];
  for (const { username } of sandbox.state.users)
    sandbox.setOrgMember(at, { username }, [owners.includes(username) ? "ORG_OWNER" : "ORG_MEMBER"]);
  const { exitCode, stdout } = await offboard();
  expect(exitCode).toBe(3);
  expect(stdout.match(/^ {2}organization Example .*$/gm)?.map((line) => line.replace(/^.*\): /, ""))).toEqual(
    [
      expect.stringMatching(/^ada@example\.com is the last direct owner of project billing /),
      "ada@example.com or lina@example.com is its last direct owner. Give ORG_OWNER to another member in organizations/acme.yaml first.",
      expect.stringMatching(/ has the option protect, so the engine does not delete it\./),
    ],
  );
});

const ends = /The next up ends 1 way of access\./;
const elsewhere = /Declared by payments \(ProjectMembers\): take the person out there\./;

it.each([
  { where: "of another machine", recorded: ["/runner/checkout"], output: ends },
  { where: "of two on another machine", recorded: ["/runner/a", "/runner/b"], output: elsewhere },
  { where: "relative to the program's main", recorded: ["."], output: ends },
  { where: "another one", recorded: ["other"], output: elsewhere },
])("knows its files by the folder that the state has: $where", async ({ recorded, output }) => {
  folder.write({
    "Pulumi.yaml": "name: platform\nruntime: nodejs\nmain: src/index.ts\n",
    "src/index.ts": "",
    "src/projects/payments.yaml": payments,
    "src/other/projects/a.yaml": payments,
  });
  stateOf("payments");
  const { deployment } = JSON.parse(folder.read("state.json"));
  const type = ACCESS_FOLDER_TYPE;
  const components = recorded.map((path) => {
    return { type, urn: `urn:pulumi:prod::platform::${type}::${path}`, outputs: { folder: path } };
  });
  folder.write({
    "state.json": JSON.stringify({ deployment: { resources: [...components, ...deployment.resources] } }),
  });
  expect((await offboard("--files", "src")).stdout).toMatch(output);
});

it("names the option that keeps a person in a list, and ends what is below an organization or invited with it", async () => {
  const at = sandbox.orgId;
  const [member, lina] = [["ORG_MEMBER"], "lina@example.com"];
  folder.write({
    "projects/payments.yaml": payments,
    "organizations/acme.yaml":
      `members:\n  ${ada}: [ORG_MEMBER]\n  ${lina}: [ORG_MEMBER]\n  ${olga}\n`.replace(
        "GROUP_OWNER",
        "ORG_MEMBER",
      ),
  });
  sandbox.setMember(sandbox.state.projects[1]?.id ?? "", { username: "olga@example.com" }, owner);
  const team = sandbox.addTeam({
    name: "shadow",
    orgId: at,
    userIds: [sandbox.user({ username: ada })?.id ?? ""],
  });
  sandbox.addOrgInvitation(at, { username: lina, roles: member, teamIds: [team.id] });
  stateOf("payments");
  const { deployment } = JSON.parse(folder.read("state.json"));
  const type = pluginType("OrganizationMember");
  const members = [ada, lina].map((username) => ({
    ...{ type, custom: true, id: `${at}/${username}`, inputs: { orgId: at, username, roles: member } },
    urn: `urn:pulumi:prod::platform::opsmanager:index:AccessFolder$${type}::acme/${username}`,
    outputs: { orgId: at, username, userId: sandbox.user({ username })?.id },
  }));
  const [list] = deployment.resources;
  const write = (more: object) =>
    folder.write({
      "state.json": JSON.stringify({ deployment: { resources: [{ ...list, ...more }, ...members] } }),
    });
  write({});
  const run = async (...names: string[]) =>
    (await folder.run(["offboard", ...names, "-s", "prod"], sandbox)).stdout;
  const ended = await run(ada, lina);
  expect(ended).toMatch(/The next up ends 4 ways of access\.[\s\S]*The next up ends 2 ways of access\./);
  expect(ended).not.toContain("Left, ");
  write({ ignoreChanges: ["members"] });
  const ignored = await run(ada);
  expect(ignored).toMatch(
    /^The next up refuses:\n {2}organization Example \(\w+\): payments \(ProjectMembers\) still declares the person below it, by its option ignoreChanges\. Take the option away\.$/m,
  );
  expect(ignored).toMatch(
    /^ {2}project payments .* Declared by payments \(ProjectMembers\), whose option ignoreChanges leaves its people as they are\. Take the option away and run pulumi up, or: Remove the person in the service\.$/m,
  );
});

it("judges an organization of hundreds of people in seconds", async () => {
  const [at, type] = [sandbox.orgId, pluginType("OrganizationMember")];
  const names = Array.from({ length: 400 }, (_, index) => `user${index}@example.com`);
  const resources = names.map((username) => ({
    ...{
      type,
      custom: true,
      id: `${at}/${username}`,
      inputs: { orgId: at, username, roles: ["ORG_MEMBER"] },
    },
    urn: `urn:pulumi:prod::platform::opsmanager:index:AccessFolder$${type}::acme/${username}`,
    outputs: {
      ...{ orgId: at, username, status: "active" },
      userId: sandbox.addUser({ username, roles: [{ orgId: at, roleName: "ORG_MEMBER" }] }).id,
    },
  }));
  folder.write({
    "state.json": JSON.stringify({ deployment: { resources } }),
    "organizations/acme.yaml": `members:\n${names.map((name) => `  ${name}: [ORG_MEMBER]\n`).join("")}`,
  });
  const { stdout } = await folder.run(["offboard", "user7@example.com", "-s", "prod"], sandbox);
  expect(stdout).toContain("The next up ends 1 way of access.\n");
});

it("counts an end for no limit whose day was recorded before it passed", async () => {
  const lina = "lina@example.com";
  sandbox.setMember(sandbox.state.projects[0]?.id ?? "", { username: lina }, owner);
  stateOf("payments");
  const { deployment } = JSON.parse(folder.read("state.json"));
  const [list] = deployment.resources;
  list.outputs.memberDetails.push({ username: lina, status: "active", declared: true, roles: owner });
  const refusals = async (recorded: string) => {
    list.inputs.until = { [lina]: recorded };
    folder.write({
      "projects/payments.yaml": `name: payments\nmaxRemovals: 1\nmembers:\n  ${ada}: [GROUP_OWNER]\n  ${olga}\n  ${lina}: { roles: [GROUP_OWNER], until: 2020-01-01 }\n`,
      "state.json": JSON.stringify({ deployment }),
    });
    return (await offboard("--dry-run")).stdout.match(/\d people leave its list/g);
  };
  expect(await refusals("2099-01-01")).toEqual(["2 people leave its list"]);
  expect(await refusals("2020-01-01")).toBeNull();
});

it("with --org, says of another organization that it was not searched, and not that anything is left there", async () => {
  const { id } = sandbox.addOrg({ name: "Other" });
  folder.write({ "projects/payments.yaml": payments.replace(orgId, `"${sandbox.orgId}"`) });
  stateOf("payments");
  const { exitCode, stdout } = await offboard("--org", id, "--dry-run");
  expect(exitCode).toBe(1);
  expect(stdout).not.toMatch(/Left, |An administrator/);
  for (const what of ["projects/payments.yaml", "organization \\w+", "project \\w+"])
    expect(stdout).toMatch(
      new RegExp(`^ {2}\\? ${what}: --org does not name its organization, so it was not searched\\.`, "m"),
    );
  const lina = "lina@example.com";
  const nobody = await folder.run(["offboard", lina, "-s", "prod", "--org", id], sandbox);
  expect(nobody.stdout).toContain(`Nobody is named ${lina} in the searched organizations.`);
  expect((await offboard("--org", sandbox.orgId, "--dry-run")).stdout).not.toContain("--org");
});

it("ends what nobody declares by a list that removes whoever it lacks, unless a pattern, an option or a login of LDAP keeps them", async () => {
  const [lina, { id = "" } = {}] = ["lina@example.com", sandbox.state.projects[0]];
  sandbox.setMember(id, { username: lina }, owner);
  stateOf("payments");
  const { deployment } = JSON.parse(folder.read("state.json"));
  const [list] = deployment.resources;
  const ends = async (lines = "", ignoreUsers: readonly string[] = [], more: object = {}) => {
    const resources = [{ ...list, ...more, outputs: { ...list.outputs, ignoreUsers } }];
    folder.write({
      "projects/payments.yaml": `${payments}removeUnlisted: true\n${lines}`,
      "state.json": JSON.stringify({ deployment: { resources } }),
    });
    const { stdout } = await folder.run(["offboard", lina, "-s", "prod"], sandbox);
    return /^The next up ends 1 way of access\.$/m.test(stdout) && !/^ {2}project payments/m.test(stdout);
  };
  expect(await ends()).toBe(true);
  expect(await ends("maxRemovals: 0\n")).toBe(false);
  expect(await ends(`ignoreUsers: [${lina}]\n`)).toBe(false);
  expect(await ends("", ["lina*"])).toBe(false);
  expect(await ends("", [], { ignoreChanges: ["members"] })).toBe(false);
  sandbox.setSwitches({ ldap: true });
  sandbox.changeProject(id, { ldapGroupMappings: [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=owners"] }] });
  expect(await ends()).toBe(false);
  expect(await ends("ignoreUsers: [svc-*]\n")).toBe(true);
});

it("changes the files also if the service cannot be read, but not if the stack cannot be, keeps their modes, and says what is unknown", async () => {
  folder.write({
    "projects/payments.yaml": payments,
    "projects/billing.yaml": `orgId: ${orgId}\nname: billing\nmembers: { ${ada}: [GROUP_OWNER], b: { roles: [GROUP_OWNER], until: 2020-01-01 } }\n`,
  });
  sandbox.removeKey(sandbox.publicKey);
  folder.withPulumi("#!/bin/sh\necho \"error: no stack named 'prod' found\" >&2\nexit 255\n");
  const { exitCode: misspelled, stderr } = await offboard();
  expect([misspelled, folder.read("projects/payments.yaml")]).toEqual([1, payments]);
  expect(stderr).toContain("no stack named 'prod' found");
  folder.withPulumi(printsState);
  chmodSync(join(folder.path, "projects/payments.yaml"), 0o660);
  const { exitCode, stdout } = await offboard();
  expect(exitCode).toBe(1);
  expect(statSync(join(folder.path, "projects/payments.yaml")).mode & 0o777).toBe(0o660);
  expect(folder.read("projects/payments.yaml")).not.toContain("Ada@");
  expect(stdout).toContain("Unknown:\n  ? what else the person can reach: ");
  expect(stdout).toContain(
    "  ? project billing: It has no other owner in its file. Unless somebody else owns it directly, the next up refuses",
  );
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
  {
    place: "neighbors of a flow map",
    text: "members: { bob: [B], ada@example.com: [A], eve: [E] }\n",
    left: "members: { bob: [B] }\n",
    others: ["EVE"],
  },
  {
    place: "an entry between brackets, with the comments beside and above it alone",
    text: "members: { # all\n  # Ada\n  ada@example.com: [A], # may, or not\n  # Bob\n  bob: [B], # b\n  eve: [E] # e\n}\n",
    left: "members: { # all\n  # Bob\n  bob: [B] # b\n}\n",
    others: ["eve"],
  },
  {
    place: "those around a comment between brackets",
    text: "usernames: [ada@example.com, bob, # b\n  eve]\n",
    left: "usernames: [bob # b\n]\n",
    others: ["eve"],
  },
  {
    place: "the only one before a comma",
    text: "members: {\n  ada@example.com: [A],\n}\n",
    left: "members: {\n}\n",
  },
  {
    place: "one whose dash stands alone",
    text: "usernames:\n  - bob-\n  -\n  - # until - soon\n    username: ada@example.com\n    until: 2026-12-31\n  - eve\n",
    left: "usernames:\n  - bob-\n  -\n  - eve\n",
  },
  {
    place: "everybody of a list",
    text: "usernames: # all\n  - ada@example.com\n  - eve\ntags: []\n",
    left: "usernames: [] # all\ntags: []\n",
    others: ["eve"],
  },
])("takes out $place", ({ text, left, others = [] }) => {
  expect(withoutPeople(text, [ada, ...others])?.text).toBe(left);
  const onWindows = (lines: string) => lines.replaceAll(/\r?\n/g, "\r\n");
  expect(withoutPeople(onWindows(text), [ada, ...others])?.text).toBe(onWindows(left));
});
