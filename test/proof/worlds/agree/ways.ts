/** Ways of access in the words that all reports share, and those that the service has. */
import { accessIn, type Holder } from "../access";
import { API_KEY } from "../oracle";
import { fold, type ServiceView, sorted } from "../service-view";

/** One way in which a holder has access in a place. */
export interface Way {
  /** `project 5f…`, `team 5f…`, `organization 5f…` */
  readonly place: string;
  /** `person ada@example.com`, `team 5f…`, `key abcdwxyz`, `service account mdb_sa_id_…`, `group ldapGroupMappings cn=…` */
  readonly holder: string;
  /** Of a person in a project who is there by a team. */
  readonly team?: string | undefined;
  readonly isPending: boolean;
  readonly roles: readonly string[];
}

/** What tells a way from others: all but its roles. */
export const keyOf = ({ place, holder, team, isPending }: Omit<Way, "roles">): string =>
  `${isPending ? "the invitation of " : ""}${holder} in ${place}${team === undefined ? "" : ` by team ${team}`}`;

export const personNamed = (name: string): string => `person ${fold(name)}`;

/**
 * Without the key of the commands, and without agent API keys, which reach nothing but the agents' own operations. With every name
 * that is invited to the organization: no report knows that two names mean one account.
 */
export function waysOf(service: ServiceView): readonly Way[] {
  const others = accessIn(service).filter(({ holder }) => holder.publicKey !== API_KEY);
  const invitations = [...service.organization.values()].flatMap((one) => one.invitations);
  const invited = [...new Map(invitations.map(({ name, roles }) => [name, roles]))].map(([name, roles]) => ({
    ...{ place: `organization ${service.orgId}`, holder: personNamed(name) },
    ...{ roles, isPending: true },
  }));
  const inService = others.flatMap(({ place, holder, roles, isPending }): readonly Way[] => {
    const where = { place: `${place.kind} ${place.id}`, roles: sorted(roles), isPending };
    if (holder.kind === "agent API key" || (holder.kind === "API key" && roles.length === 0)) return [];
    return [{ ...where, holder: textOf(holder) }];
  });
  const known = new Set(inService.map(keyOf));
  return [...inService, ...invited.filter((way) => !known.has(keyOf(way)))];
}

function textOf({ kind, id, name, publicKey }: Holder): string {
  if (kind === "person") return personNamed(name);
  if (kind === "API key") return `key ${publicKey}`;
  return kind === "group" ? `group ${id} ${name}` : `${kind} ${id}`;
}

/** The roles that the person has by teams, beside those of this way. */
export function rolesByTeams({ place, holder }: Way, service: ServiceView): ReadonlySet<string> {
  const project = service.projects.get(place.replace("project ", ""));
  const teams = [...(project?.teams ?? [])].filter(([id]) =>
    service.teams
      .get(id)
      ?.userIds.some((account) => personNamed(service.names.get(account) ?? "") === holder),
  );
  return new Set(teams.flatMap(([, roles]) => roles));
}

/**
 * Whether a report may show these as the person's own roles. The service may show what teams give among them, so a role that a team
 * gives, too, cannot be told from the person's own. Neither can those of a person who has no other.
 */
export function areOwn(shown: readonly string[], way: Way, service: ServiceView): boolean {
  const byTeams = rolesByTeams(way, service);
  const areAllByTeams = way.roles.every((role) => byTeams.has(role));
  return (
    (shown.length > 0 || way.roles.length === 0) &&
    shown.every((role) => way.roles.includes(role) || (areAllByTeams && byTeams.has(role))) &&
    way.roles.every((role) => shown.includes(role) || byTeams.has(role))
  );
}

/** What only one of them has. */
export const differenceOf = (one: ReadonlySet<string>, other: ReadonlySet<string>): readonly string[] => [
  ...[...one].filter((text) => !other.has(text)),
  ...[...other].filter((text) => !one.has(text)),
];
