/**
 * The engine's ResourceProvider service: each call of the engine becomes one call of a resource or a function.
 *
 * Flat on purpose. Each method decodes, calls, encodes; the behavior of a resource is in
 * `resources/`.
 */
import type { handleUnaryCall } from "@grpc/grpc-js";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { createClient } from "../api/client";
import { attempt } from "../attempt";
import { components } from "../component";
import { canonicalArguments, checkLookup } from "../functions/lookup";
import { resourceNamed } from "../resources";
import { shapeFailures } from "../resources/contract/check";
import type { Difference } from "../resources/contract/difference";
import type { ListedObject } from "../resources/contract/listing";
import type { Context, Resource } from "../resources/contract/resource";
import { secretNames } from "../resources/contract/secret-texts";
import { Session } from "../resources/contract/session";
import { hasUnknown, type Properties } from "../resources/contract/values";
import { SharedCauses } from "../resources/session/shared-causes";
import {
  resolveSettings,
  type Settings,
  sameAddress,
  settingFaults,
  settingsInputs,
  settingsWarnings,
} from "../settings/config";
import { messageOf, PartialFailure, RefusedError } from "../text/errors";
import { own } from "../text/own";
import { DECLARED } from "../text/sentinels";
import { type ToldAccess, toldText } from "../text/told-access";
import { UNKNOWN_SETTINGS } from "../text/unknown-settings";
import { partsOfUrn } from "../text/urn";
import { createRedact } from "../transport";
import { packageVersion } from "../version";
import { Call } from "./call";
import { type Connected, EngineConnections, type Handlers } from "./connections";
import { toDiffResponse, withoutKeys } from "./detailed-diff";
import { EngineLog } from "./engine-log";
import { answerList, type ListCall, listResponses } from "./list";
import { encodeProperties } from "./properties";
import { rejectedWith } from "./rejections";
import { toServiceError } from "./status";

/**
 * @param engineAddress host:port of the engine that started this process; `undefined` if engines
 * attach
 * @param onEngineLost called when that engine has ended without Cancel
 * @param construct declares a component
 */
export function createService(
  engineAddress: string | undefined,
  onEngineLost: () => void,
  construct: Construct,
): EngineConnections {
  const own = new Provider(engineAddress, construct);
  if (engineAddress) own.log.connect(engineAddress, onEngineLost);
  return new EngineConnections(own, (address) => {
    const attached = new Provider(address, construct);
    attached.log.connect(address, () => attached.cancel());
    return attached;
  });
}

/**
 * Declares a component and its resources with the engine at an address.
 *
 * @returns the response in wire form, or the lines that explain why the arguments are refused
 */
export type Construct = (
  request: proto.ConstructRequest,
  engineAddress: string,
  args: Properties,
) => Promise<{ readonly response: Uint8Array } | { readonly refused: readonly string[] }>;

interface Configured {
  /** The URN of the served provider resource; `undefined` when its operation is over. */
  readonly urn: string | undefined;
  readonly session: Session;
}

/** An operation on one resource, without the values of its request. */
interface ResourceOperation {
  readonly call: Call;
  readonly resource: Resource;
  readonly session: Session;
  readonly context: Context;
}

interface ResourceRequest {
  getUrn(): string;
  getTimeout?(): number;
}

class Provider implements Connected {
  readonly log = new EngineLog();
  readonly handlers: Handlers;
  isOver = false;
  #configured: Configured | undefined;
  #cancel = new AbortController();
  readonly #engineAddress: string | undefined;
  readonly #construct: Construct;

