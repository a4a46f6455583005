/** Decodes the body of a response: size limit, gzip, UTF-8. */
import { isUtf8 } from "node:buffer";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { headerValues, WireFault, type WireResponse } from "./wire";

/**
 * Limit for the length of a response: 32 MiB is far more than 500 users with all their roles need.
 */
const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** The only compression that requests accept. */
export const ACCEPTED_ENCODING = "gzip";

const inflate = promisify(gunzip);

type Head = Omit<WireResponse, "body">;

/**
 * Checks the announced and the received length of a response.
 *
 * @returns the fault if the response is longer than the limit
 */
export function tooLong(head: Head, bytes: number): WireFault | undefined {
  const announced = Number(headerValues(head, "content-length")[0] ?? 0);
  return Math.max(bytes, announced) > MAX_BODY_BYTES ? oversize(head.status) : undefined;
}

/**
 * Returns a promise only if the body is compressed. Most bodies are short and uncompressed.
 *
 * @throws WireFault for a body that cannot be read; the outcome of the request is then as unknown
 * as without a response
 */
export function readBody(head: Head, chunks: readonly Buffer[]): string | Promise<string> {
  const bytes = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
  // An empty body needs no decompression, whatever the header declares (a response to DELETE, a
  // 304).
  const isPlain = head.headers["content-encoding"] === undefined || bytes.length === 0;
  return isPlain ? textOf(head, bytes) : unpacked(head, bytes).then((plain) => textOf(head, plain));
}

/**
 * Decompresses a body in one step, not as a stream: its length is already limited.
 * `maxOutputLength` stops at the limit, so a small response cannot fill the memory.
 */
async function unpacked(head: Head, bytes: Buffer): Promise<Buffer> {
  const encodings = headerValues(head, "content-encoding").join(",").toLowerCase().split(",");
  const [encoding, ...more] = encodings
    .map((name) => name.trim())
    .filter((name) => !/^(identity)?$/.test(name));
  if (encoding === undefined) return bytes;
  if (!/^(x-)?gzip$/.test(encoding) || more.length > 0) {
    throw unusable(head, `is compressed in a way that was not requested (${printable([encoding, ...more])})`);
  }
  try {
    return await inflate(bytes, { maxOutputLength: MAX_BODY_BYTES });
  } catch (error) {
    if (isObject(error) && error.code === "ERR_BUFFER_TOO_LARGE") throw oversize(head.status);
    throw unusable(head, "is declared as gzip and cannot be decompressed", error);
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/**
 * Decodes a body as text. JSON is UTF-8 (RFC 8259 section 8.1), whatever the header declares: the
 * API's own 401 is documented as `application/json;charset=ISO-8859-1`. The declared ISO-8859-1 is
 * used only for bytes that are not valid UTF-8. In a successful response, other invalid bytes are an
 * error: replacement characters would enter recorded and compared names. In the text of an error
 * they do no harm.
 */
function textOf(head: Head, bytes: Buffer): string {
  if (isUtf8(bytes)) return withoutMark(bytes.toString("utf8"));
  const contentType = headerValues(head, "content-type")[0] ?? "";
  if (/charset\s*=\s*"?(iso-8859-1|windows-1252)/i.test(contentType)) return bytes.toString("latin1");
  if (head.status >= 300) return bytes.toString("utf8");
  throw unusable(head, "is not text in UTF-8");
}

/**
 * Removes a byte order mark. RFC 8259 section 8.1 lets a reader ignore it; `JSON.parse` does not.
 */
function withoutMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

function oversize(status: number): WireFault {
  return new WireFault(
    "unusable",
    true,
    `the response (status ${status}) is longer than ${MAX_BODY_BYTES} bytes`,
  );
}

function unusable({ status }: Head, what: string, cause?: unknown): WireFault {
  return new WireFault("unusable", true, `the response (status ${status}) ${what}`, { cause });
}

function printable(encodings: readonly string[]): string {
  return encodings
    .join(", ")
    .replace(/[^\w, -]/g, "")
    .slice(0, 40);
}
