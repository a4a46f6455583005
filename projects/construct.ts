/**
 * Constructs the component for a program in any language, as the engine's Construct requires.
 *
 * The plugin registers the component and its resources with the engine like a Node.js program. This
 * file loads the Node.js SDK, so it is loaded only for a Construct.
 */
import * as pulumi from "@pulumi/pulumi";
import type { Alias } from "@pulumi/pulumi/proto/alias_pb";
import { type ConstructRequest, ConstructResponse } from "@pulumi/pulumi/proto/provider_pb";
import * as sdkResources from "@pulumi/pulumi/resource";
import * as sdkResource from "@pulumi/pulumi/runtime/resource";
import * as rpc from "@pulumi/pulumi/runtime/rpc";
import * as sdkSettings from "@pulumi/pulumi/runtime/settings";
import * as sdkState from "@pulumi/pulumi/runtime/state";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { type Properties, withoutUndefined } from "../provider/resources/contract/values";
import { AccessFolder, type AccessFolderArgs } from "./program";

/**
 * Functions that the SDK's own component server uses and its type declarations omit
 * (sdk/nodejs/provider/server.ts).
 */
const { awaitFeatureSupport } = sdkSettings as unknown as { awaitFeatureSupport(): Promise<void> };
const { withLocalStorage } = sdkState as unknown as {
  withLocalStorage<T>(run: () => Promise<T>): Promise<T>;
};
const { hookBindingFromProto } = sdkResource as unknown as {
  hookBindingFromProto(
    binding: ConstructRequest.ResourceHooksBinding | undefined,
  ): pulumi.ResourceHookBinding | undefined;
};

/**
 * The response in wire form, or why the files or the arguments are refused, in lines. Plain values:
 * in the plugin archive this file is a bundle with copies of its own of all classes.
 */
type Constructed = { readonly response: Uint8Array } | { readonly refused: readonly string[] };

/**
 * @param engineAddress host:port of the engine that calls
 * @param args the inputs as plain values
 */
export function construct(
  request: ConstructRequest,
  engineAddress: string,
  args: Properties,
): Promise<Constructed> {
  // The SDK's settings are per asynchronous context here, so constructions do not share them.
  return withLocalStorage(async () => {
    pulumi.runtime.resetOptions(
      request.getProject(),
      request.getStack(),
      request.getParallel(),
      engineAddress,
      request.getMonitorendpoint(),
      request.getDryrun(),
      request.getOrganization(),
    );
    await awaitFeatureSupport();
    pulumi.runtime.setAllConfig(
      Object.fromEntries(request.getConfigMap().entries()),
      request.getConfigsecretkeysList(),
    );
    try {
      const component = componentOf(request, args);
      // What ends does so before a failure elsewhere ends the call.
      const response = await responseOf(component).finally(() => component.completed);
      await pulumi.runtime.disconnect();
      return { response: response.serializeBinary() };
    } catch (error) {
      // In a program, this class makes the language host print the message without a stack.
      if (error instanceof pulumi.RunError) return { refused: error.message.split("\n") };
      throw error;
    }
  });
}

function componentOf(request: ConstructRequest, args: Properties): AccessFolder {
  // The component checks its arguments itself: a program in JavaScript can pass anything, too.
  const own = { ...args, provider: "plugin" } as unknown as AccessFolderArgs;
  return new AccessFolder(request.getName(), own, optionsOf(request));
}

/** Options of resources that have an operation, such as custom timeouts, do not apply to a component. */
function optionsOf(request: ConstructRequest): pulumi.ComponentResourceOptions {
  const providers = [...request.getProvidersMap().entries()];
  return withoutUndefined({
    aliases: request.getAliasesList().map(aliasOf),
    dependsOn: request.getDependenciesList().map((urn) => new sdkResources.DependencyResource(urn)),
    parent: resourceOf(request.getParent()),
    providers: Object.fromEntries(
      providers.map(([name, reference]) => [name, new sdkResources.DependencyProviderResource(reference)]),
    ),
    protect: request.getProtect(),
    retainOnDelete: request.getRetainondelete(),
    deletedWith: resourceOf(request.getDeletedwith()),
    hooks: hookBindingFromProto(request.getResourceHooks()),
  });
}

/** An absent text of the protocol is empty. */
function given(text: string): string | undefined {
  return text === "" ? undefined : text;
}

function resourceOf(urn: string): pulumi.Resource | undefined {
  return urn === "" ? undefined : new sdkResources.DependencyResource(urn);
}

function aliasOf(alias: Alias): string | pulumi.Alias {
  const spec = alias.getSpec();
  if (spec === undefined) return alias.getUrn();
  const parts = withoutUndefined({
    name: given(spec.getName()),
    type: given(spec.getType()),
    stack: given(spec.getStack()),
    project: given(spec.getProject()),
    parent: given(spec.getParenturn()),
  });
  // This is `undefined`, and its presence counts: without it, the parent is the present one.
  return spec.getNoparent() ? { ...parts, parent: pulumi.rootStackResource } : parts;
}

async function responseOf(folder: AccessFolder): Promise<ConstructResponse> {
  const { projects, teams, apiKeys } = folder;
  const outputs = { projects, teams, apiKeys };
  const [state, dependencies] = await rpc.serializeResourceProperties("component", outputs);
  const response = new ConstructResponse().setUrn(await urnOf(folder)).setState(Struct.fromJavaScript(state));
  for (const [property, resources] of dependencies) {
    const urns = new ConstructResponse.PropertyDependencies();
    urns.setUrnsList(await Promise.all([...resources].map(urnOf)));
    response.getStatedependenciesMap().set(property, urns);
  }
  return response;
}

function urnOf({ urn }: pulumi.Resource): Promise<string> {
  return new Promise((resolve) => urn.apply(resolve));
}
