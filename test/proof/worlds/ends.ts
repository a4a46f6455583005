/** What has to be true of access with a last day. While the day is not over, the files of its kind say it. */
import type { Declaration, Recorded } from "../engine-model";
import type { CommandOutcome, Holds, PlannedEnd } from "./command";
import { isOver } from "./days";
import type { Knowledge } from "./knowledge";
import { candidatesOf, type Entry, isPresent, matches } from "./oracle";
import {
  daysIn,
  daysOverIn,
  formerPatterns,
  isEndRecorded,
  isRecordOf,
  mayBeReplaced,
  peopleIn,
  recordedEnd,
} from "./records";
import { fold, type ServiceView } from "./service-view";
import { exists, hasLeft, objectsOf } from "./teams";

/** One access whose last day is over by this machine's clock. */
interface End {
  readonly declaration: Declaration;
  readonly until: string;
  /** The name, in a list; absent if the resource is the access. */
  readonly person: string | undefined;
  readonly record: Recorded;
  /** The record before the command, if there was one. */
  readonly former: Recorded;
}

const keyOf = ({ type, id }: Recorded, day: string, person = ""): string => `${type} ${id} ${person} ${day}`;

export class EndInvariants {
  /** Recorded days that were recorded before they passed. */
  #planned: ReadonlySet<string> = new Set();

  constructor(
    private readonly knows: Knowledge,
    private readonly holds: Holds,
  ) {}

  plannedIn({ stateBefore, before }: CommandOutcome): readonly PlannedEnd[] {
    const { identities, program } = this.knows;
    return stateBefore.flatMap((record) => {
      const { name: resource, outputs } = record;
      const { projectId, teamId, keyId, userId } = outputs;
      // What only this machine's clock has ended is put off.
      const planned = daysOverIn(record.inputs).filter(
        (day) =>
          this.#planned.has(keyOf(record, ...day)) && isOver(day[0], Date.parse(this.knows.sandbox.time)),
      );
      // Whatever leaves the program before an update has ended it is removed like any other.
      const declaration = program.declarations.find((one) => isRecordOf(one, record));
      const days = declaration ? daysIn(declaration.inputs) : [];
      return planned.flatMap(([day, person]): PlannedEnd[] => {
        const isStill = days.some(([now, who]) => who === person && now === day);
        if (!isStill && !isEndRecorded(record, person)) return [];
        if (person === undefined) return [{ resource, placeId: projectId, holders: [teamId, keyId, userId] }];
        const holders = [...before.names.keys()].filter((id) => identities.namesOf(id).has(fold(person)));
        return [{ resource, person, placeId: projectId ?? teamId, holders }];
      });
    });
  }

  /** What holds after every command, however it ended. */
  checkSafety(outcome: CommandOutcome): void {
    if (outcome.operation === "preview") return;
    const { result, stateBefore } = outcome;
    for (const declaration of this.knows.program.declarations) {
      const record = recordOf(declaration, result.state);
      const former = recordOf(declaration, stateBefore) ?? record;
      if (record === undefined || former === undefined) continue;
      for (const [until, person] of daysOverIn(declaration.inputs)) {
        const end = { declaration, until, person, record, former };
        this.#checkAccount(end, outcome);
        if (!this.#isOpen(end, outcome.after)) this.#check(end, outcome);
      }
    }
    const days = result.state.flatMap((record) =>
      daysIn(record.inputs).map((day) => [day[0], keyOf(record, ...day)] as const),
    );
    const isPlanned = ([day, key]: (typeof days)[number]) =>
      !isOver(day, Date.now()) || this.#planned.has(key);
    this.#planned = new Set(days.filter(isPlanned).map(([, key]) => key));
  }

  #check({ declaration, until, person, record, former }: End, outcome: CommandOutcome): void {
    const { before, after, result, undisturbed, stateBefore } = outcome;
    const { name } = declaration;
    const [had, has] = [this.#isThere(former, person, before), this.#isThere(record, person, after)];
    const { endedAt, overdueReason = "" } = recordedEnd(record, person);
    const detail = () =>
      `${person ?? ""} ${name} until ${until} at ${this.knows.sandbox.time}: ${overdueReason}`.trimStart();
    const all = [...result.steps, ...(result.failedSteps ?? [])];
    const steps = all.filter((step) => step.name === name && step.kind !== "read-deleted");
    if (!isOver(until, Date.parse(this.knows.sandbox.time))) {
      // Whoever leaves an organization, and whatever is deleted, leaves its projects too.
      const place = String(record.outputs.projectId);
      const isTaken =
        this.#accountsOf(record, person).some((account) => hasLeft(account, { before, after })) ||
        (before.projects.has(place) && !after.projects.has(place)) ||
        result.steps.some(({ kind }) => kind === "delete" || kind === "replace");
      this.holds("nothing ends by this machine's clock alone", !had || has || isTaken, detail);
      this.holds("nothing is given by the service's clock alone", had || !has, detail);
    } else if (steps.length > 0) {
      const isPutOff =
        record.type === "OrganizationMember" && (!this.#isOffered || /^Put off/.test(overdueReason));
      const isTried = steps.some(({ kind }) => kind !== "read");
      const failures = result.failures.filter((failure) => failure.name === name);
      const isPlanned = this.#planned.has(keyOf(former, until, person)) && !mayBeReplaced(declaration);
      // What a list fails for keeps nobody whose day was recorded before it passed, but for a reason of their own.
      const isKept =
        person === undefined
          ? failures.length > 0
          : failures.some(({ message }) => message.includes(person) || !isPlanned) ||
            matches(formerPatterns(stateBefore, declaration), person);
      const isLeft = person === undefined && isListedIn(stateBefore, record);
      const isDone = endedAt !== undefined || isPutOff || !isTried || !undisturbed || isKept || isLeft;
      this.holds("what is over by both clocks has ended", isDone, detail);
      // Only a read sees who was brought back.
      const isSeen = undisturbed && steps.some(({ kind }) => kind !== "same");
      // Whom the run adds to a project joins its organization.
      const isJoined = record.type === "OrganizationMember" && !had;
      const isGone = endedAt === undefined || !isSeen || !has || isJoined || isKept;
      this.holds("what has ended is gone", isGone, detail);
    }
  }

  /** The account that was recorded ends, and no other one that has its name. */
  #checkAccount({ declaration, person, record, former }: End, { before, after }: CommandOutcome): void {
    if (person === undefined || declaration.inputs.removeUnlisted === true) return;
    const there = (service: ServiceView) => peopleOf(record, service);
    const details = peopleIn(former);
    const meant = details.find(
      ({ declared, declaredAs, username }) => declared && fold(declaredAs ?? username) === fold(person),
    );
    const isThere = meant?.userId !== undefined && there(before).includes(meant.userId);
    const account = recordedEnd(former, person).userId ?? (isThere ? meant.userId : undefined);
    if (account === undefined) return;
    const others = there(before).filter((id) => {
      const isDeclared = details.some((one) => one.userId === id && one.declared);
      return id !== account && before.names.get(id) === fold(person) && !isDeclared;
    });
    const gone = others.filter((id) => !there(after).includes(id) && !hasLeft(id, { before, after }));
    this.holds(
      "the account that was recorded ends, and no other one with its name",
      gone.length === 0,
      () => `${person} in ${declaration.name}: ${gone.join(", ")}, and not ${account}`,
    );
  }

  get #isOffered(): boolean {
    return this.knows.world.switches.orgUserChanges === "offered";
  }

