/** Who has access through the resource of a step, before and after it. Pure. */

import { OWNER_ROLE } from "../../provider/access/person";
import {
  type Access,
  type Deletion,
  type Holder,
  type Place,
  serviceAccountText,
} from "../../provider/access/places";
import { rolesIn, textIn } from "../../provider/resources/contract/declared";
import { endedIn, isEnded, withoutMark } from "../../provider/resources/contract/until";
import { isRecord, type Properties, UNKNOWN, type Value } from "../../provider/resources/contract/values";
import { endsOnDestroy, PUT_OFF_BY_CLOCK } from "../../provider/resources/session/ends";
import { own } from "../../provider/text/own";
import {
  isHiddenProperty,
  SECRET_SIGNATURE,
  SIGNATURE,
  UNKNOWN_SENTINELS,
} from "../../provider/text/sentinels";
import type { Step } from "../lib/engine-events";
import { groupKind } from "../lib/organization";
import {
  type HoldersForm,
  ignoresPeople,
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
  /** Instead of an identity, if the program keeps the holder secret or does not know it yet. */
  readonly hidden?: string;
  /** A hidden one that stands for a whole list. */
  readonly isList?: boolean;
}

export class Facts {
  /** Descriptions of API keys by their IDs. */
  readonly #descriptions = new Map<string, string>();

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

