/** Libraries that others wrote for this API, against the sandbox: each method that is about what the provider manages. */
import { join } from "node:path";
import { type SandboxOptions, startSandbox } from "../../sandbox";
import type { Finding, Peer } from "./peer";
import { run } from "./processes";
import { python } from "./python-environment";

const [orgId = "", projectId = "", ada = "", ben = "", teamId = "", keyId = ""] = "abcdef"
  .split("")
  .map((digit) => digit.repeat(24));

const member = [{ orgId, roleName: "ORG_MEMBER" }];
const options: SandboxOptions = {
  bypassInvitations: true,
  seed: {
    orgs: [{ id: orgId, name: "Example Org" }],
    users: [
      { username: "olga@example.com", roles: [{ orgId, roleName: "ORG_OWNER" }] },
      { id: ada, username: "ada@example.com", roles: member },
      { id: ben, username: "ben@example.com", roles: member },
    ],
    projects: [
      {
        id: projectId,
        name: "payments",
        members: { "olga@example.com": ["GROUP_OWNER"] },
        teams: [{ teamId, roleNames: ["GROUP_READ_ONLY"] }],
      },
    ],
    teams: [{ id: teamId, name: "operators", usernames: ["ada@example.com"] }],
    keys: [
      { roles: [{ roleName: "GLOBAL_OWNER" }, { orgId, roleName: "ORG_OWNER" }] },
      {
        id: keyId,
        orgId,
        desc: "ci",
        roles: [...member, { groupId: projectId, roleName: "GROUP_READ_ONLY" }],
      },
    ],
  },
};

/** @param refused the methods that have to fail, with what the library says then */
function library(name: string, script: string, refused: Readonly<Record<string, string>>): Peer {
  return {
    name,
    async run(surroundings) {
      const interpreter = await python(surroundings);
      const sandbox = await startSandbox(options);
      try {
        const { baseUrl, publicKey, privateKey } = sandbox;
        // Events of the project and of the organization.
        sandbox.addInvitation(projectId, { username: "new@example.com", roles: ["GROUP_READ_ONLY"] });
        sandbox.addOrgInvitation(orgId, { username: "new@example.com", roles: ["ORG_MEMBER"] });
        const ids = [orgId, projectId, ada, ben, teamId, keyId];
        const path = join(__dirname, "python", script);
        const keys = { PUBLIC_KEY: publicKey, PRIVATE_KEY: privateKey, NO_PROXY: "127.0.0.1" };
        return findingsOf(await run(interpreter, [path, baseUrl, ...ids], keys), refused);
      } finally {
        await sandbox.close();
      }
    },
  };
}

/** A line of the script is the name of a method and what came of it. */
function findingsOf(printed: string, refused: Readonly<Record<string, string>>): Finding[] {
  const outcomes = printed
    .trim()
    .split("\n")
    .map((line) => line.split(/: (.*)/s))
    .map(([method = "", outcome = ""]) => ({ method, outcome, expected: refused[method] ?? "ok" }));
  const others = outcomes.filter(({ outcome, expected }) => outcome !== expected);
  const done = outcomes.filter(({ outcome }) => outcome === "ok").length;
  return [
    { what: "methods", outcome: `${done} of ${outcomes.length}`, agrees: others.length === 0 },
    ...others.map(({ method, outcome }) => ({ what: method, outcome, agrees: false })),
  ];
}

export const pyomsdk = library("pyomsdk", "pyomsdk_methods.py", {
  // Only before the service has any account.
  "users.create_first_user": "RESOURCE_NOT_FOUND",
  // Sends the path that the documentation prints by mistake: the ID of a project in the place of an organization's.
  "api_keys_on_projects.unassign": "ORG_NOT_FOUND",
});

export const opsmanager = library("opsmanager", "opsmanager_methods.py", {});
