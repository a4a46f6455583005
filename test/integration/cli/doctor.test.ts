/** `opsmanager doctor` against the sandbox: what works is shown, what is missing is named, nothing is written. */
import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { runCommand } from "../../support/command";
import { doctorTests, settingsOf } from "./doctor-run";

const { sandbox: start, environment, examine } = doctorTests();

const orgId = "5f00000000000000000000b1";
const projectId = "5f00000000000000000000a1";
const key = { publicKey: "demo", privateKey: "not-to-be-seen" };

/** One project, and a key that has these roles only. */
function seedWith(...roles: { roleName: string; orgId?: string; groupId?: string }[]) {
  return {
    orgs: [{ id: orgId, name: "Example Org" }],
    keys: [{ ...key, roles }],
    projects: [{ id: projectId, name: "payments", tags: ["PROD"] }],
  };
}

describe("a service where all is well", () => {
  test("ends with exit code 0, reports what it saw, and was only read from", async () => {
    const sandbox = await start({
      tagsWithoutGlobalRole: "allow",
      seed: seedWith({ roleName: "ORG_OWNER", orgId }),
    });
    const surroundings = { cwd: "/", env: { ...environment, ...settingsOf(sandbox) } };
    const { exitCode, stdout, stderr } = await runCommand(["doctor"], surroundings);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    for (const line of [
      `baseUrl from OPSMANAGER_BASE_URL: ${sandbox.baseUrl}`,
      "privateKey from OPSMANAGER_PRIVATE_KEY\n",
      "Digest, algorithm MD5, qop=auth (RFC 7616)",
      "The clocks agree",
      "Ops Manager 8.0.0",
      "The service accepts API key demo, from the environment (OPSMANAGER_...)",
      `Roles in organization ${orgId}: ORG_OWNER`,
      "The key can see 1 project and 1 organization",
      "The key can see tags of projects",
      `The key can read the events of project ${projectId}: `,
      "The key can create projects",
      `The key can change project ${projectId}`,
      "GET /users/byName/{name} is offered",
      "0 failed",
    ]) {
      expect(stdout).toContain(line);
    }
    expect(stdout).not.toContain(key.privateKey);
    expect(new Set(sandbox.requests.map(({ method }) => method))).toEqual(new Set(["GET"]));
  });

  test.each([
    [{ challenge: "qop", digestAlgorithm: "SHA-256" }, "algorithm SHA-256, qop=auth"],
    [{ challenge: "op" }, "algorithm MD5, op=auth instead of qop"],
    [{ challenge: "none" }, "neither qop nor op (RFC 2069)"],
    [{ digestAlgorithm: "all" }, "algorithm SHA-512-256-sess, qop=auth"],
  ] as const)("prints the dialect of Digest: %j", async (switches, says) => {
    const { of, checksThat } = await examine(settingsOf(await start(switches)));
    expect(of("service.digest")).toMatchObject([{ outcome: "ok", says: expect.stringContaining(says) }]);
    expect(of("key.accepted")).toMatchObject([{ outcome: "ok" }]);
    expect(checksThat("failed")).toEqual([]);
  });

  test("whose clock is ahead, and which is slow, is reported with the error of the measurement", async () => {
    const sandbox = await start({ latencyMs: 60 });
    sandbox.advanceClock(3600);
    const { exitCode, of } = await examine(settingsOf(sandbox));
    const [clock] = of("service.clock");
    expect(clock).toMatchObject({
      outcome: "warning",
      says: expect.stringContaining("ahead of this machine's by"),
    });
    const [, skew, error] = /by ([\d.]+) s ± ([\d.]+) s/.exec(clock?.says ?? "") ?? [];
    expect(Math.abs(Number(skew) - 3600)).toBeLessThanOrEqual(Number(error));
    expect(exitCode).toBe(0);
  });
});

