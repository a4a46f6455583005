/**
 * Opens pages in Chromium. On Linux x64 it is the one of an installed package, so a fresh machine needs none; elsewhere it is
 * the machine's own.
 */
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { chromium } from "playwright-core";
import { cacheFolder, keyOf } from "./cache.mjs";
import { withLock } from "./lock.mjs";
import { inRepository } from "./repository.mjs";
import { run } from "./run.mjs";

/** @typedef {import("playwright-core").Page} Page */

/**
 * @typedef {object} Browser
 * @property {(options?: import("playwright-core").BrowserContextOptions) => Promise<Page>} newPage
 * @property {() => Promise<void>} close ends the processes and removes their files
 */

const isPacked = process.platform === "linux" && process.arch === "x64";
const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** Why no page can be opened here, empty where it can. */
export function browserProblem() {
  return isPacked || ownChromium() !== undefined ? "" : "no Chromium on PATH";
}

/** @returns {Promise<Browser>} */
export async function openBrowser() {
  const { executablePath, env } = isPacked
    ? await packedChromium()
    : { executablePath: ownChromium(), env: {} };
  if (executablePath === undefined) throw new Error(browserProblem());
  // Chromium leaves files in its folder for temporary files.
  const folder = mkdtempSync(join(tmpdir(), "opsmanager-browser-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const browser = await chromium.launch({
      executablePath,
      args: process.getuid?.() === 0 ? ["--no-sandbox"] : [], // Chromium's own sandbox does not work for root.
      env: { ...process.env, ...env, TMPDIR: folder, TEMP: folder, TMP: folder },
    });
    return { newPage: (options) => browser.newPage(options), close: () => browser.close().finally(remove) };
  } catch (error) {
    remove();
    throw error;
  }
}

/** The package is compressed. It is unpacked once on a machine: the program, the libraries that it needs, and a font. */
async function packedChromium() {
  const key = keyOf([inRepository("node_modules", "@sparticuz", "chromium", "package.json")]);
  const folder = join(cacheFolder(), `chromium-${key}`);
  if (!existsSync(folder)) await withLock(`${folder}.lock`, () => unpackOnce(folder));
  const libraries = [join(folder, "al2023", "lib"), process.env.LD_LIBRARY_PATH].filter(Boolean);
  return {
    executablePath: join(folder, "chromium"),
    env: { LD_LIBRARY_PATH: libraries.join(delimiter), FONTCONFIG_FILE: join(folder, "fonts.conf") },
  };
}

/** @param {string} folder */
async function unpackOnce(folder) {
  if (existsSync(folder)) return;
  const partial = `${folder}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  try {
    // The package unpacks into the folder for temporary files, and its libraries only for what it takes for AWS Lambda.
    const script = 'import chromium from "@sparticuz/chromium"; await chromium.executablePath();';
    await run(process.execPath, ["--input-type=module", "--eval", script], {
      cwd: inRepository(),
      env: { ...process.env, TMPDIR: partial, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs22.x" },
    });
    writeFileSync(join(partial, "fonts.conf"), fontsOf(join(folder, "fonts", "fonts")));
    renameSync(partial, folder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

/** The fonts of the machine, and the package's where it has none. @param {string} folder */
function fontsOf(folder) {
  return `<?xml version="1.0"?>
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${folder}</dir>
</fontconfig>
`;
}

function ownChromium() {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
