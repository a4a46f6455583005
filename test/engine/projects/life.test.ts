/** A folder of project files, from its first `up` to its last file: what a team that keeps its projects in Git sees. */
import { succeeded } from "../../support";
import {
  doings,
  type FileContents,
  recorded,
  setUpAccessFolder,
  writeProjectFiles,
} from "../support/access-folder";
import { deletions, invitedTo, membersOf } from "../support/people-program";
import { bothProviders, messagesOf, projectNamed, writes } from "../support/project-program";
import { tearDownStacks } from "../support/stack-setup";
import { orgId, projectTeamsOf, seedWithTeam, teamNamed } from "../teams/support";

afterEach(tearDownStacks);

const accounts = ["ada@example.com", "bob@example.com", "eve@example.com"];

const payments = (member: string, ...more: string[]) =>
  [
    "name: payments",
    "extends: _defaults/prod.yaml",
    "members:",
    `  ${member}: [GROUP_READ_ONLY]`,
    ...more,
  ].join("\n");

it.each(bothProviders)(
  "declares each project with its people, teams and keys, follows an edited file, ends with a faulty one, and releases or deletes with the file (%s provider)",
  async (provider) => {
    const { orgs, teams } = seedWithTeam;
    const users = accounts.map((username) => ({ username }));
    const setup = await setUpAccessFolder({
      provider,
      sandbox: { bypassInvitations: true, seed: { orgs, teams, users } },
      files: (service) => {
        const { publicKey } = service.addKey({ publicKey: "abcdwxyz", desc: "monitoring", orgId });
        const auditors = service.addTeam({ name: "auditors" }).id;
        return {
          "_defaults/prod.yaml": `orgId: ${orgId}\ntags: [PROD]\nmembers:\n  ada@example.com: [GROUP_OWNER]\n`,
          "payments.yaml": payments(
            "bob@example.com",
            `externalTeams: { operators: [GROUP_READ_ONLY], ${auditors}: [GROUP_READ_ONLY] }`,
            `externalApiKeys: { ${publicKey}: [GROUP_READ_ONLY] }`,
          ),
          "team/billing.yml":
            "extends: ../_defaults/prod.yaml\nname: Billing EU\ntags: [PROD, EU]\nmembership: additive\nexternalTeams: { operators: [GROUP_OWNER] }\n",
          "sandbox.json": {
            orgId,
            name: "try-outs",
            onDestroy: "delete",
            membership: "additive",
            members: { "bob@example.com": ["GROUP_OWNER"] },
          },
          "README.md": "no project",
        };
      },
    });
    const { sandbox, stack } = setup;
    const up = async (files: FileContents) => {
      sandbox.clearRequests();
      await writeProjectFiles(setup, files);
      return doings(await succeeded(stack.up()));
    };
    const rolesOfKey = () => sandbox.state.keys.find(({ publicKey }) => publicKey === "abcdwxyz")?.roles;

    await up({});
    const auditors = teamNamed(sandbox, "auditors").id;
    expect(await recorded(setup)).toEqual([
      "AccessFolder access",
      "Project billing",
      "Project payments",
      "Project sandbox",
      "ProjectApiKey payments/abcdwxyz",
      "ProjectMember billing/ada@example.com",
      "ProjectMember sandbox/bob@example.com",
      "ProjectMembers payments",
      "ProjectTeam billing/operators",
      `ProjectTeam payments/${auditors}`,
      "ProjectTeam payments/operators",
    ]);
    const [{ id }, billing, tryOuts] = ["payments", "Billing EU", "try-outs"].map((name) =>
      projectNamed(sandbox, name),
    ) as [Project, Project, Project];
    expect(await stack.outputs()).toEqual({
      projects: {
        billing: { projectId: billing.id, name: "Billing EU" },
        payments: { projectId: id, name: "payments" },
        sandbox: { projectId: tryOuts.id, name: "try-outs" },
      },
    });
    expect(sandbox.state.projects.map(({ tags }) => tags).sort()).toEqual([[], ["EU", "PROD"], ["PROD"]]);
    const [ada, reader] = [{ "ada@example.com": ["GROUP_OWNER"] }, ["GROUP_READ_ONLY"]];
    expect(membersOf(sandbox, id)).toEqual({ ...ada, "bob@example.com": reader });
    expect(membersOf(sandbox, billing.id)).toEqual(ada);
    expect(projectTeamsOf(sandbox, id)).toEqual({ operators: reader, auditors: reader });
    expect(rolesOfKey()).toEqual([{ groupId: id, roleName: "GROUP_READ_ONLY" }]);

    // Another member, a team with another role, and a team and a key that leave.
    const edited = payments("eve@example.com", "externalTeams: { operators: [GROUP_OWNER] }");
    expect(await up({ "payments.yaml": edited })).toEqual([
      "delete ProjectApiKey payments/abcdwxyz",
      `delete ProjectTeam payments/${auditors}`,
      "update ProjectMembers payments",
      "update ProjectTeam payments/operators",
    ]);
    expect(membersOf(sandbox, id)).toEqual({ ...ada, "eve@example.com": reader });
    expect(projectTeamsOf(sandbox, id)).toEqual({ operators: ["GROUP_OWNER"] });
    expect(rolesOfKey()).toEqual([]);

    // The same people are declared otherwise, and back in a moved file.
    const people = {
      "ada@example.com": ["GROUP_OWNER"],
      "bob@example.com": reader,
      "eve@example.com": ["GROUP_OWNER"],
    };
    const own = `name: many\norgId: ${orgId}\nonDestroy: delete\n`;
    const members = `members: ${JSON.stringify(people)}\n`;
    await up({ "_people.yaml": members, "many.yaml": `${own}extends: _people.yaml\n` });
    const many = projectNamed(sandbox, "many").id;
    const each = (op: string) => accounts.map((name) => `${op} ProjectMember many/${name}`);
    const inherited = `${own}extends: _people.yaml\nmembership: additive\n`;
    const otherwise = [
      {
        files: { "many.yaml": inherited },
        done: [...each("create"), "delete ProjectMembers many"],
      },
      {
        files: { "many.yaml": undefined, "team/many.yml": `${own}${members}` },
        done: ["create ProjectMembers many", ...each("delete")],
      },
      { files: { "team/many.yml": own }, done: ["delete ProjectMembers many"] },
    ];
    for (const { files, done } of otherwise) {
      expect(await up(files)).toEqual(done);
      expect(deletions(sandbox)).toEqual([]);
      expect(membersOf(sandbox, many)).toEqual(people);
    }

    // A fault ends the program before it reaches a provider.
    sandbox.clearRequests();
    const one = `key: one\norgId: ${orgId}\nmembers: { frank@example.com: [GROUP_OWNER] }`;
    await writeProjectFiles(setup, { "one.yaml": one.replace("members", "memberz"), "sandbox.json": "" });
    const faulty = await stack.up();
    expect(faulty.exitCode).not.toBe(0);
    expect(messagesOf(faulty, "error")).toContain(
      [
        "There are 2 faults in the files; nothing was changed:",
        "projects/one.yaml:3:1: memberz is not a property. Did you mean members?",
        "projects/sandbox.json: The file is empty. Write the project into it, or delete the file to release its project.",
      ].join("\n"),
    );
    expect(faulty.output).not.toMatch(/at new AccessFolder|node_modules|\.js:\d+/);
    expect(writes(sandbox)).toEqual([]);

    // A deleted file releases its project with people and teams, or deletes it if the file declared that.
    expect(await up({ "team/billing.yml": undefined, "sandbox.json": undefined, "one.yaml": one })).toEqual([
      "create Project one",
      "create ProjectMembers one",
      "delete Project billing",
      "delete Project sandbox",
      "delete ProjectMember billing/ada@example.com",
      "delete ProjectMember sandbox/bob@example.com",
      "delete ProjectTeam billing/operators",
    ]);
    expect(deletions(sandbox)).toEqual([`/groups/${tryOuts.id}`]);
    expect(membersOf(sandbox, billing.id)).toEqual(ada);
    expect(projectTeamsOf(sandbox, billing.id)).toEqual({ operators: ["GROUP_OWNER"] });
    expect(Object.keys(invitedTo(sandbox, projectNamed(sandbox, "one").id))).toEqual(["frank@example.com"]);
  },
);

type Project = ReturnType<typeof projectNamed>;
