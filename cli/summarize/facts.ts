/** Who has access through the resource of a step, before and after it. Pure. */

import { OWNER_ROLE } from "../../provider/access/person";
import type { Access, Deletion, Holder } from "../../provider/access/places";
import type { ReadPeople } from "../../provider/resources/contract/resource";
import { endedIn, isEnded, withoutMark } from "../../provider/resources/contract/until";
import { isRecord, type Properties, UNKNOWN, type Value } from "../../provider/resources/contract/values";
import { own } from "../../provider/text/own";
import {
  isHiddenProperty,
  SECRET_SIGNATURE,
  SIGNATURE,
  UNKNOWN_SENTINELS,
} from "../../provider/text/sentinels";
import type { Step } from "../lib/engine-events";
import {
  type HoldersForm,
  kindOf,
  listsOfPeople,
  logicalName,
  resourceOf,
  treatmentOf,
} from "../lib/own-resources";
import { namedPaths } from "../lib/step-values";
import { readable, SECRET, valueDifferences } from "../lib/value-differences";
import { type Origins, type Side, sidesOf } from "./origins";
import { keyOfPlace, type Places } from "./places";

/** A holder in a place, as one step shows it. */
export interface Fact {
  readonly access: Access;
  /** The place. */
  readonly key: string;
  /** The holder, for people. */
  readonly name: string;
  /** It stands for a whole list, because the program keeps the list secret or does not know it yet. */
  readonly isList: boolean;
}

export class Facts {
  /** Descriptions of API keys by their IDs. */
  readonly #descriptions = new Map<string, string>();
  readonly #hidden = new Map<string, HiddenHolder>();

  constructor(
    private readonly places: Places,
    private readonly origins: Origins,
    steps: readonly Step[],
  ) {
    for (const step of steps) {
      for (const side of Object.values(sidesOf(step))) {
        const { keyId, description } = { ...visible(side?.inputs), ...visible(side?.outputs) };
        if (typeof keyId === "string" && typeof description === "string") {
          this.#descriptions.set(keyId, description);
        }
      }
    }
  }

  /** Whom the program declares. */
  declared(step: Step): Fact[] {
    const { recorded, declared } = sidesOf(step);
    if (!declared) return [];
    const inputs = this.#inputs(step, declared);
    // The outputs of a preview are those of the old holder.
    if (mayBeReplacement(step)) return this.#facts(step, declared, inputs, {});
    const before = isSameHolder(step) ? visible(recorded?.outputs) : {};
    return this.#facts(step, declared, inputs, { ...before, ...visible(declared.outputs) });
  }

  /** Who had access before, by the state, which the run has refreshed. */
  recorded(step: Step): Fact[] {
    return this.#live(step, sidesOf(step).recorded);
  }

  /** Who has access afterwards, by what the resource has recorded. */
  settled(step: Step): Fact[] {
    return this.#live(step, sidesOf(step).declared);
  }

  /** Whom the state before the refresh declares. */
  declaredBefore(step: Step): Fact[] {
    const side = this.origins.recordedBy(step);
    if (!side) return [];
    return this.#current(this.#facts(step, side, this.#inputs(step, side), visible(side.outputs)));
  }

  /** Who had access by the state before the refresh. */
  presentBefore(step: Step): Fact[] {
    return this.#current(this.#live(step, this.origins.recordedBy(step)));
  }

  /** Whether the state does not prove who was declared. */
  isUnproven(step: Step): boolean {
    return this.origins.isUnproven(step, [...Object.keys(holdersOf(step)), "roles"]);
  }

