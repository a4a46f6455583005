/**
 * Carries out the commands of a world as real `pulumi` commands on a stack. Before each command that nothing disturbs, the engine's
 * model carries out the same command on a copy of the service, from the same state. Both must come to the same.
 */

import { EventReader } from "../../../cli/lib/engine-events";
import { type Sandbox, startSandbox } from "../../../sandbox";
import { attachment, connection } from "../../engine/support/stack-setup";
import { createStack, type Program, type ResourceState, type Run, type Stack } from "../../support";
import { isEngineResource, nameOf } from "../../support/engine-events";
import {
  canonical,
  type Declaration,
  type Json,
  type Operation,
  type OperationResult,
  type Recorded,
  type ResourceType,
  replaceSecrets,
  type StepKind,
  secretValue,
  unwrapped,
  type Values,
} from "../engine-model";
import {
  type Command,
  type CommandResult,
  type Engine,
  type RunningCommand,
  runInModel,
  type StartEngine,
} from "./engine";
import { viewService } from "./service-view";
import type { World } from "./world";

export const startRealEngine: StartEngine = (world, sandbox) => new RealEngine(world, sandbox, attachment);

/** @param env attaches the commands to a plugin process */
export const realEngineWith =
  (env: Readonly<Record<string, string>>): StartEngine =>
  (world, sandbox) =>
    new RealEngine(world, sandbox, async () => env);

class RealEngine implements Engine {
  readonly imports = false;
  readonly isModel = false;
  #stack: Promise<Stack> | undefined;
  #program = "";
  #config = "";

  constructor(
    private readonly world: World,
    private readonly sandbox: Sandbox,
    private readonly attached: () => Promise<Readonly<Record<string, string>>>,
  ) {}

  run(command: Command): RunningCommand {
    let interrupt = () => {};
    const whenStarted = (start: () => void) => {
      interrupt = start;
    };
    return { result: this.#carryOut(command, whenStarted), interrupt: () => interrupt() };
  }

  async close(): Promise<void> {
    await (await this.#stack)?.dispose();
  }

  async #carryOut(given: Command, whenStarted: (interrupt: () => void) => void): Promise<CommandResult> {
    const command = { ...given, declarations: given.declarations.map(forEngine) };
    const { operation, isFaulty, isInterruptible, onText } = command;
    if (operation === "import") throw new Error("The worlds import nothing through the real engine.");
    const isPredictable = !isFaulty && !isInterruptible && !runsInAnyOrder(command);
    const prediction = isPredictable ? await predict(command, this.world, this.sandbox) : undefined;
    const stack = await this.#prepare(command);
    const run = await this.#pulumi(stack, { ...command, operation }, whenStarted);
    onText("output", run.output);
    onText("state", JSON.stringify(await stack.state()));
    const { resources } = await stack.state({ showSecrets: true });
    const state = resources.filter(({ type }) => !isEngineResource(type)).map(recordedFrom);
    const result = {
      ok: run.exitCode === 0,
      state: operation === "preview" ? command.state : state,
      steps: run.steps.flatMap((step) => stepFrom(step)),
      failures: run.exitCode === 0 ? [] : failuresOf(run, operation),
      events: () => run.events.map((event) => JSON.stringify(event)).join("\n"),
    };
    if (prediction === undefined) return result;
    const outcome = { result, events: stepsIn(result), ...traces(this.sandbox) };
    const deviation = deviationOf(operation, prediction, outcome);
    return { ...result, prediction: { deviation } };
  }

  #pulumi(
    stack: Stack,
    { operation, isInterruptible }: Command & { readonly operation: "up" | "preview" | "refresh" },
    whenStarted: (interrupt: () => void) => void,
  ): Promise<Run> {
    if (!isInterruptible) return stack[operation]();
    const running = stack.start([operation, "--yes", "--skip-preview"]);
    whenStarted(() => running.interrupt());
    return running.finished;
  }

