/**
 * Calls about the programmatic API keys of organizations: below `/orgs/{id}/apiKeys`, and below
 * `/groups/{id}/apiKeys` for their roles in a project.
 */
import { z } from "zod";
import { listOperation, operation, UNREAD_BODY } from "./client";
import { completeKey, shownEnd } from "./masked-key";

/** A role in one project, in one organization, or, with neither, in the whole service. */
export interface KeyRole {
  readonly roleName: string;
  readonly orgId?: string | undefined;
  readonly projectId?: string | undefined;
}

/** A key as every response describes it, its private part masked. */
export interface ApiKeyResponse {
  /** 24 hexadecimal digits in lower case. */
  readonly keyId: string;
  readonly description?: string | undefined;
  readonly publicKey: string;
  /** The roles in the organization and in all projects. */
  readonly roles: readonly KeyRole[];
  /** The last four characters of the private key, if the response shows them as documented. */
  readonly privateKeyEnd?: string | undefined;
}

/** The response to the creation. No other response has the complete private key. */
export interface NewApiKeyResponse extends ApiKeyResponse {
  /** A secret; absent if the response lacks it or masks it. */
  readonly privateKey?: string | undefined;
}

/** An address or a block of addresses from which a key may be used. */
export interface AccessListEntryResponse {
  readonly cidrBlock?: string | undefined;
  readonly ipAddress?: string | undefined;
}

/** A masked private key (Ops Manager documentation, "Get One Organization API Key"): its last block is shown. */
const MASKED_PRIVATE_KEY = /^\*+(?:-\*+)*-[0-9a-f]{8}([0-9a-f]{4})$/i;

const keyRoles = z.array(
  z.object({ orgId: z.string().nullish(), groupId: z.string().nullish(), roleName: z.string() }),
);

const keyFields = z.object({
  id: z.string(),
  desc: z.string().nullish(),
  publicKey: z.string(),
  privateKey: z.string().nullish().catch(undefined),
  roles: keyRoles,
});

/** Without roles as well: the private key is shown only once, so a field less must not lose it. */
const newApiKeyResponse = keyFields.extend({ roles: keyRoles.catch([]) }).transform(toNewKey);

/** A read never has the complete private key, so it is not taken from one. */
const apiKeyResponse = keyFields.transform((key): ApiKeyResponse => {
  const { privateKey: _secret, ...response } = toNewKey(key);
  return response;
});

function toNewKey({ id, desc, publicKey, privateKey, roles }: z.output<typeof keyFields>): NewApiKeyResponse {
  return {
    keyId: id.toLowerCase(),
    description: desc ?? undefined,
    publicKey,
    privateKey: completeKey(privateKey),
    privateKeyEnd: shownEnd(privateKey, MASKED_PRIVATE_KEY),
    roles: roles.map(({ orgId, groupId, roleName }) => ({
      roleName,
      orgId: orgId ?? undefined,
      projectId: groupId ?? undefined,
    })),
  };
}

const accessListEntry = z
  .object({ cidrBlock: z.string().nullish(), ipAddress: z.string().nullish() })
  .transform(
    ({ cidrBlock, ipAddress }): AccessListEntryResponse => ({
      cidrBlock: cidrBlock ?? undefined,
      ipAddress: ipAddress ?? undefined,
    }),
  );

/**
 * Lists the API keys of one organization. Any key with a role in it may read them. Global keys are
 * not included.
 */
export const listApiKeys = listOperation((orgId: string) => ({
  action: `Listing the API keys of organization ${orgId}`,
  method: "GET",
  path: ["orgs", orgId, "apiKeys"],
  shape: apiKeyResponse,
}));

/** Lists the global API keys of an Ops Manager, with their global roles. A global role is needed. */
export const listGlobalApiKeys = listOperation(() => ({
  action: "Listing the global API keys",
  method: "GET",
  path: ["admin", "apiKeys"],
  shape: apiKeyResponse,
}));

