import { copyFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Program } from "./program";

const interpreter = join(__dirname, "programs", "from-data", "index.js");

/** Renders a program for the dynamic provider: a Node.js program that reads `program.json` and makes what is there. */
export async function writeNodeProgram(folder: string, project: string, program: Program): Promise<void> {
  await Promise.all([
    writeJson(join(folder, "Pulumi.yaml"), {
      name: project,
      runtime: { name: "nodejs", options: { typescript: false } },
    }),
    writeJson(join(folder, "package.json"), { name: project, private: true, main: "index.js" }),
    writeJson(join(folder, "program.json"), program),
    copyFile(interpreter, join(folder, "index.js")),
  ]);
}

async function writeJson(path: string, value: unknown): Promise<void> {
  await writeFile(path, JSON.stringify(value, null, 2));
}
