/** One request on the wire and its answer, read to the end. */
import { isNativeError } from "node:util/types";
import type { Dispatcher } from "undici";
import { WireFault, type WireRequest, type WireResponse } from "./wire";

export interface ExchangeSettings {
  /** Origin of the service: scheme, host and port. */
  readonly origin: string;
  /** Seconds until an exchange without a complete answer is given up. */
  readonly requestTimeoutSeconds: number;
}

/** An answer longer than this is not read on: 32 MiB hold far more than 500 users with all their roles. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** @throws WireFault with what is known: why there is no answer, and whether the request was sent */
export function exchange(
  dispatcher: Dispatcher,
  settings: ExchangeSettings,
  request: WireRequest,
): Promise<WireResponse> {
  return new Exchange(settings, request).run(dispatcher);
}

/**
 * undici's dispatch interface is used because it tells when the request is written to a connection (`onRequestStart`):
 * a failure before that moment has changed nothing in the service, whatever its code.
 */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #settings: ExchangeSettings;
  readonly #request: WireRequest;
  #resolve: (answer: WireResponse) => void = () => {};
  #reject: (fault: WireFault) => void = () => {};
  #controller: Dispatcher.DispatchController | undefined;
  #failure: WireFault | undefined;
  #status = 0;
  #headers: WireResponse["headers"] = {};
  readonly #chunks: Buffer[] = [];
  #size = 0;

  constructor(settings: ExchangeSettings, request: WireRequest) {
    this.#settings = settings;
    this.#request = request;
  }

  async run(dispatcher: Dispatcher): Promise<WireResponse> {
    const { method, target, headers, body, signal } = this.#request;
    const { origin, requestTimeoutSeconds } = this.#settings;
    const answer = new Promise<WireResponse>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    const cancel = () => this.#fail("cancelled", "ended here before an answer came");
    const timer = setTimeout(
      () => this.#fail("timeout", `no complete answer within ${requestTimeoutSeconds} s`),
      requestTimeoutSeconds * 1000,
    );
    signal?.addEventListener("abort", cancel, { once: true });
    try {
      if (signal?.aborted) cancel();
      else {
        const unlimited = { headersTimeout: 0, bodyTimeout: 0 };
        dispatcher.dispatch(
          { origin, path: target, method, headers, body: body ?? null, ...unlimited },
          this,
        );
      }
      return await answer;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", cancel);
    }
  }

  /** Ends the exchange at once, connected or not. */
  #fail(kind: WireFault["kind"], message: string): void {
    this.#failure ??= new WireFault(kind, this.#controller !== undefined, message);
    this.#reject(this.#failure);
    this.#controller?.abort(this.#failure);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#failure) controller.abort(this.#failure);
    else this.#controller = controller;
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    statusCode: number,
    headers: WireResponse["headers"],
  ): void {
    this.#status = statusCode;
    this.#headers = headers;
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    this.#chunks.push(chunk);
    if (this.#size > MAX_BODY_BYTES) {
      this.#fail("oversize", `the answer (status ${this.#status}) is longer than ${MAX_BODY_BYTES} bytes`);
    }
  }

  onResponseEnd(): void {
    const body = Buffer.concat(this.#chunks).toString("utf8");
    this.#resolve({ status: this.#status, headers: this.#headers, body });
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#reject(this.#failure ?? brokenBy(error, this.#controller !== undefined));
  }
}

/** Codes of Node's TLS for a handshake that failed: a chain or a name it does not accept, or no TLS at all. */
const HANDSHAKE = /CERT|ERR_TLS|ERR_SSL|ERR_OSSL|SELF_SIGNED|UNABLE_TO_VERIFY|EPROTO/;

function brokenBy(error: Error, sent: boolean): WireFault {
  const causes = chainOf(error);
  const codes = causes.flatMap(({ code }) => (code === undefined ? [] : [code]));
  const text = causes.map(({ message }) => message).find(Boolean) ?? error.name;
  const message = codes[0] && !text.includes(codes[0]) ? `${text} (${codes[0]})` : text;
  const untrusted = !sent && codes.some((code) => HANDSHAKE.test(code) && !/TIMEOUT/.test(code));
  return new WireFault(untrusted ? "untrusted" : "broken", sent, message, { cause: error });
}

interface Cause {
  readonly message: string;
  readonly code?: string;
}

/** The error, its causes, and what an AggregateError of several addresses holds. */
function chainOf(error: unknown): Cause[] {
  if (!isNativeError(error)) return [];
  const inner = "errors" in error && Array.isArray(error.errors) ? error.errors.flatMap(chainOf) : [];
  const code = "code" in error ? { code: String(error.code) } : {};
  return [{ message: error.message, ...code }, ...inner, ...chainOf(error.cause)];
}
