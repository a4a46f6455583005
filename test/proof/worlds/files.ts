/**
 * Random worlds of files: a folder with last days, declared by AccessFolder through the real engine and the plugin, run every night with
 * `--continue-on-error`. Days pass, by both clocks or by one of them, people bring others back, and a project that cannot be created fails
 * beside it all.
 */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { type Sandbox, startSandbox } from "../../../sandbox";
import { endPlugins, type PluginProcess, startPlugin } from "../../engine/support/plugin-process";
import { connection } from "../../engine/support/stack-setup";
import { createStack, type Run, type Stack } from "../../support";
import { clock, isOver, lastDay, timeAt } from "./days";
import { among, at, drawn, oneIn, pick } from "./draws";
import { Counterexample } from "./play";
import type { WorldsOptions, WorldsResult } from "./run";
import { shorten } from "./search";

/** Of `payments` and `operators`, one resource declares all people; each other entry is a resource of its own. */
const people = ["ada", "ben", "cleo"] as const;
const holders = {
  payments: [...people, "operators", "theirkey"],
  ledger: [...people, "operators", "theirkey"],
  operators: people,
  // Nobody of these is declared below the organization: who leaves it must leave that as well.
  acme: ["eve", "finn", "ci"],
} as const;
type Place = keyof typeof holders;
const places = Object.keys(holders) as Place[];

const entry = fc.oneof(...places.map((place) => drawn({ place, holder: among<string>(...holders[place]) })));

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(entry, drawn({ until: fc.option(lastDay, { nil: undefined, freq: 4 }) }))
      .map(([where, day]) => ({ do: "list" as const, ...where, ...day })),
  },
  { weight: 3, arbitrary: drawn({ do: "leave out", pick }) },
  { weight: 2, arbitrary: drawn({ do: "bring back", pick }) },
  { weight: 3, arbitrary: drawn({ do: "wait", clock, days: among(1, 1, 2) }) },
  { weight: 1, arbitrary: drawn({ do: "break", isBroken: fc.boolean() }) },
  { weight: 5, arbitrary: drawn({ do: "up" }) },
);
type FilesStep = typeof step extends fc.Arbitrary<infer Step> ? Step : never;

interface FilesWorld {
  readonly maxRemovalsPerRun?: number;
  readonly steps: readonly FilesStep[];
}

const filesWorlds: fc.Arbitrary<FilesWorld> = fc
  .tuple(oneIn(4, among(1)), fc.array(step, { minLength: 8, maxLength: 16, size: "max" }))
  .map(([maxRemovalsPerRun, steps]) => ({
    ...(maxRemovalsPerRun !== undefined && { maxRemovalsPerRun }),
    steps: [...steps, { do: "up" } as const],
  }));

const orgId = "5f00000000000000000000a1";
const owner = "owner@example.com";
const publicKey = "worldkey";
const isPerson = (holder: string): boolean => !["operators", "theirkey", "ci"].includes(holder);
const nameOf = (holder: string): string => (isPerson(holder) ? `${holder}@example.com` : holder);

interface Entry {
  readonly place: Place;
  readonly holder: string;
  readonly until?: string | undefined;
}

/** One resource declares it together with others. */
const isListed = ({ place, holder }: Entry): boolean =>
  isPerson(holder) && (place === "payments" || place === "operators");
const resourceOf = (one: Entry): string => (isListed(one) ? one.place : `${one.place}/${nameOf(one.holder)}`);
const isSame = (one: Entry, other: Entry): boolean =>
  one.place === other.place && one.holder === other.holder;
const textOf = ({ place, holder, until }: Entry): string =>
  `${holder} in ${place}${until === undefined ? "" : ` until ${until}`}`;

/** Plugin processes by the day of this machine's clock. */
const plugins = new Map<number, Promise<PluginProcess>>();
const clockModule = join(__dirname, "..", "..", "engine", "support", "machine-clock.cjs");
const pluginOn = (day: number): Promise<PluginProcess> => {
  const env = {
    NODE_OPTIONS: `--require=${clockModule}`,
    OPSMANAGER_TEST_NOW: new Date(timeAt(day)).toISOString(),
  };
  const started = plugins.get(day) ?? startPlugin([], env);
  plugins.set(day, started);
  return started;
};

