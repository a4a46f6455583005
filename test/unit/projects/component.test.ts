import { ProjectFolder } from "../../../projects";

const advice =
  'Write provider: "plugin" for the provider plugin, or provider: "dynamic" for the dynamic provider.';

describe("the component for project files", () => {
  it.each([
    ["requires a provider", {}, "the option provider is missing"],
    [
      "rejects a module as provider",
      { provider: {} },
      "the option provider has another value than the name of a provider",
    ],
    [
      "rejects another name",
      { provider: "toString" },
      "the option provider has another value than the name of a provider",
    ],
  ])("%s", (_, options, problem) => {
    const args = { folder: "there-is-no-such-folder", ...options } as never;
    expect(() => new ProjectFolder("projects", args)).toThrow(
      `ProjectFolder "projects": ${problem}. ${advice}`,
    );
  });

  it("requires a folder", () => {
    const args = { provider: "plugin", folder: 1 } as never;
    expect(() => new ProjectFolder("projects", args)).toThrow(
      'ProjectFolder "projects": the option folder must be the path of the folder with the project files.',
    );
  });
});
