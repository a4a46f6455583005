/** Plays a world: its steps against the sandbox and the real provider, with all invariants after each command. */

import type { RequestRecord, Sandbox } from "../../../sandbox";
import {
  type Declaration,
  type Operation,
  type OperationResult,
  type Recorded,
  unwrapped,
  type Values,
  withoutSecrets,
} from "../engine-model";
import { checkAgreement } from "./agree";
import { askDrift } from "./agree/reports";
import { copyOf, firstName, orgId, ownerName, privateKey, projectIds, start, teamIds } from "./beginning";
import { type CommandOutcome, disturb, type Holds, type Run, type Situation, storyOf } from "./command";
import { Commands } from "./commands";
import { isOver, MachineClock } from "./days";
import { at } from "./draws";
import { checkDriftReport } from "./drift";
import { EndInvariants, isListedIn } from "./ends";
import { type CommandResult, type Engine, type StartEngine, startModel } from "./engine";
import { exportedFrom } from "./events";
import { KeyInvariants } from "./keys";
import type { DeclareStep } from "./kinds";
import { Knowledge } from "./knowledge";
import { slots } from "./names";
import { API_KEY, matches } from "./oracle";
import { OrganizationInvariants } from "./organization";
import { Outsiders } from "./outside";
import { checkOwnersSaid } from "./owners-said";
import { PeopleInvariants } from "./people";
import { checkPlaces } from "./places";
import { PreviewInvariants } from "./previews";
import { Program } from "./program";
import { ProjectInvariants } from "./projects";
import { daysIn, formerPatterns, isRecordOf, patternsOf, recordedEnd, textsIn } from "./records";
import { isExpectedRefusal } from "./refusals";
import { checkSaid, summarized } from "./said";
import { fold } from "./service-view";
import { exists, gainedThroughTeams, isTeamOrKey, TeamInvariants } from "./teams";
import type { ClockStep, CommandStep, ImportStep, Step, World } from "./world";

/** What playing worlds came to, in numbers. */
export interface Counts {
  steps: number;
  commands: number;
  /** How often all commands were asked who has what where. */
  asked: number;
  faults: number;
  interruptions: number;
  /** Invariants that were checked, each once for each object it is about. */
  invariants: number;
  /** Texts in which each secret was searched for, times secrets. */
  secretsSearched: number;
  /** Commands whose outcome the engine's model predicted. */
  predictions: number;
}

