import type { DigestForm, DigestRefusal } from "./digest-server";
import type { TokenRefusal } from "./token-server";

/** One request as the sandbox saw it. Holds no Authorization header and no secret of a path or a body. */
export interface RequestRecord {
  /** Counts from 1 over the sandbox's life; clearing the log does not start it again. */
  readonly id: number;
  /** ISO 8601, by the sandbox's clock. */
  readonly time: string;
  readonly method: string;
  readonly path: string;
  /** Without the question mark; empty when there was none. */
  readonly query: string;
  /** Public key the request named, right or wrong; undefined without credentials. */
  readonly publicKey?: string | undefined;
  /** Client ID of the service account whose token the request had, or that requested a token. */
  readonly clientId?: string | undefined;
  /** Whether the credentials were accepted. A 401 with an errorCode (missing role) counts as authorized. */
  readonly authorized: boolean;
  /** Why the credentials were not accepted. */
  readonly refusal?: DigestRefusal | TokenRefusal | undefined;
  /** Form of the accepted Digest response, and its nc. */
  readonly digest?: { readonly form: DigestForm; readonly nc?: number } | undefined;
  /** Parsed JSON body, or the text when it is not JSON. */
  readonly body?: unknown;
  /** Undefined when the connection was cut by an injected fault. */
  readonly status?: number | undefined;
  readonly errorCode?: string | undefined;
  /** The injected fault that was applied. */
  readonly fault?: string | undefined;
  /** Only after a mistake in the sandbox itself: what went wrong. Please report it. */
  readonly internalError?: string | undefined;
}

/** Requests kept at most; the oldest go first. */
const maxRecords = 50_000;

const secretFields = new Set(["agentApiKey", "privateKey", "password"]);

/** An agent key or a private key, as in the path of GET /groups/byAgentApiKey/{key}. IDs are shorter. */
const keyForms = /[0-9a-f]{32,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

const withoutKeys = (text: string) => text.replace(keyForms, "<secret>");

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      secretFields.has(name) ? "<secret>" : withoutSecrets(inner),
    ]),
  );
}

/** The body as it is logged: parsed where possible, secrets replaced. */
export function loggedBody(text: string | undefined): unknown {
  if (text === undefined || text === "") return undefined;
  try {
    return withoutSecrets(JSON.parse(text));
  } catch {
    return "<not JSON>";
  }
}

function line(record: RequestRecord): string {
  const target = record.query === "" ? record.path : `${record.path}?${record.query}`;
  const outcome = record.status ?? "cut";
  const notes = [
    record.errorCode,
    record.refusal,
    record.fault && `fault: ${record.fault}`,
    record.internalError,
  ];
  const who = record.publicKey ?? record.clientId ?? "-";
  return [record.time, who, record.method, target, outcome, ...notes]
    .filter((part) => part !== undefined)
    .join(" ");
}

/** What happened, in order. */
export class RequestLog {
  private records: RequestRecord[] = [];
  private lastId = 0;

  /** `write` gets one line per request, without line end. */
  constructor(private readonly write: ((line: string) => void) | undefined) {}

  add(record: Omit<RequestRecord, "id">): void {
    this.lastId += 1;
    const { path, query } = record;
    const numbered = { id: this.lastId, ...record, path: withoutKeys(path), query: withoutKeys(query) };
    this.records.push(numbered);
    if (this.records.length > maxRecords) this.records.shift();
    this.write?.(line(numbered));
  }

  all(): readonly RequestRecord[] {
    return [...this.records];
  }

  clear(): void {
    this.records = [];
  }
}
