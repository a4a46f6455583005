/** Checks the types of all sources. In the shipped ones, only `own` may treat an object as a dictionary. */

import { relative } from "node:path";
import ts from "typescript";
import { inRepository } from "./lib/repository.mjs";
import { Failure, isStarted, runScript } from "./lib/script.mjs";

const SHIPPED = ["cli", "projects", "provider"];
/** The function that may. */
const OWN = "provider/text/own.ts";

function checkTypes() {
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

function programOf(configFile: string) {
  const onUnRecoverableConfigFileDiagnostic = (fault: ts.Diagnostic) => {
    throw new Failure(ts.formatDiagnostic(fault, host));
  };
  const config = ts.getParsedCommandLineOfConfigFile(
    configFile,
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic },
  );
  if (config === undefined) throw new Failure(`${configFile} cannot be read.`);
  const { fileNames: rootNames, options, projectReferences = [] } = config;
  return ts.createProgram({ rootNames, options, projectReferences });
}

const host: ts.FormatDiagnosticsHost = {
  getCurrentDirectory: () => inRepository(),
  getCanonicalFileName: (file) => file,
  getNewLine: () => "\n",
};

/**
 * Finds where a source treats an object as a dictionary: it indexes the object, or asks with `in`, by a text that is not
 * one of the object's declared keys. Every object inherits `constructor` and `__proto__`, so such a text may find what
 * was never put there. Only types show it: `table[role]` is right if `role` is a union of the keys.
 *
 * @returns from 1
 */
export function dictionaryReads(
  source: ts.SourceFile,
  checker: ts.TypeChecker,
): { line: number; column: number; text: string }[] {
  const found: { line: number; column: number; text: string }[] = [];
  const visit = (node: ts.Node) => {
    const key = keyOf(node);
    if (key !== undefined && isAnyText(checker.getTypeAtLocation(key))) {
      const { line, character } = source.getLineAndCharacterOfPosition(node.getStart(source));
      found.push({ line: line + 1, column: character + 1, text: node.getText(source) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The key with which an expression reads or writes an object. */
function keyOf(node: ts.Node) {
  if (ts.isElementAccessExpression(node)) return withoutAssertion(node.argumentExpression);
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.InKeyword) return node.left;
  const name = ts.isBindingElement(node) ? node.propertyName : undefined;
  return name !== undefined && ts.isComputedPropertyName(name) ? name.expression : undefined;
}

/** `name as keyof T` is as unchecked as `name`. */
function withoutAssertion(expression: ts.Expression): ts.Expression {
  return ts.isAsExpression(expression) ? withoutAssertion(expression.expression) : expression;
}

/** Whether a type contains texts that it does not list. A type parameter is bound to declared keys. */
function isAnyText(type: ts.Type): boolean {
  if (type.isUnion()) return type.types.some(isAnyText);
  if (type.isIntersection()) return type.types.every(isAnyText);
  const anyText =
    ts.TypeFlags.String | ts.TypeFlags.TemplateLiteral | ts.TypeFlags.Any | ts.TypeFlags.Unknown;
  return (type.flags & anyText) !== 0;
}

if (isStarted(import.meta.url)) await runScript(checkTypes);
