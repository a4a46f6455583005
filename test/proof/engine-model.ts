/**
 * The rules of Pulumi's engine for one operation on a stack: what is read, checked, compared, created, updated, replaced and
 * deleted, in which order, and what the state contains afterwards (pkg/resource/deploy, version 3.259).
 *
 * Resources run one after the other, so that a run with the same input repeats exactly. The engine runs independent
 * resources in parallel: after a failure, resources that do not depend on the failed one are still processed, and
 * nothing is deleted.
 */

import type { ResourceKind } from "../../provider/resources/kinds";

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type Values = Readonly<Record<string, Json>>;

export type ResourceType = ResourceKind;

/** The output of another resource as the value of an input. */
export interface OutputOf {
  readonly resource: string;
  readonly output: string;
}

/**
 * The resource options of Pulumi that change what an operation does. Properties are named without a path inside them;
 * `*` is all of them.
 */
export interface Options {
  readonly ignoreChanges?: readonly string[];
  readonly replaceOnChanges?: readonly string[];
  readonly deleteBeforeReplace?: boolean;
  readonly retainOnDelete?: boolean;
  readonly protect?: boolean;
}

/** One resource of a program. */
export interface Declaration {
  readonly name: string;
  readonly type: ResourceType;
  readonly inputs: Values;
  /** Inputs that are outputs of other resources. */
  readonly references: Readonly<Record<string, OutputOf>>;
  /** Previous names of the resource. */
  readonly aliases: readonly string[];
  readonly deletedWith?: string | undefined;
  readonly options?: Options | undefined;
  /** Resources that are registered before it, beside those of `references`. */
  readonly dependsOn?: readonly string[] | undefined;
  /** Inputs that a preview does not know, because they are outputs of something that this operation changes. */
  readonly unknown?: readonly string[] | undefined;
  /** Further inputs, from outputs of the resources before it; `undefined` if one of them failed. */
  readonly resolve?: (outputsOf: (resource: string) => Values | undefined) => Values | undefined;
  /** The command names it with `--replace`. */
  readonly isReplaced?: boolean;
}

/** One resource in the state of the stack. */
export interface Recorded {
  readonly name: string;
  readonly type: ResourceType;
  readonly id: string;
  readonly inputs: Values;
  readonly outputs: Values;
  readonly initErrors: readonly string[];
  readonly refreshBeforeUpdate: boolean;
  /** A replacement exists, and the deletion of this object is still to be done. */
  readonly pendingDelete?: boolean;
  readonly deletedWith?: string | undefined;
  readonly dependencies: readonly string[];
  readonly ignoreChanges?: readonly string[];
  readonly retainOnDelete?: boolean;
  readonly protect?: boolean;
}

/** Secrets and unknown values on the wire (sdk/go/common/resource/sig, rpc.go). */
export const SIGNATURE = "4dabf18193072939515e22adb298388d";
export const SECRET = "1b47061264138c4ac30d75fd1eb44270";
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

export const secretValue = (value: Json): Json => ({ [SIGNATURE]: SECRET, value });

/** A failed call of the provider. */
export class ProviderFailure extends Error {
  constructor(
    readonly code: string,
    message: string,
    /** The object exists, and its initialization failed. */
    readonly partial?: {
      readonly id: string;
      readonly outputs: Values;
      readonly reasons: readonly string[];
      readonly refreshBeforeUpdate: boolean;
    },
  ) {
    super(message);
  }
}

export interface ProviderDiff {
  /** `unknown`: the engine compares the inputs itself. */
  readonly changes: "none" | "some" | "unknown";
  readonly replaces: readonly string[];
  /** Top-level properties that differ. */
  readonly properties: readonly string[];
  readonly deleteBeforeReplace: boolean;
  /** Each path that differs, in the provider's own words. */
  readonly detailed?: DetailedDiff;
}

export type DetailedDiff = Readonly<
  Record<string, { readonly diffKind: string; readonly inputDiff: boolean }>
>;

export interface Written {
  readonly id: string;
  readonly outputs: Values;
  readonly refreshBeforeUpdate: boolean;
}

