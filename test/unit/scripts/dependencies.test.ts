import { join } from "node:path";
import { installArguments } from "../../../scripts/lib/dependencies.mjs";
import { repositoryRoot } from "../../support/repository";

describe("the installation of dependencies", () => {
  const ofTheMachine = join("/usr", "bin", "node");
  const ofThePackage = join(repositoryRoot, "node_modules", "node", "bin", "node");

  it.each([
    ["linux", ofTheMachine, ["ci"]],
    ["linux", ofThePackage, ["ci"]],
    ["win32", ofTheMachine, ["ci"]],
    ["win32", ofThePackage, ["install", "--no-save"]],
  ])("on %s with %s running does not remove a running program", (platform, node, expected) => {
    expect(installArguments({ platform, node })).toEqual(expected);
  });
});
