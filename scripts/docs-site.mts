/**
 * `npm run docs`: builds the documentation site from the pages of docs/, README.md and the sources. The packages for that are
 * dependencies of docs/site alone, and are installed there if they are missing.
 *
 *   npm run docs                 writes docs/site/dist
 *   npm run docs -- --serve      and serves it on a free port of this machine
 *   npm run docs -- --dev        serves the pages as they are edited
 *   npm run docs:test            and reads each page in Chromium (docs/site/click-through.test.mjs)
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { dependenciesAreCurrent } from "./lib/dependencies.mjs";
import { print, step } from "./lib/progress.mjs";
import { inRepository } from "./lib/repository.mjs";
import { run, runOnInstalledNode } from "./lib/run.mjs";
import { readOptions, runScript } from "./lib/script.mjs";

const site = inRepository("docs", "site");

await runScript(async () => {
  const option = { type: "boolean" } as const;
  const { serve, dev, test } = readOptions({ serve: option, dev: option, test: option });
  if (!dependenciesAreCurrent(site)) {
    await step("packages: installing those of docs/site with npm", () =>
      run("npm", ["ci", "--ignore-scripts", "--loglevel=error"], { cwd: site }),
    );
  }
  const { generate, buildSite, serveSite, serveSources } = await import(
    pathToFileURL(join(site, "build.mjs")).href
  );
  await step("api: reading the TypeScript sources", generate);
  if (dev) return print(`docs: ${await serveSources()}`);
  await step("docs: building the site", buildSite);
  if (serve) print(`docs: ${(await serveSite()).address}`);
  if (test) {
    const clickThrough = join(site, "click-through.test.mjs");
    process.exitCode = await runOnInstalledNode(["--test", "--test-reporter=spec", clickThrough]);
  }
});
