/** Pulumi's part for one language: it starts the program and answers the engine's questions about it. */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { engine } from "../../../support";

/** Whether the engine can run programs of a language; one on PATH may have its hosts in another folder of PATH. */
export function hasLanguageHost(language: "python" | "go"): boolean {
  const name = `pulumi-language-${language}${process.platform === "win32" ? ".exe" : ""}`;
  const folders = [engine().bin, ...(process.env.PATH ?? "").split(delimiter)];
  return folders.some((folder) => existsSync(join(folder, name)));
}
