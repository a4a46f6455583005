/**
 * Calls below `/groups/{id}/agentapikeys`. The service offers no read of a single key and no change
 * of a key.
 */
import { z } from "zod";
import { operation, UNREAD_BODY } from "./client";
import { completeKey, shownEnd } from "./masked-key";

/** A masked key (Ops Manager documentation, "Get All Agent API Keys"): its last four characters are shown. */
const MASKED_KEY = /^\*+([0-9A-Za-z]{4})$/;
/**
 * Times below this are seconds since 1970, as older documents describe them. The others are
 * milliseconds.
 */
const LEAST_MILLISECONDS = 100_000_000_000;

const keyFields = z.object({
  _id: z.string().nullish(),
  id: z.string().nullish(),
  desc: z.string().nullish(),
  key: z.string().nullish().catch(undefined),
  createdTime: z.union([z.number(), z.string()]).nullish().catch(undefined),
  createdBy: z.string().nullish().catch(undefined),
});

/** An agent API key as every response describes it, with all that a response may lack. */
interface KeyResponse {
  readonly keyId?: string | undefined;
  readonly description?: string | undefined;
  /** The last four characters of the key, if the response shows them as documented. */
  readonly keySuffix?: string | undefined;
  /** ISO 8601; as the service writes it if that is no time. */
  readonly createdAt?: string | undefined;
  readonly createdBy?: string | undefined;
}

/** An entry of the list of keys. */
export interface AgentKeyResponse extends KeyResponse {
  readonly keyId: string;
}

/** The response to the creation. No other response holds the complete key. */
export interface NewAgentKeyResponse extends KeyResponse {
  /** A secret; absent if the response lacks it or masks it. */
  readonly key?: string | undefined;
}

function toResponse({ _id, id, desc, key, createdTime, createdBy }: z.output<typeof keyFields>): KeyResponse {
  return {
    keyId: _id || id || undefined,
    description: desc ?? undefined,
    keySuffix: shownEnd(key, MASKED_KEY),
    createdAt: timeOf(createdTime ?? undefined),
    createdBy: createdBy ?? undefined,
  };
}

function timeOf(time: string | number | undefined): string | undefined {
  if (time === undefined) return undefined;
  const milliseconds = typeof time === "number" && time < LEAST_MILLISECONDS ? time * 1000 : time;
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? String(time) : date.toISOString();
}

const keyListResponse = z.preprocess(
  // The documents describe a bare array. A list with `results` is complete if it holds as many
  // entries as it counts and names no next page.
  (body) => (Array.isArray(body) ? { results: body } : body),
  z
    .object({
      results: z.array(
        keyFields
          .refine(({ _id, id }) => _id || id, { message: "has no id", path: ["_id"] })
          .transform((fields) => ({ ...toResponse(fields), keyId: (fields._id || fields.id) ?? "" })),
      ),
      totalCount: z.number().nullish().catch(undefined),
      links: z
        .array(z.object({ rel: z.string() }))
        .nullish()
        .catch(undefined),
    })
    .refine(({ results, totalCount }) => (totalCount ?? 0) <= results.length, {
      message: "is incomplete",
      path: ["totalCount"],
    })
    .refine(({ links }) => !links?.some(({ rel }) => rel === "next"), {
      message: "names a next page, which is not read",
      path: ["links"],
    })
    .transform(({ results }): AgentKeyResponse[] => results),
);

const newKeyResponse = keyFields.transform((fields): NewAgentKeyResponse => {
  return { ...toResponse(fields), key: completeKey(fields.key) };
});

/**
 * Lists all agent API keys of a project, also those that others created. Needs Project Read Only.
 */
export const listAgentKeys = operation((projectId: string) => ({
  action: `Listing the agent API keys of project ${projectId}`,
  method: "GET",
  path: ["groups", projectId, "agentapikeys"],
  shape: keyListResponse,
}));

/** Creates one more key. A repetition would create another one. */
export const createAgentKey = operation((projectId: string, description: string) => ({
  action: `Creating an agent API key of project ${projectId}`,
  method: "POST",
  path: ["groups", projectId, "agentapikeys"],
  body: { desc: description },
  shape: newKeyResponse,
}));

export const deleteAgentKey = operation((projectId: string, keyId: string) => ({
  action: `Deleting agent API key ${keyId} of project ${projectId}`,
  method: "DELETE",
  path: ["groups", projectId, "agentapikeys", keyId],
  shape: UNREAD_BODY,
}));
