/** Plays a world: its steps against the sandbox and the real provider, with all invariants after each command. */
import type { RequestRecord, Sandbox } from "../../../sandbox";
import {
  type Declaration,
  type ImportTarget,
  type Operation,
  type OperationResult,
  type Recorded,
  unwrapped,
  type Values,
  withoutSecrets,
} from "../engine-model";
import { firstName, orgId, ownerName, privateKey, projectIds, start, teamIds } from "./beginning";
import { at } from "./draws";
import { checkDriftReport, runDrift } from "./drift";
import { type CommandResult, type Engine, type StartEngine, startModel } from "./engine";
import { exportedFrom } from "./events";
import { KeyInvariants } from "./keys";
import type { DeclareStep } from "./kinds";
import {
  API_KEY,
  candidatesOf,
  type Entry,
  Identities,
  isEnded,
  isPresent,
  isTrue,
  isUnlinked,
  matches,
  projectDifferences,
  remainsOf,
} from "./oracle";
import { OrganizationInvariants } from "./organization";
import { Outsiders } from "./outside";
import { checkPlaces, declaredBelow, deletionOf } from "./places";
import { entriesOf, Program } from "./program";
import { isExpectedRefusal } from "./refusals";
import { checkSaid } from "./said";
import {
  accountNamed,
  fold,
  ownersOf,
  type ProjectView,
  type ServiceView,
  sameSet,
  viewService,
} from "./service-view";
import { hasLeft, isRetained, mayBeReplaced, TeamInvariants } from "./teams";
import {
  type CommandStep,
  faultKinds,
  type ImportStep,
  requestKinds,
  type Step,
  slots,
  type World,
  type WorldFault,
} from "./world";

/** What playing worlds came to, in numbers. */
export interface Counts {
  steps: number;
  commands: number;
  faults: number;
  interruptions: number;
  /** Invariants that were checked, each once for each object it is about. */
  invariants: number;
  /** Texts in which each secret was searched for, times secrets. */
  secretsSearched: number;
  requests: number;
  /** Commands whose outcome the engine's model predicted. */
  predictions: number;
}

export const noCounts = (): Counts => ({
  steps: 0,
  commands: 0,
  faults: 0,
  interruptions: 0,
  invariants: 0,
  secretsSearched: 0,
  requests: 0,
  predictions: 0,
});

/** An invariant that does not hold. The name is stable, so that counterexamples can be distinguished. */
export class Counterexample extends Error {
  constructor(
    readonly invariant: string,
    readonly detail: string,
    /** One line for each step until then. */
    readonly story: readonly string[],
  ) {
    super(`${invariant}: ${detail}\n\n${story.join("\n")}`);
    this.name = "Counterexample";
  }
}

export interface PlayOptions {
  /** What carries out the commands; default: the engine's model in this process. */
  readonly startEngine?: StartEngine;
}

/**
 * Plays one world to its end.
 *
 * @throws Counterexample as soon as an invariant does not hold
 */
export async function playWorld(
  world: World,
  counts: Counts = noCounts(),
  { startEngine = startModel }: PlayOptions = {},
): Promise<void> {
  const requests: string[] = [];
  let onRequest: (line: string) => void = () => undefined;
  const sandbox = await start(world, (line) => {
    requests.push(line);
    onRequest(line);
  });
  const engine = startEngine(world, sandbox);
  // Waits between attempts are random, and no outcome depends on them.
  const { random } = Math;
  Math.random = () => 0;
  try {
    const listen = (listener: typeof onRequest) => {
      onRequest = listener;
    };
    const play = new Play(world, sandbox, engine, counts, listen);
    for (const step of world.steps) await play.step(step);
  } finally {
    Math.random = random;
    counts.requests += requests.length;
    await engine.close();
    await sandbox.close();
  }
}

interface CommandOutcome {
  readonly operation: Operation;
  readonly result: CommandResult;
  readonly before: ServiceView;
  readonly after: ServiceView;
  readonly stateBefore: readonly Recorded[];
  /** For whom the names stood before the command. */
  readonly identitiesBefore: Identities;
  /** Nothing disturbed the command. */
  readonly undisturbed: boolean;
  readonly isInterrupted: boolean;
  readonly requests: readonly RequestRecord[];
  readonly texts: readonly string[];
}

class Play {
  readonly #program: Program;
  readonly #outsiders: Outsiders;
  readonly #teams: TeamInvariants;
  readonly #keys: KeyInvariants;
  readonly #organization = new OrganizationInvariants((...invariant) => this.#holds(...invariant));
  readonly #identities = new Identities();
  readonly #story: string[] = [];
  #state: readonly Recorded[] = [];
  /** Whom the resources of the state may have been declared to be, since the last success. */
  #attempted: Entry[] = [];
  /** Whom each resource declared when an `up` had it last. */
  readonly #lastDeclared = new Map<string, readonly Entry[]>();
  /** The same, with those who were absent at a read since. */
  readonly #lastNamed = new Map<string, readonly Entry[]>();
  /** The state after the last success. */
  #settled: readonly Recorded[] = [];
  /** The program is the one of the last successful `up`. */
  #isApplied = true;
  /** Others have changed something that a stack without refreshBeforeUpdate has not read. */
  #isUnread = false;
  /** Others have changed something since the last refresh, and an update reads nothing before. */
  #isUnseen = false;
  /** Nothing more is known of what has to be true. */
  #isOver = false;

