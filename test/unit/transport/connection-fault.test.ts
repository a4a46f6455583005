/** What an error of the network means. `integration/client/tls.test.ts` shows the errors that TLS really has. */
import { type ConnectionRoute, connectionFault } from "../../../provider/transport/connection-fault";

const direct: ConnectionRoute = { hasCaCert: false, hasClientCert: false };
const proxy = { host: "proxy.example.com:3128", hasCredentials: false };

const failed = (message: string, code?: string, cause?: Error) =>
  Object.assign(new Error(message, { cause }), code === undefined ? {} : { code });

function faultOf(error: Error, sent: boolean, route: Partial<ConnectionRoute> = {}) {
  const {
    kind,
    message,
    advice,
    cause,
    sent: wasSent,
  } = connectionFault(error, sent, { ...direct, ...route });
  expect(cause).toBe(error);
  return { kind, message, advice, sent: wasSent };
}

const advised = "self-signed; if the root CA is installed locally, try running Node.js with --use-system-ca";
const write =
  "write EPROTO 40A7:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:ssl3_record.c:355:x\n";

test.each([
  { has: "the code behind it", error: failed("connect failed", "E1"), message: "connect failed (E1)" },
  {
    has: "the first of several addresses",
    error: new AggregateError([failed("first", "E1"), failed("second", "E2")], ""),
    message: "first (E1)",
  },
  {
    has: "no advice of Node.js about authorities",
    error: failed(advised, "E1"),
    message: "self-signed (E1)",
  },
  { has: "the reason alone of OpenSSL", error: failed(write, "E1"), message: "wrong version number (E1)" },
])("the text of a fault has $has", ({ error, message }) => {
  expect(faultOf(error, true)).toEqual({ kind: "broken", message, advice: undefined, sent: true });
});

test("the text names the proxy only if the request was not sent", () => {
  const error = failed("reset", "ECONNRESET");
  expect(faultOf(error, false, { proxy }).message).toBe(
    "reset (ECONNRESET), by way of the proxy proxy.example.com:3128",
  );
  expect(faultOf(error, true, { proxy }).message).toBe("reset (ECONNRESET)");
});

test.each([
  { code: "CERT_HAS_EXPIRED", advice: "The service's certificate has expired. Renew it." },
  { code: "ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE", advice: "set clientCert and clientKey), or it offers no" },
  { code: "ERR_SSL_WRONG_VERSION_NUMBER", advice: "Check that baseUrl names an https:// port." },
  { code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE", advice: "Set caCert to the certificate of the authority that" },
])("a handshake that failed with $code is untrusted, with advice", ({ code, advice }) => {
  const fault = { kind: "untrusted", sent: false, message: `no (${code})` };
  expect(faultOf(failed("no", code), false)).toEqual({ ...fault, advice: expect.stringContaining(advice) });
});

test.each([
  "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED",
  "ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE",
  "ERR_SSL_TLSV1_ALERT_UNKNOWN_CA",
])("%s is about the client certificate, and nothing was sent", (code) => {
  const fault = { kind: "untrusted", sent: false, message: `alert (${code})` };
  expect(faultOf(failed("alert", code), true)).toEqual({
    ...fault,
    advice: "The service requires a client certificate. Set clientCert and clientKey.",
  });
  expect(faultOf(failed("alert", code), true, { hasClientCert: true })).toEqual({
    ...fault,
    advice: expect.stringMatching(/^The service does not accept/),
  });
});

test("a proxy refuses only where there is one, in its own words", () => {
  const text = "Proxy response (403) !== 200 when HTTP Tunneling";
  expect(faultOf(failed(text), false, { proxy }).kind).toBe("proxyRefused");
  expect(faultOf(failed(text), false).kind).toBe("broken");
  expect(faultOf(failed("no Proxy response (403)"), false, { proxy }).kind).toBe("broken");
});
