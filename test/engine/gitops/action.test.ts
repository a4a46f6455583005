/** The GitHub Action and the GitLab template, and the script with which both run `opsmanager drift`. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unmanagedKinds } from "../../../cli/drift/report/model";
import { orderedSources } from "../../../provider/settings/sources";
import { finding, report, unowned } from "../../unit/cli/drift/reports";
import { readAction, readTemplate, runScript, runShell, standIn, stepsOf, templateJob } from "./support";

const action = readAction();
const { steps } = action.runs;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "opsmanager-action-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("no shell step contains an expression", () => {
  for (const { run = "" } of steps) expect(run).not.toContain("${{");
  expect(JSON.stringify(readTemplate().script)).not.toContain("$[[");
});

it("the install command gets no variable that holds a key", () => {
  const install = steps.find(({ run }) => run?.includes("$INSTALL"))?.run ?? "";
  const ofTemplate = templateJob().script.find((line) => line.includes("DRIFT_INSTALL")) ?? "";
  const keys = orderedSources({ args: {}, env: {}, isDefaultProvider: true, directory: folder })
    .flatMap(({ variables: names }) => [
      names?.publicKey,
      names?.privateKey,
      names?.clientId,
      names?.clientSecret,
    ])
    .filter((name) => name !== undefined);
  expect(keys).toHaveLength(6);
  for (const name of [...keys, "PULUMI_ACCESS_TOKEN", "PULUMI_CONFIG_PASSPHRASE_FILE"]) {
    expect([install, ofTemplate]).toEqual([
      expect.stringContaining(`-u ${name} `),
      expect.stringContaining(`-u ${name} `),
    ]);
  }
});

describe("the script of the template, as GitLab runs it", () => {
  const secrets = {
    OPSMANAGER_DRIFT_TOKEN: "token",
    OPSMANAGER_PRIVATE_KEY: "key",
    PULUMI_ACCESS_TOKEN: "pulumi",
  };
  const noteSecrets =
    'echo "$(basename "$PWD"): $OPSMANAGER_DRIFT_TOKEN $OPSMANAGER_PRIVATE_KEY $PULUMI_ACCESS_TOKEN" >>"$CALLS"';
  const runTemplate = (workingDirectory = "infra") => {
    const { script, variables } = templateJob({ "working-directory": workingDirectory });
    mkdirSync(join(folder, "infra"), { recursive: true });
    return runShell(folder, script.join("\n"), { ...variables, ...secrets }, "sh");
  };
  const programs = "node_modules/pulumi-opsmanager/action";

  it("gives each command the secrets that it needs, in the folder of the program", () => {
    for (const name of ["npm", "node"]) standIn(folder, name, noteSecrets);
    const { status, calls } = runTemplate();
    expect(status).toBe(0);
    expect(calls).toEqual([
      "npm ci",
      "infra:   ",
      `node ${programs}/run.mjs`,
      "infra:  key pulumi",
      `node ${programs}/publish.mjs`,
      "infra: token key pulumi",
    ]);
  });

  it("ends with the command that fails", () => {
    standIn(folder, "npm", "exit 3");
    standIn(folder, "node", "exit 4");
    expect(runTemplate()).toMatchObject({ status: 3, calls: ["npm ci"] });
    rmSync(join(folder, "calls"));
    standIn(folder, "npm");
    expect(runTemplate()).toMatchObject({ status: 4, calls: ["npm ci", `node ${programs}/run.mjs`] });
    rmSync(join(folder, "calls"));
    const { status, calls } = runTemplate("missing");
    expect({ isFailure: status !== 0, calls }).toEqual({ isFailure: true, calls: [] });
  });
});

it("each name that several runs could share contains the id, and a pull request replaces no report", () => {
  const stepOf = (action: string) => steps.find(({ uses }) => uses?.includes(action));
  expect(stepOf("upload-sarif")?.with?.category).toBe("${{ inputs.sarif-category || inputs.id }}");
  expect(stepOf("upload-artifact")?.with?.name).toBe("${{ inputs.id }}-report");
  const scripts = steps.filter(({ run }) => run?.includes("$GITHUB_ACTION_PATH"));
  expect(scripts.map(({ env }) => env?.OPSMANAGER_DRIFT_ID)).toEqual(Array(2).fill("${{ inputs.id }}"));

  const [restore, save] = ["restore", "save"].map((name) => stepOf(`actions/cache/${name}@`));
  const { key, path, "restore-keys": restored } = restore?.with ?? {};
  expect(restored).toBe("opsmanager-drift/1/${{ inputs.id }}/");
  expect(key).toBe(`${restored}${"$"}{{ github.run_id }}-${"$"}{{ github.run_attempt }}`);
  expect(save?.with).toEqual({ key, path });
  expect(save?.if).toContain("github.event_name != 'pull_request'");
  expect(scripts[0]?.env?.OPSMANAGER_DRIFT_PREVIOUS).toBe(`${path}/drift.json`);

  const { variables, artifacts, cache } = templateJob({ id: "org-a" });
  const reports = "org-a-reports";
  expect(variables).toMatchObject({
    OPSMANAGER_DRIFT_ID: "org-a",
    OPSMANAGER_DRIFT_REPORTS: `$CI_PROJECT_DIR/${reports}`,
    OPSMANAGER_DRIFT_PREVIOUS: "$CI_PROJECT_DIR/org-a-previous/drift.json",
  });
  const cached = { key: "opsmanager-drift-1-org-a-$CI_COMMIT_REF_SLUG", paths: ["org-a-previous/"] };
  expect(cache).toMatchObject(cached);
  const junit = `${reports}/drift.xml`;
  expect(artifacts).toMatchObject({ name: reports, paths: [`${reports}/`], reports: { junit } });
});

it("the example gives inputs that the action has", () => {
  const inputs = stepsOf("drift.yml", "gitops").at(-1)?.with ?? {};
  expect(inputs).toMatchObject({ stacks: "prod", arguments: "--unmanaged", issue: true, sarif: true });
  expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(inputs)));
});

/** Code scanning closes each result that the newest upload lacks, also one that could not be read. */
it("results go to code scanning only if the comparison was complete", () => {
  const { if: condition } = steps.find(({ uses }) => uses?.includes("upload-sarif")) ?? {};
  expect(condition).toContain("== '0' || steps.drift.outputs.exit-code == '2')");
});

