import { BlockList, isIP } from "node:net";
import type { AccessListEntry, Caller } from "./model";
import type { World } from "./store";

/** From which addresses a key may be used. */

const familyOf = (address: string): "ipv4" | "ipv6" => (isIP(address) === 6 ? "ipv6" : "ipv4");

/** Whether the block has the address. An IPv4 address that a socket shows in IPv6 form is the IPv4 address. */
export function hasAddress({ cidrBlock }: AccessListEntry, address: string): boolean {
  const [network = "", bits = ""] = cidrBlock.split("/");
  const plain = address.replace(/^::ffff:/, "");
  const block = new BlockList();
  block.addSubnet(network, Number(bits), familyOf(network));
  return block.check(plain, familyOf(plain));
}

export function isAllowedFrom({ switches }: World, key: Caller, address: string): boolean {
  if (!key.ipAllowed) return false;
  if (key.accessList.length === 0) return !switches.requiredAccessList;
  return key.accessList.some((entry) => hasAddress(entry, address));
}

/** The block that an address or a block of a request stands for; undefined if it is neither. */
export function blockOf(text: string): string | undefined {
  const [address = "", suffix] = text.split("/");
  const family = isIP(address);
  if (family === 0) return undefined;
  const most = family === 4 ? 32 : 128;
  const bits = suffix === undefined ? most : Number(suffix);
  return Number.isInteger(bits) && bits >= 0 && bits <= most ? `${address}/${bits}` : undefined;
}
