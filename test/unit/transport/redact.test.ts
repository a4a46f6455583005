import { createRedact } from "../../../provider/transport/redact";

const privateKey = "5up3r/s3cret+key=";
const redact = createRedact([privateKey, undefined, ""]);

test("leaves text without secrets as it is", () => {
  const text = "Reading project 5f00000000000000000000a1 failed: 404 GROUP_NOT_FOUND No group.";
  expect(redact(text)).toBe(text);
});

test.each([
  ["as it is", `key ${privateKey}!`, "key [secret]!"],
  ["more than once", `${privateKey} ${privateKey}`, "[secret] [secret]"],
  ["percent-encoded", `?key=${encodeURIComponent(privateKey)}`, "?key=[secret]"],
  ["in JSON", JSON.stringify({ privateKey }), '{"privateKey":"[secret]"}'],
])("masks a known secret %s", (_, text, expected) => {
  expect(redact(text)).toBe(expected);
});

test("masks a secret that JSON has to escape", () => {
  const secret = 'a"b\\c\nd';
  expect(createRedact([secret])(JSON.stringify({ secret }))).toBe('{"secret":"[secret]"}');
});

test("masks what is left of a secret where a text was cut, but not so few letters as are part of many words", () => {
  const redact = createRedact(["0123-4567", "0123-9999-0000"]);
  expect(redact("x0123-45…")).toBe("x[secret]…");
  expect(redact("x0123-9999-…. Then 0123-9… and 012… and 0123-45.")).toBe(
    "x[secret]…. Then [secret]… and 012… and 0123-45.",
  );
  expect(createRedact(["Moonshot"], true)("MOONsh…")).toBe("[secret]…");
});

test("masks a name in any spelling where that is requested, and takes no character for a pattern", () => {
  expect(createRedact(["a.b+c@example.com"], true)("A.B+C@Example.com axb+c@example.com")).toBe(
    "[secret] axb+c@example.com",
  );
  expect(createRedact(["Key."])("key. KEY. Key. Keys")).toBe("key. KEY. [secret] Keys");
});

describe("masks by its location, whatever the value:", () => {
  test.each([
    [
      "a Digest response",
      'authorization: Digest username="public", realm="r", response="0123456789abcdef"',
      "authorization: Digest [secret]",
    ],
    ["a Digest response alone", "Digest username=public, response=0123", "Digest [secret]"],
    [
      "a Digest response with an extended name",
      "authorization: Digest username*=UTF-8''k%C3%AB, response=0123456789abcdef",
      "authorization: Digest [secret]",
    ],
    [
      "a Digest response in JSON",
      '{"authorization":"Digest username=\\"public\\", response=\\"0123\\""}',
      '{"authorization":"Digest [secret]',
    ],
    ["Basic credentials", "Proxy-Authorization: Basic dXNlcjpwYXNz", "Proxy-Authorization: Basic [secret]"],
    ["a bearer token in JSON", '{"authorization":"Bearer abc.def"}', '{"authorization":"Bearer [secret]"}'],
    ["an agent key", '{"id":"1","agentApiKey":"0a1b2c"}', '{"id":"1","agentApiKey":"[secret]"}'],
    ["a created API key, cut off", '{"privateKey": "5e5e-0000', '{"privateKey": "[secret]'],
    ["a created agent key", '{"_id":"1","key":"0a1b2c"}', '{"_id":"1","key":"[secret]"}'],
    [
      "a token",
      '{"access_token":"opaque","expires_in":3600}',
      '{"access_token":"[secret]","expires_in":3600}',
    ],
    [
      "an agent key in JSON inside JSON",
      '{\\"agentApiKey\\": \\"0a1b2c\\"}',
      '{\\"agentApiKey\\": \\"[secret]\\"}',
    ],
    [
      "a private key",
      "x -----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- y",
      "x -----BEGIN RSA PRIVATE KEY-----[secret]-----END RSA PRIVATE KEY----- y",
    ],
    [
      "a private key that is cut off",
      "-----BEGIN PRIVATE KEY-----\nMIIE",
      "-----BEGIN PRIVATE KEY-----[secret]",
    ],
    ["credentials in an address", "http://user:pass@host:80/path", "http://[secret]@host:80/path"],
  ])("%s", (_, text, expected) => {
    expect(redact(text)).toBe(expected);
  });
});

test("keeps the challenge of the service and a plain address readable", () => {
  const text = 'https://ops.example.com:8443/x answered Digest realm="MMS Public API"; user@example.com';
  expect(redact(text)).toBe(text);
});

describe("of a proxy's address", () => {
  const redactProxy = createRedact(["http://us%40er:p%2Fss@proxy.example.com:3128"]);

  test.each([
    ["the whole", "via http://us%40er:p%2Fss@proxy.example.com:3128", "via [secret]"],
    ["the password as written", "p%2Fss", "[secret]"],
    ["the password itself", "p/ss", "[secret]"],
    ["the header made of it", Buffer.from("us@er:p/ss").toString("base64"), "[secret]"],
  ])("masks %s", (_, text, expected) => {
    expect(redactProxy(text)).toBe(expected);
  });

  test("with a user alone masks the header made of it, for some proxies take a token there", () => {
    const header = Buffer.from("t0ken:").toString("base64");
    expect(createRedact(["http://t0ken@proxy.example.com"])(`Basic ${header}`)).toBe("Basic [secret]");
  });

  test("without a password there is nothing more to mask", () => {
    expect(createRedact(["http://proxy.example.com:3128"])("proxy.example.com")).toBe("proxy.example.com");
  });

  test("with an unencoded percent sign is masked too", () => {
    expect(createRedact(["http://u:p%zz@proxy.example.com"])("password p%zz")).toBe("password [secret]");
  });
});
