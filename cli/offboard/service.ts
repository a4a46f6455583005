/** Reads what people have before their files are edited. */
import type { ApiClient } from "../../provider/api/client";
import type { Settings } from "../../provider/settings/config";
import { CanceledError, messageOf, OpsManagerError } from "../../provider/text/errors";
import { distinct } from "../lib/access/names";
import { isOfKeys, type OrganizationAccess } from "../lib/access/read";
import type { Unread } from "../lib/access/reading";
import { type Search, type SearchedPerson, searchAccess } from "../lib/access/search";
import { withClient } from "../lib/connection";
import { allOf, type EventTypes, KEYS, NEW_SECRETS } from "../lib/event-subjects";
import { EventLists, reviewSince } from "../lib/last-event";
import type { LiveServiceAccount } from "../lib/service-accounts";
import { readCommandSettings } from "../lib/settings";
import type { Terminal } from "../lib/terminal";
import { isOneOf } from "./files";
import type { Created } from "./report";

/** What was read. If that failed, nothing is known of the people but their names. */
export interface Service extends Pick<Search, "people" | "organizations" | "resources"> {
  readonly created: readonly Created[];
  readonly stack: string | undefined;
  /** `undefined` if the service could not be read. */
  readonly settings: Settings | undefined;
  readonly unknown: readonly Unread[];
}

export async function readService(
  names: readonly string[],
  { stack: named, orgIds }: { readonly stack: string | undefined; readonly orgIds: readonly string[] },
  terminal: Terminal,
): Promise<Service> {
  // A stack that cannot be read is misspelled, or another one than was meant.
  const known = named === undefined ? undefined : await readCommandSettings(terminal, named);
  try {
    const { settings, stack } = known ?? (await readCommandSettings(terminal, named));
    return await withClient(settings, terminal, async (client) => {
      const unknown: Unread[] = [];
      const sought = { name: undefined, people: names, orgIds, stack };
      const search = (await searchAccess(client, terminal, sought)).take(({ what, reason, notOffered }) => {
        // A list that is not offered does not show that the person is not in it.
        if (notOffered === undefined || !isOfKeys(notOffered)) unknown.push({ what, reason });
      });
      if (stack === undefined)
        unknown.push({
          what: "what the program declares, and former names of accounts",
          reason: "No stack is selected. Name it with --stack.",
        });
      const { people, organizations, resources } = search;
      const { created, unread } = await createdBy(people, organizations, client, terminal);
      const read = { people, organizations, resources, stack, settings, created };
      return { ...read, unknown: [...unknown, ...unread] };
    });
  } catch (error) {
    if (terminal.stop.aborted) throw new CanceledError("Stopped; no file was changed.");
    if (!(error instanceof OpsManagerError)) throw error;
    const unknown = [{ what: "what else the person can reach", reason: messageOf(error) }];
    const people = names.map((name) => ({ names: [name], taken: [], userIds: [], person: undefined }));
    const none = { resources: undefined, stack: undefined, settings: undefined };
    return { ...none, people, organizations: [], created: [], unknown };
  }
}

/**
 * For each of the people, the API keys that they created and the service accounts of which they may know a secret, as far
 * as events show, and that still exist.
 */
async function createdBy(
  people: readonly SearchedPerson[],
  organizations: readonly OrganizationAccess[],
  client: ApiClient,
  terminal: Terminal,
): Promise<Pick<Service, "created"> & { readonly unread: readonly Unread[] }> {
  const lists = new EventLists(reviewSince(), terminal.stop);
  await lists.read(
    client,
    organizations.map(({ orgId }) => ({ orgId })),
  );
  const nameOf = new Map(
    organizations.flatMap(({ bearers }) =>
      bearers.flatMap(({ holder, name }) =>
        holder.kind === "person" ? [[holder.userId, name] as const] : [],
      ),
    ),
  );
  const created = people.map(({ names, userIds, person }): Created => {
    const accounts = new Set([...userIds, ...(person?.accounts ?? []).map(({ userId }) => userId)]);
    const all = organizations.map(({ orgId, orgName, places: [organization] }) => {
      const events = lists.of({ orgId })?.events ?? [];
      const eventsOf = (types: EventTypes) =>
        events.filter(
          ({ type, userId = "", username = "" }) =>
            allOf(types).includes(type) && (accounts.has(userId) || isOneOf(username, names)),
        );
      const publicKeys = new Set(eventsOf(KEYS.added).map(({ targetPublicKey }) => targetPublicKey));
      const times = eventsOf(NEW_SECRETS).map(({ createdAt }) => Date.parse(createdAt));
      const { keys = [], serviceAccounts = [] } = organization?.lists ?? {};
      return {
        keys: keys
          .filter(({ publicKey }) => publicKeys.has(publicKey))
          .map(({ publicKey, description }) => ({ publicKey, description, orgId, orgName })),
        serviceAccounts: serviceAccounts
          .filter((account) => hasSecretOf(account, times))
          .map(({ clientId, name }) => ({ clientId, name, orgId, orgName })),
      };
    });
    // Nobody has the name, and no state knows it: whoever had it has acted by it.
    const isNobody = person === undefined && userIds.length === 0;
    const actors = organizations.flatMap(({ orgId }) => lists.of({ orgId })?.events ?? []);
    const later = actors.flatMap(({ userId, username = "" }) =>
      isNobody && isOneOf(username, names) ? (nameOf.get(userId) ?? []) : [],
    );
    return {
      keys: all.flatMap(({ keys }) => keys),
      serviceAccounts: all.flatMap(({ serviceAccounts }) => serviceAccounts),
      laterNames: distinct(later),
    };
  });
  const isOffered = organizations.some(({ serviceAccounts = 0 }) => serviceAccounts > 0);
  const kinds = isOffered ? "API keys and service accounts" : "API keys";
  return {
    created,
    unread: lists.unread.map(({ what, reason }) => ({ what: `${kinds} created in ${what}`, reason })),
  };
}

/** How far the time of an event may be from that of what it made; no document says that they are equal. */
const SAME_TIME_MILLISECONDS = 10_000;

/**
 * Whether a secret that has not expired was made at one of these times. No event names the service account, so this is
 * all that they show. If the list shows no secrets, the account itself counts.
 */
function hasSecretOf({ createdAt, secrets }: LiveServiceAccount, times: readonly number[]): boolean {
  const valid = secrets.filter(({ expiresAt = "" }) => !(Date.parse(expiresAt) < Date.now()));
  const made = secrets.length === 0 ? [createdAt] : valid.map((secret) => secret.createdAt ?? createdAt);
  return made.some((at = "") =>
    times.some((time) => Math.abs(Date.parse(at) - time) <= SAME_TIME_MILLISECONDS),
  );
}