describe("the plugin on PATH", () => {
  /** A folder of the test's home that holds the plugin's executable. */
  function linked(name: string): string {
    const folder = join(environment.HOME, name, "node_modules", ".bin");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "pulumi-resource-opsmanager"), "");
    return folder;
  }

  /** What npm and npx set before they start a command: `@npmcli/run-script`, `set-path.js`. */
  const fromNpm = (bin: string, own: readonly string[] = []) => ({
    npm_execpath: "/usr/lib/node_modules/npm/bin/npm-cli.js",
    PATH: [bin, "/node_modules/.bin", "/usr/lib/node-gyp-bin", ...own, environment.PATH].join(delimiter),
  });

  test("is found in the user's own PATH, also if npx runs the command", async () => {
    const folder = linked("own");
    for (const env of [
      { PATH: [folder, environment.PATH].join(delimiter) },
      fromNpm(linked("npm"), [folder]),
    ]) {
      const { of } = await examine(env);
      expect(of("environment.plugin")).toMatchObject([
        { outcome: "ok", says: `The plugin is on PATH, in ${folder}` },
      ]);
    }
  });

  test.each([
    ["npx", fromNpm],
    [
      "a package manager without node-gyp-bin",
      (bin: string) => ({ npm_config_user_agent: "bun/1.3", PATH: [bin, environment.PATH].join(delimiter) }),
    ],
  ])("is a warning if only %s put it there, because pulumi in a shell does not find it", async (_, env) => {
    const folder = linked("project");
    const { of } = await examine(env(folder));
    expect(of("environment.plugin")).toMatchObject([
      {
        outcome: "warning",
        says: `The plugin is in ${folder}, which is on PATH in npm scripts and npx only. pulumi in a shell does not find it.`,
        advice: expect.stringContaining("name the package's folder in Pulumi.yaml (plugins.providers)"),
      },
    ]);
  });
});

describe("a key", () => {
  test("that is wrong is refused in one clear line, and what it may do is not asked", async () => {
    const sandbox = await start();
    const { exitCode, of, checksThat, stdout } = await examine({
      ...settingsOf(sandbox),
      OPSMANAGER_PRIVATE_KEY: "wrong-and-secret",
    });
    expect(exitCode).toBe(1);
    expect(checksThat("failed")).toEqual(["key.accepted"]);
    expect(of("key.accepted")[0]?.says).toContain("the key pair is wrong or was deleted");
    expect(checksThat("skipped")).toContain("operations.all");
    expect(stdout).not.toContain("wrong-and-secret");
  });

  test("whose access list lacks this machine is reported with the address", async () => {
    const sandbox = await start();
    sandbox.changeKey(sandbox.publicKey, { ipAllowed: false });
    const { of, checksThat } = await examine(settingsOf(sandbox));
    expect(checksThat("failed")).toEqual(["key.accepted"]);
    expect(of("key.accepted")[0]?.says).toContain("Add the address above to the access list");
  });

  test.each<[string, Parameters<typeof seedWith>, Readonly<Record<string, string>>]>([
    [
      "that reads its organization only",
      [{ roleName: "ORG_READ_ONLY", orgId }],
      {
        "key.tags":
          "Seeing tags requires the role Project Read Only, in older versions Global Owner or Global Read Only. Changing them requires the role Project Automation Admin, in older versions Global Owner.",
        "key.invitations": "Project User Admin",
        "key.creating": "Organization Project Creator or Organization Owner",
        "key.changingOrganization": "Organization Owner, or omit Team",
        "key.changing": "Project Owner",
      },
    ],
    [
      "that administers the people of one project",
      [{ roleName: "GROUP_USER_ADMIN", groupId: projectId }],
      {
        "key.tags": "Project Read Only",
        "key.creating": "Organization Project Creator",
        "key.changingOrganization": "Organization Owner",
        "key.changing": "Project Owner",
      },
    ],
    [
      "that may create projects and sees none",
      [{ roleName: "ORG_GROUP_CREATOR", orgId }],
      { "key.projects": "Project Owner in the project", "key.changingOrganization": "Organization Owner" },
    ],
  ])("%s is reported with each missing role", async (_, roles, missing) => {
    const sandbox = await start({ seed: seedWith(...roles), tagsWithoutGlobalRole: "hide" });
    const { exitCode, findings } = await examine(settingsOf(sandbox));
    const warnings = findings.filter(
      ({ check, outcome }) => check.startsWith("key.") && outcome === "warning",
    );
    expect(Object.fromEntries(warnings.map(({ check, advice }) => [check, advice]))).toEqual(
      Object.fromEntries(
        Object.entries(missing).map(([check, role]) => [check, expect.stringContaining(role)]),
      ),
    );
    expect(exitCode).toBe(0);
  });

  test.each(["refused", "off"] as const)(
    "that finds events %s is warned of what drift then cannot show",
    async (events) => {
      const sandbox = await start({ events, seed: seedWith({ roleName: "ORG_OWNER", orgId }) });
      const { exitCode, of } = await examine(settingsOf(sandbox));
      expect(exitCode).toBe(0);
      expect(of("key.events")).toMatchObject([
        { outcome: "warning", advice: "Without events, drift cannot show who may have changed an object." },
      ]);
    },
  );

  test("that is global cannot read its roles, and what it can read is reported", async () => {
    const sandbox = await start({ seed: seedWith({ roleName: "GLOBAL_READ_ONLY" }) });
    const { of, checksThat } = await examine(settingsOf(sandbox));
    expect(of("key.roles")).toMatchObject([
      { outcome: "skipped", says: expect.stringContaining("global key") },
    ]);
    expect(of("key.tags")).toMatchObject([{ outcome: "ok" }]);
    expect(of("key.invitations")[0]?.advice).toContain("Project User Admin");
    expect(checksThat("skipped")).toEqual(expect.arrayContaining(["key.creating", "key.changing"]));
  });

  test("that does not see what was named has failed", async () => {
    const elsewhere = "5f00000000000000000000ff";
    const sandbox = await start({ seed: seedWith({ roleName: "ORG_OWNER", orgId }) });
    const seen = await examine(settingsOf(sandbox), "--org", orgId, "--project", projectId);
    expect(seen.exitCode).toBe(0);
    expect(seen.of("key.project")[0]?.says).toBe(`The key can see project payments (${projectId})`);
    const unseen = await examine(settingsOf(sandbox), "--org", elsewhere, "--project", elsewhere);
    expect(unseen.exitCode).toBe(1);
    expect(unseen.checksThat("failed")).toEqual(["key.organization", "key.project"]);
    expect(unseen.of("key.organization")[0]?.says).toContain("ORG_NOT_FOUND");
  });
});

