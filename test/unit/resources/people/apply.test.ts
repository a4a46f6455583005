/** Changes of several people at once: what is sent, what a read shows, and what is reported. */
import { type Change, Execution, type Place } from "../../../../provider/resources/people/apply";
import {
  ApiError,
  CanceledError,
  KeyRefusedError,
  OutcomeUnknownError,
  RequestTimeoutError,
  UnreachableError,
} from "../../../../provider/text/errors";

interface Person {
  readonly name: string;
  readonly roles?: string;
}

type TestChange = Change<Person>;

const ada = { name: "ada" };
const bob = { name: "bob" };
const eve = { name: "eve" };
const never = new AbortController().signal;
const refused = new ApiError("Adding failed: 403.", { status: 403, errorCode: "NOT_ALLOWED" });
const lastOwnerRefusal = new ApiError("Removing failed: 409.", {
  status: 409,
  errorCode: "CANNOT_DELETE_LAST_OWNER",
});

/** The people of a place by a read; an error is what the read throws. */
function placeOf(people: readonly Person[] | Error): Place<Person> & { reads: number } {
  return {
    reads: 0,
    async list() {
      this.reads += 1;
      if (people instanceof Error) throw people;
      return people;
    },
    isSame: (one, other) => one.name === other.name,
    unreadable: (error) => `Not readable: ${(error as Error).message}`,
  };
}

/** Adds a person, who is shown by the response unless it is an error or shows no one. */
function adding(name: string, response: Person | Error | "no one" = { name }): TestChange {
  return {
    username: name,
    send: async () => {
      if (response instanceof Error) throw response;
      return response === "no one" ? undefined : response;
    },
    contradiction: (people) =>
      people.some((one) => one.name === name) ? undefined : `${name} is not shown.`,
  };
}

function removing(leaver: Person, error?: Error): TestChange {
  return {
    username: leaver.name,
    leaver,
    send: async () => {
      if (error) throw error;
      return undefined;
    },
    contradiction: (people) => (people.includes(leaver) ? `${leaver.name} is still shown.` : undefined),
    lastOwner: (refusal) => `${leaver.name} stays: ${refusal.message}`,
  };
}

test("responses show people at once: additions, new roles in place of the old ones, and removals", async () => {
  const execution = new Execution([ada, bob], placeOf([]), never);
  await execution.send(adding("eve"), removing(ada), adding("bob", { name: "bob", roles: "owner" }));
  expect(execution.people).toEqual([eve, { name: "bob", roles: "owner" }]);
  await execution.send(adding("zoe", "no one"), removing(bob, refused));
  expect(execution.people).toEqual([eve, { name: "bob", roles: "owner" }]);
});

test("nothing is read where nothing was sent", async () => {
  const place = placeOf([]);
  const execution = new Execution([ada], place, never);
  await execution.send();
  const outcome = await execution.outcome();
  expect(outcome).toEqual({ people: [ada], isRead: true, reasons: [], lastOwners: [], unread: [] });
  expect(place.reads).toBe(0);
});

test("one read after all changes decides, and what was sent before an empty list of changes counts", async () => {
  const place = placeOf([eve]);
  const execution = new Execution([ada], place, never);
  await execution.send(adding("eve", "no one"), removing(ada));
  await execution.send();
  const outcome = await execution.outcome();
  expect(outcome).toEqual({ people: [eve], isRead: true, reasons: [], lastOwners: [], unread: [] });
  expect(place.reads).toBe(1);
});