describe("run.mjs", () => {
  const run = (env: Readonly<Record<string, string>>) => runScript("run.mjs", folder, env);
  const installed = () => join(folder, "node_modules", "pulumi-opsmanager");
  const manifest = { name: "pulumi-opsmanager", bin: { opsmanager: "bin/opsmanager.js" } };

  /** Installs a package whose command notes its arguments, one on each line, and then runs the lines. */
  function command(code: number, ...lines: string[]): void {
    mkdirSync(join(installed(), "bin"), { recursive: true });
    writeFileSync(join(installed(), "package.json"), JSON.stringify(manifest));
    const program = [
      'const fs = require("node:fs");',
      'fs.writeFileSync("calls", process.argv.slice(2).join("\\n"));',
      ...lines,
      `process.exitCode = ${code};`,
    ];
    writeFileSync(join(installed(), manifest.bin.opsmanager), program.join("\n"));
  }
  /** A command that leaves this report. */
  function reports(code: number, json: object, ...lines: string[]): void {
    writeFileSync(join(folder, "prepared.json"), JSON.stringify(json));
    command(code, 'fs.copyFileSync("prepared.json", "drift.json");', ...lines);
  }
  const read = (name: string) =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8") : "";
  const github = () => ({
    GITHUB_ACTIONS: "true",
    GITHUB_OUTPUT: join(folder, "output"),
    GITHUB_STEP_SUMMARY: join(folder, "summary"),
  });

  it.each([
    { ends: 0, code: 0, result: "clean" },
    { ends: 2, code: 2, result: "drift" },
    { ends: 139, code: 1, result: "unknown" },
  ])(
    "a command that ends with $ends gives the exit code $code and $result",
    async ({ ends, code, result }) => {
      command(ends, 'fs.writeFileSync("drift.md", "# report\\n");');
      expect((await run(github())).status).toBe(0);
      expect(read("output")).toBe(`exit-code=${code}\nresult=${result}\n`);
      expect(read("summary")).toBe("# report\n");
    },
  );

  it("counts what the report counts", async () => {
    const json = report({
      findings: [finding({}), finding({ name: "b", ignored: { reason: "known" } })],
      unreadable: [{ what: "people", reason: "The key lacks a role." }],
      unmanaged: {
        organizations: [],
        rows: [
          ...unmanagedKinds.map((kind) => unowned(kind, "ada")),
          unowned("people", "ada", { status: "indirect" }),
          unowned("people", "ada", { ignored: { reason: "known" } }),
        ],
      },
    });
    reports(1, json);
    await run(github());
    expect(read("output")).toContain("differences=1\nundetermined=1\nunmanaged=11\n");
  });

  it("compares with the report of the last run, counts what is new, and replaces it", async () => {
    const previous = join(folder, "previous", "drift.json");
    const own = { ...github(), OPSMANAGER_DRIFT_PREVIOUS: previous };
    const [before, now] = ["2026-03-03T05:06:07.890Z", report().generatedAt];
    const entry = { kind: "changed", what: "a", fingerprint: "b", since: before } as const;
    const json = report({
      findings: [
        finding({ since: now }),
        finding({ since: before }),
        finding({ since: now, ignored: { reason: "known" } }),
      ],
      unreadable: [{ what: "people", reason: "The key lacks a role.", since: now }],
      previous: { generatedAt: before, resolved: [entry], notChecked: [] },
    });
    reports(2, json);
    await run(own);
    expect(read("calls").split("\n").slice(0, 3)).toEqual(["drift", "--previous", previous]);
    expect(read("output")).toContain("new=2\nresolved=1\n");
    expect(JSON.parse(read("previous/drift.json"))).toEqual(json);

    // A run without a report keeps the last one for the comparison, and publishes nothing of an earlier run.
    command(1);
    rmSync(join(folder, "summary"), { force: true });
    writeFileSync(join(folder, "drift.md"), "old");
    await run(own);
    expect(JSON.parse(read("previous/drift.json"))).toEqual(json);
    expect([read("summary"), existsSync(join(folder, "drift.md"))]).toEqual(["", false]);
  });

  it("without a package, runs the command of the newest plugin that pulumi has installed", async () => {
    for (const version of ["0.9.0", "0.10.0", "0.2.0"]) {
      const plugin = join(folder, "pulumi-home", "plugins", `resource-opsmanager-v${version}`, "dist", "cli");
      mkdirSync(plugin, { recursive: true });
      writeFileSync(join(plugin, "main.js"), `require("node:fs").writeFileSync("calls", "${version}");`);
    }
    mkdirSync(join(folder, "pulumi-home", "plugins", "resource-opsmanager-v0.11.0"), { recursive: true });
    await run(github());
    expect([read("calls"), read("output")]).toEqual(["0.10.0", "exit-code=0\nresult=clean\n"]);
  });

  it("gives arguments to the command without a shell", async () => {
    command(0);
    await run({
      OPSMANAGER_DRIFT_STACKS: "prod $(touch${IFS}evil) ;touch",
      OPSMANAGER_DRIFT_ARGUMENTS: "--unmanaged `id`",
      OPSMANAGER_DRIFT_SARIF: "true",
    });
    expect(existsSync(join(folder, "evil"))).toBe(false);
    const expected =
      "drift --stack prod --stack $(touch${IFS}evil) --stack ;touch --unmanaged `id` --format text";
    expect(read("calls").split("\n").join(" ")).toContain(expected);
    expect(read("calls")).toContain(`sarif=${join(folder, "drift.sarif")}`);
    expect(read("calls")).not.toContain("html=");
  });

  /** A line that begins with "::" is a command to the runner, wherever the text comes from. */
  it("prevents text of the command from becoming a command of the runner", async () => {
    command(2, 'console.log("::add-path::/evil");', 'console.error("::error::on stderr");');
    const { stdout, stderr } = await run(github());
    const [first = "", ...lines] = stdout.trimEnd().split("\n");
    const [, token] = /^::stop-commands::([0-9a-f]{32})$/.exec(first) ?? [];
    expect(token).toBeDefined();
    expect(lines).toEqual(["::add-path::/evil", "::error::on stderr", `::${token}::`]);
    expect(stderr).toBe("");
    expect((await run(github())).output).not.toContain(token);
  });

  it.each([
    ["no package is", () => undefined],
    ["a package without the command is", () => command(0)],
  ])("%s installed: one error with the solution, and the result is unknown", async (_, install) => {
    install();
    if (existsSync(installed())) writeFileSync(join(installed(), "package.json"), "{}");
    const { status, output } = await run(github());
    expect(output).toMatch(/^The command opsmanager was found neither .* with the input `install`\.\n$/);
    expect(status).toBe(0);
    expect(read("output")).toBe("exit-code=1\nresult=unknown\n");
  });

  it("an id that is none is an error, and nothing is published", async () => {
    command(0);
    for (const id of ["", "--> <b>", "a\n::error::", "a".repeat(101)]) {
      const { status, output } = await run({ ...github(), OPSMANAGER_DRIFT_ID: id });
      expect(status).toBe(1);
      expect(output).toContain(`The input \`id\` is ${JSON.stringify(id)}, `);
      expect([read("output"), read("calls")]).toEqual(["", ""]);
    }
  });
});
