/**
 * Lists the messages of the provider, the command and the GitHub Action from their sources, with the compiler's API.
 *
 * A message starts at a call that shows a text to a user: an error's constructor, a method of a log, a reported fault. The
 * expression that is given there is followed to its literals: through variables, parameters, and functions that return texts.
 */
import { relative, sep } from "node:path";
import ts from "typescript";
import { inRepository, repositoryRoot } from "./repository.mjs";

/** @typedef {{ text: string, source: string }} Message `source` is a file and the symbol in it that holds the literal. */

/** Properties of object literals that hold a message. */
const MESSAGE_PROPERTIES = new Set([
  "reason",
  "advice",
  "whyUndetermined",
  "contradiction",
  "lastOwner",
  "unreadable",
]);
const LOG_METHODS = new Set(["warn", "info", "warning", "error"]);
/** Functions and own methods that print their argument. */
const PRINTERS = new Set(["printMessage", "warn", "#warn"]);
/** Names of the lists that collect faults. */
const FAULT_LISTS = /^#?(faults|failures)$/;
/** Tables whose texts are listed elsewhere: `BY_CODE` fills the table of error codes in docs/troubleshooting.md. */
const LISTED_ELSEWHERE = new Set(["BY_CODE"]);
/** Makers of the results of `opsmanager doctor` that call for an action, in its folder. The first argument is the result. */
const RESULT_MAKERS = new Set(["failed", "warning", "skipped", "refused"]);
const DOCTOR = /^cli\/doctor\//;
/** In the scripts of the GitHub Action: functions and methods that print or publish a text, and the property that explains a failure. */
const ACTION = /^action\//;
const ACTION_PRINTERS = new Set(["print", "fail", "createComment", "updateComment", "commentIssue"]);
const ACTION_PROPERTY = "hint";
const MAX_DEPTH = 12;

/** @returns {Message[]} each text once, in the order of files and lines */
export function messagesInSources(files = sources()) {
  // Names are resolved within these files. Types are not needed, and computing them takes a minute.
  const program = ts.createProgram(files, {
    allowJs: true,
    module: ts.ModuleKind.CommonJS,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    noLib: true,
    noResolve: true,
    types: [],
  });
  return new Extraction(program).run();
}

function sources() {
  return ["cli", "projects", "provider", "action"].flatMap((folder) =>
    ts.sys.readDirectory(inRepository(folder), [folder === "action" ? ".mjs" : ".ts"]).sort(),
  );
}

class Extraction {
  /** @type {Map<string, Message & { position: string }>} */
  #messages = new Map();
  /** Calls by the declaration of the called function. @type {Map<ts.Declaration, ts.CallExpression[]>} */
  #calls = new Map();
  /** The least depth at which an expression was followed, so that the order of the files does not matter. @type {Map<ts.Node, number>} */
  #followed = new Map();

  /** @param {ts.Program} program */
  constructor(program) {
    this.checker = program.getTypeChecker();
    this.files = program.getSourceFiles();
  }

