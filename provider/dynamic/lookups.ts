/**
 * Runs lookups in the program's own process, with the settings of the stack. Arguments, results and
 * messages are those of the plugin's SDK.
 */
import * as pulumi from "@pulumi/pulumi";
import { isMocked } from "./mocks";
import { isPlain, secretsOf } from "./plain";
import type * as types from "./types";

/** The functions that also exist for arguments that are outputs. */
type LookupName = {
  [Name in keyof typeof types]: `${Name}Output` extends keyof typeof types ? Name : never;
}[keyof typeof types];

/** The lookup for arguments that are plain values. */
export function lookup<Name extends LookupName>(name: Name): (typeof types)[Name];
export function lookup(name: string): object {
  return (args?: object, opts?: pulumi.InvokeOptions) => lookUp(name, args, opts);
}

/** The lookup for arguments that are outputs. It runs once they are known. */
export function lookupOutput<Name extends LookupName>(name: Name): (typeof types)[`${Name}Output`];
export function lookupOutput(name: string): object {
  return (args?: object, opts?: pulumi.InvokeOutputOptions) => lookUpOutput(name, args, opts);
}

async function lookUp<Result>(
  name: string,
  args: object = {},
  opts: pulumi.InvokeOptions = {},
): Promise<Result> {
  const done = pulumi.runtime.rpcKeepAlive();
  try {
    refuseProvider(name, opts);
    const [early] = Object.entries(args).filter(([, value]) => !isPlain(value));
    if (early) {
      throw new pulumi.RunError(
        `${name}: ${early[0]} is an output, and ${name} takes plain values. Use ${name}Output, which takes outputs.`,
      );
    }
    return await run(name, args, []);
  } finally {
    done();
  }
}

/** A secret argument makes the result secret. */
function lookUpOutput<Result>(
  name: string,
  args: object = {},
  opts: pulumi.InvokeOutputOptions = {},
): pulumi.Output<Result> {
  refuseProvider(`${name}Output`, opts);
  // Keeps the connection to the engine open, as the SDK does for its own lookups. In a program of the
  // Automation API, nothing else does, and resources that depend on the response would be lost.
  const done = pulumi.runtime.rpcKeepAlive();
  const given = pulumi.output(args);
  const sources = pulumi.output(pulumi.getAllResources(given).then(marksOf));
  const before = pulumi.output(opts.dependsOn).apply((named) => pulumi.all(marksOf(resourcesIn(named))));
  const result = pulumi
    .all([given, sources, before])
    .apply(async ([values]): Promise<Result> => run(name, values, await secretsOf(args)));
  pulumi.isSecret(result).then(done, done);
  return result as pulumi.Output<Result>;
}

/** Under mocks, the mocks' `call` responds as for the plugin's function, and no request is sent. */
async function run<Result>(name: string, args: object, secrets: readonly string[]): Promise<Result> {
  if (isMocked()) return pulumi.runtime.invoke(`opsmanager:index:${name}`, { ...args });
  const { runLookup } = require("./run-lookup") as typeof import("./run-lookup");
  return (await runLookup(name, { ...args }, secrets)) as Result;
}

/**
 * Everything goes to the one service of the stack's settings, so another provider cannot be meant.
 */
function refuseProvider(name: string, { provider }: pulumi.InvokeOptions): void {
  if (!provider) return;
  throw new pulumi.RunError(
    `${name}: pulumi-opsmanager/dynamic has no providers, so the option provider cannot be used. It uses the service of the stack's opsmanager: settings. For several services in one program, import from pulumi-opsmanager.`,
  );
}

/**
 * What is known of each resource once it is there: unknown in a preview as long as one does not
 * exist. An argument alone may be known by then, such as the name of a project that is still to be
 * created. A component stands for everything in it.
 */
function marksOf(resources: Iterable<pulumi.Resource>): pulumi.Output<string>[] {
  return [...resources].flatMap((resource) => {
    if (pulumi.CustomResource.isInstance(resource)) return [resource.id];
    // The SDK's own lookups go through this list too (runtime/dependsOn.js); there is no public
    // one.
    const { __childResources: children = [] } = resource as { __childResources?: Set<pulumi.Resource> };
    return [resource.urn, ...marksOf(children)];
  });
}

function resourcesIn(value: unknown): pulumi.Resource[] {
  return [value].flat().filter((entry) => pulumi.Resource.isInstance(entry));
}
