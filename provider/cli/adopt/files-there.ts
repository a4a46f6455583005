/** The project files that a folder holds already. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { namesIn } from "./files";
import type { FileThere } from "./plan";

export async function filesThere(folder: string): Promise<FileThere[]> {
  const names = (await namesIn(folder)).filter((name) => /^[^._].*\.(ya?ml|json)$/.test(name));
  return Promise.all(
    names.map(async (name) => {
      const { key = name.replace(/\.[^.]*$/, ""), ...rest } = parse(
        await readFile(join(folder, name), "utf8"),
      );
      return { key, name: rest.name ?? key, orgId: rest.orgId ?? "" };
    }),
  );
}
