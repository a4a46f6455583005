/**
 * A plugin of Stryker: texts that only describe are documentation. They reach the package schema and the documents, where
 * `npm run check` compares them, and decide nothing.
 *
 * @typedef {{ type: string, name?: string, callee?: SyntaxNode, property?: SyntaxNode, key?: SyntaxNode }} SyntaxNode
 */

/** What takes a description: zod's `meta`, and what calls it. */
const functions = ["meta", "optionalText", "requiredText", "removeByDefault", "grantOutputs"];
/** Properties that have one; the latter are `Duties`. */
const properties = ["description", "whenRemoved", "counted", "whenDeletedFirst", "withFourOperations"];

/** @param {{ node: SyntaxNode, parent?: SyntaxNode }} path of Babel */
function shouldIgnore({ node, parent }) {
  const isArgument = parent?.type === "CallExpression" && parent.callee !== node;
  const isText = node.type === "StringLiteral" || node.type === "TemplateLiteral";
  const isDescription = isArgument
    ? functions.includes(parent.callee?.property?.name ?? parent.callee?.name ?? "")
    : isText && parent?.type === "ObjectProperty" && properties.includes(parent.key?.name ?? "");
  return isDescription ? "documentation" : undefined;
}

export const strykerPlugins = [{ kind: "Ignore", name: "descriptions", value: { shouldIgnore } }];
