/** The people of a team, as a create or an update brings them about. */

import { listedName } from "../../access/person";
import { listUsersOfTeam, type TeamResponse } from "../../api/teams";
import { messageOf, PartialFailure, RefusedError } from "../../text/errors";
import { joinId } from "../../text/object-id";
import { toProperties } from "../contract/border";
import type { Origin } from "../contract/on-destroy";
import type { TeamPerson } from "../contract/people-outputs";
import type { Context } from "../contract/resource";
import type { Properties } from "../contract/values";
import { rereadAfterWrite } from "../evidence/reread";
import { onlyRemovals } from "../lists/changes";
import { type EndOfPerson, type EndsOf, isNameOf, leavingNow, warnOfEarlyEnds } from "../lists/ends";
import type { PeopleList, Ready, Result } from "../lists/engine";
import {
  announceEnds,
  type ListedPeople,
  limitsOf,
  namesOf,
  type PeoplePlan,
  refuseUnclearNames,
  toldOf,
  warnOfNamesakes,
} from "../lists/plan";
import type { Limits } from "../people/protect";
import { resolve } from "../people/resolve";
import { named } from "../reads/teams";
import { purposeOf } from "../session/shared-reads";
import { accountsOf } from "./accounts";
import { ChangedTeam, type TeamChange } from "./changes";
import { type KnownTeamInputs, onDestroySetting } from "./inputs";
import { claimFound, createNew, type NewTeam, withName } from "./object";
import { accessIn, asDeclared, foreseeLastPerson, listedTeam, planTeam, unlistedInTeam } from "./plan";
import { toTeamState, withRecorded } from "./state";

export interface Target {
  /** With the name to give, and the organization that has the team. */
  readonly inputs: KnownTeamInputs;
  /** The team as it is; `undefined` if it is to be created. */
  readonly team: TeamResponse | undefined;
  readonly origin: Origin;
  readonly operation: "creation" | "adoption" | "replacement" | "update";
  /** What is recorded of the people of this team. */
  readonly recorded: readonly TeamPerson[];
  readonly ends: readonly EndOfPerson[];
  /** What is recorded of people who may not be in the team, because it is created again. */
  readonly former: readonly TeamPerson[];
  /** Whether people leave whom this resource never declared. */
  readonly removeUnlisted: boolean;
  /** Whether `ignoreChanges` names `usernames`. Then the declared people stay as they are. */
  readonly peopleAreIgnored: boolean;
  readonly preview: boolean;
}

interface Gathered extends ListedPeople<TeamPerson> {
  /** Why listed people have no account; absent if all have one. */
  readonly noAccount?: unknown;
}

interface Planned extends PeoplePlan<TeamPerson>, Pick<Gathered, "noAccount"> {
  /** The people of the team before. */
  readonly people: readonly TeamPerson[];
  readonly additions: readonly TeamPerson[];
}

/** The team exists and has its name. */
type ReadyTeam = Ready<TeamPerson, TeamChange> & NewTeam;

export class TeamPeopleList implements PeopleList<Gathered, TeamPerson, Planned, TeamChange, ReadyTeam> {
  readonly preview: boolean;

  constructor(
    private readonly target: Target,
    private readonly context: Context,
  ) {
    this.preview = target.preview;
  }

  async read(): Promise<Gathered> {
    const people = await this.#present();
    const { inputs, ends, former, peopleAreIgnored } = this.target;
    const names = peopleAreIgnored ? this.#declaredIn(people) : inputs.usernames;
    const isPresent = presence(people);
    const absent = former.filter((person) => person.declared && !isPresent(person));
    const known = [...people, ...absent];
    const listed = { names, ended: inputs.ended, ends, people };
    const { missing } = resolve(names, known, known);
    const purpose = purposeOf(this.preview);
    try {
      const accounts = await accountsOf(missing, this.#name, inputs.orgId, purpose, this.context);
      const isKnown = presence(known);
      const elsewhere = [...absent, ...accounts.filter((account) => !isKnown(account))];
      return { ...listed, elsewhere, recorded: [...known, ...accounts] };
    } catch (noAccount) {
      return { ...listed, elsewhere: absent, recorded: known, noAccount };
    }
  }

  /** The names by which the program has declared people, without those whose last day is over. */
  #declaredIn(people: readonly TeamPerson[]): string[] {
    const isEnded = isNameOf(this.target.inputs.ended);
    return people
      .filter(({ declared }) => declared)
      .map(listedName)
      .filter((name) => !isEnded(name));
  }

