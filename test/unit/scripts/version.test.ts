import { findVersion, isAtLeast } from "../../../scripts/lib/version.mjs";

describe("a version", () => {
  it.each([
    ["3.227.0", true],
    ["3.1000.0", true],
    ["4.0", true],
    ["3.226.9", false],
    ["3.99.0", false],
    ["2.300.0", false],
    [undefined, false],
  ])("%s is compared by number with 3.227.0", (version, expected) => {
    expect(isAtLeast(version, "3.227.0")).toBe(expected);
  });

  it.each([
    ["v3.259.0", "3.259.0"],
    ["go version go1.26.8 linux/amd64", "1.26.8"],
    ["go version go1.26 linux/amd64", "1.26"],
    ["no version", undefined],
  ])("is found in %j", (text, expected) => {
    expect(findVersion(text)).toBe(expected);
  });
});
