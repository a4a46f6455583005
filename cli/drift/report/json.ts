/** The report as JSON has it, and an earlier one as the command works with it. */
import { withoutUndefined } from "../../../provider/resources/contract/values";
import { type Report, type UnmanagedRow, unmanagedOf } from "./model";
import { type DriftReport, type UnmanagedKind, type UnmanagedLists, unmanagedKinds } from "./schema";

type Lists = { readonly [Kind in UnmanagedKind]: NonNullable<UnmanagedLists[Kind]>[number] };

/** What a row has beside the facts that all kinds share. */
type RowFacts = Omit<UnmanagedRow, "kind" | "orgName" | "ignored" | "since" | "lastEvent">;

/** How one kind is written and read. */
interface Projection<Kind extends UnmanagedKind> {
  toObject(row: UnmanagedRow): Lists[Kind];
  toRow(object: Lists[Kind]): RowFacts;
}

const inProject = ({ place }: UnmanagedRow) => ({ projectId: place.id, projectName: place.name });
const projectOf = ({ projectId, projectName }: { projectId: string; projectName: string }) => ({
  place: { name: projectName, id: projectId },
});
const keyIn = ({ keyId = "", holder }: UnmanagedRow) => ({ keyId, publicKey: holder.id, name: holder.name });
const keyOf = ({ keyId, publicKey, name }: { keyId: string; publicKey: string; name: string }) => ({
  keyId,
  holder: { name, id: publicKey },
});
const personOf = ({ username }: { username: string }) => ({
  holder: { name: username, id: username.toLowerCase() },
});
const organizationOf = ({ orgId }: { orgId: string }) => ({ orgId, place: { name: orgId, id: orgId } });
const statusOf = ({ status }: UnmanagedRow) => (status === "pending" ? status : "active");
const rolesIn = ({ roles }: UnmanagedRow) => (roles.length === 0 ? {} : { roles: [...roles] });

const projections: { readonly [Kind in UnmanagedKind]: Projection<Kind> } = {
  projects: {
    toObject: ({ place, orgId = "" }) => ({ orgId, projectId: place.id, name: place.name }),
    toRow: ({ orgId, projectId: id, name }) => ({
      orgId,
      holder: { name, id },
      place: { name, id },
      roles: [],
    }),
  },
  people: {
    toObject: (row) => ({
      ...inProject(row),
      username: row.holder.name,
      status: row.status === "indirect" ? row.status : statusOf(row),
      roles: [...row.roles],
    }),
    toRow: (object) => ({
      ...personOf(object),
      ...projectOf(object),
      status: object.status,
      roles: object.roles,
    }),
  },
  teams: {
    toObject: (row) => ({
      ...inProject(row),
      teamId: row.holder.id,
      name: row.holder.name,
      roles: [...row.roles],
    }),
    toRow: ({ teamId: id, name, roles, ...project }) => ({
      holder: { name, id },
      ...projectOf(project),
      roles,
    }),
  },
  keys: {
    toObject: (row) => ({ ...inProject(row), ...keyIn(row), roles: [...row.roles] }),
    toRow: (object) => ({ ...keyOf(object), ...projectOf(object), roles: object.roles }),
  },
  mappings: {
    toObject: (row) => ({
      ...inProject(row),
      property: row.holder.id === "idpGroupMappings" ? "idpGroupMappings" : "ldapGroupMappings",
      roles: [...row.roles],
    }),
    toRow: ({ property, roles, ...project }) => ({
      holder: { name: property, id: property },
      ...projectOf(project),
      roles,
    }),
  },
  owners: {
    toObject: (row) => ({
      orgId: row.place.id,
      username: row.holder.name,
      status: statusOf(row),
      ...rolesIn(row),
    }),
    toRow: (object) => ({
      ...personOf(object),
      ...organizationOf(object),
      status: object.status,
      roles: object.roles ?? [],
    }),
  },
  ownerKeys: {
    toObject: (row) => ({ orgId: row.place.id, ...keyIn(row), roles: [...row.roles] }),
    toRow: (object) => ({ ...keyOf(object), ...organizationOf(object), roles: object.roles }),
  },
  teamPeople: {
    toObject: (row) => ({
      orgId: row.orgId ?? "",
      teamId: row.place.id,
      teamName: row.place.name,
      username: row.holder.name,
      ...rolesIn(row),
    }),
    toRow: (object) => ({
      ...personOf(object),
      orgId: object.orgId,
      place: { name: object.teamName, id: object.teamId },
      roles: object.roles ?? [],
    }),
  },
};

export function toJson({ unmanaged, ...report }: Report): DriftReport {
  if (unmanaged === undefined) return report;
  const listOf = <Kind extends UnmanagedKind>(kind: Kind): Lists[Kind][] =>
    unmanaged.rows
      .filter((row) => row.kind === kind)
      .map((row) => {
        const { ignored, since, lastEvent } = row;
        return { ...projections[kind].toObject(row), ...withoutUndefined({ ignored, since, lastEvent }) };
      });
  const { countsAsDrift, organizations } = unmanaged;
  return {
    ...report,
    unmanaged: {
      ...(countsAsDrift !== undefined && { countsAsDrift }),
      organizations: [...organizations],
      projects: listOf("projects"),
      people: listOf("people"),
      teams: listOf("teams"),
      keys: listOf("keys"),
      mappings: listOf("mappings"),
      owners: listOf("owners"),
      ownerKeys: listOf("ownerKeys"),
      teamPeople: listOf("teamPeople"),
    },
  };
}

export function fromJson({ unmanaged, ...report }: DriftReport): Report {
  if (unmanaged === undefined) return report;
  const rowsOf = <Kind extends UnmanagedKind>(kind: Kind, objects: readonly Lists[Kind][] = []) =>
    objects.map((object): UnmanagedRow => {
      const { ignored, since } = object;
      const lastEvent = "lastEvent" in object ? object.lastEvent : undefined;
      return { kind, ...projections[kind].toRow(object), ...withoutUndefined({ ignored, since, lastEvent }) };
    });
  const { countsAsDrift, organizations } = unmanaged;
  const rows = unmanagedKinds.flatMap((kind) => rowsOf(kind, unmanaged[kind]));
  return {
    ...report,
    unmanaged: unmanagedOf({ ...(countsAsDrift !== undefined && { countsAsDrift }), organizations, rows }),
  };
}
