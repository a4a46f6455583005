/** The folders of `examples/`. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../support";

export const examples = join(repositoryRoot, "examples");

export const exampleNames: readonly string[] = readdirSync(examples, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** An example that needs more than the packages of this repository has a test file, which installs what it needs. */
export function hasTestFile(name: string): boolean {
  return existsSync(join(__dirname, "..", `examples-${name}.test.ts`));
}