  /** Whom an update or a deletion removes, and who stays undeclared. */
  people(
    step: Step,
    isDeclaredElsewhere: (fact: Fact) => boolean,
  ): Readonly<Record<keyof ReadPeople, Fact[]>> {
    const { recorded, declared } = sidesOf(step);
    const state = { ...visible(recorded?.outputs), onDestroy: onDestroyOf(step) ?? null };
    const read = resourceOf(step.type)?.readPeople?.(
      state,
      declared ? visible(declared.inputs) : undefined,
      (access) => isDeclaredElsewhere(this.#fact(step, recorded, access)),
    );
    const facts = (list: readonly Access[] = []) => list.map((access) => this.#fact(step, recorded, access));
    return {
      present: facts(read?.present),
      leaving: facts(read?.leaving),
      undeclared: facts(read?.undeclared),
    };
  }

  /** The owner whom the program gives a new project. */
  ownerOf(step: Step): Fact[] {
    const { projectOwnerId } = visible(step.new?.inputs);
    if (typeof projectOwnerId !== "string") return [];
    const place = { kind: "project", id: this.places.projectOf(step, step.new) } as const;
    return [this.found({ holder: { kind: "person", userId: projectOwnerId }, place, roles: [OWNER_ROLE] })];
  }

  /** Whom a new list of a project may remove: those it names as ended, and whom it does not name. The dynamic provider cannot tell who is there. */
  removedUnseen(step: Step): Fact[] {
    if (!this.listsPeople(step) || treatmentOf(step.type)?.belongsTo !== "project") return [];
    const inputs = visible(step.new?.inputs);
    const place = { kind: "project", id: this.places.projectOf(step, step.new) } as const;
    const ended = endedIn(inputs).map(({ name: username }) =>
      this.found({ holder: { kind: "person", username }, place }),
    );
    return inputs.removeUnlisted === true ? [...ended, ...this.#unlisted(step)] : ended;
  }

  #unlisted(step: Step): Fact[] {
    const [listed] = this.declared(step);
    if (listed === undefined) return [];
    const holder = { kind: "person", username: `\u0000unlisted of ${step.urn}` } as const;
    const name = `everyone whom ${kindOf(step.type)} ${logicalName(step.urn)} does not list`;
    return [{ ...listed, access: { ...listed.access, holder }, name, isList: true }];
  }

  /** What its deletion takes away beyond what it declares. */
  deletionBy(step: Step): Deletion | undefined {
    return resourceOf(step.type)?.deletes({ ...visible(step.old?.inputs), ...visible(step.old?.outputs) });
  }

  /** The one holder of a new resource, if its outputs show that it had access already. */
  adopted(step: Step): Fact[] {
    const forms = Object.values(holdersOf(step));
    const hasOne = forms.length > 0 && forms.every((form) => form === "name");
    return hasOne && step.op === "create" && step.new?.outputs?.origin === "adopted"
      ? this.declared(step)
      : [];
  }

  /** Whether it lists the people of a project or team. */
  listsPeople(step: Step): boolean {
    return resourceOf(step.type)?.readPeople !== undefined;
  }

  /** Whether it lists groups to which roles are mapped. */
  listsGroups(step: Step): boolean {
    return Object.values(holdersOf(step)).includes("mappings");
  }

  /** Whether the resource declares no place of before. */
  isAtNewPlace(step: Step): boolean {
    const { recorded, declared } = sidesOf(step);
    return !recorded || this.places.keyOfSide(step, recorded) !== this.places.keyOfSide(step, declared);
  }

  /** What a resource found before it wrote. */
  found(access: Access): Fact {
    const place = this.places.complete(access.place);
    return {
      access: { ...access, place },
      key: keyOfPlace(place),
      name: this.nameOf(access.holder),
      isList: false,
    };
  }

  /** In places that the run makes again. */
  #current(facts: readonly Fact[]): Fact[] {
    return facts.map((fact) => {
      const place = this.places.current(fact.access.place);
      return { ...fact, key: keyOfPlace(place), access: { ...fact.access, place } };
    });
  }

  #live(step: Step, side: Side): Fact[] {
    if (!side) return [];
    const state = visible(side.outputs);
    const people = resourceOf(step.type)?.readPeople?.(state, undefined, () => false).present ?? [];
    if (people.length > 0) return people.map((access) => this.#fact(step, side, access));
    const inputs = this.#inputs(step, side);
    // After its last day an access may be there, and nobody declares it.
    const isThere = resourceOf(step.type)?.ending?.isThere(state) === true;
    return this.#facts(step, side, { ...(isThere ? withoutMark(inputs) : inputs), ...state }, state);
  }

  /** The inputs of the resource, and its place also if the ID is not known yet. */
  #inputs(step: Step, side: Side): Properties {
    const inputs = visible(side?.inputs);
    switch (treatmentOf(step.type)?.belongsTo) {
      case "project":
        return { ...inputs, projectId: this.places.projectOf(step, side) };
      case "team": {
        const { name = "", orgId } = this.places.teamOf(step, side);
        return { ...inputs, name, orgId };
      }
      default:
        return { ...inputs, orgId: this.places.organizationOf(step, side) };
    }
  }

