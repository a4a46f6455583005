/** Design, section 4: reads of one project's people are shared. The requests are counted by path. */
import type { Sandbox } from "../../../sandbox";
import { keepDefault, succeeded } from "../../support";
import { invitedTo, membersOf, paymentsId } from "../support/people-program";
import { bothProviders, pathOf, writes } from "../support/project-program";
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

/** How often each thing was requested or done: `{ "GET users": 2, "POST invites": 40 }`. */
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

describe("60 people of one project, each a resource of its own", () => {
  // Four times as many as the engine handles at once, so that no read is under way during the whole command.
  const people = names(60);
  const parallel = 15;

  it("cost three requests in a command that only reads, and a few where nothing may be cached", async () => {
    keepDefault("readCacheSeconds", "the requests of each command are counted");
    keepDefault("refreshBeforeUpdate", "the requests of each command are counted");
    const { sandbox, stack } = await setUpStack({
      sandbox: {
        // Long enough for many reads to be under way at once, and for the engine's waves to come one after another.
        latencyMs: 30,
        seed: {
          projects: [
            { name: "payments", members: Object.fromEntries(people.map((username) => [username, roles])) },
          ],
        },
      },
      program: (service) => memberships(paymentsId(service), people),
    });
    // They are there already, with these roles: nothing but reads.
    expect((await succeeded(stack.up({ parallel }))).changes).toEqual({ create: people.length });
    expect(writes(sandbox)).toEqual([]);

    sandbox.clearRequests();
    expect((await succeeded(stack.up({ parallel }))).changes).toEqual({ same: people.length });
    // Half a minute is long for this, but a busy machine may need it twice.
    const { "GET users": users, "GET invites": invites, ...rest } = requestCounts(sandbox);
    expect(rest).toEqual({ "GET project": 1 });
    expect([users, invites].filter((count) => (count ?? 9) > 2)).toEqual([]);

    // Only what is under way is shared; a refresh goes by the settings that the last up has recorded.
    await stack.setConfig({ "opsmanager:readCacheSeconds": 0 });
    await succeeded(stack.up());
    sandbox.clearRequests();
    const observed = await succeeded(stack.refresh({ previewOnly: true, parallel }));
    expect(observed.changes).toEqual({ same: people.length });
    const { "GET users": reads, "GET project": projectReads, ...others } = requestCounts(sandbox);
    expect(others).toEqual({ "GET invites": reads });
    expect(projectReads).toBeLessThan(people.length / 5);
    expect(reads).toBeGreaterThan(1);
    expect(reads).toBeLessThan(people.length / 5);
  });
});

describe.each(bothProviders)("40 people at once (%s)", (provider) => {
  const people = names(40);

  it("cost two requests each to be added, one to be removed, and shared reads", async () => {
    keepDefault("readCacheSeconds", "shared reads are counted");
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { latencyMs: 150, seed: { projects: [{ name: "payments" }] } },
      program: (service) => memberships(paymentsId(service), people),
    });
    await succeeded(stack.up({ parallel: 40 }));
    expect(Object.keys(invitedTo(sandbox))).toEqual(people);
    const { "GET users": readsBefore = 0, ...invited } = requestCounts(sandbox);
    expect(invited).toEqual({
      "GET account": 40,
      "POST invites": 40,
      "GET invites": readsBefore,
      "GET project": 1,
    });
    expect(readsBefore).toBeLessThan(12);

    for (const { id } of sandbox.state.invitations) sandbox.acceptInvitation(id);
    sandbox.clearRequests();
    expect((await succeeded(stack.up())).changes).toEqual({ same: 40 });
    expect(requestCounts(sandbox)).toEqual({ "GET users": 1, "GET invites": 1, "GET project": 1 });
    expect(Object.keys(membersOf(sandbox))).toEqual(people);

    sandbox.clearRequests();
    await succeeded(stack.destroy({ parallel: 40 }));
    expect(membersOf(sandbox)).toEqual({});
    const { "GET users": readsAfter = 0, "GET project": _, ...removed } = requestCounts(sandbox);
    expect(removed).toEqual({ "DELETE users": 40, "GET invites": readsAfter });
    expect(readsAfter).toBeLessThan(12);
  });
});
