/**
 * Carries out the steps of a run on what the state shows: who has access where, before and after. Pure.
 *
 * A deletion also ends what its holder or its project has in other places, and takes nothing that another
 * resource declares.
 */

import { type Deletion, endsWith } from "../../provider/access/places";
import { toProperties } from "../../provider/resources/contract/border";
import { isEnded } from "../../provider/resources/contract/until";
import { visibleText } from "../../provider/text/visible-text";
import type { Diagnostic, FoundByResource, Step } from "../lib/engine-events";
import { ignoresPeople, kindOf, logicalName, treatmentOf } from "../lib/own-resources";
import { listed, type Sentence, sentence } from "../lib/sentence";
import { accessesOf, type Edge, Edges, isOf } from "./edges";
import { changesHiddenList, type Fact, Facts, mayBeReplacement, namesPeople, onDestroyOf } from "./facts";
import { type Origins, sidesOf } from "./origins";
import type { Places } from "./places";

/** A deletion that the provider will refuse, or may refuse. */
export interface Refusal {
  /** Such as `OrganizationMember ada`. */
  readonly resource: string;
  readonly isCertain: boolean;
  readonly reason: Sentence;
}

/** Resource options of the state, which the events do not show. */
export interface StateOptions {
  readonly retainOnDelete?: boolean | undefined;
  /** URN. */
  readonly deletedWith?: string | undefined;
  readonly ignoreChanges?: readonly string[] | null | undefined;
  /** Why the last create or update failed halfway. */
  readonly initErrors?: readonly string[] | null | undefined;
}

export interface OwnRun {
  /** Those of this provider's resources, in their order. */
  readonly steps: readonly Step[];
  readonly failed: readonly Step[];
  /** Also those of components and of other packages. */
  readonly everything: readonly Step[];
  readonly found: readonly FoundByResource[];
  readonly diagnostics: readonly Diagnostic[];
  /** By URN. */
  readonly options: ReadonlyMap<string, StateOptions>;
  /** Whether the changes were made. */
  readonly isDone: boolean;
  /** Whether targets leave resources out, so that the provider does not know what they declare. */
  readonly isPartial: boolean;
}

/** What the steps leave behind. */
export interface RunDone {
  readonly facts: Facts;
  readonly edges: readonly Edge[];
  /** Whose access may change: the run does not show whether it does. */
  readonly unclear: ReadonlySet<Edge>;
  /** Who stays without being declared. */
  readonly undeclared: ReadonlySet<Edge>;
  /** Places whose people the run compares with those of the state before the refresh. */
  readonly compared: ReadonlySet<string>;
  /** Owners of new projects whom the service chose. */
  readonly chosen: ReadonlySet<Edge>;
  /** The places of projects that the run creates. */
  readonly newProjects: ReadonlySet<string>;
  readonly refusals: readonly Refusal[];
  /** What changes beyond what the run shows. */
  readonly notes: readonly Sentence[];
  /** Deletions of resources whose objects stay. */
  readonly released: ReadonlySet<Step>;
}

export function carriedOut(run: OwnRun, places: Places, origins: Origins): RunDone {
  return new Simulation(run, places, origins).result();
}

export const CHANGING: ReadonlySet<string> = new Set(["create", "create-replacement", "update"]);
const IMPORTING: ReadonlySet<string> = new Set(["import", "import-replacement"]);
const DELETING: ReadonlySet<string> = new Set(["delete", "delete-replaced"]);

