/**
 * What the classes of the dynamic provider have in common: how their inputs reach the host of
 * dynamic providers.
 */
import * as pulumi from "@pulumi/pulumi";
import type { ResourceKind } from "../resources/kinds";
import { own } from "../text/own";
import { DECLARED, IGNORE_CHANGES, SECRET_INPUTS } from "../text/sentinels";
import { isMocked } from "./mocks";
import { isPlain, secretsOf } from "./plain";
import { providerText } from "./provider-text";

interface Declaration {
  readonly kind: ResourceKind;
  /** Inputs and outputs. The SDK makes properties only of those that have a name here. */
  readonly outputs: readonly string[];
  /** The output that is the id. The host's state lacks it, but a mocked state may have it. */
  readonly idOutput?: string;
  /** Outputs that repeat an input under another name, by output. */
  readonly repeats?: Readonly<Record<string, string>>;
  /** Outputs that are always secret. */
  readonly secrets?: readonly string[];
}

/**
 * A resource of Pulumi's host for dynamic providers, with the type token of
 * `pulumi.dynamic.Resource`. Its provider is not serialized for each program (provider-text.ts).
 *
 * @internal
 */
export abstract class DynamicResource extends pulumi.CustomResource {
  constructor(
    { kind, outputs, idOutput, repeats = {}, secrets = [] }: Declaration,
    name: string,
    args: object = {},
    opts: pulumi.CustomResourceOptions = {},
  ) {
    if (opts.import !== undefined) {
      throw new pulumi.RunError(
        `${kind} "${name}": the dynamic provider does not support import. To adopt an existing project, set its projectId. A ProjectMember or ProjectMembers adopts people who are in the project. To import, use the provider plugin (pulumi-opsmanager).`,
      );
    }
    const isIdMocked = idOutput !== undefined && isMocked();
    const named = isIdMocked ? [...outputs, idOutput] : outputs;
    const unset = Object.fromEntries(named.map((output) => [output, undefined]));
    const inputs: Readonly<Record<string, unknown>> = { ...args };
    const props = {
      ...unset,
      ...inputs,
      [IGNORE_CHANGES]: opts.ignoreChanges ?? [],
      [SECRET_INPUTS]: secretsOf(inputs),
      [DECLARED]: undefined,
      __provider: providerText(kind),
    };
    // The host does not show which input is a secret. A plain input is none, and neither is its
    // repetition.
    const repeating = Object.entries(repeats).flatMap(([output, input]) =>
      isPlain(own(inputs, input)) ? [] : [output],
    );
    // The checked inputs come back as one output, and any of them may be a secret.
    const additionalSecretOutputs = [DECLARED, ...repeating, ...secrets];
    const options = pulumi.mergeOptions(opts, { additionalSecretOutputs });
    super(`pulumi-nodejs:dynamic/opsmanager:${kind}`, name, props, options);
    if (idOutput === undefined) return;
    const id = isIdMocked
      ? pulumi
          .all([pulumi.output(own(Object(this), idOutput)), this.id])
          .apply(([mocked, own]) => mocked ?? own)
      : this.id;
    Object.assign(this, { [idOutput]: id });
  }
}
