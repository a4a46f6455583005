/** What `Authentication-Info` says: the nonce to use next, and the proof that the service knows the key. */
import { createHash } from "node:crypto";
import type { WireRequest, WireResponse } from "../../../provider/transport/wire";
import { authenticated, challenge, credentials, keys, nonceOf, server, stale, story } from "./fake-digest";
import { fakeWire, get, ok, post } from "./fake-wire";

const md5 = (text: string) => createHash("md5").update(text).digest("hex");

/** What a server that knows the key puts into its response to this request. */
function rspauth(request: WireRequest): string {
  const [nonce, nc] = credentials(request).split(":");
  const cnonce = /cnonce="([^"]*)"/.exec(request.headers.authorization ?? "")?.[1];
  const secret = md5(`${keys.publicKey}:MMS Public API:${keys.privateKey}`);
  return md5(`${secret}:${nonce}:${nc}:${cnonce}:auth:${md5(`:${request.target}`)}`);
}

const withInfo = (info: string, response: WireResponse = ok): WireResponse => ({
  ...response,
  headers: { ...response.headers, "authentication-info": info },
});

/** Names the next nonce in every response, `n1` after `n1x` and so on. */
const naming = (request: WireRequest, more = "") =>
  withInfo(`nextnonce="${nonceOf(credentials(request))}x"${more}`);

describe("nextnonce", () => {
  const evil = 'nextnonce="evil"';
  test.each([
    {
      of: "a response to a request without credentials",
      wire: fakeWire(() => withInfo(evil)),
      expected: ["-", "-"],
    },
    {
      of: "a response that refuses the key",
      wire: fakeWire((request, count) => {
        const refused = challenge(`n${count}`, credentials(request) === "n1:00000001" ? stale : undefined);
        return count <= 2 ? withInfo(evil, refused) : ok;
      }),
      expected: ["-", "n1:00000001", "n2:00000001", "n2:00000002"],
    },
  ])("of $of is not taken", async ({ wire, expected }) => {
    const send = authenticated(wire);
    for (const _ of "ab") await send(get());
    expect(story(wire)).toEqual(expected);
  });
});

describe("rspauth", () => {
  test("that is right is not reported, and its nextnonce is used", async () => {
    const warnings: string[] = [];
    const wire = server(undefined, (request) =>
      naming(request, `, qop=auth, rspauth="${rspauth(request).toUpperCase()}"`),
    );
    const send = authenticated(wire, warnings);
    for (const _ of "ab") await send(post());
    expect(warnings).toEqual([]);
    expect(story(wire)).toEqual(["-", "n1:00000001", "n1x:00000001"]);
  });

  test("of another request is wrong: it signs for one cnonce, count and address", async () => {
    const warnings: string[] = [];
    let first: WireRequest | undefined;
    const wire = server(undefined, (request) => {
      first ??= request;
      return withInfo(`rspauth="${rspauth(first)}"`);
    });
    const send = authenticated(wire, warnings);
    await send(get());
    expect(warnings).toEqual([]);
    await send(get());
    expect(warnings).toHaveLength(1);
  });

  test.each([
    { where: "the request had no cnonce", more: "stale=false", info: 'rspauth="0a"' },
    { where: "the body is signed as well", more: 'qop="auth"', info: 'qop=auth-int, rspauth="0a"' },
  ])("is not judged where $where", async ({ more, info }) => {
    const warnings: string[] = [];
    const wire = fakeWire((request) =>
      credentials(request) === "-" ? challenge("n1", more) : withInfo(info),
    );
    await authenticated(wire, warnings)(get());
    expect(warnings).toEqual([]);
  });
});
