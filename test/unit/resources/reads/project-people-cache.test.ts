import type { ApiClient } from "../../../../provider/api/client";
import { ObjectNames } from "../../../../provider/api/names";
import { Refusal } from "../../../../provider/resources/evidence/refusal";
import {
  entriesOf,
  hasExpired,
  ProjectPeopleCache,
} from "../../../../provider/resources/reads/project-people";
import { ApiError } from "../../../../provider/text/errors";
import { held } from "../../transport/fake-wire";

const projectId = "5f00000000000000000000a1";
const elsewhere = "5f00000000000000000000a2";
const never = new AbortController().signal;

interface FakeService {
  readonly client: ApiClient;
  /** How often the users of a project were asked for. */
  readonly reads: string[];
  /** Who is in every project when a read starts. */
  people: string[];
  /** Holds the responses to the reads that start from now on; `undefined` returns them at once. */
  gate: Promise<unknown> | undefined;
}

function fakeService(...people: string[]): FakeService {
  const reads: string[] = [];
  const service: FakeService = {
    reads,
    people,
    gate: undefined,
    client: {
      names: new ObjectNames(),
      publicKey: "abcdefgh",
      redact: (text) => text,
      origin: "https://ops-manager.example.com",
      now: () => Date.now(),
      close: async () => undefined,
      confirm: async () => undefined,
      // Invitations are a bare array without pages.
      call: async () => [] as never,
      page: async () => ({ entries: [], hasNext: false }),
      list: async ({ path, signal }) => {
        reads.push(path[1] ?? "");
        const seen = service.people;
        await service.gate;
        signal?.throwIfAborted();
        const responses = seen.map((username, index) => ({
          id: `user-${index}`,
          username,
          roles: [{ groupId: path[1], roleName: "GROUP_READ_ONLY" }],
        }));
        return responses as never;
      },
    },
  };
  return service;
}

function cacheFor(client: ApiClient, readCacheSeconds: number): ProjectPeopleCache {
  const settings = { refreshBeforeUpdate: true, readCacheSeconds, maxRemovalsPerRun: 20 };
  return new ProjectPeopleCache({ client, settings });
}

async function namesIn(read: ReturnType<ProjectPeopleCache["shared"]>): Promise<string[]> {
  return entriesOf((await read).members).map(({ username }) => username);
}

afterEach(() => void jest.useRealTimers());

describe("a shared read", () => {
  test("is shared by all calls during the read, whatever the age limit", async () => {
    const service = fakeService("ada@example.com");
    const peopleCache = cacheFor(service.client, 0);
    const asked = Array.from({ length: 500 }, () => peopleCache.shared(projectId, never));
    const seen = new Set(await Promise.all(asked));
    expect(seen.size).toBe(1);
    expect(service.reads).toEqual([projectId]);
  });

  test("is one for each project", async () => {
    const service = fakeService();
    const peopleCache = cacheFor(service.client, 30);
    await Promise.all([
      peopleCache.shared(projectId, never),
      peopleCache.shared(elsewhere, never),
      peopleCache.shared(projectId, never),
    ]);
    expect(service.reads).toEqual([projectId, elsewhere]);
  });

  test("counts its age from its start, and is read again when it is too old", async () => {
    jest.useFakeTimers();
    const service = fakeService();
    const peopleCache = cacheFor(service.client, 30);
    await peopleCache.shared(projectId, never);
    jest.advanceTimersByTime(30_000);
    await peopleCache.shared(projectId, never);
    expect(service.reads).toHaveLength(1);
    jest.advanceTimersByTime(1);
    await peopleCache.shared(projectId, never);
    expect(service.reads).toHaveLength(2);
  });

  test("is not kept at all with an age limit of 0", async () => {
    jest.useFakeTimers();
    const service = fakeService();
    const peopleCache = cacheFor(service.client, 0);
    await peopleCache.shared(projectId, never);
    jest.advanceTimersByTime(1);
    await peopleCache.shared(projectId, never);
    expect(service.reads).toHaveLength(2);
  });

  test("returns the result of a fresh read", async () => {
    const service = fakeService("ada@example.com");
    const peopleCache = cacheFor(service.client, 30);
    await peopleCache.fresh(projectId, never);
    expect(await namesIn(peopleCache.shared(projectId, never))).toEqual(["ada@example.com"]);
    expect(service.reads).toHaveLength(1);
  });
});

