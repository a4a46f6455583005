import { type Removal, RemovalBudget } from "../../../../provider/resources/session/removal-budget";
import { newSession } from "../checker";

const from = (placeId: string, ...holders: readonly string[]): Removal[] =>
  holders.map((holder) => ({ placeId, holder }));

describe("the removals of one run", () => {
  test("are allowed as a whole or not at all, and are counted together until the operation ends", () => {
    const session = newSession({ maxRemovalsPerRun: 3 });
    expect(session.of(RemovalBudget).reserve(from("payments", "ada", "bob"))).toBeUndefined();
    expect(session.of(RemovalBudget).reserve(from("billing", "ada", "bob"))).toContain(
      "would make 4 removals (each person, team or API key counts once in each place)",
    );
    expect(session.of(RemovalBudget).reserve(from("billing", "ada"))).toBeUndefined();
    expect(session.of(RemovalBudget).reserve(from("billing", "bob"))).toContain("maxRemovalsPerRun (3)");
    expect(session.of(RemovalBudget).reserve([])).toBeUndefined();
    session.forget();
    expect(session.of(RemovalBudget).reserve(from("payments", "ada", "bob", "eve"))).toBeUndefined();
  });

  test("count a holder once in a place, although two resources remove it there", () => {
    const budget = newSession({ maxRemovalsPerRun: 2 }).of(RemovalBudget);
    expect(budget.reserve(from("payments", "ada"))).toBeUndefined();
    expect(budget.reserve([...from("payments", "ada"), ...from("organization", "ada")])).toBeUndefined();
    expect(budget.reserve(from("payments", "bob"))).toContain("would make 3 removals");
  });

  test("are refused with the number that the run needs, also if it is one", () => {
    const budget = newSession({ maxRemovalsPerRun: 0 }).of(RemovalBudget);
    expect(() => budget.require(from("payments", "ada"), "Ada was not removed")).toThrow(
      "Ada was not removed: this run would make 1 removal (each person, team or API key counts once in each place), more than the setting maxRemovalsPerRun (0) allows. To allow it, run: pulumi config set opsmanager:maxRemovalsPerRun 1. If the run has more removals, set it to their number.",
    );
  });
});
