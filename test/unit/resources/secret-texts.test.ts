import { z } from "zod";
import { secretTexts } from "../../../provider/resources/contract/secret-texts";
import { UNKNOWN } from "../../../provider/resources/contract/values";

const values = {
  name: "n",
  tags: ["A", { b: ["C"] }, 7, null, UNKNOWN],
  members: { "ada@example.com": ["R"] },
  plain: "p",
  __declared: { name: "n", plain: "p" },
};

test("the texts of secret properties are found at any depth, and no others", () => {
  expect(secretTexts(values, new Set(["name", "tags", "absent"]))).toEqual(["n", "A", "C"]);
  expect(secretTexts(values, new Set())).toEqual([]);
});

test("the keys of a map are texts where the resource says so", () => {
  expect(secretTexts(values, new Set(["members"]))).toEqual(["R"]);
  expect(secretTexts(values, new Set(["members"]), { maps: ["members"], outputs: z.object({}) })).toEqual([
    "ada@example.com",
    "R",
  ]);
});

// The dynamic provider's record of the checked inputs is always secret. After a move to the plugin every word of a message was
// masked for it, down to "released" and the name of the project.
test("a provider's own record of other properties makes none of them secret", () => {
  expect(secretTexts(values, new Set(["__declared", "name"]))).toEqual(["n"]);
});
