/** Plays a world of teams, agent API keys and people: its steps against the embedded service, with all invariants after each command. */
import { type Sandbox, startSandbox } from "../../../sandbox";
import {
  type Declaration,
  type Json,
  type Operation,
  type OperationResult,
  type Recorded,
  unwrapped,
  type Values,
  withoutSecrets,
} from "../engine-model";
import { runInModel } from "../worlds/engine";
import { Counterexample, type Counts, noCounts } from "../worlds/play";
import { faultKinds } from "../worlds/world";
import {
  type Declare,
  keys,
  type Outside,
  type Person,
  people,
  type TeamFault,
  type TeamStep,
  type TeamWorld,
} from "./world";

const orgId = "5f00000000000000000000a1";
const projectId = "5f0000000000000000000c01";
const readersId = "5f0000000000000000000e01";
const privateKey = "3f7a91d2-77aa-4c1b-9d0e-5a6b7c8d9e0f";
const accountIds: ReadonlyMap<Person, string> = new Map(
  people.map((person, index) => [person, `5f0000000000000000000d0${index}`]),
);
/** An owner whom no program declares, and whom ignoreUsers matches. */
const chief = "chief@example.com";
const nameOf = (person: Person): string => `${person}@example.com`;

interface View {
  readonly teams: Sandbox["state"]["teams"];
  readonly inProject: ReadonlyMap<string, string>;
  readonly agentKeys: ReadonlyMap<string, string>;
  /** Direct roles in the project by account, without those that come through a team. */
  readonly members: ReadonlyMap<string, string>;
  /** Roles by invited name. */
  readonly invited: ReadonlyMap<string, string>;
}

function view({ state }: Sandbox): View {
  const [project] = state.projects;
  return {
    teams: state.teams,
    inProject: new Map(project?.teams.map(({ teamId, roleNames }) => [teamId, rolesText(roleNames)])),
    agentKeys: new Map(project?.agentKeys.map(({ id, desc }) => [id, desc])),
    invited: new Map(state.invitations.map(({ username, roles }) => [username, rolesText(roles)])),
    members: new Map(
      state.users.flatMap(({ id, roles }) => {
        const direct = roles.filter(({ groupId }) => groupId === projectId);
        return direct.length === 0 ? [] : [[id, rolesText(direct.map(({ roleName }) => roleName))]];
      }),
    ),
  };
}

const rolesText = (roles: readonly string[]): string => [...roles].sort().join();

/** @throws Counterexample as soon as an invariant does not hold */
export async function playTeamWorld(world: TeamWorld, counts: Counts = noCounts()): Promise<void> {
  let onRequest: () => void = () => undefined;
  const sandbox = await startSandbox({
    ...world.switches,
    log: () => onRequest(),
    seed: {
      orgs: [{ id: orgId, name: "Example" }],
      keys: [{ publicKey: "worldkey", privateKey, roles: [{ orgId, roleName: "ORG_OWNER" }] }],
      users: [...accountIds].map(([person, id]) => ({
        id,
        username: nameOf(person),
        roles: [{ orgId, roleName: "ORG_MEMBER" }],
      })),
      teams: [{ id: readersId, name: "readers", usernames: [nameOf("ada"), nameOf("dora")] }],
      projects: [
        {
          id: projectId,
          name: "legacy",
          members: { [chief]: ["GROUP_OWNER"], "dora@example.com": ["GROUP_OWNER"] },
          teams: [{ teamId: readersId, roleNames: ["GROUP_READ_ONLY"] }],
        },
      ],
    },
  });
  // Waits between attempts are random, and no outcome depends on them.
  const { random } = Math;
  Math.random = () => 0;
  try {
    const play = new Play(world, sandbox, counts, (listener) => {
      onRequest = listener;
    });
    for (const step of world.steps) await play.step(step);
  } finally {
    Math.random = random;
    await sandbox.close();
  }
}

interface Outcome {
  readonly before: View;
  readonly after: View;
  readonly stateBefore: readonly Recorded[];
  readonly result: OperationResult;
  readonly undisturbed: boolean;
  readonly isInterrupted: boolean;
  readonly texts: readonly string[];
  readonly writes: readonly string[];
}