  #facts(step: Step, side: Side, inputs: Properties, state: Properties): Fact[] {
    const resource = resourceOf(step.type);
    if (resource === undefined) return [];
    const access = resource.declares(inputs, state);
    const hidden = this.#hiddenHolders(step, side, access.length > 0);
    const others = Object.keys(hidden).length > 0 ? resource.declares({ ...inputs, ...hidden }, state) : [];
    return [...access, ...others].map((one) => this.#fact(step, side, one));
  }

  #fact(step: Step, side: Side, access: Access): Fact {
    const place = this.places.complete(access.place);
    const [hidden] = Object.values(access.holder).flatMap((part) => this.#hidden.get(part) ?? []);
    return {
      access: { ...access, place },
      key: keyOfPlace(place),
      name: hidden?.name ?? this.nameOf(access.holder, step, side),
      isList: hidden?.isList === true,
    };
  }

  /** The holder, for people. */
  nameOf(holder: Holder, step?: Step, side?: Side): string {
    switch (holder.kind) {
      case "person":
        if (holder.username !== undefined) return holder.username;
        if (isSecret(side?.inputs?.username)) return SECRET;
        return holder.userId === undefined ? `invitation ${holder.invitationId}` : `user ${holder.userId}`;
      case "team":
        // The team may have got another name since its roles were recorded.
        return `team ${this.places.nameOfTeam(holder.teamId) ?? holder.teamName ?? holder.teamId}`;
      case "API key":
      case "agent API key": {
        // Somebody may have given the key another description, which the update changes back.
        const described = step?.op === "update" ? step.new : side;
        const own = step && makesHolder(step) ? visible(described?.inputs).description : undefined;
        const description = own ?? this.#descriptions.get(holder.keyId ?? "");
        const id = holder.kind === "API key" ? (holder.publicKey ?? holder.keyId) : holder.keyId;
        if (typeof description !== "string") return `${holder.kind} ${id}`;
        return `${holder.kind} ${description}${id === undefined ? "" : ` (${id})`}`;
      }
      case "group":
        return `group ${holder.name}`;
    }
  }

  /**
   * The inputs that give the holders whom the program keeps secret or does not know yet. A text stands for
   * each of them. It is the same before and after, unless the engine names the input.
   */
  #hiddenHolders(step: Step, side: Side, isKnown: boolean): Properties {
    const isNew = side === step.new && step.op === "create-replacement";
    return Object.fromEntries(
      Object.entries(holdersOf(step)).flatMap(([property, form]): [string, Value][] => {
        const value = own(side?.inputs ?? undefined, property);
        const other = isNew && isNamed(step, property) ? " of the replacement" : "";
        const holderAt = (path: string, hidden: unknown, isList: boolean): string => {
          const id = `\u0000${path} of ${step.urn}${other}`;
          this.#hidden.set(id, { isList, name: nameOfHidden(step, hidden, isList) });
          return id;
        };
        if (isHidden(value)) {
          if (form === "name" && isKnown) return [];
          return [[property, inForm(form, holderAt(property, value, form !== "name"))]];
        }
        if (form !== "list" || !Array.isArray(value)) return [];
        const entries = value.flatMap((entry, index) =>
          isHidden(entry) ? [holderAt(`${property}[${index}]`, entry, false)] : [],
        );
        return entries.length > 0 ? [[property, entries]] : [];
      }),
    );
  }
}

interface HiddenHolder {
  readonly name: string;
  readonly isList: boolean;
}