test("deleted organizations, and their projects, are passed over", async () => {
  const sandbox = await start({ seed: seedWith({ roleName: "GLOBAL_OWNER" }) });
  const deleted = sandbox.addOrg({ name: "Aardvark" }).id;
  sandbox.addProject({ name: "aaa", orgId: deleted });
  sandbox.changeOrg(deleted, { isDeleted: true });
  const { of } = await examine(settingsOf(sandbox));
  expect(of("key.projects")[0]?.says).toContain("and 1 organization");
  expect(of("key.people")[0]?.says).toContain(projectId);
  expect(sandbox.requests.filter(({ path }) => path.includes(deleted))).toEqual([]);
});

test("an operation that is answered with a bare 501 is not offered", async () => {
  const sandbox = await start({ seed: seedWith({ roleName: "ORG_OWNER", orgId }) });
  const fault = { status: 501, body: "", contentType: "text/plain" };
  sandbox.addFault({ pathPattern: "/invites$", fault, times: 0 });
  const { of } = await examine(settingsOf(sandbox));
  expect(of("operations.invitations")).toMatchObject([
    { outcome: "warning", says: "GET /groups/{id}/invites is not offered." },
  ]);
  expect(of("key.invitations")).toMatchObject([{ outcome: "skipped" }]);
});

test("a name that commands a terminal is shown in one line, with what hides in it", async () => {
  const name = "evil\u001b[2J\n  failed\u202e";
  const seed = { ...seedWith({ roleName: "ORG_OWNER", orgId }), projects: [{ id: projectId, name }] };
  const sandbox = await start({ seed });
  const surroundings = { cwd: "/", env: { ...environment, ...settingsOf(sandbox) } };
  const { stdout } = await runCommand(["doctor", "--project", projectId], surroundings);
  expect(stdout).toContain(`The key can see project evil\\u001b[2J\\u000a  failed\\u202e (${projectId})\n`);
});

