/**
 * Calls about the events of projects and organizations: who changed what, and when (pages "Events" of the
 * API reference).
 */
import { z } from "zod";
import type { ApiClient, Call } from "./client";
import { uniqueById } from "./pages";

/** The project or the organization that lists an event. */
export type EventPlace = { readonly projectId: string } | { readonly orgId: string };

/** One event. A person or an API key has acted; a service's own action may name neither. */
export interface EventResponse {
  readonly id: string;
  /** Name of its type: `JOINED_GROUP`. */
  readonly type: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** The account that acted. */
  readonly userId?: string | undefined;
  /** The person who acted, perhaps by a former name. */
  readonly username?: string | undefined;
  /** The API key that acted. */
  readonly publicKey?: string | undefined;
  /** The address from which the request came. */
  readonly remoteAddress?: string | undefined;
  /** The person that the event is about. */
  readonly targetUsername?: string | undefined;
  /** The API key that the event is about. */
  readonly targetPublicKey?: string | undefined;
  readonly projectId?: string | undefined;
  readonly teamId?: string | undefined;
}

const optionalText = z
  .string()
  .nullish()
  .transform((text) => text ?? undefined);

/** Without `raw`: its content varies, and before version 8.0.27 it could hold tokens that reset a password. */
const eventResponse = z
  .object({
    id: z.string(),
    eventTypeName: z.string(),
    created: z.iso.datetime({ offset: true }),
    userId: optionalText,
    username: optionalText,
    publicKey: optionalText,
    remoteAddress: optionalText,
    targetUsername: optionalText,
    targetPublicKey: optionalText,
    groupId: optionalText,
    teamId: optionalText,
  })
  .transform(
    ({ eventTypeName: type, created: createdAt, groupId: projectId, ...others }): EventResponse => ({
      ...others,
      type,
      createdAt,
      projectId,
    }),
  );

/** How messages name a place: `project 5f…`. */
export function nameOfPlace(place: EventPlace): string {
  return "projectId" in place ? `project ${place.projectId}` : `organization ${place.orgId}`;
}

function listEvents(place: EventPlace, since: Date): Call<EventResponse> {
  const [path, leastRole] =
    "projectId" in place
      ? [["groups", place.projectId], "Project Read Only"]
      : [["orgs", place.orgId], "Organization Member"];
  return {
    action: `Listing the events of ${nameOfPlace(place)}`,
    method: "GET",
    leastRole,
    path: [...path, "events"],
    // The documentation shows dates without fractions of seconds only.
    query: { minDate: `${since.toISOString().slice(0, "2026-01-01T00:00:00".length)}Z` },
    shape: eventResponse,
  };
}

/** The events of a place, each once, in any order. */
export interface EventList {
  readonly events: readonly EventResponse[];
  /** Whether there are more pages than were read. */
  readonly isCut: boolean;
}

/**
 * Reads the events since a time. A new event while the pages are read moves others to a later page, so
 * none is missed.
 *
 * @param mostPages of 500 events
 */
export async function readEvents(
  client: ApiClient,
  place: EventPlace,
  {
    since,
    mostPages,
    signal,
  }: { readonly since: Date; readonly mostPages: number; readonly signal: AbortSignal },
): Promise<EventList> {
  const events: EventResponse[] = [];
  for (let pageNum = 1; pageNum <= mostPages; pageNum += 1) {
    const { entries, hasNext } = await client.page({ ...listEvents(place, since), signal }, pageNum);
    events.push(...entries);
    if (!hasNext) return { events: uniqueById(events), isCut: false };
  }
  return { events: uniqueById(events), isCut: true };
}