  constructor(
    private readonly world: World,
    private readonly sandbox: Sandbox,
    private readonly engine: Engine,
    private readonly counts: Counts,
    private readonly listen: (listener: (line: string) => void) => void,
  ) {
    this.#program = new Program({
      orgId,
      ownerName,
      projectIds,
      teamIds,
      firstName,
      currentName: (person) => this.#outsiders.accountOf(person)?.username ?? firstName(person),
      userId: (person) => this.#outsiders.accountOf(person)?.id,
      ldap: world.switches.ldap === true,
      idp: world.switches.idpMappings === "present",
      outputOf: ({ resource, output }) =>
        this.#state.find(({ name, pendingDelete }) => name === resource && !pendingDelete)?.outputs[output],
    });
    this.#outsiders = new Outsiders(world, sandbox, {
      program: this.#program,
      state: () => this.#state,
      onRename: (id, username) => {
        this.#isOver ||= this.#takesInvitedName(id, username);
      },
      onAgentKey: (id) => this.#teams.addForeignKey(id),
    });
    const service = this.#view();
    // The service refuses to show such a key most accounts that are only invited.
    this.#identities.readsAccounts = world.keyRoles !== "organization";
    this.#identities.observe(service);
    this.#teams = new TeamInvariants(service, (...invariant) => this.#holds(...invariant));
    this.#keys = new KeyInvariants(service, API_KEY, (...invariant) => this.#holds(...invariant));
  }

  async step(step: Step): Promise<void> {
    if (this.#isOver) return;
    this.counts.steps += 1;
    if ("run" in step) return this.#command(step);
    if ("outside" in step) {
      if (this.#isUnrecognizable(step)) return;
      const done = this.#outsiders.act(step);
      if (done !== undefined) this.#isUnread = true;
      if (done !== undefined && (this.#isWithoutRefresh || this.world.provider === "dynamic"))
        this.#isUnseen = true;
      if (done !== undefined && /team|name|organization/.test(step.outside)) this.#teams.forgetPeople();
      this.#log("outside", done);
      this.#identities.observe(this.#view());
      return;
    }
    if ("import" in step) return this.#import(step);
    if (this.#isUnrecognizable(step)) return;
    const done = this.#program.apply(step);
    if (done !== undefined) this.#isApplied = false;
    if ("remove" in step || "exchange" in step || "rename" in step) this.#teams.forgetPeople();
    this.#log("program", done);
  }

  /**
   * Without a read in the same run, a renamed account is not recognized if its resource gets another name or kind too
   * (docs/reliability.md; for the dynamic provider, docs/providers.md).
   */
  #isUnrecognizable(step: Step): boolean {
    if (this.world.provider === "plugin" && !this.#isWithoutRefresh) return false;
    if ("outside" in step) {
      return !this.#isApplied && (step.outside === "rename account" || step.outside === "reuse name");
    }
    const isMoved = "convert" in step || "exchange" in step || ("rename" in step && !step.alias);
    return this.#outsiders.renames > 0 && isMoved;
  }

  /** Settings apply to the plugin; the host of dynamic providers never reads before an update. */
  get #isWithoutRefresh(): boolean {
    return this.world.provider === "plugin" && this.world.settings?.refreshBeforeUpdate === false;
  }

  #log(what: string, done: string | undefined): void {
    if (done !== undefined) this.#story.push(`${what}: ${done}`);
  }

  #fail(invariant: string, detail: string): never {
    throw new Counterexample(invariant, detail, this.#story);
  }

  #view(): ServiceView {
    return viewService(this.sandbox);
  }

  /** `pulumi import`: the object is in the state and in the program afterwards. */
  async #import(step: ImportStep): Promise<void> {
    const declared = this.#importedStep(step);
    if (declared === undefined || !this.#program.canImport(declared.step)) return;
    const { id } = declared;
    const { type } = { type: step.import };
    const isHeld = this.#state.some((resource) => resource.type === type && resource.id === id);
    const overlaps =
      step.import.startsWith("ProjectMember") &&
      this.#entries().some(({ projectId }) => id.startsWith(projectId));
    if (isHeld || overlaps || !this.engine.imports) return;
    const name = this.#program.nameFor(declared.step);
    const outcome = await this.#run("import", { target: { name, type, id } });
    this.#checkSafety(outcome);
    const [failure] = outcome.result.failures;
    this.#holds(
      "whatever Read returns, Check accepts",
      failure?.code !== "IMPORT_CHECK",
      () => `${type} ${id}: ${failure?.message}`,
    );
    const recorded = this.#state.find((resource) => resource.name === name && resource.type === type);
    if (failure !== undefined || recorded === undefined) return;
    if (type === "AgentApiKey") this.#teams.importKey(String(recorded.outputs.keyId));
    this.#program.addImported(declared.step, recorded.inputs, name);
    this.#isApplied = false;
    const own = this.#entries().filter(({ resource }) => resource === name);
    this.#attempted.push(...own);
    this.#lastDeclared.set(name, own);
    this.#lastNamed.set(name, own);
    this.#holdAll(outcome.after);
    this.#recordMembers(outcome.result, outcome.before, outcome.after);
  }

  /** The object that the step is about, as the program declares it afterwards. */
  #importedStep(step: ImportStep): { readonly step: DeclareStep; readonly id: string } | undefined {
    const service = this.#view();
    const team = "team" in step ? this.#outsiders.teamNamed(step.team) : undefined;
    if (step.import === "Team") {
      const { resource } = step;
      return (
        team && {
          id: `${orgId}/${team.id}`,
          step: { declare: "Team", resource, team: step.team, people: [] },
        }
      );
    }
    const { slot } = step;
    const projectId = projectIds.get(slot);
    const project = projectId === undefined ? undefined : service.projects.get(projectId);
    if (project === undefined || project.orgId !== orgId) return undefined;
    switch (step.import) {
      case "Project":
        return { id: project.id, step: { declare: "Project", slot } };
      case "ProjectTeam":
        if (team === undefined || !project.teams.has(team.id)) return undefined;
        return {
          id: `${project.id}/${team.id}`,
          step: { declare: "ProjectTeam", slot, of: step.team, roles: [] },
        };
      case "AgentApiKey": {
        const keyId = at([...project.agentKeys.keys()], step.pick);
        const key = { declare: "AgentApiKey", slot, key: "two", description: "" } as const;
        return keyId === undefined ? undefined : { id: `${project.id}/${keyId}`, step: key };
      }
      case "ProjectMembers":
        return { id: project.id, step: { declare: "ProjectMembers", slot, people: {} } };
      case "ProjectMember": {
        const account = this.#outsiders.accountOf(step.person);
        const roles = account && project.members.get(account.id);
        if (account === undefined || roles === undefined) return undefined;
        const { person } = step;
        return {
          id: `${project.id}/${account.id}`,
          step: { declare: "ProjectMember", slot, person, by: "current name" },
        };
      }
    }
  }

  /**
   * Whether a declared account gets the name under which another declared account is invited to the project. The API shows
   * only the name of an invitation, so docs/reliability.md leaves open which of the two resources then records it.
   */
  #takesInvitedName(id: string, username: string): boolean {
    const entries = this.#entries();
    const isDeclared = (account: string | undefined, projectId: string) =>
      account !== undefined &&
      entries.some(
        (entry) => entry.projectId === projectId && this.#identities.everHeldBy(entry).includes(account),
      );
    return [...this.#view().projects.values()].some(({ id: projectId, invitations }) =>
      invitations.some(
        ({ name, account }) =>
          name === fold(username) &&
          account !== id &&
          isDeclared(account, projectId) &&
          isDeclared(id, projectId),
      ),
    );
  }

  // ------------------------------------------------------------------------------------------------ commands

  async #command(step: CommandStep): Promise<void> {
    await this.#carryOut(step);
    const mended = this.#program.respell();
    if (mended !== undefined) this.#isApplied = false;
    this.#log("program", mended);
  }

  async #carryOut(step: CommandStep): Promise<void> {
    if (step.run === "preview") return void (await this.#preview());
    if (step.run === "drift") return this.#drift();
    if (step.run === "refresh") {
      const outcome = await this.#run("refresh", { fault: step.fault });
      this.#checkSafety(outcome);
      if (outcome.result.ok) this.#isUnseen = false;
      return;
    }
    const preview = step.previewed ? await this.#preview() : undefined;
    // The engine refuses what an unknown input may replace.
    const refused = preview?.result.failures.filter(({ code }) => code !== "PROTECTED") ?? [];
    const first = await this.#run("up", { fault: step.fault, interruptAfter: step.interruptAfter });
    this.#holds(
      "an update does not do what its preview refuses",
      refused.length === 0 || !first.undisturbed || !first.result.ok,
      () => refused.map(({ name, message }) => `${name}: ${message}`).join("; "),
    );
    this.#checkSafety(first);
    if (!first.undisturbed && step.unrepeated) {
      this.#isUnread = true;
      // What an earlier program declared is removed by now.
      if (first.result.ok) this.#attempted = this.#entries();
      return;
    }
    let last = first;
    if (!first.undisturbed || (this.#isWithoutRefresh && this.#isUnread)) {
      if (this.#isWithoutRefresh) this.#checkSafety(await this.#run("refresh"));
      last = await this.#run("up");
      this.#checkSafety(last);
    }
    this.#isUnread = false;
    // Two resources for one person undo each other; the dynamic provider does not see that.
    if (this.#declaresTwice(last.after)) {
      // With renamed accounts, README leaves open which of them each of the two records from then on.
      this.#isOver = this.#outsiders.renames > 0;
      return;
    }
    if (!last.result.ok) {
      this.#unprotect(last.result);
      return this.#checkRefusal(last);
    }
    await this.#checkSuccess(last);
  }

  /** `pulumi state unprotect`, as the message of the refused command advises. */
  #unprotect({ failures }: OperationResult): void {
    const refused = failures.filter(({ code }) => code === "PROTECTED").map(({ name }) => name);
    this.#state = this.#state.map((resource) =>
      refused.includes(resource.name) ? { ...resource, protect: false } : resource,
    );
  }

  async #run(operation: Operation, { fault, interruptAfter, target }: Run = {}): Promise<CommandOutcome> {
    const { sandbox, counts } = this;
    counts.commands += 1;
    const texts: string[] = [];
    const settings = {
      baseUrl: sandbox.baseUrl,
      publicKey: sandbox.publicKey,
      privateKey,
      maxRetries: 1,
      // Only a request that gets no response may run into it, also on a busy machine.
      requestTimeoutSeconds: fault?.kind === "no response in time" ? 1 : 30,
      ...this.world.settings,
    };
    const onText = (severity: string, text: string) => void texts.push(`${severity}: ${text}`);
    const before = this.#view();
    const stateBefore = this.#state;
    const identitiesBefore = this.#identities.copy();
    let isInterrupted = false;
    let answered = 0;
    let passed = 0;
    const pattern = fault && requestKinds[fault.meets];
    const addFault = () => {
      if (fault === undefined) return;
      const { method, path } = requestKinds[fault.meets];
      const methods = method === undefined ? [undefined] : method.replace(/[()]/g, "").split("|");
      for (const one of methods) {
        sandbox.addFault({
          method: one,
          pathPattern: path,
          times: fault.times,
          fault: faultKinds[fault.kind],
        });
      }
    };
    sandbox.clearRequests();
    if (fault?.after === 0) addFault();
    this.listen((line) => {
      answered += 1;
      const [, , method = "", target = ""] = line.split(" ");
      const meets =
        pattern !== undefined &&
        new RegExp(`^${pattern.method ?? ".*"}$`).test(method) &&
        new RegExp(pattern.path).test(target);
      if (meets) {
        passed += 1;
        if (passed === fault?.after) addFault();
      }
      if (answered === interruptAfter) {
        isInterrupted = true;
        command.interrupt();
      }
    });
    if (operation === "up") this.#doubtUnknown(before);
    const command = this.engine.run({
      operation,
      declarations: this.#program.declarations,
      state: this.#state,
      target,
      settings,
      isFaulty: fault !== undefined,
      isInterruptible: interruptAfter !== undefined,
      onText,
    });
    let result: CommandResult;
    try {
      result = await command.result;
    } finally {
      this.listen(() => undefined);
      sandbox.clearFaults();
    }
    if (operation !== "preview") this.#state = result.state;
    const requests = sandbox.requests;
    const met = requests.filter(({ fault: name }) => name !== undefined).length;
    if (requests.some(({ path, fault: name }) => name !== undefined && /\/v1.0\/users\//.test(path))) {
      this.#identities.readsAccounts = false;
    }
    counts.faults += met;
    if (isInterrupted) counts.interruptions += 1;
    const disturbance = isInterrupted
      ? `, interrupted after ${interruptAfter} requests`
      : met > 0
        ? `, with "${fault?.kind}" on ${requests
            .filter(({ fault: name }) => name !== undefined)
            .map(({ method, path }) => `${method} ${path.replace(/^.*v1.0/, "")}`)
            .join(" and ")}`
        : "";
    this.#story.push(`pulumi ${operation}${disturbance}: ${summaryOf(result)}`);
    const after = this.#view();
    this.#identities.observe(after);
    const outcome = {
      operation,
      result,
      before,
      after,
      stateBefore,
      identitiesBefore,
      undisturbed: !isInterrupted && met === 0,
      isInterrupted,
      requests,
      texts,
    };
    if (result.prediction) {
      const { deviation } = result.prediction;
      counts.predictions += 1;
      this.#holds("the engine's model predicts the engine", deviation === undefined, () => String(deviation));
    }
    this.#checkTexts(outcome);
    const hidden = this.#program.misspelled.length > 0 ? requests.find(hasHiddenCharacter) : undefined;
    this.#holds(
      "no name with a hidden character is sent",
      hidden === undefined,
      () => `${hidden?.method} ${hidden?.path} ${JSON.stringify(hidden?.body)}`,
    );
    if (operation !== "preview") this.#forgetAbsent(result, before);
    if (operation === "up") {
      const entries = this.#entries();
      const isUnchanged = (entry: Entry) =>
        this.#lastDeclared.has(entry.resource) && changedNothing(entry, outcome);
      this.#attempted.push(...entries.filter((entry) => !isUnchanged(entry)));
      for (const entry of entries) {
        const { resource } = entry;
        if (isUnchanged(entry)) continue;
        const own = entries.filter((entry) => entry.resource === resource);
        this.#lastDeclared.set(resource, own);
        this.#lastNamed.set(resource, own);
      }
      const written = result.steps.filter(({ kind }) => kind === "create" || kind === "update");
      for (const entry of result.ok ? entries : []) {
        if (written.some(({ name }) => name === entry.resource)) this.#releaseAbsent(entry, after);
      }
      this.#holdAll(after);
    }
    if (operation !== "preview" && result.ok) this.#recordMembers(result, before, after);
    return outcome;
  }

  /**
   * The records of a declared name that a new resource may lack. The dynamic provider has the
   * record of another resource only if the same command has used it before. A member who left and
   * came back is in a record, but not declared.
   */
  #doubtUnknown({ projects }: ServiceView): void {
    for (const entry of this.#entries()) {
      const { aliases = [] } = this.#program.declarations.find(({ name }) => name === entry.resource) ?? {};
      const isNew = !this.#state.some(({ name }) => name === entry.resource || aliases.includes(name));
      const account = this.#identities.heldBy(entry);
      const isObservedOnly =
        account !== undefined &&
        projects.get(entry.projectId)?.members.has(account) === true &&
        !this.#identities.isStillDeclared(entry.projectId, account);
      if (isNew && (this.world.provider === "dynamic" || isObservedOnly)) this.#identities.doubt(entry);
    }
  }

  /** A refresh accepts that a member has left. Only an `up` with the resource in the program declares them again. */
  #forgetAbsent({ steps }: OperationResult, service: ServiceView): void {
    for (const { name, kind } of steps) {
      const declared = this.#lastDeclared.get(name);
      if (declared === undefined || (kind !== "read" && kind !== "read-deleted")) continue;
      const present =
        kind === "read-deleted"
          ? []
          : declared.filter((entry) => isPresent(entry, service, this.#identities));
      for (const entry of declared) if (!present.includes(entry)) this.#identities.release(entry);
      // A ProjectMembers records another account that has the name, but a read does not declare it.
      const isWhole = this.#state.some((one) => one.name === name && one.type === "ProjectMembers");
      const same = present.filter((entry) => !this.#releaseAbsent(entry, service) || !isWhole);
      this.#lastDeclared.set(name, same);
      // A returned member is recorded under the name, though not declared.
      const named = kind === "read-deleted" ? [] : (this.#lastNamed.get(name) ?? []);
      for (const entry of named) this.#hold(entry, service);
    }
  }

  /**
   * A read or write that finds only another account under the name records that account alone. From then on the account that
   * had the name before is like any other user whom the program does not name.
   *
   * @returns whether the name stood for an account that is absent
   */
  #releaseAbsent(entry: Entry, service: ServiceView): boolean {
    const { projectId, username, userId } = entry;
    const project = service.projects.get(projectId);
    if (userId !== undefined || username === undefined || project === undefined) return false;
    const named = accountNamed(service, username);
    const isTaken =
      (named !== undefined && project.members.has(named)) ||
      project.invitations.some(({ name }) => name === fold(username));
    if (!isTaken) return false;
    const isInvited = (account: string) => project.invitations.some((one) => one.account === account);
    return this.#identities.releaseAccounts(
      entry,
      (account) => !project.members.has(account) && !isInvited(account),
    );
  }

  async #preview(): Promise<CommandOutcome> {
    const outcome = await this.#run("preview");
    const { result, requests, after } = outcome;
    const write = requests.find(({ method }) => method !== "GET");
    this.#holds("a preview writes nothing", write === undefined, () => `${write?.method} ${write?.path}`);
    if (!result.ok || !this.#isApplied || (this.#isWithoutRefresh && this.#isUnread)) return outcome;
    for (const declaration of this.#program.declarations) {
      this.#checkDrift(declaration, result, after);
      this.#checkReported(declaration, outcome);
    }
    return outcome;
  }

  /** Of a program that is applied, and after that only others have changed anything. */
  async #drift(): Promise<void> {
    if (!this.#isApplied || !this.engine.isModel || this.#outsiders.renames > 0) return;
    const { baseUrl, publicKey } = this.sandbox;
    const preview = await this.engine.run({
      operation: "preview",
      declarations: this.#program.declarations,
      state: this.#state.map((resource) => ({ ...resource, refreshBeforeUpdate: true })),
      settings: { baseUrl, publicKey, privateKey, ...this.world.settings },
      isFaulty: false,
      isInterruptible: false,
      onText: () => undefined,
    }).result;
    const report = await runDrift({
      events: preview.events(),
      resources: exportedFrom(this.#state, this.world.provider),
      env: {
        OPSMANAGER_BASE_URL: baseUrl,
        OPSMANAGER_PUBLIC_KEY: publicKey,
        OPSMANAGER_PRIVATE_KEY: privateKey,
      },
    });
    this.#story.push(`opsmanager drift --unmanaged: exit code ${report.exitCode}`);
    const [service, identities] = [this.#view(), this.#identities];
    const entries = this.#entries();
    const { declarations: program } = this.#program;
    const situation = { service, program, state: this.#state, entries, identities };
    checkDriftReport(report, situation, (...invariant) => this.#holds(...invariant));
  }

  /**
   * A user in a project of which the program declares all people, who is not listed, is named. A role
   * in a project is no news of an owner of its organization.
   */
  #checkReported(declaration: Declaration, { texts, after }: CommandOutcome): void {
    const { type, name, inputs, options, unknown = [] } = declaration;
    const isWhole = type === "ProjectMembers" && inputs.removeUnlisted !== true;
    const isOpen = unknown.length > 0 || options?.ignoreChanges?.includes("members");
    const isInState = this.#state.some((resource) => resource.name === name);
    const project = after.projects.get(this.#projectIdBy(declaration) ?? "");
    if (!isWhole || isOpen || !isInState || project === undefined) return;
    const isOwner = (name: string) =>
      this.sandbox.state.users.some(
        ({ username, roles }) =>
          fold(username) === fold(name) &&
          roles.some((role) => role.orgId === project.orgId && role.roleName === "ORG_OWNER"),
      );
    for (const stranger of this.#strangersIn(declaration, project, after)) {
      if (isOwner(stranger)) continue;
      this.#holds(
        "an undeclared person is named in the preview",
        texts.some((text) => text.toLowerCase().includes(stranger)),
        () => `${stranger} in ${project.name}`,
      );
    }
  }

  /** Drift is empty exactly when program and service agree. */
  #checkDrift(declaration: Declaration, { steps }: OperationResult, service: ServiceView): void {
    const { name } = declaration;
    const kinds = steps
      .filter((step) => step.name === name && step.kind !== "read" && step.kind !== "read-deleted")
      .map(({ kind }) => kind);
    const isShown = kinds.some((kind) => kind !== "same");
    const expected = this.#hasDrift(declaration, service);
    const isOpen = (declaration.unknown ?? []).length > 0 || declaration.options?.ignoreChanges !== undefined;
    if (expected === undefined || isOpen) return;
    this.#holds("drift is shown exactly when there is some", isShown === (expected !== ""), () =>
      expected === ""
        ? `${name}: the preview shows ${kinds.join(", ")}, but everything is as declared`
        : `${name}: the preview shows nothing, but ${expected}`,
    );
  }

  /** @returns what differs, empty if nothing does, `undefined` where the documents leave it open */
  #hasDrift(declaration: Declaration, service: ServiceView): string | undefined {
    const projectId = this.#projectIdBy(declaration);
    const project = projectId === undefined ? undefined : service.projects.get(projectId);
    if (project === undefined || isOfTeams(declaration)) return undefined;
    if (declaration.type === "Project") {
      // The documents leave open how a move to another organization is shown.
      if (typeof declaration.inputs.orgId === "string" && declaration.inputs.orgId !== project.orgId)
        return undefined;
      return projectDifferences(unwrapped(declaration.inputs) as Values, project).join(", ");
    }
    const entries = entriesOf(declaration.name, declaration.type, declaration.inputs, project.id);
    const recorded = this.#lastDeclared.get(declaration.name) ?? [];
    const absent = entries.find(
      ({ username, userId }) =>
        !recorded.some((entry) => entry.username === username && entry.userId === userId),
    );
    const isInState = this.#state.some(({ name }) => name === declaration.name);
    if (absent || !isInState) return "a member was not in the project at the last refresh";
    const isOpen = (entry: Entry) => candidatesOf(entry, service, this.#identities).ambiguous;
    if (entries.some(isOpen)) return undefined;
    // Without a name in the program only recorded invitations count, and the record is one of a membership.
    const lost = entries.find(
      ({ userId }) =>
        declaration.type === "ProjectMember" &&
        userId !== undefined &&
        !project.members.has(userId) &&
        this.#state.some(({ name, outputs }) => name === declaration.name && outputs.status === "active"),
    );
    if (lost) return `${lost.userId} is not a member anymore`;
    const untrue = entries.find((entry) => !isTrue(entry, service, this.#identities));
    if (untrue) return `${untrue.userId ?? untrue.username} is not as declared`;
    if (declaration.type === "ProjectMembers") {
      const ended = this.#endedIn(declaration, project, service);
      if (ended.length > 0) return `the access of ${ended.join(", ")} has ended`;
      const strangers = this.#strangersIn(declaration, project, service);
      if (strangers.length > 0 && declaration.inputs.removeUnlisted === true) {
        return `${strangers.join(", ")} are not declared`;
      }
    }
    return "";
  }

  // ------------------------------------------------------------------------------------------------ invariants

  #holds(invariant: string, holds: boolean, detail: () => string): void {
    this.counts.invariants += 1;
    if (!holds) this.#fail(invariant, detail());
  }

  /** Id of the project that the declaration is about, if it has one. */
  #projectIdBy({ type, name, inputs, references }: Declaration): string | undefined {
    const { projectId } = inputs;
    if (typeof projectId === "string") return projectId;
    const project = type === "Project" ? name : references.projectId?.resource;
    const recorded = this.#state.find(
      (resource) => resource.type === "Project" && resource.name === project && !resource.pendingDelete,
    );
    const id = recorded?.outputs.projectId;
    return typeof id === "string" ? id : undefined;
  }

  /** Everyone whom the program declares now, as far as the projects exist. */
  #entries(): Entry[] {
    return this.#program.declarations.flatMap((declaration) => {
      const projectId = this.#projectIdBy(declaration);
      return projectId === undefined
        ? []
        : entriesOf(declaration.name, declaration.type, this.#effectiveInputs(declaration), projectId).map(
            (entry) => (ignoresRoles(declaration) ? { ...entry, roles: undefined } : entry),
          );
    });
  }

  /** An ignored property has the recorded value once the resource exists. */
  #effectiveInputs({ type, name, aliases, inputs, options }: Declaration): Values {
    const recorded = this.#state.find(
      (resource) => resource.type === type && (resource.name === name || aliases.includes(resource.name)),
    );
    const ignored = options?.ignoreChanges ?? [];
    if (recorded === undefined || ignored.length === 0) return inputs;
    const entries = Object.entries(inputs).filter(([property]) => !ignored.includes(property));
    const kept = Object.entries(recorded.inputs).filter(([property]) => ignored.includes(property));
    return Object.fromEntries([...entries, ...kept]);
  }

  /** Names of those whom the ProjectMembers neither declares nor ignores. */
  #strangersIn(declaration: Declaration, project: ProjectView, service: ServiceView): string[] {
    const entries = entriesOf(declaration.name, declaration.type, declaration.inputs, project.id);
    const candidates = entries.map((entry) => candidatesOf(entry, service, this.#identities));
    const patterns = (declaration.inputs.ignoreUsers as readonly string[] | undefined) ?? [];
    const isKnown = (name: string, id?: string) =>
      matches(patterns, name) ||
      candidates.some(
        ({ accounts, names }) =>
          (id !== undefined && accounts.has(id)) || (id === undefined && names.has(name)),
      );
    const members = [...project.members.keys()].map((id) => [service.names.get(id) ?? "", id] as const);
    return [
      ...members.filter(([name, id]) => !isKnown(name, id)).map(([name]) => name),
      ...project.invitations.filter(({ name }) => !isKnown(name)).map(({ name }) => name),
    ];
  }

  /** Names of those in the project of whom the ProjectMembers says that their access has ended, and whom no account was renamed to. */
  #endedIn({ inputs }: Declaration, project: ProjectView, { names }: ServiceView): string[] {
    const isSure = (account: string | undefined) =>
      account === undefined || this.#identities.namesOf(account).size === 1;
    return [
      ...[...project.members.keys()].map((account) => ({ name: names.get(account) ?? "", account })),
      ...project.invitations,
    ]
      .filter((who) => isSure(who.account) && isEnded(inputs, who, this.#identities))
      .map(({ name }) => name);
  }

  #checkTexts({ result, texts, requests }: CommandOutcome): void {
    const { projects, keys } = this.sandbox.state;
    const agentKeys = projects.map(({ agentApiKey }) => agentApiKey);
    const secretTags = slots.map((slot) => `SECRET_${slot.toUpperCase()}_TAG`);
    const haystack = [
      ...texts,
      ...result.failures.map(({ message }) => message),
      ...result.state.map((resource) => JSON.stringify(withoutSecrets(resource as unknown as Values))),
    ];
    const needles = [privateKey, ...agentKeys, ...this.#secretTagsInUse(secretTags, result.state)];
    this.counts.secretsSearched += haystack.length * needles.length;
    for (const needle of needles) {
      const leak = haystack.find((text) => text.toLowerCase().includes(needle.toLowerCase()));
      this.#holds("no secret is shown", leak === undefined, () => `${needle} in ${leak}`);
    }
    const internal = result.failures.find(
      ({ code, message }) => code === "INTERNAL" || /fault of the provider/.test(message),
    );
    this.#holds("no internal error", internal === undefined, () => `${internal?.name}: ${internal?.message}`);
    const secretKeys = [
      ...projects.flatMap((project) => project.agentKeys.map(({ key }) => key)),
      ...keys.filter(({ publicKey }) => publicKey !== API_KEY).map((key) => key.privateKey),
    ];
    for (const key of secretKeys) {
      // The engine marks the outputs that a class of the dynamic provider names; its model does not.
      const shown = this.world.provider === "plugin" ? haystack : [...texts];
      const leak = shown.find((text) => text.includes(key));
      this.#holds("no secret is shown", leak === undefined, () => `${key} in ${leak}`);
    }
    const ours = requests.find(({ internalError }) => internalError !== undefined);
    this.#holds("the sandbox has no internal error", ours === undefined, () => String(ours?.internalError));
  }

  /** Only while the program marks them as secret: a tag that was read from the service before is public. */
  #secretTagsInUse(tags: readonly string[], state: readonly Recorded[]): string[] {
    const secretNow = this.#program.declarations.filter(
      ({ inputs }) => JSON.stringify(inputs) !== JSON.stringify(withoutSecrets(inputs)),
    );
    const text = JSON.stringify(secretNow.map(({ inputs }) => unwrapped(inputs)));
    // A preview reads as well, and its result is not the state.
    const isPublic = [...this.#state, ...state].some(
      ({ inputs, outputs }) =>
        /SECRET_\w+_TAG/.test(JSON.stringify(outputs)) &&
        JSON.stringify(inputs) === JSON.stringify(withoutSecrets(inputs)),
    );
    return isPublic ? [] : tags.filter((tag) => text.includes(tag));
  }

  /** What holds after every command, however it ended. */
  #checkSafety(outcome: CommandOutcome): void {
    const { before, after } = outcome;
    const now = this.#entries();
    const { maxRemovalsPerRun = 100 } = this.world.settings ?? {};
    checkPlaces({ ...outcome, ...this.#below(outcome), maxRemovalsPerRun }, (...invariant) =>
      this.#holds(...invariant),
    );
    for (const [id, project] of before.projects) {
      const later = after.projects.get(id);
      if (later === undefined) this.#checkDeleted(project, outcome);
      else {
        this.#checkProject(project, later, outcome.stateBefore);
        this.#checkPeople(project, later, now, outcome);
      }
    }
    for (const [id, project] of after.projects) {
      if (!before.projects.has(id)) this.#checkNew(project, now, outcome);
      this.#checkRecorded(project, now, outcome);
      this.#checkTwice(before.projects.get(id), project, outcome);
    }
    const { program, identities } = { program: this.#program.declarations, identities: this.#identities };
    const { provider } = this.world;
    const projectIdOf = (declaration: Declaration) => this.#projectIdBy(declaration);
    this.#teams.checkSafety({ ...outcome, provider, program, projectIdOf, entries: now, identities });
    this.#keys.checkSafety({ ...outcome, program });
    this.#organization.checkSafety({ ...outcome, program, identities });
    this.#checkVanished(outcome, now);
    this.#checkKept(outcome, now);
    this.#checkSaid(outcome);
  }

  /** What the state does not show yet, or shows under another name, no summary of the run can name. */
  #checkSaid(outcome: CommandOutcome): void {
    const { operation, before, after, result, stateBefore, undisturbed, isInterrupted } = outcome;
    if (operation !== "up" || this.#isUnseen || this.#outsiders.renames > 0) return;
    if (this.#declaresTwice(after)) return;
    if (!undisturbed && !isInterrupted) return;
    const resources = exportedFrom(stateBefore, this.world.provider);
    const run = { before, after, events: result.events(), resources, ok: result.ok };
    checkSaid(run, (...invariant) => this.#holds(...invariant));
  }

  #below({ before, after, stateBefore, result }: CommandOutcome) {
    const { declarations: program } = this.#program;
    const [entries, identities] = [this.#entries(), this.#identities];
    return { before, after, stateBefore, state: result.state, program, entries, identities };
  }

  #checkDeleted(project: ProjectView, { stateBefore }: CommandOutcome): void {
    // After a failed `up` two resources may be recorded for one project: the renamed one, and the one before.
    const recorded = stateBefore.filter(
      ({ type, outputs }) => type === "Project" && outputs.projectId === project.id,
    );
    const isDeclared = this.#program.declarations.some(
      (declaration) =>
        declaration.type === "Project" &&
        (recorded.some(({ name }) => name === declaration.name) ||
          declaration.inputs.projectId === project.id),
    );
    const isReplaced = this.#program.declarations.some(
      (declaration) => mayBeReplaced(declaration) && recorded.some(({ name }) => name === declaration.name),
    );
    const mayGo =
      recorded.some(({ outputs }) => outputs.onDestroy === "delete") && (!isDeclared || isReplaced);
    this.#holds("only projects that leave the program are deleted", mayGo, () => project.name);
  }

  #checkProject(before: ProjectView, after: ProjectView, state: readonly Recorded[]): void {
    const declaration = this.#program.declarations.find(
      (candidate) => candidate.type === "Project" && this.#projectIdBy(candidate) === after.id,
    );
    const inputs = unwrapped(declaration?.inputs ?? {}) as Values;
    const former = declaration === undefined ? [] : formerPatterns([...state, ...this.#settled], declaration);
    const ignoreTags = [...patternsIn(inputs, "ignoreTags"), ...former];
    const differences = projectDifferences({ ...inputs, ignoreTags }, after);
    const changed = (["name", "tags", "ldapGroupMappings", "idpGroupMappings"] as const).filter(
      (property) => String(before[property]) !== String(after[property]),
    );
    for (const property of changed) {
      const isDeclared = inputs[property] !== undefined;
      this.#holds(
        "only what is declared is changed",
        isDeclared && !differences.includes(property),
        () =>
          `${property} of ${before.name} became ${after[property]}${isDeclared ? ", which is not declared" : ""}`,
      );
    }
    const owners = ownersOf(before);
    // With other owners, the service lets a ProjectMember demote the last direct one. A ProjectMembers never does.
    const { teamOwners = false, orgOwners = false } = this.world.switches;
    const isWhole = (type: string, id: unknown) => type === "ProjectMembers" && id === after.id;
    const isListed =
      state.some(({ type, outputs }) => isWhole(type, outputs.projectId)) ||
      this.#program.declarations.some((one) => isWhole(one.type, this.#projectIdBy(one)));
    this.#holds(
      "no project loses its last owner",
      owners.length === 0 || ownersOf(after).length > 0 || ((teamOwners || orgOwners) && !isListed),
      () => before.name,
    );
  }

  /** Every change of a person's membership has its reason in the program. */
  #checkPeople(
    before: ProjectView,
    after: ProjectView,
    now: readonly Entry[],
    outcome: CommandOutcome,
  ): void {
    const accounts = new Set([...before.members.keys(), ...after.members.keys()]);
    for (const id of accounts) {
      const [was, is] = [before.members.get(id), after.members.get(id)];
      if (was !== undefined && is !== undefined && sameSet(was, is)) continue;
      if (was === undefined && is === undefined) continue;
      const name = outcome.after.names.get(id) ?? id;
      this.#checkTouched(after, { name, id }, was, is, now, outcome);
    }
    const invitations = new Set([...before.invitations, ...after.invitations].map(({ id }) => id));
    for (const id of invitations) {
      const [was, is] = [before, after].map(({ invitations: all }) => all.find((one) => one.id === id));
      if (was !== undefined && is !== undefined && sameSet(was.roles, is.roles)) continue;
      const { name = "", account } = was ?? is ?? {};
      this.#checkTouched(after, { name, account }, was?.roles, is?.roles, now, outcome);
    }
  }

  #checkTouched(
    project: ProjectView,
    /** A member has an `id`; the service stores the `account` of an invitation. */
    who: { readonly name: string; readonly id?: string; readonly account?: string | undefined },
    was: readonly string[] | undefined,
    is: readonly string[] | undefined,
    now: readonly Entry[],
    { before, after, identitiesBefore }: CommandOutcome,
  ): void {
    // Who leaves the organization leaves its projects, and no invitation to them is left.
    const member = who.id ?? who.account ?? accountNamed(before, who.name);
    if (is === undefined && hasLeft(member, { before, after })) return;
    const means = (entry: Entry): boolean => {
      const { accounts, names } = candidatesOf(entry, after, this.#identities);
      return who.id === undefined ? names.has(who.name) : accounts.has(who.id);
    };
    const about = `${who.id === undefined ? "the invitation of " : ""}${who.name} in ${project.name}: ${was?.join(", ") ?? "nothing"} became ${is?.join(", ") ?? "nothing"}`;
    const declared = now.filter((entry) => entry.projectId === project.id && means(entry));
    const { id } = who;
    const earlier = before.projects.get(project.id);
    const isStranger =
      is === undefined &&
      id !== undefined &&
      declared.every((entry) => isUnlinked(entry, id, earlier, after, identitiesBefore));
    if (declared.length > 0 && !isStranger) {
      const isWanted =
        is === undefined
          ? this.#areDeletedFirst(declared) ||
            (who.id === undefined && declared.every((entry) => this.#isNameless(entry))) ||
            (who.id === undefined && this.#isMemberOrReplaced(project, declared))
          : declared.some(({ roles }) => roles === undefined || sameSet(roles, is));
      this.#holds("a declared person gets exactly the declared roles", isWanted, () => about);
      return;
    }
    const attempted = this.#attempted.filter(({ projectId }) => projectId === project.id);
    const wasDeclaredById = id !== undefined && attempted.some(({ userId }) => userId === id);
    // A removal that was not allowed, or failed, is tried again.
    const account = id ?? who.account;
    const isStillDeclared = account !== undefined && identitiesBefore.isStillDeclared(project.id, account);
    if (
      (attempted.some(means) && (declared.length === 0 || wasDeclaredById)) ||
      (declared.length === 0 && isStillDeclared)
    ) {
      this.#holds(
        "a person who leaves the program is removed or stays as they are",
        is === undefined,
        () => about,
      );
      return;
    }
    const whole = this.#program.declarations.find(
      (declaration) => declaration.type === "ProjectMembers" && this.#projectIdBy(declaration) === project.id,
    );
    const patterns = (whole?.inputs.ignoreUsers as readonly string[] | undefined) ?? [];
    // An invitation of a member goes with the member, by whatever name it was sent.
    const isOfMember = who.account !== undefined && earlier?.members.has(who.account) === true;
    const nameOfPerson = (isOfMember && before.names.get(who.account)) || who.name;
    const mayGo =
      whole !== undefined &&
      is === undefined &&
      !matches(patterns, nameOfPerson) &&
      (whole.inputs.removeUnlisted === true ||
        isEnded(whole.inputs, { name: nameOfPerson, account }, this.#identities));
    this.#holds("no other member is touched", mayGo, () => about);
  }

  /** The key may not read the name of the account, so nothing shows that an invitation is for it. */
  #isNameless({ username }: Entry): boolean {
    return !this.#identities.readsAccounts && username === undefined;
  }

  /** The program has their resources deleted before they are created again. */
  #areDeletedFirst(entries: readonly Entry[]): boolean {
    const service = this.#view();
    const deletedFirst = this.#program.declarations.filter(({ options }) => options?.deleteBeforeReplace);
    return entries.some((entry) =>
      deletedFirst.some((declaration) => {
        if (declaration.name === entry.resource) {
          return mayBeReplaced(declaration) || this.#getsUnreadName(entry);
        }
        // It declares another person now, and was replaced before the engine knew of the resource of the entry.
        return this.#attempted.some(
          (former) =>
            former.resource === declaration.name &&
            former.projectId === entry.projectId &&
            this.#meanTheSame(former, entry, service),
        );
      }),
    );
  }

  /** Without a refresh, the provider does not know that the account was renamed: another name replaces a ProjectMember. */
  #getsUnreadName({ resource, username }: Entry): boolean {
    // Its creation after the deletion may have failed, so the state may lack it.
    const declared = this.#program.declarations.find(({ name }) => name === resource);
    const names = this.#attempted.filter((former) => former.resource === resource);
    return (
      this.#isWithoutRefresh &&
      declared?.type === "ProjectMember" &&
      names.some((former) => former.username !== username)
    );
  }

  /** An invitation may go where the person is a member now or is invited by another one. */
  #isMemberOrReplaced(project: ProjectView, declared: readonly Entry[]): boolean {
    const service = this.#view();
    return declared.some((entry) => {
      const { accounts, names } = candidatesOf(entry, service, this.#identities);
      return (
        [...accounts].some((id) => project.members.has(id)) ||
        project.invitations.some(({ name }) => names.has(name))
      );
    });
  }

  #checkNew(project: ProjectView, now: readonly Entry[], { after, result }: CommandOutcome): void {
    const recorded = result.state.some(
      ({ outputs, type }) => type === "Project" && outputs.projectId === project.id,
    );
    this.#holds(
      "what was created is recorded",
      recorded || isOutcomeUnknown(result),
      () => `project ${project.name}`,
    );
    const declared = now.filter(({ projectId }) => projectId === project.id);
    const candidates = declared.map((entry) => candidatesOf(entry, after, this.#identities));
    for (const id of project.members.keys()) {
      const isOwner = after.names.get(id) === ownerName;
      const isDeclared = candidates.some(({ accounts }) => accounts.has(id));
      this.#holds(
        "no other member is touched",
        isOwner || isDeclared,
        () => `${after.names.get(id)} in ${project.name}`,
      );
    }
  }

  /** Every added or invited user is in the state, so that a later `up` can remove them. */
  #checkRecorded(project: ProjectView, now: readonly Entry[], outcome: CommandOutcome): void {
    const { before, after, result } = outcome;
    if (isOutcomeUnknown(result)) return;
    const isThere = (entry: Entry, service: ServiceView) => isPresent(entry, service, this.#identities);
    for (const entry of now.filter(({ projectId }) => projectId === project.id)) {
      // The service adds the owner to a new project.
      const isByService = !before.projects.has(project.id) && entry.username === ownerName;
      const isNew = !isByService && isThere(entry, after) && !isThere(entry, before);
      // Two entries may mean one person. One of them is refused then.
      const meaning = now.filter((other) => other === entry || this.#meanTheSame(other, entry, after));
      const isRecorded = meaning.some(({ resource }) => result.state.some(({ name }) => name === resource));
      this.#holds(
        "what was created is recorded",
        !isNew || isRecorded,
        () => `${entry.userId ?? entry.username} in ${project.name}`,
      );
    }
  }

  #checkTwice(
    before: ProjectView | undefined,
    project: ProjectView,
    { before: old, after: now, requests }: CommandOutcome,
  ): void {
    const named = ({ projects }: ServiceView) =>
      [...projects.values()].filter(({ name, orgId: org }) => name === project.name && org === project.orgId)
        .length;
    this.#holds("no second project", named(now) <= Math.max(1, named(old)), () => project.name);
    // Two responses that mean "operation not offered" prove that no one is invited (DESIGN.md, "No invitations" needs proof).
    const hidden = requests.filter(
      ({ method, path, fault, status = 0 }) =>
        method === "GET" &&
        path.endsWith(`/groups/${project.id}/invites`) &&
        fault !== undefined &&
        [404, 405, 501].includes(status),
    );
    if (hidden.length >= 2) return;
    const invitedTo = (view: ProjectView | undefined, name: string) =>
      view?.invitations.filter((invitation) => invitation.name === name).length ?? 0;
    for (const { name } of project.invitations) {
      const isFine = invitedTo(project, name) <= Math.max(1, invitedTo(before, name));
      this.#holds("no second invitation", isFine, () => `${name} to ${project.name}`);
    }
  }

  /** What leaves the state is deleted, released, or declared elsewhere. */
  #checkVanished(
    { stateBefore, result, before, after, identitiesBefore, texts }: CommandOutcome,
    now: readonly Entry[],
  ): void {
    const isStill = (resource: Recorded) =>
      result.state.some(
        ({ type, name, id }) => type === resource.type && (id === resource.id || name === resource.name),
      );
    for (const resource of stateBefore) {
      if (isStill(resource) || isOfTeams(resource)) continue;
      if (isRetained(resource, this.#program.declarations, this.world.provider)) continue;
      const projectId = String(resource.outputs.projectId);
      const project = after.projects.get(projectId);
      if (project === undefined) continue;
      const released = isReleased(resource, stateBefore);
      const isDeleted = result.steps.some(
        ({ name, kind }) => name === resource.name && kind === "read-deleted",
      );
      if (resource.type === "Project") {
        this.#holds("nothing that exists leaves the state", !isDeleted && released, () => resource.name);
        continue;
      }
      if (resource.type === "ProjectMembers") {
        this.#holds("nothing that exists leaves the state", !isDeleted, () => resource.name);
      }
      const withProject =
        resource.deletedWith !== undefined &&
        !this.#program.declarations.some(({ name }) => name === resource.deletedWith);
      if ((released && !isDeleted) || withProject) continue;
      // Only the people of the last program count as declared.
      const isWhole = resource.type === "ProjectMembers";
      const known = isWhole ? (this.#lastDeclared.get(resource.name) ?? []) : this.#attempted;
      const entries = known.filter(
        (entry) => entry.resource === resource.name && entry.projectId === projectId,
      );
      // After a failed update, destroying also takes `ignoreUsers` from the inputs of the last success.
      const patterns = [resource.outputs, resource.inputs].flatMap((values) =>
        patternsIn(values, "ignoreUsers"),
      );
      for (const entry of entries) {
        if (isWhole && matches(patterns, entry.username ?? "")) continue;
        // The program leaves the list to others: a refresh writes all people into it and declares none of them.
        if (isWhole && entry.roles === undefined) continue;
        // A refresh found that the person had left, and no update has declared the returned person since.
        if (isWhole && !isDeclaredIn(resource, entry)) continue;
        // A resource that is not recorded holds no one, whatever the program declares.
        const isDeclared = now.some(
          (other) =>
            other.projectId === projectId &&
            this.#meanTheSame(other, entry, after) &&
            result.state.some(({ name }) => name === other.resource),
        );
        // The resource gave them to another one that leaves as well.
        const isPassedOn = this.#attempted.some(
          (other) =>
            other.resource !== entry.resource &&
            other.projectId === projectId &&
            this.#meanTheSame(other, entry, after) &&
            stateBefore.some((one) => one.name === other.resource && isReleased(one, stateBefore)),
        );
        // The name was declared before, and whom it stood for has left.
        const isLatest = (this.#lastDeclared.get(resource.name) ?? []).some(
          ({ username, userId }) => username === entry.username && userId === entry.userId,
        );
        if (!isLatest && this.#identities.heldBy(entry) === undefined) continue;
        // Only the membership was recorded: the service had another invitation beside it.
        const isBeside = resource.outputs.status === "active" && isDeleted;
        const rest =
          isDeclared || isBeside || isPassedOn
            ? undefined
            : remainsOf(entry, { before: before.projects.get(projectId), project }, after, identitiesBefore);
        // An adopted invitation does not show its account, and its name is another's now.
        const isUnknown =
          resource.outputs.origin === "adopted" &&
          resource.outputs.userId === undefined &&
          rest?.account !== undefined &&
          fold(after.names.get(rest.account) ?? "") !== fold(String(resource.outputs.username));
        const owners = ownersOf(project);
        const isLastOwner = owners.length === 1 && owners[0] === rest?.account;
        this.#holds(
          "no member who left the state is left behind",
          rest === undefined ||
            isUnknown ||
            isLastOwner ||
            isLastRecordedOwner(resource, rest.account, texts),
          () => `${resource.name} left the state, but ${rest?.text} is still in ${project.name}`,
        );
      }
    }
  }

  #meanTheSame(one: Entry, other: Entry, service: ServiceView): boolean {
    const [left, right] = [one, other].map((entry) => candidatesOf(entry, service, this.#identities));
    return (
      [...(left?.accounts ?? [])].some((id) => right?.accounts.has(id)) ||
      [...(left?.names ?? [])].some((name) => right?.names.has(name))
    );
  }

  #declaresTwice(service: ServiceView): boolean {
    const entries = this.#entries();
    const { declarations } = this.#program;
    const teams = this.#state
      .filter(({ type, name }) => isOfTeams({ type }) && declarations.some((one) => one.name === name))
      .map(({ type, id }) => `${type} ${id}`);
    if (this.world.provider === "dynamic" && new Set(teams).size < teams.length) return true;
    return entries.some((one, index) =>
      entries
        .slice(index + 1)
        .some((other) => one.projectId === other.projectId && this.#meanTheSame(one, other, service)),
    );
  }

  /** A user who is declared before and after keeps the membership in between. */
  #checkKept({ requests, before, after }: CommandOutcome, now: readonly Entry[]): void {
    for (const { method, path, status } of requests) {
      if (method !== "DELETE" || status === undefined || status >= 300) continue;
      const [, projectId = "", kind = "", id = ""] = /groups\/(\w+)\/(users|invites)\/(\w+)/.exec(path) ?? [];
      const project = before.projects.get(projectId);
      if (project === undefined) continue;
      const invitation = project.invitations.find((one) => one.id === id);
      for (const entry of now.filter((one) => one.projectId === projectId)) {
        const { accounts, names, ambiguous } = candidatesOf(entry, after, this.#identities);
        const isActive = [...accounts].some((account) => project.members.has(account));
        const lost =
          kind === "users"
            ? accounts.has(id)
            : invitation !== undefined && names.has(invitation.name) && !isActive && !this.#isNameless(entry);
        this.#holds(
          "no member who stays declared is removed in between",
          !lost || ambiguous || this.#areDeletedFirst([entry]),
          () => `${entry.userId ?? entry.username} in ${project.name}`,
        );
      }
    }
  }

  #checkRefusal(outcome: CommandOutcome): void {
    for (const failure of outcome.result.failures) {
      const expected = isExpectedRefusal(failure, {
        ...this.world,
        before: outcome.before,
        after: outcome.after,
        state: outcome.stateBefore,
        program: this.#program.declarations,
        isRenamed: this.#outsiders.renames > 0,
        misspelled: this.#program.misspelled,
        onlyLoses: (name) => this.#onlyLoses(name, outcome),
        losesBelow: (name) =>
          outcome.stateBefore
            .filter((record) => record.name === name)
            .flatMap((record) => deletionOf(record, outcome.before) ?? [])
            .some((deletion) => declaredBelow(deletion, this.#below(outcome), false).length > 0),
      });
      this.#holds(
        "nothing fails without a reason",
        expected,
        () => `${failure.name} (${failure.during}): ${failure.code} ${failure.message}`,
      );
    }
  }

  #onlyLoses(name: string, { stateBefore, before, identitiesBefore }: CommandOutcome): boolean {
    const { inputs, options } = this.#program.declarations.find((one) => one.name === name) ?? {};
    const isKept = stateBefore.some((one) => one.name === name && !one.pendingDelete);
    const isReplaced = options?.replaceOnChanges !== undefined || inputs?.removeUnlisted === true;
    const has = (entry: Entry) => {
      const { accounts, names, ambiguous } = candidatesOf(entry, before, identitiesBefore);
      const project = before.projects.get(entry.projectId);
      const live = [...(project?.members ?? [])]
        .filter(([account]) => accounts.has(account))
        .map(([, roles]) => roles)
        .concat(project?.invitations.filter((one) => names.has(one.name)).map(({ roles }) => roles) ?? []);
      return !ambiguous && live.some((roles) => entry.roles?.every((role) => roles.includes(role)) ?? true);
    };
    return (
      isKept &&
      !isReplaced &&
      this.#entries()
        .filter(({ resource }) => resource === name)
        .every(has)
    );
  }

  async #checkSuccess(outcome: CommandOutcome): Promise<void> {
    const { after, result, stateBefore } = outcome;
    const { declarations } = this.#program;
    for (const declaration of declarations) {
      const isRecorded = result.state.some(
        ({ name, type }) => name === declaration.name && type === declaration.type,
      );
      this.#holds("everything declared is recorded", isRecorded, () => declaration.name);
      const projectId = this.#projectIdBy(declaration);
      const project = projectId === undefined ? undefined : after.projects.get(projectId);
      if (project === undefined && !["Team", "ApiKey", "OrganizationMember"].includes(declaration.type)) {
        // Another resource that this `up` destroyed had adopted it with `onDestroy: "delete"`.
        const wasThere = projectId !== undefined && outcome.before.projects.has(projectId);
        this.#holds("everything declared exists", wasThere, () => declaration.name);
        this.#isUnread = true;
        return;
      }
      if (declaration.type === "OrganizationMember") {
        const recorded = result.state.find(
          ({ name, pendingDelete }) => name === declaration.name && !pendingDelete,
        );
        const { before } = outcome;
        const waits = this.#organization.checkTrue(declaration, recorded, {
          before,
          after,
          identities: this.#identities,
        });
        if (waits) this.#isApplied = false;
        if (waits) return;
        continue;
      }
      if (isOfTeams(declaration)) {
        const recorded = result.state.find(
          ({ name, pendingDelete }) => name === declaration.name && !pendingDelete,
        );
        if (isOfKeys(declaration)) this.#keys.checkTrue(declaration, recorded, after);
        else {
          const isNew = !stateBefore.some(({ id }) => id === recorded?.id);
          this.#teams.checkTrue(declaration, recorded, after, this.#identities, isNew);
        }
        continue;
      }
      if (project === undefined) continue;
      if (declaration.type === "Project") {
        const inputs = unwrapped(declaration.inputs) as Values;
        const patterns = [
          ...patternsIn(inputs, "ignoreTags"),
          ...formerPatterns([...stateBefore, ...this.#settled], declaration),
        ];
        const ignored = declaration.options?.ignoreChanges ?? [];
        const differences = projectDifferences({ ...inputs, ignoreTags: patterns }, project).filter(
          (property) => !ignored.includes(property),
        );
        this.#holds(
          "a successful up makes everything true",
          differences.length === 0,
          () => `${differences.join(", ")} of ${declaration.name}`,
        );
      } else {
        const ended = this.#endedIn(declaration, project, after);
        this.#holds(
          "a person whose access has ended has left",
          ended.length === 0,
          () => `${ended.join(", ")} in ${project.name}`,
        );
        if (declaration.options?.ignoreChanges?.includes("members")) continue;
        for (const entry of this.#entries().filter(({ resource }) => resource === declaration.name)) {
          // The next `up` invites again whom a replaced resource has taken back.
          if (this.#isNameless(entry) && !isTrue(entry, after, this.#identities)) {
            this.#isApplied = false;
            return;
          }
          this.#holds(
            "a successful up makes everything true",
            isTrue(entry, after, this.#identities),
            () =>
              `${entry.userId ?? entry.username} in ${project.name} is not ${entry.roles?.join(", ") ?? "there"}`,
          );
        }
      }
    }
    this.#attempted = this.#entries();
    this.#identities.holdOnly(this.#attempted);
    this.#isApplied = true;
    // A pattern that leaves the program protects for one more `up`.
    const waits = declarations.some((declaration) => {
      const property = declaration.type === "Project" ? "ignoreTags" : "ignoreUsers";
      const patterns = patternsIn(declaration.inputs, property);
      return formerPatterns([...stateBefore, ...this.#settled], declaration).some(
        (pattern) => !patterns.includes(pattern),
      );
    });
    this.#program.forgetAliases();
    this.#settled = result.state;
    // The first up after an adoption may remove the people who are not listed.
    const adopts = result.state.some(
      ({ name, outputs }) =>
        outputs.origin !== "created" &&
        (outputs.removeUnlisted === true || outputs.endedUsers !== undefined) &&
        !stateBefore.some((resource) => resource.name === name && resource.outputs.removeUnlisted === true),
    );
    // A ProjectTeam may have lost its team, which this up deleted last.
    const deletes = stateBefore.some(
      ({ type, outputs }) => type === "Team" && !after.teams.has(String(outputs.teamId)),
    );
    // The replacement of a Team that is not deleted is an adoption, too.
    const replaces = result.steps.some(({ name, kind }) => kind === "replace" && name.startsWith("team-"));
    if (waits || adopts || deletes || replaces) {
      this.#isApplied = false;
      return;
    }
    const again = await this.#run("up");
    this.#checkSafety(again);
    const write = again.requests.find(({ method }) => method !== "GET");
    this.#holds(
      "a second up writes nothing",
      write === undefined,
      () => `${write?.method} ${write?.path} ${JSON.stringify(write?.body)}`,
    );
    const step = again.result.steps.find(({ kind }) => kind !== "same" && kind !== "read");
    this.#holds(
      "a second up changes nothing",
      again.result.ok && step === undefined,
      () => `${step?.kind} ${step?.name}`,
    );
    this.#attempted = this.#entries();
  }

  /** Accounts that the resources have recorded by now as those whom their names mean. */
  #recordMembers({ steps }: OperationResult, before: ServiceView, after: ServiceView): void {
    const recording = ["create", "update", "read", ...(this.world.provider === "plugin" ? ["same"] : [])];
    for (const [name, entries] of this.#lastDeclared) {
      if (!steps.some((step) => step.name === name && recording.includes(step.kind))) continue;
      for (const entry of entries) {
        const { projectId } = entry;
        const account = this.#identities.heldBy(entry);
        const isMember = account !== undefined && after.projects.get(projectId)?.members.has(account);
        if (!isMember) continue;
        const project = before.projects.get(projectId);
        if (isUnlinked(entry, account, project, after, this.#identities)) continue;
        this.#identities.recordMember(projectId, account);
      }
    }
  }

  /** From now on a declared name stands for the account that has it and is in the project or invited to it. */
  #holdAll(service: ServiceView): void {
    for (const entry of this.#entries()) this.#hold(entry, service);
  }

  #hold(entry: Entry, service: ServiceView): void {
    const { projectId, resource, userId } = entry;
    const project = service.projects.get(projectId);
    const isRecorded = this.#state.some(({ name }) => name === resource);
    const username = entry.username ?? (userId === undefined ? undefined : service.names.get(userId));
    if (project === undefined || !isRecorded || username === undefined) return;
    const byName = { resource, projectId, username };
    const held = this.#identities.heldBy(byName);
    const isHeldInvited = project.invitations.some(
      ({ account, name }) =>
        account !== undefined &&
        account === held &&
        (this.#identities.readsAccounts || name === fold(username)),
    );
    if (held !== undefined && project.members.has(held)) return;
    const named = userId ?? accountNamed(service, username);
    // An update of ProjectMember records a member who has the name, also if it recorded an invited account before.
    const isNamedRecorded = this.#state.some(
      ({ type, name, outputs }) =>
        type === "ProjectMember" && name === resource && named !== undefined && outputs.userId === named,
    );
    // Without its account, an invitation counts as accepted once the account that has the name is a member.
    const isAccepted = !this.#identities.readsAccounts && named !== undefined && project.members.has(named);
    if (isHeldInvited && !isNamedRecorded && !isAccepted) return;
    const isInvited = project.invitations.some(({ name }) => name === fold(username));
    if (named !== undefined && (project.members.has(named) || isInvited)) {
      this.#identities.hold(byName, named, entry.username !== undefined);
    }
  }
}

