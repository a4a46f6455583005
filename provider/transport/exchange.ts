/** Sends one request and reads its response to the end. */
import type { Dispatcher } from "undici";
import { ACCEPTED_ENCODING, readBody, tooLong } from "./body";
import { type ConnectionRoute, connectionFault } from "./connection-fault";
import { WireFault, type WireRequest, type WireResponse } from "./wire";

export interface ExchangeSettings {
  /** Origin of the service: scheme, host and port. */
  readonly origin: string;
  /** Seconds after which an exchange without a complete response ends. */
  readonly requestTimeoutSeconds: number;
  /** For advice in messages. */
  readonly route: ConnectionRoute;
}

/** @throws WireFault with the reason, and whether the request was sent */
export function exchange(
  dispatcher: Dispatcher,
  settings: ExchangeSettings,
  request: WireRequest,
): Promise<WireResponse> {
  return new Exchange(settings, request).run(dispatcher);
}

/**
 * One exchange through undici's dispatch interface. That interface reports when the request is
 * written to a connection (`onRequestStart`). A failure before that moment has changed nothing in
 * the service, whatever its code.
 */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #settings: ExchangeSettings;
  readonly #request: WireRequest;
  #resolve: (response: WireResponse | Promise<WireResponse>) => void = () => {};
  #reject: (fault: unknown) => void = () => {};
  #controller: Dispatcher.DispatchController | undefined;
  #failure: WireFault | undefined;
  #head: Omit<WireResponse, "body"> = { status: 0, headers: {} };
  readonly #chunks: Buffer[] = [];
  #size = 0;

  constructor(settings: ExchangeSettings, request: WireRequest) {
    this.#settings = settings;
    this.#request = request;
  }

  run(dispatcher: Dispatcher): Promise<WireResponse> {
    const { signal } = this.#request;
    const { requestTimeoutSeconds } = this.#settings;
    const cancel = () => this.#fail("canceled", "canceled before the response arrived");
    const timer = setTimeout(
      () => this.#fail("timeout", `no complete response within ${requestTimeoutSeconds} s`),
      requestTimeoutSeconds * 1000,
    );
    signal?.addEventListener("abort", cancel, { once: true });
    const release = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", cancel);
    };
    return new Promise<WireResponse>((resolve, reject) => {
      this.#resolve = (response) => {
        release();
        resolve(response);
      };
      this.#reject = (fault) => {
        release();
        reject(fault);
      };
      if (signal?.aborted) cancel();
      else this.#dispatch(dispatcher);
    });
  }

  #dispatch(dispatcher: Dispatcher): void {
    const { method, target, headers, body } = this.#request;
    dispatcher.dispatch(
      {
        origin: this.#settings.origin,
        path: target,
        method,
        headers: { ...headers, "accept-encoding": ACCEPTED_ENCODING },
        body: body ?? null,
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      this,
    );
  }

  /** Ends the exchange at once, connected or not. */
  #fail(kind: WireFault["kind"], message: string): void {
    this.#end(new WireFault(kind, this.#controller !== undefined, message));
  }

  #end(fault: WireFault): void {
    this.#failure ??= fault;
    this.#reject(this.#failure);
    this.#controller?.abort(this.#failure);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#failure) controller.abort(this.#failure);
    else this.#controller = controller;
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: WireResponse["headers"]): void {
    this.#head = { status, headers };
    this.#keepToLimit();
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    this.#chunks.push(chunk);
    this.#keepToLimit();
  }

  #keepToLimit(): void {
    const fault = tooLong(this.#head, this.#size);
    if (fault) this.#end(fault);
  }

  onResponseEnd(): void {
    const head = this.#head;
    const response = (body: string): WireResponse => ({ ...head, body });
    try {
      const body = readBody(head, this.#chunks);
      this.#resolve(typeof body === "string" ? response(body) : body.then(response));
    } catch (error) {
      this.#reject(error);
    }
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    const { route } = this.#settings;
    this.#reject(this.#failure ?? connectionFault(error, this.#controller !== undefined, route));
  }
}
