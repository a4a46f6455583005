import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyProgram, linkPackages } from "../../scripts/lib/program-folder.mjs";
import { exampleNames, examples, hasTestFile } from "./support/examples";
import { checkTypes } from "./support/installed-package";

it("no example that uses only packages of this repository has a fault in its types", async () => {
  const folder = await mkdtemp(join(tmpdir(), "opsmanager-examples-"));
  try {
    const names = exampleNames.filter(
      (name) => existsSync(join(examples, name, "tsconfig.json")) && !hasTestFile(name),
    );
    expect(names).toContain("quickstart");
    for (const name of names) await copyProgram(join(examples, name), join(folder, name));
    await linkPackages(folder);
    const { compilerOptions } = JSON.parse(
      await readFile(join(examples, "quickstart", "tsconfig.json"), "utf8"),
    );
    const files = names.map((name) => join(name, "index.ts"));
    const settings = { compilerOptions: { ...compilerOptions, noEmit: true }, files };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(settings));
    await checkTypes(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
});
