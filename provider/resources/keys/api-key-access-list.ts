/** The access list of an API key. Addresses and blocks have one form, so that two spellings of an entry are the same. */
import { isIP } from "node:net";
import { IPv4, IPv6, parse, parseCIDR } from "ipaddr.js";
import { z } from "zod";
import {
  type AccessListEntryResponse,
  type ApiKeyResponse,
  addToAccessList,
  listAccessList,
  removeFromAccessList,
} from "../../api/api-keys";
import { ApiError, messageOf } from "../../text/errors";
import { knownTexts, sortedTexts } from "../contract/canonical";
import { type LocatedFailure, repeatedValues } from "../contract/check";
import { changeKind, type Difference, unsureSetDifferences } from "../contract/difference";
import { anyText } from "../contract/fields";
import { pathText } from "../contract/property-path";
import type { Context } from "../contract/resource";
import { isList, type Unsure, type Value } from "../contract/values";
import { orRefusal, Refusal } from "../evidence/refusal";
import { orReached } from "../evidence/reread";
import { warnOfUnread } from "../evidence/unread-warning";

interface Block {
  /** An IPv6 address as RFC 5952 section 4 requires. */
  readonly address: string;
  readonly bits: number;
  /** The block has one address. */
  readonly isAddress: boolean;
  /** The first address of the block. */
  readonly first: string;
}

/** The fault of an entry, as the predicate of a sentence; `undefined` if it is an address or a block. */
export function accessListFault(text: string): string | undefined {
  const block = parseBlock(text);
  if (block === undefined) return "must be an IPv4 or IPv6 address, or a block such as 192.0.2.0/24";
  const { address, bits, isAddress, first } = block;
  if (isAddress || address === first) return undefined;
  return `must be one address or the beginning of a block: write ${address} for the address alone, or ${first}/${bits} for the block`;
}

/** The one form: an address for a block of one address, otherwise the block. */
export function normalEntry(text: string): string {
  const block = parseBlock(text);
  if (block === undefined) return text;
  const { address, bits, isAddress, first } = block;
  return isAddress ? address : `${first}/${bits}`;
}

/** The entry of a response. The service shows an address as a block of one address, too. */
export function entryOf({ cidrBlock, ipAddress }: AccessListEntryResponse): string | undefined {
  const text = cidrBlock ?? ipAddress;
  return text === undefined ? undefined : normalEntry(text);
}

/** The entry as a request has it: the service takes an address or a block. */
export function toRequest(entry: string): AccessListEntryResponse {
  return entry.includes("/") ? { cidrBlock: entry } : { ipAddress: entry };
}

/** Only complete addresses: the package also reads forms such as `10` and `0x7f.1`. */
function parseBlock(text: string): Block | undefined {
  const [given = "", suffix] = text.split("/");
  if (isIP(given) === 0 || given.includes("%")) return undefined;
  const address = parse(given);
  const most = address.kind() === "ipv4" ? 32 : 128;
  const cidr = suffix === undefined ? `${given}/${most}` : text;
  const Family = address.kind() === "ipv4" ? IPv4 : IPv6;
  if (!Family.isValidCIDR(cidr)) return undefined;
  const [, bits] = parseCIDR(cidr);
  const first = Family.networkAddressFromCIDR(cidr).toString();
  return { address: address.toString(), bits, isAddress: bits === most, first };
}

export const accessListInput = z.array(anyText(), "must be a list").optional().meta({
  description:
    "IPv4 and IPv6 addresses, and blocks such as `192.0.2.0/24`, from which the key may be used: a set. If omitted, the access list is not managed. `[]` removes all entries. If an organization requires access lists, a key without an entry is rejected. Entries are added before others are removed.",
});

export function canonicalAccessList(entries: Value): Value | undefined {
  return isList(entries)
    ? sortedTexts(entries.map((entry) => (typeof entry === "string" ? normalEntry(entry) : entry)))
    : entries;
}