  /** Whom the program declares, and the owner whom it gives a new project. */
  declared(step: Step): Fact[] {
    const { recorded, declared } = sidesOf(step);
    if (!declared) return [];
    const inputs = this.#inputs(step, declared);
    // The outputs of a preview are those of the old holder.
    if (mayBeReplacement(step)) return this.#facts(step, declared, inputs, {});
    const before = isSameHolder(step) ? visible(recorded?.outputs) : {};
    const facts = this.#facts(step, declared, inputs, { ...before, ...visible(declared.outputs) });
    const { projectOwnerId: userId } = inputs;
    if (!isNewProject(step) || typeof userId !== "string") return facts;
    const place = this.places.placeOf(step, declared);
    return [...facts, this.fact({ holder: { kind: "person", userId }, place, roles: [OWNER_ROLE] })];
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

  /** The holders of the resource, also after their last day. */
  holders(step: Step, side: Side): Fact[] {
    return this.#facts(step, side, withoutMark(this.#inputs(step, side)), visible(side?.outputs));
  }

  /** Whether the state does not prove who was declared. */
  isUnproven(step: Step): boolean {
    return this.origins.isUnproven(step, [...Object.keys(holdersOf(step)), "roles"]);
  }

  /** What the deletion of a resource removes one by one. */
  destroyed(step: Step, isDeclaredElsewhere: (fact: Fact) => boolean): Fact[] {
    if (onDestroyOf(step) !== "remove") return [];
    const recorded = this.recorded(step);
    const state = { ...visible(step.old?.outputs), onDestroy: "remove" };
    const isElsewhere = (access: Access) => isDeclaredElsewhere(this.fact(access, step, step.old));
    const people = resourceOf(step.type)?.readPeople?.(state, isElsewhere);
    // The people of a secret list are not known.
    if (people === undefined || recorded.some(({ isList }) => isList)) return recorded;
    return people.leaving.map((access) => this.fact(access, step, step.old));
  }

  /** Whom a new list of a project may remove: those it names as ended, and whom it does not name. */
  removedUnseen(step: Step): Fact[] {
    const place = this.places.placeOf(step, step.new);
    if (!listsPeople(step) || place.kind !== "project") return [];
    const inputs = visible(step.new?.inputs);
    const names = endedIn(inputs).map(({ name }) => name);
    const ended = names.map((username) => this.fact({ holder: { kind: "person", username }, place }));
    const others = `everyone whom ${kindOf(step.type)} ${logicalName(step.urn)} does not list`;
    return inputs.removeUnlisted === true
      ? [...ended, this.#hiddenFact(place, { name: others, hidden: `unlisted of ${step.urn}`, isList: true })]
      : ended;
  }

  /** What its deletion takes away beyond what it declares. */
  deletionBy(step: Step): Deletion | undefined {
    return resourceOf(step.type)?.deletes({ ...visible(step.old?.inputs), ...visible(step.old?.outputs) });
  }

  /** Whether the resource declares no place of before. */
  isAtNewPlace(step: Step): boolean {
    const { recorded, declared } = sidesOf(step);
    const keyOf = (side: Side) => keyOfPlace(this.places.placeOf(step, side));
    return !recorded || keyOf(recorded) !== keyOf(declared);
  }

  /** @param step the one that has the access, with its side */
  fact(access: Access, step?: Step, side?: Side): Fact {
    const place = this.places.complete(access.place);
    return {
      access: { ...access, place },
      key: keyOfPlace(place),
      name: this.nameOf(access.holder, step, side),
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
    const people = resourceOf(step.type)?.readPeople?.(state, () => false).present ?? [];
    if (people.length > 0) return people.map((access) => this.fact(access, step, side));
    // After its last day an access may be there, and nobody declares it; or it is gone, and a later day declares it again.
    const isThere = resourceOf(step.type)?.ending?.isThere(state);
    if (isThere === false && textIn(state, "until") !== undefined) return [];
    const inputs = this.#inputs(step, side);
    const isPending = state.status === "pending" || undefined;
    return this.#facts(step, side, { ...(isThere ? withoutMark(inputs) : inputs), ...state }, state).map(
      (fact) => ({ ...fact, access: { ...fact.access, isPending } }),
    );
  }

  /** The inputs of the resource, and its place also if the ID is not known yet. */
  #inputs(step: Step, side: Side): Properties {
    const place = this.places.placeOf(step, side);
    const inputs = visible(side?.inputs);
    if (place.kind === "project") return { ...inputs, projectId: place.id };
    if (place.kind === "organization") return { ...inputs, orgId: place.id };
    return { ...inputs, name: place.name ?? "", orgId: place.orgId };
  }

  #facts(step: Step, side: Side, inputs: Properties, state: Properties): Fact[] {
    const declared = resourceOf(step.type)?.declares(inputs, state) ?? [];
    const facts = declared.map((access) => this.fact(access, step, side));
    return [...facts, ...(isEnded(inputs) ? [] : this.#hidden(step, side, facts.length > 0))];
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
        return `team ${this.places.nameOfTeam(holder.teamId, holder.teamName)}`;
      case "API key":
      case "agent API key": {
        // Somebody may have given the key another description, which the update changes back.
        const described = step?.op === "update" ? step.new : side;
        const makesHolder = step && Object.keys(holdersOf(step)).length === 0;
        const ofResource = makesHolder ? visible(described?.inputs).description : undefined;
        const description = ofResource ?? this.#descriptions.get(holder.keyId ?? "");
        const id = holder.kind === "API key" ? (holder.publicKey ?? holder.keyId) : holder.keyId;
        if (typeof description !== "string") return `${holder.kind} ${id}`;
        return `${holder.kind} ${description}${id === undefined ? "" : ` (${id})`}`;
      }
      case "service account":
        return serviceAccountText(holder);
      case "group":
        return `${groupKind(holder.property)} ${holder.name}`;
    }
  }

  /**
   * The holders whom the program keeps secret or does not know yet. Each is the same before and after, unless the
   * engine names the input.
   *
   * @param isKnown whether an ID shows the one holder
   */
  #hidden(step: Step, side: Side, isKnown: boolean): Fact[] {
    const resource = `${kindOf(step.type)} ${logicalName(step.urn)}`;
    const place = this.places.placeOf(step, side);
    const roles = rolesIn(visible(side?.inputs).roles);
    return Object.entries(holdersOf(step)).flatMap(([property, form]) => {
      const value = own(side?.inputs ?? undefined, property);
      const isNew = side === step.new && step.op === "create-replacement" && isNamed(step, property);
      const hidden = (at: string, entry: unknown, isList: boolean): Fact => {
        const text = String(readable(entry));
        const secret = isSecret(entry)
          ? text
          : `${KINDS_OF_HOLDER.get(property) ?? "holder"} not known yet (${resource})`;
        const identity = `${at} of ${step.urn}${isNew ? " of the replacement" : ""}`;
        const name = isList ? `${text} (everyone in ${resource})` : secret;
        return this.#hiddenFact(place, { name, hidden: identity, isList }, roles);
      };
      // Several names mean one holder.
      if (form === "name") return isHidden(value) && !isKnown ? [hidden("holder", value, false)] : [];
      if (isHidden(value)) return [hidden(property, value, true)];
      if (form !== "list" || !Array.isArray(value)) return [];
      return value.flatMap((entry, index) => (isHidden(entry) ? [hidden(`${index}`, entry, false)] : []));
    });
  }

