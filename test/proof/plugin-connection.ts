/** The provider plugin in this process: its ResourceProvider service, called with the engine's own messages but without a socket. */
import { AsyncLocalStorage } from "node:async_hooks";
import { EventEmitter } from "node:events";
import type { Metadata } from "@grpc/grpc-js";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { construct } from "../../projects/construct";
import type { EngineConnections } from "../../provider/plugin/connections";
import { EngineLog } from "../../provider/plugin/engine-log";
import { createService } from "../../provider/plugin/service";
import {
  type DetailedDiff,
  type ProviderConnection,
  ProviderFailure,
  type Recorded,
  type ResourceType,
  secretValue,
  type Values,
} from "./engine-model";

export interface ProviderSettings {
  readonly baseUrl: string;
  readonly publicKey?: string;
  readonly privateKey?: string;
  readonly [setting: string]: string | number | boolean;
}

/** Gets each text that the provider prints, its severity, and the resource that it is about, if the provider knows it. */
export type TextSink = (severity: string, text: string, urn?: string) => void;

interface Named {
  readonly name: string;
  readonly type: ResourceType;
}

const urnOf = ({ name, type }: Named): string =>
  `urn:pulumi:test::platform::opsmanager:index:${type}::${name}`;

const toStruct = (values: Values): Struct =>
  Struct.fromJavaScript(values as unknown as Record<string, JavaScriptValue>);
const toValues = (struct: Struct | undefined): Values => (struct?.toJavaScript() ?? {}) as Values;

/** gRPC statuses by number. */
const CODES = [
  "OK",
  "CANCELLED",
  "UNKNOWN",
  "INVALID_ARGUMENT",
  "DEADLINE_EXCEEDED",
  "NOT_FOUND",
  "ALREADY_EXISTS",
  "PERMISSION_DENIED",
  "RESOURCE_EXHAUSTED",
  "FAILED_PRECONDITION",
  "ABORTED",
  "OUT_OF_RANGE",
  "UNIMPLEMENTED",
  "INTERNAL",
  "UNAVAILABLE",
  "DATA_LOSS",
  "UNAUTHENTICATED",
];

interface Failure {
  readonly code?: number;
  readonly details?: string;
  readonly message?: string;
  readonly metadata?: Metadata;
}

function toProviderFailure({ code = 2, details, message, metadata }: Failure): ProviderFailure {
  const name = CODES[code] ?? String(code);
  const text = details ?? message ?? "";
  const [bytes] = metadata?.get("grpc-status-details-bin") ?? [];
  if (bytes === undefined) return new ProviderFailure(name, text);
  const [any] = Status.deserializeBinary(bytes as Uint8Array).getDetailsList();
  const detail = proto.ErrorResourceInitFailed.deserializeBinary(any?.getValue_asU8() ?? new Uint8Array());
  return new ProviderFailure(name, text, {
    id: detail.getId(),
    outputs: toValues(detail.getProperties()),
    reasons: detail.getReasonsList(),
    refreshBeforeUpdate: detail.getRefreshBeforeUpdate(),
  });
}

/** A call of the plugin, by the name of its handler; a list is the last object of its stream. */
export function pluginCalls(service: EngineConnections, onText: TextSink) {
  return <Reply>(method: string, request: unknown): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const fail = (error: Failure) => reject(toProviderFailure(error));
      const stream = new EventEmitter().on("error", fail);
      const replies: Reply[] = [];
      const call = Object.assign(stream, {
        ...{ request, getPeer: () => "engine" },
        ...{ write: (reply: Reply) => replies.push(reply), end: () => resolve(replies.at(-1) as Reply) },
      });
      const handler = service.handlers[method] as (call: unknown, callback: unknown) => void;
      sinks.run(onText, () =>
        handler(call, (error: Failure | null, reply: Reply) => (error ? fail(error) : resolve(reply))),
      );
    });
}

