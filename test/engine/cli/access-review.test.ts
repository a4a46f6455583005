/** The review of an auditor: who can reach a project, and by which way, in a spreadsheet. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { AccessReport } from "../../../cli/lib/access/report";
import type { Sandbox } from "../../../sandbox";
import { itIf, succeeded } from "../../support";
import { hasPython, readRows } from "../../support/formats/spreadsheet";
import { day } from "../support/days";
import { opsmanager } from "../support/opsmanager";
import { projectNamed } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const [owner, reader] = [["GROUP_OWNER"], ["GROUP_READ_ONLY"]];
const orgId = "5f00000000000000000000b1";
const [koeln, other] = ["Zahlungen für Köln", "billing"];
const inOrganization = (...names: string[]) => names.map((roleName) => ({ orgId, roleName }));

const seed = {
  orgs: [{ id: orgId, name: "Example Org" }, { name: "Other Org" }],
  users: [
    { username: "owner@example.com", roles: inOrganization("ORG_OWNER") },
    { username: "auditor@example.com", roles: inOrganization("ORG_MEMBER", "ORG_READ_ONLY") },
    { username: "later@example.com", roles: inOrganization("ORG_OF_A_LATER_VERSION") },
    { username: "root@example.com", roles: [...inOrganization("ORG_MEMBER"), { roleName: "GLOBAL_OWNER" }] },
    ...["ada", "bob", "olga"].map((name) => {
      return { username: `${name}@example.com`, roles: inOrganization("ORG_MEMBER") };
    }),
  ],
  teams: [
    { name: "platform", usernames: ["ada@example.com"] },
    { name: "hidden", usernames: ["bob@example.com"] },
  ],
  projects: [
    {
      name: koeln,
      members: { "olga@example.com": owner, "bob@example.com": reader },
      idpGroupMappings: groups("GROUP_OWNER", "dba"),
    },
    { name: other, members: { "olga@example.com": owner } },
  ],
};

interface DriftFindings {
  readonly findings: readonly { readonly object?: { readonly name: string } }[];
}

function groups(roleName: string, ...idpGroups: string[]) {
  return [{ roleName, idpGroups }];
}

itIf(hasPython(), "Python")(
  "a filter by project shows everyone who reaches it: by a role, a team, a key, a service account, a group, an invitation, from above, and what could not be read",
  async () => {
    const { sandbox, stack } = await setUpStack({
      sandbox: { seed, idpMappings: "present", serviceAccountLists: "offered" },
      program: (service) => {
        const projectId = projectNamed(service, koeln).id;
        const [platform] = service.state.teams;
        const people = { "olga@example.com": owner, "bob@example.com": reader };
        const until = { "bob@example.com": day(30) };
        const usernames = ["ada@example.com"];
        return {
          resources: {
            operators: { type: "Team", properties: { orgId, name: "operators", usernames } },
            "operators-in": {
              type: "ProjectTeam",
              properties: { projectId, teamId: "${operators.teamId}", roles: reader },
            },
            people: { type: "ProjectMembers", properties: { projectId, members: people, until } },
            platform: {
              type: "ProjectTeam",
              properties: { projectId, teamId: platform?.id ?? "", roles: ["GROUP_USER_ADMIN"] },
            },
          },
        };
      },
    });
    await succeeded(stack.up());
    const { id: projectId } = projectNamed(sandbox, koeln);
    const [platform, hidden] = sandbox.state.teams.map(({ id }) => id);
    sandbox.setProjectTeam(projectId, { teamId: hidden ?? "", roleNames: reader });
    sandbox.addKey({
      desc: "=deploy",
      publicKey: "deploybot",
      orgId,
      roles: [{ groupId: projectId, roleName: "GROUP_OWNER" }, ...inOrganization("ORG_READ_ONLY")],
    });
    const account = sandbox.addServiceAccount({
      name: "ci",
      roles: [{ groupId: projectId, roleName: "GROUP_OWNER" }, ...inOrganization("ORG_MEMBER")],
    });
    sandbox.addInvitation(projectId, { username: "eve@example.com", roles: reader });
    const invitation = { username: "new@example.com", roles: ["ORG_OWNER"], teamIds: [platform ?? ""] };
    sandbox.addOrgInvitation(orgId, invitation);
    const mapped = { id: orgId, name: "Example Org", idpGroupMappings: groups("ORG_OWNER", "cn=admins") };
    const organizations = { results: [mapped], totalCount: 1 };
    sandbox.addFault({ pathPattern: "/orgs[?]", fault: { status: 200, body: organizations } });
    const refused = { status: 403, body: { error: 403, errorCode: "USER_UNAUTHORIZED", detail: "No." } };
    sandbox.addFault({ pathPattern: `/teams/${hidden}/users`, times: 0, fault: refused });

    const files = [
      "--format",
      "csv=access.csv",
      "--format",
      "json=access.json",
      "--format",
      "text=access.txt",
    ];
    const { exitCode, stdout } = await opsmanager(stack, ["access", "--no-attribution", ...files]);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /^9 people, 2 API keys, 1 service account, and 2 groups with access\. Not everything could be read\.\n/,
    );
    expect(stdout).toContain(
      "\nThe report does not show people with global roles who are in none of the searched organizations, ",
    );
    const read = (name: string) => readFile(join(stack.paths.program, name), "utf8");

    const rows = readRows(await read("access.csv"));
    const inProject = rows.filter(({ project }) => project === koeln);
    expect(new Set(inProject.map((row) => row["project id"]))).toEqual(new Set([projectId]));
    const shown = inProject.map(({ kind, name, way, roles, status, declaration }) =>
      [kind, name, way, roles, status, declaration].join(" | "),
    );
    expect(shown.sort()).toEqual(
      [
        "group | cn=admins | group mapping of the organization | ORG_OWNER | active | undeclared",
        "group | dba | group mapping | GROUP_OWNER | active | undeclared",
        "key | '=deploy | organization role | ORG_READ_ONLY | active | undeclared",
        "key | '=deploy | own role | GROUP_OWNER | active | undeclared",
        // That of the command, which is a global one.
        `key | ${sandbox.publicKey} | global role | GLOBAL_OWNER | active | undeclared`,
        `key | ${sandbox.publicKey} | organization role | ORG_OWNER | active | undeclared`,
        "person | ada@example.com | team | GROUP_READ_ONLY | active | declared",
        // Of the next team, only its roles are declared.
        "person | ada@example.com | team | GROUP_USER_ADMIN | active | undeclared",
        "person | auditor@example.com | organization role | ORG_READ_ONLY | active | undeclared",
        "person | bob@example.com | own role | GROUP_READ_ONLY | active | ending",
        "person | bob@example.com | team | GROUP_READ_ONLY | active | undeclared",
        "person | eve@example.com | invitation | GROUP_READ_ONLY | pending | undeclared",
        "person | later@example.com | unknown | ORG_OF_A_LATER_VERSION | active | undeclared",
        "person | new@example.com | invitation to the organization | ORG_OWNER | pending | undeclared",
        "person | new@example.com | team | GROUP_USER_ADMIN | pending | undeclared",
        "person | olga@example.com | own role | GROUP_OWNER | active | declared",
        "person | owner@example.com | organization role | ORG_OWNER | active | undeclared",
        "person | root@example.com | global role | GLOBAL_OWNER | active | undeclared",
        "service account | ci | own role | GROUP_OWNER | active | undeclared",
        `unknown | people of team hidden (${hidden}) | unknown |  | unknown | unknown`,
      ].sort(),
    );

    // The other formats have the same people, each once.
    const who = new Set(inProject.flatMap(({ kind, name }) => (kind === "person" ? [name] : [])));
    const { found, projects }: AccessReport = JSON.parse(await read("access.json"));
    const project = projects.find((each) => each.projectId === projectId);
    expect(project?.unread).toEqual([`people of team hidden (${hidden})`]);
    const reaches = found.filter(({ access }) =>
      access.some((entry) => {
        const below = entry.inEachProject ?? entry.perhapsInEachProject;
        const isAbove = entry.in === "service" || entry.orgId === project?.orgId;
        return entry.projectId === projectId || (isAbove && below !== undefined);
      }),
    );
    expect(new Set(reaches.flatMap((each) => (each.kind === "person" ? [each.name] : [])))).toEqual(who);
    const section = (await read("access.txt"))
      .split("\n\n")
      .find((text) => text.startsWith(`Project ${koeln}`));
    expect(section?.split("\n").slice(-3)).toEqual([
      "  4 people, 2 API keys, and 1 group with a role in every project, listed above",
      "  ? 1 person with a role that may count here, listed above",
      `  ? people of team hidden (${hidden}): not read`,
    ]);

    const alone = await opsmanager(stack, ["access", account.clientId, "--no-attribution"]);
    expect(alone.stdout).toContain(`service account ci (${account.clientId}): 1 organization and 1 project.`);
    await opsmanager(stack, ["drift", "--format", "json=drift.json"]);
    const drift: DriftFindings = JSON.parse(await read("drift.json"));
    expect(drift.findings.map(({ object }) => object?.name)).toContain(account.clientId);
  },
);

itIf(hasPython(), "Python")(
  "the review says when and by whom access was taken away: by a last day, by a change of the files, and outside Pulumi",
  async () => {
    const people = (...names: string[]) =>
      Object.fromEntries(names.map((name) => [`${name}@example.com`, reader]));
    const program = (members: object, until: object) => (service: Sandbox) => ({
      resources: {
        people: {
          type: "ProjectMembers",
          properties: { projectId: projectNamed(service, koeln).id, members, until },
        },
      },
    });
    const others = { "olga@example.com": owner, ...people("bob") };
    const { sandbox, stack } = await setUpStack({
      sandbox: { seed, bypassInvitations: true },
      program: program({ ...others, ...people("ada") }, { "bob@example.com": day(1) }),
    });
    await succeeded(stack.up());
    await stack.setProgram(program(others, { "bob@example.com": day(-2) })(sandbox));
    await succeeded(stack.up());
    sandbox.removeMember(projectNamed(sandbox, other).id, { username: "olga@example.com" });

    const files = ["--format", "csv=access.csv", "--format", "json=access.json", "--format", "text"];
    const { exitCode, stdout } = await opsmanager(stack, ["access", ...files]);
    expect(exitCode).toBe(0);
    const time = "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC";
    const key = `API key ${sandbox.publicKey} \\(the one of this command\\)`;
    expect(stdout).toMatch(
      new RegExp(
        `^ {2}bob@example\\.com: .*\\(ended ${time}, last day ${day(-2)}\\) \\(removed ${time} by ${key}`,
        "m",
      ),
    );
    const read = (name: string) => readFile(join(stack.paths.program, name), "utf8");
    const removed = stdout.split("\n").filter((line) => / from project /.test(line));
    expect(removed.sort()).toEqual([
      expect.stringMatching(`^  ada@example\\.com from project ${koeln} \\(\\w+\\): ${time} by ${key}`),
      expect.stringMatching(`^  olga@example\\.com from project ${other} \\(\\w+\\): ${time}`),
    ]);
    const rows = readRows(await read("access.csv")).filter(
      ({ status }) => status === "ended" || status === "removed",
    );
    expect(
      rows.map(({ name, project, status, by }) => [name, project, status, by].join(" | ")).sort(),
    ).toEqual([
      `ada@example.com | ${koeln} | removed | ${sandbox.publicKey}`,
      `bob@example.com | ${koeln} | ended | ${sandbox.publicKey}`,
      expect.stringMatching(`^olga@example\\.com \\| ${other} \\| removed \\| `),
    ]);
    const alone = await opsmanager(stack, ["access", "ada@example.com", "--since", day(-1)]);
    expect(alone.stdout).toMatch(
      new RegExp(`^Removed, .*\\n  ada@example\\.com from project ${koeln}.*\\n\\n`, "m"),
    );
    expect((await opsmanager(stack, ["access", "ada@example.com"])).stdout).not.toContain("Removed");
  },
);
