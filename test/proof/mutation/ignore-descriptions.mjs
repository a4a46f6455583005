/**
 * A plugin of Stryker: the arguments of zod's `meta` are documentation. They reach the package schema and the documents, where `npm run check`
 * compares them, and decide nothing.
 *
 * @typedef {{ type: string, name?: string, callee?: SyntaxNode, property?: SyntaxNode }} SyntaxNode
 */

/** @param {{ node: SyntaxNode, parent?: SyntaxNode }} path of Babel */
function shouldIgnore({ node, parent }) {
  if (parent?.type !== "CallExpression" || parent.callee === node) return undefined;
  return parent.callee?.property?.name === "meta" ? "documentation" : undefined;
}

export const strykerPlugins = [{ kind: "Ignore", name: "descriptions", value: { shouldIgnore } }];
