/** However `opsmanager verify` ends, nothing that it created is left unnamed; a key with fewer roles leaves points open. */
import type { Sandbox } from "../../../sandbox";
import { sandboxes } from "../sandbox/with-sandbox";
import {
  effective,
  holdings,
  organizationOwner,
  orgId,
  randomSwitches,
  seedFor,
  unexpectedWrites,
  verifyAt,
} from "./verify-run";

const start = sandboxes();

/** What the throw-away projects hold that a run has left. */
function left({ state }: Sandbox): string[] {
  return state.projects.map(({ id }) => id).filter((id) => id !== "5f00000000000000000000a1");
}

const WRITES = ["POST", "PATCH", "DELETE"];

describe("a run that ends early", () => {
  let onRequest = (_line: string) => {};
  beforeEach(() => {
    onRequest = () => {};
  });
  const open = () => start({ seed: seedFor(organizationOwner), log: (line) => onRequest(line) });

  /** Calls back at one of the run's requests, in the order in which they are answered. */
  function at(request: number, act: () => void): void {
    let count = 0;
    onRequest = () => {
      count += 1;
      if (count === request) act();
    };
  }

  test("leaves nothing behind, whichever request it is interrupted at", async () => {
    const sandbox = await open();
    const before = holdings(sandbox);
    for (let request = 1, isComplete = false; !isComplete; request += 1) {
      const stop = new AbortController();
      at(request, () => stop.abort());
      const { code, failure, leftovers } = await verifyAt(sandbox, { waitSeconds: 0 }, stop.signal);
      const ended = failure === undefined ? undefined : "OPSMANAGER_CANCELLED";
      const expected = { request, code: ended, leftovers: [], state: before };
      expect({ request, code, leftovers, state: holdings(sandbox) }).toEqual(expected);
      isComplete = failure === undefined;
      // The first request is interrupted before any project exists, so a run without an end would be seen here.
      if (request > 200) throw new Error("No run came to its end.");
    }
    expect(unexpectedWrites(sandbox)).toEqual([]);
  });

  /** Loses the response to one of the run's writes, and nothing else. */
  function loseWrite(
    sandbox: Sandbox,
    write: number,
    fault: "reset-after-write" | "reset-before-write",
  ): void {
    let count = 0;
    const lose = () => {
      if (count === write - 1) for (const method of WRITES) sandbox.addFault({ method, fault });
    };
    onRequest = (line) => {
      if (line.includes("fault: ")) sandbox.clearFaults();
      if (!WRITES.some((method) => line.includes(` ${method} `))) return;
      count += 1;
      lose();
    };
    lose();
  }

  test.each(["reset-after-write", "reset-before-write"] as const)(
    "names each project that may be left, whichever write has no response (%s)",
    async (fault) => {
      const sandbox = await open();
      let lost = 0;
      for (let write = 1, isComplete = false; !isComplete; write += 1) {
        loseWrite(sandbox, write, fault);
        const { failure, leftovers } = await verifyAt(sandbox, { waitSeconds: 0, user: undefined });
        const named = leftovers.map(({ what }) => what).join("\n");
        const unnamed = left(sandbox).filter((id) => !named.includes(id));
        expect({ write, unnamed }).toEqual({ write, unnamed: [] });
        for (const id of left(sandbox)) sandbox.removeProject(id);
        if (failure || leftovers.length > 0) lost += 1;
        isComplete = sandbox.faults.length > 0 || write > 200;
        sandbox.clearFaults();
      }
      expect(lost).toBeGreaterThan(20);
      expect(unexpectedWrites(sandbox)).toEqual([]);
    },
  );

  test("names the projects whose removal is not confirmed, and counts those that a read shows to be deleted", async () => {
    const sandbox = await open();
    const project = "/groups/\\w+$";
    const hidden = { status: 401, body: { error: 401, errorCode: "NOT_IN_GROUP" } };
    sandbox.addFault({ method: "DELETE", pathPattern: project, times: 0, fault: hidden });
    const { leftovers, removed } = await verifyAt(sandbox, { waitSeconds: 0 });
    expect(removed).toBe(0);
    const why =
      "Deleting it returned 401 NOT_IN_GROUP. This does not show whether it still exists. Check with a key that may read it.";
    expect(leftovers).toEqual(left(sandbox).map(() => expect.objectContaining({ why })));
    sandbox.clearFaults();
    for (const id of left(sandbox)) sandbox.removeProject(id);

    const fault = { ...hidden, afterWrite: true };
    sandbox.addFault({ method: "DELETE", pathPattern: project, times: 0, fault });
    const again = await verifyAt(sandbox, { waitSeconds: 0 });
    expect(again.leftovers).toEqual([]);
    expect(again.removed).toBeGreaterThan(1);
  });

  test("finds the project whose creation was not answered by its name", async () => {
    const sandbox = await open();
    const before = holdings(sandbox);
    sandbox.addFault({ method: "POST", pathPattern: "/groups$", fault: "reset-after-write" });
    const { code, leftovers, removed } = await verifyAt(sandbox, { waitSeconds: 0 });
    expect([code, leftovers, removed]).toEqual(["OPSMANAGER_OUTCOME_UNKNOWN", [], 1]);
    expect(holdings(sandbox)).toEqual(before);
  });
});

