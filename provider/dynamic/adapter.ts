/**
 * The dynamic provider in the host process of dynamic providers. It calls the same handlers as the
 * provider plugin.
 *
 * The host passes less than the engine knows: no old inputs, no URN, no `ignoreChanges`, no
 * preview. So the outputs contain the checked inputs. The class passes `ignoreChanges` and the
 * names of secret inputs as additional inputs, which the engine hides because of their leading
 * underscores.
 */

import * as pulumi from "@pulumi/pulumi";
import type { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { CallSecrets } from "../api/call-secrets";
import { connectToEngine, logTo } from "../engine-client";
import { resourceNamed } from "../resources";
import { type Difference, isWithoutPath } from "../resources/contract/difference";
import { ignoresPart, pathsInside, pathText, withValuesAt } from "../resources/contract/property-path";
import { propertiesRead, withoutMarker } from "../resources/contract/read-marker";
import type { Context, Resource } from "../resources/contract/resource";
import { secretTexts } from "../resources/contract/secret-texts";
import { isOverdue } from "../resources/contract/until";
import type { Properties } from "../resources/contract/values";
import { SharedCauses } from "../resources/session/shared-causes";
import { PartialFailure, RefusedError } from "../text/errors";
import { own } from "../text/own";
import { DECLARED, INPUTS_READ } from "../text/sentinels";
import { toldText } from "../text/told-access";
import { visibleText } from "../text/visible-text";
import type { Redact } from "../transport";
import { type Connection, connectWith, readSettings } from "./connection";
import {
  declaredOf,
  ignoreChangesOf,
  optionsIn,
  type Plain,
  programInputs,
  sameValues,
  secretsIn,
  toOutputs,
  toPlain,
  visibleValues,
} from "./properties";

/**
 * The provider of one kind, as the host calls it. The module text in each state requests it by name
 * (provider-text.ts).
 */
export function provider(kind: string): pulumi.dynamic.ResourceProvider {
  return {
    configure: async (request) => configure(request),
    check: (olds, props) => answer({ kind, olds, props }, check),
    diff: (id, olds, props) => answer({ kind, id, olds, props }, diff),
    create: (props) => answer({ kind, props }, create),
    read: (id, props = {}) => answer({ kind, id, props }, read),
    update: (id, olds, props) => answer({ kind, id, olds, props }, update),
    delete: (id, props) => answer({ kind, id, props }, remove),
  };
}

/** Messages that are being sent to the engine. */
const sending = new Set<Promise<void>>();

function send(message: Promise<void>): void {
  const sent = message
    // A message that the engine does not take must not fail the operation.
    .catch(() => undefined)
    .finally(() => sending.delete(sent));
  sending.add(sent);
}

let engine: EngineClient | undefined;

/**
 * The SDK of the host knows no engine, so it prints messages, which the engine shows as the host's output, and drops those
 * for debugging. The address of the engine is the host's first argument.
 */
function sendToEngine(severity: "debug" | "error", message: string): Promise<void> {
  const [, , address = ""] = process.argv;
  if (!/^[\w.[\]:-]+:\d+$/.test(address)) return pulumi.log[severity](message);
  engine ??= connectToEngine(address);
  return logTo(engine, severity, message);
}

let connection: (() => Connection) | undefined;

/**
 * Takes the stack's `opsmanager:` settings. A fault is kept for the first operation: the host calls
 * other functions while it still awaits this one.
 *
 * The host calls it for each kind of resource, also in the middle of an operation. All kinds share
 * one session. Otherwise, moving people from one kind to another would remove them.
 */
function configure({ config }: pulumi.dynamic.ConfigureRequest): void {
  connection = connectWith(readSettings((key) => config.get(key)));
}

function check({ resource, context, redact, olds, props }: Operation): pulumi.dynamic.CheckResult {
  const result = resource.check({ inputs: programInputs(props), oldInputs: visibleValues(olds), context });
  return {
    inputs: { ...toPlain(result.inputs), ...optionsIn(props) },
    // The CLI prints the value of a property that is named here, secret or not
    // (pulumi/pulumi#19465).
    failures: result.failures.map(({ reason }) => ({ property: "", reason: visibleText(redact(reason)) })),
  };
}

/** The program compared with an object in different states: as it is recorded, and as it is. */
function comparison({ resource, context, id, olds, props }: Operation) {
  const ignoreChanges = ignoreChangesOf(props);
  const paths = pathsInside(ignoreChanges);
  const oldInputs = recordedInputs(resource, olds, props);
  const requestFor = (state: Properties) => {
    const inputs = withValuesAt(visibleValues(props), state, paths);
    return { id, state, oldInputs, inputs, ignoreChanges, context };
  };
  return {
    oldInputs,
    ignoreChanges,
    differences: (state: Properties) => resource.diff(requestFor(state)),
    async remark(state: Properties) {
      resource.remark?.(requestFor(state), context.log);
      await resource.foresee?.({ ...requestFor(state), context });
    },
  };
}

/**
 * Compares the program with the record, then the record with the service. This host never refreshes
 * before an update.
 *
 * If inputs differ, `changes` stays undefined and the engine decides. It compares the inputs itself
 * and can show each property, which this host's response cannot.
 */
async function diff(operation: Operation): Promise<pulumi.dynamic.DiffResult> {
  const { olds, props } = operation;
  const compared = comparison(operation);
  const state = visibleValues(olds);
  const changes = compared.differences(state);
  const replaces = replacing(changes);
  if (changes.some(({ replace, byProgram }) => replace && byProgram)) return { changes: true, replaces };
  const isUpdate = replaces.length === 0 && changes.length > 0;
  // The engine would take its own comparison of the inputs for one that `replaceOnChanges` names.
  const isWithoutPaths = isUpdate && changes.some(isWithoutPath);
  if (!isWithoutPaths && (!isUpdate || sameValues(visibleValues(props), withoutMarker(compared.oldInputs))))
    return diffWithService(operation, compared, changes);
  await compared.remark(state);
  return isWithoutPaths ? { changes: true, replaces } : {};
}

/** @param changes the differences between the program and the record */
async function diffWithService(
  operation: Operation,
  { oldInputs, ignoreChanges, differences, remark }: ReturnType<typeof comparison>,
  changes: readonly Difference[],
): Promise<pulumi.dynamic.DiffResult> {
  const { resource, context, id, olds, props } = operation;
  const replaces = replacing(changes);
  const live = await resource.read({ id, state: visibleValues(olds), oldInputs, context });
  if (!live) return whenDeleted(operation, replaces);
  const drift = differences(live.state);
  await remark(live.state);
  if (drift.length === 0) {
    // Only an update corrects an outdated record. It lacks what is true by now, such as a new name of a
    // team, is one of the provider plugin, has other secret inputs, or has live values in place of
    // declared ones.
    const isStale =
      (changes.length > 0 && replaces.length === 0) ||
      isOfPlugin(olds) ||
      !sameTexts(secretsIn(olds), secretsIn(props)) ||
      hasOutdatedMarker(oldInputs, props, ignoreChanges);
    return { changes: isStale };
  }
  // Another organization or person is a replacement only if it was not changed outside Pulumi.
  const replaced = replacing(drift);
  if (replaced.length > 0) return { changes: true, replaces: replaced };
  if (replaces.length > 0) return {};
  const locations = drift
    .filter((difference) => !isWithoutPath(difference))
    .map(({ path }) => pathText(path));
  // This host has no way to show which properties an update is about.
  if (locations.length > 0)
    context.log.info(`${context.urn} was changed in the service: ${locations.join(", ")}.`);
  return { changes: true };
}

function replacing(differences: readonly Difference[]): string[] {
  return differences.filter(({ replace }) => replace).map(({ path }) => String(path[0]));
}

/** The object was deleted outside Pulumi. An object that cannot be created again throws. */
function whenDeleted({ resource, olds }: Operation, replaces: readonly string[]) {
  const restored = resource.restoredBy(visibleValues(olds));
  return { changes: true, replaces: restored === "update" ? [...replaces] : [restored.replacing] };
}

async function create({ resource, context, props }: Operation): Promise<pulumi.dynamic.CreateResult> {
  const inputs = visibleValues(props);
  const result = await resource.create({ inputs, preview: false, context });
  return { id: result.id, outs: toOutputs(result.state, inputs, props) };
}

async function read({ resource, context, id, props }: Operation): Promise<pulumi.dynamic.ReadResult> {
  const isRecorded = props[DECLARED] !== undefined;
  const recorded = isRecorded ? { state: visibleValues(props), oldInputs: declaredOf(props) } : {};
  const result = await resource.read({ id, ...recorded, context });
  // The host adds to an empty response, and `.get()` would take that for an object (engine,
  // step.go).
  if (!result && !isRecorded) throw new RefusedError(`There is no ${resource.name} ${id}.`);
  if (!result) return { id: "", props: {} };
  return {
    id: result.id,
    props: toOutputs(result.state, result.inputs, props),
    inputs: { ...toPlain(result.inputs), ...optionsIn(props) },
  };
}

async function update({
  resource,
  context,
  id,
  olds,
  props,
}: Operation): Promise<pulumi.dynamic.UpdateResult> {
  const ignoreChanges = ignoreChangesOf(props);
  const paths = pathsInside(ignoreChanges);
  const oldInputs = recordedInputs(resource, olds, props);
  const existing = { id, state: visibleValues(olds), oldInputs, context };
  const live = paths.length > 0 ? await resource.read(existing) : undefined;
  const inputs = withValuesAt(visibleValues(props), live?.state ?? {}, paths);
  const updated = await resource.update({ ...existing, inputs, ignoreChanges, preview: false });
  return { outs: toOutputs(updated, inputs, props) };
}

async function remove({ resource, context, id, props }: Operation): Promise<void> {
  await resource.delete({ id, state: visibleValues(props), oldInputs: declaredOf(props), context });
}

/**
 * Whether the record is one of the plugin, which an alias moved to this provider. The host does not
 * pass the inputs of such a record.
 */
function isOfPlugin(record: Plain): boolean {
  return record[DECLARED] === undefined;
}

/**
 * The declared inputs of a record. Of a record of the provider plugin, only the outputs are known,
 * which contain more than the declared inputs. So the inputs that the program declares now are
 * used, and those that count for one more update.
 */
function recordedInputs(resource: Resource, olds: Plain, news: Plain): Properties {
  if (!isOfPlugin(olds)) return declaredOf(olds);
  const [recorded, declared] = [visibleValues(olds), visibleValues(news)];
  const names = Object.keys(resource.inputs.shape).filter(
    (name) => Object.hasOwn(declared, name) || resource.lasting?.includes(name),
  );
  const entries = names.map((name) => [name, own(recorded, name) ?? own(declared, name)]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** Where the new inputs are a state's own, as in a refresh, they have the marker as well. */
function hasOutdatedMarker(oldInputs: Properties, news: Plain, ignoreChanges: readonly string[]): boolean {
  const isIgnored = ignoresPart(ignoreChanges);
  return news[INPUTS_READ] === undefined && propertiesRead(oldInputs).some((name) => !isIgnored(name));
}

function sameTexts(one: readonly string[], other: readonly string[]): boolean {
  return [...one].sort().join() === [...other].sort().join();
}

/** What the host hands over. */
interface HostRequest {
  readonly kind: string;
  /** Absent if the object does not exist yet. */
  readonly id?: string;
  /** The inputs of the program; of a read or a deletion, the record. */
  readonly props: Plain;
  /** The record beside the inputs of the program; its inputs, of a check. */
  readonly olds?: Plain;
}

interface Operation extends Required<HostRequest> {
  readonly resource: Resource;
  readonly context: Context;
  readonly redact: Redact;
}

/**
 * The border of every call. Whatever it throws is masked with the secrets of its request, and in the form that the host
 * hands on to the engine. Its messages arrive first, because the engine ends this process soon after the last answer.
 */
async function answer<T>(request: HostRequest, handle: (operation: Operation) => T | Promise<T>): Promise<T> {
  const secrets = new CallSecrets();
  let operation: Operation | undefined;
  try {
    operation = operationOf(request, secrets);
    return await handle(operation);
  } catch (error) {
    throw toHostError(error, secrets.redact, operation);
  } finally {
    await Promise.all(sending);
  }
}

/** @param secrets gets the secrets of the settings and of the request */
function operationOf({ kind, id = "", props, olds = {} }: HostRequest, secrets: CallSecrets): Operation {
  const resource = resourceNamed(kind);
  const { redact } = secrets;
  // Names of secret inputs. The host does not say which outputs are secret, and what is recorded as declared has no marks.
  const marked = new Set([props, olds].flatMap(secretsIn));
  for (const values of [props, olds].flatMap((own) => [visibleValues(own), declaredOf(own)]))
    secrets.add(secretTexts(values, marked, resource));
  // Without stack config (an older host) the environment alone may do.
  connection ??= connectWith({});
  const { session, warnings } = connection();
  secrets.connect(session.client);
  const context: Context = {
    session,
    // Calls about an object that exists carry its id, so that two declarations of one name never stand for
    // the same object.
    urn: `${kind} ${id || resource.subject(visibleValues(props))}`,
    log: {
      info: (message) => send(pulumi.log.info(visibleText(redact(message)))),
      warn: (message) => warnOnce(visibleText(redact(message)), warnings),
      tell: (accesses) =>
        send(sendToEngine("debug", visibleText(redact(toldText({ kind: resource.name, accesses }))))),
    },
    signal: new AbortController().signal,
  };
  return { kind, id, props, olds, resource, context, redact };
}

function warnOnce(message: string, logged: Set<string>): void {
  if (logged.has(message)) return;
  logged.add(message);
  send(pulumi.log.warn(message));
}

/**
 * The host makes "initialization failed" of an error with an `id`, and adds nothing to its
 * `properties`.
 *
 * @param operation `undefined` if the settings are wrong
 */
function toHostError(error: unknown, redact: Redact, operation: Operation | undefined): Error {
  const urn = operation?.context.urn ?? "";
  const causes = operation?.context.session.of(SharedCauses) ?? new SharedCauses();
  const shortened = (text: string) => redact(causes.shortened(text, urn));
  // Without the cause: its text is not masked.
  const masked = new Error(shortened(causes.report(error, urn)));
  // The host prints it below the message for each resource. It shows this adapter and no cause.
  masked.stack = "";
  if (!(error instanceof PartialFailure) || operation === undefined) return masked;
  const { resource, props, olds } = operation;
  const isEnd = isOverdue(error.state as Properties);
  // The engine records them, and would replace the resource with `replaceOnChanges: ["*"]`. The plugin has it read first.
  const reasons = isEnd ? [] : error.reasons.map(shortened);
  if (isEnd) send(sendToEngine("error", masked.message));
  // Of an update that fails in part, the engine retains the earlier inputs (engine, update.go); destroying follows them.
  const isUpdate = Object.keys(olds).length > 0;
  const declared = isUpdate ? recordedInputs(resource, olds, props) : visibleValues(props);
  return Object.assign(masked, {
    id: error.id,
    properties: {
      ...toOutputs(error.state as Properties, declared, props),
      __provider: props.__provider,
    },
    reasons,
  });
}
