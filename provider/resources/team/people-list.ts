/** The people of a team, as a create or an update brings them about. */

import { listedName } from "../../access/person";
import { listUsersOfTeam, type TeamResponse } from "../../api/teams";
import { PartialFailure, RefusedError } from "../../text/errors";
import { joinId } from "../../text/object-id";
import { toProperties } from "../contract/border";
import type { Origin } from "../contract/on-destroy";
import type { TeamPerson } from "../contract/people-outputs";
import type { Context } from "../contract/resource";
import type { Properties } from "../contract/values";
import { rereadAfterWrite } from "../evidence/reread";
import type { PeopleList, Ready, Result } from "../lists/engine";
import {
  type ListedPeople,
  limitsOf,
  namesOf,
  type PeoplePlan,
  refuseUnclearNames,
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
import { accessIn, asDeclared, listedTeam, planTeam, unlistedInTeam } from "./plan";
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
  /** What is recorded of people who may not be in the team, because it is created again. */
  readonly former: readonly TeamPerson[];
  /** Whether people leave whom this resource never declared. */
  readonly removeUnlisted: boolean;
  /** Whether `ignoreChanges` names `usernames`. Then the declared people stay as they are. */
  readonly peopleAreIgnored: boolean;
  readonly preview: boolean;
}

interface Planned extends PeoplePlan<TeamPerson> {
  /** The people of the team before. */
  readonly people: readonly TeamPerson[];
  readonly additions: readonly TeamPerson[];
}

/** The team exists and has its name. */
type ReadyTeam = Ready<TeamPerson, TeamChange> & NewTeam;

