/**
 * The grammar of the authentication fields: RFC 9110 section 11. Pure; no I/O, no state.
 *
 * Text in this file is bytes, one per character, as they are sent and received. So a realm outside
 * of ASCII is echoed unchanged, whatever its encoding.
 */

/** One scheme with its parameters from a `WWW-Authenticate` field, which may hold several. */
export interface Challenge {
  readonly scheme: string;
  readonly parameters: Parameters;
}

/** Parameters by their names in lower case. */
export type Parameters = ReadonlyMap<string, string>;

/**
 * RFC 9110 section 11.2: token68 or a list of `name = token / quoted-string`; schemes are
 * separated by commas. Values without quotes end at the next comma or space, because nonces
 * contain `+`, `/` and `=`.
 */
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const PARAMETER = `(${TOKEN})\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s,"]*))`;
const SCHEME = `(${TOKEN})(?=\\s|$|,)(?:\\s+[0-9A-Za-z._~+/-]+=*(?=\\s*(?:,|$)))?`;
const PART = new RegExp(`[\\s,]*(?:${PARAMETER}|${SCHEME})`, "y");

export function parseChallenges(header: string): Challenge[] {
  const challenges: { scheme: string; parameters: Map<string, string> }[] = [];
  PART.lastIndex = 0;
  for (let match = PART.exec(header); match; match = PART.exec(header)) {
    const [, name, quotedValue, token, scheme] = match;
    if (scheme !== undefined) {
      challenges.push({ scheme: scheme.toLowerCase(), parameters: new Map() });
    } else if (name !== undefined) {
      const value = quotedValue !== undefined ? quotedValue.replace(/\\(.)/g, "$1") : (token ?? "");
      challenges.at(-1)?.parameters.set(name.toLowerCase(), value);
    }
  }
  return challenges;
}

/** Parses a field that holds only parameters, such as `Authentication-Info`. */
export function parseParameters(header: string): Parameters {
  return parseChallenges(`Digest ${header}`)[0]?.parameters ?? new Map();
}

export function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

/** Encodes a text as UTF-8, one character per byte. */
export function bytesOf(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}