  #hiddenFact(place: Place, parts: Omit<Fact, "access" | "key">, roles?: readonly string[]): Fact {
    return { ...this.fact({ holder: { kind: "person" }, place, roles }), ...parts };
  }
}

/** Whether it lists the people of a project or team. */
export function listsPeople({ type }: Step): boolean {
  return resourceOf(type)?.readPeople !== undefined;
}

/**
 * Whether an update adds nobody, although its inputs may name somebody who has left: the program ignores changes of the list.
 * Only inputs of the dynamic provider show the option; the plugin names the list as changed wherever it differs from who is
 * there.
 */
export function ignoresList(step: Step): boolean {
  // A replacement adds whomever its inputs name, wherever nobody is yet.
  if (step.op !== "update" || mayBeReplacement(step)) return false;
  if (ignoresPeople({ type: step.type, inputs: step.new?.inputs })) return true;
  const isNamedList = (list: string) => namedPaths(step).some(([top]) => top === list);
  return listsPeople(step) && namedPaths(step).length > 0 && !listsOfPeople(step.type).some(isNamedList);
}

/** What destroying does, as the state records it: `until` counts more than `onDestroy`. */
export function onDestroyOf(step: Step): string | undefined {
  const [inputs, outputs] = [visible(step.old?.inputs), visible(step.old?.outputs)];
  if (endsOnDestroy(outputs, inputs)) return "remove";
  const { onDestroy } = { ...outputs, ...inputs };
  return typeof onDestroy === "string" ? onDestroy : undefined;
}

/** Whether `onDestroy` counts for what leaves the program, unless the service's clock has come to the last day meanwhile. */
export function waitsForClock({ old }: Step): boolean {
  const { overdueReason, onDestroy } = { ...visible(old?.outputs), ...visible(old?.inputs) };
  return overdueReason === PUT_OFF_BY_CLOCK && onDestroy === "release";
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

export function isNewProject({ type, op, new: now }: Step): boolean {
  const treatment = treatmentOf(type);
  return (
    treatment?.isContainer === true &&
    treatment.belongsTo === "project" &&
    op.startsWith("create") &&
    now?.outputs?.origin !== "adopted" &&
    now?.inputs?.projectId === undefined
  );
}

function holdersOf({ type }: Step): Readonly<Record<string, HoldersForm>> {
  return treatmentOf(type)?.holders ?? {};
}

/** By the input that names the holder. */
const KINDS_OF_HOLDER: ReadonlyMap<string, string> = new Map([
  ["username", "person"],
  ["userId", "person"],
  ["teamId", "team"],
  ["teamName", "team"],
  ["keyId", "API key"],
  ["publicKey", "API key"],
]);

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

// Values of the stream.

/** Without secrets and unknown values. */
export function visible(values: Readonly<Record<string, unknown>> | null | undefined): Properties {
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
