/**
 * The one function that every log line and every error text passes: nothing that opens a door leaves the process.
 */
import querystring from "node:querystring";
import { inOneLine, visibleText } from "../visible-text";

/** Text that replaces a secret. */
const MASK = "[secret]";

/** Ends a text of others that was cut. A secret may have been cut with it: what is left of one before this sign is masked too. */
export const CUT = "…";

/** So few letters of a secret are left in many words. */
const LEAST_REMAINS = 4;

/** Secrets that are recognised by where they stand, whatever their value. */
const SHAPES: readonly (readonly [RegExp, string])[] = [
  [/\bDigest\s+username\*?=[^\r\n]*/gi, `Digest ${MASK}`],
  [/(authorization\\?["']?\s*[:=]\s*\\?["']?(?:Basic|Bearer)\s+)[^\s"'\\]+/gi, `$1${MASK}`],
  [/(\\?"agentApiKey\\?"\s*:\s*\\?")[^"\\]*/g, `$1${MASK}`],
  [/(-----BEGIN [A-Z ]*PRIVATE KEY-----)[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g, `$1${MASK}$2`],
  [/(\/\/)[^/\s:@]*:[^/\s@]+@/g, `$1${MASK}@`],
];

/** A word of each shape. Most lines have none, and are looked through once and not five times. */
const WORD_OF_A_SHAPE = /digest|authorization|agentApiKey|PRIVATE KEY|@/i;

export type Redact = (text: string) => string;

/**
 * @param secrets values that must never be seen: the private key, key material, the proxy's address with its password
 * @param anyCase masks them in any spelling: names of people mean the same in all of them
 * @returns a function that masks them, also where they stand percent-encoded, JSON-escaped, in one line or as Basic credentials
 */
export function createRedact(secrets: readonly (string | undefined)[], anyCase = false): Redact {
  const values = secrets.flatMap((secret) => (secret ? [secret, ...credentialsIn(secret)] : []));
  const forms = new Set(values.flatMap(formsOf));
  const longestFirst = [...forms].filter(Boolean).sort((a, b) => b.length - a.length);
  const patterns = longestFirst.map((form) => new RegExp(literally(form), anyCase ? "gi" : "g"));
  return (text) => {
    const whole = patterns.reduce((result, pattern) => result.replace(pattern, MASK), text);
    const masked = withoutRemains(whole, longestFirst, anyCase);
    if (!WORD_OF_A_SHAPE.test(masked)) return masked;
    return SHAPES.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), masked);
  };
}

function withoutRemains(text: string, secrets: readonly string[], anyCase: boolean): string {
  const fold = (part: string) => (anyCase ? part.toLowerCase() : part);
  const remains = (before: string) => (secret: string) => {
    for (let length = Math.min(secret.length - 1, before.length); length >= LEAST_REMAINS; length -= 1) {
      if (fold(before.slice(-length)) === fold(secret.slice(0, length))) return length;
    }
    return 0;
  };
  const pieces = text.split(CUT);
  const last = pieces.length - 1;
  return pieces
    .map((piece, index) => {
      const length = index === last ? 0 : Math.max(0, ...secrets.map(remains(piece)));
      return length === 0 ? piece : piece.slice(0, -length) + MASK;
    })
    .join(CUT);
}

/** What a proxy's address holds of secrets, as it may stand alone in a message of the network's libraries. */
function credentialsIn(secret: string): string[] {
  if (!/^https?:\/\//i.test(secret) || !URL.canParse(secret)) return [];
  const { username, password } = new URL(secret);
  if (!username && !password) return [];
  const [name = "", plain = ""] = [username, password].map((text) => querystring.unescape(text));
  return [password, plain, Buffer.from(`${name}:${plain}`).toString("base64")];
}

function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function formsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  return [
    secret,
    inOneLine(secret),
    visibleText(secret),
    visibleText(json),
    encodeURIComponent(secret),
    json,
  ];
}

/** For everything that one provider says: its settings hold these secrets and no others. */
export function createSettingsRedact(settings: {
  readonly privateKey: string;
  readonly clientKey?: string | undefined;
  readonly proxyUrl?: string | undefined;
}): Redact {
  return createRedact([settings.privateKey, settings.clientKey, settings.proxyUrl]);
}