/** @param path where the list stands */
export function accessListFailures(
  accessList: Value | undefined,
  path: readonly string[] = ["accessList"],
): LocatedFailure[] {
  const [property = ""] = path;
  const at = pathText(path);
  const entries = isList(accessList) ? accessList : [];
  const faults = entries.flatMap((entry, index) => {
    const fault = typeof entry === "string" && entry !== "" ? accessListFault(entry) : undefined;
    return fault === undefined
      ? []
      : [{ property, path: [...path, index], reason: `${at}[${index}] "${entry as string}" ${fault}.` }];
  });
  const repeated = repeatedValues(knownTexts(accessList).map(normalEntry)).map((entry) => ({
    property,
    path,
    reason: `${at} contains ${entry} more than once.`,
  }));
  return [...faults, ...repeated];
}

export function accessListDifferences(
  recorded: readonly string[] | undefined,
  declared: Unsure<readonly Unsure<string>[]> | undefined,
  before: unknown,
): Difference[] {
  if (declared !== undefined) {
    // A list that was never read may have entries, also if the program declares none.
    return recorded === undefined
      ? [{ path: ["accessList"], kind: "add" }]
      : unsureSetDifferences("accessList", recorded, declared);
  }
  // The update records that the list is no longer managed.
  const kind = changeKind(before, declared);
  return before === undefined ? [] : [{ path: ["accessList"], kind, inputDiff: true }];
}

/** The entries of the key's access list in their one form. */
export async function accessListOf(
  { keyId }: Pick<ApiKeyResponse, "keyId">,
  orgId: string,
  { session, signal }: Pick<Context, "session" | "signal">,
): Promise<string[]> {
  const entries = await listAccessList(session.client, orgId, keyId, signal);
  return entries.flatMap((entry) => entryOf(entry) ?? []);
}

/**
 * Adds what is missing, then removes what is not declared.
 *
 * @param stored the entries now, if they were read
 * @returns the entries afterwards
 */
export async function writeAccessList(
  key: ApiKeyResponse,
  declared: readonly string[],
  orgId: string,
  context: Context,
  stored?: readonly string[],
): Promise<readonly string[]> {
  const { session, signal } = context;
  const live = stored ?? (await accessListOf(key, orgId, context));
  const missing = declared.filter((entry) => !live.includes(entry));
  const extra = live.filter((entry) => !declared.includes(entry));
  if (missing.length === 0 && extra.length === 0) return live;
  const read = (by: AbortSignal) => accessListOf(key, orgId, { session, signal: by });
  if (missing.length > 0) {
    const isReached = (now: readonly string[]) => missing.every((entry) => now.includes(entry));
    const addition = addToAccessList(session.client, orgId, key.keyId, missing.map(toRequest), signal);
    await orReached(addition, { read, isReached }, signal).catch((error: unknown) => {
      // Another program may have added some of the entries, and the service then adds none.
      if (!(error instanceof ApiError) || error.errorCode !== "ADDRESS_ALREADY_IN_ACCESS_LIST") throw error;
    });
    const now = await read(signal);
    if (!isReached(now)) return now;
  }
  for (const entry of extra) {
    const isReached = (now: readonly string[]) => !now.includes(entry);
    const removal = removeFromAccessList(session.client, orgId, key.keyId, entry, signal);
    await orReached(removal, { read, isReached }, signal);
  }
  return read(signal);
}

/**
 * The entries to record: the recorded ones if they cannot be read.
 *
 * @param isImport then an empty list, or one that cannot be read, is not managed
 */
export async function accessListToRecord(
  key: {
    readonly orgId: string;
    readonly keyId: string;
    readonly accessList?: readonly string[] | undefined;
  },
  isImport: boolean,
  context: Context,
): Promise<readonly string[] | undefined> {
  const { orgId, keyId } = key;
  const entries = await orRefusal(accessListOf(key, orgId, context));
  if (!(entries instanceof Refusal)) return isImport && entries.length === 0 ? undefined : entries;
  if (isImport) {
    context.log.warn(
      `The access list of API key ${keyId} cannot be read with these credentials, so it is not managed: ${messageOf(entries.error)} Before you declare accessList, look at the list in the service: entries that the program lacks are removed.`,
    );
  } else {
    warnOfUnread("organization keys", orgId, entries.error, context, `access list of API key ${keyId}`);
  }
  return key.accessList;
}
