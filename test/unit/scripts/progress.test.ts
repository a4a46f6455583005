import { barLine, statusLine } from "../../../scripts/lib/progress.mjs";

describe("the progress of a step", () => {
  it("is a bar on a terminal", () => {
    expect(barLine("engine", { activity: "building", fraction: 0.61 }, "2 min 40 s")).toBe(
      "engine: building [##################------------] 61%, 2 min 40 s",
    );
  });

  it("is a percentage elsewhere", () => {
    expect(statusLine("engine", { activity: "building", fraction: 0.61 }, "2 min 40 s")).toBe(
      "engine: building, 61%, 2 min 40 s",
    );
  });

  it.each([barLine, statusLine])("is the time alone if nothing else is known", (line) => {
    expect(line("dependencies", { activity: "still running" }, "20 s")).toBe(
      "dependencies: still running, 20 s",
    );
  });
});
