/** Reading challenges and choosing among them. */
import { chooseChallenge } from "../../../provider/transport/digest-challenge";
import { parseChallenges } from "../../../provider/transport/digest-fields";
import { challengeIn } from "./digest-vector";

describe("a challenge", () => {
  test("is that of the real service as it was seen", () => {
    const nonce = "rBq+5Zk/1vM3yA==";
    const seen = `Digest realm="MMS Public API", domain="", nonce="${nonce}", algorithm=MD5, qop="auth", stale=false`;
    expect(challengeIn(seen)).toEqual({
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

  const read = { realm: "r", nonce: "a+b/c==", qopAuth: true };
  test.each([
    { with: "a quoted nonce", header: 'Digest realm="r", nonce="a+b/c==", qop="auth"' },
    { with: "a bare nonce at the end", header: 'Digest realm="r", qop=auth, nonce=a+b/c==' },
    {
      with: "scheme, names and values in any case",
      header: 'dIGEST REALM="r", Nonce="a+b/c==", qop="AUTH", STALE="TRUE"',
    },
    { with: "no commas", header: 'Digest realm="r" nonce="a+b/c==" qop="auth"' },
    { with: "empty list entries", header: ', ,Digest realm="r",, nonce="a+b/c==" , ,qop="auth",' },
    { with: "auth-int first", header: 'Digest realm="r", nonce="a+b/c==", qop="auth-int , auth"' },
    { with: "an unknown qop first", header: 'Digest realm="r", nonce="a+b/c==", qop="new auth"' },
  ])("is read with $with", ({ header }) => {
    expect(challengeIn(header)).toMatchObject(read);
  });

  test("with op is of that dialect only where qop is missing", () => {
    const documented = 'Digest realm="r", domain="", nonce="n", algorithm=MD5, op="auth", stale=false';
    expect(challengeIn(documented)).toMatchObject({ opOnly: true, qopAuth: false });
    expect(challengeIn(`${documented}, qop="auth"`)).toMatchObject({ opOnly: false, qopAuth: true });
  });

  // The challenge was never answered, so each request ended with 401.
  test.each(['qop=""', 'qop=","', "qop=", 'algorithm=""', "algorithm="])(
    "with the empty parameter %s is as without it",
    (empty) => {
      const without = challengeIn('Digest realm="r", nonce="n"');
      expect(challengeIn(`Digest ${empty}, realm="r", nonce="n"`)).toEqual(without);
      expect(challengeIn(`Digest realm="r", nonce="n", ${empty}`)).toEqual(without);
    },
  );
});

test("several challenges in one header are told apart", () => {
  const header = 'Negotiate abc+/==, Basic realm="b", Digest realm="d", nonce="n", Bearer, NTLM';
  const digest = new Map(Object.entries({ realm: "d", nonce: "n" }));
  expect(parseChallenges(header)).toEqual([
    { scheme: "negotiate", parameters: new Map() },
    { scheme: "basic", parameters: new Map([["realm", "b"]]) },
    { scheme: "digest", parameters: digest },
    { scheme: "bearer", parameters: new Map() },
    { scheme: "ntlm", parameters: new Map() },
  ]);
});

describe("the choice among challenges", () => {
  const digest = (algorithm: string) =>
    `Digest realm="r", nonce="${algorithm}", qop="auth", algorithm=${algorithm}`;

  test("is the strongest, however they are offered", () => {
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

  test.each([
    { offered: "an algorithm that is not known", header: digest("SHA3-512") },
    { offered: "auth-int alone", header: digest("SHA-256").replace('"auth"', '"auth-int"') },
    { offered: "another scheme", header: 'Basic realm="r"' },
    { offered: "no nonce", header: 'Digest realm="r", qop="auth"' },
    {
      offered: "an algorithm that needs a cnonce, without qop",
      header: 'Digest nonce="n", algorithm=MD5-sess',
    },
    { offered: "a name of Object.prototype as algorithm", header: digest("constructor") },
  ])("leaves alone what cannot be answered: $offered", ({ header }) => {
    expect(chooseChallenge([header])).toBeUndefined();
    expect(chooseChallenge([header, digest("MD5")])?.nonce).toBe("MD5");
  });
});
