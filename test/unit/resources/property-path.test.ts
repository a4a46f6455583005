import {
  ignoresPart,
  ignoresProperty,
  parsePath,
  pathsInside,
  pathText,
  valueAt,
  withoutIndexes,
  withValuesAt,
} from "../../../provider/resources/contract/property-path";

describe("a property path", () => {
  test.each([
    ["tags[3]", ["tags", 3]],
    ["ldapGroupMappings[0].ldapGroups[1]", ["ldapGroupMappings", 0, "ldapGroups", 1]],
    ['members["ada@example.com"][0]', ["members", "ada@example.com", 0]],
    ['members["a\\"b\\\\c"]', ["members", 'a"b\\c']],
  ])("%s is written and parsed", (text, path) => {
    expect(pathText(path)).toBe(text);
    expect(parsePath(text)).toEqual(path);
  });

  test("may quote its first step", () => {
    expect(parsePath('["tags"][0]')).toEqual(["tags", 0]);
  });

  test("is the same without indexes for each element of a list", () => {
    expect(withoutIndexes('members["ada@example.com"][12]')).toBe('members["ada@example.com"][]');
  });
});

describe("ignoreChanges", () => {
  test.each(["tags", '["tags"]', "*"])("%s names the complete property", (path) => {
    expect(ignoresProperty([path])("tags")).toBe(true);
    expect(ignoresPart([path])("tags")).toBe(true);
  });

  test.each(["tags[0]", '["tags"][0]', "tags.x"])("%s names a part of the property", (path) => {
    expect(ignoresProperty([path])("tags")).toBe(false);
    expect(ignoresPart([path])("tags")).toBe(true);
  });

  test("does not name a property of which it has only the first letters", () => {
    expect(ignoresProperty(["tag", ""])("tags")).toBe(false);
    expect(ignoresPart(["tag", ""])("tags")).toBe(false);
  });
});

describe("the values of another record", () => {
  const inputs = {
    name: "payments",
    tags: ["A", "B"],
    ldapGroupMappings: [{ roleName: "GROUP_OWNER", ldapGroups: ["dba"] }],
  };
  const live = { name: "ledger", tags: ["X"], ldapGroupMappings: [{ ldapGroups: ["ops"] }] };
  const replaced = (...paths: string[]) => withValuesAt(inputs, live, paths.map(parsePath));

  test("replace those at a path, inside lists and maps", () => {
    expect(replaced("name", "tags[0]")).toEqual({ ...inputs, name: "ledger", tags: ["X", "B"] });
    expect(replaced("ldapGroupMappings[0].ldapGroups[0]").ldapGroupMappings).toEqual([
      { roleName: "GROUP_OWNER", ldapGroups: ["ops"] },
    ]);
  });

  test("replace nothing where the record or the inputs have nothing", () => {
    for (const path of ["tags[1]", "tags[7]", "labels", "name.first", "ldapGroupMappings[0].roleName"])
      expect(replaced(path)).toEqual(inputs);
  });

  test("are found by the same paths", () => {
    expect(valueAt(inputs, ["ldapGroupMappings", 0, "ldapGroups", 0])).toBe("dba");
    expect(valueAt(inputs, ["tags", 2])).toBeUndefined();
    expect(valueAt(inputs, ["name", "length"])).toBeUndefined();
  });

  test("are meant by paths inside properties, and not by those of whole ones", () => {
    expect(pathsInside(["tags", "tags[0]", '["name"]'])).toEqual([["tags", 0]]);
  });
});
