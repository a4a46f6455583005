/** Reads what people have before their files are edited. */
import type { ApiClient } from "../../provider/api/client";
import type { Settings } from "../../provider/settings/config";
import { CanceledError, messageOf, OpsManagerError } from "../../provider/text/errors";
import { isOfKeys, type OrganizationAccess } from "../lib/access/read";
import type { Unread } from "../lib/access/reading";
import { type Search, type SearchedPerson, searchAccess } from "../lib/access/search";
import { withClient } from "../lib/connection";
import { KEYS } from "../lib/event-subjects";
import { EventLists, reviewSince } from "../lib/last-event";
import { readCommandSettings } from "../lib/settings";
import type { Terminal } from "../lib/terminal";
import { isOneOf } from "./files";
import type { CreatedKey } from "./report";

/** What was read. If that failed, nothing is known of the people but their names. */
export interface Service extends Pick<Search, "people" | "organizations" | "resources"> {
  readonly keys: readonly (readonly CreatedKey[])[];
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
      const created = await keysCreatedBy(people, organizations, client, terminal);
      const read = { people, organizations, resources, stack, settings, keys: created.keys };
      return { ...read, unknown: [...unknown, ...created.unread] };
    });
  } catch (error) {
    if (terminal.stop.aborted) throw new CanceledError("Stopped; no file was changed.");
    if (!(error instanceof OpsManagerError)) throw error;
    const unknown = [{ what: "what else the person can reach", reason: messageOf(error) }];
    const people = names.map((name) => ({ names: [name], taken: [], userIds: [], person: undefined }));
    const none = { resources: undefined, stack: undefined, settings: undefined };
    return { ...none, people, organizations: [], keys: [], unknown };
  }
}

/** For each of the people, the API keys that they created, as far as events show, and that still exist. */
async function keysCreatedBy(
  people: readonly SearchedPerson[],
  organizations: readonly OrganizationAccess[],
  client: ApiClient,
  terminal: Terminal,
): Promise<Pick<Service, "keys"> & { readonly unread: readonly Unread[] }> {
  const lists = new EventLists(reviewSince(), terminal.stop);
  await lists.read(
    client,
    organizations.map(({ orgId }) => ({ orgId })),
  );
  const types = new Set([...KEYS.added.documented, ...KEYS.added.others]);
  const keysOf = ({ names }: SearchedPerson) =>
    organizations.flatMap(({ orgId, orgName, places: [organization] }) => {
      const created = new Set(
        (lists.of({ orgId })?.events ?? [])
          .filter(({ type, username = "" }) => types.has(type) && isOneOf(username, names))
          .map(({ targetPublicKey }) => targetPublicKey),
      );
      return (organization?.lists.keys ?? [])
        .filter(({ publicKey }) => created.has(publicKey))
        .map(({ publicKey, description }) => ({ publicKey, description, orgId, orgName }));
    });
  return {
    keys: people.map(keysOf),
    unread: lists.unread.map(({ what, reason }) => ({ what: `API keys created in ${what}`, reason })),
  };
}
