/** Opens a page in the machine's own Chromium, as a person reads it. */
import { accessSync, constants, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { installed, judgesProblem } from "./index";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

const chromium = NAMES.flatMap((name) =>
  (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, name)),
).find(isExecutable);

/** Why no page can be opened here, empty where it can. */
export function browserProblem(): string {
  return chromium === undefined ? "no Chromium on PATH" : judgesProblem();
}

/** What the tests use of Playwright's Page. A script is an expression, evaluated in the page. */
export interface Page {
  goto(address: string): Promise<unknown>;
  evaluate<T>(script: string): Promise<T>;
  emulateMedia(media: { colorScheme?: "light" | "dark"; media?: "screen" | "print" }): Promise<void>;
  setViewportSize(size: { width: number; height: number }): Promise<void>;
  addScriptTag(options: { path: string }): Promise<unknown>;
  on(event: string, listener: (value: { url(): string; text(): string; message: string }) => void): void;
  close(): Promise<void>;
}

interface PageOptions {
  /** Allows the tests to add a script, such as axe, to a page whose policy forbids it. */
  readonly bypassCSP?: boolean;
}

export interface Browser {
  newPage(options?: PageOptions): Promise<Page>;
  close(): Promise<void>;
}

/** Chromium leaves files in its folder for temporary files, so it gets one that `close` removes. */
export async function openBrowser(): Promise<Browser> {
  const require = await installed();
  const { chromium: launcher } = require("playwright-core") as {
    chromium: { launch(options: object): Promise<Browser> };
  };
  const folder = mkdtempSync(join(tmpdir(), "opsmanager-browser-"));
  const isRoot = process.getuid?.() === 0; // Chromium's own sandbox does not work then.
  const browser = await launcher.launch({
    executablePath: chromium,
    args: isRoot ? ["--no-sandbox"] : [],
    env: { ...process.env, TMPDIR: folder, TEMP: folder, TMP: folder },
  });
  return {
    newPage: (options) => browser.newPage(options),
    close: async () => {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What axe finds in the page, each in a line; none where it finds nothing. */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  const require = await installed();
  await page.addScriptTag({ path: require.resolve("axe-core/axe.min.js") });
  const violations = await page.evaluate<readonly Violation[]>(
    "axe.run({ resultTypes: ['violations'] }).then((results) => results.violations)",
  );
  return violations.map(({ id, help, nodes }) => `${id}: ${help} ${nodes.map(({ html }) => html).join(" ")}`);
}

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string }[];
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
