/** One run of the compiler over all TypeScript that a user copies, as it takes most of its time for the types of the packages. */
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { copyProgram, linkPackages } from "../../scripts/lib/program-folder.mjs";
import { writeExampleFiles } from "../../scripts/lib/schema-examples.mts";
import { userPages } from "../support/documents";
import { exampleNames, examples, hasTestFile } from "./support/examples";
import { checkTypes } from "./support/installed-package";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "opsmanager-types-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** The examples that use only packages of this repository. */
async function copyExamples(): Promise<string[]> {
  const names = exampleNames.filter(
    (name) => existsSync(join(examples, name, "tsconfig.json")) && !hasTestFile(name),
  );
  for (const name of names) await copyProgram(join(examples, name), join(folder, name));
  return names.map((name) => join(name, "index.ts"));
}

async function writeBlocksOfDocuments(): Promise<string[]> {
  const blocks = userPages().flatMap((page) => page.blocks);
  const programs = blocks.filter(({ language, isGenerated }) => language === "typescript" && !isGenerated);
  return Promise.all(
    programs.map(async ({ page, line, text }) => {
      const file = join("docs", `${basename(page, ".md")}-line-${line}.ts`);
      await writeFile(join(folder, file), text);
      return file;
    }),
  );
}

it("TypeScript accepts every example, program of the documents and example of the schema, in its strict mode", async () => {
  for (const name of ["docs", "schema"]) await mkdir(join(folder, name));
  const ofExamples = await copyExamples();
  const ofDocuments = await writeBlocksOfDocuments();
  const ofSchema = writeExampleFiles("typescript", join(folder, "schema")).map(({ file }) =>
    join("schema", basename(file)),
  );
  expect(ofExamples).toContain(join("quickstart", "index.ts"));
  expect(ofDocuments.length).toBeGreaterThan(3);
  expect(ofSchema.length).toBeGreaterThan(10);
  await linkPackages(folder);
  const settings = await readFile(join(examples, "quickstart", "tsconfig.json"), "utf8");
  const { compilerOptions } = JSON.parse(settings);
  expect(compilerOptions.strict).toBe(true);
  const files = [...ofExamples, ...ofDocuments, ...ofSchema];
  await writeFile(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions: { ...compilerOptions, noEmit: true }, files }),
  );
  await checkTypes(folder);
});