/** The provider as one operation of the engine reaches it. */
export interface ProviderConnection {
  /** Whether a preview calls Create and Update. */
  readonly previews: boolean;
  check(
    resource: { readonly name: string; readonly type: ResourceType; readonly options?: Options | undefined },
    olds: Values,
    news: Values,
  ): Promise<{ readonly inputs: Values; readonly failures: readonly string[] }>;
  diff(resource: Recorded, news: Values, ignoreChanges?: readonly string[]): Promise<ProviderDiff>;
  create(
    resource: { readonly name: string; readonly type: ResourceType },
    inputs: Values,
    preview: boolean,
  ): Promise<Written>;
  read(resource: Recorded): Promise<(Written & { readonly inputs: Values }) | undefined>;
  update(
    resource: Recorded,
    news: Values,
    preview: boolean,
    ignoreChanges?: readonly string[],
  ): Promise<Written>;
  delete(resource: Recorded): Promise<void>;
  /** The result of a lookup. */
  invoke(name: string, args: Values): Promise<Values>;
  cancel(): void;
  close(): Promise<void>;
}

export type Operation = "up" | "preview" | "refresh" | "import";

/** An object that `pulumi import` takes into the state. */
export interface ImportTarget {
  readonly name: string;
  readonly type: ResourceType;
  readonly id: string;
}
export type StepKind =
  | "same"
  | "create"
  | "update"
  | "replace"
  | "delete"
  | "read"
  | "read-deleted"
  | "import";

/** What the operation did to one resource. */
export interface ModelStep {
  readonly name: string;
  readonly kind: StepKind;
  /** The resource before and after. */
  readonly old?: Recorded | undefined;
  readonly now?: Recorded | undefined;
  /** One of the two halves of a replacement, beside the step `replace`. */
  readonly isHalf?: boolean;
}

export interface OperationResult {
  readonly ok: boolean;
  readonly state: readonly Recorded[];
  readonly steps: readonly ModelStep[];
  /** Writes of the provider that failed. */
  readonly failedSteps?: readonly ModelStep[];
  readonly failures: readonly {
    readonly name: string;
    readonly during: string;
    readonly code: string;
    readonly message: string;
  }[];
  /** The differences of each resource that is updated or replaced, by name. */
  readonly detailedDiffs?: Readonly<Record<string, DetailedDiff>>;
  /** The resources that the program has registered, as they are then, by name. */
  readonly registered?: ReadonlyMap<string, Recorded>;
  /** Of a real command: how it differs from what this model predicted, if it did. */
  readonly prediction?: { readonly deviation: string | undefined };
}

/**
 * Runs one operation.
 *
 * @param isCanceled whether the user has interrupted it
 * @param target of an import
 */
export async function runOperation(
  operation: Operation,
  program: readonly Declaration[],
  before: readonly Recorded[],
  provider: ProviderConnection,
  isCanceled: () => boolean,
  target?: ImportTarget,
): Promise<OperationResult> {
  const run = new Run(operation, program, before, provider, isCanceled);
  if (target !== undefined) {
    await run.import(target);
    return run.result();
  }
  await run.refresh();
  if (operation !== "refresh" && run.mayGoOn) {
    await run.declare();
    await run.deleteRest();
  }
  return run.result();
}

class Run {
  #state: Recorded[];
  readonly #steps: ModelStep[] = [];
  readonly #failedSteps: ModelStep[] = [];
  /** The write that runs. */
  #running: ModelStep | undefined;
  readonly #failures: { name: string; during: string; code: string; message: string }[] = [];
  /** The resources that the program has registered, by name. */
  readonly #resources = new Map<string, Recorded>();
  readonly #registered = new Set<Recorded>();
  readonly #detailedDiffs: Record<string, DetailedDiff> = {};

  constructor(
    private readonly operation: Operation,
    private readonly program: readonly Declaration[],
    before: readonly Recorded[],
    private readonly provider: ProviderConnection,
    private readonly isCanceled: () => boolean,
  ) {
    this.#state = [...before];
  }

  get mayGoOn(): boolean {
    return this.#failures.length === 0 && !this.isCanceled();
  }

  result(): OperationResult {
    return {
      ok: this.mayGoOn,
      state: this.#state,
      steps: this.#steps,
      failedSteps: this.#failedSteps,
      failures: this.#failures,
      detailedDiffs: this.#detailedDiffs,
      registered: this.#resources,
    };
  }

