import { connectWith, forget } from "../../../provider/dynamic/connection";

const config = { publicKey: "key", privateKey: "secret" };
const emea = { ...config, baseUrl: "https://emea.example.com" };
const apac = { ...config, baseUrl: "https://apac.example.com" };

const { env } = process;
afterEach(() => {
  process.env = env;
});

test("the same settings give the same connection, others another", () => {
  expect(connectWith(emea)()).toBe(connectWith({ ...emea })());
  expect(connectWith(emea)()).not.toBe(connectWith(apac)());
});

// A program of the Automation API ran the same stack for two regions, each with its own
// environment. Only the stack's config distinguished connections. So the lookups of the second
// region went to the service of the first one, with its key.
test("settings from the environment count as they are when the connection is made", () => {
  const region = (baseUrl: string) => ({
    ...env,
    OPSMANAGER_BASE_URL: baseUrl,
    OPSMANAGER_PUBLIC_KEY: "key",
    OPSMANAGER_PRIVATE_KEY: "secret",
  });
  process.env = region(emea.baseUrl);
  const first = connectWith({})();
  process.env = region(apac.baseUrl);
  const second = connectWith({})();
  expect(first.session.client.origin).toBe(emea.baseUrl);
  expect(second.session.client.origin).toBe(apac.baseUrl);
});

test("a connection that was removed from the cache is made again", () => {
  const refused = connectWith(emea)();
  forget(refused);
  expect(connectWith(emea)()).not.toBe(refused);
});

test("a fault of the settings is thrown each time the connection is requested", () => {
  const connection = connectWith({ baseUrl: "ftp://ops-manager.example.com" });
  expect(connection).toThrow(/baseUrl/);
  expect(connection).toThrow(/baseUrl/);
});
