import { createHash } from "node:crypto";
import {
  authorizationHeader,
  chooseChallenge,
  type DigestAnswer,
  type DigestChallenge,
  parseChallenges,
} from "../../../provider/transport/digest-challenge";

function challengeIn(...headers: string[]): DigestChallenge {
  const challenge = chooseChallenge(headers);
  if (!challenge) throw new Error("The headers hold no challenge that can be answered.");
  return challenge;
}

function responseIn(answer: DigestAnswer): string | undefined {
  return /response="([0-9a-f]+)"/.exec(authorizationHeader(answer))?.[1];
}

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
  ])("%s hashes nonce and cnonce into the key, as RFC 7616 section 3.4.2 says", (algorithm, name) => {
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
  const answer = (
    header: string,
    auth: DigestAnswer["auth"] = { cnonce: "c", nonceCount: 1 },
  ): DigestAnswer => ({
    challenge: challengeIn(header),
    username: 'quo"te\\d',
    password: "p",
    method: "GET",
    uri: "/groups?pageNum=1",
    auth,
  });

  test("counts in eight hexadecimal digits", () => {
    const header = 'Digest realm="r", nonce="n", qop="auth"';
    const counted = (nonceCount: number) =>
      authorizationHeader(answer(header, { cnonce: "c", nonceCount })).match(/nc=(\w+)/)?.[1];
    expect([1, 10, 255, 4096].map(counted)).toEqual(["00000001", "0000000a", "000000ff", "00001000"]);
  });

  test("quotes what the RFC quotes, and leaves qop, nc and algorithm bare", () => {
    const header = authorizationHeader(
      answer('Digest realm="a \\"b\\" \\\\c", nonce="n", qop="auth", algorithm="MD5", opaque="o"'),
    );
    expect(header).toMatch(
      /^Digest username="quo\\"te\\\\d", realm="a \\"b\\" \\\\c", nonce="n", uri="\/groups\?pageNum=1", algorithm=MD5, qop=auth, nc=00000001, cnonce="c", response="[0-9a-f]{32}", opaque="o"$/,
    );
  });

  test("echoes neither algorithm nor opaque when the challenge had none", () => {
    const header = authorizationHeader(answer('Digest realm="r", nonce="n", qop="auth"'));
    expect(header).not.toMatch(/algorithm|opaque/);
  });

  test("has no qop, nc and cnonce in the RFC 2069 form", () => {
    const { auth: _, ...withoutQop } = answer('Digest realm="r", nonce="n"');
    expect(authorizationHeader(withoutQop)).not.toMatch(/qop|nc=|cnonce/);
  });
});

