/**
 * The text by which the host of dynamic providers finds its way into this package. The engine keeps
 * it in the state of every resource, and refresh and destroy run the one that was recorded, so it
 * says as little as possible and stays what it is: what stands behind it is the installed release.
 *
 * It is written here and not made by `pulumi.dynamic.Resource`, which serializes functions by way
 * of the V8 inspector and the TypeScript compiler: 2.3 KB for seven functions of one line, 1.5 KB
 * of them wrapping, in a form that depends on the SDK's release and on whatever has compiled the
 * program's modules. The host asks for no more than a CommonJS module with a `handler`
 * (@pulumi/pulumi, cmd/dynamic-provider).
 */

import type { ResourceKind } from "../resources/kinds";

/** The same for all resources of a kind and for all releases; tests pin it. */
export function providerText(kind: ResourceKind): string {
  return `exports.handler = () => require("pulumi-opsmanager/dynamic/adapter").provider("${kind}");\n`;
}
