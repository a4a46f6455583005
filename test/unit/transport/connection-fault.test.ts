import { type ConnectionRoute, connectionFault } from "../../../provider/transport/connection-fault";

const direct: ConnectionRoute = { hasCaCert: false, hasClientCert: false };
const through: ConnectionRoute = {
  ...direct,
  proxy: { host: "proxy.example.com:3128", hasCredentials: false },
};

const failed = (message: string, code?: string, cause?: Error) =>
  Object.assign(new Error(message, { cause }), code === undefined ? {} : { code });

function faultOf(
  error: Error,
  { sent = false, route = direct }: { sent?: boolean; route?: ConnectionRoute } = {},
) {
  const { kind, message, advice, cause, sent: wasSent } = connectionFault(error, sent, route);
  expect(cause).toBe(error);
  return { kind, message, advice, sent: wasSent };
}

describe("the text of a fault", () => {
  test.each([
    ["has the code behind it", failed("connect failed", "ECONNREFUSED"), "connect failed (ECONNREFUSED)"],
    [
      "does not repeat a code that it contains",
      failed("connect ECONNREFUSED 127.0.0.1:1", "ECONNREFUSED"),
      "connect ECONNREFUSED 127.0.0.1:1",
    ],
    ["is that of the first cause that has one", failed("", undefined, failed("reset", "E1")), "reset (E1)"],
    [
      "is that of the first of several addresses",
      new AggregateError([failed("first", "E1"), failed("second", "E2")], ""),
      "first (E1)",
    ],
    ["is the name of an error without one", failed(""), "Error"],
    [
      "leaves out what Node.js advises about authorities",
      failed(
        "self-signed; if the root CA is installed locally, try running Node.js with --use-system-ca",
        "E1",
      ),
      "self-signed (E1)",
    ],
    [
      "is the reason alone of a line of OpenSSL",
      failed(
        "write EPROTO 40A7:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:ssl3_record.c:355:extra\n",
        "E1",
      ),
      "wrong version number (E1)",
    ],
    [
      "is the reason alone of a line of OpenSSL that no write met",
      failed("40A7:error:0A00010B:SSL routines:read:unexpected eof:record.c:355:", "E1"),
      "unexpected eof (E1)",
    ],
  ])("%s", (_, error, message) => {
    expect(faultOf(error, { sent: true })).toEqual({
      kind: "broken",
      message,
      advice: undefined,
      sent: true,
    });
  });

  test("names the proxy only if the request was not sent", () => {
    const error = failed("reset", "ECONNRESET");
    const plain = "reset (ECONNRESET)";
    expect(faultOf(error, { route: through }).message).toBe(
      `${plain}, by way of the proxy proxy.example.com:3128`,
    );
    expect(faultOf(error, { route: through, sent: true }).message).toBe(plain);
  });
});

describe("a handshake that failed", () => {
  test.each([
    ["ERR_TLS_CERT_ALTNAME_INVALID", "Use a host name in baseUrl that the certificate contains."],
    ["CERT_HAS_EXPIRED", "The service's certificate has expired. Renew it."],
    ["CERT_NOT_YET_VALID", "The certificate is not valid yet. Check this machine's clock."],
    ["ERR_SSL_UNSUPPORTED_PROTOCOL", "The service offers only TLS versions that are no longer safe"],
    ["ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION", "The service offers only TLS versions that are no longer"],
    ["ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE", "set clientCert and clientKey), or it offers no cipher"],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "Check that baseUrl names an https:// port."],
    ["EPROTO", "Check that baseUrl names an https:// port."],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "Set caCert to the certificate of the authority that signed it."],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "Set caCert to the certificate of the authority that signed it."],
  ])("with %s is untrusted, with advice", (code, advice) => {
    const fault = faultOf(failed("no", code));
    expect(fault).toMatchObject({ kind: "untrusted", sent: false, message: `no (${code})` });
    expect(fault.advice).toContain(advice);
  });
});

describe("a client certificate that the service does not accept", () => {
  test.each([
    "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED",
    "ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE",
    "ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED",
    "ERR_SSL_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE",
    "ERR_SSL_TLSV1_ALERT_UNKNOWN_CA",
    "ERR_SSL_TLSV1_ALERT_ACCESS_DENIED",
  ])("shows as %s, and nothing was sent", (code) => {
    expect(faultOf(failed("alert", code), { sent: true })).toEqual({
      kind: "untrusted",
      sent: false,
      message: `alert (${code})`,
      advice: "The service requires a client certificate. Set clientCert and clientKey.",
    });
    const route = { ...direct, hasClientCert: true };
    expect(faultOf(failed("alert", code), { route }).advice).toMatch(/^The service does not accept/);
  });
});

test("a proxy refuses only where there is one, in its own words", () => {
  const text = "Proxy response (403) !== 200 when HTTP Tunneling";
  expect(faultOf(failed(text), { route: through }).kind).toBe("proxyRefused");
  expect(faultOf(failed(text)).kind).toBe("broken");
  expect(faultOf(failed("no Proxy response (403)"), { route: through }).kind).toBe("broken");
});