describe("reading challenges", () => {
  test("takes the challenge of the real service as it was seen", () => {
    const nonce = "rBq+5Zk/1vM3yA==";
    expect(
      challengeIn(
        `Digest realm="MMS Public API", domain="", nonce="${nonce}", algorithm=MD5, qop="auth", stale=false`,
      ),
    ).toEqual({
      realm: "MMS Public API",
      nonce,
      algorithmText: "MD5",
      algorithm: "md5",
      opaque: undefined,
      qopAuth: true,
      opOnly: false,
      stale: false,
    });
  });

  test("takes op for a hint only where qop is missing", () => {
    const documented = 'Digest realm="r", domain="", nonce="n", algorithm=MD5, op="auth", stale=false';
    expect(challengeIn(documented)).toMatchObject({ opOnly: true, qopAuth: false });
    expect(challengeIn(`${documented}, qop="auth"`)).toMatchObject({ opOnly: false, qopAuth: true });
  });

  test.each([
    ["quoted", 'nonce="a+b/c=="'],
    ["bare", "nonce=a+b/c=="],
    ["bare and last", "qop=auth, nonce=a+b/c=="],
    ["with spaces around the sign", 'nonce = "a+b/c=="'],
    ["in capitals", 'NONCE="a+b/c=="'],
  ])("keeps + / = of a nonce that is %s", (_, parameter) => {
    expect(challengeIn(`Digest realm="r", ${parameter}`).nonce).toBe("a+b/c==");
  });

  test.each([
    ["the scheme", 'dIGEST realm="r", nonce="n", stale=true, qop="auth"'],
    ["the names", 'Digest REALM="r", Nonce="n", STALE=true, QOP="auth"'],
    ["the values", 'Digest realm="r", nonce="n", stale="TRUE", qop="AUTH", algorithm="md5"'],
  ])("takes %s in any case", (_, header) => {
    expect(challengeIn(header)).toMatchObject({ realm: "r", nonce: "n", stale: true, qopAuth: true });
  });

  test("unescapes what is escaped inside quotes, commas included", () => {
    expect(challengeIn('Digest realm="a \\"b\\", c=\\"d\\"", nonce="n"')).toMatchObject({
      realm: 'a "b", c="d"',
      nonce: "n",
    });
  });

  test("ignores parameters that it does not know", () => {
    const header = 'Digest realm="r", nonce="n", charset=UTF-8, userhash=false, x-new="a, b", qop="auth"';
    expect(challengeIn(header)).toMatchObject({ realm: "r", nonce: "n", qopAuth: true });
  });

  test.each([
    ["without commas", 'Digest realm="r" nonce="n" qop="auth"'],
    ["with empty list entries", ', ,Digest realm="r",, nonce="n" , ,qop="auth",'],
    ["with tabs", 'Digest\trealm="r",\tnonce="n",\tqop="auth"'],
  ])("reads a list %s", (_, header) => {
    expect(challengeIn(header)).toMatchObject({ realm: "r", nonce: "n", qopAuth: true });
  });

  test.each(["auth", "auth,auth-int", "auth-int , auth", "new auth"])("finds auth in qop=%p", (qop) => {
    expect(challengeIn(`Digest realm="r", nonce="n", qop="${qop}"`).qopAuth).toBe(true);
  });

  test("tells several challenges in one header apart", () => {
    const header =
      'Negotiate abc+/==, Basic realm="b", charset="UTF-8", Digest realm="d", nonce="n", Bearer, NTLM';
    expect(parseChallenges(header)).toEqual([
      { scheme: "negotiate", parameters: new Map() },
      {
        scheme: "basic",
        parameters: new Map([
          ["realm", "b"],
          ["charset", "UTF-8"],
        ]),
      },
      {
        scheme: "digest",
        parameters: new Map([
          ["realm", "d"],
          ["nonce", "n"],
        ]),
      },
      { scheme: "bearer", parameters: new Map() },
      { scheme: "ntlm", parameters: new Map() },
    ]);
  });
});

describe("choosing among challenges", () => {
  const digest = (algorithm: string) =>
    `Digest realm="r", nonce="${algorithm}", qop="auth", algorithm=${algorithm}`;

  test.each([
    ["in one header", [`${digest("MD5")}, ${digest("SHA-256")}`]],
    ["in one header, strongest first", [`${digest("SHA-256")}, ${digest("MD5")}`]],
    ["in two headers", [digest("MD5"), digest("SHA-256")]],
    ["beside one that is not known", [digest("SHA-512-256"), digest("SHA-256"), 'Basic realm="r"']],
  ])("takes the strongest that can be answered: %s", (_, headers) => {
    expect(chooseChallenge(headers)?.nonce).toBe("SHA-256");
  });

  test.each([
    ["no header", []],
    ["another scheme", ['Basic realm="r"', "Negotiate"]],
    ["an unknown algorithm", [digest("SHA-512-256")]],
    ["qop=auth-int alone", ['Digest realm="r", nonce="n", qop="auth-int"']],
    ["no nonce", ['Digest realm="r", qop="auth"']],
    ["a name of Object.prototype as algorithm", [digest("constructor")]],
  ])("has no answer to %s", (_, headers) => {
    expect(chooseChallenge(headers)).toBeUndefined();
  });
});
