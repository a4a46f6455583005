/** Many people of one project: the number of requests. */
import { setTimeout as delay } from "node:timers/promises";
import { type Sandbox, startSandbox } from "../../../sandbox";
import {
  invitedTo,
  membersOf,
  membersProgram,
  nothing,
  paymentsId,
  upAgain,
} from "../../engine/support/people-program";
import { pathOf, writes } from "../../engine/support/project-program";
import { connectDynamic } from "../../proof/dynamic-connection";
import type { ProviderConnection } from "../../proof/engine-model";
import { connectPlugin } from "../../proof/plugin-connection";
import { succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";
import { admins, olga, owners, readers } from "../../support/people";

let started: Sandbox | undefined;
afterEach(async () => {
  await started?.close();
  started = undefined;
  await tearDownStacks();
});

const last = "person-0999@example.com";
const thousand: Readonly<Record<string, readonly string[]>> = {
  [olga]: owners,
  ...Object.fromEntries(
    Array.from({ length: 999 }, (_, index) => [
      `person-${String(index + 1).padStart(4, "0")}@example.com`,
      readers,
    ]),
  ),
};

/** Number of answered reads, without the first half of each Digest exchange. */
function reads({ requests }: Sandbox): number {
  return requests.filter(({ method, authorized }) => method === "GET" && authorized).length;
}

it("a thousand members are adopted without a write and read in few requests; one changed role is one write", async () => {
  const { sandbox, stack } = await setUpStack({
    sandbox: { seed: { projects: [{ name: "payments", members: thousand }] } },
    program: (service) => membersProgram({ projectId: paymentsId(service), members: thousand }),
  });
  await succeeded(stack.up());
  expect(writes(sandbox)).toEqual([]);
  // The project, two pages of members, the invitations.
  expect(reads(sandbox)).toBeLessThanOrEqual(4);
  expect(await upAgain({ sandbox, stack })).toEqual(nothing);
  expect(reads(sandbox)).toBeLessThanOrEqual(4);

  sandbox.clearRequests();
  const members = { ...thousand, [last]: admins };
  await stack.setProgram(membersProgram({ projectId: paymentsId(sandbox), members }));
  expect((await succeeded(stack.up())).changes).toEqual({ update: 1 });
  expect(writes(sandbox)).toHaveLength(1);
  // The refresh, the plan, and the read after the write.
  expect(reads(sandbox)).toBeLessThanOrEqual(12);
  expect(membersOf(sandbox)).toEqual(members);
});

/** How often each thing was requested or done: `{ "GET users": 2, "POST invites": 20 }`. */
function requestCounts({ requests }: Sandbox): Record<string, number> {
  const calls = requests
    .filter(({ authorized }) => authorized)
    .map(({ method, path }) => {
      const [, root, , list = "project"] = pathOf({ path }).split("/");
      return `${method} ${root === "users" ? "account" : list}`;
    });
  return Object.fromEntries(
    Object.entries(Object.groupBy(calls, String)).map(([call, all = []]) => [call, all.length]),
  );
}

it.each([
  { provider: "plugin", connect: connectPlugin },
  { provider: "dynamic", connect: connectDynamic },
])(
  "twenty single people at once cost two requests each to be added, one to be removed, and shared reads ($provider)",
  async ({ connect }) => {
    const sandbox = await startSandbox({ latencyMs: 20, seed: { projects: [{ name: "payments" }] } });
    started = sandbox;
    const { baseUrl, publicKey, privateKey } = sandbox;
    const projectId = paymentsId(sandbox);
    const people = Array.from({ length: 20 }, (_, index) => `person-${index + 10}@example.com`);
    /** The engine starts resources 20 to 50 milliseconds apart. */
    const apart = <One, T>(all: readonly One[], act: (one: One) => Promise<T>) =>
      Promise.all(all.map((one, index) => delay(index * 40).then(() => act(one))));
    /** Each operation of the engine has a connection of its own. */
    const operation = async <T>(act: (one: ProviderConnection) => Promise<T>) => {
      const connection = await connect({ baseUrl, publicKey, privateKey }, () => undefined);
      sandbox.clearRequests();
      return act(connection).finally(() => connection.close());
    };
    const created = await operation(async (connection) =>
      apart(people, async (username) => {
        const inputs = { projectId, username, roles: readers };
        const named = { type: "ProjectMember", name: username } as const;
        const written = await connection.create(named, inputs, false);
        return { ...named, inputs, initErrors: [], dependencies: [], ...written };
      }),
    );
    expect(Object.keys(invitedTo(sandbox)).sort()).toEqual(people);
    const { "GET users": readsBefore = 0, ...invited } = requestCounts(sandbox);
    expect(invited).toEqual({
      "GET account": 20,
      "POST invites": 20,
      "GET invites": readsBefore,
      "GET project": 1,
    });
    expect(readsBefore).toBeLessThan(13);

    for (const { id } of sandbox.state.invitations) sandbox.acceptInvitation(id);
    const read = await operation(async (connection) =>
      Promise.all(created.map(async (one) => ({ ...one, ...(await connection.read(one)) }))),
    );
    expect(requestCounts(sandbox)).toEqual({ "GET users": 1, "GET invites": 1, "GET project": 1 });
    await operation(async (connection) => apart(read, (one) => connection.delete(one)));
    expect(membersOf(sandbox)).toEqual({});
    const { "GET users": readsAfter = 0, "GET project": _, ...removed } = requestCounts(sandbox);
    expect(removed).toEqual({ "DELETE users": 20, "GET invites": readsAfter });
    expect(readsAfter).toBeLessThan(13);
  },
);
