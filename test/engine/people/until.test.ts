/** `until` with the real engine: a difference without a path is an update that no resource option reaches. */

import { join } from "node:path";
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
import { driftOf } from "../drift/support";
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
