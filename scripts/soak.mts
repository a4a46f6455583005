/**
 * `npm run soak`: one plugin process under changes and faults, for as long as requested.
 *
 *   npm run soak -- [--minutes NUMBER] [--seed NUMBER]
 *
 * Ends with exit code 1 if anything was lost, or if memory, file descriptors or sockets grew.
 */
import { print } from "./lib/progress.mjs";
import { numberOption, randomSeed } from "./lib/proof.mts";
import { inRepository } from "./lib/repository.mjs";
import { Failure, readOptions, runScript } from "./lib/script.mjs";
import { loadTypeScript } from "./lib/typescript.mts";

await runScript(async () => {
  const options = readOptions({ minutes: { type: "string" }, seed: { type: "string" } });
  const minutes = numberOption("minutes", options.minutes, 60);
  const seed = numberOption("seed", options.seed, randomSeed());
  const { soak }: typeof import("../test/proof/soak/soak.ts") = loadTypeScript(
    inRepository("test", "proof", "soak", "soak.ts"),
  );
  print(`soak: ${minutes} minutes, --seed ${seed}`);
  const { failures, ...result } = await soak({ minutes, seed, report: (line) => print(`soak: ${line}`) });
  console.log(JSON.stringify(result, null, 2));
  if (failures.length > 0) throw new Failure(`the soak failed (--seed ${seed}):\n${failures.join("\n")}`);
});
process.exit(); // The resident processes of the tests would keep it alive.