describe("after a write", () => {
  test("no reader gets what was seen before, and other projects keep theirs", async () => {
    const service = fakeService("ada@example.com");
    const peopleCache = cacheFor(service.client, 30);
    await Promise.all([peopleCache.shared(projectId, never), peopleCache.shared(elsewhere, never)]);
    service.people = ["grace@example.com"];
    peopleCache.written(projectId);
    expect(await namesIn(peopleCache.shared(projectId, never))).toEqual(["grace@example.com"]);
    expect(await namesIn(peopleCache.shared(elsewhere, never))).toEqual(["ada@example.com"]);
  });

  test("no later call joins a read that had started before", async () => {
    const service = fakeService("ada@example.com");
    const peopleCache = cacheFor(service.client, 30);
    const response = held<void>();
    service.gate = response.promise;
    const before = namesIn(peopleCache.shared(projectId, never));
    service.people = ["grace@example.com"];
    peopleCache.written(projectId);
    const after = namesIn(peopleCache.shared(projectId, never));
    response.resolve();
    expect(await before).toEqual(["ada@example.com"]);
    expect(await after).toEqual(["grace@example.com"]);
    // Nor does the late response of the old read replace the new one.
    expect(await namesIn(peopleCache.shared(projectId, never))).toEqual(["grace@example.com"]);
    expect(service.reads).toHaveLength(2);
  });
});

describe("a fresh read", () => {
  test("starts after the call; all calls during a read share the next one", async () => {
    const service = fakeService("ada@example.com");
    const peopleCache = cacheFor(service.client, 30);
    const response = held<void>();
    service.gate = response.promise;
    const first = namesIn(peopleCache.fresh(projectId, never));
    service.people = ["grace@example.com"];
    const others = Array.from({ length: 40 }, () => namesIn(peopleCache.fresh(projectId, never)));
    response.resolve();
    expect(await first).toEqual(["ada@example.com"]);
    expect(new Set((await Promise.all(others)).flat())).toEqual(new Set(["grace@example.com"]));
    expect(service.reads).toHaveLength(2);
  });

  test("is never one that is over", async () => {
    const service = fakeService();
    const peopleCache = cacheFor(service.client, 30);
    await peopleCache.shared(projectId, never);
    await peopleCache.fresh(projectId, never);
    await peopleCache.fresh(projectId, never);
    expect(service.reads).toHaveLength(3);
  });
});