  run() {
    for (const file of this.files) visit(file, (node) => this.#indexCall(node));
    for (const file of this.files) visit(file, (node) => this.#followSink(node));
    return [...this.#messages.values()]
      .sort((one, other) => (one.position < other.position ? -1 : 1))
      .map(({ text, source }) => ({ text, source }));
  }

  /** @param {ts.Node} node */
  #indexCall(node) {
    if (!ts.isCallExpression(node)) return;
    for (const declaration of this.#calledDeclarations(node))
      this.#calls.set(declaration, [...(this.#calls.get(declaration) ?? []), node]);
  }

  /** @param {ts.Node} node */
  #followSink(node) {
    for (const expression of this.#shownBy(node)) this.#follow(expression, 0);
  }

  /** The expressions that a node shows to a user. @param {ts.Node} node @returns {readonly ts.Expression[]} */
  #shownBy(node) {
    if (ts.isNewExpression(node)) return this.#isError(node.expression) ? (node.arguments ?? []) : [];
    const path = pathOf(node.getSourceFile().fileName);
    if (ts.isPropertyAssignment(node)) {
      const name = node.name.getText();
      const isMessage = MESSAGE_PROPERTIES.has(name) || (name === ACTION_PROPERTY && ACTION.test(path));
      return isMessage && !DOCTOR.test(path) ? [node.initializer] : [];
    }
    if (ts.isShorthandPropertyAssignment(node) && MESSAGE_PROPERTIES.has(node.name.text)) return [node.name];
    if (!ts.isCallExpression(node)) return [];
    const { expression, arguments: given } = node;
    if (expression.kind === ts.SyntaxKind.SuperKeyword) {
      const base = ts.findAncestor(node, ts.isClassDeclaration)?.heritageClauses?.[0]?.types[0]?.expression;
      return base && this.#isError(base) ? given : [];
    }
    if (ts.isIdentifier(expression) && DOCTOR.test(path) && RESULT_MAKERS.has(expression.text))
      return given.slice(0, 1);
    const printers = ACTION.test(path) ? ACTION_PRINTERS : PRINTERS;
    if (ts.isIdentifier(expression)) return printers.has(expression.text) ? given : [];
    if (!ts.isPropertyAccessExpression(expression)) return [];
    const method = expression.name.text;
    if (printers.has(method)) return given;
    const receiver = expression.expression.getText().split(".").at(-1) ?? "";
    if (LOG_METHODS.has(method) && /log$/i.test(receiver)) return given;
    if (method === "report" && receiver === "output") return given;
    if (method === "push" && FAULT_LISTS.test(receiver)) return given;
    // A check of zod: `z.string("must be text")`, `.refine(isRight, "must not be empty")`
    if (method === "refine") return given.slice(1);
    return given.filter((one) => /^["'`]must /.test(one.getText()));
  }

  /** Whether a class is an error: by its name, or by that of a base class. @param {ts.Expression} name @returns {boolean} */
  #isError(name) {
    if (/(Error|Fault|Failure)$/.test(name.getText())) return true;
    const declaration = this.#declarationsOf(name).find(ts.isClassDeclaration);
    const base = declaration?.heritageClauses?.[0]?.types[0]?.expression;
    return base !== undefined && this.#isError(base);
  }

  /** @param {ts.CallExpression} node */
  #calledDeclarations({ expression }) {
    const isOwn =
      ts.isPropertyAccessExpression(expression) && expression.expression.kind === ts.SyntaxKind.ThisKeyword;
    if (!isOwn && !ts.isIdentifier(expression)) return [];
    return this.#declarationsOf(isOwn ? expression.name : expression).map((declaration) => {
      // `const attempt = (reason) => ...`
      const value = ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
      return value && ts.isArrowFunction(value) ? value : declaration;
    });
  }

  /**
   * Records the texts that an expression may have.
   *
   * @param {ts.Expression} expression
   * @param {number} depth
   */
  #follow(expression, depth) {
    if (depth > MAX_DEPTH || depth >= (this.#followed.get(expression) ?? Number.POSITIVE_INFINITY)) return;
    this.#followed.set(expression, depth);
    const next = (/** @type {ts.Expression | undefined} */ one) => one && this.#follow(one, depth + 1);
    const node = withoutWrappers(expression);
    if (ts.isStringLiteralLike(node)) this.#record(node, node.text);
    else if (ts.isTemplateExpression(node)) {
      this.#record(node, this.#pattern(node));
      for (const span of node.templateSpans) next(span.expression);
    } else if (ts.isConditionalExpression(node)) for (const one of [node.whenTrue, node.whenFalse]) next(one);
    else if (ts.isBinaryExpression(node)) for (const one of [node.left, node.right]) next(one);
    else if (ts.isArrayLiteralExpression(node)) node.elements.forEach(next);
    else if (ts.isSpreadElement(node)) next(node.expression);
    else if (ts.isObjectLiteralExpression(node)) this.#followProperties(node, next);
    else if (ts.isIdentifier(node)) this.#followName(node, next);
    else if (ts.isElementAccessExpression(node)) next(node.expression);
    else if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) returned(node).forEach(next);
    else if (ts.isCallExpression(node)) this.#followCall(node, next);
    else if (ts.isPropertyAccessExpression(node)) this.#followName(node.name, next);
  }