test.each(["RESOURCE_NOT_FOUND", "bare", "web-page"] as const)(
  "a service that offers only the documented operations is shown with what does not work without the others (%s)",
  async (unknownPath) => {
    const sandbox = await start({
      onlyDocumented: true,
      challenge: "op",
      versionOnErrors: false,
      unknownPath,
    });
    const { exitCode, checksThat, of } = await examine(settingsOf(sandbox));
    expect(exitCode).toBe(0);
    expect(checksThat("warning").filter((check) => check.startsWith("operations."))).toEqual(
      [
        "projects",
        "project",
        "organizations",
        "organizationProjects",
        "people",
        "invitations",
        "teams",
        "projectTeams",
        "agentKeys",
        "account",
        "accountByName",
      ].map((name) => `operations.${name}`),
    );
    expect(of("operations.invitation")).toMatchObject([{ outcome: "ok" }]);
    expect(of("operations.people")[0]?.advice).toContain("ProjectMembers cannot be used");
    expect(of("key.accepted")).toMatchObject([{ outcome: "ok" }]);
    expect(of("service.version")).toMatchObject([{ outcome: "skipped" }]);
  },
);

test("a service that fails in the middle leaves the rest of the checks standing", async () => {
  const sandbox = await start();
  sandbox.addProject({ name: "payments" });
  sandbox.addFault({ pathPattern: "/invites$", times: 0, fault: { status: 200, body: "no JSON" } });
  const { exitCode, checksThat, of } = await examine(settingsOf(sandbox));
  expect(exitCode).toBe(1);
  expect(checksThat("failed")).toEqual(["key.invitations", "operations.invitations"]);
  expect(of("key.people")).toMatchObject([{ outcome: "ok" }]);
});

describe("a service account", () => {
  const account = {
    clientId: "mdb_sa_id_5f0000000000000000000001",
    clientSecret: "mdb_sa_sk_not-to-be-seen",
  };
  const withAccount = async (...roles: { roleName: string; orgId: string }[]) => {
    const seed = { ...seedWith(), serviceAccounts: [{ ...account, roles }] };
    const sandbox = await start({ seed, tagsWithoutGlobalRole: "allow" });
    const env = {
      OPSMANAGER_BASE_URL: sandbox.baseUrl,
      OPSMANAGER_CLIENT_ID: account.clientId,
      OPSMANAGER_CLIENT_SECRET: account.clientSecret,
      OPSMANAGER_TOKEN_URL: `${sandbox.baseUrl}/api/oauth/token`,
    };
    return { sandbox, env };
  };

  test("is checked like a key, and what only a key shows is skipped with the reason", async () => {
    const { env } = await withAccount({ roleName: "ORG_OWNER", orgId });
    const { exitCode, of, stdout, checksThat } = await examine(env);
    expect({ exitCode, failed: checksThat("failed") }).toEqual({ exitCode: 0, failed: [] });
    expect(of("service.answer")[0]?.says).toContain("The service requires credentials: status 401");
    expect(of("service.digest")).toMatchObject([
      {
        outcome: "skipped",
        says: "Not checked, because a service account uses access tokens instead of Digest.",
      },
    ]);
    expect(of("key.accepted")[0]?.says).toBe(
      `The service accepts service account ${account.clientId}, from the environment (OPSMANAGER_...)`,
    );
    expect(of("key.roles")).toMatchObject([
      {
        outcome: "skipped",
        says: "Not checked, because a service account is not among the API keys. The following checks use what it can see.",
      },
    ]);
    expect(of("key.projects")[0]?.says).toBe("The service account can see 1 project and 1 organization");
    expect(stdout).not.toMatch(/\bkey can|not-to-be-seen|eyJ/i);
  });

  test("that is refused fails one check, which names it", async () => {
    const { sandbox, env } = await withAccount();
    sandbox.changeServiceAccount(account.clientId, { clientSecret: "rotated" });
    const { exitCode, of, checksThat } = await examine(env);
    expect({ exitCode, failed: checksThat("failed") }).toEqual({ exitCode: 1, failed: ["key.accepted"] });
    expect(of("key.accepted")[0]?.says).toContain(`refused service account ${account.clientId}`);
    expect(of("operations.all")[0]?.says).toBe(
      "Not checked, because the service did not accept the service account.",
    );
  });
});
