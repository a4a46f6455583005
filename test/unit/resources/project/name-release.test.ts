import { whenNameIsFree } from "../../../../provider/resources/project/name-release";
import { ApiError } from "../../../../provider/text/errors";

const what = 'Creating project "payments"';
/** Every wait ends at once. */
const signal = AbortSignal.abort();
const taken = new ApiError("taken", { status: 409, errorCode: "GROUP_ALREADY_EXISTS" });

async function attempts(refusals: number, isBeingDeleted: boolean, refusal: Error = taken) {
  let count = 0;
  const attempt = async () => {
    count += 1;
    if (count <= refusals) throw refusal;
    return "created";
  };
  const outcome = await whenNameIsFree(what, attempt, () => isBeingDeleted, { signal }).catch(
    (error: Error) => error.message,
  );
  return { count, outcome };
}

test.each([
  ["while a deleted project holds it", 7, true, 8],
  ["a few times if no such project can be seen", 3, false, 4],
])("a name that is taken is tried again %s", async (_, refusals, isBeingDeleted, expected) => {
  expect(await attempts(refusals, isBeingDeleted)).toEqual({ count: expected, outcome: "created" });
});

test.each([
  ["that a deleted project holds", true, 8, "a deleted project still holds the name"],
  ["whose project cannot be seen", false, 4, "these credentials see no project of that name"],
])("a name %s is an error in the end, and says what to do", async (_, isBeingDeleted, expected, reason) => {
  const { count, outcome } = await attempts(100, isBeingDeleted);
  expect(count).toBe(expected);
  expect(outcome).toContain(`${what} failed (GROUP_ALREADY_EXISTS): `);
  expect(outcome).toContain(reason);
  expect(outcome.toLowerCase()).toContain("run pulumi up again in a few minutes");
});

test("any other refusal is not repeated", async () => {
  const refusal = new ApiError("not allowed", { status: 403 });
  expect(await attempts(1, true, refusal)).toEqual({ count: 1, outcome: "not allowed" });
});
