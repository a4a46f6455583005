/** `opsmanager doctor` against the sandbox: what works is shown, what is missing is named, nothing is written. */
import { delimiter, join } from "node:path";
import type { Sandbox, SandboxOptions } from "../../../sandbox";
import { doctorTests, settingsOf, textOf } from "./doctor-run";

const { sandbox: start, folder, print, examine } = doctorTests();

const orgId = "5f00000000000000000000b1";
const projectId = "5f00000000000000000000a1";
const elsewhere = "5f00000000000000000000ff";
const key = { publicKey: "demo", privateKey: "not-to-be-seen" };
const account = { clientId: "mdb_sa_id_5f0000000000000000000001", clientSecret: "mdb_sa_sk_not-to-be-seen" };

type Roles = readonly { roleName: string; orgId?: string; groupId?: string }[];
const organizationOwner: Roles = [{ roleName: "ORG_OWNER", orgId }];

/** One project, a key that has these roles only, and a service account that owns the organization. */
function seedWith(roles: Roles, name = "payments") {
  return {
    orgs: [{ id: orgId, name: "Example Org" }],
    keys: [{ ...key, roles }],
    serviceAccounts: [{ ...account, roles: organizationOwner }],
    projects: [{ id: projectId, name, tags: ["PROD"] }],
  };
}

const asAccount = ({ baseUrl }: Sandbox) => ({
  OPSMANAGER_BASE_URL: baseUrl,
  OPSMANAGER_CLIENT_ID: account.clientId,
  OPSMANAGER_CLIENT_SECRET: account.clientSecret,
  OPSMANAGER_TOKEN_URL: `${baseUrl}/api/oauth/token`,
});

