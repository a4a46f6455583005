/**
 * The one function that every log line and every error text passes: nothing that opens a door leaves the process.
 */

/** Text that replaces a secret. */
const MASK = "[secret]";

/** Secrets that are recognised by where they stand, whatever their value. */
const SHAPES: readonly (readonly [RegExp, string])[] = [
  [/\bDigest\s+username=[^\r\n]*/gi, `Digest ${MASK}`],
  [/("agentApiKey"\s*:\s*")[^"]*(")/g, `$1${MASK}$2`],
  [/(-----BEGIN [A-Z ]*PRIVATE KEY-----)[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----)/g, `$1${MASK}$2`],
  [/(\/\/)[^/\s:@]+:[^/\s@]+@/g, `$1${MASK}@`],
];

export type Redact = (text: string) => string;

/**
 * @param secrets values that must never be seen: the private key, key material, the proxy's password
 * @returns a function that masks them, also where they stand percent-encoded or JSON-escaped
 */
export function createRedact(secrets: readonly (string | undefined)[]): Redact {
  const forms = new Set<string>();
  for (const secret of secrets) {
    if (!secret) continue;
    for (const form of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
      forms.add(form);
  }
  const longestFirst = [...forms].sort((a, b) => b.length - a.length);
  return (text) => {
    const masked = longestFirst.reduce((result, secret) => result.replaceAll(secret, MASK), text);
    return SHAPES.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), masked);
  };
}
