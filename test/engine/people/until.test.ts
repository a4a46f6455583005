/** `until` with the real engine: a difference without a path is an update that no resource option reaches. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { AccessReport } from "../../../cli/lib/access/report";
import {
  carol,
  endCasesOf,
  olga,
  orgId,
  projectId,
  seedOfEnds,
  withLastDay,
} from "../../integration/ends/ends";
import { type Program, type ResourceOptions, type Run, succeeded } from "../../support";
import { nameOf } from "../../support/engine-events";
import { driftOf } from "../drift/support";
import { opsmanager } from "../support/opsmanager";
import { bothProviders, changedPaths, messagesOf, operations, writes } from "../support/project-program";
import { type StackSetup, setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const day = 24 * 3600;
const inDays = (days: number) => new Date(Date.now() + days * day * 1000).toISOString();
const until = inDays(1).slice(0, 10);

/** Nobody's access may depend on one of these. */
const options: ResourceOptions = {
  ignoreChanges: ["*"],
  replaceOnChanges: ["*"],
  protect: true,
  retainOnDelete: true,
};

const ended = endCasesOf(carol);

function programOf(more: Program["resources"] = {}): Program {
  const access = ended.map((which) => {
    const { kind: type } = which;
    const roles = type === "ProjectMember" ? { roles: ["GROUP_OWNER"] } : {};
    const declared = { ...withLastDay(which, until), ...roles, onDestroy: "release" };
    // On a busy machine, the engine may otherwise come to the next owner once the last one has been refused.
    const order =
      type === "ProjectMember" ? { dependsOn: Object.keys(more).map((name) => `\${${name}}`) } : {};
    return [type, { type, properties: declared, options: { ...options, ...order } }];
  });
  return { resources: { ...more, ...Object.fromEntries(access) } };
}

const service = { seed: seedOfEnds, orgUserChanges: "offered", bypassInvitations: true } as const;

const names = ended.map(({ kind }) => kind);
const all = (operation: string) => Object.fromEntries(names.map((name) => [name, operation]));

function expectAnnounced(preview: Run): void {
  expect(operations(preview)).toEqual({ ...all("update"), next: "create" });
  for (const { kind, loss } of ended) {
    expect(changedPaths(preview, kind)).toEqual({});
    const said = kind === "ProjectMember" ? "loses GROUP_OWNER in project" : loss.source;
    expect(messagesOf(preview)).toMatch(new RegExp(`The last day, ${until}, is over: .*${said}`));
  }
}

/** The machine's clock and the service's are so many days later from now on. */
function later({ stack, sandbox }: StackSetup, days: number): void {
  sandbox.advanceClock(days * day);
  const clock = join(__dirname, "..", "support", "machine-clock.cjs");
  stack.setEnv({ NODE_OPTIONS: `--require=${clock}`, OPSMANAGER_TEST_NOW: inDays(days) });
}

it.each(bothProviders)(
  "access of every kind ends with one update each, whatever the options are, after the new owner has come (%s)",
  async (provider) => {
    const setup = await setUpStack({
      provider,
      sandbox: service,
      program: () => programOf(),
    });
    const { sandbox, stack } = setup;
    const held = () => ended.flatMap(({ holders }) => holders(sandbox));
    await succeeded(stack.up());
    expect(held()).toHaveLength(names.length);
    sandbox.removeMember(projectId, { username: "owner@example.com" });

    later(setup, 3);
    const next = {
      type: "ProjectMember",
      properties: { projectId, username: olga, roles: ["GROUP_OWNER"] },
    };
    await stack.setProgram(programOf({ next }));
    // The dynamic provider says the same, in processes that take longer to start.
    if (provider === "plugin") expectAnnounced(await succeeded(stack.preview()));
    sandbox.clearRequests();
    expect(operations(await succeeded(stack.up()))).toEqual({ ...all("update"), next: "create" });
    expect(held()).toEqual([]);
    expect(
      writes(sandbox)
        .map(({ method }) => method)
        .sort(),
    ).toEqual([...names.map(() => "DELETE"), "POST"]);
    for (const kind of names) {
      expect((await stack.resource(kind))?.outputs).toMatchObject({ until, endedAt: expect.any(String) });
    }
    if (provider === "plugin") {
      sandbox.clearRequests();
      expect(operations(await succeeded(stack.up()))).toEqual({ ...all("same"), next: "same" });
      expect(writes(sandbox)).toEqual([]);
    }

    for (const { bringBack } of ended) bringBack?.(sandbox);
    if (provider === "plugin") {
      const { report } = await driftOf(stack);
      const found = report.findings.map(({ name, end, lastEvent }) => [
        ...[name, end?.until, lastEvent?.username, lastEvent?.time?.slice(0, 10)],
      ]);
      const colleague = ["owner@example.com", inDays(3).slice(0, 10)];
      expect(found).toEqual([
        ["OrganizationMember", until, ...colleague],
        // The service records no event for the roles of a key.
        ["ProjectApiKey", until, undefined, undefined],
        ["ProjectMember", until, ...colleague],
        ["ProjectTeam", until, ...colleague],
      ]);
    }
    const back = { ...all("update"), next: "same", ApiKey: "same" };
    expect(operations(await succeeded(stack.up({ refresh: true })))).toEqual(back);
    expect(held()).toEqual([]);
    expect(sandbox.state.keys.some(({ orgId: of, desc }) => of === orgId && desc === "ci")).toBe(false);
  },
);

