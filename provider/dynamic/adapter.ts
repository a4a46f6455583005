/**
 * The dynamic door's inner side: runs in the host process of dynamic providers and calls the same handlers as the
 * plugin door.
 *
 * The host gives an operation less than the engine knows: no old inputs, no URN, no `ignoreChanges`, no preview. So the
 * outputs carry the checked inputs, and the class passes `ignoreChanges` as an input of its own; the engine hides both
 * by the leading underscores.
 */
import * as pulumi from "@pulumi/pulumi";
import { createClient } from "../api/client";
import { resolveSettings, settingsInputs } from "../config";
import { messageOf, PartialFailure, RefusedError } from "../errors";
import { resources } from "../resources";
import { pathText } from "../resources/check";
import type { Difference } from "../resources/difference";
import type { Context, Resource } from "../resources/resource";
import { Session } from "../resources/session";
import type { Properties } from "../resources/values";
import { createSettingsRedact, type Redact } from "../transport";
import { pathsInside, withValuesAt } from "./ignored-paths";
import {
  DECLARED,
  declaredOf,
  IGNORE_CHANGES,
  ignoreChangesOf,
  inputsOf,
  outputs,
  type Plain,
  sameValues,
  stateOf,
  toPlain,
} from "./properties";

interface Configured {
  readonly session: Session;
  readonly redact: Redact;
}

let configured: (() => Configured) | undefined;
let configuredWith: string | undefined;

/**
 * Takes the stack's `opsmanager:` settings. Everything happens before this returns, and a fault is kept for the first
 * operation: the host calls other functions while it still awaits this one.
 *
 * The host calls it for each kind of resource that it meets, also in the middle of an operation. All of them share one session:
 * without what the others declared, moving people from one kind to another would remove them.
 */
export function configure({ config }: pulumi.dynamic.ConfigureRequest): void {
  const values = Object.keys(settingsInputs.shape).map((name) => [name, config.get(`opsmanager:${name}`)]);
  const settings = JSON.stringify(values);
  if (settings === configuredWith) return;
  configuredWith = settings;
  configured = connectOnce(Object.fromEntries(values) as Plain);
}

function connectOnce(stackConfig: Plain): () => Configured {
  let connection: Configured | undefined;
  return () => {
    connection ??= connect(stackConfig);
    return connection;
  };
}

function connect(stackConfig: Plain): Configured {
  const settings = resolveSettings({
    args: {},
    stackConfig,
    env: process.env,
    isDefaultProvider: false,
    directory: process.cwd(),
  });
  const redact = createSettingsRedact(settings);
  const client = createClient(settings, (line) => void pulumi.log.debug(line));
  return { session: new Session(client, settings), redact };
}

export function check(name: string, _olds: Plain, news: Plain): pulumi.dynamic.CheckResult {
  const resource = resourceNamed(name);
  const inputs = inputsOf(news);
  const { context } = contextFor(resource, inputs);
  const result = resource.check({ inputs, context });
  return {
    inputs: { ...toPlain(result.inputs), [IGNORE_CHANGES]: ignoreChangesOf(news) },
    // The CLI prints the value of a property that is named here, and which values are secret is not known to this host.
    failures: result.failures.map(({ reason }) => ({ property: "", reason })),
  };
}

/**
 * Program against record first, then record against service, because this host never refreshes before an update.
 *
 * Where inputs differ, the decision is left to the engine (`changes` undefined): it compares the inputs itself and can
 * show each property, which this host's answer cannot.
 */
export async function diff(
  name: string,
  id: string,
  olds: Plain,
  news: Plain,
): Promise<pulumi.dynamic.DiffResult> {
  const resource = resourceNamed(name);
  const ignoreChanges = ignoreChangesOf(news);
  const paths = pathsInside(ignoreChanges);
  const state = stateOf(olds);
  const oldInputs = recordedInputs(olds, news);
  const { context, guard } = contextFor(resource, state, id);
  const differences = (actual: Properties) => {
    const inputs = withValuesAt(inputsOf(news), actual, paths);
    return resource.diff({ id, state: actual, oldInputs, inputs, ignoreChanges, context });
  };
  const changes = differences(state);
  const replaces = replacing(changes);
  if (replaces.includes("projectId")) return { changes: true, replaces };
  if (replaces.length === 0 && changes.length > 0 && !sameValues(inputsOf(news), oldInputs)) return {};
  const live = await guard(() => resource.read({ id, state, oldInputs, context }));
  if (!live) return whenGone(resource, olds, replaces);
  const drift = differences(live.state);
  // Another organization or person is a replacement only where that is not what was changed by hand.
  if (replacing(drift).length > 0) return { changes: true, replaces: replacing(drift) };
  if (replaces.length > 0 && drift.length > 0) return {};
  if (drift.length > 0) {
    // This host has no way to show which properties an update is about.
    const places = drift.map(({ path }) => pathText(path)).join(", ");
    context.log.info(`${context.urn} was changed in the service: ${places}.`);
  }
  // A record of the other door lacks what this host needs to go on with it; only an update writes that.
  return { changes: drift.length > 0 || isOfPluginDoor(olds) };
}

function replacing(differences: readonly Difference[]): string[] {
  return differences.filter(({ replace }) => replace).map(({ path }) => String(path[0]));
}

