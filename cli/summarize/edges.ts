/** Who has access where, while the steps of a run are carried out. Pure. */

import { foldName } from "../../provider/access/person";
import {
  type Access,
  type Deletion,
  type Holder,
  isSameHolder,
  type Place,
} from "../../provider/access/places";
import type { Step } from "../lib/engine-events";
import { SECRET } from "../lib/value-differences";
import type { Fact } from "./facts";

/** One holder in one place. */
export interface Edge {
  readonly key: string;
  readonly place: Place;
  /** The holder, as different steps know it. */
  readonly holders: Holder[];
  name: string;
  /** The roles before the run; `undefined` without access. */
  before: readonly string[] | undefined;
  now: readonly string[] | undefined;
  isUnclear: boolean;
  /** Steps whose resources declare it. */
  readonly declaredBy: Set<Step>;
  /** The roles by which the state before the refresh declared it, and those that it had then. */
  declaredBefore: readonly string[] | undefined;
  presentBefore: readonly string[] | undefined;
  /** The state does not prove what it declares. */
  isUnproven: boolean;
  /** The step that ends the access. */
  endedBy: Step | undefined;
}

export class Edges {
  readonly #byKey = new Map<string, Edge[]>();
  readonly #byIdentity = new Map<string, Edge[]>();

  all(): readonly Edge[] {
    return [...this.#byKey.values()].flat();
  }

  /** Those that a deletion may end. */
  below(deletion: Deletion): readonly Edge[] {
    return deletion.of === "project" ? (this.#byKey.get(`project ${deletion.id}`) ?? []) : this.all();
  }

  /** The edge of a fact, which is new if no other fact meant the same holder. */
  of({ access: { holder, place }, key, name }: Fact): Edge {
    const identities = identitiesOf(holder).map((identity) => `${key} ${identity}`);
    const candidates = identities.flatMap((identity) => this.#byIdentity.get(identity) ?? []);
    const edge = candidates.find((candidate) => isOf(candidate, holder)) ?? this.#add(key, place, name);
    edge.name = clearer(edge.name, name);
    const others = identities.filter((identity) => !this.#byIdentity.get(identity)?.includes(edge));
    if (others.length > 0 || edge.holders.length === 0) edge.holders.push(holder);
    for (const identity of others) {
      this.#byIdentity.set(identity, [...(this.#byIdentity.get(identity) ?? []), edge]);
    }
    return edge;
  }

  #add(key: string, place: Place, name: string): Edge {
    const edge: Edge = {
      key,
      place,
      name,
      holders: [],
      before: undefined,
      now: undefined,
      isUnclear: false,
      declaredBy: new Set(),
      declaredBefore: undefined,
      presentBefore: undefined,
      isUnproven: false,
      endedBy: undefined,
    };
    const others = this.#byKey.get(key);
    if (others) others.push(edge);
    else this.#byKey.set(key, [edge]);
    return edge;
  }
}

/** Whether the edge is that of the holder. */
export function isOf({ holders }: Edge, holder: Holder): boolean {
  return holders.some((known) => isSameHolder(known, holder));
}

/** The edge as each step knows the holder. */
export function accessesOf({ holders, place }: Edge): Access[] {
  return holders.map((holder) => ({ holder, place }));
}

function identitiesOf(holder: Holder): readonly string[] {
  const { kind, ...parts } = holder;
  return Object.entries(parts).flatMap(([name, part]: [string, string | undefined]) =>
    part === undefined ? [] : [`${kind} ${name} ${name === "username" ? foldName(part) : part}`],
  );
}

/** What the program keeps secret stays so, and a name says more than an ID. */
function clearer(one: string, other: string): string {
  if (one === other || one === SECRET) return one;
  return other === SECRET || /^(user|invitation) \w+$/.test(one) ? other : one;
}