describe("a read that fails", () => {
  const broken = new Error("no route to host");

  test.each(["shared", "fresh"] as const)(
    "fails for all who share it, and asks the service once (%s)",
    async (kind) => {
      const service = fakeService();
      const peopleCache = cacheFor(service.client, 30);
      const response = held<void>();
      service.gate = response.promise;
      const first = peopleCache[kind](projectId, never);
      const others = Array.from({ length: 40 }, () => peopleCache[kind](projectId, never));
      const outcomes = Promise.allSettled([first, ...others]);
      response.reject(broken);
      expect(new Set((await outcomes).map(({ status }) => status))).toEqual(new Set(["rejected"]));
      expect(service.reads).toHaveLength(kind === "shared" ? 1 : 2);
    },
  );

  test("is not remembered", async () => {
    const service = fakeService("ada@example.com");
    const peopleCache = cacheFor(service.client, 30);
    service.gate = Promise.reject(broken);
    await expect(peopleCache.shared(projectId, never)).rejects.toBe(broken);
    service.gate = undefined;
    expect(await namesIn(peopleCache.shared(projectId, never))).toEqual(["ada@example.com"]);
  });

  test("is a refusal of the list with the reason of the service, and that is cached", async () => {
    const service = fakeService();
    const peopleCache = cacheFor(service.client, 30);
    service.gate = Promise.reject(
      new ApiError("Listing failed.", { status: 401, errorCode: "NOT_GROUP_USER_ADMIN" }),
    );
    const { members, invitations } = await peopleCache.shared(projectId, never);
    expect([members instanceof Refusal, invitations instanceof Refusal]).toEqual([true, false]);
    await peopleCache.shared(projectId, never);
    expect(service.reads).toHaveLength(1);
  });

  test.each(["shared", "fresh"] as const)(
    "because the first caller was interrupted fails no other caller, and they share the next read (%s)",
    async (kind) => {
      const service = fakeService("ada@example.com");
      const peopleCache = cacheFor(service.client, 30);
      const response = held<void>();
      service.gate = response.promise;
      // If all read again, the interrupted call is the first of those that wait for the current read.
      if (kind === "fresh") void peopleCache.fresh(projectId, never);
      const interruption = new AbortController();
      const interrupted = Promise.allSettled([peopleCache[kind](projectId, interruption.signal)]);
      const others = Array.from({ length: 40 }, () => namesIn(peopleCache[kind](projectId, never)));
      interruption.abort();
      response.resolve();
      expect(await interrupted).toMatchObject([{ status: "rejected" }]);
      expect(new Set((await Promise.all(others)).flat())).toEqual(new Set(["ada@example.com"]));
      expect(service.reads).toHaveLength(kind === "fresh" ? 3 : 2);
    },
  );
});

test("an invitation has expired a day after its end by the given clock", () => {
  const invitation = { expiresAt: "2026-01-31T00:00:00Z" };
  expect(hasExpired(invitation, Date.parse("2026-01-31T23:59:59Z"))).toBe(false);
  expect(hasExpired(invitation, Date.parse("2026-02-01T00:00:00Z"))).toBe(true);
});

describe("operations that read before they write", () => {
  /** Runs operations as the engine does, so many at a time. Each adds a person. */
  async function runOperations(count: number, parallel: number, service: FakeService): Promise<void> {
    const peopleCache = cacheFor(service.client, 30);
    let started = 0;
    const worker = async (): Promise<void> => {
      while (started < count) {
        started += 1;
        const person = `person-${started}@example.com`;
        const addedBefore = service.people.length;
        await peopleCache.during(projectId, async () => {
          const seen = await namesIn(peopleCache.gathered(projectId, never));
          expect(seen.length).toBeGreaterThanOrEqual(addedBefore);
          service.people = [...service.people, person];
          peopleCache.written(projectId);
        });
      }
    };
    await Promise.all(Array.from({ length: parallel }, worker));
  }

  test.each([8, 32])(
    "share at most two reads in each wave of %i, and see every earlier write",
    async (parallel) => {
      const service = fakeService();
      await runOperations(160, parallel, service);
      expect(service.people).toHaveLength(160);
      expect(service.reads.length).toBeLessThanOrEqual((2 * 160) / parallel + 4);
    },
  );

  test("do not wait for each other if they are few, or come one by one after a while", async () => {
    jest.useFakeTimers();
    const service = fakeService();
    const peopleCache = cacheFor(service.client, 30);
    const operation = () => peopleCache.during(projectId, () => peopleCache.gathered(projectId, never));
    for (let index = 0; index < 4; index += 1) await operation();
    for (let index = 0; index < 4; index += 1) {
      jest.advanceTimersByTime(250);
      await operation();
    }
    expect(service.reads).toHaveLength(8);
  });

  test("end to wait when they are canceled", async () => {
    jest.useFakeTimers();
    const service = fakeService();
    const peopleCache = cacheFor(service.client, 30);
    const cancel = new AbortController();
    const operations = Array.from({ length: 6 }, () =>
      peopleCache.during(projectId, () => peopleCache.gathered(projectId, cancel.signal)),
    );
    cancel.abort(new Error("canceled"));
    const results = await Promise.allSettled(operations);
    expect(results.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => "rejected"));
  });
});