/** People come back by an update. A project that this stack made is made anew; one that it only adopted cannot be. */
function whenGone({ name }: Resource, olds: Plain, replaces: readonly string[]): pulumi.dynamic.DiffResult {
  if (name !== "Project") return { changes: true, replaces: [...replaces] };
  if (olds.origin === "created") return { changes: true, replaces: ["projectId"] };
  throw new RefusedError(
    `Project ${olds.projectId} ("${olds.name}") is gone, and this stack did not create it. Run pulumi refresh, or take it out of the program.`,
  );
}

export async function create(name: string, props: Plain): Promise<pulumi.dynamic.CreateResult> {
  const resource = resourceNamed(name);
  const inputs = inputsOf(props);
  const { context, guard } = contextFor(resource, inputs);
  const result = await guard(() => resource.create({ inputs, preview: false, context }), props);
  return { id: result.id, outs: outputs(result.state, inputs, props) };
}

export async function read(name: string, id: string, props: Plain = {}): Promise<pulumi.dynamic.ReadResult> {
  const resource = resourceNamed(name);
  const state = stateOf(props);
  const { context, guard } = contextFor(resource, state, id);
  const recorded = props[DECLARED] === undefined ? {} : { state, oldInputs: declaredOf(props) };
  const result = await guard(() => resource.read({ id, ...recorded, context }), props);
  if (!result) return { id: "", props: {} };
  return {
    id: result.id,
    props: outputs(result.state, result.inputs, props),
    inputs: { ...toPlain(result.inputs), [IGNORE_CHANGES]: ignoreChangesOf(props) },
  };
}

export async function update(
  name: string,
  id: string,
  olds: Plain,
  news: Plain,
): Promise<pulumi.dynamic.UpdateResult> {
  const resource = resourceNamed(name);
  const state = stateOf(olds);
  const oldInputs = recordedInputs(olds, news);
  const ignoreChanges = ignoreChangesOf(news);
  const paths = pathsInside(ignoreChanges);
  const { context, guard } = contextFor(resource, state, id);
  const result = await guard(async () => {
    const live = paths.length > 0 ? await resource.read({ id, state, oldInputs, context }) : undefined;
    const inputs = withValuesAt(inputsOf(news), live?.state ?? {}, paths);
    const updated = await resource.update({
      id,
      state,
      oldInputs,
      inputs,
      ignoreChanges,
      preview: false,
      context,
    });
    return outputs(updated, inputs, news);
  }, news);
  return { outs: result };
}

async function remove(name: string, id: string, props: Plain): Promise<void> {
  const resource = resourceNamed(name);
  const state = stateOf(props);
  const { context, guard } = contextFor(resource, state, id);
  await guard(() => resource.delete({ id, state, oldInputs: declaredOf(props), context }), props);
}

export { remove as delete };

/** An alias brought it here: the plugin keeps its checked inputs where this host does not hand them over. */
function isOfPluginDoor(record: Plain): boolean {
  return record[DECLARED] === undefined;
}

/** Of a record of the plugin door the outputs alone are known; it is the import that has changed, not what is declared. */
function recordedInputs(olds: Plain, news: Plain): Properties {
  return isOfPluginDoor(olds) ? inputsOf(news) : declaredOf(olds);
}

function resourceNamed(name: string): Resource {
  const resource = resources.find((candidate) => candidate.name === name);
  if (!resource) throw new RefusedError(`This version of pulumi-opsmanager has no resource ${name}.`);
  return resource;
}

interface Surroundings {
  readonly context: Context;
  /** Runs an operation; its failure is masked, and in the form that the host hands on to the engine. */
  guard<T>(operation: () => Promise<T>, props?: Plain): Promise<T>;
}

function contextFor(resource: Resource, inputs: Properties, id?: string): Surroundings {
  // Without stack config (an older host) the environment alone may do.
  configured ??= connectOnce({});
  const { session, redact } = configured();
  const context: Context = {
    session,
    urn: standInUrn(resource, id, inputs),
    log: {
      info: (message) => void pulumi.log.info(redact(message)),
      warn: (message) => void warnOnce(redact(message)),
    },
    signal: new AbortController().signal,
  };
  return {
    context,
    async guard(operation, props = {}) {
      try {
        return await operation();
      } catch (error) {
        throw toHostError(error, redact, props);
      }
    },
  };
}

const said = new Set<string>();

function warnOnce(message: string): void {
  if (said.has(message)) return;
  said.add(message);
  void pulumi.log.warn(message);
}

/**
 * What names a resource where the host gives no URN. Calls about an object that exists carry its id, so that two
 * declarations of one name never stand for the same object.
 */
function standInUrn({ name }: Resource, id: string | undefined, inputs: Properties): string {
  const { projectId, orgId, name: projectName, username, userId, invitationId } = inputs;
  const person = [username, userId, invitationId].find((text) => typeof text === "string");
  if (id !== undefined) return `${name} ${id}`;
  if (typeof projectId !== "string") return `${name} ${JSON.stringify(projectName)} in ${String(orgId)}`;
  return person === undefined ? `${name} ${projectId}` : `${name} ${projectId}/${person}`;
}

/** The host makes "initialization failed" of an error with an `id`, and adds nothing to its `properties`. */
function toHostError(error: unknown, redact: Redact, props: Plain): Error {
  // Without the cause: its text is not masked.
  const masked = new Error(redact(messageOf(error)));
  if (!(error instanceof PartialFailure)) return masked;
  const state = error.state as Properties;
  return Object.assign(masked, {
    id: error.id,
    properties: { ...outputs(state, inputsOf(props), props), __provider: props.__provider },
    reasons: error.reasons.map(redact),
  });
}
