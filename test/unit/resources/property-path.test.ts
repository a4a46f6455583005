import {
  ignoresPart,
  ignoresProperty,
  parsePath,
  pathText,
  withoutIndexes,
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
