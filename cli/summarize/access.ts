/** Who gets access by a run, who loses it, and for which cause. Pure. */

import type { Membership } from "../../provider/access/person";
import { type Holder, isSameHolder, type Place, teamAt } from "../../provider/access/places";
import { owningRoles, ownsEachProject } from "../../provider/access/rights";
import { inOrder } from "../../provider/resources/contract/values";
import { OBJECT_ID } from "../../provider/text/object-id";
import type { Cause } from "../lib/causes";
import { listed, type Sentence, sentence } from "../lib/sentence";
import { dayOf } from "./calendar";
import { type Edge, isOf } from "./edges";
import type { GainedHolder, LostHolder, NamedHolder } from "./groups";
import type { Origins } from "./origins";
import type { NamedPlace, Places } from "./places";
import { CHANGING, type Simulation } from "./simulation";

/** Who gets an owning right that they did not have. */
export interface NewOwner extends NamedHolder {
  /** Where the roles count. */
  readonly in: NamedPlace;
  /** The team that gives the roles. */
  readonly through?: string;
  /** How they had these roles there before the run, if they had: such an owner is not new. */
  readonly before?: "through a team" | "in another way" | undefined;
  readonly cause: Cause;
  /** Somebody made them an owner outside Pulumi, and the program declares it now. */
  readonly isAdopted?: boolean;
  /** If nothing declares them: the access that somebody gave them outside Pulumi. */
  readonly undeclared?: UndeclaredHolder | undefined;
}

/** Who stays without being declared. */
export interface UndeclaredHolder extends NamedHolder {
  /** The place. */
  readonly key: string;
  readonly place: Place;
  readonly in: NamedPlace;
  /**
   * They came since the state was recorded, or have got owning roles since then. `undefined`: not known, because the run
   * read no earlier state of the place.
   */
  readonly isNew: boolean | undefined;
}

type ByPlace<Holder> = ReadonlyMap<string, readonly Holder[]>;

export interface AccessOfRun extends Pick<Simulation, "refusals" | "released" | "notes"> {
  readonly gained: ByPlace<GainedHolder>;
  readonly lost: ByPlace<LostHolder>;
  /** Whose access may change: the run does not show whether it does. */
  readonly unclear: ByPlace<string>;
  readonly undeclared: readonly UndeclaredHolder[];
  readonly newOwners: readonly NewOwner[];
}

/** What the steps leave behind, beside what was before. */
export class Comparison {
  constructor(
    private readonly done: Simulation,
    private readonly places: Places,
    private readonly origins: Origins,
  ) {}

