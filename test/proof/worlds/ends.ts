/** What has to be true of access with a last day. While the day is not over, the files of its kind say it. */
import type { Declaration, Recorded } from "../engine-model";
import type { CommandOutcome, Holds } from "./command";
import { isOver } from "./days";
import type { Knowledge } from "./knowledge";
import { candidatesOf, isPresent } from "./oracle";
import { isRecordOf } from "./records";
import type { ServiceView } from "./service-view";
import { exists, hasLeft, objectsOf } from "./teams";

export class EndInvariants {
  /** Ends whose day was recorded before it had passed. */
  readonly #planned = new Set<string>();

  constructor(
    private readonly knows: Knowledge,
    private readonly holds: Holds,
  ) {}

  /** Whether the day of the record has passed since it was recorded. */
  isPlanned({ type, id, inputs }: Recorded): boolean {
    return isOver(inputs.until, Date.now()) && this.#planned.has(`${type} ${id} ${inputs.until}`);
  }

  /** What holds after every command, however it ended. */
  checkSafety(outcome: CommandOutcome): void {
    if (outcome.operation === "preview") return;
    for (const declaration of this.knows.ended) this.#check(declaration, outcome);
    for (const { type, id, inputs } of outcome.result.state)
      if (!isOver(inputs.until, Date.now())) this.#planned.add(`${type} ${id} ${inputs.until}`);
  }

  #check(declaration: Declaration, outcome: CommandOutcome): void {
    const { before, after, result, stateBefore, undisturbed } = outcome;
    const { name, inputs } = declaration;
    const record = recordOf(declaration, result.state);
    const former = recordOf(declaration, stateBefore) ?? record;
    if (record === undefined || former === undefined || this.#isShared(declaration, record, after)) return;
    const [had, has] = [this.#isThere(former, before), this.#isThere(record, after)];
    const { endedAt, overdueReason = "" } = record.outputs;
    const detail = () => `${name} until ${inputs.until} at ${this.knows.sandbox.time}: ${overdueReason}`;
    if (!isOver(inputs.until, Date.parse(this.knows.sandbox.time))) {
      // Whoever leaves an organization, and whatever is deleted, leaves its projects too.
      const place = String(record.outputs.projectId);
      const isTaken =
        hasLeft(String(record.outputs.userId), { before, after }) ||
        (before.projects.has(place) && !after.projects.has(place)) ||
        result.steps.some(({ kind }) => kind === "delete" || kind === "replace");
      this.holds("nothing ends by this machine's clock alone", !had || has || isTaken, detail);
      this.holds("nothing is given by the service's clock alone", had || !has, detail);
    } else if (result.steps.some((step) => step.name === name && step.kind !== "read-deleted")) {
      const isPutOff =
        record.type === "OrganizationMember" && (!this.#isOffered || /^Put off/.test(String(overdueReason)));
      const isTried = result.steps.some((step) => step.name === name && step.kind !== "read");
      const isDone = endedAt !== undefined || isPutOff || !isTried || !undisturbed;
      this.holds("what is over by both clocks has ended", isDone, detail);
      // Only a read sees who was brought back.
      const isSeen = result.steps.some((step) => step.name === name && step.kind !== "same");
      this.holds("what has ended is gone", endedAt === undefined || !isSeen || !has, detail);
    }
  }

  get #isOffered(): boolean {
    return this.knows.world.switches.orgUserChanges === "offered";
  }

  /** Whether the program declares the same access elsewhere, or may. */
  #isShared(declaration: Declaration, record: Recorded, service: ServiceView): boolean {
    const { identities, state } = this.knows;
    const objects = new Set(objectsOf(record));
    const own = this.knows.entries([declaration]);
    return (
      own.some((entry) => candidatesOf(entry, service, identities).ambiguous) ||
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

  #isThere(record: Recorded, service: ServiceView): boolean {
    if (record.type !== "ProjectMember") return exists(record, service);
    const declaration = this.knows.ended.find((one) => isRecordOf(one, record));
    return this.knows
      .entries(declaration && [declaration])
      .some((entry) => isPresent(entry, service, this.knows.identities));
  }
}

const recordOf = (declaration: Declaration, state: readonly Recorded[]): Recorded | undefined =>
  state.find((one) => one.type === declaration.type && isRecordOf(declaration, one) && !one.pendingDelete);
