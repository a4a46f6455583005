/** Three kills of the kill matrix, which `npm run proof` carries out as a whole. */

import { endWatches } from "../../engine/support/plugin-process";
import { tearDownStacks } from "../../engine/support/stack-setup";
import { runKills, type Target } from "./kills";
import { scenarios } from "./scenarios";

afterEach(async () => {
  await tearDownStacks();
  endWatches();
});

it.each<[Target, string, string, string]>([
  ["plugin", "POST", "ProjectMember: create", "up"],
  // The engine has recorded nothing but its intention, and the project exists.
  ["engine", "POST", "Project: create", "up, cancel, up, refresh, up, import, up"],
  ["engine", "DELETE", "ProjectTeam: end", "up, cancel, up"],
])(
  "if the %s is killed after a %s and before its response (%s), the stack recovers by: %s",
  async (target, method, name, recovery) => {
    const result = await runKills({
      scenarios: scenarios.filter((scenario) => scenario.name === name),
      selects: (kill) =>
        kill.target === target &&
        kill.request.startsWith(method) &&
        kill.boundary.moment === "after it is handled",
    });
    expect(result).toEqual({ kills: 1, failures: [], recoveries: { [recovery]: 1 } });
  },
);
