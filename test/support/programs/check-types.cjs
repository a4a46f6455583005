"use strict";
/**
 * Checks the types of programs, each with its own tsconfig.json, and those that this package declares. `tsc` takes three times as
 * long, because it also checks the declarations of all other packages.
 *
 *   node check-types.cjs TYPESCRIPT FOLDER...
 */
const { join } = require("node:path");

/** @import * as TypeScript from "typescript" */

const [compiler = "", ...folders] = process.argv.slice(2);
/** @type {typeof TypeScript} */
const ts = require(compiler);
const faults = folders.flatMap(faultsIn);
if (faults.length > 0) {
  const host = {
    getCanonicalFileName: (/** @type {string} */ name) => name,
    getCurrentDirectory: () => process.cwd(),
    getNewLine: () => "\n",
  };
  process.stderr.write(ts.formatDiagnostics(faults, host));
  process.exitCode = 1;
}

/** @param {string} folder @returns {readonly TypeScript.Diagnostic[]} */
function faultsIn(folder) {
  const { config, error } = ts.readConfigFile(join(folder, "tsconfig.json"), ts.sys.readFile);
  if (error) return [error];
  const { options, fileNames, errors } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
  const program = ts.createProgram(fileNames, options);
  const files = program.getSourceFiles().filter(({ fileName }) => isOurs(fileName));
  return [
    ...errors,
    ...program.getOptionsDiagnostics(),
    ...files.flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ]),
  ];
}

/** @param {string} file */
function isOurs(file) {
  const [, ...packages] = file.split("/node_modules/");
  return packages.length === 0 || packages.at(-1)?.startsWith("pulumi-opsmanager/");
}
