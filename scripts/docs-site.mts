/**
 * `npm run docs`: builds the documentation site from the pages of docs/, README.md and the sources. The packages for that are
 * dependencies of docs/site alone, and are installed there if they are missing.
 *
 *   npm run docs                 writes docs/site/dist
 *   npm run docs -- --serve      and serves it on a free port of this machine
 *   npm run docs -- --dev        serves the pages as they are edited
 *   npm run docs:test            and reads each page in Chromium (docs/site/click-through.test.mjs)
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { dependenciesAreCurrent } from "./lib/dependencies.mjs";
import { print, step } from "./lib/progress.mjs";
import { inRepository } from "./lib/repository.mjs";
import { run } from "./lib/run.mjs";
import { Failure, messageOf, readOptions, runScript } from "./lib/script.mjs";

const site = inRepository("docs", "site");

await runScript(async () => {
  const options = readOptions({
    serve: { type: "boolean" },
    dev: { type: "boolean" },
    test: { type: "boolean" },
  });
  try {
    await installPackages();
  } catch (error) {
    if (!options.test) throw error;
    print(messageOf(error)); // The tests are skipped, and name the reason.
    return clickThrough();
  }
  const { generate, buildSite, serveSite, serveSources } = await import(
    pathToFileURL(join(site, "build.mjs")).href
  );
  await step("api: reading the TypeScript sources", generate);
  if (options.dev) {
    print(`docs: ${await serveSources()}`);
    return;
  }
  await step("docs: building the site", buildSite);
  if (options.test) await clickThrough();
  else if (options.serve) print(`docs: ${(await serveSite()).address}`);
});

async function installPackages() {
  if (dependenciesAreCurrent(site)) return;
  await step("packages: installing those of docs/site with npm", () =>
    run("npm", ["ci", "--ignore-scripts", "--loglevel=error"], { cwd: site }),
  );
}

/** Chromium leaves files in its folder for temporary files. */
async function clickThrough() {
  const folder = mkdtempSync(join(tmpdir(), "opsmanager-browser-"));
  try {
    const args = ["--test", "--test-reporter=spec", join(site, "click-through.test.mjs")];
    const child = spawn(process.execPath, args, {
      env: { ...process.env, TMPDIR: folder, TEMP: folder, TMP: folder },
      stdio: "inherit",
    });
    const code = await new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", resolve);
    });
    if (code !== 0) throw new Failure("the tests of the documentation site failed");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
