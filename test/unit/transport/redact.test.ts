import { createRedact } from "../../../provider/transport/redact";

const privateKey = "5up3r/s3cret+key=";
const redact = createRedact([privateKey, undefined, ""]);

test("leaves text without secrets as it is", () => {
  const text = "Reading project 5f00000000000000000000a1 failed: 404 GROUP_NOT_FOUND No group.";
  expect(redact(text)).toBe(text);
});

test.each([
  { how: "as it is", text: `key ${privateKey}!`, expected: "key [secret]!" },
  { how: "percent-encoded", text: `?key=${encodeURIComponent(privateKey)}`, expected: "?key=[secret]" },
])("masks a known secret $how", ({ text, expected }) => {
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

const begin = "-----BEGIN RSA PRIVATE KEY-----";
const end = "-----END RSA PRIVATE KEY-----";

test.each([
  {
    what: "a Digest response",
    text: 'authorization: Digest username="public", realm="r", response="0123456789abcdef"',
    expected: "authorization: Digest [secret]",
  },
  { what: "a bare Digest response", text: "Digest username=a, response=01", expected: "Digest [secret]" },
  {
    what: "a Digest response with an extended name",
    text: "authorization: Digest username*=UTF-8''k%C3%AB, response=0123456789abcdef",
    expected: "authorization: Digest [secret]",
  },
  {
    what: "a Digest response in JSON",
    text: '{"authorization":"Digest username=\\"public\\", response=\\"0123\\""}',
    expected: '{"authorization":"Digest [secret]',
  },
  {
    what: "Basic credentials",
    text: "Proxy-Authorization: Basic dXNlcjpwYXNz",
    expected: "Proxy-Authorization: Basic [secret]",
  },
  {
    what: "a bearer token in JSON",
    text: '{"authorization":"Bearer abc.def"}',
    expected: '{"authorization":"Bearer [secret]"}',
  },
  { what: "an agent key", text: '{"agentApiKey":"0a1b2c"}', expected: '{"agentApiKey":"[secret]"}' },
  {
    what: "a created API key, cut off",
    text: '{"privateKey": "5e5e-0000',
    expected: '{"privateKey": "[secret]',
  },
  { what: "a created agent key", text: '{"_id":"1","key":"0a"}', expected: '{"_id":"1","key":"[secret]"}' },
  { what: "a token", text: '{"access_token":"opaque","a":1}', expected: '{"access_token":"[secret]","a":1}' },
  {
    what: "an agent key in JSON inside JSON",
    text: '{\\"agentApiKey\\": \\"0a1b2c\\"}',
    expected: '{\\"agentApiKey\\": \\"[secret]\\"}',
  },
  { what: "a private key", text: `x ${begin}\nMIIE\n${end} y`, expected: `x ${begin}[secret]${end} y` },
  { what: "a private key that is cut off", text: `${begin}\nMIIE`, expected: `${begin}[secret]` },
  {
    what: "credentials in an address",
    text: "http://user:pass@host:80/path",
    expected: "http://[secret]@host:80/path",
  },
])("masks $what by its location, whatever the value", ({ text, expected }) => {
  expect(redact(text)).toBe(expected);
});

test("keeps the challenge of the service and a plain address readable", () => {
  const text = 'https://ops.example.com:8443/x answered Digest realm="MMS Public API"; user@example.com';
  expect(redact(text)).toBe(text);
});

const basic = (text: string) => Buffer.from(text).toString("base64");
const proxy = "http://us%40er:p%2Fss@proxy.example.com:3128";

test.each([
  { what: "the password as written", url: proxy, text: "p%2Fss", expected: "[secret]" },
  { what: "the password itself", url: proxy, text: "p/ss", expected: "[secret]" },
  { what: "the header made of it", url: proxy, text: basic("us@er:p/ss"), expected: "[secret]" },
  // Some proxies take a token there.
  {
    what: "the header made of a user alone",
    url: "http://t0ken@p.example.com",
    text: basic("t0ken:"),
    expected: "[secret]",
  },
  {
    what: "an unencoded percent sign",
    url: "http://u:p%zz@p.example.com",
    text: "p%zz",
    expected: "[secret]",
  },
  { what: "no host alone", url: "http://p.example.com:1", text: "p.example.com", expected: "p.example.com" },
])("of a proxy's address, masks $what", ({ url, text, expected }) => {
  expect(createRedact([url])(text)).toBe(expected);
});
