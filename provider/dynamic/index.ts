/**
 * The dynamic provider: resources and lookups for programs in TypeScript and JavaScript. You
 * install nothing but this package.
 *
 * Arguments, types and defaults are those of the plugin's SDK (`pulumi-opsmanager`). Settings come
 * from the stack's `opsmanager:` config and the environment. All resources and lookups of a stack
 * use that one service.
 *
 * @packageDocumentation
 */
export * from "./generated";
