/**
 * The one function that every log line and error text passes through, so no secret leaves the
 * process.
 */
import querystring from "node:querystring";
import type { Credentials } from "../settings/credentials";
import { inOneLine, visibleText } from "../text/visible-text";
import { basicCredentials } from "./bearer-auth";

/** The text that replaces a secret. */
const MASK = "[secret]";

/**
 * The sign at the end of truncated text from outside. A secret may have been truncated too: the
 * rest of one before this sign is masked.
 */
export const CUT = "…";

/** Shortest rest of a truncated secret that is masked. Shorter ones occur in many words. */
const LEAST_REMAINS = 4;

/**
 * A shorter secret is masked only where it is a whole word. It may be a part of others, as `team` is of `teams`, and
 * a message in which these are masked tells nobody what failed. Passwords have at least eight characters by NIST SP
 * 800-63B, and the keys of Ops Manager and tokens have more, so these are masked wherever they are.
 */
const LEAST_ANYWHERE = 8;

/**
 * What stands around a whole word, also if the word itself begins or ends with punctuation. Letters without capitals are
 * no part of it, because many such scripts have no spaces between words. An escaped character, such as the `%2F` of an
 * address or the `\n` of JSON, ends with a letter and is no part of it either.
 */
const [BEFORE_WORD, AFTER_WORD] = [
  String.raw`(?:(?=\p{Lo})|(?<![\p{LC}\p{M}\p{N}_])|(?<=%(?:25)*[\da-fA-F]{2}|\\(?:[bfnrt]|u[\da-fA-F]{4})))`,
  String.raw`(?:(?<=\p{Lo})|(?![\p{LC}\p{M}\p{N}_]))`,
];

/** Secrets recognized by their position, whatever their value. */
const SHAPES: readonly (readonly [RegExp, string])[] = [
  [/\bDigest\s+username\*?=[^\r\n]*/gi, `Digest ${MASK}`],
  [/(authorization\\?["']?\s*[:=]\s*\\?["']?(?:Basic|Bearer)\s+)[^\s"'\\]+/gi, `$1${MASK}`],
  // In a created key and the response to a request for a token. A response that is cut off is quoted as text.
  [/(\\?"(?:agentApiKey|privateKey|key|access_token)\\?"\s*:\s*\\?")[^"\\]*/g, `$1${MASK}`],
  [/(-----BEGIN [A-Z ]*PRIVATE KEY-----)[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g, `$1${MASK}$2`],
  [/(\/\/)[^/\s:@]*:[^/\s@]+@/g, `$1${MASK}@`],
  // An access token of Cloud Manager is a JSON Web Token (RFC 7519). Its Base64 begins with `{"`.
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, MASK],
];

/** Matches a word of each shape. Most lines have none, and need one search instead of six. */
const WORD_OF_A_SHAPE = /digest|authorization|key\\?"|access_token|PRIVATE KEY|@|eyJ/i;

export type Redact = (text: string) => string;

/**
 * @param secrets values to mask: the private key, key material, the proxy's address with its
 * password
 * @param anyCase masks them in any letter case: names of people are case-insensitive
 * @returns a function that masks them, also percent-encoded, JSON-escaped, in one line or as Basic
 * credentials
 */
export function createRedact(secrets: readonly (string | undefined)[], anyCase = false): Redact {
  const values = secrets.flatMap((secret) => (secret ? [secret, ...credentialsIn(secret)] : []));
  const forms = new Set(values.flatMap(formsOf));
  const longestFirst = [...forms].filter(Boolean).sort((a, b) => b.length - a.length);
  const fold = (text: string) => (anyCase ? text.toUpperCase() : text);
  const folded = longestFirst.map(fold);
  return (text) => {
    const searched = fold(text);
    // To search is faster than to compile a pattern, and a text has few of a thousand secret names.
    const present = longestFirst.filter((_, index) => searched.includes(folded[index] ?? ""));
    const whole = present.reduce((result, form) => result.replace(patternOf(form, anyCase), MASK), text);
    const masked = withoutRemains(whole, longestFirst, fold);
    if (!WORD_OF_A_SHAPE.test(masked)) return masked;
    return SHAPES.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), masked);
  };
}

/** Masks the secrets of one operation too. The service may return a secret in another letter case than it was sent. */
export function alsoRedact(redact: Redact, secrets: readonly string[]): Redact {
  if (secrets.length === 0) return redact;
  const redactSecrets = createRedact(secrets, true);
  return (text) => redactSecrets(redact(text));
}

function patternOf(form: string, anyCase: boolean): RegExp {
  const literal = form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const pattern = form.length < LEAST_ANYWHERE ? `${BEFORE_WORD}${literal}${AFTER_WORD}` : literal;
  return new RegExp(pattern, anyCase ? "giu" : "gu");
}

function withoutRemains(text: string, secrets: readonly string[], fold: (part: string) => string): string {
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

/**
 * The secrets in a proxy's address, as they may occur alone in a message of the network libraries.
 */
function credentialsIn(secret: string): string[] {
  if (!/^https?:\/\//i.test(secret) || !URL.canParse(secret)) return [];
  const { username, password } = new URL(secret);
  if (!username && !password) return [];
  const [name = "", plain = ""] = [username, password].map((text) => querystring.unescape(text));
  return [password, plain, Buffer.from(`${name}:${plain}`).toString("base64")];
}

function formsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  return [
    secret,
    inOneLine(secret),
    visibleText(secret),
    visibleText(json),
    encodeURIComponent(secret.toWellFormed()),
    json,
  ];
}

interface SecretSettings {
  readonly clientKey?: string | undefined;
  readonly proxyUrl?: string | undefined;
}

/**
 * Masks the secrets of one provider's settings in all its output.
 *
 * @param tokens access tokens of the service account
 */
export function createSettingsRedact(
  { privateKey, serviceAccount, clientKey, proxyUrl }: Credentials & SecretSettings,
  tokens: readonly string[] = [],
): Redact {
  const ofAccount = serviceAccount
    ? [serviceAccount.clientSecret, basicCredentials(serviceAccount), serviceAccount.tokenProxyUrl, ...tokens]
    : [];
  return createRedact([privateKey, clientKey, proxyUrl, ...ofAccount]);
}