interface Run {
  readonly fault?: WorldFault | undefined;
  readonly interruptAfter?: number | undefined;
  readonly target?: ImportTarget | undefined;
}

const hasHiddenCharacter = ({ method, path, body }: RequestRecord): boolean =>
  method !== "GET" &&
  /[\u200b\u202e\u00ad\uff20]/.test(decodeURIComponent(path) + JSON.stringify(body ?? null));

const isOfKeys = ({ type }: { readonly type: string }): boolean => ["ApiKey", "ProjectApiKey"].includes(type);

const isOfTeams = ({ type }: { readonly type: string }): boolean =>
  ["Team", "ProjectTeam", "AgentApiKey"].includes(type) || isOfKeys({ type });

const ignoresRoles = ({ options }: Declaration): boolean =>
  options?.ignoreChanges?.some((property) => property === "roles" || property === "members") ?? false;

/** Whether the record has the person as declared, under any name that it keeps of them. */
function isDeclaredIn({ outputs }: Recorded, { username, userId }: Entry): boolean {
  const details = unwrapped(outputs.memberDetails ?? []) as unknown as readonly {
    readonly username: string;
    readonly userId?: string;
    readonly declared: boolean;
    readonly declaredAs?: string;
  }[];
  return details.some(
    (detail) =>
      detail.declared &&
      ((userId !== undefined && detail.userId === userId) ||
        [detail.username, detail.declaredAs].some(
          (name) => name !== undefined && username !== undefined && fold(name) === fold(username),
        )),
  );
}