class Play {
  #program: Declare[] = [];
  #state: readonly Recorded[] = [];
  #renames = 0;
  /** A name in the program may not mean the same team any more. */
  #hasRenamedTeam = false;
  /** A name in the program may not mean these accounts any more. */
  readonly #renamed = new Set<Person>();
  /** The people of each Team at its last successful up, as long as no one else has changed a team or an account. */
  readonly #declaredPeople = new Map<string, readonly Person[]>();
  readonly #story: string[] = [];
  /** Keys that a command lost, or that others made: no later command may delete them. */
  readonly #foreignKeys: Set<string>;

  constructor(
    private readonly world: TeamWorld,
    private readonly sandbox: Sandbox,
    private readonly counts: Counts,
    private readonly listen: (listener: () => void) => void,
  ) {
    this.#foreignKeys = new Set(view(sandbox).agentKeys.keys());
  }

  async step(step: TeamStep): Promise<void> {
    this.counts.steps += 1;
    if ("declare" in step) {
      this.#program = [...this.#program.filter((one) => !replaces(step, one)), step];
      this.#story.push(`program: ${JSON.stringify(step)}`);
    } else if ("remove" in step) {
      const { remove } = step;
      this.#program = remove === "all" ? [] : this.#program.filter((_, index) => index !== remove);
      this.#declaredPeople.clear();
      this.#story.push(`program: remove ${remove}`);
    } else if ("outside" in step) {
      const done = this.#outside(step);
      if (done) this.#story.push(`outside: ${JSON.stringify(step)}`);
      if (done && !step.outside.endsWith("key")) this.#declaredPeople.clear();
    } else await this.#command(step);
  }