export const getApiKey = operation((orgId: string, keyId: string) => ({
  action: `Reading API key ${keyId} of organization ${orgId}`,
  method: "GET",
  path: ["orgs", orgId, "apiKeys", keyId],
  shape: apiKeyResponse,
}));

export interface ApiKeyFields {
  readonly desc: string;
  /** Roles in the organization. */
  readonly roles: readonly string[];
}

/** Creates one more key. A repetition would create another one. */
export const createApiKey = operation((orgId: string, fields: ApiKeyFields) => ({
  action: `Creating API key "${fields.desc}" of organization ${orgId}`,
  method: "POST",
  path: ["orgs", orgId, "apiKeys"],
  body: fields,
  shape: newApiKeyResponse,
}));

export const updateApiKey = operation((orgId: string, keyId: string, fields: Partial<ApiKeyFields>) => ({
  action: `Updating ${Object.keys(fields).join(", ")} of API key ${keyId} of organization ${orgId}`,
  method: "PATCH",
  path: ["orgs", orgId, "apiKeys", keyId],
  body: fields,
  shape: apiKeyResponse,
}));

/** Deletes a key, in all projects as well. */
export const deleteApiKey = operation((orgId: string, keyId: string) => ({
  action: `Deleting API key ${keyId} of organization ${orgId}`,
  method: "DELETE",
  path: ["orgs", orgId, "apiKeys", keyId],
  shape: UNREAD_BODY,
}));

export const listAccessList = listOperation((orgId: string, keyId: string) => ({
  action: `Listing the access list of API key ${keyId} of organization ${orgId}`,
  method: "GET",
  path: ["orgs", orgId, "apiKeys", keyId, "accessList"],
  shape: accessListEntry,
}));

/** Adds entries; those that exist stay. */
export const addToAccessList = operation(
  (orgId: string, keyId: string, entries: readonly AccessListEntryResponse[]) => ({
    action: `Adding to the access list of API key ${keyId} of organization ${orgId}`,
    method: "POST",
    path: ["orgs", orgId, "apiKeys", keyId, "accessList"],
    body: entries,
    shape: UNREAD_BODY,
  }),
);

/** @param entry an address, or a block such as `192.0.2.0/24` */
export const removeFromAccessList = operation((orgId: string, keyId: string, entry: string) => ({
  action: `Removing ${entry} from the access list of API key ${keyId} of organization ${orgId}`,
  method: "DELETE",
  path: ["orgs", orgId, "apiKeys", keyId, "accessList", entry],
  shape: UNREAD_BODY,
}));

/** Lists the keys that have a role in the project, each with all of its roles. */
export const listApiKeysOfProject = listOperation((projectId: string) => ({
  action: `Listing the API keys of project ${projectId}`,
  method: "GET",
  path: ["groups", projectId, "apiKeys"],
  shape: apiKeyResponse,
}));

/**
 * Gives a key of the organization exactly these roles in the project. The same call assigns a key
 * that is not in the project (Ops Manager documentation, "Assign" and "Update API Key").
 */
export const setRolesOfApiKey = operation((projectId: string, keyId: string, roles: readonly string[]) => ({
  action: `Giving API key ${keyId} ${roles.join(", ")} in project ${projectId}`,
  method: "PATCH",
  path: ["groups", projectId, "apiKeys", keyId],
  body: { roles },
  shape: UNREAD_BODY,
}));

/**
 * Takes all roles in the project from a key; the key remains in its organization. The documentation
 * of Cloud Manager prints `/orgs/` in this path, which would delete the key itself.
 *
 * @param projectId as a response of the service contained it
 */
export const unassignApiKey = operation((projectId: string, keyId: string) => ({
  action: `Removing API key ${keyId} from project ${projectId}`,
  method: "DELETE",
  path: ["groups", projectId, "apiKeys", keyId],
  shape: UNREAD_BODY,
}));