it("access tells what has ended, what is overdue and why, and what was brought back", async () => {
  const setup = await setUpStack({
    provider: "plugin",
    sandbox: service,
    program: () => programOf(),
  });
  const { sandbox, stack } = setup;
  await succeeded(stack.up());
  const refused = { status: 403, body: { error: 403, errorCode: "USER_UNAUTHORIZED", detail: "No." } };
  sandbox.addFault({
    method: "DELETE",
    pathPattern: `/groups/${projectId}/users/`,
    times: 0,
    fault: refused,
  });
  later(setup, 3);
  expect((await stack.up({ continueOnError: true })).exitCode).not.toBe(0);
  ended.find(({ kind }) => kind === "ProjectTeam")?.bringBack?.(sandbox);

  const review = await opsmanager(stack, [
    "access",
    ...["--no-attribution", "--format", "text", "--format", "json=a.json", "--format", "csv=a.csv"],
  ]);
  const read = (name: string) => readFile(join(stack.paths.program, name), "utf8");
  const time = expect.any(String);
  const report: AccessReport = JSON.parse(await read("a.json"));
  const marked = report.found.flatMap((found) =>
    found.access
      .filter((entry) => entry.until === until)
      .map(({ status, roles, declaredBy = [], endedAt, overdueSince, overdueReason }) => {
        return [...declaredBy.map(nameOf), status, ...roles, { endedAt, overdueSince, overdueReason }];
      }),
  );
  const overdueReason = "The removal failed: 403 USER_UNAUTHORIZED.";
  expect(new Set(marked)).toEqual(
    new Set([
      ["ProjectTeam", "active", "GROUP_READ_ONLY", { endedAt: time }],
      ["ProjectMember", "active", "GROUP_OWNER", { overdueSince: time, overdueReason }],
      ["ApiKey", "ended", "ORG_READ_ONLY", { endedAt: time }],
      ["OrganizationMember", "ended", "ORG_READ_ONLY", { endedAt: time }],
      ["ProjectApiKey", "ended", "GROUP_READ_ONLY", { endedAt: time }],
    ]),
  );
  for (const said of [
    "4 people and 2 API keys with access. 1 access is overdue. 3 accesses have ended.",
    /GROUP_OWNER \[declared by ProjectMember .*\] \(overdue since .* UTC, last day .*: .* 403 USER_UNAUTHORIZED\)/,
    /through team operators .* \(brought back: it ended .* UTC, last day/,
    /\n {2}API key \w+ \(\w+\): ORG_READ_ONLY \[declared by ApiKey .*\] \(ended .* UTC, last day/,
  ])
    expect(review.stdout).toMatch(said);
  const csv = await read("a.csv");
  expect(csv).toMatch(
    /,GROUP_READ_ONLY,ended,ended,ProjectApiKey \(ProjectApiKey\),,\d{4}-\d\d-\d\d,\d{4}-[^,]*Z,,,/,
  );
  expect(csv).toMatch(new RegExp(`,${until},,\\d{4}-[^,]*Z,${overdueReason}`));

  const [bob = "", key = ""] = report.found.flatMap(({ access, ...found }) => {
    if (found.kind === "person") return access.some((entry) => entry.overdueSince) ? [found.name] : [];
    return found.kind === "key" && access.every(({ status }) => status === "ended") ? [found.publicKey] : [];
  });
  expect((await opsmanager(stack, ["access", bob])).stdout).toContain("1 access is overdue.");
  expect((await opsmanager(stack, ["access", key])).stdout).toContain(": no access. 1 access has ended.");
});