test.each<[string, TestChange[], string[]]>([
  ["is no failure if the read shows the change", [adding("ada", refused)], []],
  ["is reported if the read does not show the change", [adding("eve", refused)], ["Adding failed: 403."]],
  [
    "is reported where the service accepted the change",
    [adding("eve"), removing(ada)],
    ["eve is not shown.", "ada is still shown."],
  ],
  [
    "of a lost response is reported once, with all people",
    [
      adding("eve", new OutcomeUnknownError("No response.")),
      adding("zoe", new OutcomeUnknownError("Reset.")),
    ],
    [
      "No response. A read afterwards does not show the change. Run pulumi up again: it continues from what exists. This concerns eve, zoe.",
    ],
  ],
  [
    "of the key is reported once, with all people and the first message",
    [
      adding("eve", new KeyRefusedError("Key refused: POST.", { status: 401 })),
      removing(ada, new KeyRefusedError("Key refused: DELETE.", { status: 401 })),
    ],
    ["Key refused: POST. This concerns eve, ada."],
  ],
  [
    "of the connection, of time and by cancellation are three",
    [
      adding("eve", new UnreachableError("Unreachable.")),
      adding("zoe", new RequestTimeoutError("Too late.")),
      adding("joe", new CanceledError("Canceled one.")),
      adding("kim", new CanceledError("Canceled two.")),
      adding("lea", new UnreachableError("Unreachable again.")),
      adding("max", refused),
    ],
    [
      "Adding failed: 403.",
      "Unreachable. This concerns eve, lea.",
      "Too late. This concerns zoe.",
      "Canceled one. This concerns joe, kim.",
    ],
  ],
])("a failure %s", async (_, changes, reasons) => {
  const execution = new Execution([ada], placeOf([ada]), never);
  await execution.send(...changes);
  expect(await execution.outcome()).toEqual({
    ...{ people: [ada], isRead: true, lastOwners: [], unread: [] },
    reasons,
  });
});

test("the last owner is one sentence and no failure, and only of a removal that the service refuses for this", async () => {
  const place = placeOf([ada, bob]);
  const execution = new Execution([ada, bob], place, never);
  await execution.send(
    removing(ada, lastOwnerRefusal),
    removing(bob, refused),
    adding("eve", lastOwnerRefusal),
  );
  expect(execution.unfinished()).toEqual(["bob", "eve"]);
  const { reasons, lastOwners } = await execution.outcome();
  expect(lastOwners).toEqual(["ada stays: Removing failed: 409."]);
  expect(reasons).toEqual(["Adding failed: 403.", "Removing failed: 409."]);
});

test("unfinished are the people whose changes failed and are not shown", async () => {
  const execution = new Execution([ada], placeOf([ada]), never);
  await execution.send(adding("eve", "no one"), adding("zoe", refused), adding("ada", refused));
  expect(execution.unfinished()).toEqual(["zoe"]);
  await execution.reread();
  expect(execution.unfinished()).toEqual(["zoe"]);
});

describe("if the people cannot be read after the changes", () => {
  const failure = new Error("500");

  test("accepted changes that no response shows are unread, and the others are reported", async () => {
    const execution = new Execution([ada], placeOf(failure), never);
    const unseen = adding("eve", "no one");
    await execution.send(adding("bob"), unseen, adding("zoe", refused));
    expect(await execution.outcome()).toEqual({
      people: [ada, bob],
      isRead: false,
      reasons: ["Adding failed: 403.", "Not readable: 500"],
      lastOwners: [],
      unread: [unseen],
    });
  });

  test("a cause that the changes share is not reported again", async () => {
    const place = placeOf(new UnreachableError("Unreachable: GET."));
    const execution = new Execution([ada], place, never);
    await execution.send(adding("eve", new UnreachableError("Unreachable: POST.")));
    const { reasons } = await execution.outcome();
    expect(reasons).toEqual(["Unreachable: POST. This concerns eve."]);
  });

  test("a change that was not sent for the same reason is reported with it", async () => {
    const execution = new Execution([ada], placeOf(failure), never);
    await execution.send(adding("bob"));
    execution.omit(removing(ada), failure);
    execution.omit(removing(eve), failure);
    expect((await execution.outcome()).reasons).toEqual(["500 This concerns ada, eve."]);
  });
});