  async #prepare({ declarations, settings }: Command): Promise<Stack> {
    const program = stackProgram(declarations);
    this.#stack ??= this.#createStack(program);
    const stack = await this.#stack;
    const { baseUrl, publicKey, privateKey, ...rest } = settings;
    const config = Object.fromEntries(
      Object.entries(rest).map(([name, value]) => [`opsmanager:${name}`, value]),
    );
    if (changes(this.#program, program)) await stack.setProgram(program);
    if (changes(this.#config, config)) await stack.setConfig({ ...connection(this.sandbox), ...config });
    this.#program = JSON.stringify(program);
    this.#config = JSON.stringify(config);
    return stack;
  }

  async #createStack(program: Program): Promise<Stack> {
    const provider = this.world.provider;
    return createStack({ provider, program, ...(provider === "plugin" && { env: await this.attached() }) });
  }
}

/**
 * The engine carries out in parallel what does not depend on each other, so a project, team or key may be deleted before what is in
 * it, or after it, and a person may come into an organization before its projects and teams, or after them.
 */
function runsInAnyOrder({ declarations, state }: Command): boolean {
  const kept = new Set(declarations.flatMap(({ name, aliases }) => [name, ...aliases]));
  const leaving = state.filter(({ name }) => !kept.has(name));
  const containers = leaving.filter(
    ({ type, outputs }) => ["Project", "Team", "ApiKey"].includes(type) && outputs.onDestroy !== "release",
  );
  const isAlone = (container: Recorded) =>
    leaving.every(
      (other) =>
        other === container ||
        other.deletedWith === container.name ||
        other.dependencies.includes(container.name),
    );
  const isOfPeople = (type: string) => ["ProjectMember", "ProjectMembers", "Team"].includes(type);
  const all = [...declarations, ...state];
  const hasBoth =
    all.some(({ type }) => type === "OrganizationMember") && all.some(({ type }) => isOfPeople(type));
  return hasBoth || !containers.every(isAlone);
}

/** Without what only the model carries out: an input that a preview does not know, and protected resources. */
function forEngine({ unknown: _, options, ...declaration }: Declaration): Declaration {
  const { protect: _protect, ...others } = options ?? {};
  return { ...declaration, options: others };
}

const changes = (before: string, now: unknown): boolean => before !== JSON.stringify(now);

/** Names of resources may contain what a reference cannot, so each resource has a key of its own. */
function stackProgram(declarations: readonly Declaration[]): Program {
  const keys = new Map(declarations.map(({ name }, index) => [name, `resource${index}`]));
  const resources = declarations.map((declaration) => {
    const { name, type, inputs, references, aliases, deletedWith, options, dependsOn = [] } = declaration;
    const referred = Object.entries(references).map(([input, { resource, output }]) => [
      input,
      `\${${keys.get(resource)}.${output}}`,
    ]);
    return [
      keys.get(name),
      {
        type,
        name,
        properties: { ...(asProgramValue(inputs) as object), ...Object.fromEntries(referred) },
        options: {
          ...(aliases.length > 0 && { aliases: aliases.map((alias) => ({ name: alias })) }),
          ...options,
          ...(dependsOn.length > 0 && { dependsOn: dependsOn.map((other) => `\${${keys.get(other)}}`) }),
          ...(deletedWith !== undefined && { deletedWith: `\${${keys.get(deletedWith)}}` }),
        },
      },
    ];
  });
  // A program without resources must declare something.
  return { resources: Object.fromEntries(resources), outputs: { resources: declarations.length } };
}

const asProgramValue = (value: Json): Json =>
  replaceSecrets(value, (secret) => ({ "fn::secret": asProgramValue(secret.value ?? null) }));

/** What `pulumi stack export --show-secrets` shows of a resource, in the form of the model. */
function recordedFrom(resource: ResourceState): Recorded {
  const { urn, type, id = "", inputs = {}, outputs = {}, initErrors = [] } = resource;
  const { deletedWith, refreshBeforeUpdate = false, delete: pendingDelete = false } = resource;
  const { ignoreChanges, retainOnDelete } = resource as Pick<Recorded, "ignoreChanges" | "retainOnDelete">;
  return {
    name: nameOf(urn),
    type: type.split(":").at(-1) as ResourceType,
    id,
    inputs: withSecrets(inputs as Values) as Values,
    outputs: withSecrets(outputs as Values) as Values,
    initErrors,
    refreshBeforeUpdate,
    ...(pendingDelete && { pendingDelete }),
    ...(ignoreChanges && { ignoreChanges }),
    ...(retainOnDelete && { retainOnDelete }),
    deletedWith: deletedWith ? nameOf(deletedWith) : undefined,
    dependencies: (resource.dependencies ?? []).map(nameOf),
  };
}

const withSecrets = (value: Json): Json =>
  replaceSecrets(value, ({ plaintext }) => secretValue(withSecrets(JSON.parse(String(plaintext)))));

const kinds: Readonly<Record<string, StepKind>> = {
  same: "same",
  create: "create",
  update: "update",
  replace: "replace",
  delete: "delete",
  "create-replacement": "create",
  "delete-replaced": "delete",
};

function stepFrom(step: Run["steps"][number]): { name: string; kind: StepKind }[] {
  const { name, op, refreshed, failed } = step;
  if (failed) return [];
  if (refreshed) return [{ name, kind: step.new === null ? "read-deleted" : "read" }];
  const kind = kinds[op];
  return kind === undefined ? [] : [{ name, kind }];
}

/** The engine adds errors of its own to those of the provider, such as "update failed". */
function failuresOf({ diagnostics, output }: Run, during: string): OperationResult["failures"] {
  const failures = diagnostics
    .filter(({ severity, urn }) => severity === "error" && urn !== undefined)
    .filter(({ message }) => !/^(update|preview|refresh) failed$/.test(message))
    .map(({ message, urn = "" }) => ({ name: nameOf(urn), during, code: "UNKNOWN", message }));
  return failures.length > 0 ? failures : [{ name: "the stack", during, code: "UNKNOWN", message: output }];
}

interface Outcome {
  readonly result: OperationResult;
  /** Requests that changed something. */
  readonly writes: readonly string[];
  /** One text for each project. */
  readonly service: readonly string[];
  /** One text for each resource that the engine says it has read or changed. */
  readonly events: readonly string[];
}

interface Prediction extends Outcome {
  /** Ids that existed before the command. */
  readonly known: ReadonlySet<string>;
}

/** Carries the command out by the model, on a copy of the service. */
async function predict(
  command: Command,
  { provider, switches }: World,
  original: Sandbox,
): Promise<Prediction> {
  const { state: seed } = original;
  const copy = await startSandbox({ ...switches, seed });
  try {
    const settings = { ...command.settings, baseUrl: copy.baseUrl };
    const run = await runInModel(provider, { ...command, settings, onText: () => undefined });
    // A preview leaves the state unchanged.
    const result = command.operation === "preview" ? { ...run, state: command.state } : run;
    return { result, events: stepsIn(run), ...traces(copy), known: idsIn([seed, command.state]) };
  } finally {
    await copy.close();
  }
}

const id = /\b[0-9a-f]{24}\b/g;
const time = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;
/** An agent API key, or the end of one. */
const agentKey = /(?<="(?:keySuffix|privateKeyEnd)":)"\w{4}"|"[0-9a-f]{48}"/g;
/** A private key, and a public key other than that of the world. */
const apiKey = /"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"|(?<="publicKey":)"[a-z]{8}"/g;

const idsIn = (value: unknown): ReadonlySet<string> => new Set(JSON.stringify(value).match(id));

/** What the command left behind at the service. */
const traces = (sandbox: Sandbox) => ({
  service: projectsOf(sandbox),
  writes: sandbox.requests
    .filter(({ method, status = 500 }) => method !== "GET" && status < 300)
    .map(({ method, path, body }) => `${method} ${path} ${canonical((body ?? null) as Json)}`),
});

function projectsOf(sandbox: Sandbox): string[] {
  const { projects, names, teams, apiKeys, organization } = viewService(sandbox);
  const ofKeys = [...apiKeys.values()].map(
    ({ description, orgRoles, projectRoles, accessList }) =>
      `${description}: ${orgRoles} ${accessList} ${[...projectRoles.values()].map(String).sort()}`,
  );
  const ofTeams = [...teams.values()].map(({ name, userIds }) => `${name}: ${[...userIds].sort()}`);
  const ofProjects = [...projects.values()].map((project) =>
    JSON.stringify({
      ...project,
      members: [...project.members].map(([id, roles]) => `${names.get(id)}: ${roles}`).sort(),
      invitations: project.invitations.map(({ name, roles }) => `${name}: ${roles}`).sort(),
      teams: [...project.teams].map(([teamId, roles]) => `${teams.get(teamId)?.name}: ${roles}`).sort(),
      agentKeys: [...project.agentKeys.values()].sort(),
    }),
  );
  const ofOrganization = [...organization.values()].map(
    ({ account: _, ...person }) => `organization: ${JSON.stringify(person)}`,
  );
  return [...ofTeams, ...ofKeys, ...ofOrganization, ...ofProjects];
}

/** How what the engine did differs from what the model predicted. */
function deviationOf(
  operation: Operation,
  { result, service, writes, events, known }: Prediction,
  real: Outcome,
): string | undefined {
  if (result.ok !== real.result.ok) {
    return `the model ${result.ok ? "succeeds" : "fails"}, and the engine does not: ${JSON.stringify(
      [...result.failures, ...real.result.failures].map(({ name, message }) => `${name}: ${message}`),
    )}`;
  }
  // After a failure the engine does not start what does not run yet, and resources run in parallel.
  if (!result.ok) return undefined;
  const views = [
    ["the writes", writes, real.writes],
    ["the service", service, real.service],
    ["the steps", stepsOf(result), stepsOf(real.result)],
    ["the state", stateOf(result), stateOf(real.result)],
    // `pulumi refresh` names each outcome, and no command reads that.
    ...(operation === "refresh" ? [] : [["the events", events, real.events] as const]),
  ] as const;
  for (const [what, predicted, found] of views) {
    const [one = [], other = []] = [predicted, found].map((texts) =>
      texts.map((text) => plain(text, known)).sort(),
    );
    if (one.join("\n") !== other.join("\n")) {
      const [missing, added] = [
        one.filter((text) => !other.includes(text)),
        other.filter((text) => !one.includes(text)),
      ];
      return `${what}: the model predicts ${missing.join(", ") || "nothing"}, and the engine comes to ${added.join(", ") || "nothing"}`;
    }
  }
  return undefined;
}

/** What the command line reads from the events of a command: `opsmanager summarize` and `drift` depend on it. */
function stepsIn({ events }: CommandResult): string[] {
  const reader = new EventReader();
  reader.take(events());
  return reader
    .end()
    .steps.filter(({ type }) => !isEngineResource(type))
    .map(({ op, urn, old, new: now, isPlanned, logical }) => {
      const [before, after] = [old, now].map((side) => side && { delete: side.delete, inputs: side.inputs });
      const step = { op, name: nameOf(urn), before, after, isPlanned, logical };
      return canonical(JSON.parse(JSON.stringify(step)));
    });
}

const stepsOf = ({ steps }: OperationResult): string[] => steps.map(({ name, kind }) => `${kind} ${name}`);

/** One text for each resource. */
const stateOf = ({ state }: OperationResult): string[] =>
  state
    .map((resource) => ({ ...resource, dependencies: [...resource.dependencies].sort() }))
    // The class of the dynamic provider names this output as secret, and the model has no classes.
    .map((resource) => ({ ...resource, outputs: { ...resource.outputs, ...unwrappedKey(resource.outputs) } }))
    .map((resource) => canonical(resource as unknown as Values));

const unwrappedKey = ({ key, privateKey }: Values): Values => ({
  ...(key === undefined ? {} : { key: unwrapped(key) }),
  ...(privateKey === undefined ? {} : { privateKey: unwrapped(privateKey) }),
});

/** Without times, and without the ids and agent API keys that the command made. */
const plain = (text: string, known: ReadonlySet<string>): string =>
  text
    .replace(time, "some time")
    .replace(agentKey, '"new key"')
    .replace(apiKey, '"new key"')
    .replace(id, (found) => (known.has(found) ? found : "new id"));
