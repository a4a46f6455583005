/** Whose access has ended by the program. What a list adds, changes and removes: `test/integration/lists`. */
import type { Membership } from "../../../../provider/access/person";
import type { MemberDetail } from "../../../../provider/resources/contract/people-outputs";
import { noOne } from "../../../../provider/resources/people/protect";
import { planMemberChanges } from "../../../../provider/resources/project-members/plan";
import { stateAfterWrite } from "../../../../provider/resources/project-members/state";
import { active, pending, projectId, renamed } from "../people/people";

const [bob, eve] = [active("bob"), active("eve")];

/** What the plan does with a program that declares the owner Ada, and that two others have ended. */
function planned(people: readonly Membership[], recorded: readonly MemberDetail[]) {
  const { additions, raises, otherChanges, leaving, isEnded } = planMemberChanges(
    { "ada@example.com": ["GROUP_OWNER"] },
    { ended: ["BOB@example.com", "gone@example.com"], people, recorded },
    { ignoreUsers: [], removeUnlisted: false, declarerOf: noOne },
  );
  const removed = leaving.map((one) => ({ username: one.username, isEnded: isEnded(one) }));
  return { added: additions.map(({ username }) => username), changed: [...raises, ...otherChanges], removed };
}

test("who has ended is removed, and nobody else", () => {
  const memberships = [active("ada", "GROUP_OWNER"), bob, pending("eve")];
  expect(planned(memberships, [])).toEqual({
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
  expect(planned(memberships, recorded).removed).toEqual([{ username: "robert@example.com", isEnded: true }]);
});
