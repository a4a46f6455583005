import { LineProcess } from "../../bench/wire/line-process";
import type { Counted, Endpoint, Manner, Outcome } from "../../bench/wire/protocol";

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
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

test("a call that does not get the project counts as failed", async () => {
  const { failed, requests } = await run({ privateKey: "wrong", atOnce: 4, calls: 20 });
  expect(failed).toBe(20);
  expect(requests).toBe(2);
});
