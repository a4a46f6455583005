import { createRedact } from "../../../provider/transport/redact";

const privateKey = "5up3r/s3cret+key=";
const redact = createRedact([privateKey, undefined, ""]);
const basic = (text: string) => Buffer.from(text).toString("base64");

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

describe("a secret of few letters", () => {
  test.each([
    { where: "alone", text: "team", masked: "[secret]" },
    {
      where: "among punctuation",
      text: `"team" 'team' (team), a=team; b/team.`,
      masked: `"[secret]" '[secret]' ([secret]), a=[secret]; b/[secret].`,
    },
    {
      where: "in a longer name of several words",
      text: "team-payments@team.example.com",
      masked: "[secret]-payments@[secret].example.com",
    },
    {
      where: "after an escaped character",
      text: String.raw`a%2Fteam%2F %253Dteam \nteam \u000ateam\t \\"team\\"`,
      masked: String.raw`a%2F[secret]%2F %253D[secret] \n[secret] \u000a[secret]\t \\"[secret]\\"`,
    },
    {
      where: "as a part of other words",
      text: "teams steam team_a t\u00e9am\u00e9 te\u0301am 1team 5f0team9",
      masked: "",
    },
  ])("is masked as a whole word: $where", ({ text, masked }) => {
    expect(createRedact(["team"])(text)).toBe(masked || text);
    expect(createRedact(["TEAM"], true)(text)).toBe(masked || text);
  });

  test.each([
    {
      secret: "p@$$",
      text: 'p@$$ "p@$$" =p@$$, up@$$ p%40%24%24',
      masked: '[secret] "[secret]" =[secret], up@$$ [secret]',
    },
    { secret: "$a.b!", text: "$a.b! is '$a.b!', x=$a.b!", masked: "[secret] is '[secret]', x=[secret]" },
    {
      secret: ".",
      text: 'It failed. The tag "." is one. 2026.',
      masked: 'It failed. The tag "[secret]" is one. 2026.',
    },
    {
      secret: 'a"\n',
      text: JSON.stringify({ key: 'a"\n', other: 'a"\nb' }),
      masked: String.raw`{"key":"[secret]","other":"a\"\nb"}`,
    },
    {
      secret: "\u79d8\u5bc6",
      text: "\u9879\u76ee\u79d8\u5bc6\u4e0d\u5b58\u5728 a\u79d8\u5bc6b",
      masked: "\u9879\u76ee[secret]\u4e0d\u5b58\u5728 a[secret]b",
    },
    { secret: "http://u:pw@p.example.com", text: `pw ${basic("u:pw")} pwd`, masked: "[secret] [secret] pwd" },
    { secret: "\ud800", text: "\ud800 \ud83d\ude00", masked: "[secret] \ud83d\ude00" },
  ])("may begin or end with anything: $secret", ({ secret, text, masked }) => {
    expect(createRedact([secret])(text)).toBe(masked);
  });

  test("is one of fewer characters than a password has", () => {
    expect(createRedact(["seven77", "eight888"])("xseven77 xeight888x")).toBe("xseven77 x[secret]x");
  });
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
