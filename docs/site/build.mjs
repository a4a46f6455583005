/** Builds and serves the documentation site. Only scripts/docs-site.mts imports this file, after the packages are installed. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { preview } from "vite";
import { build, createServer } from "vitepress";
import { inRepository } from "../../scripts/lib/repository.mjs";
import { Failure } from "../../scripts/lib/script.mjs";
import { writeApiReference } from "./api.mjs";
import { generatedFolder, homePage } from "./contents.mjs";
import { deadLinks } from "./links.mjs";

const site = inRepository("docs", "site");
const output = join(site, "dist");

/** Writes the pages that are no files of docs/. */
export async function generate() {
  const folder = inRepository("docs", generatedFolder);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "index.md"), homePage());
  writeFileSync(join(folder, "changelog.md"), readFileSync(inRepository("CHANGELOG.md")));
  await writeApiReference(join(folder, "api"));
}

export async function buildSite() {
  await build(site);
  const dead = deadLinks(output);
  if (dead.length > 0) throw new Failure(`links of the site lead nowhere:\n${dead.join("\n")}`);
}

/** @returns {Promise<{ address: string, close: () => Promise<void> }>} the built site on a free port of this machine */
export async function serveSite() {
  const server = await preview({
    configFile: false,
    appType: "mpa",
    root: site,
    build: { outDir: output },
    preview: { host: "127.0.0.1", port: 0 },
  });
  return { address: server.resolvedUrls?.local[0] ?? "", close: () => server.close() };
}

/** Serves the pages of docs/ as they are edited. @returns {Promise<string>} the address */
export async function serveSources() {
  const server = await createServer(site, { host: "127.0.0.1" });
  await server.listen();
  return server.resolvedUrls?.local[0] ?? "";
}
