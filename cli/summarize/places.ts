/** The projects, teams and organizations of a run, as far as its steps show them. Pure. */

import type { Place } from "../../provider/access/places";
import { ORGANIZATION_FILE_TYPE } from "../../provider/component";
import { isUrn } from "../../provider/resources/session/claims";
import { UNKNOWN_SENTINELS } from "../../provider/text/sentinels";
import { partsOfUrn } from "../../provider/text/urn";
import type { Step } from "../lib/engine-events";
import { logicalName, treatmentOf } from "../lib/own-resources";
import { type Origins, type Side, sidesOf } from "./origins";

export interface NamedPlace {
  readonly what: "project" | "team" | "organization";
  readonly name: string;
}

/** What does not exist yet has a URN or a logical name in place of its ID. */
export class Places {
  readonly #names = new Map<string, string>();
  /** URNs of projects without an ID, by their logical name. */
  readonly #created = new Map<string, string>();
  /** URNs of projects without an ID, by the ID of the project that they replace. */
  readonly #replacing = new Map<string, string>();
  /** The organizations of projects. */
  readonly #organizations = new Map<string, string>();

  /** Places that were deleted outside Pulumi, with those that the run makes in their stead. */
  readonly #again = new Map<string, Place>();

  /** @param origins what is made again, because somebody deleted it */
  constructor(
    steps: readonly Step[],
    private readonly origins: Origins,
  ) {
    for (const step of steps) this.#learn(step);
  }

  /** The project, team or organization of a step. */
  keyOf(step: Step): string {
    const { declared, recorded } = sidesOf(step);
    return this.keyOfSide(step, declared ?? recorded);
  }

  keyOfSide(step: Step, side: Side): string {
    const isIn = treatmentOf(step.type)?.belongsTo;
    if (isIn === "team") return teamKey(this.teamOf(step, side));
    if (isIn === "organization") return `organization ${this.organizationOf(step, side)}`;
    return `project ${this.projectOf(step, side)}`;
  }

  projectOf(step: Step, side: Side): string {
    const isItself = treatmentOf(step.type)?.isContainer;
    const id = isItself ? idOfProject(side) : side?.inputs?.projectId;
    if (isKnown(id)) return id;
    if (isItself) return step.urn;
    // Below a provider that the engine does not ask, the ID of a project is not known either.
    if (step.isGuessed && isKnown(step.old?.inputs?.projectId)) return step.old.inputs.projectId;
    const replacing = this.#replacing.get(String(step.old?.inputs?.projectId));
    if (replacing !== undefined) return replacing;
    // A project file gives its key to the resources that it declares: `payments/ada@example.com`.
    const [key = ""] = logicalName(step.urn).split("/");
    return this.#created.get(key) ?? key;
  }

  organizationOf(step: Step, side: Side): string {
    const { orgId } = { ...side?.outputs, ...side?.inputs };
    return isKnown(orgId) ? orgId : logicalName(step.urn);
  }

  teamOf(step: Step, side: Side): Extract<Place, { kind: "team" }> {
    const { name } = { ...side?.outputs, ...side?.inputs };
    return {
      kind: "team",
      id: [side?.outputs?.teamId, side?.inputs?.teamId].find(isKnown),
      name: isKnown(name) ? name : logicalName(step.urn),
      orgId: this.organizationOf(step, side),
    };
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
    const name = this.#names.get(key) ?? (isUrn(id) ? logicalName(id) : id);
    return { what: what === "team" || what === "organization" ? what : "project", name };
  }

  /** Of a team that a Team of the run has. */
  nameOfTeam(id: string | undefined): string | undefined {
    return id === undefined ? undefined : this.#names.get(`team ${id}`);
  }

  #learnAgain(step: Step, what: NamedPlace["what"]): void {
    const before = this.origins.recordedBy(step);
    if (what === "team") {
      this.#again.set(teamKey(this.teamOf(step, before)), this.teamOf(step, step.new));
    } else if (before?.id !== undefined) {
      this.#again.set(`project ${before.id}`, { kind: "project", id: this.projectOf(step, step.new) });
    }
  }

  #learn(step: Step): void {
    const treatment = treatmentOf(step.type);
    const { declared, recorded } = sidesOf(step);
    if (treatment?.isContainer && this.origins.isAgain(step)) this.#learnAgain(step, treatment.belongsTo);
    for (const side of [recorded, declared]) {
      if (!side || treatment === undefined) continue;
      const { name, groupName, orgId } = { ...side.outputs, ...side.inputs };
      switch (treatment.belongsTo) {
        case "organization":
          // The service shows no name beside the ID, but the key of the file is one.
          if (isKnown(orgId) && partsOfUrn(step.urn).types.includes(ORGANIZATION_FILE_TYPE))
            this.#names.set(`organization ${orgId}`, logicalName(step.urn).split("/")[0] ?? orgId);
          break;
        case "team": {
          const team = this.teamOf(step, side);
          this.#names.set(teamKey(team), team.name ?? "");
          break;
        }
        case "project": {
          const id = this.projectOf(step, side);
          if (isKnown(orgId)) this.#organizations.set(id, orgId);
          const key = `project ${id}`;
          if (treatment.isContainer && id === step.urn) {
            this.#created.set(logicalName(step.urn), id);
            if (step.old?.id) this.#replacing.set(step.old.id, id);
          }
          if (treatment.isContainer && isKnown(name)) this.#names.set(key, name);
          else if (isKnown(groupName) && !this.#names.has(key)) this.#names.set(key, groupName);
        }
      }
    }
  }
}

export function keyOfPlace(place: Place): string {
  return place.kind === "team" ? teamKey(place) : `${place.kind} ${place.id}`;
}

function teamKey({ id, name, orgId }: Extract<Place, { kind: "team" }>): string {
  return `team ${id ?? `${orgId}/${name}`}`;
}

/** A project that is adopted has its ID in its inputs alone. */
function idOfProject(side: Side): string | undefined {
  return [side?.id, side?.inputs?.projectId].find(isKnown);
}

export function isKnown(value: unknown): value is string {
  return typeof value === "string" && value !== "" && !UNKNOWN_SENTINELS.has(value);
}
