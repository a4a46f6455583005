import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { peers, startAll } from "../../bench/wire/contestants";
import { LineProcess } from "../../bench/wire/line-process";
import type { Counted, Endpoint, Manner, Outcome } from "../../bench/wire/protocol";

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

/** The service of the row, and the provider's client in a process of its own. */
async function run(load: {
  manner?: Manner;
  privateKey?: string;
  program?: string;
  atOnce: number;
  calls: number;
}) {
  const [service, client] = [
    LineProcess.ofTypeScript("service.ts"),
    LineProcess.ofTypeScript(`clients/${load.program ?? "ours.ts"}`),
  ];
  endings.push(
    () => service.close(),
    () => client.close(),
  );
  const endpoint = await service.call<Endpoint>("endpoint");
  await service.call("begin", load.manner ?? {});
  const { privateKey = endpoint.privateKey, atOnce, calls } = load;
  await client.call("open", { ...endpoint, privateKey, baseUrl: endpoint.origin, atOnce });
  const outcome = await client.call<Outcome>("run", { calls });
  return { ...outcome, ...(await service.call<Counted>("count")) };
}

test("the row's service counts every request: the first challenge and each stale nonce cost one per call under way at most", async () => {
  const { failed, requests, refused } = await run({ manner: { usesOfNonce: 50 }, atOnce: 4, calls: 200 });
  expect(failed).toBe(0);
  expect(requests).toBe(200 + refused);
  expect(refused).toBeGreaterThanOrEqual(1 + 3);
  expect(refused).toBeLessThanOrEqual(1 + 4 * 4);
});

test("a client with an access token sends one request for it, and one for each call", async () => {
  const { failed, requests, refused } = await run({ program: "ours-with-token.ts", atOnce: 4, calls: 20 });
  expect({ failed, requests, refused }).toEqual({ failed: 0, requests: 20 + 1, refused: 0 });
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
    expect.stringMatching(/^Go icholy.*: needs Go and the modules .*: go could not be started/),
    expect.stringMatching(/^Go mongodb-forks.*: needs Go and the modules .*: go could not be started/),
    expect.stringMatching(/^Python httpx .*: needs Python .*: python3 could not be started/),
    expect.stringMatching(/^curl, .*: needs curl: curl could not be started/),
  ]);
});
