import {
  changedProperties,
  type Difference,
  setDifferences,
} from "../../../provider/resources/contract/difference";

/** `-1` an old entry at index 1 is removed, `+1` a new one is at index 1, `~1` both on one index. */
function drawn(differences: readonly Difference[]): string[] {
  const signs = { delete: "-", add: "+", update: "~" };
  return differences.map(({ path, kind }) => `${signs[kind]}${path.slice(1).join(".")}`);
}

const differences = (olds: string, news: string, skipOld?: (entry: string) => boolean) =>
  drawn(setDifferences(["tags"], [...olds], [...news], (entry) => entry, skipOld));

describe("two sets", () => {
  test.each([
    ["that are equal do not differ", "ABC", "ABC", []],
    ["that are empty do not differ", "", "", []],
    ["in another order do not differ", "ABC", "CAB", []],
    ["differ by an entry at its new index", "AC", "ABC", ["+1"]],
    ["differ by an entry at its old index", "ABC", "AC", ["-1"]],
    ["with one entry for another at the same index differ by one update", "ABC", "AXC", ["~1"]],
    ["with entries removed and added at two indexes differ by both", "ABC", "BCX", ["-0", "+2"]],
    [
      "with a new entry in front of a removed one differ in the order of the indexes",
      "BCD",
      "ABC",
      ["+0", "-2"],
    ],
    ["with nothing in common differ everywhere", "AB", "XYZ", ["~0", "~1", "+2"]],
    ["one of them empty differ by every entry", "ABC", "", ["-0", "-1", "-2"]],
    ["the other one empty too", "", "AB", ["+0", "+1"]],
  ])("%s", (_, olds, news, expected) => {
    expect(differences(olds, news)).toEqual(expected);
  });

  test("keep the old indexes when old entries are not reported", () => {
    expect(differences("AXB", "A", (entry) => entry === "X")).toEqual(["-2"]);
  });

  test("report an old entry as kept, and a new one on its index as added", () => {
    expect(differences("XA", "BA", (entry) => entry === "X")).toEqual(["+0"]);
  });

  test("are compared by what makes two entries the same", () => {
    const olds = [{ role: "A", groups: 1 }];
    const news = [{ role: "A", groups: 2 }];
    expect(setDifferences(["m"], olds, news, ({ role }) => role)).toEqual([]);
    expect(setDifferences(["m"], olds, news, (entry) => JSON.stringify(entry))).toEqual([
      { path: ["m", 0], kind: "update" },
    ]);
  });
});

test("the changed properties are named once each, in order", () => {
  const paths: Difference["path"][] = [
    ["tags", 1],
    ["name"],
    ["tags", 0],
    ["ldapGroupMappings", 0, "ldapGroups", 2],
  ];
  expect(changedProperties(paths.map((path) => ({ path, kind: "add" })))).toEqual([
    "ldapGroupMappings",
    "name",
    "tags",
  ]);
});
