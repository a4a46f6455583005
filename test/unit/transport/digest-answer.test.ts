import { createHash } from "node:crypto";
import { chooseChallenge } from "../../../provider/transport/digest-challenge";
import { challengeIn, credentialsOf, headerOf, responseIn, type Vector } from "./digest-vector";

describe("published vectors", () => {
  const rfc7616 = (algorithm: string) =>
    challengeIn(
      `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`,
    );

  test.each([
    ["MD5", "8ca523f5e9506fed4657c9700eebdbec"],
    ["SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"],
  ])("RFC 7616 section 3.9.1 with %s", (algorithm, expected) => {
    const response = responseIn({
      challenge: rfc7616(algorithm),
      username: "Mufasa",
      password: "Circle of Life",
      method: "GET",
      uri: "/dir/index.html",
      auth: { cnonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", nonceCount: 1 },
    });
    expect(response).toBe(expected);
  });

  const jason = {
    challenge: challengeIn(
      'Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS", charset=UTF-8, userhash=true',
    ),
    username: "J\u00E4s\u00F8n Doe",
    password: "Secret, or not?",
    method: "GET",
    uri: "/doe.json",
    auth: { cnonce: "NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v", nonceCount: 1 },
  };

  test("RFC 7616 section 3.9.2 with SHA-512-256, UTF-8 and userhash, as its erratum 4897 corrects it", () => {
    const header = headerOf(jason);
    expect(responseIn(jason)).toBe("3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5");
    expect(header).toContain(
      'Digest username="793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b", realm=',
    );
    expect(header).toMatch(/, userhash=true$/);
  });

  test("RFC 7616 section 3.9.2 without userhash has the name as username*", () => {
    const header = headerOf({ ...jason, challenge: { ...jason.challenge, userhash: false } });
    expect(header).toContain("Digest username*=UTF-8''J%C3%A4s%C3%B8n%20Doe, realm=");
    expect(header).not.toContain("userhash");
    expect(header).toContain(responseIn(jason));
  });

  test("RFC 2617 section 3.5", () => {
    const response = responseIn({
      challenge: challengeIn(
        'Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41"',
      ),
      username: "Mufasa",
      password: "Circle Of Life",
      method: "GET",
      uri: "/dir/index.html",
      auth: { cnonce: "0a4f113b", nonceCount: 1 },
    });
    expect(response).toBe("6629fae49393a05397450978507c4ef1");
  });

  test("RFC 2069 section 2.4, with the response that its erratum 749 gives", () => {
    const response = responseIn({
      challenge: challengeIn(
        'Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41"',
      ),
      username: "Mufasa",
      password: "CircleOfLife",
      method: "GET",
      uri: "/dir/index.html",
    });
    expect(response).toBe("1949323746fe6a43ef61f9606e7febea");
  });
});

describe("the session algorithms", () => {
  test.each([
    ["MD5-sess", "md5"],
    ["SHA-256-sess", "sha256"],
    ["SHA-512-256-sess", "sha512-256"],
  ])("%s hashes nonce and cnonce into the key, as RFC 7616 section 3.4.2 specifies", (algorithm, name) => {
    const hash = (text: string) => createHash(name).update(text).digest("hex");
    const session = hash(`${hash("key:realm:secret")}:n0nce:cn0nce`);
    const expected = hash(`${session}:n0nce:00000002:cn0nce:auth:${hash("PATCH:/a?b=c")}`);
    const response = responseIn({
      challenge: challengeIn(`Digest realm="realm", nonce="n0nce", qop="auth", algorithm=${algorithm}`),
      username: "key",
      password: "secret",
      method: "PATCH",
      uri: "/a?b=c",
      auth: { cnonce: "cn0nce", nonceCount: 2 },
    });
    expect(response).toBe(expected);
  });

  test("are not answered without qop, because they need a cnonce", () => {
    expect(chooseChallenge(['Digest realm="r", nonce="n", algorithm=MD5-sess'])).toBeUndefined();
  });
});

describe("the Authorization header", () => {
  const answer = (header: string, auth: Vector["auth"] = { cnonce: "c", nonceCount: 1 }): Vector => ({
    challenge: challengeIn(header),
    username: 'quo"te\\d',
    password: "p",
    method: "GET",
    uri: "/groups?pageNum=1",
    auth,
  });

  test("has only what the challenge has, as in RFC 2069 section 2.1.2", () => {
    const header = headerOf({ ...answer('Digest realm="r", nonce="n"'), auth: undefined });
    expect(header).toMatch(
      /^Digest username="quo\\"te\\\\d", realm="r", nonce="n", uri="\/groups\?pageNum=1", response="[0-9a-f]{32}"$/,
    );
  });

  test("quotes what the RFC quotes, and leaves qop, nc and algorithm bare", () => {
    const header = headerOf(
      answer('Digest realm="a \\"b\\" \\\\c", nonce="n", qop="auth", algorithm="MD5", opaque="o"'),
    );
    expect(header).toMatch(
      /^Digest username="quo\\"te\\\\d", realm="a \\"b\\" \\\\c", nonce="n", uri="\/groups\?pageNum=1", algorithm=MD5, qop=auth, nc=00000001, cnonce="c", response="[0-9a-f]{32}", opaque="o"$/,
    );
  });
});

describe("names outside of ASCII", () => {
  const bytes = (text: string) => Buffer.from(text, "utf8").toString("latin1");
  const md5 = (text: string) => createHash("md5").update(text, "utf8").digest("hex");
  const named = (username: string, more: string, realm = "r"): Vector => ({
    challenge: challengeIn(`Digest realm="${realm}", nonce="n", ${more}`),
    username,
    password: "pässword",
    method: "GET",
    uri: "/",
  });
  const expected = (username: string, realm = "r") =>
    md5(`${md5(`${username}:${realm}:pässword`)}:n:${md5("GET:/")}`);

  test("go as username* where the server states that it understands UTF-8", () => {
    const vector = named("Zoë*'(10%)", "charset=UTF-8");
    expect(headerOf(vector)).toContain("Digest username*=UTF-8''Zo%C3%AB%2A%27%2810%25%29, realm=");
    expect(responseIn(vector)).toBe(expected("Zoë*'(10%)"));
  });

  test("are composed first where the server states so (normalization form C)", () => {
    const vector = named("Zoe\u0308", 'charset="utf-8"');
    expect(headerOf(vector)).toContain("username*=UTF-8''Zo%C3%AB,");
    expect(responseIn(vector)).toBe(expected("Zo\u00EB"));
  });

  test("go as the bytes of UTF-8 where the server states nothing, as other clients send them", () => {
    const vector = named('Zoë 日本 "x"', "algorithm=MD5");
    expect(headerOf(vector)).toContain(`Digest username="${bytes('Zoë 日本 \\"x\\"')}", realm=`);
    expect(responseIn(vector)).toBe(expected('Zoë 日本 "x"'));
  });
});

describe("what the server has to prove", () => {
  test("is the hash of the request without its method, as RFC 7616 section 3.5 specifies", () => {
    const hash = (text: string) => createHash("sha256").update(text).digest("hex");
    const vector: Vector = {
      challenge: challengeIn('Digest realm="r", nonce="n", qop="auth", algorithm=SHA-256'),
      username: "key",
      password: "secret",
      method: "POST",
      uri: "/groups?pretty=true",
      auth: { cnonce: "c", nonceCount: 10 },
    };
    expect(credentialsOf(vector).rspauth(vector.uri, vector.auth)).toBe(
      hash(`${hash("key:r:secret")}:n:0000000a:c:auth:${hash(":/groups?pretty=true")}`),
    );
  });
});
