/**
 * `npm run pack`: writes the npm package and prints the path of its file.
 *
 *   node scripts/pack.mts [--out FOLDER]
 */
import { writePackage } from "./lib/pack.mts";
import { readOptions, runScript } from "./lib/script.mjs";

await runScript(async () => {
  console.log((await writePackage(readOptions({ out: { type: "string" } }))).tarball);
});
