import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { transformSync } from "@swc/core";

const require = createRequire(import.meta.url);

/**
 * Loads a TypeScript module of the tests as Jest does: by swc, without type checks, which `npm run check` does.
 *
 * @param {string} path
 */
export function loadTypeScript(path) {
  require.extensions[".ts"] = (module, file) => {
    const { code } = transformSync(readFileSync(file, "utf8"), {
      filename: file,
      sourceMaps: "inline",
      jsc: { target: "es2022", parser: { syntax: "typescript" } },
      module: { type: "commonjs" },
    });
    /** @type {any} */ (module)._compile(code, file);
  };
  return require(path);
}