  #outside(step: Outside): boolean {
    const { sandbox } = this;
    const team = "team" in step ? sandbox.state.teams.find(({ name }) => name === step.team) : undefined;
    if ("team" in step && team === undefined) return false;
    const id = team?.id ?? "";
    switch (step.outside) {
      case "team people":
        sandbox.changeTeam(id, { userIds: step.people.map((person) => accountIds.get(person) ?? "") });
        return true;
      case "team roles":
        sandbox.setProjectTeam(projectId, { teamId: id, roleNames: step.roles });
        return true;
      case "delete team":
        sandbox.removeTeam(id);
        return true;
      case "rename team":
        this.#renames += 1;
        this.#hasRenamedTeam = true;
        sandbox.changeTeam(id, { name: `${step.team} ${this.#renames}` });
        return true;
      case "member roles":
        sandbox.setMember(projectId, { id: accountIds.get(step.person) ?? "" }, step.roles);
        return true;
      case "rename account":
        this.#renames += 1;
        this.#renamed.add(step.person);
        sandbox.changeUser(accountIds.get(step.person) ?? "", {
          username: `${step.person}.${this.#renames}@example.com`,
        });
        return true;
      case "add key":
        this.#foreignKeys.add(sandbox.addAgentKey(projectId, { desc: step.description }).id);
        return true;
      case "delete key": {
        const ids = [...view(sandbox).agentKeys.keys()];
        const keyId = ids[step.pick];
        if (keyId === undefined) return false;
        sandbox.removeAgentKey(projectId, keyId);
        return true;
      }
    }
  }

  get #declarations(): readonly Declaration[] {
    const rank = { Team: 0, ProjectTeam: 1, AgentApiKey: 2, ProjectMember: 3, ProjectMembers: 4 };
    return [...this.#program]
      .sort((one, other) => rank[one.declare] - rank[other.declare])
      .map((step) => ({
        name: labelOf(step),
        type: step.declare,
        inputs: this.#inputsOf(step),
        references: this.#referencesOf(step),
        aliases: [],
      }));
  }

  #inputsOf(step: Declare): Values {
    const { declare: _, ...given } = step;
    const { onDestroy } = step;
    const settings = onDestroy === undefined ? {} : { onDestroy };
    if (step.declare === "AgentApiKey") return { projectId, description: step.description, ...settings };
    if (step.declare === "ProjectTeam") {
      const named = "teamId" in this.#referencesOf(step) ? {} : { teamName: step.team };
      return { projectId, roles: [...step.roles], ...named, ...settings };
    }
    if (step.declare === "ProjectMember") {
      return { projectId, username: nameOf(step.person), roles: [...step.roles], ...settings };
    }
    if (step.declare === "ProjectMembers") {
      const { people: listed, roles, ...rest } = given as typeof step;
      const members = Object.fromEntries(listed.map((person) => [nameOf(person), [...roles]]));
      return { projectId, members, ignoreUsers: [chief], ...withoutUndefined(rest) };
    }
    const { people: _names, team, ...rest } = given as typeof step;
    const exists = this.sandbox.state.teams.some(({ id }) => id === readersId);
    const adopted = team === "readers" && exists ? { teamId: readersId } : {};
    return { orgId, name: team, usernames: step.people.map(nameOf), ...adopted, ...withoutUndefined(rest) };
  }

  #referencesOf(step: Declare): Declaration["references"] {
    const isById = step.declare === "ProjectTeam" && step.by === "id";
    if (!isById) return {};
    const isDeclared = this.#program.some((one) => one.declare === "Team" && one.team === step.team);
    return isDeclared ? { teamId: { resource: `team-${step.team}`, output: "teamId" } } : {};
  }

  async #command(step: Extract<TeamStep, { run: string }>): Promise<void> {
    const fault = "fault" in step ? step.fault : undefined;
    const outcome = await this.#run(
      step.run,
      fault,
      "interruptAfter" in step ? step.interruptAfter : undefined,
    );
    this.#checkSafety(step.run, outcome);
    if (step.run !== "up") return;
    let last = outcome;
    const upAgain = async () => {
      last = await this.#run("up");
      this.#checkSafety("up", last);
    };
    if (!last.undisturbed) await upAgain();
    // What a team gives or takes during an up shows only afterwards, and the next up writes once (docs/resources/teams.md).
    const changesTeams = () => last.result.ok && last.writes.some((write) => write.includes("/teams"));
    // The second up of an adopted team may remove people from it.
    for (let ups = 0; this.world.switches.teamRolesInUsers && changesTeams() && ups < 3; ups += 1) {
      await upAgain();
    }
    if (!last.result.ok) return this.#checkRefusal(last);
    this.#checkSuccess(last);
    // The first up after an adoption may remove the people who are not listed.
    const adopts = last.result.state.some(
      ({ name, outputs }) =>
        outputs.origin === "adopted" &&
        outputs.removeUnlisted === true &&
        !last.stateBefore.some((before) => before.name === name),
    );
    const again = await this.#run("up");
    this.#checkSafety("up", again);
    const deletes = last.result.steps.some(({ kind, name }) => kind === "delete" && name.startsWith("team-"));
    if (adopts || deletes) return;
    this.#holds("an up after a successful one writes nothing", again.writes.length === 0, () =>
      again.writes.join(),
    );
    this.#holds("an up after a successful one succeeds", again.result.ok, () => messagesOf(again));
  }

  async #run(operation: Operation, fault?: TeamFault, interruptAfter?: number): Promise<Outcome> {
    const { sandbox, counts, world } = this;
    counts.commands += 1;
    const texts: string[] = [];
    const before = view(sandbox);
    const stateBefore = this.#state;
    sandbox.clearRequests();
    if (fault) {
      for (const method of fault.isWrite ? ["POST", "PATCH", "DELETE"] : ["GET"]) {
        sandbox.addFault({ method, pathPattern: fault.path, fault: faultKinds[fault.kind] });
      }
    }
    let answered = 0;
    let isInterrupted = false;
    let interrupt: () => void = () => undefined;
    this.listen(() => {
      answered += 1;
      if (answered !== interruptAfter) return;
      isInterrupted = true;
      interrupt();
    });
    const settings = { baseUrl: sandbox.baseUrl, publicKey: sandbox.publicKey, privateKey, maxRetries: 1 };
    const command = {
      operation,
      declarations: this.#declarations,
      state: this.#state,
      settings,
      isFaulty: fault !== undefined,
      isInterruptible: interruptAfter !== undefined,
      onText: (severity: string, text: string) => void texts.push(`${severity}: ${text}`),
    };
    const result = await runInModel(world.provider, command, (connection) => {
      interrupt = () => connection.cancel();
      return () => isInterrupted;
    }).finally(() => {
      this.listen(() => undefined);
      sandbox.clearFaults();
    });
    if (operation !== "preview") this.#state = result.state;
    const { requests } = sandbox;
    const met = requests.filter(({ fault: name }) => name !== undefined);
    counts.faults += met.length;
    if (isInterrupted) counts.interruptions += 1;
    const about = [
      ...(isInterrupted ? [`interrupted after ${interruptAfter}`] : []),
      ...met.map(({ method, path, fault: name }) => `${name} on ${method} ${path}`),
    ];
    const kinds = result.steps.map(({ name, kind }) => `${kind} ${name}`).join(", ");
    const failures = result.failures.map(({ name, message }) => `\n    ${name}: ${message}`).join("");
    this.#story.push(`pulumi ${operation} ${about.join(", ")}: ${kinds}${failures}`);
    const ours = requests.find(({ internalError }) => internalError !== undefined);
    this.#holds("the embedded service has no internal error", ours === undefined, () =>
      String(ours?.internalError),
    );
    const writes = requests
      .filter(({ method, authorized }) => authorized && method !== "GET")
      .map(({ method, path }) => `${method} ${path.replace(/.*v1.0/, "")}`);
    const undisturbed = !isInterrupted && met.length === 0;
    return { before, after: view(sandbox), stateBefore, result, undisturbed, isInterrupted, texts, writes };
  }

  #holds(invariant: string, holds: boolean, detail: () => string): void {
    this.counts.invariants += 1;
    if (!holds) throw new Counterexample(invariant, detail(), this.#story);
  }

  /** What holds after every command, however it ended. */
  #checkSafety(operation: Operation, outcome: Outcome): void {
    if (operation !== "up") {
      this.#holds(`a ${operation} writes nothing`, outcome.writes.length === 0, () => outcome.writes.join());
    }
    this.#checkTeams(outcome);
    this.#checkProject(outcome);
    this.#checkKeys(outcome);
    this.#checkMembers(outcome);
    this.#checkTexts(outcome);
  }

  #checkTeams({ before, after, stateBefore }: Outcome): void {
    for (const team of before.teams) {
      const now = after.teams.find(({ id }) => id === team.id);
      const recorded = stateBefore.filter(
        ({ type, outputs }) => type === "Team" && outputs.teamId === team.id,
      );
      const declared = this.#program.find(
        (step) =>
          step.declare === "Team" &&
          (step.team === team.name ||
            (step.team === "readers" && team.id === readersId) ||
            recorded.some(({ name }) => name === labelOf(step))),
      );
      if (now === undefined) {
        const mayGo =
          recorded.some(({ outputs }) => outputs.onDestroy === "delete") && declared === undefined;
        this.#holds("only a team that leaves the program is deleted", mayGo, () => team.name);
        continue;
      }
      if (now.name !== team.name) {
        this.#holds("only a declared team is renamed", declared !== undefined, () => team.name);
      }
      for (const id of team.userIds.filter((userId) => !now.userIds.includes(userId))) {
        this.#checkRemoved(id, team.name, declared, recorded);
      }
      const added = now.userIds.filter((userId) => !team.userIds.includes(userId));
      this.#holds(
        "people are added to declared teams only",
        added.length === 0 || declared !== undefined,
        () => `${added.join()} to ${team.name}`,
      );
    }
  }

  #checkRemoved(
    userId: string,
    team: string,
    declared: Declare | undefined,
    recorded: readonly Recorded[],
  ): void {
    const person = people.find((candidate) => accountIds.get(candidate) === userId);
    const wanted = declared?.declare === "Team" ? declared : undefined;
    const wasDeclared = recorded.some(({ outputs }) =>
      (outputs.people as readonly Values[]).some(
        (entry) => entry.userId === userId && entry.declared === true,
      ),
    );
    const isListed = wanted !== undefined && person !== undefined && wanted.people.includes(person);
    const mayGo =
      wanted !== undefined &&
      !isListed &&
      (wasDeclared || (wanted.removeUnlisted === true && recorded.length > 0));
    this.#holds(
      "only people who left the program are removed from a team",
      mayGo,
      () => `${person} from ${team}`,
    );
  }

  #checkProject({ before, after, stateBefore }: Outcome): void {
    const teamIds = new Set([...before.inProject.keys(), ...after.inProject.keys()]);
    for (const teamId of teamIds) {
      const [was, is] = [before.inProject.get(teamId), after.inProject.get(teamId)];
      if (was === is) continue;
      const name = (
        after.teams.find(({ id }) => id === teamId) ?? before.teams.find(({ id }) => id === teamId)
      )?.name;
      const recorded = stateBefore.filter(
        ({ type, outputs }) => type === "ProjectTeam" && outputs.teamId === teamId,
      );
      const declared = this.#program.find(
        (step) =>
          step.declare === "ProjectTeam" &&
          (step.team === name || recorded.some((one) => one.name === labelOf(step))),
      );
      // Also of a team that is deleted: a project that has it prevents the deletion.
      const isWanted =
        is === undefined
          ? declared === undefined && recorded.some(({ outputs }) => outputs.onDestroy === "remove")
          : declared?.declare === "ProjectTeam" && rolesText(declared.roles) === is;
      this.#holds(
        "a team in the project changes only as declared",
        isWanted,
        () => `${name}: ${was ?? "nothing"} became ${is ?? "nothing"}`,
      );
    }
  }

  #checkMembers({ before, after, stateBefore }: Outcome): void {
    const known = new Set(accountIds.values());
    const others = ({ members }: View) => JSON.stringify([...members].filter(([id]) => !known.has(id)));
    this.#holds("an ignored member is not touched", others(before) === others(after), () => others(after));
    for (const person of people) {
      const id = accountIds.get(person) ?? "";
      const [was, is] = [before.members.get(id), after.members.get(id)];
      if (was === is) continue;
      const declared = this.#rolesOf(person);
      const mayBe =
        is === undefined ? this.#mayLeave(person, stateBefore) : declared && rolesText(declared) === is;
      this.#holds(
        "a person's direct roles in the project change only as declared",
        mayBe === true,
        () => `${person}: ${was ?? "nothing"} became ${is ?? "nothing"}`,
      );
    }
  }

  /** Direct roles that the program declares for the person. */
  #rolesOf(person: Person): readonly string[] | undefined {
    return this.#program
      .map((step) =>
        (step.declare === "ProjectMember" && step.person === person) ||
        (step.declare === "ProjectMembers" && step.people.includes(person))
          ? step.roles
          : undefined,
      )
      .find((roles) => roles !== undefined);
  }

  #mayLeave(person: Person, stateBefore: readonly Recorded[]): boolean {
    const list = this.#program.find(({ declare }) => declare === "ProjectMembers");
    const removesUnlisted = list?.declare === "ProjectMembers" && list.removeUnlisted === true;
    const isNamed = this.#rolesOf(person) !== undefined;
    if (isNamed) return removesUnlisted && this.#renamed.has(person);
    if (removesUnlisted) return true;
    const id = accountIds.get(person);
    // Of an invited person the account may not be known.
    const isPerson = ({ userId, username }: Values) =>
      userId === undefined ? username === nameOf(person) : userId === id;
    return stateBefore.some(({ type, inputs, outputs }) => {
      // After an update that failed in part, the inputs are those of the last successful one, and they decide.
      if (type === "ProjectMember") return isPerson(outputs) && inputs.onDestroy !== "release";
      if (type !== "ProjectMembers") return false;
      const isRecorded = (outputs.memberDetails as readonly Values[]).some(
        (detail) => isPerson(detail) && detail.declared === true,
      );
      // Without the resource in the program, only onDestroy decides.
      return isRecorded && (list !== undefined || inputs.onDestroy === "remove");
    });
  }

  #checkKeys({ before, after, stateBefore, result, texts, isInterrupted }: Outcome): void {
    for (const id of before.agentKeys.keys()) {
      if (after.agentKeys.has(id)) continue;
      const recorded = stateBefore.find(
        ({ type, outputs }) => type === "AgentApiKey" && outputs.keyId === id,
      );
      const mayGo = recorded?.outputs.onDestroy === "remove" && !this.#foreignKeys.has(id);
      this.#holds("only keys of this stack are deleted", mayGo, () => `${id} (${before.agentKeys.get(id)})`);
    }
    for (const id of after.agentKeys.keys()) {
      if (before.agentKeys.has(id)) continue;
      const isRecorded = result.state.some(({ outputs }) => outputs.keyId === id);
      if (isRecorded) continue;
      this.#foreignKeys.add(id);
      const words = [...texts, ...result.failures.map(({ message }) => message)].join("\n");
      // An interruption may also end the read that would name it.
      this.#holds("a key that is not recorded is named", isInterrupted || words.includes(id), () => id);
    }
  }

  #checkTexts({ texts, result }: Outcome): void {
    const haystack = [
      ...texts,
      ...result.failures.map(({ message }) => message),
      // The engine marks the outputs that a class of the dynamic provider names; this model does not.
      ...(this.world.provider === "plugin"
        ? result.state.map((resource) => JSON.stringify(withoutSecrets(resource as unknown as Values)))
        : []),
    ];
    const secrets = [
      privateKey,
      ...this.sandbox.state.projects.flatMap(({ agentKeys }) => agentKeys.map(({ key }) => key)),
    ];
    this.counts.secretsSearched += haystack.length * secrets.length;
    for (const secret of secrets) {
      const leak = haystack.find((text) => text.includes(secret));
      this.#holds("no secret is shown", leak === undefined, () => `${secret} in ${leak}`);
    }
    const internal = result.failures.find(
      ({ code, message }) => code === "INTERNAL" || /fault of the provider/.test(message),
    );
    this.#holds("no internal error", internal === undefined, () => String(internal?.message));
  }

  #checkSuccess({ after, result }: Outcome): void {
    for (const step of this.#program) {
      const recorded = result.state.find(
        ({ name, pendingDelete }) => name === labelOf(step) && !pendingDelete,
      );
      const outputs = unwrapped((recorded?.outputs ?? {}) as Json) as Values;
      const isTrue =
        step.declare === "ProjectMember" || step.declare === "ProjectMembers"
          ? this.#areMembersTrue(step, after)
          : step.declare === "Team"
            ? this.#isTeamTrue(step, outputs, after)
            : step.declare === "ProjectTeam"
              ? after.inProject.get(String(outputs.teamId)) === rolesText(step.roles) ||
                // The Team left the program, and this up deleted it last.
                !after.teams.some(({ id }) => id === outputs.teamId)
              : after.agentKeys.get(String(outputs.keyId)) === step.description && outputs.key !== undefined;
      this.#holds(
        "after an up everything is as declared",
        isTrue,
        () => `${labelOf(step)}: ${JSON.stringify(outputs)}`,
      );
      if (step.declare === "Team") this.#checkDeparted(step, outputs, after);
    }
    for (const name of keys) {
      const isDeclared = this.#program.some((step) => labelOf(step) === `key-${name}`);
      const isRecorded = result.state.some((resource) => resource.name === `key-${name}`);
      this.#holds("the state has the declared keys and no others", isDeclared === isRecorded, () => name);
    }
  }

  #checkDeparted(step: Declare & { declare: "Team" }, { teamId }: Values, { teams }: View): void {
    const left =
      this.#declaredPeople.get(labelOf(step))?.filter((person) => !step.people.includes(person)) ?? [];
    const userIds = teams.find(({ id }) => id === teamId)?.userIds ?? [];
    const remaining = left.filter((person) => userIds.includes(accountIds.get(person) ?? ""));
    this.#holds(
      "people who left the program have left the team",
      remaining.length === 0,
      () => `${remaining.join()} in ${labelOf(step)}`,
    );
    this.#declaredPeople.set(labelOf(step), step.people);
  }

  #areMembersTrue(step: Declare & { declare: "ProjectMember" | "ProjectMembers" }, view: View): boolean {
    const { members, invited } = view;
    const listed = (step.declare === "ProjectMember" ? [step.person] : step.people).filter(
      (person) => !this.#renamed.has(person),
    );
    const others = people.filter((person) => !listed.includes(person) && !this.#renamed.has(person));
    const isExclusive = step.declare === "ProjectMembers" && step.removeUnlisted === true;
    return (
      listed.every(
        (person) =>
          this.#hasRoles(person, step.roles, view) ||
          (!members.has(accountIds.get(person) ?? "") &&
            invited.get(nameOf(person)) === rolesText(step.roles)),
      ) && !(isExclusive && others.some((person) => members.has(accountIds.get(person) ?? "")))
    );
  }

  /** Whether the person has these roles directly. Where the service shows the roles of teams too, those of the person's teams do not count. */
  #hasRoles(person: Person, roles: readonly string[], { teams, inProject, members }: View): boolean {
    const id = accountIds.get(person) ?? "";
    const direct = members.get(id)?.split(",");
    if (direct === undefined) return false;
    const ofTeams = this.world.switches.teamRolesInUsers
      ? teams.flatMap((team) => (team.userIds.includes(id) ? (inProject.get(team.id)?.split(",") ?? []) : []))
      : [];
    return (
      direct.every((role) => roles.includes(role) || ofTeams.includes(role)) &&
      roles.every((role) => direct.includes(role) || ofTeams.includes(role))
    );
  }

  #isTeamTrue(step: Declare & { declare: "Team" }, { teamId }: Values, { teams }: View): boolean {
    const team = teams.find(({ id }) => id === teamId);
    return (
      team?.name === step.team &&
      step.people.every((person) => team.userIds.includes(accountIds.get(person) ?? ""))
    );
  }

  /** Refusals that the documents describe: an `up` that nothing disturbed may end with one of these, and with no other failure. */
  #checkRefusal(outcome: Outcome): void {
    const { before, result } = outcome;
    const { agentKeyInAnswer, lastAgentKey } = this.world.switches;
    for (const { name, message } of result.failures) {
      const isExpected =
        /maxRemovals|last owner|a project still has it|only owner|CANNOT_DEMOTE_LAST_OWNER|CANNOT_REMOVE_LAST_USER_FROM_TEAM|stays in team/.test(
          message,
        ) ||
        (/has no team named|TEAM_NOT_FOUND/.test(message) &&
          (before.teams.length < 2 || this.#hasRenamedTeam)) ||
        (agentKeyInAnswer === false && message.includes("did not contain the key")) ||
        (lastAgentKey === "keep" && message.includes("USER_UNAUTHORIZED")) ||
        // The host of dynamic providers does not refresh before an update.
        (/was deleted since it was recorded/.test(message) && this.world.provider === "dynamic") ||
        // A name that no account has any more, or that the state does not know.
        (/has no account with the name/.test(message) && this.#renames > 0);
      this.#holds("an undisturbed up fails only as documented", isExpected, () => `${name}: ${message}`);
    }
  }
}

/** Whether the program cannot have both. */
function replaces(step: Declare, other: Declare): boolean {
  const kinds = [step.declare, other.declare].sort().join();
  return labelOf(step) === labelOf(other) || kinds === "ProjectMember,ProjectMembers";
}

function labelOf(step: Declare): string {
  if (step.declare === "Team") return `team-${step.team}`;
  if (step.declare === "ProjectMember") return `member-${step.person}`;
  if (step.declare === "ProjectMembers") return "members";
  return step.declare === "ProjectTeam" ? `roles-${step.team}` : `key-${step.key}`;
}

function messagesOf({ result }: Outcome): string {
  return result.failures.map(({ name, message }) => `${name}: ${message}`).join("\n");
}

function withoutUndefined(values: object): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Values;
}
