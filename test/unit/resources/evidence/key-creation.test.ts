import type { Context } from "../../../../provider/resources/contract/resource";
import {
  adviceIfUnread,
  announceReplacement,
  announceSameDescription,
  type KeyCreation,
  keysRemain,
  type ListedKey,
  newKeys,
  orLostCreation,
} from "../../../../provider/resources/evidence/key-creation";
import { ObservationLog } from "../../../../provider/resources/session/observations";
import { OutcomeUnknownError } from "../../../../provider/text/errors";
import { newSession, urnOf } from "../checker";

const { signal } = new AbortController();
const lost = new OutcomeUnknownError("Creating a key failed: no usable response.");
const key = (keyId: string, description?: string): ListedKey => ({ keyId, description });

function creationOf(before: readonly ListedKey[], after: readonly ListedKey[] = []): KeyCreation<ListedKey> {
  return {
    what: "API key",
    place: "organization o1",
    description: "ci",
    before,
    list: async () => after,
    deletion: "Delete it in the user interface.",
  };
}

function contextOf(urn = urnOf("ApiKey", "ci")) {
  const messages: string[] = [];
  const session = newSession();
  const log = { info: (message: string) => void messages.push(message) };
  return { messages, log: session.of(ObservationLog), context: { session, urn, log } as unknown as Context };
}

const observed = (id: string) => ({ kind: "ApiKey", id, origin: "created", names: [] }) as const;

test("new keys are those of the description, apart from blanks at its ends, or else all that are new", async () => {
  const before = [key("k1", "ci")];
  const described = [key("k2", " ci "), key("k3", "ci")];
  const others = [key("k4", "CI"), key("k5")];
  expect(await newKeys(creationOf(before, [...before, ...described, ...others]), signal)).toEqual(described);
  expect(await newKeys(creationOf(before, [...before, ...others]), signal)).toEqual(others);
});

describe("a lost creation", () => {
  test("names each new key, and how to delete it", async () => {
    const creation = creationOf([], [key("k1", "CI"), key("k2")]);
    await expect(orLostCreation(Promise.reject(lost), creation)).rejects.toMatchObject({
      message:
        'Creating a key failed: no usable response. New API keys of organization o1 since then: k1 ("CI"), k2. The service does not show a key again, so no program can use them. Delete each of them that no other program created. Then run pulumi up again, which creates another key. Delete it in the user interface.',
      cause: lost,
    });
  });

  test("says that no key is new", () => {
    expect(keysRemain(creationOf([]), lost, []).message).toBe(
      'Creating a key failed: no usable response. A read afterwards found no new API key with the description "ci" in organization o1. Run pulumi up again.',
    );
  });

  test("says what to look for, if the keys cannot be read", async () => {
    const creation = { ...creationOf([]), list: () => Promise.reject(new Error("503")) };
    const advice =
      'Check whether organization o1 has a new API key with the description "ci". If so, delete it before you run pulumi up again. Delete it in the user interface.';
    expect(adviceIfUnread(creation)).toBe(advice);
    await expect(orLostCreation(Promise.reject(lost), creation)).rejects.toThrow(
      `Creating a key failed: no usable response. A read afterwards failed as well: 503 ${advice}`,
    );
  });

  test("is neither a creation that succeeds nor one that is rejected", async () => {
    expect(await orLostCreation(Promise.resolve("k1"), creationOf([]))).toBe("k1");
    const rejected = new Error("403");
    await expect(orLostCreation(Promise.reject(rejected), creationOf([]))).rejects.toBe(rejected);
  });
});

describe("keys of the same description", () => {
  test("are announced unless a resource holds them, in any case of their ids", () => {
    const { context, log, messages } = contextOf();
    log.record(urnOf("ApiKey", "held"), observed("o1/k1"));
    const before = [key("K1", "ci"), key("k2", "ci"), key("K3", "ci "), key("k4", "other"), key("k5")];
    announceSameDescription(creationOf(before), (keyId) => `o1/${keyId}`, context);
    expect(messages).toEqual([
      'Organization o1 has other API keys with the description "ci": k2, K3. If a failed run left one of them, delete it. Delete it in the user interface.',
    ]);
  });

  test("are not announced if there are none", () => {
    const { context, messages } = contextOf();
    announceSameDescription(creationOf([key("k4", "other")]), (keyId) => keyId, context);
    expect(messages).toEqual([]);
  });
});

test("a replacement is announced with the key that it replaces, and a first creation is not", () => {
  const { context, log, messages } = contextOf();
  const text = { what: "API key", effects: "the new key has another secret." };
  announceReplacement(text, context);
  expect(messages).toEqual([]);
  log.record(context.urn, observed("o1/k1"));
  announceReplacement(text, context);
  expect(messages).toEqual(["API key o1/k1 is replaced: the new key has another secret."]);
});