  constructor(engineAddress: string | undefined, construct: Construct) {
    this.#engineAddress = engineAddress;
    this.#construct = construct;
    this.handlers = {
      handshake: this.#unary(() => this.#handshake()),
      getPluginInfo: this.#unary(() => new PluginInfo().setVersion(packageVersion())),
      getSchema: this.#unary((request: proto.GetSchemaRequest) => this.#getSchema(request)),
      checkConfig: this.#unary((request: proto.CheckRequest, call) => this.#checkConfig(request, call)),
      diffConfig: this.#unary((request: proto.DiffRequest, call) => this.#diffConfig(request, call)),
      configure: this.#unary((request: proto.ConfigureRequest, call) => this.#configure(request, call)),
      check: this.#ofResource((request: proto.CheckRequest, operation) => this.#check(request, operation)),
      diff: this.#ofResource((request: proto.DiffRequest, operation) => this.#diff(request, operation)),
      create: this.#ofResource((request: proto.CreateRequest, operation) => this.#create(request, operation)),
      read: this.#ofResource((request: proto.ReadRequest, operation) => this.#read(request, operation)),
      update: this.#ofResource((request: proto.UpdateRequest, operation) => this.#update(request, operation)),
      delete: this.#ofResource((request: proto.DeleteRequest, operation) => this.#delete(request, operation)),
      construct: this.#unary((request: proto.ConstructRequest, call) =>
        this.#constructComponent(request, call),
      ),
      invoke: this.#unary((request: proto.InvokeRequest, call) => this.#invoke(request, call)),
      list: (stream: ListCall) =>
        answerList(stream, (request, signal) =>
          this.#answer(async (call) => listResponses(await this.#list(request, call, signal), request)),
        ),
      cancel: this.#unary(() => this.cancel()),
    };
  }

  redact(text: string): string {
    return (this.#configured?.session.client.redact ?? createRedact([]))(text);
  }

  close(): void {
    this.#cancel.abort();
    void this.#configured?.session.client.close();
    this.log.close();
  }

  // ------------------------------------------------------------------------------------------------
  // the process

  #handshake(): proto.ProviderHandshakeResponse {
    return new proto.ProviderHandshakeResponse()
      .setAcceptSecrets(true)
      .setAcceptResources(false)
      .setAcceptOutputs(false)
      .setSupportsAutonamingConfiguration(false);
  }

  #getSchema(request: proto.GetSchemaRequest): proto.GetSchemaResponse {
    if (request.getVersion() !== 0) {
      throw new RefusedError(
        `Schema version ${request.getVersion()} is not known; this plugin supports version 0.`,
      );
    }
    // Loaded only here: no other call needs it, and every `up` starts this process again.
    const { packageSchemaText } = require("../package-schema") as typeof import("../package-schema");
    return new proto.GetSchemaResponse().setSchema(packageSchemaText());
  }

  /**
   * Handles Cancel, which the engine sends on Ctrl-C and at every normal close. Running operations
   * stop, and later ones do not begin.
   */
  cancel(): Empty {
    this.isOver = true;
    this.#cancel.abort();
    this.#configured?.session.forget();
    if (this.#configured) this.#configured = { ...this.#configured, urn: undefined };
    this.log.reset();
    return new Empty();
  }

  // ------------------------------------------------------------------------------------------------
  // the settings

  /**
   * Checks the shape only: no value from the environment may enter the inputs, because inputs are
   * recorded in state.
   */
  #checkConfig(request: proto.CheckRequest, call: Call): proto.CheckResponse {
    const news = call.decode(request.getNews(), SETTINGS);
    if (hasUnknown(news.values)) this.log.write("debug", UNKNOWN_SETTINGS, request.getUrn(), call.redact);
    const known = Object.entries(news.values).filter(([, value]) => !hasUnknown(value));
    const failures = settingFaults(Object.fromEntries(known));
    return (
      new proto.CheckResponse()
        .setInputs(request.getNews())
        // The failures name no property: the engine unwraps secrets here, and the CLI would print
        // the value.
        .setFailuresList(failures.map(({ reason }) => call.rejection({ property: "", reason }, news)))
    );
  }

  /**
   * Any changed setting must be reported to the engine, which uses the old ones otherwise. None
   * requires a replacement.
   */
  async #diffConfig(request: proto.DiffRequest, call: Call): Promise<proto.DiffResponse> {
    const news = call.decode(request.getNews(), SETTINGS).values;
    const olds = call.decode(request.getOldInputs() ?? request.getOlds(), SETTINGS).values;
    const differences = Object.keys(settingsInputs.shape).flatMap((name): Difference[] => {
      if (!hasUnknown(own(news, name)) && JSON.stringify(own(olds, name)) === JSON.stringify(own(news, name)))
        return [];
      const kind =
        own(olds, name) === undefined ? "add" : own(news, name) === undefined ? "delete" : "update";
      return [{ path: [name], kind, inputDiff: true }];
    });
    if (olds.baseUrl !== undefined && !hasUnknown(news.baseUrl) && !sameAddress(olds.baseUrl, news.baseUrl)) {
      this.log.write(
        "warn",
        `baseUrl changes from ${String(olds.baseUrl)} to ${String(news.baseUrl)}: the new service must have the objects of this stack under the same ids.`,
        request.getUrn(),
        call.redact,
      );
      await this.#confirmAddress(news, request.getUrn(), call);
    }
    return toDiffResponse(differences);
  }

  /**
   * Checks that the API responds at a changed address. The engine reads the objects at the recorded one, so
   * a program that changes nothing would record any address.
   */
  async #confirmAddress(args: Properties, urn: string, call: Call): Promise<void> {
    if (Object.values(args).some(hasUnknown)) return;
    const client = createClient(this.#settings(args, urn), () => {});
    call.connect(client);
    try {
      await client.confirm("Checking the new baseUrl");
    } finally {
      await client.close();
    }
  }

  #settings(args: Properties, urn: string): Settings {
    return resolveSettings({
      args,
      stackConfig: stackConfig(process.env.PULUMI_CONFIG),
      env: process.env,
      isDefaultProvider: isDefaultProvider(urn),
      directory: process.cwd(),
    });
  }

  #configure(request: proto.ConfigureRequest, call: Call): proto.ConfigureResponse {
    const urn = request.getUrn() ?? "";
    if (this.#configured?.urn !== undefined && this.#configured.urn !== urn) {
      throw new RefusedError(
        `This connection serves ${this.#configured.urn} and cannot serve ${urn} as well: the engine opens one for each provider.`,
      );
    }
    const settings = this.#settings(call.decode(request.getArgs(), SETTINGS).values, urn);
    const client = createClient(settings, (line, severity) =>
      this.log.write(severity, line, severity === "warn" ? urn : "", client.redact),
    );
    call.connect(client);
    for (const warning of settingsWarnings(settings)) this.log.write("warn", warning, urn, call.redact);
    void this.#configured?.session.client.close();
    this.log.reset();
    this.isOver = false;
    if (this.#cancel.signal.aborted) this.#cancel = new AbortController();
    this.#configured = { urn, session: new Session(client, settings) };
    return new proto.ConfigureResponse()
      .setAcceptsecrets(true)
      .setSupportspreview(true)
      .setAcceptresources(false)
      .setAcceptoutputs(false)
      .setSupportsAutonamingConfiguration(false);
  }

  // ------------------------------------------------------------------------------------------------
  // the resources

  #check(request: proto.CheckRequest, { call, resource, context }: ResourceOperation): proto.CheckResponse {
    const news = call.decode(request.getNews(), resource);
    const { values: oldInputs } = call.decode(request.getOlds(), resource);
    const result = resource.check({ inputs: news.values, oldInputs, context });
    return new proto.CheckResponse()
      .setInputs(encodeProperties(result.inputs, secretNames(resource, news.secrets)))
      .setFailuresList(result.failures.map((failure) => call.rejection(failure, news)));
  }

  #diff(request: proto.DiffRequest, { call, resource, context }: ResourceOperation): proto.DiffResponse {
    const { values: inputs } = call.decode(request.getNews(), resource);
    const { values: state } = call.decode(request.getOlds(), resource);
    const { values: oldInputs } = call.decode(request.getOldInputs() ?? request.getOlds(), resource);
    const ignoreChanges = request.getIgnorechangesList();
    const compared = { id: request.getId(), state, oldInputs, inputs, ignoreChanges, context };
    const differences = resource.diff(compared);
    resource.remark?.(compared, context.log);
    const secrets = call.secretsOf(resource);
    const isSecret = (name: string) => secrets.has(name) && (resource.maps?.includes(name) ?? false);
    const response = toDiffResponse(withoutKeys(differences, isSecret));
    // A record of the dynamic provider, moved here by an alias: without an update it would not be
    // read before the next preview.
    if (DECLARED in state) response.setChanges(proto.DiffResponse.DiffChanges.DIFF_SOME);
    return response;
  }

  async #create(request: proto.CreateRequest, operation: ResourceOperation): Promise<proto.CreateResponse> {
    const { call, resource, context } = operation;
    const { values: inputs } = call.decode(request.getProperties(), resource);
    const preview = request.getPreview();
    const result = await resource.create({ inputs, preview, context });
    return new proto.CreateResponse()
      .setId(result.id)
      .setProperties(call.encode(result.state, resource))
      .setRefreshBeforeUpdate(!preview && needsRefresh(operation, result.state));
  }

  async #read(request: proto.ReadRequest, operation: ResourceOperation): Promise<proto.ReadResponse> {
    const { call, resource, context } = operation;
    const { values: state } = call.decode(request.getProperties(), resource);
    const { values: oldInputs } = call.decode(request.getInputs(), resource);
    // Import passes only an id; `.get()` passes any properties that the program has. Only this
    // provider's own replies have an origin.
    const recorded = state.origin === undefined ? {} : { state, oldInputs };
    const result = await resource.read({ id: request.getId(), ...recorded, context });
    const response = new proto.ReadResponse();
    // A deleted object is an empty id with unset properties. An import would adopt an empty struct
    // (step.go).
    if (!result) return response;
    return response
      .setId(result.id)
      .setProperties(call.encode(result.state, resource))
      .setInputs(call.encode(result.inputs, resource))
      .setRefreshBeforeUpdate(needsRefresh(operation, result.state));
  }

  async #update(request: proto.UpdateRequest, operation: ResourceOperation): Promise<proto.UpdateResponse> {
    const { call, resource, context } = operation;
    const { values: inputs } = call.decode(request.getNews(), resource);
    const { values: state } = call.decode(request.getOlds(), resource);
    const { values: oldInputs } = call.decode(request.getOldInputs() ?? request.getOlds(), resource);
    const preview = request.getPreview();
    const updated = await resource.update({
      ...{ id: request.getId(), state, oldInputs, inputs, preview, context },
      ignoreChanges: request.getIgnorechangesList(),
    });
    return new proto.UpdateResponse()
      .setProperties(call.encode(updated, resource))
      .setRefreshBeforeUpdate(!preview && needsRefresh(operation, updated));
  }

  async #delete(
    request: proto.DeleteRequest,
    { call, resource, context }: ResourceOperation,
  ): Promise<Empty> {
    const { values: state } = call.decode(request.getProperties(), resource);
    const { values: oldInputs } = call.decode(request.getOldInputs(), resource);
    if (state.onDestroy === "release" && isStatelessDo(this.#ready().urn ?? "")) {
      throw new RefusedError(
        `Deleting ${resource.name} ${request.getId()} failed: \`pulumi do --stateless\` reads it as imported, and destroying it then only releases it. Nothing was changed. Import it into a stack with onDestroy "delete" and destroy it there, or delete it in Ops Manager.`,
      );
    }
    await resource.delete({ id: request.getId(), state, oldInputs, context });
    return new Empty();
  }

  async #constructComponent(request: proto.ConstructRequest, call: Call): Promise<proto.ConstructResponse> {
    const type = request.getType();
    const types = components.map((component) => component.type);
    if (!types.includes(type)) {
      throw new RefusedError(
        `${type} is not a component of this provider. Its components are ${types.join(" and ")}.`,
      );
    }
    if (this.#engineAddress === undefined) {
      throw new RefusedError(
        `${type} cannot be constructed: the engine that calls Construct has not called Attach.`,
      );
    }
    const { values: args } = call.decode(request.getInputs());
    const unknown = Object.entries(args).find(([, value]) => hasUnknown(value))?.[0];
    if (unknown !== undefined) {
      throw new RefusedError(
        `${type} ${request.getName()}: ${unknown} is not known in a preview. Its value must not depend on a resource.`,
      );
    }
    const engineAddress = this.#engineAddress;
    this.#ready();
    const result = await rejectedWith(() => this.#construct(request, engineAddress, args)).catch(
      (error: unknown) => {
        throw ofFailedResource(error, request.getName()) ?? error;
      },
    );
    if ("refused" in result) throw new RefusedError(result.refused);
    return proto.ConstructResponse.deserializeBinary(result.response);
  }

  async #invoke(request: proto.InvokeRequest, call: Call): Promise<proto.InvokeResponse> {
    // Most programs call none, so most starts need not load them.
    const { lookupNamed } = require("../functions") as typeof import("../functions");
    const lookup = lookupNamed(lastPart(request.getTok()));
    const args = call.decode(request.getArgs());
    const { session } = this.#ready();
    call.failure = (error) =>
      toServiceError(error, call.redact, undefined, () =>
        session.of(SharedCauses).reportLookup(error, lookup.name),
      );
    const values = canonicalArguments(lookup, args.values, session);
    const failures = checkLookup(lookup, values);
    const response = new proto.InvokeResponse();
    if (failures.length > 0)
      return response.setFailuresList(failures.map((failure) => call.rejection(failure, args)));
    const context = { session, signal: this.#cancel.signal };
    const result = await lookup.invoke({ args: values, context });
    return response.setReturn(encodeProperties(result, args.secrets));
  }

  /** @returns `undefined` if the query is not known yet */
  async #list(
    request: proto.ListRequest,
    call: Call,
    signal: AbortSignal,
  ): Promise<readonly ListedObject[] | undefined> {
    const { name, listing } = resourceNamed(lastPart(request.getToken()));
    const { values: query } = call.decode(request.getQuery());
    if (hasUnknown(query)) return undefined;
    const { session } = this.#ready();
    const values = canonicalArguments(listing, query, session);
    const reasons = shapeFailures(listing.inputs, values).map(({ reason }) => reason);
    if (reasons.length > 0) throw new RefusedError(`Listing ${name} failed: ${reasons.join(" ")}`);
    const context = { session, signal: AbortSignal.any([signal, this.#cancel.signal]) };
    return listing.list(values, context);
  }

  // ------------------------------------------------------------------------------------------------
  // shared

  #ready(): Configured {
    if (this.#configured) return this.#configured;
    throw new RefusedError(
      "The provider is not configured: the engine must call Configure before any operation on a resource.",
    );
  }

  #operation(request: ResourceRequest, call: Call): ResourceOperation {
    const { session } = this.#ready();
    const urn = request.getUrn();
    const resource = resourceNamed(lastPart(partsOfUrn(urn).type));
    const { redact } = call;
    const seconds = request.getTimeout?.() ?? 0;
    const signal = this.#cancel.signal;
    const log = {
      info: (message: string) => this.log.write("info", message, urn, redact),
      warn: (message: string) => this.log.write("warn", message, urn, redact),
      tell: (accesses: readonly ToldAccess[]) =>
        this.log.write("debug", toldText({ kind: resource.name, accesses }), urn, redact),
    };
    const context = {
      session,
      urn,
      log,
      // Custom timeouts are in seconds, and 0 means none; the engine itself never interrupts.
      signal: seconds > 0 ? AbortSignal.any([signal, AbortSignal.timeout(milliseconds(seconds))]) : signal,
    };
    const operation = { call, resource, session, context };
    call.failure = (error) => {
      const causes = session.of(SharedCauses);
      const state = error instanceof PartialFailure ? (error.state as Properties) : undefined;
      // `replaceOnChanges: ["*"]` would replace what failed, and `protect` refuse that for ever. A read clears the failure.
      const partial = state && { properties: call.encode(state, resource), refreshBeforeUpdate: true };
      const shortened = (text: string) => redact(causes.shortened(text, urn));
      return toServiceError(error, shortened, partial, () => causes.report(error, urn));
    };
    return operation;
  }

  #ofResource<Request extends ResourceRequest, Response>(
    handle: (request: Request, operation: ResourceOperation) => Response | Promise<Response>,
  ): handleUnaryCall<Request, Response> {
    return this.#unary((request: Request, call) => handle(request, this.#operation(request, call)));
  }

  #unary<Request, Response>(
    handle: (request: Request, call: Call) => Response | Promise<Response>,
  ): handleUnaryCall<Request, Response> {
    return ({ request }, callback) => {
      this.#answer((call) => handle(request, call)).then((response) => callback(null, response), callback);
    };
  }

  /**
   * The border of every call. Whatever its handler throws is masked with the secrets of its request. Its messages arrive
   * first, because the engine may close the operation right after the answer.
   */
  async #answer<Response>(handle: (call: Call) => Response | Promise<Response>): Promise<Response> {
    const call = new Call();
    if (this.#configured) call.connect(this.#configured.session.client);
    try {
      return await handle(call);
    } catch (error) {
      throw call.failure(error);
    } finally {
      await this.log.flush();
    }
  }
}

