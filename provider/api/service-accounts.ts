/**
 * Calls about the service accounts of Cloud Manager: `/orgs/{id}/serviceAccounts`, and
 * `/groups/{id}/serviceAccounts` for those with roles in a project. Ops Manager offers neither.
 */
import { z } from "zod";
import type { KeyRole } from "./api-keys";
import { listOperation } from "./client";

/**
 * A role of a service account. Where a response names only the role, it counts in the place of the list; one of the
 * other kind of place has neither ID, because the response doesn't say where it counts.
 */
export type ServiceAccountRole = KeyRole;

/** A client secret of a service account, without its value. */
export interface ServiceAccountSecret {
  /** 24 hexadecimal digits in lower case. */
  readonly secretId: string;
  /** ISO 8601, as are the others. */
  readonly createdAt?: string | undefined;
  readonly expiresAt?: string | undefined;
  /** Absent for a secret that was never used. */
  readonly lastUsedAt?: string | undefined;
}

export interface ServiceAccountResponse {
  /** `mdb_sa_id_` and 24 hexadecimal digits. The only identity: names are not unique. */
  readonly clientId: string;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** ISO 8601. */
  readonly createdAt?: string | undefined;
  readonly roles: readonly ServiceAccountRole[];
  /** Expired ones included. */
  readonly secrets: readonly ServiceAccountSecret[];
}

const optionalText = z
  .string()
  .nullish()
  .transform((text) => text ?? undefined);

const secret = z
  .object({ id: z.string(), createdAt: optionalText, expiresAt: optionalText, lastUsedAt: optionalText })
  .transform(
    ({ id, ...times }): ServiceAccountSecret => ({
      secretId: id.toLowerCase(),
      ...times,
    }),
  );

/** The documentation has texts in its samples and objects in its table. An object need not say where the role counts. */
const roles = z.array(
  z.union([
    z.string().transform((roleName) => ({ roleName, orgId: undefined, groupId: undefined })),
    z.object({ roleName: z.string(), orgId: optionalText, groupId: optionalText }),
  ]),
);

type ListPlace = { readonly orgId: string } | { readonly projectId: string };

function serviceAccountIn(place: ListPlace) {
  const foreign = "orgId" in place ? "GROUP_" : "ORG_";
  const toRole = ({ roleName, orgId, groupId: projectId }: z.output<typeof roles>[number]) =>
    orgId === undefined && projectId === undefined
      ? { roleName, ...(roleName.startsWith(foreign) ? undefined : place) }
      : { roleName, orgId, projectId };
  return z
    .object({
      clientId: z.string(),
      name: optionalText,
      description: optionalText,
      createdAt: optionalText,
      roles,
      secrets: z.array(secret).nullish(),
    })
    .transform(
      ({ roles, secrets, ...account }): ServiceAccountResponse => ({
        ...account,
        roles: roles.map(toRole),
        secrets: secrets ?? [],
      }),
    );
}

/**
 * Lists the service accounts of one organization. Any role in it is enough. Their roles in projects may be
 * missing here.
 */
export const listServiceAccounts = listOperation((orgId: string) => ({
  action: `Listing the service accounts of organization ${orgId}`,
  method: "GET",
  path: ["orgs", orgId, "serviceAccounts"],
  shape: serviceAccountIn({ orgId }),
}));

/**
 * Lists the service accounts of a project with their roles there. One that reaches the project by a role in the
 * organization alone may be missing here.
 */
export const listServiceAccountsOfProject = listOperation((projectId: string) => ({
  action: `Listing the service accounts of project ${projectId}`,
  method: "GET",
  path: ["groups", projectId, "serviceAccounts"],
  shape: serviceAccountIn({ projectId }),
}));
