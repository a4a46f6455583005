/** The sandbox leaves nothing behind when the npm or the Pulumi that runs it is ended. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { repositoryRoot } from "../../support/repository";
import { describeIf } from "../../support/skip";

const setUp = join(repositoryRoot, "scripts", "setup.mjs");
const main = join(repositoryRoot, "dist", "sandbox", "main.js");
const isBuilt = existsSync(main);
const isPosix = process.platform !== "win32";

let folder = "";
const children = new Set<ChildProcess>();

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "opsmanager-npm-run-"));
  const scripts = { sandbox: `node "${setUp}" --no-engine "${main}"` };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "here", version: "1.0.0", scripts }));
});

afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});

/** The address that it prints reports that it is ready. */
async function ready(child: ChildProcess): Promise<string> {
  children.add(child);
  let printed = "";
  return new Promise((resolve, reject) => {
    child.stdout?.on("data", (part) => {
      printed += part;
      const line = /^\{.*\}$/m.exec(printed)?.[0];
      if (line) resolve(JSON.parse(line).baseUrl);
    });
    child.once("exit", () => reject(new Error(`ended before it was ready: ${printed}`)));
  });
}

const isThere = (address: string) =>
  fetch(address).then(
    () => true,
    () => false,
  );

/** Ends npm alone, and waits until no process holds its output open. */
async function endNpm(): Promise<string> {
  const npm = spawn("npm", ["run", "sandbox"], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  const address = await ready(npm);
  expect(await isThere(address)).toBe(true);
  npm.kill("SIGTERM");
  await text(npm.stderr);
  return address;
}

describeIf(isBuilt && isPosix, "a built dist and a POSIX system")("the sandbox", () => {
  it("ends when its npm alone is told to end", async () => {
    expect(await isThere(await endNpm())).toBe(false);
  });

  it("of the plugin ends when the process that started it is killed", async () => {
    const plugin = join(repositoryRoot, "pulumi-resource-opsmanager");
    const command = `"${process.execPath}" "${plugin}" sandbox < /dev/null; true`;
    const parent = spawn("sh", ["-c", command], { stdio: ["ignore", "pipe", "pipe"] });
    const address = await ready(parent);
    parent.kill("SIGKILL");
    await text(parent.stderr);
    expect(await isThere(address)).toBe(false);
  });

  it("continues when it was started by a shell that has ended", async () => {
    const command = `"${process.execPath}" "${join(repositoryRoot, "dist", "cli", "main.js")}" sandbox < /dev/null & echo $!; wait`;
    const shell = spawn("sh", ["-c", command], { stdio: ["ignore", "pipe", "inherit"] });
    let pid = 0;
    shell.stdout.once("data", (data) => {
      pid = Number.parseInt(String(data), 10);
    });
    const address = await ready(shell);
    const ended = new Promise((resolve) => shell.once("exit", resolve));
    shell.kill("SIGKILL");
    await ended;
    try {
      // One that ends with its npm, and was started later, has ended by then.
      await endNpm();
      expect(await isThere(address)).toBe(true);
    } finally {
      process.kill(pid, "SIGTERM");
    }
  });
});
