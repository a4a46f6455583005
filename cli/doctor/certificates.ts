/** Checks the certificate chain that a service sends. */
import type { DetailedPeerCertificate, PeerCertificate } from "node:tls";
import { certificatesIn } from "../../provider/settings/certificates";
import { inOneLine } from "../../provider/text/visible-text";
import { DAY_MILLISECONDS } from "../lib/connection";
import { type DoctorResult, type Finding, named, ok, warning } from "./results";

const SOON_DAYS = 30;

/** @param caCert PEM of the setting, to distinguish a private authority from a public one */
export function describeChain(
  peer: DetailedPeerCertificate,
  caCert: string | undefined,
  now = Date.now(),
): DoctorResult[] {
  const chain = chainOf(peer);
  const results = chain.map((one) => named("connection.certificate", describeCertificate(one, now)));
  const anchor = chain.at(-1);
  const isRoot = anchor && JSON.stringify(anchor.subject) === JSON.stringify(anchor.issuer);
  if (!isRoot) return results;
  const own = new Set(caCert === undefined ? [] : certificatesIn(caCert).map((one) => one.fingerprint256));
  const name = distinguishedName(anchor.subject);
  const authority = chain.some(({ fingerprint256 }) => own.has(fingerprint256))
    ? `The authority ${name} is in caCert`
    : `The chain ends at ${name}, which is not in caCert`;
  return [...results, named("connection.authority", ok(authority))];
}

/**
 * The chain from the service's own certificate upwards. Node adds the authority from those it
 * trusts, and ends a chain with one that is its own issuer.
 */
function chainOf(peer: DetailedPeerCertificate): DetailedPeerCertificate[] {
  const chain: DetailedPeerCertificate[] = [];
  const visited = new Set<string>();
  let next: DetailedPeerCertificate | undefined = peer;
  while (next?.fingerprint256 && !visited.has(next.fingerprint256)) {
    chain.push(next);
    visited.add(next.fingerprint256);
    next = next.issuerCertificate;
  }
  return chain;
}

function describeCertificate(
  { subject, issuer, valid_from, valid_to }: PeerCertificate,
  now: number,
): Finding {
  const [from, to] = [new Date(valid_from), new Date(valid_to)];
  const text = `${distinguishedName(subject)}, issued by ${distinguishedName(issuer)}, valid ${day(from)} to ${day(to)}`;
  const left = Math.floor((to.getTime() - now) / DAY_MILLISECONDS);
  if (to.getTime() < now) return warning(`${text}: it has expired.`, "Renew the certificate.");
  if (from.getTime() > now) return warning(`${text}: not valid yet.`, "Check this machine's clock.");
  if (left < SOON_DAYS) return warning(`${text}: ${left} days are left.`, "Renew the certificate soon.");
  return ok(text);
}

function distinguishedName(name: PeerCertificate["subject"] | undefined): string {
  const parts = name ? [name.CN, name.O].flat().filter((part) => part !== undefined) : [];
  return inOneLine(parts.join(", ")) || "(no name)";
}

function day(date: Date): string {
  return Number.isNaN(date.getTime()) ? "(unknown)" : date.toISOString().slice(0, 10);
}
