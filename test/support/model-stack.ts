/**
 * A stack of the engine's model: the verbs and the vocabulary of a stack of the real engine (`stack.ts`), in milliseconds. The
 * provider's own handlers run in this process against a sandbox. The random worlds compare the model with the real engine.
 *
 * For the rules of the provider. What only the engine shows belongs in `test/engine`: secrets in the state, targets, explicit
 * providers, processes, and the text that `pulumi` prints. The model rejects flags and options that it does not know.
 */
import { type Sandbox, type SandboxOptions, startSandbox } from "../../sandbox";
import { type Meanwhile, meanwhileAt } from "../engine/support/meanwhile";
import {
  type Declaration,
  type ImportTarget,
  type Json,
  type Operation,
  type OperationResult,
  type ProviderConnection,
  ProviderFailure,
  type Recorded,
  type ResourceType,
  runOperation,
  sameJson,
  secretValue,
  UNKNOWN,
  type Values,
  withoutSecrets,
} from "../proof/engine-model";
import { connectPlugin, type ProviderSettings, type TextSink } from "../proof/plugin-connection";
import { settingsOfTest } from "./drawn-settings";
import { countChanges, type Diagnostic, nameOf, type PropertyDiff, type Step } from "./engine-events";
import type { Flags } from "./flags";
import { type Program, type ProviderKind, packageName, type ResourceDeclaration } from "./program";
import { type ConfigValue, Secret } from "./stack-config";
import type { ResourceState } from "./state-backend";
import { beginStory, recordStory } from "./story-records";

/** What one command did, in the vocabulary of a `Run` of the real engine. */
export interface Run {
  readonly exitCode: number;
  /** All messages, one a line. */
  readonly output: string;
  readonly steps: readonly Step[];
  readonly changes: Readonly<Record<string, number>>;
  readonly diagnostics: readonly Diagnostic[];
}

export interface StackSetupOptions {
  /** `plugin` by default. */
  readonly provider?: ProviderKind;
  readonly sandbox?: SandboxOptions;
  readonly program: (sandbox: Sandbox) => Program;
  /** Beside the address and the key pair of the sandbox. Replaces the settings that are drawn for the test. */
  readonly config?: Readonly<Record<string, ConfigValue>>;
}

export interface StackSetup {
  readonly sandbox: Sandbox;
  readonly stack: Stack;
}

const sandboxes = new Set<Sandbox>();
const proxies = new Set<Meanwhile>();

/** As `setUpStack` of the engine tests. */
export async function setUpStack({
  provider = "plugin",
  sandbox: options,
  program,
  config = {},
}: StackSetupOptions): Promise<StackSetup> {
  beginStory();
  const sandbox = await startSandbox(options);
  sandboxes.add(sandbox);
  const { baseUrl, publicKey, privateKey } = sandbox;
  const stack = new Stack(provider, { baseUrl, publicKey, privateKey, ...settingsOfTest() });
  await stack.setConfig(config);
  await stack.setProgram(program(sandbox));
  return { sandbox, stack };
}

/** For `afterEach`: ends every sandbox. */
export async function tearDownStacks(): Promise<void> {
  await Promise.all([...proxies, ...sandboxes].map((server) => server.close()));
  proxies.clear();
  sandboxes.clear();
}

/** Flags that change nothing in the model: it shows all differences, and processes every independent resource. */
const silentFlags = ["diff", "continueOnError", "parallel"];

export class Stack {
  #settings: ProviderSettings;
  /** The address without a gateway in front of it. */
  readonly #service: string;
  #program: Program = {};
  #proxy: Meanwhile | undefined;
  #state: readonly Recorded[] = [];
  /** The results of the lookups of the last run. */
  #found: Readonly<Record<string, Values>> = {};

  constructor(
    readonly provider: ProviderKind,
    settings: ProviderSettings,
  ) {
    this.#settings = settings;
    this.#service = settings.baseUrl;
  }

