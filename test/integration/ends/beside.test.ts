/** `until` beside other resources: who is declared elsewhere, the last owner, and what an end takes with it. */

import type { Sandbox } from "../../../sandbox";
import {
  bothProviders,
  errorsOf,
  messagesOf,
  operations,
  writes,
} from "../../engine/support/project-program";
import { keepDefault, succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import type { ResourceDeclaration } from "../../support/program";
import {
  afterLastDay,
  bob,
  type EndCase,
  endCases,
  itIs,
  lastDay,
  olga,
  orgId,
  projectId,
  startEnds,
  withLastDay,
} from "./ends";

afterEach(async () => {
  await tearDownStacks();
  jest.useRealTimers();
});

const caseOf = (kind: EndCase["kind"]): EndCase => {
  const found = endCases.find((one) => one.kind === kind);
  if (found === undefined) throw new Error(kind);
  return found;
};
const [inProject, inOrganization] = [caseOf("ProjectMember"), caseOf("OrganizationMember")];
const person = (username: string, roles: readonly string[], more: object = {}): ResourceDeclaration => ({
  type: "ProjectMember",
  properties: { projectId, username, roles, ...more },
});

describe.each(endCases.filter(({ kind }) => kind !== "ApiKey"))("$kind", (which) => {
  // The end took it in each second run, because the other resource was not declared yet in that run.
  it("that a resource declares which depends on the ended one stays, run after run", async () => {
    keepDefault("refreshBeforeUpdate", "the run reads the other resource before it comes to it");
    const { sandbox, change, up, held } = await afterLastDay(which);
    await up();
    expect(held()).toEqual([]);
    const options = { dependsOn: ["${access}"] };
    await change({}, { lasting: { type: which.kind, properties: which.properties, options } });
    await up();
    for (const _ of "abc") {
      await up();
      expect([held(), writes(sandbox)]).toEqual([[which.granted], []]);
    }
  });

  it.each(bothProviders)(
    "that another resource declares stays, and is ended once that leaves it (%s)",
    async (provider) => {
      keepDefault("refreshBeforeUpdate", "a plain up sees that the access is still there");
      const { sandbox, stack, change, up, held, outputs } = await afterLastDay(which, { provider });
      const { granted } = which;
      const lasting = { lasting: { type: which.kind, properties: which.properties } };
      // The other resource is checked first, as the engine checks all before the first write.
      await stack.setProgram({
        resources: {
          ...lasting,
          access: { type: which.kind, properties: { ...which.properties, until: lastDay } },
        },
      });
      expect(messagesOf(await up())).toMatch(/declares (it|this person)/);
      expect([held(), writes(sandbox)]).toEqual([[granted], []]);
      // The access has not ended.
      expect(await outputs()).not.toHaveProperty("endedAt");
      expect(operations(await up())).toEqual({ lasting: "same", access: "same" });
      await change(
        {},
        { lasting: { ...lasting.lasting, properties: { ...which.properties, onDestroy: "release" } } },
      );
      await up();
      await change({});
      await up();
      await up();
      expect(held()).toEqual([]);
      expect(operations(await up())).toEqual({ access: "same" });
    },
  );
});

it.each(bothProviders)(
  "who leaves the organization after a last day stays while a resource below it that declared them has a fault (%s)",
  async (provider) => {
    itIs("2030-03-01");
    const { sandbox, stack } = await startEnds(inOrganization, { provider });
    const access = { type: "OrganizationMember", properties: withLastDay(inOrganization, lastDay) };
    const declare = (more: object) =>
      stack.setProgram({ resources: { below: person(bob, ["GROUP_READ_ONLY"], more), access } });
    await declare({});
    await succeeded(stack.up());
    itIs("2030-04-01");
    await declare({ onDestroy: "mistyped" });
    const errors = await errorsOf(stack.up({ continueOnError: true }));
    expect(errors).toContain("onDestroy");
    expect(errors).toContain("this run still declares access that would end with it");
    expect(inProject.holders(sandbox)).toEqual([inProject.granted]);
  },
);

it.each(bothProviders)(
  "who is on the list of all people stays, and who comes back under another name is removed again (%s)",
  async (provider) => {
    keepDefault("refreshBeforeUpdate", "a plain up sees who is there");
    const { sandbox, stack, change, up, held } = await afterLastDay(inProject, { provider });
    const members = { [bob]: ["GROUP_READ_ONLY"], "owner@example.com": ["GROUP_OWNER"] };
    const access = { type: "ProjectMember", properties: { ...inProject.properties, until: lastDay } };
    const list = { type: "ProjectMembers", properties: { projectId, members } };
    await stack.setProgram({ resources: { list, access } });
    expect(messagesOf(await up())).toMatch(/was kept because .*ProjectMembers.* declares this person/);
    expect([held(), writes(sandbox)]).toEqual([[inProject.granted], []]);
    expect(operations(await up())).toEqual({ list: "same", access: "same" });
    // The list leaves with the end of this run, and so the access with the next one.
    await change({});
    await up();
    await up();
    expect(held()).toEqual([]);
    const robert = "robert@example.com";
    sandbox.changeUser(sandbox.user({ username: bob })?.id ?? "", { username: robert });
    sandbox.setMember(projectId, { username: robert }, ["GROUP_OWNER"]);
    await up();
    expect(sandbox.user({ username: robert })?.roles.some(({ groupId }) => groupId === projectId)).toBe(
      false,
    );
  },
);

it.each(
  bothProviders.flatMap((provider) =>
    [inProject, inOrganization].map((which) => ({ provider, which, kind: which.kind })),
  ),
)(
  "an invitation that nobody has accepted is taken back, and sent again with a later day ($kind, $provider)",
  async ({ provider, which }) => {
    itIs("2030-03-20");
    const { sandbox, change, up, outputs } = await startEnds(which, {
      provider,
      sandbox: { bypassInvitations: false },
      properties: { username: "new@example.com" },
    });
    await up();
    expect(sandbox.state.invitations).toHaveLength(1);
    itIs("2030-04-01");
    await up();
    expect(sandbox.state.invitations).toEqual([]);
    expect(await outputs()).toMatchObject({ status: "ended", endedAt: expect.any(String) });
    await change({ until: "2030-04-02" });
    await up();
    expect(sandbox.state.invitations).toHaveLength(1);
    expect(operations(await up())).toEqual({ access: "same" });
  },
);

it.each(bothProviders)(
  "on a service with the documented operations alone, the account leaves, and is not taken for added with a later day (%s)",
  async (provider) => {
    itIs("2030-03-01");
    const { sandbox, stack } = await startEnds(inProject, { provider, sandbox: { onlyDocumented: true } });
    sandbox.setMember(projectId, { username: bob }, ["GROUP_READ_ONLY"]);
    const { id: userId } = sandbox.user({ username: bob }) ?? {};
    const declare = (until: string) =>
      stack.setProgram({
        resources: { access: { type: "ProjectMember", properties: { projectId, userId, until } } },
      });
    await declare(lastDay);
    await succeeded(stack.up());
    itIs("2030-04-01");
    await succeeded(stack.up());
    expect(inProject.holders(sandbox)).toEqual([]);
    expect(operations(await succeeded(stack.up()))).toEqual({ access: "same" });
    await declare("2030-12-31");
    expect(await errorsOf(stack.up())).toContain("cannot be added again");
  },
);

it.each(bothProviders)(
  "the last owner stays with an error that says what ends it, and goes after the next one has come (%s)",
  async (provider) => {
    const owner = { ...inProject, properties: { ...inProject.properties, roles: ["GROUP_OWNER"] } };
    const setup = await afterLastDay(owner, { provider });
    const { sandbox, stack, up, outputs, held } = setup;
    sandbox.removeMember(projectId, { username: "owner@example.com" });
    expect(await errorsOf(stack.up())).toContain(
      `${bob} is the only owner of project ${projectId} and was not removed. The access ends with the first update after another owner is there. To keep this access, give a later day in until, or remove until.`,
    );
    expect(await outputs()).toMatchObject({
      overdueReason: "The removal failed: 403 CANNOT_DELETE_LAST_OWNER.",
    });
    await stack.setProgram({
      resources: {
        next: person(olga, ["GROUP_OWNER"]),
        access: { type: "ProjectMember", properties: { ...owner.properties, until: lastDay } },
      },
    });
    await up();
    expect(held()).toEqual([]);
  },
);

it.each(bothProviders)(
  "a person leaves no organization below which the program declares them (%s)",
  async (provider) => {
    const { sandbox, stack, change, up, held } = await afterLastDay(inOrganization, { provider });
    const below = { below: person(bob, ["GROUP_READ_ONLY"]) };
    await stack.setProgram({
      resources: {
        ...below,
        access: { type: "OrganizationMember", properties: { ...inOrganization.properties, until: lastDay } },
      },
    });
    const declared = /this run still declares access that would end with it: .* Give that the same last day/;
    if (provider === "plugin") expect(await errorsOf(stack.preview())).toMatch(declared);
    expect(await errorsOf(stack.up())).toMatch(declared);
    expect(held()).toEqual([inOrganization.granted]);
    await change({}, { below: person(bob, ["GROUP_READ_ONLY"], { until: lastDay }) });
    // The plugin has read the access below as one that lasts, so the organization's end may be put off once.
    await up();
    await up();
    expect([held(), inProject.holders(sandbox)]).toEqual([[], []]);
  },
);

it("an end of an organization waits for access below that leaves in the same run", async () => {
  keepDefault("refreshBeforeUpdate", "the reads of the run show the access below");
  itIs("2030-03-01");
  const { sandbox, change, up, held, outputs } = await startEnds(inOrganization);
  await change({}, { below: person(bob, ["GROUP_READ_ONLY"], { onDestroy: "release" }) });
  await up();
  itIs("2030-04-01");
  await change({});
  const first = await up();
  expect(messagesOf(first, "warning")).toContain(`${bob} stays in organization ${orgId} for now`);
  expect(await outputs()).toMatchObject({ overdueReason: expect.stringContaining("Put off: access below") });
  expect(held()).toEqual([inOrganization.granted]);
  await up();
  expect([held(), inProject.holders(sandbox)]).toEqual([[], []]);
});

it.each(bothProviders)(
  "no end is believed to be not offered that has succeeded for another person in the run (%s)",
  async (provider) => {
    itIs("2030-03-01");
    const ended = (username: string) => ({
      type: "OrganizationMember",
      properties: { orgId, username, roles: ["ORG_READ_ONLY"], until: lastDay },
    });
    const { sandbox, stack, up } = await startEnds(inOrganization, { provider });
    sandbox.setOrgMember(orgId, { username: "eve@example.com" }, ["ORG_READ_ONLY"]);
    const program = { resources: { eve: ended("eve@example.com"), bob: ended(bob) } };
    await stack.setProgram(program);
    await up();
    itIs("2030-04-01");
    const { id } = sandbox.user({ username: bob }) ?? {};
    sandbox.addFault({ method: "DELETE", pathPattern: id ?? "", times: 0, fault: { status: 405, body: "" } });
    expect(await errorsOf(stack.up())).toContain("405");
    expect((await stack.resource("bob"))?.outputs).toMatchObject({
      overdueReason: "The removal failed: 405.",
    });
    expect((await stack.resource("eve"))?.outputs).toMatchObject({ endedAt: expect.any(String) });
  },
);

// The response to the read was taken for that to the removal: destroying released the person, with a warning.
it.each(bothProviders)(
  "no removal is believed to be not offered because the list of people before it is not (%s)",
  async (provider) => {
    const { sandbox, stack, up, held, outputs } = await afterLastDay(inOrganization, { provider });
    sandbox.setMember(projectId, { username: bob }, ["GROUP_OWNER"]);
    const pathPattern = `/groups/${projectId}/users`;
    sandbox.addFault({ method: "GET", pathPattern, times: 0, fault: { status: 405, body: "" } });
    expect(await errorsOf(stack.up())).toContain("405");
    expect(await outputs()).toMatchObject({ overdueReason: "The removal failed: 405." });
    await stack.setProgram({ resources: {} });
    expect(await errorsOf(stack.up())).toContain("405");
    expect(held()).not.toEqual([]);
    sandbox.clearFaults();
    await up();
    expect(held()).toEqual([]);
  },
);

it("a service that removes nobody from an organization gets a warning in each run, and the record stays", async () => {
  const { sandbox, stack, up, outputs, held } = await afterLastDay(inOrganization);
  sandbox.setSwitches({ orgUserChanges: "not-offered" });
  for (const day of ["2030-04-01", "2030-04-02"]) {
    itIs(day);
    expect(messagesOf(await up(), "warning")).toContain(`${bob} was not removed.`);
    expect(await outputs()).toMatchObject({ overdueSince: expect.stringContaining("2030-04-01") });
  }
  expect(messagesOf(await succeeded(stack.destroy()), "warning")).toContain(`${bob} was not removed.`);
  expect(held()).toEqual([inOrganization.granted]);
});

it("who stays because the service does not offer the removal counts for no limit", async () => {
  itIs("2030-03-01");
  const { sandbox, stack, up, held } = await startEnds(inOrganization, {
    sandbox: { orgUserChanges: "not-offered" },
    config: { maxRemovalsPerRun: 1 },
  });
  sandbox.setOrgMember(orgId, { username: "eve@example.com" }, ["ORG_READ_ONLY"]);
  sandbox.setMember(projectId, { username: "eve@example.com" }, ["GROUP_READ_ONLY"]);
  sandbox.setOrgMember(orgId, { username: bob }, ["ORG_READ_ONLY"]);
  const over = { until: "2030-02-28" };
  await stack.setProgram({
    resources: {
      bob: { type: "OrganizationMember", properties: { ...inOrganization.properties, ...over } },
      eve: person("eve@example.com", ["GROUP_READ_ONLY"], over),
    },
  });
  expect(messagesOf(await up(), "warning")).toContain(`${bob} was not removed.`);
  expect(held()).toEqual([inOrganization.granted]);
  expect(writes(sandbox).at(-1)?.path).toMatch(`/groups/${projectId}/users/`);
});

it.each(bothProviders)(
  "a key that ends takes its roles along, and the grant that ends with it has nothing to take (%s)",
  async (provider) => {
    const ci = caseOf("ApiKey");
    const { sandbox, stack, change, up, held } = await afterLastDay(ci, { provider });
    itIs("2030-03-01");
    const grantOf = (more: object) => ({
      grant: {
        type: "ProjectApiKey",
        properties: { projectId, keyId: "${access.keyId}", roles: ["GROUP_READ_ONLY"], ...more },
      },
    });
    await change({}, grantOf({}));
    await up();
    const longer =
      "This access ends after 2030-03-31, the last day of the access in the organization that it depends on.";
    expect(messagesOf(await succeeded(stack.preview()))).toContain(longer);
    await change({}, grantOf({ until: lastDay }));
    await up();
    itIs("2030-04-01");
    await up();
    expect(writes(sandbox).map(({ method }) => method)).toEqual(["DELETE"]);
    expect(held()).toEqual([]);
    expect((await stack.resource("grant"))?.outputs).toMatchObject({ endedAt: expect.any(String) });
    expect(operations(await up())).toEqual({ access: "same", grant: "same" });
    await change({ until: "2030-12-31" }, grantOf({ until: "2030-12-31" }));
    const announced = messagesOf(await succeeded(stack.preview()));
    if (provider === "plugin") expect(announced).toContain("is replaced: the new key has another public");
    await up();
    expect(held()).toEqual([`${ci.granted},GROUP_READ_ONLY`]);
    expect(writes(sandbox).map(({ method }) => method)).not.toContain("DELETE");
  },
);

it.each(bothProviders)(
  "a key that was never made is not made only to end, nor its grant (%s)",
  async (provider) => {
    itIs("2030-04-01");
    const { sandbox, stack, change, up, outputs } = await startEnds(caseOf("ApiKey"), { provider });
    const properties = { projectId, keyId: "${access.keyId}", roles: ["GROUP_READ_ONLY"], until: lastDay };
    await change({}, { grant: { type: "ProjectApiKey", properties } });
    for (const operation of ["create", "same"])
      expect(operations(await up())).toEqual({ access: operation, grant: operation });
    expect(await outputs()).toMatchObject({ keyId: "0".repeat(24), endedAt: expect.any(String) });
    await change({ until: "2030-12-31" });
    expect(messagesOf(await succeeded(stack.preview()))).not.toContain("is replaced");
    await succeeded(stack.destroy());
    expect(writes(sandbox)).toEqual([]);
  },
);

const late = { id: "5f00000000000000000000e9", name: "late", publicKey: "latekey1" };
const memberOf = { orgId, roleName: "ORG_MEMBER" };

interface LateHolder {
  readonly kind: "ProjectTeam" | "ProjectApiKey";
  readonly declared: object;
  readonly recorded: object;
  readonly come: (sandbox: Sandbox) => unknown;
  readonly give: (sandbox: Sandbox) => unknown;
  readonly held: (sandbox: Sandbox) => readonly string[] | undefined;
}

const lateHolders: readonly LateHolder[] = [
  {
    kind: "ProjectTeam",
    declared: { teamName: late.name },
    recorded: { teamId: late.id },
    come: (sandbox) => sandbox.addTeam({ id: late.id, name: late.name, orgId }),
    give: (sandbox) => sandbox.setProjectTeam(projectId, { teamId: late.id, roleNames: ["GROUP_OWNER"] }),
    held: (sandbox) => sandbox.project(projectId)?.teams.flatMap(({ roleNames }) => roleNames),
  },
  {
    kind: "ProjectApiKey",
    declared: { publicKey: late.publicKey },
    recorded: { keyId: late.id },
    come: (sandbox) => {
      const { id, publicKey } = late;
      sandbox.addKey({ id, publicKey, desc: "late", orgId, roles: [memberOf] });
    },
    give: (sandbox) => {
      const owner = { groupId: projectId, roleName: "GROUP_OWNER" };
      sandbox.changeKey(late.publicKey, { roles: [memberOf, owner] });
    },
    held: ({ state: { keys } }) =>
      keys
        .filter(({ id }) => id === late.id)
        .flatMap(({ roles }) => roles.flatMap(({ groupId, roleName }) => (groupId ? [roleName] : []))),
  },
];

// Their record had no ID, so they were never found again.
it.each(bothProviders.flatMap((provider) => lateHolders.map((holder) => ({ provider, ...holder }))))(
  "who came after the day and is declared by name is found then ($kind, $provider)",
  async ({ provider, kind, declared, recorded, come, give, held }) => {
    keepDefault("refreshBeforeUpdate", "a plain up sees who has come");
    itIs("2030-04-01");
    const { sandbox, stack, up } = await startEnds(caseOf("ProjectTeam"), { provider });
    const declare = (until: string) => {
      const properties = { projectId, ...declared, roles: ["GROUP_READ_ONLY"], until };
      return stack.setProgram({ resources: { access: { type: kind, properties } } });
    };
    await declare(lastDay);
    await up();
    come(sandbox);
    expect(operations(await up())).toEqual({ access: "same" });
    give(sandbox);
    await up();
    expect(held(sandbox)).toEqual([]);
    expect(operations(await up())).toEqual({ access: "same" });
    await declare("2030-12-31");
    await up();
    expect(held(sandbox)).toEqual(["GROUP_READ_ONLY"]);
    expect((await stack.resource("access"))?.outputs).toMatchObject(recorded);
    expect(operations(await up())).toEqual({ access: "same" });
  },
);

it("a program cannot end an access by itself, and no live roles do", async () => {
  itIs("2030-03-01");
  const { stack, change, up } = await startEnds(caseOf("ProjectTeam"));
  await change({ ended: true });
  expect(await errorsOf(stack.up())).toContain("ended is not a property");
  for (const until of ["2030-02-30", "1999-12-31", "tomorrow"]) {
    await change({ until });
    expect(await errorsOf(stack.up())).toContain("until must be the last day, in UTC, such as 2026-12-31");
  }
  await change({});
  await up();
});
