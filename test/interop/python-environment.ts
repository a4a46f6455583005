import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Missing, type Surroundings } from "./peer";
import { need, run } from "./processes";

/** The interpreter of a virtual environment with what `python/requirements.txt` names. */
export async function python({ cache, print }: Surroundings): Promise<string> {
  const folder = join(cache, "python");
  const windows = process.platform === "win32";
  const command = windows ? "python" : "python3";
  const interpreter = join(folder, ...(windows ? ["Scripts", "python.exe"] : ["bin", "python"]));
  const complete = join(folder, "complete");
  const requirements = join(__dirname, "python", "requirements.txt");
  const wanted = readFileSync(requirements, "utf8");
  if (existsSync(complete) && readFileSync(complete, "utf8") === wanted) return interpreter;
  await need(command, ["-m", "venv", "--help"], "needs Python 3.10 or newer with venv on PATH");
  print("python: installing what requirements.txt names, about half a minute the first time");
  rmSync(folder, { recursive: true, force: true });
  await run(command, ["-m", "venv", folder]);
  await run(interpreter, ["-m", "pip", "install", "-q", "--retries", "1", "-r", requirements]).catch(() => {
    throw new Missing(
      "needs the packages of test/interop/python/requirements.txt from PyPI, which cannot be reached",
    );
  });
  writeFileSync(complete, wanted);
  return interpreter;
}
