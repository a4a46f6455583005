/**
 * The grammar of the authentication fields: RFC 9110 section 11. Pure; no I/O, no state.
 *
 * Text in here is bytes, one to a character, as the fields come off the wire and go onto it. So a realm outside of
 * ASCII goes back as it came, whatever its encoding.
 */

/** One scheme with its parameters out of a `WWW-Authenticate` field, which may hold several. */
export interface Challenge {
  readonly scheme: string;
  readonly parameters: Parameters;
}

/** By their names in lower case. */
export type Parameters = ReadonlyMap<string, string>;

/**
 * RFC 9110 section 11.2: token68 or a list of `name = token / quoted-string`; schemes follow each other after commas.
 * Values without quotes are taken up to the next comma or space, because nonces hold `+`, `/` and `=`.
 */
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const PARAMETER = `(${TOKEN})\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s,"]+))`;
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

/** A field that is parameters alone, such as `Authentication-Info`. */
export function parseParameters(header: string): Parameters {
  return parseChallenges(`Digest ${header}`)[0]?.parameters ?? new Map();
}

export function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

/** The bytes of a text in UTF-8. */
export function bytesOf(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}
