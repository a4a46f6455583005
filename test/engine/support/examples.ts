/** The folders of `examples/`. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../support";

export const examples = join(repositoryRoot, "examples");

export const exampleNames: readonly string[] = readdirSync(examples, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** An example that needs more packages than this repository has a test file, which installs them with npm. */
export function isInstalled(name: string): boolean {
  return existsSync(join(__dirname, "..", `examples-${name}.test.ts`));
}
