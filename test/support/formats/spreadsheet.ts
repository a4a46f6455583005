/** A reader of CSV that others wrote: Python's, which treats quotes as spreadsheets do. */
import { execFileSync, spawnSync } from "node:child_process";

const python = process.platform === "win32" ? "python" : "python3";

export function hasPython(): boolean {
  return spawnSync(python, ["--version"]).status === 0;
}

const PROGRAM = `import csv, io, json, sys
text = io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8-sig", newline="")
print(json.dumps(list(csv.reader(text, delimiter=sys.argv[1], strict=sys.argv[1] == ","))))`;

/** @param delimiter what separates cells in the country of the reader */
export function readSheet(csv: string, delimiter = ","): string[][] {
  return JSON.parse(execFileSync(python, ["-c", PROGRAM, delimiter], { input: csv, encoding: "utf8" }));
}

/** Each line by the names of the columns. */
export function readRows(csv: string): Record<string, string>[] {
  const [names = [], ...lines] = readSheet(csv);
  return lines.map((cells) => Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ""])));
}
