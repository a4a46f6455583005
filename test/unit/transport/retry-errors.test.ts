/** The whole error that ends a call: its code, its text to the last character, and the fault as its cause. */
import { WireFault } from "../../../provider/transport/wire";
import { get, post, status } from "./fake-wire";
import { lost, retrying, type Step } from "./retrying";

const origin = "https://ops-manager.example.com";

async function errorOf(step: Step, request = get()): Promise<Error & { code?: string }> {
  const { send } = retrying([step], { maxRetries: 0 });
  return send(request).then(
    () => {
      throw new Error("The call succeeded.");
    },
    (error) => error,
  );
}

interface EndedBy {
  readonly kind: WireFault["kind"];
  readonly sent?: boolean;
  readonly text: string;
  readonly advice?: string;
  readonly code: string;
  readonly message: string;
}

const late = "no complete response within 60 s";
const setting = "(setting requestTimeoutSeconds)";
const check = "heck baseUrl, the network and proxyUrl.";

const endings: readonly EndedBy[] = [
  {
    kind: "untrusted",
    text: "self-signed certificate",
    advice: "Set caCert.",
    code: "OPSMANAGER_UNREACHABLE",
    message: `No trusted connection to ${origin}: self-signed certificate. Set caCert.`,
  },
  {
    kind: "proxyRefused",
    text: "the proxy p returned status 403",
    code: "OPSMANAGER_UNREACHABLE",
    message: `${origin} cannot be reached: the proxy p returned status 403.`,
  },
  {
    kind: "proxyRefused",
    text: "the proxy p returned status 407",
    advice: "Set proxyUrl.",
    code: "OPSMANAGER_UNREACHABLE",
    message: `${origin} cannot be reached: the proxy p returned status 407. Set proxyUrl.`,
  },
  {
    kind: "unusable",
    sent: true,
    text: "the response is longer than 1 bytes",
    code: "OPSMANAGER_UNEXPECTED_RESPONSE",
    message: `${origin}: the response is longer than 1 bytes.`,
  },
  {
    kind: "timeout",
    sent: true,
    text: late,
    code: "OPSMANAGER_TIMEOUT",
    message: `${origin}: ${late} ${setting}. The service may be slow.`,
  },
  {
    kind: "timeout",
    text: late,
    code: "OPSMANAGER_TIMEOUT",
    message: `${origin}: ${late} ${setting}. No connection was made: c${check}`,
  },
  {
    kind: "broken",
    sent: true,
    text: "other side closed",
    code: "OPSMANAGER_UNREACHABLE",
    message: `${origin} broke the connection: other side closed. C${check}`,
  },
  {
    kind: "broken",
    text: "connect ECONNREFUSED 127.0.0.1:1",
    code: "OPSMANAGER_UNREACHABLE",
    message: `${origin} cannot be reached: connect ECONNREFUSED 127.0.0.1:1. C${check}`,
  },
];

test.each(endings)(
  "a GET fails with its fault as the cause: $kind, sent: $sent, $advice",
  async ({ kind, sent = false, text, advice, code, message }) => {
    const fault = new WireFault(kind, sent, text, advice === undefined ? {} : { advice });
    const error = await errorOf(() => fault);
    expect({ code: error.code, message: error.message, cause: error.cause }).toEqual({
      code,
      message,
      cause: fault,
    });
  },
);

test("a POST without a response fails with the fault as its cause", async () => {
  const fault = lost();
  const error = await errorOf(() => fault, post());
  expect(error.message).toBe(
    `${origin} returned no usable response (other side closed). It may or may not have performed the request.`,
  );
  expect(error.cause).toBe(fault);
});

test("a POST that a 500 returned fails without a cause, as its status is in the text", async () => {
  const error = await errorOf(status(500), post());
  expect(error.message).toBe(
    `${origin} returned no usable response (status 500). It may or may not have performed the request.`,
  );
  expect(error.cause).toBeUndefined();
});