/** More days need more processes. */
const LAST = 4;

class FilesPlay {
  readonly story: string[] = [];
  #entries: readonly Entry[] = [
    { place: "payments", holder: "ada" },
    { place: "ledger", holder: "ben" },
    { place: "operators", holder: "ada" },
    { place: "acme", holder: "eve" },
  ];
  /** What was declared when its resource was written last, by resource. */
  #settled = new Map<string, readonly Entry[]>();
  /** Entries that an `up` recorded before their day had passed. */
  readonly #planned = new Set<string>();
  #isBroken = false;
  readonly #days = { machine: 0, service: 0 };

  constructor(
    private readonly sandbox: Sandbox,
    private readonly stack: Stack,
    private readonly hasLimit: boolean,
  ) {}

  async step(given: FilesStep): Promise<void> {
    switch (given.do) {
      case "list":
        return this.#list(given);
      case "leave out":
        return this.#leaveOut(given.pick);
      case "bring back":
        return this.#bringBack(given.pick);
      case "break":
        this.#isBroken = given.isBroken;
        return;
      case "wait":
        return this.#wait(given);
      case "up":
        return this.#up();
    }
  }

  #list({ place, holder, until }: Extract<FilesStep, { readonly do: "list" }>): void {
    const one = { place, holder, until };
    this.#entries = [...this.#entries.filter((other) => !isSame(one, other)), one];
    this.story.push(`list ${textOf(one)}`);
  }

  #leaveOut(pick: number): void {
    // An empty list of people is a fault of its file.
    const isAlone = (one: Entry) =>
      this.#entries.every((other) => other === one || other.place !== one.place || !isPerson(other.holder));
    const one = at(
      this.#entries.filter((other) => !isPerson(other.holder) || !isAlone(other)),
      pick,
    );
    if (one === undefined) return;
    this.#entries = this.#entries.filter((other) => other !== one);
    this.story.push(`leave out ${textOf(one)}`);
  }

  /** An access that is over. A key that was deleted cannot come back. */
  #bringBack(pick: number): void {
    const { sandbox } = this;
    const over = this.#entries.filter(
      (one) => one.holder !== "ci" && this.#isOverBy(one, "machine") && !this.#holds(one),
    );
    const one = at(over, pick);
    const id = one && this.#placeId(one.place);
    if (one === undefined || id === undefined) return;
    const { place, holder } = one;
    const username = nameOf(holder);
    const account = sandbox.user({ username })?.id ?? "";
    const team = sandbox.state.teams.find(({ name }) => name === "operators");
    if (place === "acme") sandbox.setOrgMember(orgId, { username }, ["ORG_READ_ONLY"]);
    else if (place === "operators") sandbox.changeTeam(id, { userIds: [...(team?.userIds ?? []), account] });
    else if (holder === "theirkey")
      sandbox.changeKey(holder, {
        roles: [...(this.#key(holder)?.roles ?? []), { groupId: id, roleName: "GROUP_READ_ONLY" }],
      });
    else if (holder !== "operators") sandbox.setMember(id, { username }, ["GROUP_USER_ADMIN"]);
    else if (team) sandbox.setProjectTeam(id, { teamId: team.id, roleNames: ["GROUP_READ_ONLY"] });
    else return;
    this.story.push(`outside: bring back ${textOf(one)}`);
  }

  #wait({ clock: whose, days }: Extract<FilesStep, { readonly do: "wait" }>): void {
    for (const one of ["machine", "service"] as const) {
      if (whose !== "both" && whose !== one) continue;
      const now = Math.min(LAST, this.#days[one] + days);
      if (one === "service") this.sandbox.advanceClock((timeAt(now) - timeAt(this.#days.service)) / 1000);
      this.#days[one] = now;
    }
    this.story.push(
      `it is day ${this.#days.machine} by this machine's clock, ${this.#days.service} by the service's`,
    );
  }

  #isOverBy({ until }: Entry, whose: "machine" | "service"): boolean {
    return isOver(until, timeAt(this.#days[whose]));
  }

  #key(name: string) {
    return this.sandbox.state.keys.find((key) => key.publicKey === name || key.desc === name);
  }

  #placeId(place: Place): string | undefined {
    const { projects, teams } = this.sandbox.state;
    if (place === "acme") return orgId;
    return (place === "operators" ? teams : projects).find(({ name }) => name === place)?.id;
  }

  /** Whether the holder has the access, or an invitation to it. */
  #holds({ place, holder }: Entry): boolean {
    const { state } = this.sandbox;
    const id = this.#placeId(place);
    const team = state.teams.find(({ name }) => name === "operators");
    if (id === undefined) return false;
    if (holder === "ci") return this.#key("ci") !== undefined;
    if (holder === "theirkey") return this.#key(holder)?.roles.some(({ groupId }) => groupId === id) === true;
    if (holder === "operators")
      return this.sandbox.project(id)?.teams.some(({ teamId }) => teamId === team?.id) === true;
    const account = this.sandbox.user({ username: nameOf(holder) });
    if (place === "operators") return account !== undefined && team?.userIds.includes(account.id) === true;
    const isHere = (one: { orgId?: string | undefined; groupId?: string | undefined }) =>
      place === "acme" ? one.orgId === id && !one.groupId : one.groupId === id;
    return (
      account?.roles.some(isHere) === true ||
      state.invitations.some((one) => one.username === nameOf(holder) && isHere(one))
    );
  }

  async #up(): Promise<void> {
    await writeFiles(this.stack.paths.program, this.#files());
    const plugin = await pluginOn(this.#days.machine);
    this.stack.setEnv({ PULUMI_DEBUG_PROVIDERS: `opsmanager:${plugin.port}` });
    const run = await this.#run();
    if (run.exitCode !== 0) return;
    const isPutOff = this.#entries.some(
      (one) => this.#isOverBy(one, "machine") && !this.#isOverBy(one, "service"),
    );
    if (isPutOff) return;
    const again = await this.#run();
    const doings = again.steps.filter(({ op, refreshed }) => op !== "same" && !refreshed);
    const writes = this.sandbox.requests.filter(({ method }) => method !== "GET");
    this.#check(
      "a second up changes nothing",
      again.exitCode === 0 && doings.length + writes.length === 0,
      () =>
        JSON.stringify([
          doings.map(({ op, name }) => `${op} ${name}`),
          writes.map(({ method, path }) => `${method} ${path}`),
        ]),
    );
  }

  async #run(): Promise<Run> {
    const had = new Map(this.#entries.map((one) => [one, this.#holds(one)]));
    this.sandbox.clearRequests();
    const run = await this.stack.up({ continueOnError: true });
    const errors = run.diagnostics.filter(({ severity, urn }) => severity === "error" && urn);
    const failed = new Map(errors.map(({ urn = "", message }) => [urn.split("::").at(-1) ?? "", message]));
    this.story.push(
      `up: exit code ${run.exitCode}${[...failed].map(([name, why]) => `; ${name}: ${why}`).join("")}`,
    );
    this.#checkFailures(failed, run);
    for (const one of this.#entries) this.#checkEntry(one, had.get(one) === true, failed);
    this.#checkLeft(run, failed);
    this.#record(failed);
    return run;
  }

  #check(invariant: string, holds: boolean, detail: () => string): void {
    if (!holds) throw new Counterexample(invariant, detail(), this.story);
  }

  /** Nobody whose day is not over is in the team's file: the service keeps the last person. */
  get #isTeamOver(): boolean {
    return this.#entries.every((one) => one.place !== "operators" || this.#isOverBy(one, "machine"));
  }

  #checkFailures(failed: ReadonlyMap<string, string>, { exitCode, output }: Run): void {
    this.#check("nothing fails without a reason", exitCode === 0 || failed.size > 0, () => output);
    for (const [name, why] of failed) {
      // A list names whom it counts.
      const isCounted = !this.#entries.some(
        (one) =>
          resourceOf(one) === name &&
          this.#isPlannedEnd(one) &&
          (!isListed(one) || why.includes(nameOf(one.holder))),
      );
      const isExpected =
        (name === "broken" && this.#isBroken) ||
        /^access$|resource registration failed|one or more .*failed/.test(name + why) ||
        (name === "operators" && this.#isTeamOver && /stays? in team|last person|LAST_USER/.test(why)) ||
        (this.hasLimit && /maxRemovalsPerRun/.test(why) && isCounted);
      this.#check("nothing fails without a reason", isExpected, () => `${name}: ${why}`);
    }
  }

  #isPlannedEnd(one: Entry): boolean {
    return this.#isOverBy(one, "machine") && this.#planned.has(textOf(one));
  }

  #checkEntry(one: Entry, had: boolean, failed: ReadonlyMap<string, string>): void {
    const has = this.#holds(one);
    const [byMachine, byService] = [this.#isOverBy(one, "machine"), this.#isOverBy(one, "service")];
    const hasFailed = failed.has(resourceOf(one));
    const where = () => `${textOf(one)}, day ${this.#days.machine} and ${this.#days.service}`;
    if (!byMachine) {
      // The team of a project is declared after its people.
      const isBehind = one.holder === "operators" && failed.has("operators");
      this.#check("what is not over is granted", has || hasFailed || isBehind, where);
    } else if (byService) {
      // No failure of a list keeps whose day was recorded before it passed, but the service keeps the last person of a team.
      const isKept =
        hasFailed &&
        (!isListed(one) || !this.#isPlannedEnd(one) || (one.place === "operators" && this.#isTeamOver));
      this.#check("what is over by both clocks has ended", !has || isKept, where);
    } else {
      this.#check("nothing ends or begins by this machine's clock alone", has === had, where);
    }
  }

  /** The engine deletes nothing after a failure; a list removes by itself. */
  #checkLeft({ exitCode }: Run, failed: ReadonlyMap<string, string>): void {
    for (const [resource, entries] of this.#settled) {
      for (const one of entries) {
        const isDeclared = this.#entries.some((other) => isSame(one, other));
        const isDue = isListed(one) ? !failed.has(resource) : exitCode === 0;
        this.#check("who is left out has left", isDeclared || !isDue || !this.#holds(one), () => textOf(one));
      }
    }
  }

  #record(failed: ReadonlyMap<string, string>): void {
    for (const one of this.#entries) {
      if (failed.has(resourceOf(one))) continue;
      if (!this.#isOverBy(one, "machine")) this.#planned.add(textOf(one));
      const same = this.#entries.filter(
        (other) => resourceOf(other) === resourceOf(one) && !this.#isGone(other),
      );
      this.#settled.set(resourceOf(one), same);
    }
  }

  /** Nobody of a list is declared once they are removed (docs/reliability.md), so whoever brings them back gives them the access. */
  #isGone(one: Entry): boolean {
    return isListed(one) && this.#isOverBy(one, "machine") && !this.#holds(one);
  }

  #files(): Readonly<Record<string, object | undefined>> {
    const of = (place: Place, wanted: (holder: string) => boolean) =>
      this.#entries.filter((one) => one.place === place && wanted(one.holder));
    const mapOf = (entries: readonly Entry[], value: object) =>
      entries.length === 0
        ? undefined
        : Object.fromEntries(entries.map(({ holder, until }) => [nameOf(holder), { ...value, until }]));
    const project = (place: Place, more: object = {}) => ({
      ...{ name: place, ...more },
      members: mapOf(of(place, isPerson), { roles: ["GROUP_READ_ONLY"] }),
      teams: mapOf(
        of(place, (holder) => holder === "operators"),
        { roles: ["GROUP_READ_ONLY"] },
      ),
      externalApiKeys: mapOf(
        of(place, (holder) => holder === "theirkey"),
        { roles: ["GROUP_READ_ONLY"] },
      ),
    });
    return {
      "projects/payments.json": project("payments"),
      "projects/ledger.json": project("ledger", { membership: "additive" }),
      "projects/broken.json": this.#isBroken ? { name: "broken", orgId: "5f".repeat(12) } : undefined,
      "teams/operators.json": {
        name: "operators",
        usernames: of("operators", isPerson).map(({ holder, until }) => ({
          username: nameOf(holder),
          until,
        })),
      },
      "organizations/acme.json": {
        key: "acme",
        members: mapOf(of("acme", isPerson), { roles: ["ORG_READ_ONLY"] }),
        apiKeys: mapOf(
          of("acme", (holder) => holder === "ci"),
          { description: "ci", roles: ["ORG_READ_ONLY"] },
        ),
      },
    };
  }
}