/** What tells the secrets among the settings: CheckConfig gets them without their marks. */
const SETTINGS = { outputs: settingsInputs };

/**
 * `default`, followed by the version and the download address, each only if the program has one.
 * The engine replaces what no name may hold, so `github://api.github.com/a` is
 * `github_/api.github.com/a` (`ProviderRequest.DefaultName`). The schemes are those that it
 * downloads from.
 */
const DEFAULT_PROVIDER = /::default(_\d+_\d+_\d+[^:]*|_(github|gitlab|git|https?)_\/[^:]*)?$/;

/** Whether the engine created the provider itself, by the name that it gives to such a provider. */
export function isDefaultProvider(urn: string): boolean {
  return DEFAULT_PROVIDER.test(urn);
}

/**
 * Whether `pulumi do --stateless` configured the provider. It gives the provider an empty name,
 * which no resource of a program can have (pkg v3.259.0, cmd/pulumi/do/do_shared.go).
 */
function isStatelessDo(urn: string): boolean {
  return urn.endsWith("::pulumi:providers:opsmanager::");
}

/**
 * Whether the object needs a refresh before each run: one that can change by itself does, whatever
 * the settings are. The state of a preview is incomplete and never recorded, so it needs none.
 */
function needsRefresh({ resource, session }: ResourceOperation, state: Properties): boolean {
  return session.settings.refreshBeforeUpdate || (resource.changesByItself?.(state) ?? false);
}

/**
 * The failure of a component, if the SDK rejected because the engine did not register one of its
 * resources. That resource has the explanation (sdk/nodejs/runtime/resource.ts).
 */
function ofFailedResource(error: unknown, component: string): RefusedError | undefined {
  const name = /resource (.+) \[[^\]]*\](?::| failed to register)/.exec(messageOf(error))?.[1];
  return name === undefined
    ? undefined
    : new RefusedError(`${component} is not complete, because ${name} failed: see the message of ${name}.`);
}

function stackConfig(json: string | undefined): Properties | undefined {
  if (!json) return undefined;
  const config: unknown = attempt(() => JSON.parse(json));
  return typeof config === "object" && config !== null ? (config as Properties) : undefined;
}

/** Timers count in 32 bits; a time above 24.8 days makes them end at once. */
function milliseconds(seconds: number): number {
  return Math.min(seconds * 1000, 2 ** 31 - 1);
}

/**
 * Last part of a type: `opsmanager:index:Project`, which may follow the types of its parents and a
 * `$`.
 */
function lastPart(token: string): string {
  return token.split(/[:$]/).at(-1) ?? "";
}
