/** The command line of `opsmanager verify`, what it prints and writes, and the file in the hands of `opsmanager sandbox --like`. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Terminal } from "../../../cli/lib/terminal";
import type { Sandbox } from "../../../sandbox";
import { CommandLineError, parseCommandLine } from "../../../sandbox/options";
import { repositoryRoot } from "../../support/repository";
import { sandboxes } from "../sandbox/with-sandbox";
import { commandFolder, environmentOf } from "./command-folder";
import { holdings, key, organizationOwner, orgId, seedFor, user } from "./verify-run";

const start = sandboxes();
const folder = commandFolder();
const seed = seedFor(organizationOwner);
const command = ["verify", "--org", orgId, "--wait", "0"];

const verify = (sandbox: Sandbox, argv: readonly string[], confirm?: Terminal["confirm"]) =>
  folder.run([...command, ...argv], sandbox, confirm && { confirm });

const writes = ({ requests }: Sandbox) => requests.filter(({ method }) => method !== "GET");

describe("before it writes", () => {
  test("it refuses to run without a terminal and without --yes, and sends nothing", async () => {
    const sandbox = await start({ seed });
    expect(await verify(sandbox, [])).toEqual({
      exitCode: 1,
      stdout: "",
      stderr:
        "opsmanager: verify writes to the service and requires a confirmation, but there is no terminal. Add --yes to run it.\n",
    });
    expect(sandbox.requests).toEqual([]);
  });

  test("it asks at a terminal, and writes nothing after a no", async () => {
    const sandbox = await start({ seed });
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
    // It may have been edited.
    { argv: ["--out", "."], says: "--out .: the file exists" },
  ])("it refuses what cannot be meant: $argv", async ({ argv, says }) => {
    const sandbox = await start({ seed });
    const { exitCode, stderr } = await verify(sandbox, ["--yes", ...argv]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 64, stderr: expect.stringContaining(says) });
    expect(sandbox.requests).toEqual([]);
  });

  test("it stops at a key that the service does not accept and at an organization that it does not know", async () => {
    const sandbox = await start({ seed });
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
    const sandbox = await start({ ldap: true, reinvite: "replace", seed });
    const keys = sandbox.state.projects.map(({ agentApiKey }) => agentApiKey);
    const { exitCode, stdout, stderr } = await verify(sandbox, ["--yes", "--user", user]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    for (const line of [
      /^ {2}reinvite +replace\n +POST \/groups\/\{id\}\/invites twice with one address$/m,
      /^ {2}latencyMs +It is a property of the simulation\.$/m,
      /^All created objects are removed \(projects: 4\)\.$/m,
    ])
      expect(stdout).toMatch(line);
    const made = sandbox.requests.flatMap(({ path }) => path.match(/[0-9a-f]{24}/g) ?? []);
    const hidden = [key.publicKey, key.privateKey, orgId, user, "Example Org", "127.0.0.1", ...keys, ...made];
    expect(hidden.filter((value) => stdout.includes(value))).toEqual([]);
  });

  test("what could not be removed, with ids, and exit code 1", async () => {
    const sandbox = await start({ seed });
    const body = { error: 409, errorCode: "CANNOT_CLOSE_GROUP_ACTIVE_BACKUP" };
    const fault = { status: 409, body };
    sandbox.addFault({ method: "DELETE", pathPattern: "/groups/\\w+$", times: 0, fault });
    const { exitCode, stdout, stderr } = await verify(sandbox, ["--yes"]);
    expect(exitCode).toBe(1);
    expect(stdout).not.toContain("All created objects are removed");
    const left = sandbox.state.projects.filter(({ name }) => name.startsWith("opsmanager-verify-"));
    expect(left.length).toBeGreaterThan(1);
    const lines = left.map(
      ({ id, name }) =>
        `opsmanager: Not removed: project ${name} (${id}): Deleting it returned 409 CANNOT_CLOSE_GROUP_ACTIVE_BACKUP.`,
    );
    expect(stderr.trim().split("\n").sort()).toEqual(lines.sort());
    expect(sandbox.state.invitations).toEqual([]);
  });
});

describe("its file", () => {
  test("is printed when it cannot be written, so that the run was not in vain", async () => {
    const sandbox = await start({
      seed,
      log: (line) => line.includes("DELETE") && folder.write({ "ours.json": "of another process" }),
    });
    const { exitCode, stdout, stderr } = await verify(sandbox, ["--yes", "--out", "ours.json"]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /^opsmanager: --out ours\.json cannot be written: .*EEXIST.* was printed instead\.\n$/,
    );
    expect(JSON.parse(stdout.slice(stdout.indexOf("\n{\n")))).toMatchObject({
      switches: { challenge: "qop" },
    });
    expect(folder.read("ours.json")).toBe("of another process");
  });

  test("is what opsmanager sandbox --like takes; a switch of the command line overrides it", async () => {
    const sandbox = await start({ ldap: true, unknownProject: "NOT_IN_GROUP", seed });
    expect(await verify(sandbox, ["--yes", "--out", "ours.json"])).toMatchObject({ exitCode: 0 });
    const { formatVersion, switches, notFoundOut } = JSON.parse(folder.read("ours.json"));
    expect(formatVersion).toBe(1);
    expect(notFoundOut.latencyMs).toBe("It is a property of the simulation.");
    const like = parseCommandLine(["--like", join(folder.path, "ours.json"), "--opaque"]);
    expect(like).toMatchObject({ options: { ...switches, opaque: true } });
    expect(switches).toMatchObject({ ldap: true, unknownProject: "NOT_IN_GROUP", opaque: false });
  });

  test.each([
    {
      content: { formatVersion: 1, switches: { lapd: true, colour: 1 } },
      says: "there is no switch called lapd; there is no switch called colour",
    },
    {
      content: { formatVersion: 1, switches: { reinvite: "twice" } },
      says: "reinvite must be one of same",
    },
    { content: { formatVersion: 2, switches: {} }, says: "formatVersion must be 1" },
    { content: { formatVersion: 1, switches: {}, host: "x" }, says: "host is not known" },
  ])("is checked strictly: $content", ({ content, says }) => {
    folder.write({ "edited.json": JSON.stringify(content) });
    const parse = () => parseCommandLine(["--like", join(folder.path, "edited.json")]);
    expect(parse).toThrow(CommandLineError);
    expect(parse).toThrow(new RegExp(`^--like: .*edited\\.json: ${says}`));
  });
});

test.each(["SIGINT", "SIGTERM"] as const)(
  "in a process of its own, it removes what it created when it gets %s",
  async (signal) => {
    const interrupt = new AbortController();
    const sandbox = await start({
      seed,
      // In the middle of a run; a second signal would end the process at once.
      log: (line) => line.includes("MISSING_ONE_OF") && interrupt.abort(),
    });
    const before = holdings(sandbox);
    const child = spawn(
      process.execPath,
      [join(repositoryRoot, "dist", "cli", "main.js"), ...command, "--yes"],
      {
        cwd: folder.path,
        env: { PATH: process.env.PATH, ...environmentOf(sandbox) },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    interrupt.signal.addEventListener("abort", () => child.kill(signal), { once: true });
    const [, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "exit"),
    ]).finally(() => child.kill("SIGKILL"));
    expect({ stderr, code }).toEqual({ stderr: "opsmanager: Interrupted.\n", code: 1 });
    expect(holdings(sandbox)).toEqual(before);
  },
);
