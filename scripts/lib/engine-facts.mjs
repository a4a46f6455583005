/**
 * What is known about an engine, beyond where it is.
 *
 * @typedef {object} EngineFacts
 * @property {string} version
 * @property {"environment" | "path" | "installer" | "built"} source how it came to this machine
 * @property {string} nodeHostVersion
 * @property {string} [residentCommandLine] path below the folder of the resident command line, if it was built with the engine
 * @property {boolean} canRunPlugins whether the Node language host can start a plugin from PulumiPlugin.yaml and generate SDKs
 *
 * @typedef {EngineFacts & { bin: string }} Engine
 */

/**
 * What a function that installs or builds an engine works with.
 *
 * @typedef {object} Means
 * @property {Promise<unknown>} dependencies resolves once `node_modules` is complete
 * @property {AbortSignal | undefined} signal cancels the work
 */

/** Since this version `pulumi` has the exit codes that docs/drift.md documents for CI. */
export const minimumVersion = "3.227.0";

const suffix = process.platform === "win32" ? ".exe" : "";

/**
 * An engine is complete with these; the last one is a script that starts dynamic providers. The hosts of Python and Go may be
 * missing: then the programs of `test/engine/sdks` are skipped.
 */
export const cli = `pulumi${suffix}`;
export const languageHosts = [`pulumi-language-nodejs${suffix}`, `pulumi-language-yaml${suffix}`];
export const dynamicProviderLauncher = `pulumi-resource-pulumi-nodejs${process.platform === "win32" ? ".cmd" : ""}`;
export const parts = [cli, ...languageHosts, dynamicProviderLauncher];

/** Stands beside the binaries of an engine that these scripts put there. */
export const factsFile = "engine.json";
