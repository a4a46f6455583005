/**
 * Carries out the steps of a run on what the state shows: who has access where, before and after. What a state cannot show,
 * the provider tells: whom a list removes, who stays undeclared, and who is in a place that the program adopts. Pure.
 *
 * A deletion also ends what its holder or its project has in other places, and takes nothing that another
 * resource declares. The engine asks the provider nothing about the deletions of a preview.
 */

import { OWNER_ROLES } from "../../provider/access/person";
import type { Deletion, Holder } from "../../provider/access/places";
import { isEnded } from "../../provider/resources/contract/until";
import type { ToldAccess } from "../../provider/text/told-access";
import type { Step, ToldByResource } from "../lib/engine-events";
import { kindOf, logicalName, treatmentOf } from "../lib/own-resources";
import { listed, plain, type Sentence, sentence } from "../lib/sentence";
import { isOverdue } from "./calendar";
import { type Edge, Edges, isOf, withRolesOf } from "./edges";
import {
  changesHiddenList,
  type Fact,
  Facts,
  ignoresList,
  isNewProject,
  listsPeople,
  mayBeReplacement,
  onDestroyOf,
  visible,
  waitsForClock,
} from "./facts";
import { type Origins, sidesOf } from "./origins";
import type { OrganizationFacts, Places, StateOptions } from "./places";

/** A deletion that the provider will refuse, or may refuse. */
export interface Refusal {
  /** Such as `OrganizationMember ada`. */
  readonly resource: string;
  readonly isCertain: boolean;
  readonly reason: Sentence;
}

export interface OwnRun {
  /** Those of this provider's resources, in their order. */
  readonly steps: readonly Step[];
  readonly failed: readonly Step[];
  /** Also those of components and of other packages. */
  readonly everything: readonly Step[];
  readonly told: readonly ToldByResource[];
  /** By URN. */
  readonly options: ReadonlyMap<string, StateOptions>;
  /** Of organizations, by their IDs. */
  readonly people: OrganizationFacts["people"];
  /** Whether the changes were made. */
  readonly isDone: boolean;
  /** Whether targets leave resources out, so that the provider does not know what they declare. */
  readonly isPartial: boolean;
}

export const CHANGING: ReadonlySet<string> = new Set(["create", "create-replacement", "update"]);
const IMPORTING: ReadonlySet<string> = new Set(["import", "import-replacement"]);
const DELETING: ReadonlySet<string> = new Set(["delete", "delete-replaced"]);

/** Why somebody stays whom their list does not mean, and whom the run finds there. */
const STRANGERS: readonly ToldAccess["why"][] = ["undeclared", "listed name"];

/** What an operation tells of somebody, with the access that it means. */
interface ToldFact extends Fact, Pick<ToldAccess, "fate" | "foreseen" | "why"> {}

interface MaybeByTeams {
  /** The roles by the state, which was read before the run. */
  readonly recorded: readonly string[];
  readonly teamIds: readonly string[];
}

/** What the steps leave behind. */
export class Simulation {
  readonly facts: Facts;
  /** Whose access may change: the run does not show whether it does. */
  readonly unclear = new Set<Edge>();
  /** Who stays without being declared. */
  readonly undeclared = new Set<Edge>();
  /** Places whose people the run compares with those of the state before the refresh. */
  readonly compared = new Set<string>();
  /** Owners of new projects whom the service chose. */
  readonly chosen = new Set<Edge>();
  /** The places of projects that the run creates. */
  readonly newProjects: ReadonlySet<string>;
  readonly refusals: Refusal[] = [];
  /** What changes beyond what the run shows. */
  readonly notes: Sentence[] = [];
  /** Deletions of resources whose objects stay. */
  readonly released = new Set<Step>();
  readonly #edges = new Edges();
  readonly #indexOf: ReadonlyMap<Step, number>;
  /**
   * What resources tell, by their URNs, or their kinds, and places. Each operation reads again, so what it tells of somebody
   * counts more than what a comparison has told before.
   */
  readonly #told = new Map<string, Map<Edge, ToldFact>>();
  /** Steps whose resources the program declares, as far as the provider knows them. */
  readonly #declaring: readonly Step[];
  /** IDs and names of accounts in the state before the refresh. */
  readonly #namesBefore = new Set<string>();
  /** Who stays with roles that teams of theirs may give. */
  readonly #maybeByTeams = new Map<Edge, MaybeByTeams>();

