/** Design, section 4: reads of one project's people are shared. The requests are counted by path. */
import type { Sandbox } from "../../../sandbox";
import { keepDefault, succeeded } from "../../support";
import { invitedTo, membersOf, paymentsId } from "../support/people-program";
import { bothProviders, pathOf } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const roles = ["GROUP_READ_ONLY"];
const names = (count: number) =>
  Array.from({ length: count }, (_, index) => `person-${String(index).padStart(3, "0")}@example.com`);

/** A program with one ProjectMember for each of these people. */
function memberships(projectId: string, usernames: readonly string[]) {
  const person = (username: string) => ({
    type: "ProjectMember",
    properties: { projectId, username, roles },
  });
  return { resources: Object.fromEntries(usernames.map((username) => [username, person(username)])) };
}

/** How often each thing was requested or done: `{ "GET users": 2, "POST invites": 20 }`. */
function requestCounts(sandbox: Sandbox): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { method, path, authorized } of sandbox.requests) {
    if (!authorized) continue;
    const [, root, , list = "project"] = pathOf({ path }).split("/");
    const call = `${method} ${root === "users" ? "account" : list}`;
    counts[call] = (counts[call] ?? 0) + 1;
  }
  return counts;
}

describe.each(bothProviders)("20 people at once (%s)", (provider) => {
  const people = names(20);

  it("cost two requests each to be added, one to be removed, and shared reads", async () => {
    keepDefault("readCacheSeconds", "shared reads are counted");
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { latencyMs: 100, seed: { projects: [{ name: "payments" }] } },
      program: (service) => memberships(paymentsId(service), people),
    });
    await succeeded(stack.up({ parallel: 20 }));
    expect(Object.keys(invitedTo(sandbox))).toEqual(people);
    const { "GET users": readsBefore = 0, ...invited } = requestCounts(sandbox);
    expect(invited).toEqual({
      "GET account": 20,
      "POST invites": 20,
      "GET invites": readsBefore,
      "GET project": 1,
    });
    expect(readsBefore).toBeLessThan(8);

    for (const { id } of sandbox.state.invitations) sandbox.acceptInvitation(id);
    sandbox.clearRequests();
    expect((await succeeded(stack.up())).changes).toEqual({ same: 20 });
    expect(requestCounts(sandbox)).toEqual({ "GET users": 1, "GET invites": 1, "GET project": 1 });
    expect(Object.keys(membersOf(sandbox))).toEqual(people);

    sandbox.clearRequests();
    await succeeded(stack.destroy({ parallel: 20 }));
    expect(membersOf(sandbox)).toEqual({});
    const { "GET users": readsAfter = 0, "GET project": _, ...removed } = requestCounts(sandbox);
    expect(removed).toEqual({ "DELETE users": 20, "GET invites": readsAfter });
    expect(readsAfter).toBeLessThan(8);
  });
});
