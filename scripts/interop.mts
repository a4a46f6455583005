/**
 * `npm run test:interop`: the provider's Digest against servers that others wrote, and clients that others wrote against the
 * sandbox. What is missing on this machine is skipped and named; a disagreement ends with exit code 1.
 *
 *   npm run test:interop -- [--only PART_OF_A_NAME]
 *
 * What it installs goes into the user's cache; all traffic of the tests stays on the loopback address.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Peer } from "../test/interop/peer.ts";
import { cacheFolder } from "./lib/cache.mjs";
import { print } from "./lib/progress.mjs";
import { inRepository } from "./lib/repository.mjs";
import { Failure, messageOf, readOptions, runScript } from "./lib/script.mjs";
import { loadTypeScript } from "./lib/typescript.mts";

await runScript(async () => {
  const { peers, Missing }: typeof import("../test/interop/index.ts") = loadTypeScript(
    inRepository("test", "interop", "index.ts"),
  );
  const only = (readOptions({ only: { type: "string" } }).only ?? "").toLowerCase();
  const chosen = peers.filter(({ name }) => name.toLowerCase().includes(only));
  if (chosen.length === 0) {
    throw new Failure(`no peer is named "${only}"; there are: ${peers.map(({ name }) => name).join(", ")}`);
  }
  const cache = join(cacheFolder(), "interop");
  mkdirSync(cache, { recursive: true });
  const rows = [];
  for (const peer of chosen) {
    print(`interop: ${peer.name}`);
    rows.push(...(await rowsOf(peer, { cache, print }, Missing)));
  }
  console.table(rows);
  const disagreements = rows.filter(({ result }) => result === "DISAGREES").length;
  if (disagreements > 0) throw new Failure(`${disagreements} of ${rows.length} rows disagree.`);
});

async function rowsOf(
  peer: Peer,
  surroundings: Parameters<Peer["run"]>[0],
  Missing: typeof import("../test/interop/index.ts").Missing,
) {
  try {
    const findings = await peer.run(surroundings);
    return findings.map(({ what, outcome, agrees }) => ({
      peer: peer.name,
      what,
      outcome,
      result: agrees ? "agrees" : "DISAGREES",
    }));
  } catch (error) {
    const result = error instanceof Missing ? "skipped" : "DISAGREES";
    return [{ peer: peer.name, what: "", outcome: messageOf(error), result }];
  }
}
