import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Figure } from "../../bench/row";
import { peers, startAll } from "../../bench/wire/contestants";
import { LineProcess } from "../../bench/wire/line-process";
import type { Counted, Endpoint, Manner, Outcome } from "../../bench/wire/protocol";
import { repositoryRoot } from "../../support/repository";

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

const ours = "pulumi-opsmanager";

test("`npm run bench -- --only wire` lays the clients out side by side, and leaves nothing behind but its report", async () => {
  const folder = await mkdtemp(join(tmpdir(), "opsmanager-wire-"));
  endings.push(() => rm(folder, { recursive: true }));
  const args = ["--quick", "--only", "wire", "--out", join(folder, "report.json")];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(repositoryRoot, "scripts", "bench.mjs"), ...args],
    { env: { ...process.env, TMPDIR: folder } },
  );
  const report = JSON.parse(await readFile(join(folder, "report.json"), "utf8")) as {
    rows: { figures: Figure[] }[];
  };
  const figures = report.rows.flatMap((row) => row.figures);
  const valuesOf = (column: string) =>
    figures
      .filter(({ cell }) => cell?.line === ours && cell.column === column)
      .map(({ cell, value }) => [cell?.table, value]);
  const tables = [
    "steady state",
    "each answer takes 5 ms",
    "a nonce stale every 1000 requests",
    "every answer names the next nonce",
  ].flatMap((what) => [1, 16, 64].map((atOnce) => `${what}, ${atOnce} at a time`));
  expect(valuesOf("requests per call")).toEqual(tables.map((table) => [table, 1]));
  expect(valuesOf("failed of 100")).toEqual(tables.map((table) => [table, 0]));
  for (const table of tables) expect(stdout).toContain(`${table}  `);
  expect(stdout).toMatch(/requests per call +calls per second +p50 +p99 +CPU per call +failed of 100/);
  expect(stdout).toMatch(/undici, without authentication.*at least 0.85 +(NO|yes)/);
  expect(await readdir(folder)).toEqual(["report.json"]);
});

/** The service of the row, and the provider's client in a process of its own. */
async function run(load: { manner?: Manner; privateKey?: string; atOnce: number; calls: number }) {
  const [service, client] = [
    LineProcess.ofTypeScript("service.ts"),
    LineProcess.ofTypeScript("clients/ours.ts"),
  ];
  endings.push(
    () => service.close(),
    () => client.close(),
  );
  const endpoint = await service.ask<Endpoint>("endpoint");
  await service.ask("begin", load.manner ?? {});
  const { privateKey = endpoint.privateKey, atOnce, calls } = load;
  await client.ask("open", { ...endpoint, privateKey, baseUrl: endpoint.origin, atOnce });
  const outcome = await client.ask<Outcome>("run", { calls });
  return { ...outcome, ...(await service.ask<Counted>("count")) };
}

test("the row's service counts every request: the first challenge and each stale nonce cost one per call under way at most", async () => {
  const { failed, requests, refused } = await run({ manner: { usesOfNonce: 50 }, atOnce: 4, calls: 200 });
  expect(failed).toBe(0);
  expect(requests).toBe(200 + refused);
  expect(refused).toBeGreaterThanOrEqual(1 + 3);
  expect(refused).toBeLessThanOrEqual(1 + 4 * 4);
});

test("a call that does not get the project counts as failed", async () => {
  const { failed, requests } = await run({ privateKey: "wrong", atOnce: 4, calls: 20 });
  expect(failed).toBe(20);
  expect(requests).toBe(2);
});

test("clients that cannot be had on this machine are left out, each with its reason", async () => {
  const folder = await mkdtemp(join(tmpdir(), "opsmanager-wire-"));
  const { PATH, OPSMANAGER_ENGINE_CACHE } = process.env;
  endings.push(async () => {
    Object.assign(process.env, { PATH, OPSMANAGER_ENGINE_CACHE });
    if (OPSMANAGER_ENGINE_CACHE === undefined) delete process.env.OPSMANAGER_ENGINE_CACHE;
    await rm(folder, { recursive: true });
  });
  Object.assign(process.env, { PATH: folder, OPSMANAGER_ENGINE_CACHE: folder });
  const reasons: string[] = [];
  expect(await startAll(peers, (name, why) => reasons.push(`${name}: ${why}`))).toEqual([]);
  expect(reasons).toEqual([
    expect.stringMatching(
      /^digest-fetch \S+: needs the packages of test.bench.wire.peers: npm could not be started/,
    ),
    expect.stringMatching(
      /^urllib \S+: needs the packages of test.bench.wire.peers: npm could not be started/,
    ),
    expect.stringMatching(/^Go .*: needs Go and the module .*: go could not be started/),
  ]);
});