  /**
   * A preview and an `up` read the resources whose last reply requires it; a refresh reads all. Replaced objects that are still to
   * be deleted are read too (deployment_executor.go, refresh).
   */
  async refresh(): Promise<void> {
    const due = this.#state.filter(
      ({ refreshBeforeUpdate }) => this.operation === "refresh" || refreshBeforeUpdate,
    );
    for (const resource of due) {
      if (this.isCanceled()) return;
      await this.#attempt(resource.name, "read", async () => {
        const live = await this.provider.read(resource);
        if (live === undefined) {
          this.#drop(resource);
          this.#steps.push({ name: resource.name, kind: "read-deleted", old: resource });
          return;
        }
        const refreshed = this.#replace(resource, { ...resource, ...live, initErrors: [] });
        // Under the recorded name and before any Check: step.go, RefreshStep.Apply.
        await this.provider.diff(refreshed, resource.inputs, resource.ignoreChanges);
        this.#steps.push({ name: resource.name, kind: "read", old: resource, now: refreshed });
      });
    }
  }

  /** Reads the object, records it, and checks the inputs that a program then has. */
  async import({ name, type, id }: ImportTarget): Promise<void> {
    const base = { name, type, id, inputs: {}, outputs: {}, initErrors: [], dependencies: [] };
    await this.#attempt(name, "import", async () => {
      const isTaken = this.#state.some(
        (resource) => !resource.pendingDelete && resource.name === name && resource.type === type,
      );
      // The engine, resource/deploy/step.go, ImportStep.Apply. The object that the state has under this name remains.
      if (isTaken) throw new ProviderFailure("IMPORT_TAKEN", `resource '${name}' already exists`);
      const live = await this.provider.read({ ...base, refreshBeforeUpdate: false });
      if (live === undefined) return;
      const { inputs, failures } = await this.provider.check(base, live.inputs, live.inputs);
      if (failures.length > 0) throw new ProviderFailure("IMPORT_CHECK", failures.join("; "));
      const now = { ...base, ...live, inputs };
      this.#state.push(now);
      this.#steps.push({ name, kind: "import", now });
    });
  }

  async declare(): Promise<void> {
    for (const declaration of this.program) {
      if (this.isCanceled()) return;
      await this.#attempt(declaration.name, "step", () => this.#register(declaration));
    }
  }

  async #register(declaration: Declaration): Promise<void> {
    const resolved = this.#resolve(declaration);
    // A resource that it depends on failed.
    if (resolved === undefined) return;
    const { name, type, options = {} } = declaration;
    const existing = this.#state.find(
      (resource) =>
        !resource.pendingDelete &&
        resource.type === type &&
        (resource.name === name || declaration.aliases.includes(resource.name)) &&
        !this.#registered.has(resource),
    );
    const { replaceOnChanges = [], deleteBeforeReplace, ...recordedOptions } = options;
    const { ignoreChanges } = recordedOptions;
    // Of a resource that the command replaces, the engine considers no recorded inputs.
    const old = declaration.isReplaced ? undefined : existing;
    const given = old === undefined ? resolved : withIgnored(resolved, old.inputs, ignoreChanges);
    const inputs = await this.#check(declaration, old?.inputs ?? {}, given);
    const references = Object.values(declaration.references).map(({ resource }) => resource);
    const facts = {
      name,
      type,
      deletedWith: declaration.deletedWith,
      dependencies: [...new Set([...references, ...(declaration.dependsOn ?? [])])],
      ...recordedOptions,
    };
    if (existing === undefined) return this.#create(facts, inputs);
    const { ignoreChanges: _ignored, retainOnDelete, protect, ...others } = existing;
    const renamed = this.#replace(existing, { ...others, ...facts });
    const replace = (news: Values, deletesFirst: boolean) => {
      if (protect) throw new ProviderFailure("PROTECTED", `${name} is protected, and cannot be replaced`);
      // The recorded option decides about the object that is replaced, not the one of the program.
      const { retainOnDelete: _, ...rest } = renamed;
      const replaced = this.#replace(renamed, { ...rest, ...(retainOnDelete && { retainOnDelete }) });
      return this.#replaceObject(replaced, facts, news, deletesFirst);
    };
    // The provider compares nothing then.
    if (declaration.isReplaced) return replace(inputs, deleteBeforeReplace ?? false);
    const diff = await this.provider.diff(renamed, inputs, ignoreChanges);
    const differs = diff.changes === "unknown" ? !sameJson(renamed.inputs, inputs) : diff.changes === "some";
    this.#detailedDiffs[name] = diff.detailed ?? {};
    const changed =
      diff.changes === "unknown" ? differentProperties(renamed.inputs, inputs) : diff.properties;
    const replaces = (property: string) => [property, "*"].some((name) => replaceOnChanges.includes(name));
    // What failed is a change of its own, which only `*` contains (step_generator.go, applyReplaceOnChanges).
    const hasFailed = renamed.initErrors.length > 0;
    if (diff.replaces.length > 0 || changed.some(replaces) || (hasFailed && replaces("#initerror"))) {
      // The engine checks the inputs of the program again, as those of a new resource, so `ignoreChanges` has no effect on them
      // (step_generator.go, continueStepsFromDiff).
      const news = await this.#check(declaration, {}, resolved);
      return replace(news, deleteBeforeReplace ?? diff.deleteBeforeReplace);
    }
    if (differs || hasFailed) return this.#update(renamed, inputs, ignoreChanges);
    this.#registerAs(this.#replace(renamed, { ...renamed, inputs }), "same", renamed);
  }

  async #check(
    resource: Parameters<ProviderConnection["check"]>[0],
    olds: Values,
    news: Values,
  ): Promise<Values> {
    const { inputs, failures } = await this.provider.check(resource, olds, news);
    if (failures.length > 0) throw new ProviderFailure("CHECK", failures.join("; "));
    return inputs;
  }

  #resolve(declaration: Declaration): Values | undefined {
    const { inputs, references, dependsOn = [], unknown = [], resolve } = declaration;
    const further = resolve?.((resource) => this.#resources.get(resource)?.outputs) ?? {};
    const values: Record<string, Json> = { ...inputs, ...further };
    if (dependsOn.some((resource) => !this.#resources.has(resource))) return undefined;
    if (this.operation === "preview") for (const input of unknown) values[input] = UNKNOWN;
    for (const [input, { resource, output }] of Object.entries(references)) {
      const outputs = this.#resources.get(resource)?.outputs;
      if (outputs === undefined) return undefined;
      values[input] = outputs[output] ?? UNKNOWN;
    }
    return values;
  }

  /** @param replaced the resource that the new one replaces */
  async #create(facts: Facts, inputs: Values, replaced?: Recorded): Promise<void> {
    const preview = this.operation === "preview";
    const base = { ...facts, inputs, initErrors: [] };
    if (preview && !this.provider.previews) {
      // The class of a Project in the program takes `projectId` from the id, which the engine does not know yet.
      const { projectId: _, ...others } = inputs;
      const outputs = facts.type === "Project" ? others : inputs;
      this.#registerAs({ ...base, id: "", outputs, refreshBeforeUpdate: false }, "create", replaced);
      return;
    }
    const now = { ...base, id: "", outputs: {}, refreshBeforeUpdate: false };
    this.#running = { name: facts.name, kind: "create", old: replaced, now };
    try {
      const created = await this.provider.create(facts, inputs, preview);
      const recorded = { ...base, ...created };
      if (!preview) this.#state.push(recorded);
      this.#registerAs(recorded, "create", replaced);
    } catch (error) {
      if (error instanceof ProviderFailure && error.partial && !preview) {
        const { reasons, ...partial } = error.partial;
        const recorded = { ...base, ...partial, initErrors: reasons };
        this.#state.push(recorded);
        this.#registered.add(recorded);
      }
      throw error;
    }
  }

  async #update(resource: Recorded, inputs: Values, ignoreChanges?: readonly string[]): Promise<void> {
    const preview = this.operation === "preview";
    this.#registered.add(resource);
    const now = { ...resource, inputs };
    if (preview && !this.provider.previews) {
      this.#registerAs(now, "update", resource);
      return;
    }
    this.#running = { name: resource.name, kind: "update", old: resource, now };
    try {
      const { id: _, ...written } = await this.provider.update(resource, inputs, preview, ignoreChanges);
      const recorded = { ...resource, ...written, inputs, initErrors: [] };
      this.#registerAs(preview ? recorded : this.#replace(resource, recorded), "update", resource);
    } catch (error) {
      // The state keeps the old inputs beside the outputs of the failure.
      if (error instanceof ProviderFailure && error.partial && !preview) {
        const { outputs, reasons, refreshBeforeUpdate } = error.partial;
        const failed = { ...resource, outputs, initErrors: reasons, refreshBeforeUpdate };
        this.#registered.add(this.#replace(resource, failed));
      }
      throw error;
    }
  }

  async #replaceObject(
    old: Recorded,
    facts: Facts,
    inputs: Values,
    deleteBeforeReplace: boolean,
  ): Promise<void> {
    this.#registered.add(old);
    const preview = this.operation === "preview";
    if (deleteBeforeReplace) {
      if (!old.retainOnDelete && !preview) await this.#delete(old);
      this.#drop(old);
      this.#steps.push({ name: old.name, kind: "delete", old, isHalf: true });
    }
    const replaced = deleteBeforeReplace ? old : { ...old, pendingDelete: true };
    await this.#create(facts, inputs, replaced).catch((error: unknown) => {
      // Its replacement is recorded (step.go, CreateStep.Apply).
      if (error instanceof ProviderFailure && error.partial && !preview && !deleteBeforeReplace)
        this.#replace(old, replaced);
      throw error;
    });
    if (!deleteBeforeReplace) this.#replace(old, replaced);
    const now = this.#resources.get(facts.name);
    this.#steps.push({ name: facts.name, kind: "replace", old: replaced, now });
  }

  /** Deletions come last, dependents first, and only if nothing failed. */
  async deleteRest(): Promise<void> {
    if (!this.mayGoOn) return;
    const rest = this.#state.filter((resource) => resource.pendingDelete || !this.#registered.has(resource));
    if (this.operation === "preview") {
      const isHalf = ({ pendingDelete }: Recorded) => pendingDelete === true;
      this.#steps.push(
        ...rest.map((old) => ({ name: old.name, kind: "delete", old, isHalf: isHalf(old) }) as const),
      );
      return;
    }
    for (const { name } of rest.filter((resource) => resource.protect && !resource.pendingDelete)) {
      const message = `${name} is protected, and cannot be deleted`;
      this.#failures.push({ name, during: "delete", code: "PROTECTED", message });
    }
    const isDeleted = (name: string) => rest.some((other) => !other.pendingDelete && other.name === name);
    for (const resource of [...rest].reverse()) {
      if (!this.mayGoOn) return;
      await this.#attempt(resource.name, "delete", async () => {
        const { deletedWith, retainOnDelete } = resource;
        const isDeletedWith = deletedWith !== undefined && isDeleted(deletedWith);
        if (!isDeletedWith && !retainOnDelete) await this.#delete(resource);
        this.#drop(resource);
        const isHalf = resource.pendingDelete === true;
        this.#steps.push({ name: resource.name, kind: "delete", old: resource, isHalf });
      });
    }
  }

  async #delete(old: Recorded): Promise<void> {
    this.#running = { name: old.name, kind: "delete", old };
    await this.provider.delete(old);
  }

  #registerAs(now: Recorded, kind: StepKind, old?: Recorded): void {
    this.#registered.add(now);
    this.#resources.set(now.name, now);
    this.#steps.push({ name: now.name, kind, old, now, isHalf: kind === "create" && old !== undefined });
  }

  #replace(old: Recorded, now: Recorded): Recorded {
    this.#state = this.#state.map((resource) => (resource === old ? now : resource));
    if (this.#registered.has(old)) this.#registered.add(now);
    return now;
  }

  #drop(old: Recorded): void {
    this.#state = this.#state.filter((resource) => resource !== old);
  }

  async #attempt(name: string, during: string, action: () => Promise<void>): Promise<void> {
    this.#running = undefined;
    try {
      await action();
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      if (this.#running !== undefined) this.#failedSteps.push(this.#running);
      this.#failures.push({ name, during, code: error.code, message: error.message });
    }
  }
}