describe("a key with fewer roles", () => {
  const roles = {
    "Organization Project Creator": { roleName: "ORG_GROUP_CREATOR", orgId },
    "Organization Read Only": { roleName: "ORG_READ_ONLY", orgId },
    "Global Owner": { roleName: "GLOBAL_OWNER" },
    "Global Read Only": { roleName: "GLOBAL_READ_ONLY" },
  };
  const cases = Object.keys(roles).flatMap((name) => [101, 102].map((seed) => ({ name, seed })));

  test.each(cases)("finds out less and nothing wrong: $name, settings $seed", async ({ name, seed }) => {
    const switches = { ...randomSwitches(seed) };
    const sandbox = await start({ ...switches, seed: seedFor([roles[name as keyof typeof roles]]) });
    const before = holdings(sandbox);
    const { values, reasons, failure, leftovers } = await verifyAt(sandbox);
    expect({ failure, leftovers }).toEqual({ failure: undefined, leftovers: [] });
    const wrong = Object.entries(values).filter(([point, value]) => value !== effective(switches)[point]);
    expect(wrong).toEqual([]);
    expect(holdings(sandbox)).toEqual(before);
    expect(unexpectedWrites(sandbox)).toEqual([]);
    if (name.endsWith("Read Only")) {
      expect(reasons.emptyPatch).toMatch(
        /^No throw-away project could be created\. The API key lacks a role for it \(401 NOT_ORG_GROUP_CREATOR\)\.$/,
      );
    }
    if (name.startsWith("Global")) expect(reasons.tagsWithoutGlobalRole).toBeDefined();
  });

  test("shows that an organization lists projects that the key may not read", async () => {
    const sandbox = await start({ seed: seedFor([roles["Organization Project Creator"]]) });
    expect((await verifyAt(sandbox, { waitSeconds: 0 })).values).toMatchObject({ orgProjects: "all" });
    sandbox.setSwitches({ orgProjects: "visible" });
    expect((await verifyAt(sandbox, { waitSeconds: 0 })).reasons).toMatchObject({
      orgProjects: "The list holds no project that the API key may not read.",
    });
  });

  test("finds a service that offers the documented operations only, and writes nothing to it", async () => {
    const sandbox = await start({ onlyDocumented: true, seed: seedFor(organizationOwner) });
    const { values, reasons } = await verifyAt(sandbox, { waitSeconds: 0 });
    expect(values).toMatchObject({ onlyDocumented: true, challenge: "qop" });
    expect(reasons.ldap).toBe(
      "No throw-away project could be created. The service does not offer the operation (404 RESOURCE_NOT_FOUND).",
    );
    expect(sandbox.state.projects).toHaveLength(1);
  });

  test("names the account that a service without invitations may have created", async () => {
    const sandbox = await start({ bypassNewUsers: true, seed: seedFor(organizationOwner) });
    const { reasons } = await verifyAt(sandbox, { waitSeconds: 0 });
    const created = sandbox.state.users.find(({ username }) => username.startsWith("opsmanager-verify-"));
    expect(reasons.reinvite).toContain(`${created?.username} may have an account now: delete it.`);
  });

  test("without an account it leaves open what takes one", async () => {
    const sandbox = await start({ seed: seedFor(organizationOwner) });
    const { reasons } = await verifyAt(sandbox, { waitSeconds: 0, user: undefined });
    const open = Object.entries(reasons).filter(([, reason]) => reason.includes("--user"));
    expect(open.map(([name]) => name).sort()).toEqual([
      "accountLookup",
      "bypassInvitations",
      "deleteUserStatus",
      "inviteMember",
    ]);
    const isInvitation = ({ path, method }: { path: string; method: string }) =>
      method === "POST" && path.endsWith("/invites");
    const username = expect.stringMatching(/^opsmanager-verify-\w+@example\.com$/);
    for (const { body } of sandbox.requests.filter(isInvitation)) expect(body).toMatchObject({ username });
  });
});
