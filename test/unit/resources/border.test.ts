import { toProperties } from "../../../provider/resources/contract/border";
import { UNKNOWN } from "../../../provider/resources/contract/values";
import { InternalError } from "../../../provider/text/errors";

it("properties have no undefined value, at any depth, and keep null, unknown values and the order of names", () => {
  const properties = toProperties({
    name: "payments",
    tags: undefined,
    people: [{ userId: undefined, roles: ["GROUP_OWNER"], invitation: null }],
    origin: UNKNOWN,
  });
  expect(properties).toEqual({
    name: "payments",
    people: [{ roles: ["GROUP_OWNER"], invitation: null }],
    origin: UNKNOWN,
  });
  expect(Object.keys(properties)).toEqual(["name", "people", "origin"]);
  expect(Object.keys((properties.people as object[])[0] ?? {})).toEqual(["roles", "invitation"]);
});

it.each([
  ["a function", () => undefined],
  ["a big integer", 1n],
  ["another symbol than that of an unknown value", Symbol("other")],
])("%s is no value of a property", (_, value) => {
  expect(() => toProperties({ list: [value] })).toThrow(InternalError);
});
