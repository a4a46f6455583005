import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { withLock } from "../../../scripts/lib/lock.mjs";

const lockModule = join(__dirname, "../../../scripts/lib/lock.mjs");

describe("a lock", () => {
  let folder: string;
  let lock: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "opsmanager-lock-"));
    lock = join(folder, "engine.lock");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("is held by one process at a time, and no longer exists afterwards", async () => {
    const journal = join(folder, "journal");
    const program = `
      import { appendFileSync } from "node:fs";
      import { withLock } from ${JSON.stringify(lockModule)};
      await withLock(${JSON.stringify(lock)}, async () => {
        appendFileSync(${JSON.stringify(journal)}, "in ");
        await new Promise((resolve) => setTimeout(resolve, 20));
        appendFileSync(${JSON.stringify(journal)}, "out ");
      });`;
    const processes = [1, 2, 3].map(() => spawn(process.execPath, ["--input-type=module", "-e", program]));
    await Promise.all(processes.map((child) => once(child, "exit")));
    expect(readFileSync(journal, "utf8")).toBe("in out in out in out ");
    expect(existsSync(lock)).toBe(false);
  });

  it("reports once whom it waits for", async () => {
    const reported: unknown[] = [];
    await withLock(lock, async () => {
      const second = withLock(lock, () => "second", { onWait: (owner) => void reported.push(owner) });
      setTimeout(() => rmSync(lock, { recursive: true }), 50);
      expect(await second).toBe("second");
    });
    expect(reported).toEqual([{ pid: process.pid, host: hostname() }]);
  });

  it("is given back when the work fails", async () => {
    await expect(withLock(lock, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(existsSync(lock)).toBe(false);
  });

  it("is taken over from a process that no longer exists", async () => {
    const { pid } = spawnSync(process.execPath, ["-e", ""]);
    leaveLock({ pid, host: hostname() });
    expect(await withLock(lock, () => "done")).toBe("done");
  });

  it("is taken over from another machine only if it was not updated for long", async () => {
    leaveLock({ pid: 1, host: "elsewhere" });
    let waited = false;
    const onWait = () => {
      waited = true;
      const longAgo = new Date(Date.now() - 3_600_000);
      utimesSync(lock, longAgo, longAgo);
    };
    expect(await withLock(lock, () => "done", { onWait })).toBe("done");
    expect(waited).toBe(true);
  });

  function leaveLock(owner: { pid: number; host: string }) {
    mkdirSync(lock);
    writeFileSync(join(lock, "owner.json"), JSON.stringify(owner));
  }
});