export const noCounts = (): Counts => ({
  steps: 0,
  commands: 0,
  asked: 0,
  faults: 0,
  interruptions: 0,
  invariants: 0,
  secretsSearched: 0,
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
  let onRequest: (line: string) => void = () => undefined;
  const clock = startEngine === startModel ? new MachineClock() : undefined;
  clock?.start();
  const sandbox = await start(world, (line) => onRequest(line));
  const engine = startEngine(world, sandbox);
  // Waits between attempts are random, and no outcome depends on them.
  const { random } = Math;
  Math.random = () => 0;
  try {
    const listen = (listener: typeof onRequest) => {
      onRequest = listener;
    };
    const play = new Play(world, sandbox, engine, counts, listen, clock);
    for (const step of world.steps) await play.step(step);
  } finally {
    Math.random = random;
    await engine.close();
    await sandbox.close();
    clock?.stop();
  }
}

class Play {
  readonly #knows: Knowledge;
  readonly #outsiders: Outsiders;
  readonly #people: PeopleInvariants;
  readonly #projects: ProjectInvariants;
  readonly #previews: PreviewInvariants;
  readonly #teams: TeamInvariants;
  readonly #keys: KeyInvariants;
  readonly #organization: OrganizationInvariants;
  readonly #ends: EndInvariants;
  readonly #story: string[] = [];
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
    private readonly clock: MachineClock | undefined,
  ) {
    const program = new Program({
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
        this.#knows.state.find(({ name, pendingDelete }) => name === resource && !pendingDelete)?.outputs[
          output
        ],
    });
    this.#outsiders = new Outsiders(world.switches, sandbox, {
      program,
      state: () => this.#knows.state,
      onRename: (id, username) => {
        this.#isOver ||= this.#knows.takesInvitedName(id, username);
      },
      onAgentKey: (id) => this.#keys.addForeign(id),
    });
    this.#knows = new Knowledge(world, sandbox, program, () => this.#outsiders.renames > 0);
    const holds = this.#holds;
    this.#people = new PeopleInvariants(this.#knows, holds);
    this.#projects = new ProjectInvariants(this.#knows, holds);
    this.#previews = new PreviewInvariants(this.#knows, holds);
    this.#teams = new TeamInvariants(holds);
    this.#keys = new KeyInvariants(this.#knows.view(), holds);
    this.#organization = new OrganizationInvariants(holds);
    this.#ends = new EndInvariants(this.#knows, holds);
  }

  async step(step: Step): Promise<void> {
    if (this.#isOver) return;
    this.counts.steps += 1;
    if ("run" in step) return this.#command(step);
    if ("outside" in step) {
      if (this.#isUnrecognizable(step)) return;
      const done = this.#outsiders.act(step);
      if (done !== undefined) this.#isUnread = true;
      if (done !== undefined && (this.#knows.isWithoutRefresh || this.world.provider === "dynamic"))
        this.#isUnseen = true;
      if (done !== undefined && /team|name|organization/.test(step.outside)) this.#teams.forgetPeople();
      this.#log("outside", done);
      this.#knows.identities.observe(this.#knows.view());
      return;
    }
    if ("import" in step) return this.#import(step);
    if ("clock" in step) return this.#wait(step);
    if (this.#isUnrecognizable(step)) return;
    const done = this.#knows.program.apply(step);
    if (done !== undefined) this.#isApplied = false;
    if ("remove" in step || "exchange" in step || "rename" in step) this.#teams.forgetPeople();
    this.#log("program", done);
  }

  #wait({ clock, days }: ClockStep): void {
    if (this.clock === undefined) return;
    const [isMachine, isService] = [clock !== "service", clock !== "machine"];
    if (isMachine) this.clock.advance(days);
    // The sandbox's clock goes with this machine's.
    const seconds = days * 86_400 * (Number(isService) - Number(isMachine));
    this.sandbox.advanceClock(seconds);
    this.#isApplied = false;
    this.#isUnread = true;
    this.#log("clock", `it is ${new Date().toISOString()}, by the service's clock ${this.sandbox.time}`);
  }

  /**
   * Without a read in the same run, a renamed account is not recognized if its resource gets another name or kind too
   * (docs/reliability.md; for the dynamic provider, docs/providers.md).
   */
  #isUnrecognizable(step: Step): boolean {
    if (this.world.provider === "plugin" && !this.#knows.isWithoutRefresh) return false;
    if ("outside" in step) {
      return !this.#isApplied && (step.outside === "rename account" || step.outside === "reuse name");
    }
    const isMoved = "convert" in step || "exchange" in step || ("rename" in step && !step.alias);
    return this.#outsiders.renames > 0 && isMoved;
  }

  #log(what: string, done: string | undefined): void {
    if (done !== undefined) this.#story.push(`${what}: ${done}`);
  }

  /** `pulumi import`: the object is in the state and in the program afterwards. */
  async #import(step: ImportStep): Promise<void> {
    const declared = this.#importedStep(step);
    if (declared === undefined || !this.#knows.program.canImport(declared.step)) return;
    const { id } = declared;
    const type = step.import;
    const isHeld = this.#knows.state.some((resource) => resource.type === type && resource.id === id);
    const overlaps =
      step.import.startsWith("ProjectMember") &&
      this.#knows.entries().some(({ projectId }) => id.startsWith(projectId));
    if (isHeld || overlaps || !this.engine.imports) return;
    const name = this.#knows.program.nameFor(declared.step);
    const outcome = await this.#run("import", { target: { name, type, id } });
    this.#checkSafety(outcome);
    const [failure] = outcome.result.failures;
    this.#holds(
      "whatever Read returns, Check accepts",
      failure?.code !== "IMPORT_CHECK",
      () => `${type} ${id}: ${failure?.message}`,
    );
    const recorded = this.#knows.state.find((resource) => resource.name === name && resource.type === type);
    if (failure !== undefined || recorded === undefined) return;
    if (type === "AgentApiKey") this.#keys.import(String(recorded.outputs.keyId));
    this.#knows.program.addImported(declared.step, recorded.inputs, name);
    this.#isApplied = false;
    this.#knows.declareImported(name, outcome);
  }

  /** The object that the step is about, as the program declares it afterwards. */
  #importedStep(step: ImportStep): { readonly step: DeclareStep; readonly id: string } | undefined {
    const service = this.#knows.view();
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

  async #command(step: CommandStep): Promise<void> {
    await this.#carryOut(step);
    const mended = this.#knows.program.respell();
    if (mended !== undefined) this.#isApplied = false;
    this.#log("program", mended);
  }

  async #carryOut(step: CommandStep): Promise<void> {
    if (step.run === "preview") return void (await this.#preview());
    if (step.run === "drift") return this.#drift();
    if (step.run === "ask") return this.#agree(step.pick ?? 0);
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
    if (preview !== undefined) this.#checkOwnersSaid("preview", preview, first);
    if (!first.undisturbed && step.unrepeated) {
      this.#isUnread = true;
      // What an earlier program declared is removed by now.
      if (first.result.ok) this.#knows.attempted = this.#knows.entriesOf(this.#knows.program.declarations);
      return;
    }
    let last = first;
    if (!first.undisturbed || (this.#knows.isWithoutRefresh && this.#isUnread)) {
      if (this.#knows.isWithoutRefresh) this.#checkSafety(await this.#run("refresh"));
      last = await this.#run("up");
      this.#checkSafety(last);
    }
    this.#isUnread = false;
    // Two resources for one person undo each other; the dynamic provider does not see that.
    if (this.#knows.declaresTwice(last.after)) {
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
    this.#knows.state = this.#knows.state.map((resource) =>
      refused.includes(resource.name) ? { ...resource, protect: false } : resource,
    );
  }

  async #run(operation: Operation, run: Run = {}): Promise<CommandOutcome> {
    const { sandbox, counts } = this;
    const { world, identities, program, state: stateBefore } = this.#knows;
    const before = this.#knows.view();
    const identitiesBefore = identities.copy();
    const texts: string[] = [];
    let isInterrupted = false;
    counts.commands += 1;
    sandbox.clearRequests();
    if (operation === "up") this.#knows.doubtUnknown(before);
    const listener = disturb(run, sandbox, () => {
      isInterrupted = true;
      command.interrupt();
    });
    this.listen(listener);
    const command = this.engine.run({
      operation,
      declarations: program.declarations,
      state: stateBefore,
      target: run.target,
      settings: {
        baseUrl: sandbox.baseUrl,
        publicKey: sandbox.publicKey,
        privateKey,
        maxRetries: 1,
        // Only a request that gets no response may run into it, also on a busy machine.
        requestTimeoutSeconds: run.fault?.kind === "no response in time" ? 1 : 30,
        ...world.settings,
      },
      isFaulty: run.fault !== undefined,
      isInterruptible: run.interruptAfter !== undefined,
      onText: (severity, text) => void texts.push(`${severity}: ${text}`),
    });
    let result: CommandResult;
    try {
      result = await command.result;
    } finally {
      this.listen(() => undefined);
      sandbox.clearFaults();
    }
    if (operation !== "preview") this.#knows.state = result.state;
    const { requests } = sandbox;
    const met = requests.filter(({ fault }) => fault !== undefined);
    if (met.some(({ path }) => /\/v1.0\/users\//.test(path))) identities.readsAccounts = false;
    counts.faults += met.length;
    if (isInterrupted) counts.interruptions += 1;
    const after = this.#knows.view();
    identities.observe(after);
    const undisturbed = !isInterrupted && met.length === 0;
    const views = { before, after, stateBefore, identitiesBefore };
    const outcome = { operation, result, ...views, undisturbed, isInterrupted, requests, texts };
    this.#story.push(storyOf(outcome, run));
    this.#checkRun(outcome);
    if (operation !== "preview") this.#knows.forgetAbsent(result, before);
    if (operation === "up") this.#knows.declare(outcome);
    if (operation !== "preview" && result.ok) this.#knows.recordMembers(result, before, after);
    return outcome;
  }

  /** What holds of each command, and of those of the engine. */
  #checkRun(outcome: CommandOutcome): void {
    const { result, requests } = outcome;
    if (result.prediction) {
      const { deviation } = result.prediction;
      this.counts.predictions += 1;
      this.#holds("the engine's model predicts the engine", deviation === undefined, () => String(deviation));
    }
    this.#checkTexts(outcome);
    const isMisspelled = this.#knows.program.misspelled.length > 0;
    const hidden = isMisspelled ? requests.find(hasHiddenCharacter) : undefined;
    this.#holds(
      "no name with a hidden character is sent",
      hidden === undefined,
      () => `${hidden?.method} ${hidden?.path} ${JSON.stringify(hidden?.body)}`,
    );
  }

  async #preview(): Promise<CommandOutcome> {
    const outcome = await this.#run("preview");
    const { result, requests, after } = outcome;
    const write = requests.find(({ method }) => method !== "GET");
    this.#holds("a preview writes nothing", write === undefined, () => `${write?.method} ${write?.path}`);
    if (!result.ok || !this.#isApplied || (this.#knows.isWithoutRefresh && this.#isUnread)) return outcome;
    for (const declaration of this.#knows.declarations) {
      this.#previews.checkDrift(declaration, result, after);
      this.#previews.checkReported(declaration, outcome);
    }
    return outcome;
  }

  /** Of a program that is applied, and after that only others have changed anything. */
  async #drift(): Promise<void> {
    if (!this.#isApplied || this.#outsiders.renames > 0) return;
    const report = await this.#ask((commands) => askDrift(commands, true));
    if (report === undefined) return;
    this.#story.push(`opsmanager drift --unmanaged: exit code ${report.exitCode}`);
    const [service, identities] = [this.#knows.view(), this.#knows.identities];
    const entries = this.#knows.entries();
    const { declarations: program } = this.#knows;
    const situation = { service, program, state: this.#knows.state, entries, identities };
    checkDriftReport(report, situation, this.#holds);
  }

  /** What every command says of the same moment. */
  async #agree(pick: number): Promise<void> {
    const [service, { identities }] = [this.#knows.view(), this.#knows];
    const name = at(
      [...service.names.keys()].flatMap((account) => [...identities.namesOf(account)]),
      pick,
    );
    const invited = [...service.projects.values()].flatMap(({ invitations }) =>
      invitations.map((one) => one.name),
    );
    const names = [name, at(invited, pick)].filter((one) => one !== undefined);
    await this.#ask(async (commands) => {
      this.counts.asked += 1;
      this.#story.push("the commands are asked who has what where");
      const isAccepted = (projectId: string, person: string) => this.#isAccepted(projectId, person);
      const isForgotten = (projectId: string, person: string) => this.#knows.hasForgotten(projectId, person);
      const isRenamed = this.#outsiders.renames > 0;
      const copyService = () => copyOf(this.sandbox, this.world);
      const known = { service, names, isRenamed, isApplied: this.#isApplied, pick };
      const facts = { ...known, isAccepted, isForgotten, copyService };
      await checkAgreement(commands, facts, this.#holds);
    });
  }

  /** Asks commands about the stack. */
  async #ask<T>(question: (commands: Commands) => Promise<T>): Promise<T | undefined> {
    if (!this.engine.isModel) return undefined;
    const { baseUrl, publicKey } = this.sandbox;
    const preview = await this.engine.run({
      operation: "preview",
      declarations: this.#knows.program.declarations,
      state: this.#knows.state.map((resource) => ({ ...resource, refreshBeforeUpdate: true })),
      settings: { baseUrl, publicKey, privateKey, ...this.world.settings },
      isFaulty: false,
      isInterruptible: false,
      onText: () => undefined,
    }).result;
    const stack = {
      events: preview.events(),
      resources: exportedFrom(this.#knows.state, this.world.provider),
      env: {
        OPSMANAGER_BASE_URL: baseUrl,
        OPSMANAGER_PUBLIC_KEY: publicKey,
        OPSMANAGER_PRIVATE_KEY: privateKey,
      },
    };
    return Commands.with(stack, question);
  }

  readonly #holds: Holds = (invariant, holds, detail) => {
    this.counts.invariants += 1;
    if (!holds) throw new Counterexample(invariant, detail(), this.#story);
  };

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
    const secretNow = this.#knows.program.declarations.filter(
      ({ inputs }) => JSON.stringify(inputs) !== JSON.stringify(withoutSecrets(inputs)),
    );
    const text = JSON.stringify(secretNow.map(({ inputs }) => unwrapped(inputs)));
    // A preview reads as well, and its result is not the state.
    const isPublic = [...this.#knows.state, ...state].some(
      ({ inputs, outputs }) =>
        /SECRET_\w+_TAG/.test(JSON.stringify(outputs)) &&
        JSON.stringify(inputs) === JSON.stringify(withoutSecrets(inputs)),
    );
    return isPublic ? [] : tags.filter((tag) => text.includes(tag));
  }

  /** What holds after every command, however it ended. */
  #checkSafety(outcome: CommandOutcome): void {
    const situation = this.#situationOf(outcome);
    checkPlaces(situation, this.#holds);
    this.#projects.checkSafety(situation);
    this.#people.checkSafety(situation);
    this.#teams.checkSafety(situation);
    this.#keys.checkSafety(situation);
    this.#organization.checkSafety(situation);
    this.#ends.checkSafety(outcome);
    this.#checkSaid(outcome);
  }

  /** What the state does not show yet, or shows under another name, no summary of the run can name. */
  #checkSaid(outcome: CommandOutcome): void {
    const { operation, before, after, result, stateBefore, undisturbed, isInterrupted } = outcome;
    if (operation !== "up" || this.#isUnseen || this.#outsiders.renames > 0) return;
    if (this.#knows.declaresTwice(after)) return;
    if (!undisturbed && !isInterrupted) return;
    const resources = exportedFrom(stateBefore, this.world.provider);
    const run = { before, after, events: result.events(), resources, ok: result.ok };
    checkSaid(run, this.#holds);
    this.#checkOwnersSaid("up", outcome, outcome);
  }

  /** @param said by this command of the update, which is the same or follows it */
  #checkOwnersSaid(command: "preview" | "up", said: CommandOutcome, update: CommandOutcome): void {
    const { before, after, undisturbed } = update;
    if (this.#isUnseen || this.#outsiders.renames > 0 || this.#knows.declaresTwice(after)) return;
    if (![said, update].every(({ result }) => result.ok) || !undisturbed) return;
    const isUnknown = this.#knows.program.declarations.some(({ unknown = [] }) => unknown.length > 0);
    if (command === "preview" && isUnknown) return;
    const resources = exportedFrom(said.stateBefore, this.world.provider);
    const { summary } = summarized(command, { events: said.result.events(), resources, ok: true });
    const isAccepted = (projectId: string, name: string) => this.#isAccepted(projectId, name);
    const showsTeamRoles = this.world.switches.teamRolesInUsers === true;
    const isPreview = command === "preview";
    checkOwnersSaid({ isPreview, before, after, summary, isAccepted, showsTeamRoles }, this.#holds);
  }

  /** Whether a list of the program leaves the person in the project alone. */
  #isAccepted(projectId: string, name: string): boolean {
    return this.#knows.program.declarations.some(
      (one) =>
        this.#knows.projectIdBy(one) === projectId && matches(textsIn(one.inputs, "ignoreUsers"), fold(name)),
    );
  }

  #situationOf(outcome: CommandOutcome): Situation {
    const { world, declarations: program, identities } = this.#knows;
    const projectIdOf = (declaration: Declaration) => this.#knows.projectIdBy(declaration);
    // `until` counts more than what destroying does.
    const over = this.#knows.program.declarations.filter(({ inputs }) => isOver(inputs.until, Date.now()));
    const asEnding = (record: Recorded): Recorded => {
      const isEnding = over.some((one) => one.type === record.type && isRecordOf(one, record));
      if (!isEnding && !isOver(record.inputs.until, Date.now())) return record;
      return { ...record, outputs: { ...record.outputs, onDestroy: "remove" } };
    };
    const stateBefore = outcome.stateBefore.map(asEnding);
    const result = { ...outcome.result, state: outcome.result.state.map(asEnding) };
    const plannedEnds = this.#ends.plannedIn(outcome);
    const { declarations: whole } = this.#knows.program;
    const declared = { program, whole, entries: this.#knows.entries(), stateBefore, result, plannedEnds };
    return { ...outcome, ...declared, world, identities, projectIdOf };
  }

  #checkRefusal(outcome: CommandOutcome): void {
    for (const failure of outcome.result.failures) {
      const expected = isExpectedRefusal(failure, {
        ...this.#situationOf(outcome),
        isRenamed: this.#outsiders.renames > 0,
        misspelled: this.#knows.program.misspelled,
        onlyLoses: (name) => this.#people.onlyLoses(name, outcome),
      });
      this.#holds(
        "nothing fails without a reason",
        expected,
        () => `${failure.name} (${failure.during}): ${failure.code} ${failure.message}`,
      );
    }
  }

  async #checkSuccess(outcome: CommandOutcome): Promise<void> {
    const { before, after, result, stateBefore } = outcome;
    const { declarations } = this.#knows;
    for (const declaration of declarations) {
      const now = this.#checkDeclared(declaration, outcome);
      if (now === "deleted") this.#isUnread = true;
      if (now === "waiting") this.#isApplied = false;
      if (now !== "as declared") return;
    }
    this.#knows.attempted = this.#knows.entriesOf(this.#knows.program.declarations);
    this.#knows.identities.holdOnly(this.#knows.attempted);
    this.#isApplied = true;
    // A pattern that leaves the program protects for one more `up`.
    const waits = declarations.some((declaration) => {
      const patterns = textsIn(declaration.inputs, patternsOf(declaration.type));
      return formerPatterns([...stateBefore, ...this.#knows.settled], declaration).some(
        (pattern) => !patterns.includes(pattern),
      );
    });
    this.#knows.program.forgetAliases();
    this.#knows.settled = result.state;
    // The first up after an adoption may remove the people who are not listed.
    const adopts = result.state.some(
      ({ name, outputs }) =>
        outputs.origin !== "created" &&
        outputs.removeUnlisted === true &&
        !stateBefore.some(
          (one) => one.name === name && !one.pendingDelete && one.outputs.removeUnlisted === true,
        ),
    );
    // A ProjectTeam may have lost its team, which this up deleted last.
    const deletes = stateBefore.some(
      ({ type, outputs }) => type === "Team" && !after.teams.has(String(outputs.teamId)),
    );
    // A ProjectApiKey has lost the key whose last day the program gives in this up.
    const ends = result.state.some(
      ({ type, outputs }) => type === "ProjectApiKey" && !after.apiKeys.has(String(outputs.keyId)),
    );
    // The replacement of a Team that is not deleted is an adoption, too.
    const replaces = result.steps.some(({ name, kind }) => kind === "replace" && name.startsWith("team-"));
    // Whose access to the organization has ended joins it again by a project, and the next up refuses that.
    const joins = result.state.some(
      (record) =>
        record.type === "OrganizationMember" &&
        isOver(record.inputs.until, Date.now()) &&
        exists(record, after) &&
        !exists(record, before),
    );
    // An access that is over was left to a list that leaves the program.
    const leaves = result.state.some(
      (record) =>
        isOver(record.inputs.until, Date.now()) &&
        record.outputs.endedAt === undefined &&
        isListedIn(stateBefore, record),
    );
    if (waits || adopts || deletes || ends || replaces || joins || leaves) {
      this.#isApplied = false;
      return;
    }
    // The first read after a team has brought roles takes them for the person's own (docs/resources/teams.md).
    const gained = gainedThroughTeams(before, after);
    if (gained.length > 0) {
      await this.#repeat(({ method, path, body }) => {
        const isAbout = ({ projectId, account }: (typeof gained)[number]) =>
          path.endsWith(`/groups/${projectId}/users`) && JSON.stringify(body).includes(account);
        return method === "POST" && gained.some(isAbout);
      });
    }
    await this.#repeat(() => false);
    this.#knows.attempted = this.#knows.entriesOf(this.#knows.program.declarations);
  }

  /**
   * Runs the same `up` again.
   *
   * @param mayWrite what it may write nevertheless
   */
  async #repeat(mayWrite: (request: RequestRecord) => boolean): Promise<void> {
    const again = await this.#run("up");
    this.#checkSafety(again);
    // What the service refuses, or its clock puts off, is tried again.
    const pending = again.stateBefore.filter(isOverdue);
    const writes = again.requests.filter(({ method }) => method !== "GET");
    const write = writes.find(
      (request) => !mayWrite(request) && (pending.length === 0 || (request.status ?? 0) < 400),
    );
    this.#holds(
      "a second up writes nothing",
      write === undefined,
      () => `${write?.method} ${write?.path} ${JSON.stringify(write?.body)}`,
    );
    const isExpected = writes.some(mayWrite);
    const step = again.result.steps.find(
      ({ kind, name }) =>
        kind !== "same" &&
        kind !== "read" &&
        !(isExpected && kind === "update") &&
        !pending.some((one) => one.name === name),
    );
    this.#holds(
      "a second up changes nothing",
      again.result.ok && step === undefined,
      () => `${step?.kind} ${step?.name}`,
    );
  }

  /** Whether what is declared is recorded and true; `waiting`: the next `up` brings it about. */
  #checkDeclared(
    declaration: Declaration,
    { before, after, result, stateBefore }: CommandOutcome,
  ): "as declared" | "waiting" | "deleted" {
    const { name, type } = declaration;
    const { identities } = this.#knows;
    const isRecorded = result.state.some((one) => one.name === name && one.type === type);
    this.#holds("everything declared is recorded", isRecorded, () => name);
    const recorded = result.state.find((one) => one.name === name && !one.pendingDelete);
    const projectId = this.#knows.projectIdBy(declaration);
    const project = projectId === undefined ? undefined : after.projects.get(projectId);
    if (project === undefined && !["Team", "ApiKey", "OrganizationMember", "Organization"].includes(type)) {
      // Another resource that this `up` destroyed had adopted it with `onDestroy: "delete"`.
      const wasThere = projectId !== undefined && before.projects.has(projectId);
      this.#holds("everything declared exists", wasThere, () => name);
      return "deleted";
    }
    let waits = false;
    if (type === "Organization") this.#organization.checkFieldsTrue(declaration, after);
    else if (type === "OrganizationMember") {
      waits = this.#organization.checkTrue(declaration, recorded, { before, after, identities });
    } else if (type.endsWith("ApiKey")) {
      this.#keys.checkTrue(declaration, recorded, after);
    } else if (isTeamOrKey(type)) {
      const isNew = !stateBefore.some(({ id }) => id === recorded?.id);
      this.#teams.checkTrue(declaration, recorded, after, identities, isNew);
    } else if (project !== undefined) {
      if (type === "Project") this.#projects.checkTrue(declaration, project, stateBefore);
      else waits = this.#people.checkTrue(declaration, project, { before, after });
    }
    return waits ? "waiting" : "as declared";
  }
}

const isOverdue = (record: Recorded): boolean =>
  [undefined, ...daysIn(record.inputs).map(([, person]) => person)].some(
    (person) => recordedEnd(record, person).overdueReason !== undefined,
  );

const hasHiddenCharacter = ({ method, path, body }: RequestRecord): boolean =>
  method !== "GET" &&
  /[\u200b\u202e\u00ad\uff20]/.test(decodeURIComponent(path) + JSON.stringify(body ?? null));