/** What destroying does, as the state records it: `until` counts more than `onDestroy`. */
export function onDestroyOf(step: Step): string | undefined {
  const inputs = visible(step.old?.inputs);
  if (isEnded(inputs)) return "remove";
  const { onDestroy } = { ...visible(step.old?.outputs), ...inputs };
  return typeof onDestroy === "string" ? onDestroy : undefined;
}

/** Whether the program changes a list of holders that it keeps secret. */
export function changesHiddenList(step: Step): boolean {
  return Object.entries(holdersOf(step)).some(
    ([property, form]) =>
      form !== "name" &&
      isHidden(own(step.new?.inputs ?? undefined, property)) &&
      // Without the provider, the events do not show whether a secret changes.
      (step.isGuessed || isNamed(step, property)),
  );
}

/** Whether the engine names a list of people as changed. */
export function namesPeople(step: Step): boolean {
  return listsOfPeople(step.type).some((property) => isNamed(step, property));
}

function holdersOf({ type }: Step): Readonly<Record<string, HoldersForm>> {
  return treatmentOf(type)?.holders ?? {};
}

/** Whether each creation makes a new holder, such as a key. */
function makesHolder(step: Step): boolean {
  return Object.keys(holdersOf(step)).length === 0;
}

/**
 * Whether an update may turn out to be a replacement: it is not known yet who has access by it, or where. The
 * engine calls that an update, and any update below a provider that it does not ask.
 */
export function mayBeReplacement(step: Step): boolean {
  if (step.op !== "update") return false;
  const names = Object.entries(holdersOf(step)).flatMap(([property, form]) =>
    form === "name" ? [property] : [],
  );
  return [...names, "projectId", "orgId"].some((property) => {
    const value = own(step.new?.inputs ?? undefined, property);
    const isOpen = step.isGuessed || (isHidden(value) && !isSecret(value));
    return isOpen && isNamed(step, property);
  });
}

/** Whether the new resource has the one holder of the old one, whose IDs it then is known by. */
function isSameHolder(step: Step): boolean {
  if (step.op === "update") return true;
  const holders = Object.entries(holdersOf(step));
  return (
    step.op === "create-replacement" &&
    holders.length > 0 &&
    holders.every(([property, form]) => form === "name" && !isNamed(step, property))
  );
}

/** Whether the engine names the property as changed. If it names none, the inputs themselves show the difference. */
function isNamed(step: Step, property: string): boolean {
  const named = namedPaths(step);
  if (named.length > 0) return named.some(([top]) => top === property);
  const [was, is] = [step.old, step.new].map((side) => own(side?.inputs ?? undefined, property));
  return valueDifferences([property], was, is).length > 0;
}

/** The value of an input that gives one holder. */
function inForm(form: HoldersForm, holder: string): Value {
  switch (form) {
    case "name":
      return holder;
    case "list":
      return [holder];
    case "keys":
      return { [holder]: UNKNOWN };
    case "mappings":
      return [{ roleName: UNKNOWN, ldapGroups: [holder], idpGroups: [holder] }];
  }
}

function nameOfHidden({ type, urn }: Step, hidden: unknown, isList: boolean): string {
  const resource = `${kindOf(type)} ${logicalName(urn)}`;
  const text = String(readable(hidden));
  if (isList) return `${text} (everyone in ${resource})`;
  return isSecret(hidden) ? text : `${text} (${resource})`;
}

// Values of the stream.

/** Without secrets and unknown values. */
function visible(values: Readonly<Record<string, unknown>> | null | undefined): Properties {
  return Object.fromEntries(
    Object.entries(values ?? {}).flatMap(([name, value]): [string, Value][] =>
      isHidden(value) || isHiddenProperty(name) ? [] : [[name, visibleValue(value)]],
    ),
  );
}

function visibleValue(value: unknown): Value {
  if (isHidden(value)) return UNKNOWN;
  if (Array.isArray(value)) return value.map(visibleValue);
  if (isRecord(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, visibleValue(inner)]));
  }
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : null;
}

function isHidden(value: unknown): boolean {
  return isSecret(value) || (typeof value === "string" && UNKNOWN_SENTINELS.has(value));
}

function isSecret(value: unknown): boolean {
  return isRecord(value) && value[SIGNATURE] === SECRET_SIGNATURE;
}
