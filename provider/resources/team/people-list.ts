/** The people of a team, as a create or an update brings them about. */

import { listedName } from "../../access/person";
import type { Access, Place } from "../../access/places";
import { listUsersOfTeam, type TeamResponse } from "../../api/teams";
import { PartialFailure, RefusedError } from "../../text/errors";
import { joinId } from "../../text/object-id";
import { toProperties } from "../contract/border";
import type { Origin } from "../contract/on-destroy";
import { effectiveRemovals, emptyListReason } from "../contract/removal-settings";
import type { Context } from "../contract/resource";
import type { Properties } from "../contract/values";
import { rereadAfterWrite } from "../evidence/reread";
import type { PeopleList, Ready, Result } from "../lists/engine";
import type { Limits } from "../people/protect";
import { type TeamPerson, withRecorded } from "../people/team-person";
import { named } from "../reads/find-team";
import { RemovalBudget, removalOf } from "../session/removal-budget";
import { purposeOf } from "../session/shared-reads";
import { ChangedTeam, type TeamChange } from "./changes";
import { type KnownTeamInputs, onDestroySetting } from "./inputs";
import { claimFound, createNew, type NewTeam, withName } from "./object";
import { asDeclared, planTeam, type TeamPlan, unlistedInTeam } from "./plan";
import { toTeamState } from "./state";

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

/** The plan, and the people for whom it was made. */
interface Planned extends TeamPlan {
  readonly people: readonly TeamPerson[];
}

/** The team exists and has its name. */
type ReadyTeam = Ready<TeamPerson, TeamChange> & NewTeam;

export class TeamPeopleList implements PeopleList<TeamPerson, Planned, TeamChange, ReadyTeam> {
  readonly preview: boolean;

  constructor(
    private readonly target: Target,
    private readonly context: Context,
  ) {
    this.preview = target.preview;
  }

  async read(): Promise<readonly TeamPerson[]> {
    const { team, recorded, operation, inputs } = this.target;
    if (team === undefined) return [];
    const people = await this.#list(team, recorded, this.context.signal);
    const place = { kind: "team", id: team.id, name: team.name, orgId: inputs.orgId } as const;
    if (operation !== "update") this.context.log.found?.(accessIn(place, people));
    return people;
  }

  async plan(people: readonly TeamPerson[]): Promise<Planned> {
    const { inputs, former, removeUnlisted, peopleAreIgnored } = this.target;
    const declared = people.filter((person) => person.declared);
    const planned = {
      orgId: inputs.orgId,
      teamName: this.#name,
      purpose: purposeOf(this.preview),
      recorded: former,
      usernames: peopleAreIgnored ? declared.map(listedName) : inputs.usernames,
      removeUnlisted,
    };
    return { ...(await planTeam(planned, people, this.context)), people };
  }

  limits(): Limits<TeamPerson> {
    const { inputs, team } = this.target;
    const { maxRemovals } = effectiveRemovals(inputs);
    const name = this.#name;
    return {
      listed: { names: inputs.usernames, reason: () => emptyListReason("usernames") },
      maxRemovals: {
        most: maxRemovals,
        reason: (leaving) =>
          `${namesOf(leaving)} would be removed from team "${name}", more than maxRemovals (${maxRemovals}), so nothing was changed. Set maxRemovals to ${leaving.length} if that is intended, or add them to usernames.`,
      },
      budget: {
        left: this.context.session.of(RemovalBudget),
        removalOf: (person) => removalOf(team?.id ?? "", person),
        reason: (leaving, overall) =>
          `No one was removed from team "${name}" (${namesOf(leaving)}): ${overall}`,
      },
    };
  }

  announce(plan: TeamPlan, refusal: string | undefined): void {
    if (refusal !== undefined) throw new RefusedError(refusal);
    const { operation, team } = this.target;
    const { log } = this.context;
    if (operation === "adoption" && team) this.#announceAdoption(team);
    // An update says so in its comparison.
    const unlisted = operation === "update" ? undefined : unlistedInTeam(this.#name, plan.staying);
    if (unlisted !== undefined) log[operation === "adoption" ? "warn" : "info"](unlisted);
    if (!this.preview || (operation !== "update" && operation !== "replacement")) return;
    const { additions, removals } = plan;
    if (additions.length > 0) log.info(`${namesOf(additions)} will be added to team "${this.#name}".`);
    if (removals.length > 0) log.info(`${namesOf(removals)} will be removed from team "${this.#name}".`);
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
    const { orgId } = this.target.inputs;
    const created = await this.#existing(plan);
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
      removals: plan.removals.map((person) => place.removal(person)),
    };
    return { ...created, place, people, changes };
  }

  /** The team with its name, created if there is none. */
  async #existing({ additions }: Planned): Promise<NewTeam> {
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
    const reasons = [...outcome.reasons, ...outcome.lastOwners];
    if (reasons.length > 0) throw this.#failure(planned, ready, people, reasons);
    return this.#state(planned, ready, people);
  }

  #failure(plan: TeamPlan, created: NewTeam, people: readonly TeamPerson[], reasons: readonly string[]) {
    const id = joinId(this.target.inputs.orgId, created.team.id);
    return new PartialFailure(id, this.#state(plan, created, people), reasons);
  }

  #state(plan: TeamPlan, { team, origin }: NewTeam, people: readonly TeamPerson[]): Properties {
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

  get #name(): string {
    return this.target.team?.name ?? this.target.inputs.name;
  }
}

/** A person who was sent counts as declared, so a later update can remove them. */
function asSent({ userId, username }: TeamPerson): TeamPerson {
  return { userId, username, declared: true };
}

function accessIn(place: Place, people: readonly TeamPerson[]): Access[] {
  return people.map(({ userId, username }) => ({ holder: { kind: "person", userId, username }, place }));
}

function namesOf(people: readonly { readonly username: string }[]): string {
  return people.map(({ username }) => username).join(", ");
}
