import type { SendRequest, WireRequest, WireResponse } from "../../../provider/transport/wire";

/** What a layer under test sent on, in order, and how each request is answered. */
export interface FakeWire {
  readonly send: SendRequest;
  readonly sent: WireRequest[];
}

export function fakeWire(
  response: (request: WireRequest, count: number) => WireResponse | Promise<WireResponse>,
): FakeWire {
  const sent: WireRequest[] = [];
  return {
    sent,
    send: async (request) => {
      sent.push(request);
      return response(request, sent.length);
    },
  };
}

export const get = (target = "/groups"): WireRequest => ({ method: "GET", target, headers: {} });
export const post = (target = "/groups"): WireRequest => ({
  method: "POST",
  target,
  headers: {},
  body: "{}",
});

export const ok: WireResponse = { status: 200, headers: {}, body: "{}" };

export function status(code: number, body = "", headers: WireResponse["headers"] = {}): WireResponse {
  return { status: code, headers, body };
}

/** A promise that is settled from outside, to hold a response back. */
export function held<T>(): {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(error: Error): void;
} {
  let resolve: (value: T) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

/** Lets everything run that is ready to. */
export async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
