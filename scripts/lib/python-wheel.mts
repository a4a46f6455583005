import { chmodSync, copyFileSync, cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { filesBelow } from "./files.mjs";
import { inRepository } from "./repository.mjs";
import { run } from "./run.mjs";

/** Names the exact version of setuptools, which writes its version into the wheel. */
const pins = inRepository("test", "engine", "sdks", "support", "requirements.txt");

/**
 * The wheel of `sdk/python`, with the license of the repository. setuptools takes each file's time from SOURCE_DATE_EPOCH
 * and its mode from the copy.
 *
 * @param folder gets the wheel
 * @returns the wheel's name
 */
export async function writeWheel(folder: string, time: Date): Promise<string> {
  const temporary = mkdtempSync(join(tmpdir(), "opsmanager-wheel-"));
  try {
    const source = join(temporary, "source");
    cpSync(inRepository("sdk", "python"), source, { recursive: true });
    copyFileSync(inRepository("LICENSE"), join(source, "LICENSE"));
    for (const file of filesBelow(source)) chmodSync(file, 0o644);
    await run("python3", ["-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, source], {
      env: {
        ...process.env,
        SOURCE_DATE_EPOCH: String(time.getTime() / 1000),
        PIP_CONSTRAINT: pins, // pip before 25.3
        PIP_BUILD_CONSTRAINT: pins,
        PIP_DISABLE_PIP_VERSION_CHECK: "1",
      },
    });
  } finally {
    rmSync(temporary, { recursive: true });
  }
  return readdirSync(folder).find((name) => name.endsWith(".whl")) ?? "";
}
