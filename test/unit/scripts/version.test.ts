import { findVersion, isAtLeast } from "../../../scripts/lib/version.mjs";

it("a version is compared by number", () => {
  for (const version of ["3.227.0", "3.1000.0", "4.0"]) expect(isAtLeast(version, "3.227.0")).toBe(true);
  for (const version of ["3.226.9", "3.99.0", "2.300.0", undefined])
    expect(isAtLeast(version, "3.227.0")).toBe(false);
});

it("a version is found in what a command prints", () => {
  expect(["v3.259.0", "go version go1.26 linux/amd64", "none"].map(findVersion)).toEqual([
    "3.259.0",
    "1.26",
    undefined,
  ]);
});