  #accountsOf({ outputs }: Recorded, person: string | undefined): readonly string[] {
    if (person === undefined) return [String(outputs.userId)];
    const { identities } = this.knows;
    const accounts = [...this.knows.view().names.keys()];
    return accounts.filter((id) => identities.namesOf(id).has(fold(person)));
  }

  /** Whether it is open who is meant, or the program declares the same access elsewhere, or may. */
  #isOpen({ declaration, person, record }: End, service: ServiceView): boolean {
    const { identities, state } = this.knows;
    const objects = new Set(objectsOf(record));
    const own = this.#entriesOf(record, person);
    const named = person === undefined ? [] : this.#accountsOf(record, person);
    // After a rename, two people of the organization may have had one name.
    const isNamesake = ({ type, inputs }: Declaration) =>
      type === "OrganizationMember" &&
      declaration.type === type &&
      inputs.username === declaration.inputs.username;
    return (
      this.knows.declarations.some(isNamesake) ||
      named.some((id) => identities.namesOf(id).size > 1) ||
      own.some(
        ({ userId, ...entry }) => userId === undefined && candidatesOf(entry, service, identities).ambiguous,
      ) ||
      state.some((other) => other !== record && objectsOf(other).some((object) => objects.has(object))) ||
      this.knows
        .entries()
        .some((other) =>
          own.some(
            (entry) => entry.projectId === other.projectId && this.knows.meanTheSame(entry, other, service),
          ),
        )
    );
  }

  #isThere(record: Recorded, person: string | undefined, service: ServiceView): boolean {
    if (record.type === "Team")
      return peopleOf(record, service).some((id) => service.names.get(id) === fold(person ?? ""));
    if (!record.type.startsWith("ProjectMember")) return exists(record, service);
    return this.#entriesOf(record, person).some((entry) => isPresent(entry, service, this.knows.identities));
  }

  /** Once an account is recorded, the name and its last day mean that one alone (docs/reliability.md). */
  #entriesOf(record: Recorded, person: string | undefined): readonly Entry[] {
    const { userId } = recordedEnd(record, person);
    return this.knows
      .entriesOf(this.knows.program.declarations.filter((one) => isRecordOf(one, record)))
      .filter(({ username }) => person === undefined || username === person)
      .map((entry) => (userId === undefined ? entry : { ...entry, userId }));
  }
}

/**
 * Whether a list of people declared the same person when the run began. The run may come to it yet, so the access is left to the
 * list, and if that leaves the program, the next run ends it.
 */
export const isListedIn = (
  state: readonly Recorded[],
  { outputs: { projectId, userId } }: Recorded,
): boolean =>
  state.some(
    (list) =>
      list.outputs.projectId === projectId &&
      peopleIn(list).some((listed) => listed.declared && listed.userId === userId),
  );

/** The accounts in the project or team of a list. */
const peopleOf = ({ outputs }: Recorded, { projects, teams }: ServiceView): readonly string[] => [
  ...(projects.get(String(outputs.projectId))?.members.keys() ?? []),
  ...(teams.get(String(outputs.teamId))?.userIds ?? []),
];

const recordOf = (declaration: Declaration, state: readonly Recorded[]): Recorded | undefined =>
  state.find((one) => one.type === declaration.type && isRecordOf(declaration, one) && !one.pendingDelete);