type Facts = Pick<
  Recorded,
  "name" | "type" | "deletedWith" | "dependencies" | "ignoreChanges" | "retainOnDelete" | "protect"
>;

/** The recorded inputs in place of those that the program ignores. */
function withIgnored(news: Values, olds: Values, ignoreChanges: readonly string[] = []): Values {
  const isIgnored = (property: string) => [property, "*"].some((name) => ignoreChanges.includes(name));
  const values = Object.entries(news).filter(([property]) => !isIgnored(property));
  const kept = Object.entries(olds).filter(([property]) => isIgnored(property));
  return Object.fromEntries([...values, ...kept]);
}

function differentProperties(olds: Values, news: Values): readonly string[] {
  const names = new Set([...Object.keys(olds), ...Object.keys(news)]);
  return [...names].filter((name) => !sameJson(olds[name] ?? null, news[name] ?? null));
}

/** Equal without regard to the order of keys. */
export function sameJson(one: Json, other: Json): boolean {
  return canonical(one) === canonical(other);
}

/** JSON with sorted keys. */
export function canonical(value: Json): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** The value with something in place of each secret in it. */
export function replaceSecrets(value: Json, replacementOf: (secret: Values) => Json): Json {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((inner) => replaceSecrets(inner, replacementOf));
  const record = value as Values;
  if (record[SIGNATURE] === SECRET) return replacementOf(record);
  const entries = Object.entries(record).map(([key, inner]) => [key, replaceSecrets(inner, replacementOf)]);
  return Object.fromEntries(entries);
}

/** The values that a state file shows in clear text. */
export const withoutSecrets = (value: Json): Json => replaceSecrets(value, () => "[secret]");

/** The values without the marks of secrets. */
export const unwrapped = (value: Json): Json =>
  replaceSecrets(value, (secret) => unwrapped(secret.value ?? null));
