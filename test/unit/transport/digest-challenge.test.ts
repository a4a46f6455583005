import { chooseChallenge } from "../../../provider/transport/digest-challenge";
import { parseChallenges, parseParameters } from "../../../provider/transport/digest-fields";
import { challengeIn } from "./digest-vector";

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
      utf8: false,
      userhash: false,
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

  // The challenge was never answered, so each request ended with 401.
  test.each(['qop=""', 'qop=" "', 'qop=","', "qop=", 'algorithm=""', "algorithm="])(
    "takes a parameter without a value for none: %s",
    (empty) => {
      const read = challengeIn(`Digest ${empty}, realm="r", nonce="n"`);
      expect(read).toEqual(challengeIn('Digest realm="r", nonce="n"'));
      expect(challengeIn(`Digest realm="r", nonce="n", ${empty}`)).toEqual(read);
    },
  );

  test("distinguishes several challenges in one header", () => {
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

describe("reading Authentication-Info", () => {
  test.each([
    ["quoted", 'nextnonce="a+b/c==", qop=auth, rspauth="0a", cnonce="c", nc=00000001'],
    ["bare and in capitals", "RSPAUTH=0a, NextNonce=a+b/c==,new=1"],
  ])("takes values that are %s", (_, header) => {
    const parameters = parseParameters(header);
    expect([parameters.get("nextnonce"), parameters.get("rspauth")]).toEqual(["a+b/c==", "0a"]);
  });
});

describe("choosing among challenges", () => {
  const digest = (algorithm: string) =>
    `Digest realm="r", nonce="${algorithm}", qop="auth", algorithm=${algorithm}`;

  test.each([
    ["in one header", [`${digest("MD5")}, ${digest("SHA-256")}`]],
    ["in one header, strongest first", [`${digest("SHA-256")}, ${digest("MD5")}`]],
    ["in two headers", [digest("MD5"), digest("SHA-256")]],
    ["beside one that is not known", [digest("SHA3-512"), digest("SHA-256"), 'Basic realm="r"']],
  ])("takes the strongest that can be answered: %s", (_, headers) => {
    expect(chooseChallenge(headers)?.nonce).toBe("SHA-256");
  });

  test.each([
    ["no header", []],
    ["another scheme", ['Basic realm="r"', "Negotiate"]],
    ["an unknown algorithm", [digest("SHA3-512")]],
    ["qop=auth-int alone", ['Digest realm="r", nonce="n", qop="auth-int"']],
    ["no nonce", ['Digest realm="r", qop="auth"']],
    ["a name of Object.prototype as algorithm", [digest("constructor")]],
  ])("has no answer to %s", (_, headers) => {
    expect(chooseChallenge(headers)).toBeUndefined();
  });

  test("knows the order of all that it speaks, however they are offered", () => {
    const weakestFirst = [
      "MD5",
      "MD5-sess",
      "SHA-256",
      "SHA-256-sess",
      "SHA-512",
      "SHA-512-256",
      "SHA-512-256-sess",
    ];
    for (const [index, strongest] of weakestFirst.entries()) {
      const offered = weakestFirst.slice(0, index + 1).map(digest);
      expect(chooseChallenge(offered)?.nonce).toBe(strongest);
      expect(chooseChallenge([offered.reverse().join(", ")])?.nonce).toBe(strongest);
    }
  });

  test("leaves a stronger one alone that offers only auth-int", () => {
    const strong = digest("SHA-256").replace('"auth"', '"auth-int"');
    expect(chooseChallenge([strong, digest("MD5")])?.nonce).toBe("MD5");
  });
});