class Simulation {
  readonly #facts: Facts;
  readonly #edges = new Edges();
  readonly #indexOf: ReadonlyMap<Step, number>;
  /** Steps whose resources the program declares, as far as the provider knows them. */
  readonly #declaring: readonly Step[];
  /** The places of projects that the run creates. */
  readonly #newProjects: ReadonlySet<string>;
  readonly #unclear: Fact[] = [];
  readonly #done = {
    undeclared: new Set<Edge>(),
    compared: new Set<string>(),
    chosen: new Set<Edge>(),
    refusals: [] as Refusal[],
    notes: [] as Sentence[],
    released: new Set<Step>(),
  } satisfies Partial<RunDone>;

  constructor(
    private readonly run: OwnRun,
    private readonly places: Places,
    private readonly origins: Origins,
  ) {
    const { steps, failed, isPartial } = run;
    this.#facts = new Facts(places, origins, [...steps, ...failed]);
    this.#indexOf = new Map(steps.map((step, index) => [step, index]));
    this.#declaring = steps.filter(
      ({ op }) => CHANGING.has(op) || IMPORTING.has(op) || (op === "same" && !isPartial),
    );
    this.#newProjects = new Set(steps.filter(isNewProject).map((step) => places.keyOf(step)));
  }

  result(): RunDone {
    this.#begin();
    const later: Step[] = [];
    for (const [index, step] of this.run.steps.entries()) {
      if (CHANGING.has(step.op)) this.#change(step);
      else if (DELETING.has(step.op) && this.#deletesFirst(step)) this.#delete(step, index);
      else if (DELETING.has(step.op)) later.push(step);
    }
    for (const step of this.run.failed) this.#fail(step);
    for (const step of later.sort((one, next) => depthOf(one) - depthOf(next))) this.#delete(step);
    for (const step of this.run.steps) this.#collectUndeclared(step);
    return {
      ...this.#done,
      facts: this.#facts,
      edges: this.#edges.all(),
      unclear: new Set([
        ...this.#edges
          .all()
          .filter(({ isUnclear, before, now }) => isUnclear && (before ?? now) !== undefined),
        ...this.#unclear.map((fact) => this.#edges.of(fact)),
        ...this.run.steps.filter(mayBeReplacement).flatMap((step) => this.#possibleChanges(step)),
      ]),
      newProjects: this.#newProjects,
    };
  }

  /** What exists before the run, and what its program declares. */
  #begin(): void {
    const { steps, failed, found } = this.run;
    for (const step of [...steps, ...failed]) {
      // Pulumi has not read an object that it imports.
      const facts = IMPORTING.has(step.op) ? this.#facts.declared(step) : this.#facts.recorded(step);
      for (const fact of facts) this.#exists(fact);
      // The dynamic provider cannot tell which roles it has found.
      for (const fact of this.#facts.adopted(step)) this.#exists(fact, []);
      if (!IMPORTING.has(step.op)) this.#recall(step);
    }
    for (const access of found.flatMap(({ present }) => present)) {
      const fact = this.#facts.found(access);
      // Whoever is in a new project has come by this run.
      if (!this.#newProjects.has(fact.key)) this.#exists(fact);
    }
    for (const step of this.#declaring) {
      for (const fact of this.#declaredBy(step)) this.#edges.of(fact).declaredBy.add(step);
    }
  }

  /** What the state had before the refresh. */
  #recall(step: Step): void {
    const isUnproven = this.#facts.isUnproven(step);
    for (const fact of this.#facts.declaredBefore(step)) {
      const edge = this.#edges.of(fact);
      edge.declaredBefore = [...(edge.declaredBefore ?? []), ...(fact.access.roles ?? [])];
      edge.isUnproven ||= isUnproven;
    }
    for (const fact of this.#facts.presentBefore(step)) {
      const edge = this.#edges.of(fact);
      edge.presentBefore = [...(edge.presentBefore ?? []), ...(fact.access.roles ?? [])];
    }
  }

  #exists(fact: Fact, roles = fact.access.roles ?? []): void {
    const edge = this.#edges.of(fact);
    edge.before = [...new Set([...(edge.before ?? []), ...roles])];
    edge.now = edge.before;
  }

  /** @param until only what steps before this index declare */
  #isDeclared({ declaredBy }: Edge, except?: Step, until = Number.POSITIVE_INFINITY): boolean {
    return [...declaredBy].some((step) => step !== except && (this.#indexOf.get(step) ?? 0) < until);
  }

  #declaredBy(step: Step): readonly Fact[] {
    return [...this.#facts.declared(step), ...(isNewProject(step) ? this.#facts.ownerOf(step) : [])];
  }

  #change(step: Step): void {
    const settled = this.run.isDone ? this.#facts.settled(step) : [];
    const declared = this.#declaredBy(step);
    if (this.#mayIgnorePeople(step)) {
      const leaving = this.#leaving(step, [...declared, ...settled]);
      if (!this.run.isDone) this.#unclear.push(...leaving);
      else for (const fact of leaving) this.#remove(fact, step, true);
      this.#give(settled);
      return;
    }
    if (this.origins.beginsToRemove(step)) {
      this.#done.notes.push(sentence`${nameOf(step)} removes whoever it does not list, from this update on.`);
    }
    if (changesHiddenList(step)) this.#unclear.push(...declared.filter(({ isList }) => isList));
    const leaving = this.#leaving(step, [...declared, ...settled]);
    if (step.isGuessed) this.#unclear.push(...leaving);
    else for (const fact of leaving) this.#remove(fact, step, true);
    this.#give(declared);
    this.#give(settled);
  }

  /**
   * Whether the program may ignore changes of the list of people, so that an update neither adds nor removes anyone. Of the
   * provider plugin, only the option of the state is known. A list that the engine names as changed is not ignored now.
   */
  #mayIgnorePeople(step: Step): boolean {
    const { op, type, urn, new: after } = step;
    if (op !== "update" || namesPeople(step)) return false;
    const { ignoreChanges } = this.run.options.get(urn) ?? {};
    return ignoresPeople({ type, ignoreChanges, inputs: after?.inputs });
  }

  /** Whom a step that declares people or groups removes. */
  #leaving(step: Step, staying: readonly Fact[]): readonly Fact[] {
    // The end was put off, or the service does not offer it.
    if (this.run.isDone && step.new?.outputs?.overdueReason !== undefined) return [];
    if (isEnded(toProperties(step.new?.inputs ?? {}))) {
      const found = this.#foundBy(step, "leaving");
      return found.length > 0 || step.op !== "update" ? found : this.#facts.recorded(step);
    }
    if (this.#facts.isAtNewPlace(step)) {
      if (!this.#hasTold(step)) this.#unclear.push(...this.#facts.removedUnseen(step));
      return this.#foundBy(step, "leaving");
    }
    if (this.#facts.listsPeople(step)) {
      const { present, leaving } = this.#peopleOf(step);
      return this.run.isDone && present.length > 0 ? this.#without(present, staying) : leaving;
    }
    if (!this.#facts.listsGroups(step)) return [];
    return this.#without(this.#facts.recorded(step), [...staying, ...this.#facts.settled(step)]);
  }

  /** Whether a new list has told whom it finds, or finds nobody because its place is new. */
  #hasTold(step: Step): boolean {
    return (
      this.run.found.some(({ urn }) => urn === step.urn) || this.#newProjects.has(this.places.keyOf(step))
    );
  }

  #peopleOf(step: Step) {
    return this.#facts.people(step, (fact) => this.#isDeclared(this.#edges.of(fact), step));
  }

  /** Whom a list found when it was created, and whom of them it removes. */
  #foundBy(step: Step, which: "present" | "leaving"): Fact[] {
    const key = this.places.keyOf(step);
    const own = this.run.found.filter(({ urn }) => urn === step.urn).flatMap((found) => found[which]);
    return own.map((access) => this.#facts.found(access)).filter((fact) => fact.key === key);
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
      if (edge.declaredBy.size === 0 && this.#newProjects.has(edge.key)) this.#done.chosen.add(edge);
    }
  }

  /** @param step the one that removes, and if it `declares`, its own declaration does not count */
  #remove(fact: Fact, step: Step, declares: boolean, until?: number): readonly Edge[] {
    const edge = this.#edges.of(fact);
    if (this.#isDeclared(edge, declares ? step : undefined, until)) return [];
    edge.now = undefined;
    edge.endedBy = step;
    return [edge];
  }

  /** What a failed step has done is what its resource recorded afterwards. */
  #fail(step: Step): void {
    if (DELETING.has(step.op)) {
      if (this.#facts.listsPeople(step)) this.#unclear.push(...this.#peopleOf(step).leaving);
      return;
    }
    const settled = this.#facts.settled(step);
    if (settled.length === 0 || Object.keys(step.new?.outputs ?? {}).length === 0) {
      // The record is lost with a failed creation, and what was removed before the failure is not.
      if (this.#facts.isAtNewPlace(step)) this.#unclear.push(...this.#leaving(step, []));
      return;
    }
    for (const fact of this.#without(this.#peopleOf(step).present, settled)) {
      const edge = this.#edges.of(fact);
      edge.now = undefined;
      edge.endedBy = step;
    }
    this.#give(settled);
  }

  /** @param until for a deletion that precedes the replacement: its index */
  #delete(step: Step, until?: number): void {
    if (this.#isSkipped(step)) {
      this.#done.released.add(step);
      return;
    }
    const removed = this.#removedBy(step, until).flatMap((fact) => this.#remove(fact, step, false, until));
    const deletion = this.#facts.deletionBy(step);
    if (deletion === undefined || this.#isKept(step, removed, until)) return;
    const holder = removed[0]?.name ?? (deletion.of === "holder" ? this.#facts.nameOf(deletion.holder) : "");
    const refusals = this.run.isDone ? [] : this.#refusalsOf(step, deletion, holder, until);
    this.#done.refusals.push(...refusals);
    if (refusals.some(({ isCertain }) => isCertain)) {
      for (const edge of removed) edge.now = edge.before;
      return;
    }
    for (const edge of this.#edges.below(deletion)) {
      const ends = endsBy(edge, deletion);
      if (ends === true) {
        edge.now = undefined;
        edge.endedBy = step;
      } else if (ends === "unknown") edge.isUnclear = true;
    }
    this.#done.notes.push(...noteOf(step, deletion, holder));
  }

  /** What the deletion of a resource removes one by one. */
  #removedBy(step: Step, until?: number): readonly Fact[] {
    if (onDestroyOf(step) !== "remove") return [];
    const recorded = this.#facts.recorded(step);
    if (!this.#facts.listsPeople(step) || recorded.some(({ isList }) => isList)) return recorded;
    const key = this.places.keyOf(step);
    // Another list of the project declares its people.
    if (this.#declaring.some((other) => other.type === step.type && this.places.keyOf(other) === key))
      return [];
    return this.#facts.people(step, (fact) => this.#isDeclared(this.#edges.of(fact), undefined, until))
      .leaving;
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
    const key = this.places.keyOf(step);
    return this.#declaring.some(
      (other) =>
        treatmentOf(other.type)?.isContainer &&
        this.places.keyOf(other) === key &&
        ((this.#indexOf.get(other) ?? 0) < until || (other.urn === step.urn && isGivenById(other))),
    );
  }

  #refusalsOf(step: Step, deletion: Deletion, holder: string, until = Number.POSITIVE_INFINITY): Refusal[] {
    const declaring = (ends: true | "unknown") => {
      const edges = this.#edges.below(deletion).filter((edge) => endsBy(edge, deletion) === ends);
      const steps = edges.flatMap(({ declaredBy }) => [...declaredBy]);
      const earlier = steps.filter((other) => (this.#indexOf.get(other) ?? 0) < until);
      return [...new Set(earlier.map(nameOf))].sort();
    };
    const certain = declaring(true);
    const possible = declaring("unknown").filter((resource) => !certain.includes(resource));
    const remaining = this.#remaining(deletion, until);
    const resource = nameOf(step);
    const what = deletion.of === "project" ? sentence`access to it` : sentence`${holder}`;
    if (certain.length > 0) {
      return [{ resource, isCertain: true, reason: sentence`${stillDeclare(certain, what)}.` }];
    }
    if (remaining.length > 0) {
      return [
        { resource, isCertain: true, reason: sentence`${holder} still has access in ${listed(remaining)}.` },
      ];
    }
    if (possible.length === 0) return [];
    const reason = sentence`${stillDeclare(possible, what)} in a project whose organization this run does not show.`;
    return [{ resource, isCertain: false, reason }];
  }

  /**
   * Places in which a holder still has access, although nothing declares it. A service refuses to delete a team
   * that a project has. A person or a key that is deleted first is refused, because the declarations are not known
   * yet.
   */
  #remaining(deletion: Deletion, until: number): string[] {
    if (deletion.of === "project") return [];
    const { kind } = deletion.holder;
    const isRefused = kind === "team" || until !== Number.POSITIVE_INFINITY;
    if (!isRefused) return [];
    return this.#edges
      .all()
      .filter((edge) => edge.now !== undefined && isOf(edge, deletion.holder))
      .filter((edge) => endsBy(edge, deletion) === true)
      .map(({ key }) => textOf(this.places, key));
  }

  #deletesFirst({ op, urn }: Step): boolean {
    if (op !== "delete-replaced") return false;
    const index = (wanted: string) =>
      this.run.steps.findIndex((step) => step.urn === urn && step.op === wanted);
    return index("create-replacement") > index(op);
  }

  #collectUndeclared(step: Step): void {
    const isListed = (step.op === "same" || CHANGING.has(step.op)) && this.#facts.listsPeople(step);
    if (!isListed || this.#newProjects.has(this.places.keyOf(step))) return;
    const staying = this.#facts.isAtNewPlace(step)
      ? this.#foundBy(step, "present")
      : this.#peopleOf(step).undeclared;
    if (this.origins.refreshOf(step)?.old) this.#done.compared.add(this.places.keyOf(step));
    const said = this.#messagesOf(step);
    for (const fact of staying) {
      if (said.some((message) => message.includes(visibleText(fact.name))))
        this.#done.undeclared.add(this.#edges.of(fact));
    }
  }

  /** The provider names those who stay undeclared, and knows more about them than the state shows. */
  #messagesOf({ urn }: Step): string[] {
    const isAbout = (about: string | undefined) => about === urn || about === undefined || isStack(about);
    return this.run.diagnostics.flatMap((each) => (isAbout(each.urn) ? [each.message] : []));
  }

  /** Unless another step takes away what the resource had, it is not known whether anything changes. */
  #possibleChanges(step: Step): Edge[] {
    const before = this.#facts.recorded(step).map((fact) => this.#edges.of(fact));
    const after = this.#facts.declared(step).map((fact) => this.#edges.of(fact));
    if (before.every(({ now }) => now === undefined)) return [];
    return [...before.filter(({ now }) => now), ...after.filter((edge) => edge.before === undefined)];
  }
}

