/** What TLS itself refuses of the settings. */
import { trustInProxy, trustInService } from "../../../provider/transport/trust";
import { WireFault } from "../../../provider/transport/wire";
import { makeCertificate } from "../../../sandbox/certificate";

const [one, other] = [makeCertificate({ subject: "one" }), makeCertificate({ subject: "other" })];
const mixed = { clientCert: one.certificate, clientKey: other.privateKey, skipTlsVerification: false };

test("certificates that TLS does not take are a fault that names the settings, and nothing was sent", () => {
  let fault: unknown;
  try {
    trustInService(mixed);
  } catch (error) {
    fault = error;
  }
  expect(fault).toBeInstanceOf(WireFault);
  expect(fault).toMatchObject({
    kind: "untrusted",
    sent: false,
    message: expect.stringContaining("key values mismatch"),
    advice: "One of caCert, clientCert and clientKey cannot be used.",
  });
});

test("a proxy is not shown the client's certificate", () => {
  expect(() => trustInProxy(mixed)).not.toThrow();
});
