/** The projects, teams and organizations of a run, as far as its steps show them. Pure. */

import type { Membership } from "../../provider/access/person";
import type { Place } from "../../provider/access/places";
import { ORGANIZATION_FILE_TYPE } from "../../provider/component";
import { isUrn } from "../../provider/resources/session/claims";
import { UNKNOWN_SENTINELS } from "../../provider/text/sentinels";
import { partsOfUrn } from "../../provider/text/urn";
import type { Step } from "../lib/engine-events";
import { logicalName, treatmentOf } from "../lib/own-resources";
import type { Sentence } from "../lib/sentence";
import { type Origins, type Side, sidesOf } from "./origins";

export interface NamedPlace {
  readonly what: "project" | "team" | "organization";
  readonly name: string;
}

/** What a state has of a resource, and the events need not show. */
export interface StateOptions {
  readonly retainOnDelete?: boolean | undefined;
  /** URN. */
  readonly deletedWith?: string | undefined;
  /** Why the last create or update failed halfway. */
  readonly initErrors?: readonly string[] | null | undefined;
  readonly outputs?: Readonly<Record<string, unknown>> | null | undefined;
}

/** What neither a state nor an event shows of organizations. */
export interface OrganizationFacts {
  /** By ID. */
  readonly names: ReadonlyMap<string, string>;
  /** Members and pending invitations by ID. */
  readonly people: ReadonlyMap<string, readonly Membership[]>;
  /** What could not be read. */
  readonly notes: readonly Sentence[];
}

export const NO_ORGANIZATIONS: OrganizationFacts = { names: new Map(), people: new Map(), notes: [] };

/** What does not exist yet has a URN or a logical name in place of its ID. */
export class Places {
  readonly #names = new Map<string, string>();
  /** Of teams, in the state before the run. */
  readonly #recorded = new Map<string, string>();
  /** URNs of projects without an ID, by their logical name. */
  readonly #created = new Map<string, string>();
  /** URNs of projects without an ID, by the ID of the project that they replace. */
  readonly #replacing = new Map<string, string>();
  /** The organizations of projects. */
  readonly #organizations = new Map<string, string>();

  /** Places that were deleted outside Pulumi, with those that the run makes in their stead. */
  readonly #again = new Map<string, Place>();

  /**
   * @param origins what is made again, because somebody deleted it
   * @param organizations names by ID, where files have no other one
   * @param recorded the resources of the state: a run that failed need not have steps of all
   */
  constructor(
    steps: readonly Step[],
    private readonly origins: Origins,
    organizations: ReadonlyMap<string, string>,
    recorded: Iterable<Pick<StateOptions, "outputs">> = [],
  ) {
    for (const { outputs } of recorded) {
      const { teamId, teamName, name = teamName } = outputs ?? {};
      if (isKnown(teamId) && isKnown(name)) this.#recorded.set(`team ${teamId}`, name);
    }
    for (const [id, name] of organizations) this.#names.set(`organization ${id}`, name);
    for (const step of steps) this.#learn(step);
  }

  /** The project, team or organization of a step. */
  keyOf(step: Step): string {
    const { declared, recorded } = sidesOf(step);
    return keyOfPlace(this.placeOf(step, declared ?? recorded));
  }

