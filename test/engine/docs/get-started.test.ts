/**
 * Get started, step by step as it is typed: an empty folder, the blocks of the page in their order, and a project in the service.
 * Only the address of Ops Manager is the test's own.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { type Sandbox, startSandbox } from "../../../sandbox";
import { run } from "../../../scripts/lib/run.mjs";
import { describeIf, engine, packRepository, registryProblem, repositoryRoot } from "../../support";
import { type CodeBlock, readPage } from "../../support/documents";
import { invitedTo, paymentsId } from "../support/people-program";

/** A quarter of a minute of two processors, of which a busy machine gives little. */
jest.setTimeout(300_000);

const documentedAddress = "https://ops-manager.example.com:8443";

const page = readPage("docs/get-started.md");
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
    for (const path of ["work", "work/pulumi-opsmanager", "home", "state"]) await mkdir(join(folder, path));
    await packRepository(workingFolder);
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
    };
  };

  async function type(commands: string): Promise<string> {
    const script = `set -e\n${commands.replaceAll(documentedAddress, sandbox.baseUrl)}\npwd > "$HOME/folder"`;
    const output = await run("sh", ["-c", script], { cwd: workingFolder, env: environment() });
    workingFolder = (await readFile(join(folder, "home", "folder"), "utf8")).trim();
    return output;
  }

  /** The page names each file in the line above its content. */
  async function write({ line, text }: CodeBlock): Promise<string> {
    const above = page.text.split("\n").slice(0, line - 1);
    const [, name = ""] = above.map((words) => /`([\w.-]+)`:$/.exec(words)).findLast(Boolean) ?? [];
    await writeFile(join(workingFolder, name), text);
    return "";
  }

  it("has a project with its people at the end, no drift, and a doctor that found the plugin for pulumi", async () => {
    const outputs: string[] = [];
    for (const block of page.blocks) {
      if (block.text.includes("company-ca.pem"))
        await writeFile(join(workingFolder, "company-ca.pem"), sandbox.caCert ?? "");
      outputs.push(await (block.language === "sh" ? type(block.text) : write(block)));
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
