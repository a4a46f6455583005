/**
 * Module text that the host of dynamic providers runs. The engine stores it in the state of each
 * resource. It loads the installed package, so it never changes.
 *
 * `pulumi.dynamic.Resource` would serialize functions instead: 2.3 KB for each resource, in a form
 * that depends on the release of the SDK and on the compiler of the program. The host requires only
 * a CommonJS module with a `handler` (@pulumi/pulumi, cmd/dynamic-provider).
 */

import type { ResourceKind } from "../resources/kinds";

/** The module text of a kind. It is the same in all releases; tests pin it. */
export function providerText(kind: ResourceKind): string {
  return `exports.handler = () => require("pulumi-opsmanager/dynamic/adapter").provider("${kind}");\n`;
}