async function writeFiles(
  folder: string,
  files: Readonly<Record<string, object | undefined>>,
): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await (content === undefined ? rm(path, { force: true }) : writeFile(path, JSON.stringify(content)));
  }
}

/** @throws Counterexample as soon as an invariant does not hold */
export async function playFilesWorld({ maxRemovalsPerRun, steps }: FilesWorld): Promise<void> {
  const everyone = [...people, "eve", "finn"].map(nameOf);
  const sandbox = await startSandbox({
    ...{ orgUserChanges: "offered", bypassInvitations: true },
    seed: {
      orgs: [{ id: orgId, name: "Example" }],
      users: [
        { username: owner, roles: [{ orgId, roleName: "ORG_OWNER" }] },
        ...everyone.map((username) => ({ username, roles: [{ orgId, roleName: "ORG_MEMBER" }] as const })),
      ],
      keys: [
        {
          publicKey,
          privateKey: "5e5e5e5e-0000-4000-8000-0123456789ab",
          roles: [{ roleName: "GLOBAL_OWNER" }, { orgId, roleName: "ORG_OWNER" }],
        },
        { publicKey: "theirkey", orgId, desc: "theirs", roles: [{ orgId, roleName: "ORG_MEMBER" }] },
      ],
      projects: [],
    },
  });
  sandbox.advanceClock((timeAt(0) - Date.parse(sandbox.time)) / 1000);
  const stack = await createStack({
    program: {},
    config: {
      ...connection(sandbox),
      "opsmanager:orgId": orgId,
      ...(maxRemovalsPerRun !== undefined && { "opsmanager:maxRemovalsPerRun": maxRemovalsPerRun }),
    },
  });
  try {
    const access = { type: "AccessFolder", properties: { folder: stack.paths.program } };
    await stack.setProgram({ resources: { access } });
    const play = new FilesPlay(sandbox, stack, maxRemovalsPerRun !== undefined);
    for (const one of steps) await play.step(one);
  } finally {
    await stack.dispose();
    await sandbox.close();
  }
}