/**
 * Whether the account is the last owner whom the record lists, and a warning names the person. Without the list of members, the record
 * alone shows the owners, and it may lack those whom others added.
 */
function isLastRecordedOwner(
  { type, outputs }: Recorded,
  account: string | undefined,
  texts: readonly string[],
): boolean {
  if (type !== "ProjectMembers") return false;
  const details = unwrapped(outputs.memberDetails ?? []) as unknown as readonly {
    readonly username: string;
    readonly userId?: string;
    readonly status: string;
    readonly roles: readonly string[];
    readonly declared: boolean;
  }[];
  const owners = details.filter(({ status, roles }) => status === "active" && roles.includes("GROUP_OWNER"));
  const owner = owners.find(({ userId }) => userId === account);
  const warning = `${owner?.username} is the last direct owner of project ${outputs.projectId} that the state lists`;
  return (
    owner !== undefined &&
    owners.every(({ declared }) => declared) &&
    texts.some((text) => text.includes(warning))
  );
}

/**
 * Whether destroying the resource leaves its people in the project. After a failed update the engine keeps the inputs of the last success,
 * and destroying takes `onDestroy` from them. An old record that still has to be deleted has the name of the new one.
 */
function isReleased({ type, name }: Recorded, state: readonly Recorded[]): boolean {
  return state
    .filter((record) => record.type === type && record.name === name)
    .flatMap(({ outputs, inputs }) => [outputs, inputs])
    .some(({ onDestroy = type === "ProjectMembers" ? "release" : "" }) => onDestroy === "release");
}

