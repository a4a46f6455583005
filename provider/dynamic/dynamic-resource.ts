/**
 * The classes of the dynamic provider, and how their inputs reach the host of dynamic providers.
 */
import * as pulumi from "@pulumi/pulumi";
import type { ResourceKind } from "../resources/kinds";
import { own } from "../text/own";
import { DECLARED, IGNORE_CHANGES, MARK, SECRET_INPUTS } from "../text/sentinels";
import { isMocked } from "./mocks";
import type { Output } from "./output";
import { outputs } from "./outputs";
import { isPlain, secretsOf } from "./plain";
import { providerText } from "./provider-text";
import type * as types from "./types";

/** The class of a kind. It has the type of the SDK's class, because Pulumi makes the same outputs. */
export function dynamicClass<Kind extends ResourceKind & keyof typeof types>(
  kind: Kind,
): (typeof types)[Kind];
export function dynamicClass(kind: ResourceKind): object {
  class Dynamic extends DynamicResource {
    static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Dynamic {
      return new Dynamic(name, undefined, { ...opts, id });
    }

    static override isInstance(value: unknown): value is Dynamic {
      return own(Object(value), "__pulumiType") === typeOf(kind);
    }

    constructor(name: string, args?: object, opts?: pulumi.CustomResourceOptions) {
      super(kind, name, args, opts);
    }
  }
  return Object.defineProperty(Dynamic, "name", { value: kind });
}

function typeOf(kind: ResourceKind): string {
  return `pulumi-nodejs:dynamic/opsmanager:${kind}`;
}

/**
 * A resource of Pulumi's host for dynamic providers, with the type token of
 * `pulumi.dynamic.Resource`. Its provider is not serialized for each program (provider-text.ts).
 */
abstract class DynamicResource extends pulumi.CustomResource {
  constructor(kind: ResourceKind, name: string, args: object = {}, opts: pulumi.CustomResourceOptions = {}) {
    if (opts.import !== undefined) {
      throw new pulumi.RunError(
        `${kind} "${name}": the dynamic provider does not support import. To adopt an existing project, set its projectId. A ProjectMember or ProjectMembers adopts people who are in the project. To import, use the provider plugin (pulumi-opsmanager).`,
      );
    }
    const idOutput = outputsOf(kind, ({ isId }) => isId)[0];
    const isIdMocked = idOutput !== undefined && isMocked();
    const named = outputsOf(kind, ({ isId }) => !isId || isIdMocked);
    const props = propsOf(kind, named, { ...args }, opts);
    const additionalSecretOutputs = [DECLARED, ...secretOutputs(kind, { ...args })];
    super(typeOf(kind), name, props, pulumi.mergeOptions(opts, { additionalSecretOutputs }));
    if (idOutput === undefined) return;
    const id = isIdMocked
      ? pulumi
          .all([pulumi.output(own(Object(this), idOutput)), this.id])
          .apply(([mocked, own]) => mocked ?? own)
      : this.id;
    Object.assign(this, { [idOutput]: id });
  }
}

/** @param named the outputs of which Pulumi makes properties */
function propsOf(
  kind: ResourceKind,
  named: readonly string[],
  inputs: pulumi.Inputs,
  { ignoreChanges = [] }: pulumi.CustomResourceOptions,
): pulumi.Inputs {
  return {
    ...Object.fromEntries(named.map((output) => [output, undefined])),
    ...(isEndSecret(kind, inputs) && { [MARK]: pulumi.secret(false) }),
    ...inputs,
    [IGNORE_CHANGES]: ignoreChanges,
    [SECRET_INPUTS]: secretsOf(inputs),
    [DECLARED]: undefined,
    __provider: providerText(kind),
  };
}

/**
 * The host does not show which input is a secret. A plain input is none, and neither is its
 * repetition. The checked inputs come back as one output, and any of them may be a secret.
 */
function secretOutputs(kind: ResourceKind, inputs: pulumi.Inputs): string[] {
  return outputsOf(kind, ({ isSecret, repeats }) => {
    return isSecret || (repeats !== undefined && !isPlain(own(inputs, repeats)));
  });
}

/** The engine encrypts a checked input only if the program gives a secret of that name. */
function isEndSecret(kind: ResourceKind, inputs: pulumi.Inputs): boolean {
  const { until } = inputs;
  return until !== undefined && (!isPlain(until) || secretOutputs(kind, inputs).includes("until"));
}

/** The names of the outputs that a condition holds for. */
function outputsOf(kind: ResourceKind, holds: (output: Output) => boolean | undefined): string[] {
  return Object.entries(own(outputs, kind) ?? {}).flatMap(([name, output]) => (holds(output) ? [name] : []));
}
