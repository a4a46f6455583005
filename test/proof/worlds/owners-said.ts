/** Whom `opsmanager summarize` calls a new owner or undeclared, compared with the service before and after the run. */
import type { Summary } from "../../../cli/summarize/changes";
import { accessIn, type Holder } from "./access";
import { personNamed, rolesByTeams } from "./agree/ways";
import type { Holds } from "./command";
import { API_KEY } from "./oracle";
import { saidNames } from "./said";
import { fold, type ServiceView } from "./service-view";

interface Said {
  readonly isPreview: boolean;
  readonly before: ServiceView;
  readonly after: ServiceView;
  /** Of a preview of the same run, or of the run. */
  readonly summary: Pick<Summary, "newOwners" | "undeclared">;
  /** Whether the program leaves the person in the project alone. */
  isAccepted(projectId: string, name: string): boolean;
  /** An account shows what its teams give among its roles, so nobody can tell whose they are. */
  readonly showsTeamRoles: boolean;
}

interface Owner {
  readonly names: ReadonlySet<string>;
  readonly isPending: boolean;
  readonly account: string | undefined;
  readonly roles: ReadonlySet<string>;
}

const owning = ["GROUP_OWNER", "GROUP_USER_ADMIN"];

/** An invitation has the name as its ID, a group its property and name. */
const keyOf = ({ kind, id, name, account = id }: Holder): string =>
  fold(kind === "group" ? `${id} ${name}` : account);

/** The holders of a project with their roles that own it or make owners. What an invitation offers beside a membership, nobody has yet. */
function ownersIn(service: ServiceView, projectId: string): ReadonlyMap<string, Owner> {
  const rows = accessIn(service).filter(
    ({ place, holder }) => place.id === projectId && holder.publicKey !== API_KEY,
  );
  const byId = Map.groupBy(rows, ({ holder }) => keyOf(holder));
  return new Map(
    [...byId].map(([id, same]) => {
      const inForce = same.filter(({ isPending }) => !isPending);
      const own = inForce.length > 0 ? inForce : same;
      return [
        id,
        {
          names: new Set(same.flatMap(({ holder }) => saidNames(holder).map(fold))),
          isPending: inForce.length === 0,
          account: same[0]?.holder.account,
          roles: new Set(own.flatMap(({ roles }) => roles.filter((role) => owning.includes(role)))),
        },
      ];
    }),
  );
}

/** A pending invitation to own the organization gives nothing yet. */
const ownsOrganization = (service: ServiceView, key: string): boolean =>
  accessIn(service).some(
    ({ place, roles, isPending, holder }) =>
      place.kind === "organization" && !isPending && roles.includes("ORG_OWNER") && keyOf(holder) === key,
  );

const isInvitedAbove = (
  { organization }: ServiceView,
  account: string | undefined,
  names: ReadonlySet<string>,
): boolean =>
  [...organization.values()].some(
    (one) =>
      one.status === "pending" &&
      one.roles.includes("ORG_OWNER") &&
      (names.has(one.name) || (account !== undefined && one.account === account)),
  );

export function checkOwnersSaid(
  { isPreview, before, after, summary, isAccepted, showsTeamRoles }: Said,
  holds: Holds,
): void {
  const names = Map.groupBy([...before.projects.values(), ...after.projects.values()], ({ name }) => name);
  for (const { id, name } of after.projects.values()) {
    const isUnclear = new Set(names.get(name)?.map((project) => project.id)).size > 1;
    if (!before.projects.has(id) || isUnclear) continue;
    const isHere = ({ what, name: place }: { readonly what: string; readonly name: string }) =>
      what === "project" && [name, id, before.projects.get(id)?.name].includes(place);
    const said = summary.newOwners.filter((owner) => isHere(owner.in));
    // A project that no resource of the run reads has the name that the state has of it.
    const isFormerName = (place: string) => !names.has(place) && !before.projects.has(place);
    const saidHere = [...said, ...summary.newOwners.filter((owner) => isFormerName(owner.in.name))];
    const shownByTeams = (service: ServiceView, own: ReadonlySet<string>): readonly string[] => {
      const way = (name: string) => ({
        ...{ place: `project ${id}`, holder: personNamed(name) },
        ...{ isPending: false, roles: [] },
      });
      return showsTeamRoles ? [...own].flatMap((name) => [...rolesByTeams(way(name), service)]) : [];
    };
    const [was, is] = [ownersIn(before, id), ownersIn(after, id)];
    for (const [holder, { names: own, roles, account }] of is) {
      const had = [...(was.get(holder)?.roles ?? []), ...shownByTeams(before, own)];
      const gained = [...roles].filter((role) => !had.includes(role));
      holds(
        isInvitedAbove(before, account, own)
          ? "a pending invitation to own the organization hides no new owner"
          : "the summary names each new owner",
        gained.length === 0 ||
          ownsOrganization(before, holder) ||
          saidHere.some((owner) => own.has(fold(owner.name))),
        () => `${[...own][0]} gets ${gained.join(", ")} in ${name}`,
      );
    }
    for (const owner of said) {
      const has = [...is.values()].find((one) => one.names.has(fold(owner.name)));
      const roles = [...(has?.roles ?? []), ...shownByTeams(after, has?.names ?? new Set())];
      holds(
        "who is called a new owner owns the project then",
        owner.through !== undefined || owner.roles.every((role) => roles.includes(role)),
        () => `${owner.name} in ${name}: ${owner.roles.join(", ")}`,
      );
    }
    // Whom somebody made an owner before, the program may declare only now.
    for (const owner of said.filter((one) => !one.isAdopted && one.undeclared === undefined)) {
      // An invitation shows a name, and such a preview knows none.
      const isUnnamed = isPreview && owner.name.startsWith("user ");
      const had = [...was.values()].find(
        (one) => one.names.has(fold(owner.name)) && !(isUnnamed && one.isPending),
      );
      const byTeams = shownByTeams(after, had?.names ?? new Set());
      holds(
        "who is called a new owner was none before",
        owner.through !== undefined ||
          owner.roles.some((role) => !had?.roles.has(role) || byTeams.includes(role)),
        () => `${owner.name} in ${name}: ${owner.roles.join(", ")}`,
      );
    }
    for (const one of summary.undeclared.filter(({ in: place }) => isHere(place))) {
      const account = [...after.names].find(([, present]) => present === fold(one.name))?.[0];
      holds(
        "who is called undeclared is nobody whom the program leaves alone",
        !isAccepted(id, one.name) && !ownsOrganization(after, account ?? fold(one.name)),
        () => `${one.name} in ${name}`,
      );
    }
  }
}
