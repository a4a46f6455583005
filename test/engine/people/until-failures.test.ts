/** `until` beside failures, with the real engine: after one, it deletes nothing, and what failed is a change for `replaceOnChanges`. */

import {
  carol,
  endCasesOf,
  olga,
  orgId,
  projectId,
  seedOfEnds,
  withLastDay,
} from "../../integration/ends/ends";
import { type Program, succeeded } from "../../support";
import { bothProviders, errorsOf } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const ended = endCasesOf(carol);
const names = ended.map(({ kind }) => kind);

// Whether the day was recorded before it passed decides nothing here, so the clock stays as it is.
const lastDay = "2020-12-31";

/** Another holder of each kind, for whom the service refuses everything. */
const failing: Program["resources"] = {
  project: { type: "Project", properties: { orgId, name: "refused" } },
  person: { type: "ProjectMember", properties: { projectId, username: olga, roles: ["GROUP_OWNER"] } },
  colleague: {
    type: "OrganizationMember",
    properties: { orgId, username: "dora@example.com", roles: ["ORG_READ_ONLY"] },
  },
  team: { type: "ProjectTeam", properties: { projectId, teamName: "missing", roles: ["GROUP_READ_ONLY"] } },
  key: { type: "ProjectApiKey", properties: { projectId, publicKey: "missing", roles: ["GROUP_READ_ONLY"] } },
  made: { type: "ApiKey", properties: { orgId, description: "refused", roles: ["ORG_MEMBER"] } },
};

it.each(bothProviders)(
  "what can end has ended while all else fails, a failed end is tried again, and --target ends nothing else (%s)",
  async (provider) => {
    const declare = (until?: string, more: Program["resources"] = {}): Program => ({
      resources: {
        ...Object.fromEntries(
          ended.map((which) => {
            const options = { protect: true, replaceOnChanges: ["*"] };
            const properties = until === undefined ? which.properties : withLastDay(which, until);
            return [which.kind, { type: which.kind, properties, options }];
          }),
        ),
        ...more,
      },
    });
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed: seedOfEnds, orgUserChanges: "offered", bypassInvitations: true },
      config: { "opsmanager:refreshBeforeUpdate": false, "opsmanager:maxRemovalsPerRun": 9 },
      program: () => declare(),
    });
    const held = () => ended.filter(({ holders }) => holders(sandbox).length > 0).map(({ kind }) => kind);
    await succeeded(stack.up());
    await stack.setProgram(declare(lastDay));
    expect(held()).toEqual(names);
    sandbox.addFault({ method: "DELETE", times: 0, fault: { status: 409, body: "" } });
    expect(await errorsOf(stack.up({ continueOnError: true }))).toContain("409");
    expect(held()).toEqual(names);
    sandbox.clearFaults();

    const target = (await stack.resource("ProjectTeam"))?.urn;
    await succeeded(stack.up({ target }));
    expect(held()).toEqual(names.filter((name) => name !== "ProjectTeam"));

    for (const method of ["POST", "PATCH", "PUT"])
      sandbox.addFault({ method, times: 0, fault: { status: 409, body: "" } });
    await stack.setProgram(declare(lastDay, failing));
    const run = await stack.up({ continueOnError: true });
    expect(held()).toEqual([]);
    for (const kind of names)
      expect((await stack.resource(kind))?.outputs).toMatchObject({ endedAt: expect.any(String) });
    const failed = run.diagnostics.flatMap(({ severity, urn }) => (severity === "error" && urn ? [urn] : []));
    expect(new Set(failed.map((urn) => urn.split("::").at(-1)))).toEqual(new Set(Object.keys(failing)));
    const again = await stack.up({ continueOnError: true });
    expect(again).toMatchObject({ exitCode: run.exitCode, changes: { same: names.length } });
    expect(run.exitCode).not.toBe(0);
  },
);