export class TeamPeopleList
  implements PeopleList<ListedPeople<TeamPerson>, TeamPerson, Planned, TeamChange, ReadyTeam>
{
  readonly preview: boolean;

  constructor(
    private readonly target: Target,
    private readonly context: Context,
  ) {
    this.preview = target.preview;
  }

  async read(): Promise<ListedPeople<TeamPerson>> {
    const people = await this.#present();
    const { inputs, former, peopleAreIgnored } = this.target;
    const names = peopleAreIgnored
      ? people.filter(({ declared }) => declared).map(listedName)
      : inputs.usernames;
    const isPresent = presence(people);
    const absent = former.filter((person) => person.declared && !isPresent(person));
    const known = [...people, ...absent];
    const { missing } = resolve(names, known, known);
    const purpose = purposeOf(this.preview);
    const accounts = await accountsOf(missing, this.#name, inputs.orgId, purpose, this.context);
    const isKnown = presence(known);
    const elsewhere = [...absent, ...accounts.filter((account) => !isKnown(account))];
    const ended = inputs.endedUsers ?? [];
    return { names, ended, people, elsewhere, recorded: [...known, ...accounts] };
  }

  async #present(): Promise<readonly TeamPerson[]> {
    const { team, recorded, operation, inputs } = this.target;
    if (team === undefined) return [];
    const people = await this.#list(team, recorded, this.context.signal);
    const place = { kind: "team", id: team.id, name: team.name, orgId: inputs.orgId } as const;
    if (operation !== "update") this.context.log.found?.(accessIn(place, people));
    return people;
  }

  plan(listed: ListedPeople<TeamPerson>): Planned {
    const { names, people } = listed;
    const plan = planTeam(listed, this.target.removeUnlisted);
    // An adoption removes no one: the next update removes those whose access has ended.
    const leaving = this.target.operation === "adoption" ? [] : plan.leaving;
    const isPresent = presence(people);
    const additions = names.flatMap((name) => plan.found.get(name) ?? []).filter((one) => !isPresent(one));
    return { ...plan, leaving, people, additions };
  }

  accept(plan: Planned): void {
    const place = listedTeam(this.target.inputs.orgId, this.#name);
    refuseUnclearNames("usernames", place.text, plan);
    warnOfNamesakes(place, plan, this.context.log);
  }

  limits({ isEnded }: Planned): Limits<TeamPerson> {
    const { inputs, team } = this.target;
    return limitsOf(
      {
        placeId: team?.id ?? "",
        place: `team "${this.#name}"`,
        settings: inputs,
        list: ["usernames", inputs.usernames],
        isEnded,
        consequence: "nothing was changed",
        advice: (count) => `Set maxRemovals to ${count} if that is intended, or add them to usernames.`,
      },
      this.context.session,
    );
  }

  announce(plan: Planned, refusal: string | undefined): void {
    if (refusal !== undefined) throw new RefusedError(refusal);
    const { operation, team } = this.target;
    const { log } = this.context;
    if (operation === "adoption" && team) this.#announceAdoption(team, plan.people.filter(plan.isEnded));
    // An update says so in its comparison.
    const unlisted =
      operation === "update" ? undefined : unlistedInTeam(this.#name, plan.keptBy("undeclared"));
    if (unlisted !== undefined) log[operation === "adoption" ? "warn" : "info"](unlisted);
    if (!this.preview || (operation !== "update" && operation !== "replacement")) return;
    const { additions, leaving } = plan;
    if (additions.length > 0) log.info(`${namesOf(additions)} will be added to team "${this.#name}".`);
    if (leaving.length > 0) log.info(`${namesOf(leaving)} will be removed from team "${this.#name}".`);
  }

  #announceAdoption({ id, name }: TeamResponse, ended: readonly TeamPerson[]): void {
    const { inputs } = this.target;
    const renaming = name === inputs.name ? "" : ` Its name becomes "${inputs.name}".`;
    const destroying =
      onDestroySetting.effective(inputs, "adopted") === "delete"
        ? `Destroying deletes it, because the program declares onDestroy: "delete".`
        : `Destroying releases it, unless onDestroy is "delete".`;
    const ending =
      ended.length > 0 ? ` The next update removes ${namesOf(ended)} from it: endedUsers names them.` : "";
    this.context.log.info(`Team "${name}" (${id}) is adopted.${renaming} ${destroying}${ending}`);
  }

  async prepare(plan: Planned): Promise<ReadyTeam> {
    const { context } = this;
    const { orgId } = this.target.inputs;
    const created = await this.#createOrRename(plan);
    const list = (signal: AbortSignal) => this.#list(created.team, plan.people, signal);
    const place = new ChangedTeam({ ...named(created.team.id, created.team.name), orgId }, list, context);
    // Some versions ignore the people in the request that creates a team.
    const people = this.target.team
      ? plan.people
      : await rereadAfterWrite(list, context.signal).catch((error: unknown) => {
          throw this.#failure(plan, created, plan.additions.map(asSent), [place.unreadable(error)]);
        });
    const isThere = new Set(people.map(({ userId }) => userId));
    const absent = plan.additions.filter(({ userId }) => !isThere.has(userId));
    const changes = {
      additions: absent.map((account) => place.addition(account)),
      others: [],
      removals: plan.leaving.map((person) => place.removal(person)),
    };
    return { ...created, place, people, changes };
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

  record({ planned, ready, outcome }: Result<TeamPerson, Planned, TeamChange, ReadyTeam>): Properties {
    const added = outcome.unread.flatMap(({ leaver, account }) => (leaver ? [] : [asSent(account)]));
    const people = outcome.isRead ? outcome.people : [...ready.people, ...added];
    const reasons = [...outcome.reasons, ...outcome.lastOwners, ...outcome.postponed];
    if (reasons.length > 0) throw this.#failure(planned, ready, people, reasons);
    return this.#state(planned, ready, people);
  }

  #failure(plan: Planned, created: NewTeam, people: readonly TeamPerson[], reasons: readonly string[]) {
    const id = joinId(this.target.inputs.orgId, created.team.id);
    return new PartialFailure(id, this.#state(plan, created, people), reasons);
  }

  #state(plan: Planned, { team, origin }: NewTeam, people: readonly TeamPerson[]): Properties {
    const { inputs } = this.target;
    const { orgId } = inputs;
    const facts = { orgId, teamId: team.id, name: team.name, people: asDeclared(people, plan), origin };
    return toProperties(toTeamState(facts, inputs));
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