  /** @param {ts.ObjectLiteralExpression} node @param {(one: ts.Expression | undefined) => void} next */
  #followProperties(node, next) {
    const isTable = node.parent && ts.isVariableDeclaration(node.parent);
    for (const property of node.properties) {
      if (!ts.isPropertyAssignment(property)) continue;
      if (isTable || MESSAGE_PROPERTIES.has(property.name.getText()) || property.name.getText() === "error") {
        next(property.initializer);
      }
    }
  }

  /** @param {ts.Identifier | ts.PrivateIdentifier | ts.MemberName} node @param {(one: ts.Expression | undefined) => void} next */
  #followName(node, next) {
    for (const declaration of this.#declarationsOf(node)) {
      if (LISTED_ELSEWHERE.has(node.text)) continue;
      if (ts.isVariableDeclaration(declaration)) next(variableValue(declaration));
      else if (ts.isPropertyDeclaration(declaration)) next(declaration.initializer);
      else if (ts.isParameter(declaration)) this.#givenFor(declaration).forEach(next);
      else if (isValueOfEntry(declaration)) this.#givenFor(declaration.parent.parent).forEach(next);
    }
  }

  /** @param {ts.Node} node @returns {readonly ts.Declaration[]} */
  #declarationsOf(node) {
    const symbol = ts.isShorthandPropertyAssignment(node.parent)
      ? this.checker.getShorthandAssignmentValueSymbol(node.parent)
      : this.checker.getSymbolAtLocation(node);
    const original =
      symbol && symbol.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol;
    return original?.declarations ?? [];
  }

  /** What the callers of a function give for a parameter. @param {ts.ParameterDeclaration} parameter */
  #givenFor(parameter) {
    const { parent } = parameter;
    const index = parent.parameters.indexOf(parameter);
    const calls = this.#calls.get(parent) ?? [];
    // `list.forEach((sentence) => log.warn(sentence))`
    const receiver =
      ts.isCallExpression(parent.parent) && ts.isPropertyAccessExpression(parent.parent.expression);
    const listed = receiver && index === 0 ? [parent.parent.expression.expression] : [];
    return [...calls.flatMap((call) => call.arguments[index] ?? []), ...listed];
  }

  /** @param {ts.CallExpression} node @param {(one: ts.Expression | undefined) => void} next */
  #followCall(node, next) {
    const { expression } = node;
    const declarations = this.#calledDeclarations(node);
    // A function that the caller gave: `reasonOf(key, other)`
    for (const parameter of declarations.filter(ts.isParameter)) this.#givenFor(parameter).forEach(next);
    const called = declarations.filter((declaration) => "body" in declaration);
    if (called.length > 0) {
      for (const one of called) returned(/** @type {ts.FunctionLikeDeclaration} */ (one)).forEach(next);
      return;
    }
    if (expression.getText() === "Object.entries") node.arguments.forEach(next);
    // `[...].join(" ")`, `list.map((entry) => ...)`
    if (ts.isPropertyAccessExpression(expression)) next(expression.expression);
    for (const argument of node.arguments) if (ts.isArrowFunction(argument)) next(argument);
  }

  /** @param {ts.TemplateExpression} node */
  #pattern(node) {
    const spans = node.templateSpans.map(
      ({ expression, literal }) => `<${placeholder(expression)}>${literal.text}`,
    );
    return node.head.text + spans.join("");
  }

  /** @param {ts.Node} node @param {string} untrimmed */
  #record(node, untrimmed) {
    const text = untrimmed.trim();
    if (!isMessage(text)) return;
    const file = node.getSourceFile();
    const path = pathOf(file.fileName);
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    const position = `${path}:${String(line).padStart(6, "0")}`;
    const known = this.#messages.get(text);
    if (known && known.position <= position) return;
    this.#messages.set(text, { text, source: `${path}#${symbolAround(node)}`, position });
  }
}

/** @param {string} fileName */
function pathOf(fileName) {
  return relative(repositoryRoot, fileName).split(sep).join("/");
}

/**
 * Whether a text is a message. A part that a sentence is made of counts from five words on: users search for it.
 *
 * @param {string} text
 */
