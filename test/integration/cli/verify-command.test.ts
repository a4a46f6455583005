/** The command line of `opsmanager verify`, what it prints and writes, and the file in the hands of `opsmanager sandbox --like`. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Sandbox } from "../../../sandbox";
import { CommandLineError, parseCommandLine } from "../../../sandbox/options";
import { type CommandResult, runCommand } from "../../support/command";
import { repositoryRoot } from "../../support/repository";
import { sandboxes } from "../sandbox/with-sandbox";
import { holdings, key, organizationOwner, orgId, seedFor, user } from "./verify-run";

const start = sandboxes();
const main = join(repositoryRoot, "dist", "cli", "main.js");

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "opsmanager-verify-"));
});
afterEach(() => rm(cwd, { recursive: true, force: true }));

const environmentOf = ({ baseUrl, publicKey, privateKey }: Sandbox) => ({
  OPSMANAGER_BASE_URL: baseUrl,
  OPSMANAGER_PUBLIC_KEY: publicKey,
  OPSMANAGER_PRIVATE_KEY: privateKey,
});

function verify(
  sandbox: Sandbox,
  argv: readonly string[],
  confirm?: (question: string) => Promise<boolean>,
): Promise<CommandResult> {
  const surroundings = { cwd, env: environmentOf(sandbox), ...(confirm ? { confirm } : {}) };
  return runCommand(["verify", "--org", orgId, "--wait", "0", ...argv], surroundings);
}

const writes = ({ requests }: Sandbox) => requests.filter(({ method }) => method !== "GET");

describe("before it writes", () => {
  test("it refuses to run without a terminal and without --yes, and sends nothing", async () => {
    const sandbox = await start({ seed: seedFor(organizationOwner) });
    expect(await verify(sandbox, [])).toEqual({
      exitCode: 1,
      stdout: "",
      stderr:
        "opsmanager: verify writes to the service and requires a confirmation, but there is no terminal. Add --yes to run it.\n",
    });
    expect(sandbox.requests).toEqual([]);
  });

  test("it asks at a terminal, and writes nothing after a no", async () => {
    const sandbox = await start({ seed: seedFor(organizationOwner) });
    const questions: string[] = [];
    const result = await verify(sandbox, ["--user", user], async (question) => {
      questions.push(question);
      return false;
    });
    expect(result).toEqual({ exitCode: 1, stdout: "", stderr: "opsmanager: Nothing was written.\n" });
    expect(questions).toEqual([
      expect.stringMatching(
        /^Create throw-away projects opsmanager-verify-delete-me-\w+\.\.\. in organization Example Org of http:\S+, change them, invite opsmanager-verify-\w+@example\.com and dev@example\.com to them, and remove them\?$/,
      ),
    ]);
    expect(writes(sandbox)).toEqual([]);
    expect((await verify(sandbox, [], async () => true)).exitCode).toBe(0);
    expect(writes(sandbox).length).toBeGreaterThan(10);
  });

  test.each([
    { argv: ["--org", "payments"], says: "--org payments: must be the id of an organization" },
    { argv: ["--wait", "soon"], says: "--wait: must be a number of seconds" },
    { argv: ["--invite", "not-an-address"], says: "--invite: must be an e-mail address" },
    { argv: ["--out", "no/such/folder.json"], says: "--out no/such/folder.json: there is no such folder" },
    { argv: ["--out", "."], says: "--out .: the file exists" },
  ])("it refuses what cannot be meant: $argv", async ({ argv, says }) => {
    const sandbox = await start({ seed: seedFor(organizationOwner) });
    const { exitCode, stderr } = await verify(sandbox, ["--yes", ...argv]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 64, stderr: expect.stringContaining(says) });
    expect(sandbox.requests).toEqual([]);
  });

  test("it stops at a key that the service does not accept and at an organization that it does not know", async () => {
    const sandbox = await start({ seed: seedFor(organizationOwner) });
    const unknown = await verify(sandbox, ["--yes", "--org", "5f00000000000000000000b9"]);
    expect(unknown).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("ORG_NOT_FOUND") });
    sandbox.changeKey(key.publicKey, { privateKey: "another" });
    const refused = await verify(sandbox, ["--yes"]);
    expect(refused).toMatchObject({ exitCode: 1, stdout: "", stderr: expect.stringContaining("401") });
    expect(writes(sandbox)).toEqual([]);
  });
});

describe("what it prints", () => {
  test("each point with its value or the reason why it has none, without secrets, hosts, ids and people", async () => {
    const sandbox = await start({ ldap: true, reinvite: "replace", seed: seedFor(organizationOwner) });
    const keys = sandbox.state.projects.map(({ agentApiKey }) => agentApiKey);
    const made = new Set<string>();
    const { exitCode, stdout, stderr } = await verify(sandbox, ["--yes", "--user", user]);
    for (const { path } of sandbox.requests) for (const [id] of path.matchAll(/[0-9a-f]{24}/g)) made.add(id);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toMatch(
      /^ {2}reinvite +replace\n +POST \/groups\/\{id\}\/invites twice with one address$/m,
    );
    expect(stdout).toMatch(/^ {2}latencyMs +It is a property of the simulation\.$/m);
    expect(stdout).toMatch(/^All created objects are removed \(projects: 4\)\.$/m);
    const hidden = [key.publicKey, key.privateKey, orgId, user, "Example Org", "127.0.0.1", ...keys, ...made];
    expect(hidden.filter((value) => stdout.includes(value))).toEqual([]);
  });

  test("what could not be removed, with ids, and exit code 1", async () => {
    const sandbox = await start({ seed: seedFor(organizationOwner) });
    sandbox.addFault({ method: "DELETE", times: 0, fault: { status: 403 } });
    const { exitCode, stdout, stderr } = await verify(sandbox, ["--yes"]);
    expect(exitCode).toBe(1);
    expect(stdout).not.toContain("All created objects are removed");
    const left = sandbox.state.projects.filter(({ name }) => name.startsWith("opsmanager-verify-"));
    expect(left.length).toBeGreaterThan(1);
    for (const { id, name } of left) {
      expect(stderr).toContain(`Not removed: project ${name} (${id}): Deleting it returned 403.\n`);
    }
  });
});

describe("its file", () => {
  test("is printed when it cannot be written, so that the run was not in vain", async () => {
    const file = join(cwd, "ours.json");
    const sandbox = await start({
      seed: seedFor(organizationOwner),
      log: (line) => void (line.includes("DELETE") && writeFileSync(file, "of another process")),
    });
    const { exitCode, stdout, stderr } = await verify(sandbox, ["--yes", "--out", "ours.json"]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /^opsmanager: --out ours\.json cannot be written: .*EEXIST.* was printed instead\.\n$/,
    );
    expect(JSON.parse(stdout.slice(stdout.indexOf("\n{\n")))).toMatchObject({
      switches: { challenge: "qop" },
    });
    expect(await readFile(file, "utf8")).toBe("of another process");
  });

  test("is what opsmanager sandbox --like takes; a switch of the command line overrides it", async () => {
    const sandbox = await start({
      ldap: true,
      unknownProject: "NOT_IN_GROUP",
      seed: seedFor(organizationOwner),
    });
    expect(await verify(sandbox, ["--yes", "--out", "ours.json"])).toMatchObject({ exitCode: 0 });
    const file = join(cwd, "ours.json");
    const { formatVersion, switches, notFoundOut } = JSON.parse(await readFile(file, "utf8"));
    expect(formatVersion).toBe(1);
    expect(notFoundOut.latencyMs).toBe("It is a property of the simulation.");
    const like = parseCommandLine(["--like", file, "--opaque"]);
    expect(like).toMatchObject({ options: { ...switches, opaque: true } });
    expect(switches).toMatchObject({ ldap: true, unknownProject: "NOT_IN_GROUP", opaque: false });
    // A file that is there may have been edited.
    const again = await verify(sandbox, ["--yes", "--out", "ours.json"]);
    expect(again).toMatchObject({ exitCode: 64, stderr: expect.stringContaining("the file exists") });
  });

  test.each([
    [
      { formatVersion: 1, switches: { lapd: true, colour: 1 } },
      "there is no switch called lapd; there is no switch called colour",
    ],
    [{ formatVersion: 1, switches: { reinvite: "twice" } }, "reinvite must be one of same"],
    [{ formatVersion: 2, switches: {} }, "formatVersion must be 1"],
    [{ formatVersion: 1 }, "switches is missing"],
    [{ formatVersion: 1, switches: {}, host: "x" }, "host is not known"],
    ["no object", "the whole must be an object"],
  ])("is checked strictly: %j", async (content, says) => {
    const file = join(cwd, "edited.json");
    await writeFile(file, JSON.stringify(content));
    const parse = () => parseCommandLine(["--like", file]);
    expect(parse).toThrow(CommandLineError);
    expect(parse).toThrow(new RegExp(`^--like: .*edited\\.json: ${says}`));
  });
});

describe("in a process of its own", () => {
  const children = new Set<ReturnType<typeof spawn>>();
  afterEach(() => {
    for (const child of children) child.kill("SIGKILL");
    children.clear();
  });

  function run(argv: readonly string[], env: Readonly<Record<string, string>>) {
    const child = spawn(process.execPath, [main, ...argv], {
      cwd,
      env: { PATH: process.env.PATH, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    children.add(child);
    return child;
  }

  test("it verifies, and a service that starts from its file behaves the same", async () => {
    const sandbox = await start({
      emptyPatch: "accept",
      versionString: "",
      seed: seedFor(organizationOwner),
    });
    const argv = ["verify", "--org", orgId, "--yes", "--wait", "0", "--out", "ours.json"];
    const child = run(argv, environmentOf(sandbox));
    const [, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "exit"),
    ]);
    expect({ stderr, code }).toEqual({ stderr: "", code: 0 });

    const like = run(["sandbox", "--like", "ours.json"], {});
    const [line] = await once(like.stdout.setEncoding("utf8"), "data");
    const { controlUrl } = JSON.parse(line);
    const response = await fetch(`${controlUrl}/switches`);
    expect(await response.json()).toMatchObject({ emptyPatch: "accept", versionString: "" });
    const exited = once(like, "exit");
    like.kill("SIGTERM");
    expect(await exited).toEqual([0, null]);
  });

  test.each(["SIGINT", "SIGTERM"] as const)("it removes what it created when it gets %s", async (signal) => {
    const interrupt = new AbortController();
    const sandbox = await start({
      seed: seedFor(organizationOwner),
      // In the middle of a run; a second signal would end the process at once.
      log: (line) => void (line.includes("MISSING_ONE_OF") && interrupt.abort()),
    });
    interrupt.signal.addEventListener("abort", () => void child.kill(signal), { once: true });
    const before = holdings(sandbox);
    const child = run(["verify", "--org", orgId, "--yes", "--wait", "0"], environmentOf(sandbox));
    const [, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "exit"),
    ]);
    expect({ stderr, code }).toEqual({
      stderr: expect.stringMatching(/^opsmanager: Interrupted\.\n$/),
      code: 1,
    });
    expect(holdings(sandbox)).toEqual(before);
  });
});
