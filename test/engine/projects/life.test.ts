/** A folder of project files, from its first `up` to its last file: what a team that keeps its projects in Git sees. */
import { type ProviderKind, succeeded } from "../../support";
import { deletions, invitedTo, membersOf } from "../support/people-program";
import {
  doings,
  type FileContents,
  recorded,
  setUpProjectFolder,
  writeProjectFiles,
} from "../support/project-folder";
import { bothProviders, errorsOf, messagesOf, projectNamed, writes } from "../support/project-program";
import { tearDownStacks } from "../support/stack-setup";
import { orgId, projectTeamsOf, seedWithTeam, teamNamed } from "../teams/support";

afterEach(tearDownStacks);

const accounts = ["ada@example.com", "bob@example.com", "eve@example.com"];

const payments = (member: string) =>
  `name: payments\nextends: _defaults/prod.yaml\nmembers:\n  ${member}: [GROUP_READ_ONLY]\n`;

/** Three projects of different kinds, then another member, then two deleted files and a new one; with what each `up` did and left. */
async function liveOnce(provider: ProviderKind) {
  const setup = await setUpProjectFolder({
    provider,
    sandbox: { bypassInvitations: true, seed: { users: accounts.map((username) => ({ username })) } },
    files: ({ orgId }) => ({
      "_defaults/prod.yaml": `orgId: ${orgId}\ntags: [PROD]\nmembers:\n  ada@example.com: [GROUP_OWNER]\n`,
      "payments.yaml": payments("bob@example.com"),
      "team/billing.yml":
        "extends: ../_defaults/prod.yaml\nname: Billing EU\ntags: [PROD, EU]\nmembership: additive\n",
      "sandbox.json": {
        orgId,
        name: "try-outs",
        onDestroy: "delete",
        membership: "additive",
        members: { "bob@example.com": ["GROUP_OWNER"] },
      },
      "README.md": "no project",
    }),
  });
  const { sandbox, stack } = setup;
  const up = async (files: FileContents) => {
    sandbox.clearRequests();
    await writeProjectFiles(setup, files);
    const run = await succeeded(stack.up());
    const { projects } = sandbox.state;
    return {
      ...{ doings: doings(run), writes: writes(sandbox), deletions: deletions(sandbox) },
      recorded: await recorded(setup),
      outputs: await stack.outputs(),
      tags: Object.fromEntries(projects.map(({ name, tags }) => [name, tags])),
      members: Object.fromEntries(projects.map(({ name, id }) => [name, membersOf(sandbox, id)])),
      invited: Object.fromEntries(projects.map(({ name, id }) => [name, invitedTo(sandbox, id)])),
    };
  };
  const created = await up({});
  const ids = Object.fromEntries(sandbox.state.projects.map(({ name, id }) => [name, id]));
  const edited = await up({ "payments.yaml": payments("eve@example.com") });
  const deleted = await up({
    "team/billing.yml": undefined,
    "sandbox.json": undefined,
    "one.yaml": `key: one\norgId: ${sandbox.orgId}\nmembers: { frank@example.com: [GROUP_OWNER] }`,
  });
  return { created, ids, edited, deleted };
}

describe.each(bothProviders)("the life of a folder of project files, through the %s provider", (provider) => {
  let life: Awaited<ReturnType<typeof liveOnce>>;
  beforeAll(async () => {
    life = await liveOnce(provider);
  });

  it("a folder of project files declares each project and its people, and outputs the projects by file", () => {
    const { created, ids } = life;
    expect(created.recorded).toEqual([
      "Project billing",
      "Project payments",
      "Project sandbox",
      "ProjectFolder projects",
      "ProjectMember billing/ada@example.com",
      "ProjectMember sandbox/bob@example.com",
      "ProjectMembers payments",
    ]);
    expect(created.outputs).toEqual({
      projects: {
        billing: { projectId: ids["Billing EU"], name: "Billing EU" },
        payments: { projectId: ids.payments, name: "payments" },
        sandbox: { projectId: ids["try-outs"], name: "try-outs" },
      },
    });
    expect(created.tags).toEqual({ payments: ["PROD"], "Billing EU": ["EU", "PROD"], "try-outs": [] });
    const { payments, "Billing EU": billing } = created.members;
    expect(payments).toEqual({ "ada@example.com": ["GROUP_OWNER"], "bob@example.com": ["GROUP_READ_ONLY"] });
    expect(billing).toEqual({ "ada@example.com": ["GROUP_OWNER"] });
  });

  it("a member who replaces another one in a file replaces that one in the project, and nothing else changes", () => {
    const { doings, writes, members } = life.edited;
    expect(doings).toEqual(["update ProjectMembers payments"]);
    expect(writes.filter(({ path }) => !path.startsWith(`/groups/${life.ids.payments}/users`))).toEqual([]);
    expect(members.payments).toEqual({
      "ada@example.com": ["GROUP_OWNER"],
      "eve@example.com": ["GROUP_READ_ONLY"],
    });
  });

  it("the project of a deleted file is released, or deleted if its file declared that", () => {
    const { deleted, ids } = life;
    expect(deleted.doings).toEqual([
      "create Project one",
      "create ProjectMembers one",
      "delete Project billing",
      "delete Project sandbox",
      "delete ProjectMember billing/ada@example.com",
      "delete ProjectMember sandbox/bob@example.com",
    ]);
    expect(deleted.deletions).toEqual([`/groups/${ids["try-outs"]}`]);
    expect(deleted.members["Billing EU"]).toEqual({ "ada@example.com": ["GROUP_OWNER"] });
    expect(Object.keys(deleted.invited.one ?? {})).toEqual(["frank@example.com"]);
  });
});

