import { createRetry } from "../../../provider/transport/retry";
import { WireFault, type WireResponse } from "../../../provider/transport/wire";
import { FakeClock } from "./fake-clock";
import { fakeWire, status } from "./fake-wire";

export const unsent = () => new WireFault("broken", false, "connect ECONNREFUSED 127.0.0.1:1");
export const lost = () => new WireFault("broken", true, "other side closed");
export const timeout = () => new WireFault("timeout", true, "no complete response within 60 s");
export const upgrading = status(405, '{"errorCode":"WRITES_NOT_ALLOWED_DURING_APP_UPGRADES"}');

export type Step = WireResponse | (() => WireFault);

interface Options {
  readonly maxRetries?: number;
  readonly onLog?: (line: string) => void;
  /** How long each attempt takes. */
  readonly secondsEach?: number;
}

/** Responses the steps in turn; the last one again and again. */
export function retrying(steps: readonly Step[], settings: Options = {}) {
  const lines: string[] = [];
  const clock = new FakeClock();
  const wire = fakeWire((_, count) => {
    const step = steps[Math.min(count, steps.length) - 1];
    if (step === undefined) throw new Error("No step is left.");
    clock.advance((settings.secondsEach ?? 0) * 1000);
    if (typeof step === "function") throw step();
    return step;
  });
  const retry = createRetry(
    {
      origin: "https://ops-manager.example.com",
      requestTimeoutSeconds: 60,
      maxRetries: settings.maxRetries ?? 4,
      log: (line) => {
        lines.push(line);
        settings.onLog?.(line);
      },
    },
    clock,
  );
  return { wire, lines, clock, send: retry(wire.send) };
}
