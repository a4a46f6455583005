/** Warnings of the dynamic provider about its settings when it connects. Without an engine, Pulumi's log goes to the console. */
import { connectWith, type StackSettings } from "../../../provider/dynamic/connection";

const settings: StackSettings = {
  baseUrl: "https://ops-manager.example.com:8443",
  publicKey: "public",
  privateKey: "private-part",
};

function warningsOf(more: StackSettings): unknown[] {
  const warn = jest.spyOn(console, "warn").mockImplementation(() => undefined);
  const connection = connectWith({ ...settings, ...more });
  connection();
  connection();
  const warnings = warn.mock.calls.map(([line]) => line);
  warn.mockRestore();
  return warnings;
}

test("skipTlsVerification is a warning, once for a process, and safe settings are none", () => {
  expect(warningsOf({ skipTlsVerification: "true" })).toEqual([
    "warning: [runtime] skipTlsVerification is on: the service's certificate is not checked.",
  ]);
  expect(warningsOf({ skipTlsVerification: "false" })).toEqual([]);
});
