/**
 * A plugin of Stryker: texts that only describe are documentation. They reach the package schema and the documents, where
 * `npm run check` compares them, and decide nothing.
 *
 * @typedef {{ type: string, name?: string, callee?: SyntaxNode, property?: SyntaxNode, key?: SyntaxNode }} SyntaxNode
 */

/** What takes a description: zod's `meta`, and what calls it. */
const functions = ["meta", "optionalText", "requiredText", "removeByDefault", "grantOutputs"];
/** Properties that are one: of schemas, `Duties`, protections and rights. */
const properties = new Set([
  ...["description", "whenRemoved", "counted", "whenDeletedFirst", "withFourOperations"],
  ...["question", "answer", "meaning", "source"],
]);

/** @param {{ node: SyntaxNode, parent?: SyntaxNode }} path of Babel */
function shouldIgnore({ node, parent }) {
  const isArgument = parent?.type === "CallExpression" && parent.callee !== node;
  const isDescription = isArgument
    ? functions.includes(parent.callee?.property?.name ?? parent.callee?.name ?? "")
    : parent?.type === "ObjectProperty" && isDescribing(parent.key?.name ?? "", node.type);
  return isDescription ? "documentation" : undefined;
}

/** @param {string} property @param {string} type of its value */
function isDescribing(property, type) {
  // That of a protection has a text for each kind; that of a right decides.
  if (property === "effect") return type === "ObjectExpression";
  return properties.has(property) && ["StringLiteral", "TemplateLiteral"].includes(type);
}

export const strykerPlugins = [{ kind: "Ignore", name: "descriptions", value: { shouldIgnore } }];
