import { endToRecord, wasMadeAgain } from "../../../provider/resources/keys/key-end";

const secret = "11111111-2222-4333-8444-55555555cdef";

test.each([
  ["a right end proves that the service shows ends", secret, undefined, "cdef", "cdef", false],
  ["a wrong end at first proves nothing", secret, undefined, "beef", "", false],
  ["a wrong end at first proves nothing for ever", secret, "", "f00d", "", false],
  ["not even after the right one", secret, "", "cdef", "", false],
  ["a wrong end proves another key after that", secret, "cdef", "beef", "beef", true],
  ["the other key stays proven while no end is shown", secret, "beef", undefined, "beef", true],
  ["the right end again disproves the other key", secret, "beef", "cdef", "cdef", false],
  ["no end changes nothing", secret, "cdef", undefined, "cdef", false],
  ["no end at all is recorded as none", secret, undefined, undefined, undefined, false],
  ["an imported key has nothing to compare with", undefined, "cdef", "beef", "beef", false],
])("%s", (_, key, recorded, shown, expected, isOther) => {
  const now = endToRecord({ secret: key, recorded }, shown);
  expect(now).toBe(expected);
  expect(wasMadeAgain({ secret: key, recorded: now })).toBe(isOther);
});