test("a service where all is well ends with exit code 0, reports what it saw, and was only read from", async () => {
  // The name would command a terminal.
  const seed = seedWith(organizationOwner, "evil\u001b[2J\n  failed\u202e");
  const sandbox = await start({ tagsWithoutGlobalRole: "allow", seed });
  const { exitCode, stdout, stderr } = await print(settingsOf(sandbox), "--project", projectId);
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
    `The key can see project evil\\u001b[2J\\u000a  failed\\u202e (${projectId})\n`,
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

const needsProjectReadOnly = /^warning: .*role Project Read Only/;
const needsOrganizationOwner = /^warning: .*Organization Owner/;
const withoutEvents = /^warning: .*Without events, drift cannot show who may have changed an object\.$/;

test.each<{
  who: string;
  options?: SandboxOptions;
  roles?: Roles;
  change?: (sandbox: Sandbox) => void;
  env?: (sandbox: Sandbox) => Readonly<Record<string, string>>;
  args?: readonly string[];
  /** Other checks do not fail. */
  failed?: readonly string[];
  /** What these checks find, with the outcome before and the advice behind. */
  finds: Readonly<Record<string, RegExp>>;
}>([
  {
    who: "a service with op",
    options: { challenge: "op" },
    finds: { "service.digest": /^ok: .*algorithm MD5, op=auth instead of qop/, "key.accepted": /^ok/ },
  },
  {
    who: "a wrong key",
    env: () => ({ OPSMANAGER_PRIVATE_KEY: "wrong-not-to-be-seen" }),
    failed: ["key.accepted"],
    finds: {
      "key.accepted": /^failed: .*the key pair is wrong or was deleted/,
      "operations.all": /^skipped: Not checked, because the service did not accept the key\./,
    },
  },
  {
    who: "a key whose access list lacks this machine",
    change: (sandbox) => void sandbox.changeKey(sandbox.publicKey, { ipAllowed: false }),
    failed: ["key.accepted"],
    finds: { "key.accepted": /Add the address above to the access list/ },
  },
  {
    who: "a key that reads its organization only",
    roles: [{ roleName: "ORG_READ_ONLY", orgId }],
    finds: {
      "key.tags":
        /^warning: .*Seeing tags requires the role Project Read Only, in older versions Global Owner or Global Read Only\. Changing them requires the role Project Automation Admin, in older versions Global Owner\./,
      "key.people": /^ok/,
      "key.invitations": /^warning: .*Project User Admin/,
      "key.creating": /^warning: .*Organization Project Creator or Organization Owner/,
      "key.changingOrganization": /^warning: .*Organization Owner, or omit Team/,
      "key.changing": /^warning: .*nothing in.*Project Owner/,
    },
  },
  {
    who: "a key that administers the people of one project",
    roles: [{ roleName: "GROUP_USER_ADMIN", groupId: projectId }],
    finds: {
      "key.tags": needsProjectReadOnly,
      "key.people": /^ok/,
      "key.invitations": /^ok/,
      "key.creating": /^warning: .*Organization Project Creator/,
      "key.changingOrganization": needsOrganizationOwner,
      "key.changing": /^warning: .*only the people of.*Project Owner/,
    },
  },
  {
    who: "a key that may create projects and sees none",
    roles: [{ roleName: "ORG_GROUP_CREATOR", orgId }],
    finds: {
      "key.projects": /^warning: .*Project Owner in the project/,
      "key.creating": /^ok/,
      "key.changingOrganization": needsOrganizationOwner,
      "key.changing": /^skipped/,
    },
  },
  {
    who: "a global key, which cannot read its roles",
    roles: [{ roleName: "GLOBAL_READ_ONLY" }],
    finds: {
      "key.roles": /^skipped: .*global key/,
      "key.tags": /^ok/,
      "key.invitations": /^warning: .*Project User Admin/,
      "key.creating": /^skipped/,
      "key.changing": /^skipped/,
    },
  },
  { who: "a service without events", options: { events: "off" }, finds: { "key.events": withoutEvents } },
  {
    who: "a key that does not see what was named",
    args: ["--org", elsewhere, "--project", elsewhere],
    failed: ["key.organization", "key.project"],
    finds: { "key.organization": /ORG_NOT_FOUND/ },
  },
  {
    who: "an operation that is answered with a bare 501",
    change: (sandbox) => {
      const fault = { status: 501, body: "", contentType: "text/plain" };
      sandbox.addFault({ pathPattern: "/invites$", fault, times: 0 });
    },
    finds: {
      "operations.invitations": /^warning: GET \/groups\/\{id\}\/invites is not offered\./,
      "key.invitations": /^skipped/,
    },
  },
  {
    who: "a service that fails in the middle",
    change: (sandbox) =>
      void sandbox.addFault({ pathPattern: "/invites$", times: 0, fault: { status: 200, body: "no JSON" } }),
    failed: ["key.invitations", "operations.invitations"],
    finds: { "key.people": /^ok/ },
  },
  {
    who: "deleted organizations, which are passed over with their projects",
    roles: [{ roleName: "GLOBAL_OWNER" }],
    change: (sandbox) => {
      const deleted = sandbox.addOrg({ name: "Aardvark" }).id;
      sandbox.addProject({ name: "aaa", orgId: deleted });
      sandbox.changeOrg(deleted, { isDeleted: true });
    },
    finds: { "key.projects": /and 1 organization/, "key.people": RegExp(projectId) },
  },
  {
    who: "a service account, of which a key would show more",
    env: asAccount,
    options: { serviceAccountLists: "offered" },
    finds: {
      "service.answer": /^ok: The service requires credentials: status 401/,
      "service.digest":
        /^skipped: Not checked, because a service account uses access tokens instead of Digest\./,
      "key.accepted": RegExp(
        `^ok: The service accepts service account ${account.clientId}, from the environment`,
      ),
      "key.roles":
        /^skipped: Not checked, because a service account is not among the API keys\. The following checks use what it can see\./,
      "key.projects": /^ok: The service account can see 1 project and 1 organization/,
      "key.serviceAccounts": RegExp(
        `^ok: The service account can read the service accounts of organization ${orgId}: 1`,
      ),
    },
  },
  {
    who: "a service account that is refused",
    change: (sandbox) => void sandbox.changeServiceAccount(account.clientId, { clientSecret: "rotated" }),
    env: asAccount,
    failed: ["key.accepted"],
    finds: {
      "key.accepted": RegExp(`^failed: .*refused service account ${account.clientId}`),
      "operations.all": /^skipped: Not checked, because the service did not accept the service account\./,
    },
  },
])("$who", async ({ options, roles = organizationOwner, change, env, args = [], failed = [], finds }) => {
  const sandbox = await start({ seed: seedWith(roles), tagsWithoutGlobalRole: "hide", ...options });
  change?.(sandbox);
  const settings = env === asAccount ? {} : settingsOf(sandbox);
  const diagnosis = await examine({ ...settings, ...env?.(sandbox) }, ...args);
  const found = Object.keys(finds).map((check) => [check, diagnosis.of(check).map(textOf).join()]);
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(Object.entries(finds).map(([check, text]) => [check, expect.stringMatching(text)])),
  );
  expect(diagnosis.checksThat("failed")).toEqual(failed);
  expect(diagnosis.exitCode).toBe(failed.length > 0 ? 1 : 0);
  expect(diagnosis.stdout).not.toContain("not-to-be-seen");
  if (env === asAccount) expect(diagnosis.stdout).not.toMatch(/\bkey can|eyJ/i);
});

describe("the PATH with the plugin is", () => {
  /** A folder of the test's home that holds the plugin's executable. */
  function linked(name: string): string {
    const bin = join(name, "node_modules", ".bin");
    folder.write({ [join(bin, "pulumi-resource-opsmanager")]: "" });
    return join(folder.path, bin);
  }

  /** What npm and npx set before they start a command: `@npmcli/run-script`, `set-path.js`. */
  const fromNpm = (bin: string, ...own: readonly string[]) => ({
    npm_execpath: "/usr/lib/node_modules/npm/bin/npm-cli.js",
    PATH: [bin, "/node_modules/.bin", "/usr/lib/node-gyp-bin", ...own, folder.path].join(delimiter),
  });

  const npmAlone =
    /^warning: The plugin is in \S+project\S+, which is on PATH in npm scripts and npx only\. pulumi in a shell does not find it\. .*name the package's folder in Pulumi\.yaml \(plugins\.providers\)/;

  test.each<{ how: string; env: () => Record<string, string>; finds: RegExp }>([
    {
      how: "the user's own, if npx runs the command",
      env: () => fromNpm(linked("project"), linked("own")),
      finds: /^ok: The plugin is on PATH, in \S+own\S+/,
    },
    { how: "that of npx alone", env: () => fromNpm(linked("project")), finds: npmAlone },
    {
      how: "that of a package manager without node-gyp-bin alone",
      env: () => ({
        npm_config_user_agent: "bun/1.3",
        PATH: [linked("project"), folder.path].join(delimiter),
      }),
      finds: npmAlone,
    },
  ])("$how", async ({ env, finds }) => {
    const { of } = await examine(env());
    expect(of("environment.plugin").map(textOf)).toEqual([expect.stringMatching(finds)]);
  });
});

test("a service that offers only the documented operations is shown with what does not work without the others", async () => {
  const options = {
    onlyDocumented: true,
    challenge: "op",
    versionOnErrors: false,
    unknownPath: "bare",
  } as const;
  const { exitCode, checksThat, of } = await examine(settingsOf(await start(options)));
  expect(exitCode).toBe(0);
  const missing =
    "projects project organizations organizationProjects people invitations teams projectTeams agentKeys account accountByName";
  expect(checksThat("warning").filter((check) => check.startsWith("operations."))).toEqual(
    missing.split(" ").map((name) => `operations.${name}`),
  );
  expect(checksThat("ok")).toEqual(expect.arrayContaining(["operations.invitation", "key.accepted"]));
  expect(of("operations.people").map(textOf).join()).toContain("ProjectMembers cannot be used");
  expect(checksThat("skipped")).toContain("service.version");
});