function isOutcomeUnknown({ failures }: OperationResult): boolean {
  return failures.some(({ code, message }) => code === "ABORTED" || /not known whether/.test(message));
}

/**
 * Whether the operation failed before it added or changed anyone, or recorded another user as declared. The old resource may have been
 * deleted before that.
 */
function changedNothing(
  { resource, projectId }: Entry,
  { result, stateBefore, requests }: CommandOutcome,
): boolean {
  const declaredIn = (state: readonly Recorded[]) => {
    const { memberDetails = [] } = state.find(({ name }) => name === resource)?.outputs ?? {};
    const people = memberDetails as readonly { userId?: string; username: string; declared: boolean }[];
    return people.filter(({ declared }) => declared).map(({ userId, username }) => userId ?? fold(username));
  };
  const before = declaredIn(stateBefore);
  const isKnown = declaredIn(result.state).every((person) => before.includes(person));
  const hasFailed = result.failures.some(({ name }) => name === resource);
  const writes = requests.filter(({ method }) => method !== "GET" && method !== "DELETE");
  const wasWritten = writes.some(({ path }) => /\/(users|invites)/.test(path) && path.includes(projectId));
  return hasFailed && isKnown && !wasWritten;
}

function summaryOf({ steps, failures, ok }: OperationResult): string {
  const done = steps.filter(({ kind }) => kind !== "read" && kind !== "same");
  const texts = [
    ...done.map(({ kind, name }) => `${kind} ${name}`),
    ...failures.map(({ name, during, code, message }) => `${during} of ${name} failed: ${code} ${message}`),
  ];
  return texts.join("; ") || (ok ? "no changes" : "interrupted");
}

function patternsIn(inputs: Values, property: "ignoreTags" | "ignoreUsers"): readonly string[] {
  return (inputs[property] as readonly string[] | undefined) ?? [];
}

/** Patterns with which the resource was recorded before. */
function formerPatterns(state: readonly Recorded[], { name, type, aliases }: Declaration): readonly string[] {
  const property = type === "Project" ? "ignoreTags" : "ignoreUsers";
  return state
    .filter(
      (resource) => resource.type === type && (resource.name === name || aliases.includes(resource.name)),
    )
    .flatMap(({ inputs, outputs }) => [...patternsIn(outputs, property), ...patternsIn(inputs, property)]);
}
