import { z } from "zod";
import {
  failuresOfProgram,
  locatedShapeFailures,
  repeatedValues,
  shapeFailures,
} from "../../../provider/resources/contract/check";
import { nameText, objectId } from "../../../provider/resources/contract/fields";
import { type Properties, UNKNOWN } from "../../../provider/resources/contract/values";

const shape = z.strictObject({
  id: objectId("the id of a thing").optional(),
  name: nameText(),
  tags: z
    .array(z.string("must be text").regex(/^[A-Z]+$/, "must be in capitals"), "must be a list")
    .optional(),
  groups: z
    .array(
      z.strictObject({
        role: nameText(),
        members: z.array(nameText(), "must be a list").min(1, "must not be empty"),
      }),
    )
    .optional(),
});

const reasons = (inputs: Properties) => shapeFailures(shape, inputs).map(({ reason }) => reason);

test("every fault is named at once, with the full path and under its top-level property", () => {
  const inputs = { id: "5f", name: "", tags: ["A", "b", 7], groups: [{ role: "r", members: ["m", ""] }] };
  expect(shapeFailures(shape, inputs)).toEqual([
    { property: "id", reason: "id must be the id of a thing: 24 hexadecimal digits." },
    { property: "name", reason: "name must not be empty." },
    { property: "tags", reason: "tags[1] must be in capitals." },
    { property: "tags", reason: "tags[2] must be text." },
    { property: "groups", reason: "groups[0].members[1] must not be empty." },
  ]);
});

test("an unknown property is named, also inside of others", () => {
  const inputs = { name: "n", tag: ["A"], groups: [{ role: "r", members: ["m"], rolle: "x" }] };
  expect(shapeFailures(shape, inputs)).toEqual([
    { property: "groups", reason: "rolle is not a property in groups[0]." },
    { property: "tag", reason: "tag is not a property. Did you mean tags?" },
  ]);
});

test("what is wrong with a name in a map is reported, not only that something is", () => {
  const map = z.strictObject({ people: z.record(nameText(), z.array(nameText())) });
  expect(shapeFailures(map, { people: { "": ["r"], "a\u200b": ["r"], b: [""] } })).toEqual([
    { property: "people", reason: 'people[""] must not be empty.' },
    {
      property: "people",
      reason: 'people["a\u200b"] must not hold hidden characters: U+200B at position 2.',
    },
    { property: "people", reason: "people.b[0] must not be empty." },
  ]);
});

test("an entry with the name of an inherited property is one as any other, and is checked", () => {
  const map = z.strictObject({ people: z.record(nameText(), z.array(nameText(), "must be a list")) });
  const entries = '{ "__proto__": 5, "proto": ["r"], "constructor": 5, "b": { "__proto__": [] } }';
  expect(locatedShapeFailures(map, { people: JSON.parse(entries) })).toEqual([
    { property: "people", path: ["people", "__proto__"], reason: "people.__proto__ must be a list." },
    { property: "people", path: ["people", "constructor"], reason: "people.constructor must be a list." },
    { property: "people", path: ["people", "b"], reason: "people.b must be a list." },
  ]);
  expect(shapeFailures(map, { people: JSON.parse('{ "__proto__": ["r"] }') })).toEqual([]);
});

test.each(["__proto__", "constructor", "toString", "valueOf"])("%s is no property, known or not", (name) => {
  for (const value of [5, null, UNKNOWN, ["a"], {}]) {
    const fault = { property: name, path: [name], reason: `${name} is not a property.` };
    const expected = value === null ? [] : [fault];
    expect(locatedShapeFailures(shape, { name: "n", [name]: value })).toEqual(expected);
  }
  expect(reasons({ name: "n", groups: [{ role: "r", members: ["m"], [name]: 5 }] })).toEqual([
    `${name} is not a property in groups[0].`,
  ]);
});

describe("what is not known yet", () => {
  test("is no fault, wherever it stands", () => {
    expect(reasons({ id: UNKNOWN, name: UNKNOWN, tags: UNKNOWN, groups: UNKNOWN })).toEqual([]);
    expect(
      reasons({ name: "n", tags: [UNKNOWN, "A"], groups: [UNKNOWN, { role: UNKNOWN, members: UNKNOWN }] }),
    ).toEqual([]);
  });

  test("is no fault as the only entry of a list that must not be empty", () => {
    expect(reasons({ name: "n", groups: [{ role: "r", members: [UNKNOWN] }] })).toEqual([]);
  });

  test("does not hide the faults beside it, nor change their location", () => {
    expect(reasons({ name: UNKNOWN, tags: [UNKNOWN, "A", UNKNOWN, "b"] })).toEqual([
      "tags[3] must be in capitals.",
    ]);
    expect(reasons({ name: "n", groups: [UNKNOWN, { role: "", members: [UNKNOWN, ""] }] })).toEqual([
      "groups[1].role must not be empty.",
      "groups[1].members[1] must not be empty.",
    ]);
  });

  test("does not hide an unknown property, and may be the value of one", () => {
    expect(reasons({ name: UNKNOWN, nmae: "x" })).toEqual(["nmae is not a property."]);
    expect(locatedShapeFailures(shape, { name: "n", tag: UNKNOWN })).toEqual([
      { property: "tag", path: ["tag"], reason: "tag is not a property. Did you mean tags?" },
    ]);
  });

  test("does not make a list short enough that is too long without it", () => {
    const few = z.strictObject({ tags: z.array(z.string()).max(1, "must have at most one entry") });
    expect(shapeFailures(few, { tags: [UNKNOWN, "A", "B"] })).toEqual([
      { property: "tags", reason: "tags must have at most one entry." },
    ]);
  });
});

describe("a value that the state's inputs have as well", () => {
  const context = { log: { warn: () => undefined } };
  const refused = (inputs: Properties, oldInputs?: Properties) =>
    failuresOfProgram(locatedShapeFailures(shape, inputs), { inputs, oldInputs, context }).map(
      ({ reason }) => reason,
    );

  test("hides no fault of another value, of another entry, or of an absent property", () => {
    expect(refused({ name: "", tags: ["b"] }, { name: "", tags: ["a"] })).toEqual([
      "tags[0] must be in capitals.",
    ]);
    expect(refused({ tags: [] }, { tags: [] })).toEqual([expect.stringContaining("name ")]);
    expect(refused({ name: "" })).toEqual(["name must not be empty."]);
  });
});

test("duplicates are given once each", () => {
  expect(repeatedValues(["a", "b", "a", "a", "c", "b"])).toEqual(["a", "b"]);
  expect(repeatedValues(["a", "A"])).toEqual([]);
});
