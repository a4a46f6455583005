/** Who has access where, while the steps of a run are carried out. Pure. */

import { foldName } from "../../provider/access/person";
import {
  type Access,
  type Deletion,
  endsWith,
  type Holder,
  isSameHolder,
  type Place,
} from "../../provider/access/places";
import type { Step } from "../lib/engine-events";
import { SECRET } from "../lib/value-differences";
import type { Fact } from "./facts";

type Roles = readonly string[] | undefined;

/** One holder in one place. */
export interface Edge {
  readonly key: string;
  readonly place: Place;
  /** The holder, as different steps know it. */
  readonly holders: Holder[];
  name: string;
  /** The roles before the run; `undefined` without access. */
  before?: Roles;
  now?: Roles;
  /** It was an invitation before the run; it is one now, as far as the run shows. */
  wasPending?: boolean;
  isPending?: boolean;
  /** Steps whose resources declare it. */
  readonly declaredBy: Set<Step>;
  /** The roles by which the state before the refresh declared it, and those that it had then. */
  declaredBefore?: Roles;
  presentBefore?: Roles;
  /** The state does not prove what it declares. */
  isUnproven?: boolean;
  /** The step that ends the access. */
  endedBy?: Step;
}

export class Edges {
  readonly #byKey = new Map<string, Edge[]>();
  readonly #byIdentity = new Map<string, Edge[]>();
  /** The names of accounts by their IDs. */
  #names: ReadonlyMap<string, string> = new Map();

  all(): readonly Edge[] {
    return [...this.#byKey.values()].flat();
  }

  /** Those that a deletion ends, or may end if that depends on the organization of a project. */
  below(deletion: Deletion, ends: true | "unknown"): readonly Edge[] {
    const all = deletion.of === "project" ? (this.#byKey.get(`project ${deletion.id}`) ?? []) : this.all();
    return all.filter(({ holders, place }) => {
      const answers = holders.map((holder) => endsWith({ holder, place }, deletion));
      return ends === (answers.includes(true) || (answers.includes("unknown") && "unknown"));
    });
  }

  /** The edge of a fact, which is new if no other fact meant the same holder. */
  of({ access: { holder, place }, key, name, hidden }: Fact): Edge {
    const own = hidden === undefined ? identitiesOf(holder) : [`hidden ${hidden}`];
    const identities = own.map((identity) => `${key} ${identity}`);
    const candidates = identities.flatMap((identity) => this.#byIdentity.get(identity) ?? []);
    const edge =
      candidates.find((candidate) => hidden !== undefined || isOf(candidate, holder)) ??
      added(this.#byKey, key, { key, place, name, holders: [], declaredBy: new Set() });
    edge.name = clearer(edge.name, this.#nameOf(holder) ?? name);
    const others = identities.filter((identity) => !this.#byIdentity.get(identity)?.includes(edge));
    if (others.length > 0 || edge.holders.length === 0) edge.holders.push(holder);
    for (const identity of others) added(this.#byIdentity, identity, edge);
    return edge;
  }

  /** Calls each account by one name, wherever it has access: a program may declare it by this one. */
  rename(names: ReadonlyMap<string, string>): void {
    this.#names = names;
    for (const edge of this.all())
      for (const holder of [...edge.holders]) {
        const username = this.#nameOf(holder);
        if (holder.kind !== "person" || username === undefined) continue;
        const { key, place } = edge;
        this.of({ key, name: username, access: { place, holder: { ...holder, username } } });
        if (edge.name !== SECRET) edge.name = username;
      }
  }

  #nameOf(holder: Holder): string | undefined {
    return holder.kind === "person" ? this.#names.get(holder.userId ?? "") : undefined;
  }
}

function added(edges: Map<string, Edge[]>, key: string, edge: Edge): Edge {
  const others = edges.get(key);
  if (others) others.push(edge);
  else edges.set(key, [edge]);
  return edge;
}

/** Whether the edge is that of the holder. */
export function isOf({ holders }: Pick<Edge, "holders">, holder: Holder): boolean {
  return holders.some((known) => isSameHolder(known, holder));
}

/** Roles beside others of the same access. */
export function withRolesOf(roles: Roles, { roles: others = [] }: Pick<Access, "roles">): readonly string[] {
  return [...new Set([...(roles ?? []), ...others])];
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