/** Connects a new plugin process, as each operation of the engine does. */
export async function connectPlugin(
  settings: ProviderSettings,
  onText: TextSink,
): Promise<ProviderConnection> {
  const service = createService(undefined, () => undefined, construct);
  const call = pluginCalls(service, onText);
  const { privateKey, ...rest } = settings;
  const configuration = new proto.ConfigureRequest();
  configuration.setUrn("urn:pulumi:test::platform::pulumi:providers:opsmanager::default");
  configuration.setArgs(toStruct({ ...rest, ...(privateKey && { privateKey: secretValue(privateKey) }) }));
  configuration.setAcceptsecrets(true);
  await call("configure", configuration);
  return {
    previews: true,
    async check(resource, olds, news) {
      const request = new proto.CheckRequest();
      request.setUrn(urnOf(resource));
      request.setOlds(toStruct(olds));
      request.setNews(toStruct(news));
      const reply = await call<proto.CheckResponse>("check", request);
      const failures = reply
        .getFailuresList()
        .map((failure) => `${failure.getProperty()}: ${failure.getReason()}`);
      return { inputs: toValues(reply.getInputs()), failures };
    },
    async diff(resource, news, ignoreChanges = []) {
      const request = new proto.DiffRequest();
      request.setId(resource.id);
      request.setUrn(urnOf(resource));
      request.setOlds(toStruct(resource.outputs));
      request.setOldInputs(toStruct(resource.inputs));
      request.setNews(toStruct(news));
      request.setIgnorechangesList([...ignoreChanges]);
      const reply = await call<proto.DiffResponse>("diff", request);
      const { DIFF_NONE, DIFF_SOME } = proto.DiffResponse.DiffChanges;
      const changes = { [DIFF_NONE]: "none", [DIFF_SOME]: "some" } as const;
      return {
        changes: (changes as Record<number, "none" | "some">)[reply.getChanges()] ?? "unknown",
        replaces: reply.getReplacesList(),
        properties: reply.getDiffsList(),
        deleteBeforeReplace: reply.getDeletebeforereplace(),
        detailed: detailedDiffOf(reply),
      };
    },
    async create(resource, inputs, preview) {
      const request = new proto.CreateRequest();
      request.setUrn(urnOf(resource));
      request.setProperties(toStruct(inputs));
      request.setPreview(preview);
      return writtenOf(await call<proto.CreateResponse>("create", request));
    },
    async read(resource) {
      const request = new proto.ReadRequest();
      request.setId(resource.id);
      request.setUrn(urnOf(resource));
      request.setProperties(toStruct(resource.outputs));
      request.setInputs(toStruct(resource.inputs));
      const reply = await call<proto.ReadResponse>("read", request);
      if (reply.getId() === "" || !reply.hasProperties()) return undefined;
      return { ...writtenOf(reply), inputs: toValues(reply.getInputs()) };
    },
    async update(resource, news, preview, ignoreChanges = []) {
      const request = new proto.UpdateRequest();
      request.setId(resource.id);
      request.setUrn(urnOf(resource));
      request.setOlds(toStruct(resource.outputs));
      request.setOldInputs(toStruct(resource.inputs));
      request.setNews(toStruct(news));
      request.setIgnorechangesList([...ignoreChanges]);
      request.setPreview(preview);
      const reply = await call<proto.UpdateResponse>("update", request);
      return { ...writtenOf(reply), id: resource.id };
    },
    async delete(resource: Recorded) {
      const request = new proto.DeleteRequest();
      request.setId(resource.id);
      request.setUrn(urnOf(resource));
      request.setProperties(toStruct(resource.outputs));
      request.setOldInputs(toStruct(resource.inputs));
      await call("delete", request);
    },
    async invoke(name, args) {
      const request = new proto.InvokeRequest();
      request.setTok(`opsmanager:index:${name}`);
      request.setArgs(toStruct(args));
      const reply = await call<proto.InvokeResponse>("invoke", request);
      const failures = reply.getFailuresList().map((failure) => failure.getReason());
      if (failures.length > 0) throw new ProviderFailure("CHECK", failures.join("; "));
      return toValues(reply.getReturn());
    },
    cancel: () => void call("cancel", {}),
    async close() {
      service.close();
    },
  };
}

/** With the names of the engine's event log: `ADD_REPLACE` is `add-replace`. */
function detailedDiffOf(reply: proto.DiffResponse): DetailedDiff {
  const kinds = Object.entries(proto.PropertyDiff.Kind);
  const diffs: Record<string, DetailedDiff[string]> = {};
  reply.getDetaileddiffMap().forEach((diff, path) => {
    const [kind = ""] = kinds.find(([, value]) => value === diff.getKind()) ?? [];
    diffs[path] = { diffKind: kind.toLowerCase().replace("_", "-"), inputDiff: diff.getInputdiff() };
  });
  return diffs;
}

interface Reply {
  getId?(): string;
  getProperties(): Struct | undefined;
  getRefreshBeforeUpdate(): boolean;
}

const writtenOf = (reply: Reply) => ({
  id: reply.getId?.() ?? "",
  outputs: toValues(reply.getProperties()),
  refreshBeforeUpdate: reply.getRefreshBeforeUpdate(),
});

/** Where the texts of the current call go. Several connections may be open at once. */
const sinks = new AsyncLocalStorage<TextSink>();

/**
 * Passes each text on that the plugin sends to the engine's log, with its secrets masked already. The texts still go where
 * they went before.
 */
const { write } = EngineLog.prototype;
EngineLog.prototype.write = function observed(this: EngineLog, severity, message, urn, redact) {
  sinks.getStore()?.(severity, redact(message), urn);
  write.call(this, severity, message, urn, redact);
};
