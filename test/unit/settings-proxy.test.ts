/** The proxy of the environment: which variable counts, and for whom none does. */
import { resolveSettings } from "../../provider/settings/config";
import { proxyFromEnvironment } from "../../provider/settings/proxy";

const origin = "https://ops-manager.example.com:8443";
const proxy = "http://proxy.example.com:3128";

function chosen(env: Record<string, string>, service = origin): string | undefined {
  const faults: string[] = [];
  const address = proxyFromEnvironment(env, service, faults);
  expect(faults).toEqual([]);
  return address;
}

describe("the environment's proxy", () => {
  test.each([
    ["HTTPS_PROXY for https://", origin, { HTTPS_PROXY: proxy, HTTP_PROXY: "http://other:1" }],
    [
      "HTTP_PROXY for http://",
      "http://ops-manager.example.com",
      { HTTP_PROXY: proxy, HTTPS_PROXY: "http://other:1" },
    ],
    ["small letters before capitals", origin, { https_proxy: proxy, HTTPS_PROXY: "http://other:1" }],
    ["capitals where small letters are blank", origin, { https_proxy: " ", HTTPS_PROXY: proxy }],
    ["an address without a scheme, as http://", origin, { HTTPS_PROXY: "proxy.example.com:3128" }],
  ])("is %s", (_, service, env) => {
    expect(chosen(env, service)).toBe(proxy);
  });

  test.each([
    ["nothing is set", origin, {}],
    ["only the other scheme's is set", origin, { HTTP_PROXY: proxy }],
    ["the service is on this machine", "https://localhost:8443", { HTTPS_PROXY: proxy }],
    ["the service is on 127.0.0.2", "http://127.0.0.2:8080", { HTTP_PROXY: proxy }],
    ["the service is on ::1", "http://[::1]:8080", { HTTP_PROXY: proxy }],
  ])("is none where %s", (_, service, env) => {
    expect(chosen(env, service)).toBeUndefined();
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
  test.each([
    ["*", origin],
    ["one.example.org, *", origin],
    ["ops-manager.example.com", origin],
    ["OPS-MANAGER.example.com.", origin],
    ["ops-manager.example.com:8443", origin],
    ["other.example.com example.com", origin],
    [".example.com", origin],
    [".example.com", "https://example.com"],
    ["*.example.com", origin],
    ["*:8443", origin],
    ["example.com:443", "https://example.com"],
    ["example.com:80", "http://example.com"],
    ["192.0.2.7", "https://192.0.2.7:8443"],
    ["192.0.2.7:8443", "https://192.0.2.7:8443"],
    ["192.0.2.0/24", "https://192.0.2.7"],
    ["2001:db8::7", "https://[2001:db8:0::7]:8443"],
    ["[2001:db8::7]:8443", "https://[2001:db8::7]:8443"],
    ["2001:db8::/32", "https://[2001:db8::7]"],
  ])("with %p, %s is reached directly", (list, service) => {
    const { protocol } = new URL(service);
    const name = protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
    expect(chosen({ [name]: proxy, NO_PROXY: list }, service)).toBeUndefined();
  });

  test.each([
    ["", origin],
    ["manager.example.com", origin],
    ["example.com:443", origin],
    ["*:443", origin],
    ["*.example.com", "https://example.com"],
    ["example.com.evil.example.org", origin],
    ["192.0.2.0/24", "https://192.0.3.7"],
    ["192.0.2.0/99", "https://192.0.2.7"],
    ["2001:db8::/32", "https://192.0.2.7"],
  ])("%p does not cover %s", (list, service) => {
    expect(chosen({ HTTPS_PROXY: proxy, NO_PROXY: list }, service)).toBe(proxy);
  });

  test("in small letters counts first", () => {
    expect(chosen({ HTTPS_PROXY: proxy, no_proxy: "example.com", NO_PROXY: "none" })).toBeUndefined();
  });
});

describe("the setting proxyUrl", () => {
  const args = { baseUrl: origin, publicKey: "public", privateKey: "private-part" };
  const resolve = (more: Record<string, unknown>, env: Record<string, string>) =>
    resolveSettings({ args: { ...args, ...more }, env, isDefaultProvider: false, directory: "/program" })
      .proxyUrl;

  test("comes before the environment, also for whom NO_PROXY names", () => {
    const env = { HTTPS_PROXY: "socks5://elsewhere", NO_PROXY: "*" };
    expect(resolve({ proxyUrl: proxy }, env)).toBe(proxy);
  });

  test("left blank leaves it to the environment", () => {
    expect(resolve({ proxyUrl: " " }, { HTTPS_PROXY: proxy })).toBe(proxy);
    expect(resolve({}, { HTTPS_PROXY: proxy, NO_PROXY: "*" })).toBeUndefined();
  });
});
