/** Checks the types of all sources. In the shipped ones, only `own` may treat an object as a dictionary. */

import { relative } from "node:path";
import ts from "typescript";
import { dictionaryReads } from "./lib/dictionaries.mjs";
import { inRepository } from "./lib/repository.mjs";
import { Failure, isStarted, runScript } from "./lib/script.mjs";

const SHIPPED = ["cli", "projects", "provider"];
/** The function that may. */
const OWN = "provider/text/own.ts";

export function checkTypes() {
  const program = programOf(inRepository("tsconfig.json"));
  const faults = ts.getPreEmitDiagnostics(program);
  if (faults.length > 0) throw new Failure(ts.formatDiagnostics(faults, host));
  const reads = program.getSourceFiles().flatMap((source) => {
    const file = relative(inRepository(), source.fileName).replaceAll("\\", "/");
    if (file === OWN || !SHIPPED.includes(file.split("/")[0] ?? "")) return [];
    return dictionaryReads(source, program.getTypeChecker()).map(
      ({ line, column, text }) => `${file}:${line}:${column}: ${text}`,
    );
  });
  if (reads.length === 0) return;
  const rule = `An object is no dictionary for any text, because it inherits names such as "constructor". Use a Map, Object.hasOwn, or own of ${OWN}:`;
  throw new Failure([rule, ...reads].join("\n"));
}

/** @param {string} configFile */
function programOf(configFile) {
  const config = ts.getParsedCommandLineOfConfigFile(
    configFile,
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic },
  );
  if (config === undefined) throw new Failure(`${configFile} cannot be read.`);
  const { fileNames, options, projectReferences } = config;
  return ts.createProgram({ rootNames: fileNames, options, ...(projectReferences && { projectReferences }) });
}

/** @param {ts.Diagnostic} fault */
function onUnRecoverableConfigFileDiagnostic(fault) {
  throw new Failure(ts.formatDiagnostic(fault, host));
}

/** @type {ts.FormatDiagnosticsHost} */
const host = {
  getCurrentDirectory: () => inRepository(),
  getCanonicalFileName: (file) => file,
  getNewLine: () => "\n",
};

if (isStarted(import.meta.url)) await runScript(checkTypes);