  placeOf(step: Step, side: Side): Place {
    const { name, orgId } = { ...side?.outputs, ...side?.inputs };
    const organization = isKnown(orgId) ? orgId : logicalName(step.urn);
    // A preview of the dynamic provider plans no outputs.
    const { teamId } = { ...(step.op === "update" && step.old?.outputs) };
    switch (treatmentOf(step.type)?.belongsTo) {
      case "organization":
        return { kind: "organization", id: organization };
      case "team":
        return {
          kind: "team",
          id: [side?.outputs?.teamId, side?.inputs?.teamId, teamId].find(isKnown),
          name: isKnown(name) ? name : logicalName(step.urn),
          orgId: organization,
        };
      default:
        return this.complete({ kind: "project", id: this.#projectOf(step, side) });
    }
  }

  #projectOf(step: Step, side: Side): string {
    const isItself = treatmentOf(step.type)?.isContainer;
    // A project that is adopted has its ID in its inputs alone.
    const ids = isItself ? [side?.id, side?.inputs?.projectId] : [side?.inputs?.projectId];
    const id = ids.find(isKnown);
    if (id !== undefined) return id;
    if (isItself) return step.urn;
    const { projectId: former } = step.old?.inputs ?? {};
    // Below a provider that the engine does not ask, the ID of a project is not known either.
    if (step.isGuessed && isKnown(former)) return former;
    const replacing = this.#replacing.get(String(former));
    if (replacing !== undefined) return replacing;
    // A project file gives its key to the resources that it declares: `payments/ada@example.com`.
    const [key = ""] = logicalName(step.urn).split("/");
    return this.#created.get(key) ?? key;
  }

  /** With the organization of a project, if any step shows it. */
  complete(place: Place): Place {
    if (place.kind !== "project" || place.orgId !== undefined) return place;
    return { ...place, orgId: this.#organizations.get(place.id) };
  }

  /** The place that the run makes in place of one that was deleted outside Pulumi. */
  current(place: Place): Place {
    return this.#again.get(keyOfPlace(place)) ?? place;
  }

  /** Whether the place was deleted outside Pulumi, and the run makes another one in its stead. */
  isGone(key: string): boolean {
    const place = this.#again.get(key);
    return place !== undefined && keyOfPlace(place) !== key;
  }

  /** Whether the run makes the place again. */
  isAgain(key: string): boolean {
    return [...this.#again.values()].some((place) => keyOfPlace(place) === key);
  }

  named(key: string): NamedPlace {
    const [, what, id = ""] = /^(\w+) (.*)$/s.exec(key) ?? [];
    const name = this.#names.get(key) ?? this.#recorded.get(key) ?? (isUrn(id) ? logicalName(id) : id);
    return { what: what === "team" || what === "organization" ? what : "project", name };
  }

  /** The name of a team that a Team of the run has; else the one that its roles show, or the state. */
  nameOfTeam(teamId: string | undefined, shown: string | undefined): string | undefined {
    const key = `team ${teamId}`;
    return this.#names.get(key) ?? shown ?? this.#recorded.get(key) ?? teamId;
  }

  #learn(step: Step): void {
    const treatment = treatmentOf(step.type);
    if (treatment === undefined) return;
    const { belongsTo, isContainer } = treatment;
    const { declared, recorded } = sidesOf(step);
    for (const side of [recorded, declared]) {
      if (!side) continue;
      const place = this.placeOf(step, side);
      const key = keyOfPlace(place);
      const { name, groupName, orgId } = { ...side.outputs, ...side.inputs };
      if (place.kind === "team") this.#names.set(key, place.name ?? "");
      // The service shows no name beside the ID, but the key of the file is one.
      else if (belongsTo === "organization" && partsOfUrn(step.urn).types.includes(ORGANIZATION_FILE_TYPE))
        this.#names.set(key, logicalName(step.urn).split("/")[0] ?? place.id);
      else if (place.kind === "project") {
        if (isKnown(orgId)) this.#organizations.set(place.id, orgId);
        if (isContainer && place.id === step.urn) {
          this.#created.set(logicalName(step.urn), place.id);
          if (step.old?.id) this.#replacing.set(step.old.id, place.id);
        }
        if (isContainer && isKnown(name)) this.#names.set(key, name);
        else if (isKnown(groupName) && !this.#names.has(key)) this.#names.set(key, groupName);
      }
    }
    const before = this.origins.recordedBy(step);
    if (isContainer && before && this.origins.isAgain(step))
      this.#again.set(keyOfPlace(this.placeOf(step, before)), this.placeOf(step, step.new));
  }
}

export function keyOfPlace(place: Place): string {
  const id = place.kind === "team" ? (place.id ?? `${place.orgId}/${place.name}`) : place.id;
  return `${place.kind} ${id}`;
}

function isKnown(value: unknown): value is string {
  return typeof value === "string" && value !== "" && !UNKNOWN_SENTINELS.has(value);
}
