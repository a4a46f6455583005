/**
 * Module text that the host of dynamic providers runs. The engine stores it in the state of each
 * resource. It loads the installed package, so it never changes.
 */

import type { ResourceKind } from "../resources/kinds";

/** The module text of a kind. It is the same in all releases; tests pin it. */
export function providerText(kind: ResourceKind): string {
  return `exports.handler = () => require("pulumi-opsmanager/dynamic/adapter").provider("${kind}");\n`;
}
