/** The answer to a challenge: the RFCs' own examples, and what they say of names, quoting and proofs. */
import { createHash } from "node:crypto";
import { challengeIn, headerOf, responseIn, type Vector } from "./digest-vector";

const mufasa = { username: "Mufasa", password: "Circle of Life", method: "GET", uri: "/dir/index.html" };
const jason = {
  username: "J\u00E4s\u00F8n Doe",
  password: "Secret, or not?",
  method: "GET",
  uri: "/doe.json",
  auth: { cnonce: "NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v", nonceCount: 1 },
  challenge: challengeIn(
    'Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS", charset=UTF-8, userhash=true',
  ),
};
const rfc7616 = (algorithm: string): Vector => ({
  ...mufasa,
  auth: { cnonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", nonceCount: 1 },
  challenge: challengeIn(
    `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`,
  ),
});

test.each<{ source: string; vector: Vector; response: string }>([
  {
    source: "RFC 7616 section 3.9.1 with MD5",
    vector: rfc7616("MD5"),
    response: "8ca523f5e9506fed4657c9700eebdbec",
  },
  {
    source: "RFC 7616 section 3.9.1 with SHA-256",
    vector: rfc7616("SHA-256"),
    response: "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1",
  },
  {
    source: "RFC 7616 section 3.9.2 with SHA-512-256 and UTF-8, as its erratum 4897 corrects it",
    vector: jason,
    response: "3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5",
  },
  {
    source: "RFC 2069 section 2.4, with the response that its erratum 749 gives",
    vector: {
      ...mufasa,
      password: "CircleOfLife",
      challenge: challengeIn(
        'Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41"',
      ),
    },
    response: "1949323746fe6a43ef61f9606e7febea",
  },
])("the response is that of $source", ({ vector, response }) => {
  expect(responseIn(vector)).toBe(response);
});

test.each([
  { algorithm: "MD5-sess", name: "md5" },
  { algorithm: "SHA-512-256-sess", name: "sha512-256" },
])("$algorithm hashes nonce and cnonce into the key (RFC 7616 section 3.4.2)", ({ algorithm, name }) => {
  const hash = (text: string) => createHash(name).update(text).digest("hex");
  const session = hash(`${hash("key:realm:secret")}:n0nce:cn0nce`);
  const response = responseIn({
    challenge: challengeIn(`Digest realm="realm", nonce="n0nce", qop="auth", algorithm=${algorithm}`),
    username: "key",
    password: "secret",
    method: "PATCH",
    uri: "/a?b=c",
    auth: { cnonce: "cn0nce", nonceCount: 2 },
  });
  expect(response).toBe(hash(`${session}:n0nce:00000002:cn0nce:auth:${hash("PATCH:/a?b=c")}`));
});

test.each<{ has: string; challenge: string; auth?: Vector["auth"]; header: RegExp }>([
  {
    has: "only what the challenge has (RFC 2069 section 2.1.2)",
    challenge: 'Digest realm="r", nonce="n"',
    header:
      /^Digest username="quo\\"te\\\\d", realm="r", nonce="n", uri="\/groups\?pageNum=1", response="[0-9a-f]{32}"$/,
  },
  {
    has: "quotes where the RFC has them, and qop, nc and algorithm without",
    challenge: 'Digest realm="a \\"b\\" \\\\c", nonce="n", qop="auth", algorithm="MD5", opaque="o"',
    auth: { cnonce: "c", nonceCount: 1 },
    header:
      /^Digest username="quo\\"te\\\\d", realm="a \\"b\\" \\\\c", nonce="n", uri="\/groups\?pageNum=1", algorithm=MD5, qop=auth, nc=00000001, cnonce="c", response="[0-9a-f]{32}", opaque="o"$/,
  },
])("the Authorization header has $has", ({ challenge, auth, header }) => {
  const request = { username: 'quo"te\\d', password: "p", method: "GET", uri: "/groups?pageNum=1", auth };
  expect(headerOf({ ...request, challenge: challengeIn(challenge) })).toMatch(header);
});

// The public key of Ops Manager is ASCII. `integration/client/digest.test.ts` has a private key beyond it.
test("a name outside of ASCII goes as username*, or as its hash where the server requires that (RFC 7616 section 3.9.2)", () => {
  const hash = "793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b";
  expect(headerOf(jason)).toContain(`Digest username="${hash}", realm=`);
  const plain = headerOf({ ...jason, challenge: { ...jason.challenge, userhash: false } });
  expect(plain).toContain("Digest username*=UTF-8''J%C3%A4s%C3%B8n%20Doe, realm=");
});