function isMessage(text) {
  // The path of a request has no space.
  if (/^([,;(]|(GET|POST|PUT|PATCH|DELETE) \/.*[^.]$|\S+$)/.test(text)) return false;
  const words = text.replace(/<[^<>]*>/g, " ").match(/[A-Za-z][\w'"`.,:-]+/g) ?? [];
  const isSentence = /^must |[.:]$/.test(text) || /^[A-Z<"-]/.test(text);
  return words.length >= (isSentence ? 3 : text.includes("<") ? 4 : 5);
}

/** @param {ts.Node} node @param {(node: ts.Node) => void} action */
function visit(node, action) {
  action(node);
  ts.forEachChild(node, (child) => visit(child, action));
}

/** @param {ts.Expression} node */
function withoutWrappers(node) {
  let inner = node;
  while (
    ts.isParenthesizedExpression(inner) ||
    ts.isAsExpression(inner) ||
    ts.isAwaitExpression(inner) ||
    ts.isNonNullExpression(inner) ||
    ts.isSatisfiesExpression(inner)
  ) {
    inner = inner.expression;
  }
  return inner;
}

/**
 * Whether a name is the value in `Object.entries(table).map(([key, value]) => ...)`.
 *
 * @param {ts.Declaration} declaration
 * @returns {declaration is ts.BindingElement & { parent: { parent: ts.ParameterDeclaration } }}
 */
function isValueOfEntry(declaration) {
  if (!ts.isBindingElement(declaration) || !ts.isArrayBindingPattern(declaration.parent)) return false;
  const { elements, parent: parameter } = declaration.parent;
  const call = parameter.parent.parent;
  return (
    elements[1] === declaration && ts.isCallExpression(call) && /^Object\.entries\(/.test(call.getText())
  );
}

/** The value of a variable; of one that a loop declares, the list. @param {ts.VariableDeclaration} declaration */
function variableValue(declaration) {
  const loop = declaration.parent.parent;
  return ts.isForOfStatement(loop) ? loop.expression : declaration.initializer;
}

/** The expressions that a function returns. @param {ts.FunctionLikeDeclaration} declaration @returns {ts.Expression[]} */
function returned({ body }) {
  if (!body) return [];
  if (!ts.isBlock(body)) return [body];
  /** @type {ts.Expression[]} */
  const found = [];
  const collect = (/** @type {ts.Node} */ node) => {
    if (ts.isFunctionLike(node)) return;
    if (ts.isReturnStatement(node) && node.expression) found.push(node.expression);
    ts.forEachChild(node, collect);
  };
  ts.forEachChild(body, collect);
  return found;
}

/** The name of a placeholder: the last name in the expression, without `Of`. @param {ts.Expression} expression @returns {string} */
function placeholder(expression) {
  const node = withoutWrappers(expression);
  // A constant: `MAX_TAGS`
  if (ts.isIdentifier(node) && /^[A-Z_]+$/.test(node.text))
    return node.text.toLowerCase().replaceAll("_", " ");
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isPropertyAccessExpression(node)) return node.name.text.replace(/^#/, "");
  if (ts.isStringLiteralLike(node)) return node.text.trim();
  if (ts.isElementAccessExpression(node)) return placeholder(node.expression);
  if (ts.isBinaryExpression(node)) return placeholder(node.left);
  if (ts.isCallExpression(node)) {
    const { expression: called, arguments: given } = node;
    const name = ts.isPropertyAccessExpression(called) ? called.name.text : called.getText();
    if (/^(join|toString|map|trim|slice|replace|String|visibleText|inOneLine)$/.test(name)) {
      const subject = ts.isPropertyAccessExpression(called) ? called.expression : given[0];
      return subject ? placeholder(subject) : "…";
    }
    if (/^(messageOf|reportOf|textOf)$/.test(name)) return "reason";
    return name.replace(/^#|Of$/g, "");
  }
  return "…";
}

/** The function or constant around a node, with its class. @param {ts.Node} node */
function symbolAround(node) {
  const names = [];
  for (let parent = node.parent; parent; parent = parent.parent) {
    const name = symbolName(parent);
    if (name !== undefined) names.unshift(name);
  }
  return names.join(".") || "module";
}

/** @param {ts.Node} node @returns {string | undefined} */
function symbolName(node) {
  if (ts.isConstructorDeclaration(node)) return "constructor";
  if (ts.isVariableDeclaration(node)) {
    return ts.isSourceFile(node.parent.parent.parent) ? node.name.getText() : undefined;
  }
  const isNamed =
    ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isClassDeclaration(node);
  return isNamed ? node.name?.getText() : undefined;
}
