import { RemovalBudget } from "../../../../provider/resources/session/removal-budget";
import { newSession } from "../checker";

describe("the removals of one run", () => {
  test("are allowed as a whole or not at all, and are counted together until the operation ends", () => {
    const session = newSession({ maxRemovalsPerRun: 3 });
    expect(session.of(RemovalBudget).reserve(2)).toBeUndefined();
    expect(session.of(RemovalBudget).reserve(2)).toContain(
      "would remove 4 people and API keys from projects, teams and organizations",
    );
    expect(session.of(RemovalBudget).reserve(1)).toBeUndefined();
    expect(session.of(RemovalBudget).reserve(1)).toContain("maxRemovalsPerRun (3)");
    expect(session.of(RemovalBudget).reserve(0)).toBeUndefined();
    session.forget();
    expect(session.of(RemovalBudget).reserve(3)).toBeUndefined();
  });

  test("are refused with the number that the run needs, also if it is one", () => {
    const budget = newSession({ maxRemovalsPerRun: 0 }).of(RemovalBudget);
    expect(() => budget.require(1, "Ada was not removed")).toThrow(
      "Ada was not removed: this run would remove 1 person or API key from projects, teams and organizations, more than the setting maxRemovalsPerRun (0) allows. To allow it, run: pulumi config set opsmanager:maxRemovalsPerRun 1. If the run has more removals, set it to their number.",
    );
  });
});