/** Whether the access ends with the deletion; `unknown` if that depends on the organization of its project. */
function endsBy(edge: Edge, deletion: Deletion): boolean | "unknown" {
  const ends = accessesOf(edge).map((access) => endsWith(access, deletion));
  return ends.includes(true) || (ends.includes("unknown") && "unknown");
}

// Steps.

/** The dynamic provider writes its messages about the stack. */
export function isStack(urn: string): boolean {
  return urn.includes("::pulumi:pulumi:Stack::");
}

function isNewProject(step: Step): boolean {
  const treatment = treatmentOf(step.type);
  const isProject = treatment?.isContainer === true && treatment.belongsTo === "project";
  return (
    isProject &&
    step.op.startsWith("create") &&
    step.new?.outputs?.origin !== "adopted" &&
    step.new?.inputs?.projectId === undefined
  );
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

/** A place for messages: `project payments`. */
function textOf(places: Places, key: string): string {
  const { what, name } = places.named(key);
  return `${what} ${name}`;
}

function stillDeclare(resources: readonly string[], what: Sentence): Sentence {
  return resources.length === 1
    ? sentence`${listed(resources)} still declares ${what}`
    : sentence`${listed(resources)} still declare ${what}`;
}

function noteOf(step: Step, deletion: Deletion, holder: string): Sentence[] {
  const resource = nameOf(step);
  if (deletion.of === "project") {
    return [
      sentence`Deleting ${resource} ends the access of everyone in it, whether a program declares them or not.`,
    ];
  }
  if (deletion.holder.kind === "team") return [];
  return [
    sentence`Deleting ${resource} also ends what ${holder} has in projects and teams that this program does not declare.`,
  ];
}
