import { packageSchema } from "../../../provider/package-schema";
import { isDefaultProvider } from "../../../provider/plugin/service";

/** The engine's `tokens.IntoQName` for an address: empty parts go, and `_` replaces what no name may hold. */
const asName = (address: unknown) =>
  String(address)
    .split("/")
    .filter(Boolean)
    .map((part) => part.replace(/[^A-Za-z0-9_.-]/g, "_"))
    .join("/");

const urn = (name: string) => `urn:pulumi:dev::platform::pulumi:providers:opsmanager::${name}`;
const ownAddress = asName(packageSchema().pluginDownloadURL);

test.each([
  "default",
  "default_0_1_0_rc_1_g1234567",
  `default_0_1_0_${ownAddress}`,
  `default_${asName("gitlab://gitlab.example.com/42")}`,
  `default_${asName("https://example.com:8443/plugins/")}`,
])("the engine's own provider is named %s", (name) => {
  expect(isDefaultProvider(urn(name))).toBe(true);
});

test.each(["defaults", "default_eu", "default-0", "default_github", "my-default"])(
  "a provider of the program may be named %s",
  (name) => {
    expect(isDefaultProvider(urn(name))).toBe(false);
  },
);
