/** Whose access has ended by the program. What a list adds, changes and removes: `test/integration/lists`. */
import { noOne } from "../../../../provider/resources/people/protect";
import { type PlanRequest, planMemberChanges } from "../../../../provider/resources/project-members/plan";
import { stateAfterWrite } from "../../../../provider/resources/project-members/state";
import { active, pending, projectId, renamed } from "../people/people";

const [bob, eve] = [active("bob"), active("eve")];

/** What the plan does with a program that declares the owner Ada, and that two others have ended. */
function planned(request: Pick<PlanRequest, "memberships" | "recorded">) {
  const { additions, raises, otherChanges, removals, isEnded } = planMemberChanges({
    declared: { "ada@example.com": ["GROUP_OWNER"] },
    ended: ["BOB@example.com", "gone@example.com"],
    ...{ ignoreUsers: [], removeUnlisted: false, declarerOf: noOne },
    ...request,
  });
  const removed = removals.map((one) => ({ username: one.username, isEnded: isEnded(one) }));
  return { added: additions.map(({ username }) => username), changed: [...raises, ...otherChanges], removed };
}

test("who has ended is removed, and nobody else", () => {
  const memberships = [active("ada", "GROUP_OWNER"), bob, pending("eve")];
  expect(planned({ memberships, recorded: [] })).toEqual({
    added: [],
    changed: [],
    removed: [{ username: "bob@example.com", isEnded: true }],
  });
});

test("who has ended under a former name is removed, and not another account that has the name now", () => {
  const { memberDetails: recorded } = stateAfterWrite({
    ...{ projectId, memberships: [bob], names: ["bob@example.com"], recorded: [], inputs: {} },
    origin: "created",
  });
  const memberships = [renamed(bob, "robert@example.com"), renamed(eve, "bob@example.com")];
  expect(planned({ memberships, recorded }).removed).toEqual([
    { username: "robert@example.com", isEnded: true },
  ]);
});
