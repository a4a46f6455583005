/** The proxy of the environment: which variable counts, and for whom none does. */
import { proxyFromEnvironment } from "../../provider/settings/proxy";
import { pair, resolved } from "./settings";

const origin = "https://ops-manager.example.com:8443";
const proxy = "http://proxy.example.com:3128";

function chosen(env: Record<string, string>, service = origin): string | undefined {
  const faults: string[] = [];
  const address = proxyFromEnvironment(env, service, faults);
  expect(faults).toEqual([]);
  return address;
}

describe("the environment's proxy", () => {
  const other = "http://other:1";
  test.each<{ what: string; service?: string; env: Record<string, string>; found?: string }>([
    { what: "HTTPS_PROXY for https://", env: { HTTPS_PROXY: proxy, HTTP_PROXY: other }, found: proxy },
    {
      what: "HTTP_PROXY for http://",
      service: "http://ops-manager.example.com",
      env: { HTTP_PROXY: proxy, HTTPS_PROXY: other },
      found: proxy,
    },
    { what: "small letters first", env: { https_proxy: proxy, HTTPS_PROXY: other }, found: proxy },
    { what: "capitals beside blank letters", env: { https_proxy: " ", HTTPS_PROXY: proxy }, found: proxy },
    { what: "http:// without a scheme", env: { HTTPS_PROXY: "proxy.example.com:3128" }, found: proxy },
    { what: "none if nothing is set", env: {} },
    { what: "none if only the other scheme's is set", env: { HTTP_PROXY: proxy } },
    { what: "none for localhost", service: "https://localhost:8443", env: { HTTPS_PROXY: proxy } },
    { what: "none for 127.0.0.2", service: "http://127.0.0.2:8080", env: { HTTP_PROXY: proxy } },
    { what: "none for ::1", service: "http://[::1]:8080", env: { HTTP_PROXY: proxy } },
  ])("is $what", ({ service, env, found }) => {
    expect(chosen(env, service)).toBe(found);
  });

  test("keeps its user and password", () => {
    const address = "https://user:p%40ss@proxy.example.com";
    expect(chosen({ HTTPS_PROXY: address })).toBe(address);
  });

  test.each(["socks5://user:secret-word@proxy", "http://user:secret-word%zz@proxy", "http://"])(
    "%p is a fault that names the variable and not what it holds",
    (value) => {
      const faults: string[] = [];
      expect(proxyFromEnvironment({ HTTPS_PROXY: value }, origin, faults)).toBeUndefined();
      expect(faults).toEqual([
        expect.stringMatching(/^HTTPS_PROXY of the environment is not the address of an HTTP proxy/),
      ]);
      expect(faults.join()).not.toContain("secret-word");
    },
  );
});

describe("NO_PROXY", () => {
  const http = (name: string) => `http://${name}`;
  const https = (name: string) => `https://${name}`;
  test.each([
    { list: "one.example.org, *", service: origin, isDirect: true },
    { list: "OPS-MANAGER.example.com.", service: origin, isDirect: true },
    { list: "ops-manager.example.com:8443", service: origin, isDirect: true },
    { list: "other.example.com example.com", service: origin, isDirect: true },
    { list: ".example.com", service: https("example.com"), isDirect: true },
    { list: "*.example.com", service: origin, isDirect: true },
    { list: "*:8443", service: origin, isDirect: true },
    { list: "example.com:443", service: https("example.com"), isDirect: true },
    { list: "example.com:80", service: http("example.com"), isDirect: true },
    { list: "192.0.2.7:8443", service: https("192.0.2.7:8443"), isDirect: true },
    { list: "192.0.2.0/24", service: https("192.0.2.7"), isDirect: true },
    { list: "[2001:db8::7]:8443", service: https("[2001:db8:0::7]:8443"), isDirect: true },
    { list: "2001:db8::/32", service: https("[2001:db8::7]"), isDirect: true },
    { list: "", service: origin, isDirect: false },
    { list: "manager.example.com", service: origin, isDirect: false },
    { list: "example.com:443", service: origin, isDirect: false },
    { list: "*:443", service: origin, isDirect: false },
    { list: "*.example.com", service: https("example.com"), isDirect: false },
    { list: "example.com.evil.example.org", service: origin, isDirect: false },
    { list: "192.0.2.0/24", service: https("192.0.3.7"), isDirect: false },
    { list: "192.0.2.0/99", service: https("192.0.2.7"), isDirect: false },
    { list: "2001:db8::/32", service: https("192.0.2.7"), isDirect: false },
  ])("'$list', and $service is reached directly: $isDirect", ({ list, service, isDirect }) => {
    const name = service.startsWith("https:") ? "HTTPS_PROXY" : "HTTP_PROXY";
    expect(chosen({ [name]: proxy, NO_PROXY: list }, service)).toBe(isDirect ? undefined : proxy);
  });

  test("in small letters counts first", () => {
    expect(chosen({ HTTPS_PROXY: proxy, no_proxy: "example.com", NO_PROXY: "none" })).toBeUndefined();
  });
});

test("the setting proxyUrl comes before the environment, also for whom NO_PROXY names; left blank it leaves it to the environment", () => {
  const chosenFor = (args: Record<string, unknown>, env: Record<string, string>) =>
    resolved({ args: { baseUrl: origin, ...pair, ...args }, env }).proxyUrl;
  expect(chosenFor({ proxyUrl: proxy }, { HTTPS_PROXY: "socks5://elsewhere", NO_PROXY: "*" })).toBe(proxy);
  expect(chosenFor({ proxyUrl: " " }, { HTTPS_PROXY: proxy })).toBe(proxy);
});
