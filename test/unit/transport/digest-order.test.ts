import { WireFault, type WireResponse } from "../../../provider/transport/wire";
import { authenticated, challenge, credentials, nonceOf, stale, story } from "./fake-digest";
import { fakeWire, get, ok, settled } from "./fake-wire";

/** Numbers that look random and are the same in each run (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Server {
  /** Requests that a nonce serves. */
  readonly uses: number;
  readonly namesNext: boolean;
  /** Of a hundred requests so many end without a response. */
  readonly breaks: number;
}

/** Responses in any order, and takes no count twice. */
function unordered({ uses, namesNext, breaks }: Server, random: () => number) {
  const counts = new Map<string, Set<string>>();
  let nonces = 0;
  const issue = () => {
    nonces += 1;
    counts.set(`n${nonces}`, new Set());
    return `n${nonces}`;
  };
  return fakeWire(async (request): Promise<WireResponse> => {
    for (let turns = Math.floor(random() * 4); turns > 0; turns -= 1) await settled();
    if (random() * 100 < breaks) throw new WireFault("broken", false, "reset");
    const given = credentials(request);
    const used = counts.get(nonceOf(given));
    if (used === undefined) return challenge(issue());
    if (used.has(given)) return challenge(issue(), 'qop="auth", stale=false');
    used.add(given);
    for (let turns = Math.floor(random() * 4); turns > 0; turns -= 1) await settled();
    if (used.size > uses) return challenge(issue(), stale);
    return namesNext ? { ...ok, headers: { "authentication-info": `nextnonce=${issue()}` } } : ok;
  });
}

const servers = [1, 2, 7, 1000].flatMap((uses) =>
  [true, false].flatMap((namesNext) => [0, 10].map((breaks): Server => ({ uses, namesNext, breaks }))),
);

describe.each(servers)(
  "a server whose nonces serve $uses requests (names the next: $namesNext, breaks: $breaks %)",
  (kind) => {
    test("answers every call, in whatever order responses come, and sees no count twice", async () => {
      for (let seed = 1; seed <= 10; seed += 1) {
        const random = numbers(seed);
        const wire = unordered(kind, random);
        const send = authenticated(wire);
        const worker = async () => {
          const outcomes: (number | string)[] = [];
          for (let call = 0; call < 12; call += 1) {
            outcomes.push(
              await send(get()).then(
                ({ status }) => status,
                (fault: WireFault) => fault.kind,
              ),
            );
          }
          return outcomes;
        };
        const outcomes = (await Promise.all(Array.from({ length: 8 }, worker))).flat();
        expect([...new Set(outcomes)].filter((outcome) => outcome !== 200)).toEqual(
          kind.breaks > 0 ? ["broken"] : [],
        );
        const signed = story(wire).filter((given) => given !== "-");
        expect(new Set(signed).size).toBe(signed.length);
      }
    });
  },
);
