/** Checks the types of all sources. In the shipped ones, only `own` may treat an object as a dictionary. */

import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { relative } from "node:path";
import ts from "typescript";
import { dictionaryReads } from "./lib/dictionaries.mts";
import { filesBelow } from "./lib/files.mjs";
import { inRepository } from "./lib/repository.mjs";
import { Failure, isStarted, messageOf, runScript } from "./lib/script.mjs";

const SHIPPED = ["cli", "projects", "provider"];
/** The function that may. */
const OWN = "provider/text/own.ts";

export function checkTypes() {
  checkScripts();
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

/** Node.js runs the scripts: it removes types, and translates nothing, such as an enum. */
function checkScripts() {
  const files = filesBelow(inRepository("scripts"), /\.mts$/);
  const faults = files.flatMap((file) => {
    try {
      stripTypeScriptTypes(readFileSync(file, "utf8"));
      return [];
    } catch (error) {
      return [`${relative(inRepository(), file)}: ${messageOf(error)}`];
    }
  });
  if (faults.length > 0) throw new Failure(faults.join("\n"));
}

function programOf(configFile: string) {
  const config = ts.getParsedCommandLineOfConfigFile(
    configFile,
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic },
  );
  if (config === undefined) throw new Failure(`${configFile} cannot be read.`);
  const { fileNames, options, projectReferences } = config;
  return ts.createProgram({
    rootNames: fileNames,
    options,
    ...(projectReferences && { projectReferences }),
  });
}

function onUnRecoverableConfigFileDiagnostic(fault: ts.Diagnostic) {
  throw new Failure(ts.formatDiagnostic(fault, host));
}

const host: ts.FormatDiagnosticsHost = {
  getCurrentDirectory: () => inRepository(),
  getCanonicalFileName: (file) => file,
  getNewLine: () => "\n",
};

if (isStarted(import.meta.url)) await runScript(checkTypes);
