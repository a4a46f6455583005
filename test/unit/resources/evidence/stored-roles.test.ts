import {
  rereadAfterCancel,
  rereadAfterWrite,
  stillUnknown,
} from "../../../../provider/resources/evidence/reread";
import { storedRoles } from "../../../../provider/resources/evidence/stored-roles";
import { PartialFailure } from "../../../../provider/text/errors";

interface Entry {
  readonly id: string;
  readonly name?: string | undefined;
  readonly roles: readonly string[];
}

const roles = ["GROUP_OWNER", "GROUP_READ_ONLY"];
const holder = { id: "t1", name: "operators" };

function stored(read: () => Promise<Entry | undefined>, noun: "team" | "API key" = "team") {
  const state = {
    noun,
    holder,
    roles,
    read,
    stateOf: ({ name = "absent", ...entry }: Entry) => ({ roles: entry.roles, name }),
  };
  return storedRoles(state, { projectId: "p1", signal: new AbortController().signal });
}

async function failureOf(read: () => Promise<Entry | undefined>, noun?: "team" | "API key") {
  const failure = await stored(read, noun).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(PartialFailure);
  const { id, state, message } = failure as PartialFailure;
  return { id, state, message };
}

const acceptedFor = (noun: string) =>
  `The service accepted GROUP_OWNER, GROUP_READ_ONLY for ${noun} operators in project p1`;
const accepted = acceptedFor("team");

test("roles that the service stored in any order are recorded as it shows them", async () => {
  const read = async () => ({ id: "t1", roles: ["GROUP_READ_ONLY", "GROUP_OWNER"] });
  expect(await stored(read)).toEqual({ roles: ["GROUP_READ_ONLY", "GROUP_OWNER"], name: "absent" });
});

test("other stored roles are recorded, and the error names them", async () => {
  expect(await failureOf(async () => ({ id: "t1", roles: ["GROUP_OWNER"] }))).toEqual({
    id: "p1/t1",
    state: { roles: ["GROUP_OWNER"], name: "absent" },
    message: expect.stringContaining(`${accepted}, but it stored GROUP_OWNER.`),
  });
});

test.each(["team", "API key"] as const)("a %s that is not listed is recorded as written", async (noun) => {
  expect(await failureOf(async () => undefined, noun)).toEqual({
    id: "p1/t1",
    state: { roles, name: "operators" },
    message: expect.stringContaining(`${acceptedFor(noun)}, but it does not list the ${noun} there.`),
  });
});

test("roles that cannot be read are recorded as written, and the error says what to do", async () => {
  const failure = await failureOf(async () => {
    throw new Error("The connection was reset.");
  });
  expect(failure).toEqual({
    id: "p1/t1",
    state: { roles, name: "operators" },
    message: expect.stringContaining(
      `${accepted}, but the result could not be read. Run pulumi up again: it continues from what exists. (The connection was reset.)`,
    ),
  });
});

describe("a read after a write", () => {
  test("uses the signal of the operation, or one of its own if the operation was canceled", async () => {
    const operation = new AbortController();
    const signals: AbortSignal[] = [];
    const read = async (signal: AbortSignal) => signals.push(signal);
    await rereadAfterWrite(read, operation.signal);
    operation.abort();
    await rereadAfterWrite(read, operation.signal);
    expect(signals[0]).toBe(operation.signal);
    expect(signals[1]).not.toBe(operation.signal);
    expect(signals[1]?.aborted).toBe(false);
  });

  test("ends after ten seconds if the operation was canceled", async () => {
    jest.useFakeTimers();
    try {
      const read = rereadAfterCancel(
        (signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
      );
      const failure = expect(read).rejects.toThrow("no response within 10 s.");
      jest.advanceTimersByTime(9999);
      expect(jest.getTimerCount()).toBe(1);
      jest.advanceTimersByTime(1);
      await failure;
      await rereadAfterCancel(async () => undefined);
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });
});

test("a lost response that no read explains says what the read showed, and what to do", () => {
  const lost = new Error("Adding failed: no usable response.");
  const error = stillUnknown(lost);
  expect(error.message).toBe(
    "Adding failed: no usable response. A read afterwards does not show the change. Run pulumi up again: it continues from what exists.",
  );
  expect(error.cause).toBe(lost);
  expect(stillUnknown(lost, "It shows two.", "Delete one.").message).toBe(
    "Adding failed: no usable response. It shows two. Delete one.",
  );
});
