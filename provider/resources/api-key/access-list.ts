/** Addresses and blocks of addresses in one form, so that two spellings of an entry are the same. Pure. */
import { isIP } from "node:net";
import { IPv4, IPv6, parse, parseCIDR } from "ipaddr.js";
import type { AccessListEntryResponse } from "../../api/api-keys";

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
