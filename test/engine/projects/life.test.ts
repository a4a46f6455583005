/** A folder of project files, from its first `up` to its last file: what a team that keeps its projects in Git sees. */
import { succeeded } from "../../support";
import { deletions, invitedTo, membersOf } from "../support/people-program";
import { doings, recorded, setUpProjectFolder, writeProjectFiles } from "../support/project-folder";
import { bothProviders, messagesOf, projectNamed, writes } from "../support/project-program";
import { tearDownStacks } from "../support/stack-setup";
import { orgId, projectTeamsOf, seedWithTeam, teamNamed } from "../teams/support";

afterEach(tearDownStacks);

const accounts = ["ada@example.com", "bob@example.com", "eve@example.com"];

describe.each(bothProviders)("a folder of project files, through the %s provider", (provider) => {
  it("declares projects and people, and releases or deletes the projects of deleted files", async () => {
    const setup = await setUpProjectFolder({
      provider,
      sandbox: { bypassInvitations: true, seed: { users: accounts.map((username) => ({ username })) } },
      files: ({ orgId }) => ({
        "_defaults/prod.yaml": `orgId: ${orgId}\ntags: [PROD]\nmembers:\n  ada@example.com: [GROUP_OWNER]\n`,
        "payments.yaml":
          "name: payments\nextends: _defaults/prod.yaml\nmembers:\n  bob@example.com: [GROUP_READ_ONLY]\n",
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
    await succeeded(stack.up());
    expect(await recorded(setup)).toEqual([
      "Project billing",
      "Project payments",
      "Project sandbox",
      "ProjectFolder projects",
      "ProjectMember billing/ada@example.com",
      "ProjectMember sandbox/bob@example.com",
      "ProjectMembers payments",
    ]);
    const [payments, billing, tryOuts] = ["payments", "Billing EU", "try-outs"].map((name) =>
      projectNamed(sandbox, name),
    );
    expect(await stack.outputs()).toEqual({
      projects: {
        billing: { projectId: billing?.id, name: "Billing EU" },
        payments: { projectId: payments?.id, name: "payments" },
        sandbox: { projectId: tryOuts?.id, name: "try-outs" },
      },
    });
    expect([payments?.tags, billing?.tags, tryOuts?.tags]).toEqual([["PROD"], ["EU", "PROD"], []]);
    const everybody = { "ada@example.com": ["GROUP_OWNER"], "bob@example.com": ["GROUP_READ_ONLY"] };
    expect(membersOf(sandbox, payments?.id)).toEqual(everybody);
    expect(membersOf(sandbox, billing?.id)).toEqual({ "ada@example.com": ["GROUP_OWNER"] });

    sandbox.clearRequests();
    expect(doings(await succeeded(stack.up({ expectNoChanges: true })))).toEqual([]);
    expect(writes(sandbox)).toEqual([]);

    await writeProjectFiles(setup, {
      "payments.yaml":
        "name: payments\nextends: _defaults/prod.yaml\nmembers:\n  eve@example.com: [GROUP_READ_ONLY]\n",
    });
    expect(doings(await succeeded(stack.up()))).toEqual(["update ProjectMembers payments"]);
    expect(membersOf(sandbox, payments?.id)).toEqual({
      "ada@example.com": ["GROUP_OWNER"],
      "eve@example.com": ["GROUP_READ_ONLY"],
    });

    sandbox.clearRequests();
    await writeProjectFiles(setup, {
      "team/billing.yml": undefined,
      "sandbox.json": undefined,
      "one.yaml": `key: one\norgId: ${sandbox.orgId}\nmembers: { frank@example.com: [GROUP_OWNER] }`,
    });
    expect(doings(await succeeded(stack.up()))).toEqual([
      "create Project one",
      "create ProjectMembers one",
      "delete Project billing",
      "delete Project sandbox",
      "delete ProjectMember billing/ada@example.com",
      "delete ProjectMember sandbox/bob@example.com",
    ]);
    expect(deletions(sandbox)).toEqual([`/groups/${tryOuts?.id}`]);
    expect(membersOf(sandbox, billing?.id)).toEqual({ "ada@example.com": ["GROUP_OWNER"] });
    expect(Object.keys(invitedTo(sandbox, projectNamed(sandbox, "one").id))).toEqual(["frank@example.com"]);

    // The program ends before it reaches a provider.
    if (provider === "dynamic") return;
    await writeProjectFiles(setup, { "one.yaml": "orgId: 7\ntagz: [A]\nname: one", "payments.yaml": "" });
    sandbox.clearRequests();
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
    const empty = await stack.up();
    expect(empty.exitCode).not.toBe(0);
    expect(messagesOf(empty, "error")).toContain("projects: There is no project file in this folder");
    expect(writes(sandbox)).toEqual([]);
    expect(await recorded(setup)).toContain("ProjectMembers payments");
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
