import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { transformSync } from "@swc/core";

const require = createRequire(import.meta.url);

/** Loads a TypeScript module of the tests as Jest does: by swc, without type checks, which `npm run check` does. */
export function loadTypeScript(path: string) {
  require.extensions[".ts"] = (
    module: NodeJS.Module & { _compile?(code: string, file: string): void },
    file,
  ) => {
    const { code } = transformSync(readFileSync(file, "utf8"), {
      filename: file,
      sourceMaps: "inline",
      jsc: { target: "es2022", parser: { syntax: "typescript" } },
      module: { type: "commonjs" },
    });
    module._compile?.(code, file);
  };
  return require(path);
}
