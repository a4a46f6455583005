/** What axe finds in a page that `scripts/lib/browser.mjs` opens. */
import type { Page } from "playwright-core";
import { installed } from "./index";

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