describe("a folder of project files with faults", () => {
  // The program ends before it reaches a provider, so one provider shows it for both.
  it("faulty or missing project files end the program before anything changes, and each fault is named with its line", async () => {
    const setup = await setUpProjectFolder({
      provider: "plugin",
      files: ({ orgId }) => ({ "payments.yaml": `name: payments\norgId: ${orgId}\n` }),
    });
    const { sandbox, stack } = setup;
    await succeeded(stack.up());
    sandbox.clearRequests();
    await writeProjectFiles(setup, { "one.yaml": "orgId: 7\ntagz: [A]\nname: one", "payments.yaml": "" });
    const faulty = await stack.up();
    expect(faulty.exitCode).not.toBe(0);
    expect(messagesOf(faulty, "error")).toContain(
      [
        "There are 3 faults in the project files; nothing was changed:",
        "projects/one.yaml:1:8: orgId must be text. 7 is a number to YAML. Put it in quotes.",
        "projects/one.yaml:2:1: tagz is not a property. Did you mean tags?",
        "projects/payments.yaml: The file is empty. Write the project into it, or delete the file to release its project.",
      ].join("\n"),
    );
    expect(faulty.output).not.toMatch(/at new ProjectFolder|node_modules|\.js:\d+/);

    await writeProjectFiles(setup, { "one.yaml": undefined, "payments.yaml": undefined });
    expect(await errorsOf(stack.up())).toContain("projects: There is no project file in this folder");
    expect(writes(sandbox)).toEqual([]);
    expect(await recorded(setup)).toContain("Project payments");
  });
});

describe.each(bothProviders)("a folder of project files, through the %s provider", (provider) => {
  it("declares the roles of API keys by public key, and takes them from a key that leaves its file", async () => {
    const file = (...lines: string[]) => [`orgId: ${orgId}`, "name: payments", ...lines].join("\n");
    const setup = await setUpProjectFolder({
      provider,
      sandbox: { seed: { ...seedWithTeam, projects: [] } },
      files: (service) => {
        const { publicKey } = service.addKey({ publicKey: "abcdwxyz", desc: "monitoring", orgId });
        return { "payments.yaml": file("apiKeys:", `  ${publicKey}: [GROUP_READ_ONLY]`) };
      },
    });
    const { sandbox, stack } = setup;
    await succeeded(stack.up());
    const { id: groupId } = projectNamed(sandbox, "payments");
    const rolesOfKey = () => sandbox.state.keys.find(({ publicKey }) => publicKey === "abcdwxyz")?.roles;
    expect(await recorded(setup)).toContain("ProjectApiKey payments/abcdwxyz");
    expect(rolesOfKey()).toEqual([{ groupId, roleName: "GROUP_READ_ONLY" }]);
    await writeProjectFiles(setup, { "payments.yaml": file() });
    expect(doings(await succeeded(stack.up()))).toEqual(["delete ProjectApiKey payments/abcdwxyz"]);
    expect(rolesOfKey()).toEqual([]);
  });

  it("declares teams by name and by id, and leaves them in the project of a deleted file", async () => {
    const file = (...teams: string[]) =>
      `orgId: ${orgId}\nname: payments\nteams:\n${teams.map((team) => `  ${team}\n`).join("")}`;
    const setup = await setUpProjectFolder({
      provider,
      sandbox: { seed: { ...seedWithTeam, projects: [] } },
      files: (service) => ({
        "payments.yaml": file(
          "operators: [GROUP_READ_ONLY]",
          `${service.addTeam({ name: "auditors" }).id}: [GROUP_READ_ONLY]`,
        ),
        "other.yaml": `orgId: ${orgId}\nname: other`,
      }),
    });
    const { sandbox, stack } = setup;
    await succeeded(stack.up());
    const { id: projectId } = projectNamed(sandbox, "payments");
    const { id: auditors } = teamNamed(sandbox, "auditors");
    expect(await recorded(setup)).toEqual([
      "Project other",
      "Project payments",
      "ProjectFolder projects",
      `ProjectTeam payments/${auditors}`,
      "ProjectTeam payments/operators",
    ]);
    expect(projectTeamsOf(sandbox, projectId)).toEqual({
      operators: ["GROUP_READ_ONLY"],
      auditors: ["GROUP_READ_ONLY"],
    });
    await writeProjectFiles(setup, { "payments.yaml": file("operators: [GROUP_OWNER]") });
    expect(doings(await succeeded(stack.up()))).toEqual([
      `delete ProjectTeam payments/${auditors}`,
      "update ProjectTeam payments/operators",
    ]);
    expect(projectTeamsOf(sandbox, projectId)).toEqual({ operators: ["GROUP_OWNER"] });

    await writeProjectFiles(setup, { "payments.yaml": undefined });
    await succeeded(stack.up());
    expect(await recorded(setup)).toEqual(["Project other", "ProjectFolder projects"]);
    expect(projectTeamsOf(sandbox, projectId)).toEqual({ operators: ["GROUP_OWNER"] });
  });
});