  result(): AccessOfRun {
    const { edges, unclear, refusals, newProjects, released } = this.done;
    const certain = [...edges].filter((edge) => !unclear.has(edge)).sort(byName);
    const gained = certain.filter(({ before, now }) => !before && now);
    const lost = certain.filter(({ before, now }) => before && !now);
    const undeclared = this.#undeclaredHolders();
    const owners = edges.map((edge) => [edge, this.#newOwners(edge)] as const);
    const owning = owners.flatMap(([edge, own]) => (own.length > 0 ? [edge] : []));
    return {
      gained: byPlace(gained, (edge) => this.#gain(edge)),
      lost: byPlace(lost, (edge) => this.#loss(edge)),
      unclear: byPlace([...unclear].sort(byName), ({ name }) => name),
      undeclared: [...undeclared.values()].sort(byName),
      newOwners: [
        ...owners.flatMap(([, own]) => own),
        ...[...undeclared].flatMap(([edge, holder]) => this.#undeclaredOwners(edge, holder)),
      ].sort(byName),
      refusals: [...refusals].sort((one, next) => inOrder(one.resource, next.resource)),
      notes: [
        ...this.done.notes,
        ...this.#teamNotes(new Set([...gained, ...lost, ...owning])),
        ...this.#notOfferedNotes(lost),
        ...(newProjects.size > 0
          ? [
              sentence`Each new project also gets owners that no program names: the key that creates it, and one whom the service chooses unless projectOwnerId is set.`,
            ]
          : []),
      ],
      released,
    };
  }

  /** A preview does not show whether the service can remove somebody from an organization. */
  #notOfferedNotes(lost: readonly Edge[]): Sentence[] {
    const isMember = ({ place, holders, wasPending }: Edge) =>
      place.kind === "organization" && !wasPending && holders.some(({ kind }) => kind === "person");
    const members = this.done.run.isDone ? [] : lost.filter(isMember).map(({ name }) => name);
    return members.length === 0
      ? []
      : [
          sentence`Only Cloud Manager documents how to remove people from an organization, so with another service the update may fail and leave them there: ${listed(members)}.`,
        ];
  }

  /** Who has or had the access of teams. */
  #teamNotes(edges: ReadonlySet<Edge>): Sentence[] {
    const teams = [...edges].filter(({ holders }) => holders.some(({ kind }) => kind === "team"));
    return [...new Map(teams.map((edge) => [edge.name, edge])).values()].map((edge) => {
      const people = this.done.edges
        .filter(
          ({ place, now, before }) => place.kind === "team" && (now ?? before) && isOf(edge, teamAt(place)),
        )
        .map(({ name }) => name);
      return people.length === 0
        ? sentence`This run does not show who is in ${edge.name}.`
        : sentence`In ${edge.name}: ${listed(people.sort(inOrder))}.`;
    });
  }

  #causeOfGain(edge: Edge, roles: readonly string[] = []): Cause {
    if (edge.isUnproven) return "unknown";
    const { declaredBefore } = edge;
    if (declaredBefore !== undefined && withoutRoles(roles, declaredBefore).length === 0) return "outside";
    const declaring = [...edge.declaredBy];
    const isAgain = declaring.length > 0 && declaring.every((step) => this.origins.isAsBefore(step));
    const isMoved =
      this.places.isAgain(edge.key) && declaring.every((step) => this.origins.isReferring(step));
    return isAgain || isMoved ? "outside" : "program";
  }

  #gain(edge: Edge): GainedHolder {
    const { name, now = [], holders, place, isPending: isInvited } = edge;
    const orgId = place.kind === "organization" ? place.id : place.orgId;
    const isKnown = this.done.edges.some(
      (other) => other.before && holders.some((holder) => isOf(other, holder)),
    );
    const isPerson = holders.some((holder) => holder.kind === "person" && (holder.userId ?? holder.username));
    const newTo = !isKnown && isPerson && OBJECT_ID.test(orgId ?? "") ? orgId : undefined;
    const isNewcomer = newTo !== undefined && isNewTo(this.done.run.people.get(newTo), holders);
    return { name, roles: now, isInvited, newTo, isNewcomer, cause: this.#causeOfGain(edge) };
  }

  #loss(edge: Edge): LostHolder {
    const { name, before: roles = [], endedBy, isUnproven, holders, wasPending: isInvited } = edge;
    const names = holders.map((holder) => (holder.kind === "person" ? (holder.username ?? "") : ""));
    const until = endedBy && names.map((each) => dayOf(endedBy, each)).find((day) => day !== undefined);
    if (until !== undefined) return { name, roles, isInvited, cause: "calendar", until };
    return { name, roles, isInvited, cause: isUnproven ? "unknown" : this.#causeOfLoss(edge) };
  }

  #causeOfLoss({ declaredBefore, presentBefore, endedBy }: Edge): Cause {
    if (declaredBefore !== undefined || presentBefore !== undefined || endedBy === undefined)
      return "program";
    // Who came outside Pulumi leaves with a place or a resource that the program gives up.
    if (!CHANGING.has(endedBy.op) || this.done.facts.isAtNewPlace(endedBy)) return "program";
    return this.origins.beginsToRemove(endedBy) ? "program" : "outside";
  }

  #newOwners(edge: Edge): NewOwner[] {
    const { before, now } = edge;
    if (!now || this.done.chosen.has(edge)) return [];
    const roles = withoutRoles(owningRoles(now), before);
    const made = this.#ownerBy(edge, roles).map((owner) => ({
      ...owner,
      cause: this.#causeOfGain(edge, roles),
    }));
    const own = made.length > 0 ? made : this.#adopted(edge);
    if (before !== undefined) return own;
    const cause = this.#causeOfGain(edge);
    return [...own, ...this.#ownersByTeam(edge).map((owner) => ({ ...owner, cause }))];
  }

  /** Whom somebody made an owner outside Pulumi, if the program declares it now. */
  #adopted(edge: Edge): NewOwner[] {
    const { key, now = [], declaredBy, presentBefore, isUnproven } = edge;
    if (isUnproven || declaredBy.size === 0 || !this.done.compared.has(key)) return [];
    const owners = this.#ownerBy(edge, withoutRoles(owningRoles(now), presentBefore));
    return owners.map((owner) => ({ ...owner, cause: "program", isAdopted: true }));
  }

  /** The holder as an owner by these roles, unless they own the place as an owner of its organization. */
  #ownerBy(edge: Edge, roles: readonly string[]) {
    return roles.length === 0 || this.#ownsFromAbove(edge, edge.place)
      ? []
      : [this.#owner(edge, roles, edge)];
  }

  /** @param own what makes an owner: the access in the place, or that in a team with these roles there */
  #owner({ name, key, isPending }: Edge, roles: readonly string[], own?: Edge) {
    const way = own?.place.kind === "team" ? ("in another way" as const) : ("through a team" as const);
    const before = own && this.#hadBefore(own, key, roles) ? way : undefined;
    return { name, roles, isInvited: isPending === true, before, in: this.places.named(key) };
  }

  /** Whether the person had the roles in a place before the run, by another access than their own one. */
  #hadBefore({ holders, ...own }: Edge, key: string, roles: readonly string[]): boolean {
    const isTheirs = (edge: Edge) => edge.key !== own.key && holders.some((holder) => isOf(edge, holder));
    const before = this.done.edges.filter((edge) => edge.before && !edge.wasPending);
    const teams = before.flatMap((edge) =>
      edge.place.kind === "team" && isTheirs(edge) ? teamAt(edge.place) : [],
    );
    const ways = before.filter(
      (edge) => edge.key === key && (isTheirs(edge) || teams.some((team) => isOf(edge, team))),
    );
    return (
      withoutRoles(
        roles,
        ways.flatMap((edge) => edge.before ?? []),
      ).length === 0
    );
  }

  #undeclaredHolders(): ReadonlyMap<Edge, UndeclaredHolder> {
    // The run may make an owner of the organization of somebody whom the provider has called undeclared before.
    const staying = [...this.done.undeclared].filter(
      (edge) => edge.now && edge.declaredBy.size === 0 && !this.#ownsFromAbove(edge, edge.place, "now"),
    );
    return new Map(
      staying.map((edge) => {
        const { key, place, now = [], presentBefore } = edge;
        const roles = owningRoles(now);
        const hasMore = presentBefore === undefined || withoutRoles(roles, presentBefore).length > 0;
        const isNew = hasMore && (this.done.compared.has(key) || undefined);
        return [edge, { ...this.#owner(edge, roles), key, place, isNew }];
      }),
    );
  }

  /** Whom somebody made an owner outside Pulumi, and whom the run leaves. */
  #undeclaredOwners(edge: Edge, undeclared: UndeclaredHolder): NewOwner[] {
    if (!undeclared.isNew) return [];
    const own = this.#ownerBy(edge, withoutRoles(undeclared.roles, edge.presentBefore));
    return [...own, ...this.#ownersByTeam(edge)].map((owner) => ({ ...owner, cause: "outside", undeclared }));
  }

  /** The rights that a new person of a team has through it. */
  #ownersByTeam(edge: Edge): Omit<NewOwner, "cause">[] {
    if (edge.place.kind !== "team") return [];
    const team = teamAt(edge.place);
    return this.done.edges
      .filter((other) => other.now !== undefined && isOf(other, team))
      .flatMap((other) => {
        const roles = owningRoles(other.now ?? []);
        if (roles.length === 0 || this.#ownsFromAbove(edge, other.place)) return [];
        return [{ ...this.#owner(other, roles, edge), name: edge.name, through: other.name }];
      });
  }

  /** Whether the holder owns the project as an owner of its organization: already, or after the run. */
  #ownsFromAbove({ holders }: Edge, place: Place, when: "before" | "now" = "before"): boolean {
    const orgId = place.kind === "project" ? place.orgId : undefined;
    return (
      orgId !== undefined &&
      this.done.edges.some(
        (edge) =>
          edge.key === `organization ${orgId}` &&
          // Whoever is only invited owns nothing.
          edge.before &&
          !edge.wasPending &&
          ownsEachProject(edge[when] ?? []) &&
          holders.some((holder) => isOf(edge, holder)),
      )
    );
  }
}

function byPlace<Holder>(edges: readonly Edge[], holderOf: (edge: Edge) => Holder): ByPlace<Holder> {
  const all = Map.groupBy(edges, ({ key }) => key);
  return new Map([...all].map(([key, own]) => [key, own.map(holderOf)]));
}

function byName(one: { readonly name: string }, other: { readonly name: string }): number {
  return inOrder(one.name, other.name);
}

function withoutRoles(roles: readonly string[], others: readonly string[] = []): string[] {
  return roles.filter((role) => !others.includes(role));
}

/** Whether the people of the organization lack the holder; false if they were not read. */
function isNewTo(people: readonly Membership[] | undefined, holders: readonly Holder[]): boolean {
  return (
    people?.every(({ userId, invitationId, username }) => {
      const person = { kind: "person", userId, invitationId, username } as const;
      return !holders.some((holder) => isSameHolder(holder, person));
    }) === true
  );
}
