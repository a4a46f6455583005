/** Who has access to what, as one list of rows: people, teams, keys and groups in the organization, its projects and teams. */
import type { ServiceAccountView, ServiceView } from "./service-view";

export interface Place {
  readonly kind: "organization" | "project" | "team";
  readonly id: string;
  readonly name: string;
}

export interface Holder {
  readonly kind: "person" | "team" | "API key" | "agent API key" | "service account" | "group";
  /** Of a person without an account: the name. Of a group: the property of the project that maps it. */
  readonly id: string;
  /** Of an API key: its description. Of a service account: its client ID. */
  readonly name: string;
  readonly account?: string | undefined;
  readonly publicKey?: string;
  readonly invitation?: string;
}

export interface Access {
  readonly place: Place;
  readonly holder: Holder;
  readonly roles: readonly string[];
  /** The person is invited. */
  readonly isPending: boolean;
}

export const placesOf = ({ projects, teams, orgId }: ServiceView): readonly Place[] => [
  { kind: "organization", id: orgId, name: orgId },
  ...[...projects.values()].map(({ id, name }) => ({ kind: "project", id, name }) as const),
  ...[...teams.values()].map(({ id, name }) => ({ kind: "team", id, name }) as const),
];

export const accessIn = (service: ServiceView): readonly Access[] =>
  placesOf(service).flatMap((place) =>
    rowsOf(place, service).map(({ roles = [], isPending = false, ...holder }) => ({
      place,
      holder,
      roles,
      isPending,
    })),
  );

type Row = Holder & Partial<Pick<Access, "roles" | "isPending">>;

const groupRow = ({ name, role, property }: ServiceView["orgFields"]["groups"][number]): Row => {
  return { kind: "group", id: property, name, roles: [role] };
};

function rowsOf(
  { kind, id }: Place,
  { projects, teams, apiKeys, serviceAccounts, organization, names, orgFields }: ServiceView,
): Row[] {
  const person = (account: string, roles: readonly string[] = []): Row => ({
    kind: "person",
    id: account,
    name: names.get(account) ?? "",
    account,
    roles,
  });
  const keys = [...apiKeys.values()].map(({ id, description, publicKey, orgRoles, projectRoles }) => {
    const holder = { kind: "API key", id, name: description, publicKey } as const;
    return { holder, orgRoles, projectRoles };
  });
  const accounts = (rolesOf: (account: ServiceAccountView) => readonly string[]): Row[] =>
    [...serviceAccounts].flatMap(([clientId, account]) => {
      const roles = rolesOf(account);
      return roles.length === 0 ? [] : [{ kind: "service account", id: clientId, name: clientId, roles }];
    });
  if (kind === "organization") {
    const people = [...organization].map(([id, { account, name, roles, status }]): Row => {
      return { kind: "person", id, name, account, roles, isPending: status === "pending" };
    });
    return [
      ...people,
      ...keys.map(({ holder, orgRoles: roles }) => ({ ...holder, roles })),
      ...accounts(({ orgRoles }) => orgRoles),
      ...orgFields.groups.map(groupRow),
    ];
  }
  if (kind === "team") return (teams.get(id)?.userIds ?? []).map((account) => person(account));
  const project = projects.get(id);
  if (project === undefined) return [];
  return [
    ...project.invitations.map(({ id: invitation, name, account, roles }): Row => {
      return { kind: "person", id: account ?? name, name, account, invitation, roles, isPending: true };
    }),
    ...[...project.members].map(([account, roles]) => person(account, roles)),
    ...[...project.teams].map(([team, roles]): Row => {
      return { kind: "team", id: team, name: teams.get(team)?.name ?? team, roles };
    }),
    ...keys.flatMap(({ holder, projectRoles }): Row[] => {
      const roles = projectRoles.get(id);
      return roles === undefined ? [] : [{ ...holder, roles }];
    }),
    ...accounts(({ projectRoles }) => projectRoles.get(id) ?? []),
    ...[...project.agentKeys].map(([key, name]): Row => ({ kind: "agent API key", id: key, name })),
    ...project.groups.map(groupRow),
  ];
}