  constructor(
    readonly run: OwnRun,
    private readonly places: Places,
    private readonly origins: Origins,
  ) {
    const { steps, failed, isPartial } = run;
    this.facts = new Facts(places, origins, [...steps, ...failed]);
    this.#indexOf = new Map(steps.map((step, index) => [step, index]));
    this.#declaring = steps.filter(
      ({ op }) => CHANGING.has(op) || IMPORTING.has(op) || (op === "same" && !isPartial),
    );
    this.newProjects = new Set(steps.filter(isNewProject).map((step) => places.keyOf(step)));
    this.#begin();
    const later: Step[] = [];
    for (const [index, step] of steps.entries()) {
      if (CHANGING.has(step.op)) this.#change(step);
      else if (DELETING.has(step.op) && this.#deletesFirst(step)) this.#delete(step, index);
      else if (DELETING.has(step.op)) later.push(step);
    }
    for (const step of failed) this.#fail(step);
    for (const step of later.sort((one, next) => depthOf(one) - depthOf(next))) this.#delete(step);
    this.#takeTeamRoles();
    for (const step of steps) this.#collectUndeclared(step);
    for (const step of steps.filter(mayBeReplacement)) this.#mayReplace(step);
  }

  get edges(): readonly Edge[] {
    return this.#edges.all();
  }

