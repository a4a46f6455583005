/** The hash algorithms of Digest, by their names in challenges. */
import { hash } from "node:crypto";

/**
 * The supported algorithms, strongest last. Names as in RFC 7616 section 6.1, in lower case for
 * comparison. SHA-512 is not in the RFC, but servers offer it (httpbin; Python's requests supports
 * it).
 */
const HASHES = {
  md5: "md5",
  "md5-sess": "md5",
  "sha-256": "sha256",
  "sha-256-sess": "sha256",
  "sha-512": "sha512",
  // SHA-512/256 of FIPS 180-4 section 5.3.6, not a truncated SHA-512: erratum 4897 of RFC 7616.
  "sha-512-256": "sha512-256",
  "sha-512-256-sess": "sha512-256",
} as const;
export type Algorithm = keyof typeof HASHES;
const ALGORITHM_NAMES: readonly string[] = Object.keys(HASHES);

/** @returns `undefined` for an unsupported algorithm */
export function algorithmOf(text: string): Algorithm | undefined {
  const name = text.toLowerCase();
  return isAlgorithm(name) ? name : undefined;
}

function isAlgorithm(name: string): name is Algorithm {
  return Object.hasOwn(HASHES, name);
}

/** Ranks algorithms for comparison: the stronger one is greater. */
export function strengthOf(algorithm: Algorithm): number {
  return ALGORITHM_NAMES.indexOf(algorithm);
}

/** @param bytes one byte per character */
export function hashOf(algorithm: Algorithm, bytes: string): string {
  return hash(HASHES[algorithm], Buffer.from(bytes, "latin1"), "hex");
}
