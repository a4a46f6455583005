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
import { resourceNamed } from "../resources";
import type { Difference } from "../resources/contract/difference";
import { ignoresPart, pathsInside, pathText, withValuesAt } from "../resources/contract/property-path";
import { propertiesRead, withoutMarker } from "../resources/contract/read-marker";
import type { Context, Resource } from "../resources/contract/resource";
import { secretNames, secretTexts } from "../resources/contract/secret-texts";
import type { Properties } from "../resources/contract/values";
import { SharedCauses } from "../resources/session/shared-causes";
import { PartialFailure, RefusedError } from "../text/errors";
import { own } from "../text/own";
import { DECLARED, INPUTS_READ } from "../text/sentinels";
import { visibleText } from "../text/visible-text";
import type { Redact } from "../transport";
import { type Connection, connectWith, readSettings } from "./connection";
import {
  declaredOf,
  ignoreChangesOf,
  optionsIn,
  type Plain,
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
export function provider(name: string): pulumi.dynamic.ResourceProvider {
  return {
    configure: async (request) => configure(request),
    check: (olds, news) => whenLogged(async () => check(name, olds, news)),
    diff: (id, olds, news) => whenLogged(() => diff(name, id, olds, news)),
    create: (inputs) => whenLogged(() => create(name, inputs)),
    read: (id, props) => whenLogged(() => read(name, id, props)),
    update: (id, olds, news) => whenLogged(() => update(name, id, olds, news)),
    delete: (id, props) => whenLogged(() => remove(name, id, props)),
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

/**
 * Responds after all messages were sent: the engine ends this process soon after the last response.
 */
async function whenLogged<T>(operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } finally {
    await Promise.all(sending);
  }
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

function check(name: string, olds: Plain, news: Plain): pulumi.dynamic.CheckResult {
  const inputs = visibleValues(news);
  const { resource, context, redact } = contextFor(name, [news]);
  const result = resource.check({ inputs, oldInputs: visibleValues(olds), context });
  return {
    inputs: { ...toPlain(result.inputs), ...optionsIn(news) },
    // The CLI prints the value of a property that is named here, secret or not
    // (pulumi/pulumi#19465).
    failures: result.failures.map(({ reason }) => ({ property: "", reason: visibleText(redact(reason)) })),
  };
}

/**
 * Compares the program with the record, then the record with the service. This host never refreshes
 * before an update.
 *
 * If inputs differ, `changes` stays undefined and the engine decides. It compares the inputs itself
 * and can show each property, which this host's response cannot.
 */
async function diff(name: string, id: string, olds: Plain, news: Plain): Promise<pulumi.dynamic.DiffResult> {
  const ignoreChanges = ignoreChangesOf(news);
  const paths = pathsInside(ignoreChanges);
  const state = visibleValues(olds);
  const { resource, context, guard } = contextFor(name, [olds, news], id);
  const oldInputs = recordedInputs(resource, olds, news);
  const comparedWith = (actual: Properties) => {
    const inputs = withValuesAt(visibleValues(news), actual, paths);
    return { id, state: actual, oldInputs, inputs, ignoreChanges, context };
  };
  const differences = (actual: Properties) => resource.diff(comparedWith(actual));
  const reportStaying = (actual: Properties) => resource.reportStaying?.(comparedWith(actual), context.log);
  const changes = differences(state);
  const replaces = replacing(changes);
  if (changes.some(({ replace, byProgram }) => replace && byProgram)) return { changes: true, replaces };
  if (
    replaces.length === 0 &&
    changes.length > 0 &&
    !sameValues(visibleValues(news), withoutMarker(oldInputs))
  ) {
    reportStaying(state);
    return {};
  }
  const live = await guard(() => resource.read({ id, state, oldInputs, context }));
  if (!live) return guard(async () => whenDeleted(resource, olds, replaces));
  const drift = differences(live.state);
  reportStaying(live.state);
  // Another organization or person is a replacement only if it was not changed outside Pulumi.
  if (replacing(drift).length > 0) return { changes: true, replaces: replacing(drift) };
  if (replaces.length > 0 && drift.length > 0) return {};
  if (drift.length > 0) {
    // This host has no way to show which properties an update is about.
    const locations = drift.map(({ path }) => pathText(path)).join(", ");
    context.log.info(`${context.urn} was changed in the service: ${locations}.`);
  }
  // Only an update corrects an outdated record. It lacks what is true by now, such as a new name of a
  // team, is one of the provider plugin, has other secret inputs, or has live values in place of
  // declared ones.
  const isStale =
    (changes.length > 0 && replaces.length === 0) ||
    isOfPlugin(olds) ||
    !sameTexts(secretsIn(olds), secretsIn(news)) ||
    hasOutdatedMarker(oldInputs, news, ignoreChanges);
  return { changes: drift.length > 0 || isStale };
}

function replacing(differences: readonly Difference[]): string[] {
  return differences.filter(({ replace }) => replace).map(({ path }) => String(path[0]));
}

/** The object was deleted outside Pulumi. An object that cannot be created again throws. */
function whenDeleted({ restoredBy }: Resource, olds: Plain, replaces: readonly string[]) {
  const restored = restoredBy(visibleValues(olds));
  return { changes: true, replaces: restored === "update" ? [...replaces] : [restored.replacing] };
}

async function create(name: string, props: Plain): Promise<pulumi.dynamic.CreateResult> {
  const inputs = visibleValues(props);
  const { resource, context, guard } = contextFor(name, [props]);
  const result = await guard(() => resource.create({ inputs, preview: false, context }), props);
  return { id: result.id, outs: toOutputs(result.state, inputs, props) };
}

async function read(name: string, id: string, props: Plain = {}): Promise<pulumi.dynamic.ReadResult> {
  const state = visibleValues(props);
  const { resource, context, guard } = contextFor(name, [props], id);
  const isRecorded = props[DECLARED] !== undefined;
  const recorded = isRecorded ? { state, oldInputs: declaredOf(props) } : {};
  const result = await guard(async () => {
    const found = await resource.read({ id, ...recorded, context });
    // The host adds to an empty response, and `.get()` would take that for an object (engine,
    // step.go).
    if (!found && !isRecorded) throw new RefusedError(`There is no ${resource.name} ${id}.`);
    return found;
  }, props);
  if (!result) return { id: "", props: {} };
  return {
    id: result.id,
    props: toOutputs(result.state, result.inputs, props),
    inputs: { ...toPlain(result.inputs), ...optionsIn(props) },
  };
}

async function update(
  name: string,
  id: string,
  olds: Plain,
  news: Plain,
): Promise<pulumi.dynamic.UpdateResult> {
  const state = visibleValues(olds);
  const ignoreChanges = ignoreChangesOf(news);
  const paths = pathsInside(ignoreChanges);
  const { resource, context, guard } = contextFor(name, [olds, news], id);
  const existing = { id, state, oldInputs: recordedInputs(resource, olds, news), context };
  const result = await guard(
    async () => {
      const live = paths.length > 0 ? await resource.read(existing) : undefined;
      const inputs = withValuesAt(visibleValues(news), live?.state ?? {}, paths);
      const updated = await resource.update({ ...existing, inputs, ignoreChanges, preview: false });
      return toOutputs(updated, inputs, news);
    },
    news,
    existing.oldInputs,
  );
  return { outs: result };
}

async function remove(name: string, id: string, props: Plain): Promise<void> {
  const state = visibleValues(props);
  const { resource, context, guard } = contextFor(name, [props], id);
  await guard(() => resource.delete({ id, state, oldInputs: declaredOf(props), context }), props);
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

interface OperationContext {
  readonly resource: Resource;
  readonly context: Context;
  /** Masks the secrets of the settings and those of the resource. */
  readonly redact: Redact;
  /**
   * Runs an operation; its failure is masked, and in the form that the host hands on to the engine.
   *
   * @param declared the inputs to record if the operation fails in part; default: those in `props`.
   * Of such an update the engine retains the earlier inputs (engine, update.go); destroying follows them.
   */
  guard<T>(operation: () => Promise<T>, props?: Plain, declared?: Properties): Promise<T>;
}

/** @param props what the host hands over: the new inputs, the recorded outputs, or both */
function contextFor(name: string, props: readonly Plain[], id?: string): OperationContext {
  const resource = resourceNamed(name);
  // Without stack config (an older host) the environment alone may do.
  connection ??= connectWith({});
  const { session, redact: redactSettings, warnings } = connection();
  const redact = session.client.names.maskedBy(redactSettings, secretTextsOf(resource, props));
  const context: Context = {
    session,
    // Calls about an object that exists carry its id, so that two declarations of one name never stand for
    // the same object.
    urn: `${name} ${id ?? resource.subject(visibleValues(props[0] ?? {}))}`,
    log: {
      info: (message) => send(pulumi.log.info(visibleText(redact(message)))),
      warn: (message) => warnOnce(visibleText(redact(message)), warnings),
    },
    signal: new AbortController().signal,
  };
  return {
    resource,
    context,
    redact,
    async guard(operation, hostProps = {}, declared = visibleValues(hostProps)) {
      try {
        return await operation();
      } catch (error) {
        const causes = session.of(SharedCauses);
        const shortened = (text: string) => redact(causes.shortened(text, context.urn));
        throw toHostError(error, causes.report(error, context.urn), shortened, hostProps, declared);
      }
    },
  };
}

/** Every text of the inputs that the program keeps secret, and of the outputs that repeat them. */
function secretTextsOf(resource: Resource, props: readonly Plain[]): string[] {
  const names = secretNames(resource, new Set(props.flatMap(secretsIn)));
  return props.flatMap((values) => secretTexts(values, names, resource.maps));
}

function warnOnce(message: string, logged: Set<string>): void {
  if (logged.has(message)) return;
  logged.add(message);
  send(pulumi.log.warn(message));
}

/**
 * The host makes "initialization failed" of an error with an `id`, and adds nothing to its
 * `properties`.
 */
function toHostError(
  error: unknown,
  text: string,
  redact: Redact,
  props: Plain,
  declared: Properties,
): Error {
  // Without the cause: its text is not masked.
  const masked = new Error(redact(text));
  // The host prints it below the message for each resource. It shows this adapter and no cause.
  masked.stack = "";
  if (!(error instanceof PartialFailure)) return masked;
  const state = error.state as Properties;
  return Object.assign(masked, {
    id: error.id,
    properties: { ...toOutputs(state, declared, props), __provider: props.__provider },
    reasons: error.reasons.map(redact),
  });
}
