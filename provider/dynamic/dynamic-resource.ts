/** What the classes of the dynamic door have in common: how their inputs reach the host of dynamic providers. */
import * as pulumi from "@pulumi/pulumi";
import { secretsOf } from "./plain";
import { DECLARED, IGNORE_CHANGES, SECRETS } from "./properties";
import { type DynamicKind, providerText } from "./provider-text";

interface Declaration {
  readonly kind: DynamicKind;
  /** Outputs that the engine adds; named so that the SDK makes properties of them. */
  readonly outputs: readonly string[];
  /** Outputs that repeat a secret input under another name. */
  readonly secretOutputs?: readonly string[];
}

/**
 * A resource of Pulumi's host for dynamic providers, as `pulumi.dynamic.Resource` is, with the same type token; its provider is not
 * serialized anew for each program (provider-text.ts).
 *
 * @internal
 */
export abstract class DynamicResource extends pulumi.CustomResource {
  constructor(
    { kind, outputs, secretOutputs = [] }: Declaration,
    name: string,
    args: object | undefined,
    opts: pulumi.CustomResourceOptions,
  ) {
    if (opts.import !== undefined) {
      throw new pulumi.RunError(
        `${kind} "${name}": the dynamic door has no import. Creating adopts what exists: give a Project its projectId; people who are in the project are taken over as they are. The plugin door (pulumi-opsmanager) imports.`,
      );
    }
    const unset = Object.fromEntries(outputs.map((output) => [output, undefined]));
    const props = {
      ...unset,
      ...args,
      [IGNORE_CHANGES]: opts.ignoreChanges ?? [],
      [SECRETS]: secretsOf(args ?? {}),
      [DECLARED]: undefined,
      __provider: providerText(kind),
    };
    // The checked inputs come back as one output, and any of them may be a secret.
    const additionalSecretOutputs = [DECLARED, ...secretOutputs];
    const options = pulumi.mergeOptions(opts, { additionalSecretOutputs });
    super(`pulumi-nodejs:dynamic/opsmanager:${kind}`, name, props, options);
  }
}
