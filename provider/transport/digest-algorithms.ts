/** The hashes of Digest, by their names in challenges. */
import { hash } from "node:crypto";

/**
 * The algorithms spoken here, strongest last. Names as in RFC 7616 section 6.1, lower case for comparison. SHA-512 is
 * not among the RFC's, but servers offer it (httpbin, Python's requests speak it).
 */
const HASHES = {
  md5: "md5",
  "md5-sess": "md5",
  "sha-256": "sha256",
  "sha-256-sess": "sha256",
  "sha-512": "sha512",
  // FIPS 180-4 section 5.3.6, not SHA-512 cut in half: erratum 4897 of RFC 7616.
  "sha-512-256": "sha512-256",
  "sha-512-256-sess": "sha512-256",
} as const;
export type Algorithm = keyof typeof HASHES;
const NAMES: readonly string[] = Object.keys(HASHES);

/** @returns `undefined` for an algorithm that is not spoken here */
export function algorithmOf(text: string): Algorithm | undefined {
  const name = text.toLowerCase();
  return isAlgorithm(name) ? name : undefined;
}

function isAlgorithm(name: string): name is Algorithm {
  return Object.hasOwn(HASHES, name);
}

/** For comparison: the stronger one is greater. */
export function strengthOf(algorithm: Algorithm): number {
  return NAMES.indexOf(algorithm);
}

/** @param bytes one to a character */
export function hashOf(algorithm: Algorithm, bytes: string): string {
  return hash(HASHES[algorithm], Buffer.from(bytes, "latin1"), "hex");
}
