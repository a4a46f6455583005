/** How Check finds and places faults in inputs of any shape. What each kind refuses: `inputs.test.ts`. */
import { z } from "zod";
import {
  failuresOfProgram,
  locatedShapeFailures,
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
  const groups = [
    { role: "r", members: ["m", ""] },
    { role: "r", members: ["m"], rolle: "x" },
  ];
  expect(shapeFailures(shape, { id: "5f", name: "", tag: ["A"], tags: ["A", "b", 7], groups })).toEqual([
    { property: "id", reason: "id must be the id of a thing: 24 hexadecimal digits." },
    { property: "name", reason: "name must not be empty." },
    { property: "tags", reason: "tags[1] must be in capitals." },
    { property: "tags", reason: "tags[2] must be text." },
    { property: "groups", reason: "groups[0].members[1] must not be empty." },
    { property: "groups", reason: "rolle is not a property in groups[1]." },
    { property: "tag", reason: "tag is not a property. Did you mean tags?" },
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
  const fault = { property: name, path: [name], reason: `${name} is not a property.` };
  for (const value of [5, UNKNOWN, ["a"], {}])
    expect(locatedShapeFailures(shape, { name: "n", [name]: value })).toEqual([fault]);
  expect(reasons({ name: "n", groups: [{ role: "r", members: ["m"], [name]: 5 }] })).toEqual([
    `${name} is not a property in groups[0].`,
  ]);
});

test.each<{ title: string; inputs: Properties; found?: readonly string[] }>([
  {
    title: "is no fault, wherever it stands",
    inputs: {
      id: UNKNOWN,
      name: UNKNOWN,
      tags: [UNKNOWN, "A"],
      groups: [UNKNOWN, { role: UNKNOWN, members: UNKNOWN }],
    },
  },
  {
    title: "is no fault as the only entry of a list that must not be empty",
    inputs: { name: "n", groups: [{ role: "r", members: [UNKNOWN] }] },
  },
  {
    title: "hides no fault beside it, and changes no location",
    inputs: {
      name: UNKNOWN,
      tags: [UNKNOWN, "A", UNKNOWN, "b"],
      groups: [UNKNOWN, { role: "", members: [UNKNOWN, ""] }],
    },
    found: [
      "tags[3] must be in capitals.",
      "groups[1].role must not be empty.",
      "groups[1].members[1] must not be empty.",
    ],
  },
  {
    title: "hides no unknown property, and may be the value of one",
    inputs: { name: UNKNOWN, nmae: "x", tag: UNKNOWN },
    found: ["nmae is not a property.", "tag is not a property. Did you mean tags?"],
  },
])("what is not known yet $title", ({ inputs, found = [] }) => {
  expect(reasons(inputs)).toEqual(found);
});

test("a list that is too long without what is not known yet is refused", () => {
  const few = z.strictObject({ tags: z.array(z.string()).max(1, "must have at most one entry") });
  expect(shapeFailures(few, { tags: [UNKNOWN, "A", "B"] })).toEqual([
    { property: "tags", reason: "tags must have at most one entry." },
  ]);
});

test("a value that the state's inputs have as well hides no fault of another value, or of an absent property", () => {
  const context = { log: { warn: () => undefined } };
  const refused = (inputs: Properties, oldInputs?: Properties) =>
    failuresOfProgram(locatedShapeFailures(shape, inputs), { inputs, oldInputs, context }).map(
      ({ reason }) => reason,
    );
  expect(refused({ name: "", tags: ["b"] }, { name: "", tags: ["a"] })).toEqual([
    "tags[0] must be in capitals.",
  ]);
  expect(refused({ tags: [] }, { tags: [] })).toEqual([expect.stringContaining("name ")]);
  expect(refused({ name: "" })).toEqual(["name must not be empty."]);
});
