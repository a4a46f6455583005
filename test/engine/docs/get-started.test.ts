/**
 * Get started, step by step as it is typed: an empty folder, the blocks of the page in their order, and a project in the service.
 * Only the address of Ops Manager and the template of `pulumi new` are the test's own.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { type Sandbox, startSandbox } from "../../../sandbox";
import { run } from "../../../scripts/lib/run.mjs";
import { describeIf, engine, packRepository, registryProblem, repositoryRoot } from "../../support";
import { type CodeBlock, readPage } from "../../support/documents";
import { type Files, writeFiles } from "../support/installed-package";
import { invitedTo, paymentsId } from "../support/people-program";

/** A quarter of a minute of two processors, of which a busy machine gives little. */
jest.setTimeout(300_000);

const documentedAddress = "https://ops-manager.example.com:8443";

/** What `pulumi new typescript` writes, as far as the page depends on it. The template's own repository is on GitHub. */
const template: Files = {
  "typescript/Pulumi.yaml":
    "name: ${PROJECT}\ndescription: ${DESCRIPTION}\nruntime: nodejs\ntemplate:\n  description: A program in TypeScript\n",
  "typescript/package.json": JSON.stringify({
    name: "${PROJECT}",
    main: "index.ts",
    dependencies: { "@pulumi/pulumi": "^3.113.0" },
  }),
  "typescript/tsconfig.json": JSON.stringify({
    compilerOptions: { strict: true, target: "es2020", module: "commonjs", moduleResolution: "node" },
    files: ["index.ts"],
  }),
  "typescript/index.ts": 'import * as pulumi from "@pulumi/pulumi";\n',
};

const problem = registryProblem();

/** The cache and the registries of npm on this machine, although the test has a home of its own. */
function npmSettings(): Record<string, string> {
  const printed = execFileSync("npm", ["config", "get", "cache", "userconfig"], { encoding: "utf8" });
  const settings = printed.trim().split("\n");
  return Object.fromEntries(
    settings.map((line) => [`npm_config_${line.split("=")[0]}`, line.replace(/^\w+=/, "")]),
  );
}

/** What npm trusts beside its own certificates. */
const { NODE_EXTRA_CA_CERTS } = process.env;

describeIf(problem === "", problem)("a reader of docs/get-started.md", () => {
  let folder: string;
  let npm: Record<string, string>;
  let sandbox: Sandbox;
  /** Where the commands of the page are run now, as `cd` moves on. */
  let workingFolder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "opsmanager-get-started-"));
    workingFolder = join(folder, "work", "pulumi-opsmanager");
    npm = npmSettings();
    for (const path of ["work", "work/pulumi-opsmanager", "home", "state", "templates"])
      await mkdir(join(folder, path));
    await packRepository(workingFolder);
    await writeFiles(join(folder, "templates"), template);
    const git = (...args: string[]) => execFileSync("git", args, { cwd: join(folder, "templates") });
    git("init", "--quiet", "--initial-branch=master");
    git("add", "--all");
    git("-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "--quiet", "--message=All");
    sandbox = await startSandbox({
      tls: true,
      seed: {
        orgs: [{ id: "5f0000000000000000000001" }],
        keys: [
          {
            publicKey: "abcdefgh",
            privateKey: "00000000-0000-0000-0000-000000000000",
            roles: [{ roleName: "ORG_OWNER", orgId: "5f0000000000000000000001" }],
          },
        ],
      },
    });
  });
  afterAll(async () => {
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  /** That of a shell: without the folders that npm puts in front of PATH for the command that runs these tests. */
  const environment = () => {
    const path = (process.env.PATH ?? "").split(delimiter).filter((part) => !part.startsWith(repositoryRoot));
    return {
      PATH: [engine().bin, dirname(process.execPath), ...path].join(delimiter),
      HOME: join(folder, "home"),
      PULUMI_HOME: join(folder, "home", ".pulumi"), // The engine takes the home folder of the account, not HOME.
      ...(NODE_EXTRA_CA_CERTS === undefined ? {} : { NODE_EXTRA_CA_CERTS }),
      ...npm,
      npm_config_prefer_offline: "true",
      npm_config_audit: "false", // npm would send a request for it in each installation.
      npm_config_update_notifier: "false",
      PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
      PULUMI_CONFIG_PASSPHRASE: "a passphrase",
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
      PULUMI_DISABLE_REGISTRY_RESOLVE: "true",
      PULUMI_NODEJS_TRANSPILE_ONLY: "true", // examples-types.test.ts checks the types.
      PULUMI_SKIP_CONFIRMATIONS: "true",
      PULUMI_SKIP_UPDATE_CHECK: "true",
      PULUMI_TEMPLATE_GIT_REPOSITORY: join(folder, "templates"),
    };
  };

  async function type(commands: string): Promise<string> {
    const script = `set -e\n${commands.replaceAll(documentedAddress, sandbox.baseUrl)}\npwd > "$HOME/folder"`;
    const output = await run("sh", ["-c", script], { cwd: workingFolder, env: environment() });
    workingFolder = (await readFile(join(folder, "home", "folder"), "utf8")).trim();
    return output;
  }

  /** What the page says to do with a block, by its language. */
  const follow: Readonly<Record<string, (block: CodeBlock) => Promise<string>>> = {
    sh: ({ text }) => type(text),
    yaml: async ({ text }) => {
      await appendFile(join(workingFolder, "Pulumi.yaml"), `${text}\n`);
      return "";
    },
    typescript: async ({ text }) => {
      await writeFile(join(workingFolder, "index.ts"), text);
      return "";
    },
  };

  it("has a project with its people at the end, no drift, and a doctor that found the plugin for pulumi", async () => {
    const outputs: string[] = [];
    for (const block of readPage("docs/get-started.md").blocks) {
      if (block.text.includes("company-ca.pem"))
        await writeFile(join(workingFolder, "company-ca.pem"), sandbox.caCert ?? "");
      outputs.push((await follow[block.language]?.(block)) ?? "");
    }
    const doctor = outputs.find((output) => output.startsWith("Environment"));
    expect(doctor).toContain("ok       The plugin is named in the Pulumi project");
    expect(doctor).toContain(" 0 failed");
    const { roles } = sandbox.user({ username: "owner@example.com" }) ?? {};
    expect(roles).toContainEqual({ groupId: paymentsId(sandbox), roleName: "GROUP_OWNER" });
    // Where the command takes ten seconds, lines of its progress come first.
    expect(outputs.at(-1)).toMatch(/^No drift\./m);
    expect(invitedTo(sandbox, paymentsId(sandbox))).toEqual({
      "ada@example.com": ["GROUP_OWNER"],
      "bob@example.com": ["GROUP_READ_ONLY"],
    });
  });
});