/** @returns the invariant that does not hold in the world, if one does not */
async function counterexampleOf(world: FilesWorld): Promise<Counterexample | undefined> {
  return playFilesWorld(world).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof Counterexample) return error;
      throw error;
    },
  );
}

/** Plays so many worlds, in at most so many minutes, until one shows a fault. */
export async function runFilesWorlds({
  worlds,
  seed,
  minutes = Number.POSITIVE_INFINITY,
}: Pick<WorldsOptions, "worlds" | "seed" | "minutes">): Promise<
  Pick<WorldsResult, "worlds" | "counterexamples">
> {
  const end = performance.now() + minutes * 60_000;
  let played = 0;
  try {
    for (const world of fc.sample(filesWorlds, { seed, numRuns: worlds })) {
      if (performance.now() > end) break;
      played += 1;
      const first = await counterexampleOf(world);
      if (first === undefined) continue;
      const again = async (shorter: FilesWorld) => {
        const shown = await counterexampleOf(shorter);
        return shown?.invariant === first.invariant ? shown : undefined;
      };
      const short = await shorten(world, first, again, 30);
      const { invariant, detail, story } = short.found;
      const script = `${story.map((line) => `// ${line}\n`).join("")}playFilesWorld(${JSON.stringify(short.world)})`;
      return { worlds: played, counterexamples: [{ invariant, detail, script }] };
    }
    return { worlds: played, counterexamples: [] };
  } finally {
    await endPlugins();
    plugins.clear();
  }
}