  /** What exists before the run, and what its program declares. */
  #begin(): void {
    const { steps, failed, told } = this.run;
    for (const step of [...steps, ...failed]) {
      // Pulumi has not read an object that it imports.
      const isImport = IMPORTING.has(step.op);
      for (const fact of isImport ? this.facts.declared(step) : this.facts.recorded(step)) this.#exists(fact);
      if (!isImport) this.#recall(step);
    }
    for (const { urn = "", kind, accesses } of told) {
      for (const { fate, foreseen, why, teamIds, ...access } of accesses) {
        const fact = this.facts.fact(access);
        const by = `${isOfResource(urn) ? urn : kind} ${fact.key}`;
        const same = this.#told.get(by) ?? new Map<Edge, ToldFact>();
        this.#told.set(by, same.set(this.#edges.of(fact), { ...fact, fate, foreseen, why }));
        // Whoever is in a new project, or whom another resource declares, may have come by this run.
        const mayBeNew = this.newProjects.has(fact.key) || why === "declared elsewhere";
        if (mayBeNew) continue;
        if (fate === "stays" && teamIds) this.#mayBeByTeams(fact, teamIds);
        this.#exists(fact);
      }
    }
    this.#learnNames();
    for (const step of this.#declaring) {
      for (const fact of this.facts.declared(step)) this.#edges.of(fact).declaredBy.add(step);
    }
  }

  /**
   * An account may have got another name, by which the program declares it now: its ID shows that it is the same. A name that
   * the state before the refresh has of it is older than one that it lacks.
   */
  #learnNames(): void {
    const { steps, failed, isDone, people } = this.run;
    if (isDone)
      for (const step of [...steps, ...failed])
        for (const fact of this.facts.settled(step)) this.#edges.of(fact);
    const accounts = this.edges.flatMap(({ holders }) => holders).flatMap(namedAccount);
    const isBefore = (account: Account) => Number(this.#namesBefore.has(account.join(" ")));
    const known = accounts.reverse().sort((one, next) => isBefore(next) - isBefore(one));
    const present = [...people.values()]
      .flat()
      .flatMap((person) => namedAccount({ kind: "person", ...person }));
    this.#edges.rename(new Map([...known, ...present]));
  }

  /** What the state had before the refresh. */
  #recall(step: Step): void {
    const isUnproven = this.facts.isUnproven(step);
    const [declared, present] = [this.facts.declaredBefore(step), this.facts.presentBefore(step)];
    for (const { access } of [...declared, ...present])
      for (const account of namedAccount(access.holder)) this.#namesBefore.add(account.join(" "));
    for (const fact of declared) {
      const edge = this.#edges.of(fact);
      edge.declaredBefore = withRolesOf(edge.declaredBefore, fact.access);
      edge.isUnproven ||= isUnproven;
    }
    for (const fact of present) {
      const edge = this.#edges.of(fact);
      edge.presentBefore = withRolesOf(edge.presentBefore, fact.access);
    }
  }

  #exists(fact: Fact): void {
    const edge = this.#edges.of(fact);
    const isPending = fact.access.isPending === true;
    edge.wasPending = isPending && (edge.before === undefined || edge.wasPending === true);
    edge.isPending = edge.wasPending;
    edge.before = withRolesOf(edge.before, fact.access);
    edge.now = edge.before;
  }

  #mayBeByTeams(fact: Fact, teamIds: readonly string[]): void {
    const edge = this.#edges.of(fact);
    if (!this.#maybeByTeams.has(edge)) this.#maybeByTeams.set(edge, { recorded: edge.before ?? [], teamIds });
  }

  /** What a team gives by this run, and the service shows among the roles of its people, is not what they had. */
  #takeTeamRoles(): void {
    for (const [edge, { recorded, teamIds }] of this.#maybeByTeams) {
      const given = new Set(teamIds.flatMap((teamId) => this.#givenByTeam(edge, teamId)));
      if (given.size === 0) continue;
      const before = edge.before?.filter((role) => recorded.includes(role) || !given.has(role)) ?? [];
      edge.before = before.length === 0 ? undefined : before;
    }
  }

  /** The roles that the person gets in the place because the run adds them to the team, or gives the team these roles. */
  #givenByTeam({ key, holders }: Edge, teamId: string): readonly string[] {
    const isNew = this.edges.some(
      ({ place, before, now, ...other }) =>
        place.kind === "team" &&
        place.id === teamId &&
        !before &&
        now &&
        holders.some((holder) => isOf(other, holder)),
    );
    return this.edges
      .filter((edge) => edge.key === key && isOf(edge, { kind: "team", teamId }))
      .flatMap(({ before = [], now = [] }) => now.filter((role) => isNew || !before.includes(role)));
  }

  /**
   * Whether the program declares the holder of the edge in its place.
   *
   * @param until the index of the first step that counts no more
   */
  #isDeclared({ declaredBy }: Edge, except?: Step, until = Number.POSITIVE_INFINITY): boolean {
    return [...declaredBy].some((step) => step !== except && (this.#indexOf.get(step) ?? 0) < until);
  }

  #change(step: Step): void {
    const declared = this.facts.declared(step);
    const settled = this.run.isDone ? this.facts.settled(step) : [];
    if (this.origins.beginsToRemove(step)) {
      this.notes.push(sentence`${nameOf(step)} removes whoever it does not list, from this update on.`);
    }
    const isHidden = changesHiddenList(step);
    if (isHidden) this.#doubt(declared.filter(({ isList }) => isList));
    const leaving = isHidden && step.op === "update" ? [] : this.#leaving(step, [...declared, ...settled]);
    if (step.isGuessed) this.#doubt(leaving.filter((fact) => this.#edges.of(fact).declaredBefore));
    const staying = this.#staying(step);
    const removed = (step.isGuessed ? [] : this.#without(leaving, staying)).flatMap((fact) => {
      // A preview does not show whether the service offers now what it refused before.
      const isOpen = !this.run.isDone && isOverdue(step, fact.name);
      if (isOpen) this.#doubt([fact]);
      return isOpen ? [] : this.#remove(fact, step, true);
    });
    if (!ignoresList(step)) this.#give(declared);
    this.#settle(settled);
    if (isEnded(visible(step.new?.inputs)))
      for (const edge of removed) if (edge.now === undefined) this.#endBelow(edge, step);
  }

  /** Whoever leaves an organization after their last day leaves its projects and teams. */
  #endBelow({ place, holders, name, wasPending }: Edge, step: Step): void {
    const [holder] = holders;
    if (holder === undefined || place.kind !== "organization" || wasPending) return;
    const deletion = { of: "holder", holder, orgId: place.id } as const;
    for (const below of this.#edges.below(deletion, true)) end(below, step);
    this.notes.push(...noteOf(step, deletion, name));
  }

  /** Whom a step that declares access takes it from. */
  #leaving(step: Step, staying: readonly Fact[]): readonly Fact[] {
    const told = this.#toldBy(step);
    // The host of the dynamic provider asks it nothing about what a preview creates.
    const isUntold = told.length === 0 && !this.newProjects.has(this.places.keyOf(step));
    if (isUntold && this.facts.isAtNewPlace(step)) this.#doubt(this.facts.removedUnseen(step));
    const leaving = told.filter(({ fate }) => fate === "leaves");
    if (step.op !== "update" || (listsPeople(step) && !this.run.isDone && !step.isGuessed)) return leaving;
    // Without a refresh, the state need not have whom the update removes.
    return this.#without([...this.facts.recorded(step), ...leaving], staying);
  }

  /** Whom a preview does not expect to leave, although the operation is to remove them. */
  #staying(step: Step): readonly Fact[] {
    if (this.run.isDone) return [];
    return this.#toldBy(step).filter((fact) => {
      const edge = this.#edges.of(fact);
      if (fact.fate !== "leaves" || fact.foreseen === undefined || this.#isDeclared(edge, step)) return false;
      if (fact.foreseen === "may stay") this.unclear.add(edge);
      return true;
    });
  }

  /** What the resource of a step tells about its place. */
  #toldBy(step: Step): readonly ToldFact[] {
    const key = this.places.keyOf(step);
    const own = this.#told.get(`${step.urn} ${key}`);
    if (own !== undefined) return [...own.values()];
    const told = [...(this.#told.get(`${kindOf(step.type)} ${key}`)?.values() ?? [])];
    // Of the other kinds, a place may have several resources.
    if (told.length === 0 || listsPeople(step)) return told;
    const holders = new Set(
      this.facts.holders(step, step.new ?? step.old).map((fact) => this.#edges.of(fact)),
    );
    return told.filter((fact) => holders.has(this.#edges.of(fact)));
  }

  #doubt(facts: readonly Fact[]): void {
    for (const fact of facts) this.unclear.add(this.#edges.of(fact));
  }

  #mayEnd(edges: readonly Edge[]): void {
    for (const edge of edges) if (edge.before ?? edge.now) this.unclear.add(edge);
  }

  #without(facts: readonly Fact[], others: readonly Fact[]): Fact[] {
    const edges = new Set(others.map((fact) => this.#edges.of(fact)));
    return facts.filter((fact) => !edges.has(this.#edges.of(fact)));
  }

  /** One step may give a holder several roles by several entries. */
  #give(facts: readonly Fact[]): void {
    for (const [edge, own] of Map.groupBy(facts, (fact) => this.#edges.of(fact))) {
      const roles = own.flatMap(({ access }) => access.roles ?? []);
      edge.now = own.some(({ access }) => access.roles) ? roles : (edge.now ?? []);
      if (edge.declaredBy.size === 0 && this.newProjects.has(edge.key)) this.chosen.add(edge);
    }
  }

  /** What a run has given, and whether that is only an invitation. */
  #settle(facts: readonly Fact[]): void {
    this.#give(facts);
    for (const fact of facts) this.#edges.of(fact).isPending = fact.access.isPending === true;
  }

  /** @param step the one that removes, and if it `declares`, its own declaration does not count */
  #remove(fact: Fact, step: Step, declares: boolean, until?: number): readonly Edge[] {
    const edge = this.#edges.of(fact);
    if (this.#isDeclared(edge, declares ? step : undefined, until)) return [];
    end(edge, step);
    return [edge];
  }

  /** What a failed step has done is what its resource recorded afterwards. */
  #fail(step: Step): void {
    if (DELETING.has(step.op)) {
      if (listsPeople(step)) this.#doubt(this.#destroyed(step));
      return;
    }
    const settled = Object.keys(step.new?.outputs ?? {}).length === 0 ? [] : this.facts.settled(step);
    if (settled.length === 0) {
      // The record is lost with a failed creation, and what was removed before the failure is not.
      if (this.facts.isAtNewPlace(step)) this.#doubt(this.#leaving(step, []));
      return;
    }
    if (listsPeople(step))
      for (const fact of this.#leaving({ ...step, op: "update" }, settled)) end(this.#edges.of(fact), step);
    this.#settle(settled);
  }

  /** @param until for a deletion that precedes the replacement: its index */
  #delete(step: Step, until?: number): void {
    for (const fact of this.run.isDone ? this.#toldBy(step) : [])
      if (fact.fate === "leaves") this.#remove(fact, step, false, until);
    if (this.#isSkipped(step)) {
      this.released.add(step);
      return;
    }
    const staying = this.#toldBy(step).filter(({ why }) => why === "not offered");
    const destroyed = this.#destroyed(step, until);
    // A preview does not show whether the service offers now what it refused before.
    const isOpen = ({ name }: Fact) => waitsForClock(step) || (!this.run.isDone && isOverdue(step, name));
    const overdue = destroyed.filter(isOpen);
    this.#doubt(overdue);
    const removed = this.#without(destroyed, [...overdue, ...staying]).flatMap((fact) =>
      this.#remove(fact, step, false, until),
    );
    if (!this.run.isDone) this.refusals.push(...this.#lastOwnersAmong(removed, step));
    const deletion = this.facts.deletionBy(step);
    if (deletion === undefined || this.#isKept(step, removed, until)) return;
    if (overdue.length > 0) {
      this.#mayEnd(this.#edges.below(deletion, true));
      return;
    }
    const holder = removed[0]?.name ?? (deletion.of === "holder" ? this.facts.nameOf(deletion.holder) : "");
    const refusals = this.run.isDone ? [] : this.#refusalsOf(step, deletion, holder, until);
    this.refusals.push(...refusals);
    if (refusals.some(({ isCertain }) => isCertain)) {
      for (const edge of removed) edge.now = edge.before;
      return;
    }
    for (const edge of this.#edges.below(deletion, true)) end(edge, step);
    this.#mayEnd(this.#edges.below(deletion, "unknown"));
    this.notes.push(...noteOf(step, deletion, holder));
  }

  /** What the deletion of a resource removes one by one. */
  #destroyed(step: Step, until?: number): readonly Fact[] {
    // Another list of the project may declare its people.
    const isOther = (other: Step) => this.#isOfSamePlace(other, step) && other.type === step.type;
    if (listsPeople(step) && this.#declaring.some(isOther)) return [];
    return this.facts.destroyed(step, (fact) => this.#isDeclared(this.#edges.of(fact), undefined, until));
  }

  #isOfSamePlace(one: Step, other: Step): boolean {
    return this.places.keyOf(one) === this.places.keyOf(other);
  }

  /** Whether the engine does not call the provider, or the provider leaves the object. */
  #isSkipped(step: Step): boolean {
    const { retainOnDelete, deletedWith } = this.run.options.get(step.old?.urn ?? step.urn) ?? {};
    // What a replacement has left shares its URN with its successor, which has options of its own.
    const isRetained = step.old?.delete === true ? step.old.retainOnDelete : retainOnDelete;
    if (onDestroyOf(step) === "release" || isRetained === true) return true;
    if (deletedWith === undefined) return false;
    const others = this.run.everything.filter(({ urn }) => urn === deletedWith);
    // A resource without a step was to be deleted, and the run has not come to it.
    if (others.length === 0) return true;
    // The engine deletes what belongs to a resource that it deletes before the replacement.
    return others.some((other) => DELETING.has(other.op) && !this.#deletesFirst(other));
  }

  /** Whether another resource declares what would be deleted. */
  #isKept(step: Step, removed: readonly Edge[], until = Number.POSITIVE_INFINITY): boolean {
    if (!treatmentOf(step.type)?.isContainer) return removed.length === 0;
    return this.#declaring.some(
      (other) =>
        treatmentOf(other.type)?.isContainer &&
        this.#isOfSamePlace(other, step) &&
        ((this.#indexOf.get(other) ?? 0) < until || (other.urn === step.urn && isGivenById(other))),
    );
  }

  #refusalsOf(step: Step, deletion: Deletion, holder: string, until = Number.POSITIVE_INFINITY): Refusal[] {
    const declaring = (ends: true | "unknown") => {
      const steps = this.#edges.below(deletion, ends).flatMap(({ declaredBy }) => [...declaredBy]);
      const earlier = steps.filter((other) => (this.#indexOf.get(other) ?? 0) < until);
      return [...new Set(earlier.map(nameOf))].sort();
    };
    const certain = declaring(true);
    const possible = declaring("unknown").filter((resource) => !certain.includes(resource));
    const remaining = this.#remaining(deletion, until);
    const what = deletion.of === "project" ? sentence`access to it` : sentence`${holder}`;
    const refusal = (reason: Sentence, isCertain = true) => [{ resource: nameOf(step), isCertain, reason }];
    if (certain.length > 0) return refusal(sentence`${stillDeclare(certain, what)}.`);
    if (remaining.length > 0) return refusal(sentence`${holder} still has access in ${listed(remaining)}.`);
    return possible.length === 0
      ? []
      : refusal(
          sentence`${stillDeclare(possible, what)} in a project whose organization this run does not show.`,
          false,
        );
  }

  /** A service keeps the last owner, and the run need not show whether there is another one. */
  #lastOwnersAmong(removed: readonly Edge[], step: Step): Refusal[] {
    return removed.flatMap(({ key, place, before, wasPending, name }) => {
      const role = place.kind === "team" ? undefined : OWNER_ROLES[place.kind];
      const isOwner = (roles: Edge["now"]) => role !== undefined && roles?.includes(role) === true;
      const isFollowed = ({ now, isPending, ...other }: Edge) =>
        other.key === key &&
        isOwner(now) &&
        !isPending &&
        other.holders.some(({ kind }) => kind === "person");
      if (listsPeople(step) || wasPending || !isOwner(before) || this.edges.some(isFollowed)) return [];
      const { what, name: placeName } = this.places.named(key);
      const reason = sentence`${name} is the only owner of ${`${what} ${placeName}`} whom this run shows, and the last one stays.`;
      return [{ resource: nameOf(step), isCertain: false, reason }];
    });
  }

  /**
   * Places in which a holder still has access, although nothing declares it. A service refuses to delete a team
   * that a project has. A person or a key that is deleted first is refused, because the declarations are not known
   * yet.
   */
  #remaining(deletion: Deletion, until: number): string[] {
    if (deletion.of === "project") return [];
    const { holder } = deletion;
    if (holder.kind !== "team" && until === Number.POSITIVE_INFINITY) return [];
    const left = this.#edges.below(deletion, true).filter((edge) => edge.now && isOf(edge, holder));
    return left.map(({ key }) => {
      const { what, name } = this.places.named(key);
      return `${what} ${name}`;
    });
  }

  #deletesFirst({ op, urn }: Step): boolean {
    if (op !== "delete-replaced") return false;
    const index = (wanted: string) =>
      this.run.steps.findIndex((step) => step.urn === urn && step.op === wanted);
    return index("create-replacement") > index(op);
  }

  #collectUndeclared(step: Step): void {
    const isListed = (step.op === "same" || CHANGING.has(step.op)) && listsPeople(step);
    const key = this.places.keyOf(step);
    if (!isListed || this.newProjects.has(key)) return;
    if (!this.facts.isAtNewPlace(step) && this.origins.refreshOf(step)?.old) this.compared.add(key);
    for (const fact of this.#toldBy(step))
      if (STRANGERS.includes(fact.why)) this.undeclared.add(this.#edges.of(fact));
  }

  /** Unless another step takes away what the resource had, it is not known whether anything changes. */
  #mayReplace(step: Step): void {
    const before = this.facts.recorded(step).map((fact) => this.#edges.of(fact));
    const after = this.facts.declared(step).map((fact) => this.#edges.of(fact));
    if (before.every(({ now }) => now === undefined)) return;
    const possible = [...before.filter(({ now }) => now), ...after.filter((edge) => !edge.before)];
    for (const edge of possible) this.unclear.add(edge);
  }
}

type Account = readonly [userId: string, username: string];

/** The ID and the name of an account, if both are known. */
function namedAccount(holder: Holder): Account[] {
  if (holder.kind !== "person" || holder.userId === undefined || holder.username === undefined) return [];
  return [[holder.userId, holder.username]];
}

function end(edge: Edge, step: Step): void {
  edge.now = undefined;
  edge.endedBy = step;
}

/** The dynamic provider writes its messages about the stack, or about nothing. */
function isOfResource(urn: string): boolean {
  return urn !== "" && !isStack(urn);
}

export function isStack(urn: string): boolean {
  return urn.includes("::pulumi:pulumi:Stack::");
}

/** What is deleted later than what it contains. */
function depthOf({ type }: Step): number {
  const treatment = treatmentOf(type);
  if (treatment === undefined || !treatment.isContainer)
    return treatment?.belongsTo === "organization" ? 3 : 0;
  return treatment.belongsTo === "team" ? 2 : 1;
}

/** Whether the program gives the project or the team by its ID, so that it could not be created again. */
function isGivenById(step: Step): boolean {
  const { projectId, teamId } = sidesOf(step).declared?.inputs ?? {};
  return [projectId, teamId].some((id) => typeof id === "string");
}

// Texts.

function nameOf({ type, urn }: Step): string {
  return `${kindOf(type)} ${logicalName(urn)}`;
}

function stillDeclare(resources: readonly string[], what: Sentence): Sentence {
  const verb = resources.length === 1 ? "declares" : "declare";
  return { texts: ["", ` still ${verb} `, ""], names: [listed(resources), what] };
}

function noteOf(step: Step, deletion: Deletion, holder: string): Sentence[] {
  const resource = nameOf(step);
  if (deletion.of === "project") {
    return [
      sentence`Deleting ${resource} ends the access of everyone in it, whether a program declares them or not.`,
    ];
  }
  if (deletion.holder.kind === "team") return [];
  const cause = plain(DELETING.has(step.op) ? "Deleting" : "The end of");
  return [
    sentence`${cause} ${resource} also ends the access of ${holder} in projects and teams that this program does not declare.`,
  ];
}
