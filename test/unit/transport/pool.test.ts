import { type PoolSettings, routeOf } from "../../../provider/transport";

test.each<[string, Partial<PoolSettings>, ReturnType<typeof routeOf>]>([
  ["directly", {}, { proxy: undefined, hasCaCert: false, hasClientCert: false }],
  [
    "through a proxy",
    { proxyUrl: "http://proxy.example.com:3128" },
    {
      proxy: { host: "proxy.example.com:3128", hasCredentials: false },
      hasCaCert: false,
      hasClientCert: false,
    },
  ],
  [
    "through a proxy that has credentials",
    { proxyUrl: "http://name:word@proxy.example.com" },
    { proxy: { host: "proxy.example.com", hasCredentials: true }, hasCaCert: false, hasClientCert: false },
  ],
  ["with a CA certificate", { caCert: "CA" }, { proxy: undefined, hasCaCert: true, hasClientCert: false }],
  [
    "with a client certificate",
    { clientCert: "certificate", clientKey: "key" },
    { proxy: undefined, hasCaCert: false, hasClientCert: true },
  ],
])("errors describe a connection that is made %s, without a secret", (_, settings, route) => {
  expect(routeOf(settings as PoolSettings)).toEqual(route);
});
