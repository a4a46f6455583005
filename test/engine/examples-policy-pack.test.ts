/** `examples/policy-pack`: what it refuses and what passes, through the real engine. */
import { readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { transform } from "@swc/core";
import { type Sandbox, startSandbox } from "../../sandbox";
import {
  createStack,
  describeIf,
  disposeStacks,
  type ProviderKind,
  type ResourceDeclaration,
  registryProblem,
  type Stack,
} from "../support";
import { repositoryRoot } from "../support/repository";
import { type InstalledExample, installExample } from "./support/installed-example";
import { writeFiles } from "./support/installed-package";
import { invitedTo } from "./support/people-program";
import { type PolicyEngine, policyEngine } from "./support/policy-engine";
import { projectNamed, writes } from "./support/project-program";
import { attachment, connection } from "./support/stack-setup";

const problem =
  registryProblem() ||
  (process.platform === "win32" ? "the engine starts pulumi-analyzer-policy-nodejs by a shell script" : "");

// Each run starts the policy pack.
jest.setTimeout(600_000);

/** The lines below `no-unlisted-owner` in the sample output of the README, without their indents. */
async function sampleLines(): Promise<string[]> {
  const readme = await readFile(join(repositoryRoot, "examples", "policy-pack", "README.md"), "utf8");
  const [, sample = ""] = /no-unlisted-owner {2}\(.*\)\n([\s\S]*?)```/.exec(readme) ?? [];
  return sample.trim().split(/\s*\n\s*/);
}

/** `LEVEL POLICY RESOURCE: first sentence`, sorted, from what Pulumi prints. */
function violations(output: string): string[] {
  const found = output.matchAll(/- \[(\w+)\] +(\S+) +\(\S+: (\S+)\)\n.*\n +(.+?\.)(?= [A-Z]|\n)/g);
  return [...found].map(([, level, policy, name, text]) => `${level} ${policy} ${name}: ${text}`).sort();
}

describeIf(problem === "", problem)("examples/policy-pack, installed by npm", () => {
  let pack: InstalledExample;
  let pulumi: PolicyEngine;
  /** The same pack in JavaScript. A run in TypeScript takes seconds to check the types, so one test has it. */
  let compiledPack: string;
  beforeAll(async () => {
    pack = await installExample("policy-pack");
    compiledPack = join(pack.path, "compiled");
    const read = (name: string) => readFile(join(pack.path, name), "utf8");
    const { code } = await transform(await read("index.ts"), {
      jsc: { target: "es2022", parser: { syntax: "typescript" } },
      module: { type: "commonjs" },
    });
    await writeFiles(compiledPack, {
      "index.js": code,
      "package.json": JSON.stringify({ ...JSON.parse(await read("package.json")), main: "index.js" }),
      "PulumiPolicy.yaml": "runtime: { name: nodejs, options: { typescript: false } }\n",
    });
    await symlink(join(pack.path, "node_modules"), join(compiledPack, "node_modules"));
    pulumi = policyEngine();
  });
  afterAll(async () => {
    pulumi?.remove();
    await pack?.remove();
  });

  let sandbox: Sandbox;
  beforeEach(async () => {
    sandbox = await startSandbox({ ldap: true });
  });
  afterEach(async () => {
    await disposeStacks();
    await sandbox.close();
  });

  const open = async (
    resources: Readonly<Record<string, ResourceDeclaration>>,
    provider: ProviderKind = "plugin",
  ): Promise<Stack> =>
    createStack({
      provider,
      program: { resources },
      config: connection(sandbox),
      env: provider === "plugin" ? await attachment() : {},
    });

  const project = (name: string, properties: Readonly<Record<string, unknown>>): ResourceDeclaration => ({
    type: "Project",
    properties: { orgId: sandbox.orgId, name, ...properties },
  });

  const ownerOf = (project: string, person: Readonly<Record<string, unknown>>): ResourceDeclaration => ({
    type: "ProjectMember",
    properties: { projectId: `\${${project}.projectId}`, ...person, roles: ["GROUP_OWNER"] },
  });

  const listed = ["PROD", "TEAM_PAYMENTS"];
  const withPack = (config = "config.json", path = compiledPack) => [
    ...["--policy-pack", path],
    ...["--policy-pack-config", join(pack.path, config)],
  ];

  /** Each policy is violated by each resource that it is about. */
  const violating = (): Readonly<Record<string, ResourceDeclaration>> => ({
    payments: project("payments", {
      tags: ["PRODUCTION", "TEAM_PAYMENTS"],
      ldapGroupMappings: [
        {
          roleName: "GROUP_OWNER",
          ldapGroups: ["cn=Platform,dc=example,dc=com", "cn=all,dc=example,dc=com"],
        },
        { roleName: "GROUP_READ_ONLY", ldapGroups: ["cn=guests,dc=example,dc=com"] },
      ],
    }),
    bare: project("bare", {}),
    secret: { ...project("secret", { tags: { "fn::secret": ["PROD"] } }), options: { protect: true } },
    ada: ownerOf("secret", { username: { "fn::secret": "ada@example.com" } }),
    eve: ownerOf("payments", { username: "eve@example.com" }),
    byId: ownerOf("payments", { userId: "5f000000000000000000000e" }),
    people: {
      type: "ProjectMembers",
      properties: {
        projectId: "${bare.projectId}",
        members: {
          "Ada@Example.com": ["GROUP_OWNER"],
          "bob@example.com": ["GROUP_READ_ONLY", "GROUP_OWNER"],
          "carl@example.com": ["GROUP_READ_ONLY"],
        },
      },
    },
    team: {
      type: "ProjectTeam",
      properties: { projectId: "${bare.projectId}", teamName: "operators", roles: ["GROUP_OWNER"] },
    },
    key: {
      type: "ProjectApiKey",
      properties: {
        projectId: "${bare.projectId}",
        publicKey: "abcdwxyz",
        roles: ["GROUP_OWNER", "GROUP_USER_ADMIN"],
      },
    },
    groups: project("groups", {
      tags: listed,
      onDestroy: "release",
      idpGroupMappings: [{ roleName: "GROUP_USER_ADMIN", idpGroups: ["everyone"] }],
      projectOwnerId: "5f000000000000000000000e",
    }),
    organization: {
      type: "Organization",
      properties: {
        orgId: sandbox.orgId,
        idpGroupMappings: [{ roleName: "ORG_OWNER", idpGroups: ["contractors"] }],
      },
    },
    adaToo: {
      type: "OrganizationMember",
      properties: { orgId: sandbox.orgId, username: "ada@example.com", roles: ["ORG_OWNER"] },
    },
    mallory: {
      type: "OrganizationMember",
      properties: {
        orgId: sandbox.orgId,
        username: "mallory@example.com",
        roles: ["ORG_OWNER", "ORG_MEMBER"],
      },
    },
    pipeline: {
      type: "ApiKey",
      properties: { orgId: sandbox.orgId, description: "pipeline", roles: ["ORG_OF_A_LATER_VERSION"] },
    },
  });

  it("refuses unlisted owners and missing tags in the preview, secrets included, and names each", async () => {
    const stack = await open(violating());
    const { exitCode, output } = await pulumi.run(stack, "preview", ...withPack("config.json", pack.path));
    expect(exitCode).not.toBe(0);
    expect(violations(output)).toEqual([
      "advisory protected-projects bare: Destroying deletes this project.",
      "advisory protected-projects payments: Destroying deletes this project.",
      "mandatory no-unlisted-owner byId: 5f000000000000000000000e must not have the role GROUP_OWNER.",
      "mandatory no-unlisted-owner eve: eve@example.com must not have the role GROUP_OWNER.",
      "mandatory no-unlisted-owner groups: The group everyone must not have the role GROUP_USER_ADMIN.",
      "mandatory no-unlisted-owner groups: User 5f000000000000000000000e must not become the owner of the project.",
      "mandatory no-unlisted-owner key: The API key abcdwxyz must not have the roles GROUP_OWNER, GROUP_USER_ADMIN.",
      "mandatory no-unlisted-owner mallory: mallory@example.com must not have the role ORG_OWNER.",
      "mandatory no-unlisted-owner organization: The group contractors must not have the role ORG_OWNER.",
      "mandatory no-unlisted-owner payments: The group cn=all,dc=example,dc=com must not have the role GROUP_OWNER.",
      "mandatory no-unlisted-owner people: bob@example.com must not have the role GROUP_OWNER.",
      "mandatory no-unlisted-owner pipeline: The API key pipeline must not have the role ORG_OF_A_LATER_VERSION.",
      "mandatory no-unlisted-owner team: The team operators must not have the role GROUP_OWNER.",
      "mandatory required-tags bare: The project has no tag that matches PROD|STAGE|DEV.",
      "mandatory required-tags bare: The project has no tag that matches TEAM_.+.",
      "mandatory required-tags payments: The project has no tag that matches PROD|STAGE|DEV.",
      "mandatory required-tags secret: The project has no tag that matches TEAM_.+.",
    ]);
    const lines = output.split(/\s*\n\s*/);
    expect(lines).toEqual(expect.arrayContaining(await sampleLines()));
    expect(writes(sandbox)).toEqual([]);
  });

  it("accepts a program without violations, advises to protect projects, and decides about an unknown value before it is written", async () => {
    const { id: legacy } = sandbox.addProject({ name: "legacy" });
    const tags = { tags: listed };
    const stack = await open({
      payments: project("payments", tags),
      kept: { ...project("kept", tags), options: { protect: true } },
      released: project("released", { ...tags, onDestroy: "release" }),
      legacy: { type: "Project", properties: { projectId: legacy, ...tags } },
      ada: ownerOf("payments", { username: "ADA@example.com" }),
      unknown: ownerOf("kept", { username: "svc-${kept.projectId}@example.com" }),
    });
    const advice = "advisory protected-projects payments: Destroying deletes this project.";
    const preview = await pulumi.run(stack, "preview", ...withPack());
    expect([preview.exitCode, violations(preview.output)]).toEqual([0, [advice]]);
    expect(preview.output).toContain("value at .username can't be known during preview");

    const up = await pulumi.run(stack, "up", "--yes", "--skip-preview", ...withPack());
    const { id } = projectNamed(sandbox, "kept");
    expect(up.exitCode).not.toBe(0);
    expect(violations(up.output)).toEqual([
      advice,
      `mandatory no-unlisted-owner unknown: svc-${id}@example.com must not have the role GROUP_OWNER.`,
    ]);
    expect(invitedTo(sandbox, id)).toEqual({});
  });

  it("takes the level of a policy from its configuration, and checks programs of the dynamic provider too", async () => {
    const stack = await open(
      {
        payments: project("payments", {
          tags: ["PROD"],
          ldapGroupMappings: [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=all,dc=example,dc=com"] }],
        }),
        eve: ownerOf("payments", { username: "eve@example.com" }),
      },
      "dynamic",
    );
    const config = JSON.parse(await readFile(join(pack.path, "config.json"), "utf8"));
    const lenient = {
      ...config,
      "required-tags": { ...config["required-tags"], enforcementLevel: "advisory" },
    };
    await writeFile(join(pack.path, "lenient.json"), JSON.stringify(lenient));
    const { exitCode, output } = await pulumi.run(stack, "preview", ...withPack("lenient.json"));
    expect(exitCode).not.toBe(0);
    expect(violations(output)).toEqual([
      "advisory protected-projects payments: Destroying deletes this project.",
      "advisory required-tags payments: The project has no tag that matches TEAM_.+.",
      "mandatory no-unlisted-owner eve: eve@example.com must not have the role GROUP_OWNER.",
      "mandatory no-unlisted-owner payments: The group cn=all,dc=example,dc=com must not have the role GROUP_OWNER.",
    ]);
  });
});