  /** Another stack with the same program and state, for a copy of the service. */
  async copy(config: Readonly<Record<string, ConfigValue>>): Promise<Stack> {
    const stack = new Stack(this.provider, this.#settings);
    stack.#program = this.#program;
    stack.#state = this.#state;
    await stack.setConfig(config);
    return stack;
  }

  up(flags: Flags = {}): Promise<Run> {
    return this.#run("up", this.#program, flags);
  }

  preview(flags: Flags = {}): Promise<Run> {
    return this.#run("preview", this.#program, flags);
  }

  refresh(flags: Flags = {}): Promise<Run> {
    return this.#run("refresh", {}, flags);
  }

  /** As the engine's own command without `--run-program`: the program declares nothing. */
  destroy(flags: Flags = {}): Promise<Run> {
    return this.#run("up", {}, flags);
  }

  import(token: string, name: string, id: string, flags: Flags = {}): Promise<Run> {
    return this.#run("import", {}, flags, { type: typeOf(token), name, id });
  }

  async setProgram(program: Program): Promise<void> {
    if (referencesIn(program.resources ?? {}).some((name) => program.lookups?.[name]))
      throw new Error("In the model of the engine, no resource takes the result of a lookup.");
    // As in the file of a real program, an undefined value is no value.
    this.#program = JSON.parse(JSON.stringify(program));
  }

  /** `undefined` removes a setting. */
  async setConfig(config: Readonly<Record<string, ConfigValue | undefined>>): Promise<void> {
    const settings: Record<string, string | number | boolean> = { ...this.#settings };
    for (const [key, value] of Object.entries(config)) {
      const name = key.replace(`${packageName}:`, "");
      const plain = value instanceof Secret ? value.plaintext : value;
      if (plain === undefined) delete settings[name];
      else settings[name] = typeof plain === "object" ? JSON.stringify(plain) : plain;
    }
    this.#settings = settings as ProviderSettings;
  }

  /** Changes something outside Pulumi once, before the next request of this method and path reaches the sandbox. */
  async before(method: string, path: RegExp, act: () => void): Promise<void> {
    (await this.#gateway()).before(method, path, act);
  }

  /** Changes the body of each response from now on, as a gateway in front of the service may do. */
  async rewriteResponses(rewrite: (body: string) => string): Promise<void> {
    (await this.#gateway()).rewriteResponses(rewrite);
  }

  async #gateway(): Promise<Meanwhile> {
    if (this.#proxy === undefined) {
      this.#proxy = await meanwhileAt(this.#settings.baseUrl);
      proxies.add(this.#proxy);
      await this.setConfig({ baseUrl: this.#proxy.baseUrl });
    }
    return this.#proxy;
  }

  async state(): Promise<{ readonly resources: readonly ResourceState[] }> {
    return { resources: this.#state.map(toResourceState) };
  }

  async resource(name: string): Promise<ResourceState | undefined> {
    return (await this.state()).resources.find((resource) => nameOf(resource.urn) === name);
  }

  async outputs(): Promise<Readonly<Record<string, unknown>>> {
    const outputsOf = (name: string) =>
      this.#found[name] ?? this.#state.find((resource) => resource.name === name)?.outputs;
    return (filledIn((this.#program.outputs ?? {}) as Values, outputsOf) ?? {}) as Values;
  }

  async #run(
    operation: Operation,
    program: Program,
    { refresh, expectNoChanges, previewOnly, replace = [], ...flags }: Flags,
    target?: ImportTarget,
  ): Promise<Run> {
    const unknown = Object.keys(flags).filter((flag) => !silentFlags.includes(flag));
    if (unknown.length > 0) throw new Error(`The model of the engine has no flag ${unknown.join(", ")}.`);
    const before = this.#state.map((resource) =>
      refresh === true ? { ...resource, refreshBeforeUpdate: true } : resource,
    );
    const declarations = declarationsOf(program, [replace].flat().map(String).map(nameOf));
    const diagnostics: Diagnostic[] = [];
    const earlier = this.#requests().at(-1)?.id ?? 0;
    const result = await this.#operate(diagnostics, async (connection) => {
      this.#found = await lookUp(program, connection);
      return runOperation(operation, declarations, before, connection, () => false, target);
    }).catch((error: unknown) => {
      if (!(error instanceof ProviderFailure)) throw error;
      // A lookup failed, and with it the program.
      const { code, message } = error;
      const failures = [{ name: "", during: "lookup", code, message }];
      return { ok: false, state: before, steps: [], failures };
    });
    recordStory(() => ({
      command: operation,
      requests: this.#requests().filter(({ id }) => id > earlier),
      texts: diagnostics.map(({ severity, message }) => `${severity}: ${message}`),
      result,
    }));
    if (operation !== "preview" && previewOnly !== true) this.#state = result.state;
    const failures = result.failures.map(({ name, message }) => {
      const type = [...result.state, ...declarations].find((one) => one.name === name)?.type ?? "Project";
      return { severity: "error" as const, message, urn: urnOf({ name, type }) };
    });
    diagnostics.push(...failures);
    const steps = stepsOf(operation, before, result, declarations);
    const changes = countChanges(operation, steps);
    const isMissing = target !== undefined && result.steps.length === 0;
    const isUnexpected = expectNoChanges === true && Object.keys(changes).some((op) => op !== "same");
    return {
      exitCode: result.ok && !isUnexpected && !isMissing ? 0 : 1,
      output: diagnostics.map(({ message }) => message).join("\n"),
      steps,
      changes,
      diagnostics,
    };
  }

  #requests() {
    return [...sandboxes].find(({ baseUrl }) => baseUrl === this.#service)?.requests ?? [];
  }

  async #operate(
    diagnostics: Diagnostic[],
    operation: (connection: ProviderConnection) => Promise<OperationResult>,
  ): Promise<OperationResult> {
    const printed = new Set<string>();
    const onText = (severity: string, message: string) => {
      const key = `${severity} ${message}`;
      // The plugin prints a message once in a run.
      if (this.provider === "plugin" && printed.has(key)) return;
      printed.add(key);
      diagnostics.push({ severity: severities[severity] ?? "info", message, urn: undefined });
    };
    // Waits between attempts are random, and no outcome depends on them.
    const { random } = Math;
    Math.random = () => 0;
    let connection: ProviderConnection | undefined;
    try {
      connection = await this.#connect(onText);
      return await operation(connection);
    } finally {
      Math.random = random;
      await connection?.close();
    }
  }

  async #connect(onText: TextSink): Promise<ProviderConnection> {
    if (this.provider === "plugin") return connectPlugin(this.#settings, onText);
    // Loaded only here: it needs all of Pulumi's SDK, which takes longer to load than most stories take.
    const dynamic = require("../proof/dynamic-connection") as typeof import("../proof/dynamic-connection");
    return dynamic.connectDynamic(this.#settings, onText);
  }
}

const severities: Readonly<Record<string, Diagnostic["severity"]>> = {
  debug: "debug",
  warn: "warning",
  warning: "warning",
  error: "error",
};

function typeOf(token: string): ResourceType {
  const [first = "", , name = first] = token.split(":");
  return name as ResourceType;
}

function urnOf({ name, type }: Pick<Recorded, "name" | "type">): string {
  return `urn:pulumi:test::platform::opsmanager:index:${type}::${name}`;
}

function toResourceState({ pendingDelete, ...resource }: Recorded): ResourceState {
  const { name: _, deletedWith, ...rest } = resource;
  return {
    ...rest,
    urn: urnOf(resource),
    type: `${packageName}:index:${resource.type}`,
    custom: true,
    ...(deletedWith !== undefined && { deletedWith }),
    ...(pendingDelete && { delete: true }),
  };
}

// ---------------------------------------------------------------------------------------------- program

const reference = /\$\{([\w-]+)(?:\.(\w+))?\}/g;

/** Dependencies first, as the engine registers them. */
function declarationsOf({ resources = {} }: Program, replaced: readonly string[] = []): Declaration[] {
  const absent = replaced.filter((name) => !(name in resources));
  if (absent.length > 0) throw new Error("The flag replace takes URNs of resources of the program.");
  const sorted = new Map<string, Declaration>();
  const add = (key: string): void => {
    const resource = resources[key];
    if (resource === undefined || sorted.has(key)) return;
    for (const name of referencesIn(resource)) add(name);
    sorted.set(key, declarationOf(key, resource, replaced));
  };
  for (const key of Object.keys(resources)) add(key);
  return [...sorted.values()];
}

function declarationOf(
  name: string,
  { type, properties = {}, options = {}, name: given, get, ...others }: ResourceDeclaration,
  replaced: readonly string[],
): Declaration {
  const { aliases = [], deletedWith, dependsOn = [], parent, ...rest } = options;
  const { ignoreChanges, replaceOnChanges, deleteBeforeReplace, retainOnDelete, protect, ...unsupported } =
    rest;
  const isPath = [...(ignoreChanges ?? []), ...(replaceOnChanges ?? [])].some(
    (path) => path !== "*" && /\W/.test(path),
  );
  const names = [...Object.keys({ ...unsupported, ...others }), ...(isPath ? ["paths in properties"] : [])];
  if (given !== undefined || get !== undefined || parent !== undefined || names.length > 0)
    throw new Error(`The model of the engine cannot declare ${name}: ${names.join(", ")}.`);
  const inputs = withSecrets(properties as Values) as Values;
  return {
    name,
    type: typeOf(type),
    inputs: {},
    references: {},
    resolve: (outputsOf) => filledIn(inputs, outputsOf) as Values | undefined,
    aliases: aliases.map((alias) => nameOfAlias(alias)),
    deletedWith: deletedWith === undefined ? undefined : referencesIn(deletedWith)[0],
    dependsOn: [...new Set([...referencesIn(properties), ...referencesIn(dependsOn)])],
    options: {
      ...(ignoreChanges && { ignoreChanges }),
      ...(replaceOnChanges && { replaceOnChanges }),
      ...(deleteBeforeReplace !== undefined && { deleteBeforeReplace }),
      ...(retainOnDelete && { retainOnDelete }),
      ...(protect && { protect }),
    },
    isReplaced: replaced.includes(name),
  };
}

function nameOfAlias(alias: string | Readonly<Record<string, unknown>>): string {
  const name = typeof alias === "string" ? nameOf(alias) : alias.name;
  const isName = typeof alias === "string" || Object.keys(alias).join() === "name";
  if (!isName || typeof name !== "string" || name === "")
    throw new Error(`The model of the engine has no alias ${JSON.stringify(alias)}.`);
  return name;
}

function referencesIn(value: unknown): string[] {
  return [...JSON.stringify(value).matchAll(reference)].map(([, name = ""]) => name);
}

type OutputsOf = (name: string) => Values | undefined;

/** The value with the outputs that it refers to; `undefined` if a resource has none, because it failed. */
function filledIn(value: Json, outputsOf: OutputsOf): Json | undefined {
  if (typeof value === "string") return filledInText(value, outputsOf);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, filledIn(inner, outputsOf)] as const);
  if (entries.some(([, inner]) => inner === undefined)) return undefined;
  if (Array.isArray(value)) return entries.map(([, inner]) => inner as Json);
  return Object.fromEntries(entries) as Values;
}

function filledInText(text: string, outputsOf: OutputsOf): Json | undefined {
  const found = [...text.matchAll(reference)];
  const values = found.map(([, name = "", output]) => {
    const outputs = outputsOf(name);
    return outputs === undefined || output === undefined ? outputs : (outputs[output] ?? UNKNOWN);
  });
  if (values.includes(undefined)) return undefined;
  if (found[0]?.[0] === text) return values[0];
  if (values.includes(UNKNOWN)) return UNKNOWN;
  return found.reduce((filled, [part], index) => filled.replace(part, String(values[index])), text);
}

function withSecrets(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withSecrets);
  const entries = Object.entries(value);
  const [[key, inner] = []] = entries;
  if (key === "fn::secret") return secretValue(withSecrets(inner as Json));
  if (key?.startsWith("fn::")) throw new Error(`The model of the engine has no ${key}.`);
  return Object.fromEntries(entries.map(([name, each]) => [name, withSecrets(each)]));
}

/** Takes plain arguments, as a program that has no resources. */
async function lookUp(
  { lookups = {} }: Program,
  connection: ProviderConnection,
): Promise<Readonly<Record<string, Values>>> {
  const found: Record<string, Values> = {};
  for (const [key, { function: name, arguments: args = {}, options }] of Object.entries(lookups)) {
    if (options !== undefined || referencesIn(args).length > 0)
      throw new Error(`The model of the engine cannot look up ${key}: it has options or takes outputs.`);
    found[key] = await connection.invoke(name, withSecrets(args as Values) as Values);
  }
  return found;
}

// ------------------------------------------------------------------------------------------------ steps

/** The steps of the model, in the words of the engine's event log. */
function stepsOf(
  operation: Operation,
  before: readonly Recorded[],
  { steps, state, detailedDiffs = {}, registered }: OperationResult,
  declarations: readonly Declaration[],
): Step[] {
  const typeIn = (name: string) =>
    [...declarations, ...state, ...before].find((one) => one.name === name)?.type ?? "Project";
  const isReplaced = (name: string) => steps.some((step) => step.name === name && step.kind === "replace");
  return steps.map(({ name, kind }) => {
    const refreshed = kind === "read" || kind === "read-deleted";
    const isHalf = isReplaced(name) && (kind === "create" || kind === "delete");
    const halves: Readonly<Record<string, string>> = {
      create: "create-replacement",
      delete: "delete-replaced",
    };
    const [old, now] = [before, state].map((all) => all.find((one) => one.name === name)?.outputs);
    const found = kind === "read-deleted" ? "delete" : sameJson(old ?? null, now ?? null) ? "same" : "update";
    const type = typeIn(name);
    const diff = refreshed ? {} : (detailedDiffs[name] ?? {});
    return {
      op: refreshed ? found : isHalf ? (halves[kind] ?? kind) : kind,
      urn: urnOf({ name, type }),
      type: `${packageName}:index:${type}`,
      name,
      detailedDiff: diff as Readonly<Record<string, PropertyDiff>>,
      diffs: [],
      replaceKeys: [],
      old: null,
      new: kind === "delete" || refreshed ? null : snapshotOf(registered?.get(name)),
      phase: operation === "preview" ? "preview" : "run",
      failed: false,
      refreshed,
      logical: !refreshed && !isHalf,
    };
  });
}

function snapshotOf(resource: Recorded | undefined): Step["new"] {
  if (resource === undefined) return null;
  const [inputs, outputs] = [resource.inputs, resource.outputs].map(
    (values) => withoutSecrets(values) as Values,
  );
  return { id: resource.id, inputs: inputs ?? {}, outputs: outputs ?? {}, provider: "" };
}