  async #present(): Promise<readonly TeamPerson[]> {
    const { team, recorded } = this.target;
    return team === undefined ? [] : this.#list(team, recorded, this.context.signal);
  }

  plan({ noAccount, ...listed }: Gathered): Planned {
    const { names, people } = listed;
    const plan = planTeam(listed, this.target.removeUnlisted);
    // An adoption removes no one but those whom the program gives a last day.
    const isAdoption = this.target.operation === "adoption";
    const leaving = leavingNow(plan, this.context.session).filter(
      (person) => !isAdoption || plan.endOf(person) !== undefined,
    );
    const isPresent = presence(people);
    const additions = names.flatMap((name) => plan.found.get(name) ?? []).filter((one) => !isPresent(one));
    return { ...plan, leaving, people, additions, ...(noAccount !== undefined && { noAccount }) };
  }

  accept(plan: Planned): void {
    this.#tell(plan);
    const place = listedTeam(this.target.inputs.orgId, this.#name);
    warnOfEarlyEnds(this.target.inputs.ended, place.text, this.context);
    if (plan.noAccount !== undefined) throw plan.noAccount;
    refuseUnclearNames("usernames", place.text, plan);
    warnOfNamesakes(place, plan, this.context.log);
  }

  #tell(plan: Planned): void {
    const { team, operation, inputs } = this.target;
    if (team === undefined || operation === "update") return;
    const place = { kind: "team", id: team.id, name: team.name, orgId: inputs.orgId } as const;
    const found = new Map([...plan.found].filter(([, person]) => !plan.additions.includes(person)));
    const foresee = (leaving: readonly TeamPerson[]) => foreseeLastPerson(plan.people, plan, leaving);
    this.context.log.tell?.(toldOf({ ...plan, found }, (some) => accessIn(place, some), { foresee }));
  }

  limits({ endOf }: Planned): Limits<TeamPerson> {
    const { inputs, team } = this.target;
    return limitsOf(
      {
        placeId: team?.id ?? "",
        place: `team "${this.#name}"`,
        settings: inputs,
        list: ["usernames", [...inputs.usernames, ...inputs.ended.map(({ name }) => name)]],
        isPlannedEnd: (person) => endOf(person)?.isPlanned === true,
        consequence: "Nothing was changed in",
        advice: (count) => `Set maxRemovals to ${count} if that is intended, or add them to usernames.`,
      },
      this.context.session,
    );
  }

  announce(plan: Planned, refusal: string | undefined): void {
    if (refusal !== undefined) throw new RefusedError(refusal);
    const { operation, team } = this.target;
    const { log } = this.context;
    if (operation === "adoption" && team) this.#announceAdoption(team);
    // An update says so in its comparison.
    const unlisted =
      operation === "update" ? undefined : unlistedInTeam(this.#name, plan.keptBy("undeclared"));
    if (operation !== "update") announceEnds(`team "${this.#name}"`, plan, log);
    if (unlisted !== undefined) log[operation === "adoption" ? "warn" : "info"](unlisted);
    if (!this.preview || (operation !== "update" && operation !== "replacement")) return;
    const { additions, endOf } = plan;
    const leaving = plan.leaving.filter((person) => endOf(person) === undefined);
    if (additions.length > 0) log.info(`${namesOf(additions)} will be added to team "${this.#name}".`);
    if (leaving.length > 0) log.info(`${namesOf(leaving)} will be removed from team "${this.#name}".`);
  }

  #announceAdoption({ id, name }: TeamResponse): void {
    const { inputs } = this.target;
    const renaming = name === inputs.name ? "" : ` Its name becomes "${inputs.name}".`;
    const destroying =
      onDestroySetting.effective(inputs, "adopted") === "delete"
        ? `Destroying deletes it, because the program declares onDestroy: "delete".`
        : `Destroying releases it, unless onDestroy is "delete".`;
    this.context.log.info(`Team "${name}" (${id}) is adopted.${renaming} ${destroying}`);
  }

  async prepare(plan: Planned): Promise<ReadyTeam> {
    const { context } = this;
    const created = await this.#createOrRename(plan);
    const { place, list, changes } = this.#ready(plan, created.team);
    // Some versions ignore the people in the request that creates a team.
    const people = this.target.team
      ? plan.people
      : await rereadAfterWrite(list, context.signal).catch((error: unknown) => {
          const state = this.#state(created, asDeclared(plan.additions.map(asSent), plan));
          throw this.#failure(created, state, [place.unreadable(error)]);
        });
    const isThere = new Set(people.map(({ userId }) => userId));
    const absent = plan.additions.filter(({ userId }) => !isThere.has(userId));
    const additions = absent.map((account) => place.addition(account));
    return { ...created, place, people, changes: { ...changes, additions } };
  }

  asItIs(plan: Planned): ReadyTeam | undefined {
    const { team, origin } = this.target;
    if (team === undefined) return undefined;
    const { place, changes } = this.#ready(plan, team);
    return { team, origin, place, people: plan.people, changes };
  }

  #ready({ people, leaving, endOf }: Planned, { id, name }: TeamResponse) {
    const { orgId } = this.target.inputs;
    const list = (signal: AbortSignal) => this.#list({ id, name }, people, signal);
    const place = new ChangedTeam({ ...named(id, name), orgId }, list, this.context);
    const removals = leaving.map((person) => place.removal(person, endOf(person)));
    return { place, list, changes: onlyRemovals(removals) };
  }

  /** The team with its name, created if there is none. */
  async #createOrRename({ additions }: Planned): Promise<NewTeam> {
    const { team, inputs, origin } = this.target;
    const { orgId, name } = inputs;
    if (team) return { team: await withName(orgId, team, name, this.context), origin };
    const created = await createNew(inputs, additions, this.context);
    claimFound(orgId, created.team, this.context);
    return created;
  }

  record({ planned, ready, outcome, failure }: Result<TeamPerson, Planned, TeamChange, ReadyTeam>) {
    const added = outcome.unread.flatMap(({ leaver, account }) => (leaver ? [] : [asSent(account)]));
    const people = outcome.isRead ? outcome.people : [...ready.people, ...added];
    const { log } = this.context;
    for (const { message } of outcome.notOffered) log.warn(message);
    const { reasons: own, lastOwners, postponed, vain } = outcome;
    const reasons = [...own, ...lastOwners, ...postponed];
    // What was refused declares nobody.
    const facts = failure === undefined ? asDeclared(people, planned) : people;
    const state = this.#state(ready, facts, { ending: planned.ending, vain });
    if (failure !== undefined)
      throw this.#failure(ready, state, [...reasons, messageOf(failure)], { cause: failure });
    if (reasons.length > 0) throw this.#failure(ready, state, reasons);
    return state;
  }

  #failure(
    { team }: NewTeam,
    state: Properties,
    reasons: readonly string[],
    options?: ErrorOptions,
  ): PartialFailure {
    return new PartialFailure(joinId(this.target.inputs.orgId, team.id), state, reasons, options);
  }

  #state(
    { team, origin }: NewTeam,
    people: readonly TeamPerson[],
    ends: Pick<EndsOf, "ending" | "vain"> = {},
  ): Properties {
    const { inputs, ends: before } = this.target;
    const facts = { orgId: inputs.orgId, teamId: team.id, name: team.name, people, origin };
    return toProperties(toTeamState(facts, inputs, { before, ...ends, session: this.context.session }));
  }

  async #list({ id, name }: TeamResponse, recorded: readonly TeamPerson[], signal: AbortSignal) {
    const { client } = this.context.session;
    const users = await listUsersOfTeam(client, this.target.inputs.orgId, named(id, name), signal);
    return withRecorded(users, recorded);
  }

  /** For messages: as the team is called now. */
  get #name(): string {
    return this.target.team?.name ?? this.target.inputs.name;
  }
}

/** A person who was sent counts as declared, so a later update can remove them. */
function asSent({ userId, username }: TeamPerson): TeamPerson {
  return { userId, username, declared: true };
}

function presence(people: readonly TeamPerson[]): (person: Pick<TeamPerson, "userId">) => boolean {
  const userIds = new Set(people.map(({ userId }) => userId));
  return ({ userId }) => userIds.has(userId);
}
