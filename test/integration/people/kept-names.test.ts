/** Design, "One remote object, two names": people stay where they are when only the program's words for them change. */
import type { Program, ProviderKind, ResourceOptions, Run } from "../../support";
import { succeeded } from "../../support";
import { deletions, invitationsTo, membershipsIn, paymentsId } from "../support/people-program";
import { bothProviders, messagesOf, operations, writes } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const reader = ["GROUP_READ_ONLY"];
const ada = "ada@example.com";

type People = Readonly<Record<string, { username: string; options?: ResourceOptions }>>;

function oneByOne(projectId: string, people: People): Program {
  const entries = Object.entries(people).map(([name, { username, options }]) => [
    name,
    {
      type: "ProjectMember",
      properties: { projectId, username, roles: reader },
      ...(options && { options }),
    },
  ]);
  return { resources: Object.fromEntries(entries) };
}

describe.each(bothProviders)("a ProjectMember that is renamed in the program (%s)", (provider) => {
  it("keeps an active and a pending person: without an alias, with another spelling of the username, and with an alias", async () => {
    const bob = "bob@example.com";
    const statuses = { ada: "active", bob: "pending" } as const;
    const spelled = { ada, bob };
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed: { projects: [{ name: "payments", members: { [ada]: reader } }] } },
      program: () => ({}),
    });
    const projectId = paymentsId(sandbox);
    /** The resources are `ada-old` and `bob-old`, then `ada-new` and so on. */
    const declare = (suffix: string, usernames: Readonly<Record<"ada" | "bob", string>>, before?: string) =>
      oneByOne(
        projectId,
        Object.fromEntries(
          Object.entries(usernames).map(([name, username]) => [
            `${name}-${suffix}`,
            { username, ...(before && { options: { aliases: [{ name: `${name}-${before}` }] } }) },
          ]),
        ),
      );
    await stack.setProgram(declare("old", spelled));
    await succeeded(stack.up());
    const before = membershipsIn(sandbox);
    expect(before).toEqual({ members: { [ada]: reader }, invited: { [bob]: reader } });
    sandbox.clearRequests();

    // Without an alias the engine creates the new resource and deletes the old one.
    await stack.setProgram(declare("new", spelled));
    const up = await succeeded(stack.up());
    expect(operations(up)).toEqual({
      "ada-new": "create",
      "bob-new": "create",
      "ada-old": "delete",
      "bob-old": "delete",
    });
    for (const name of ["ada", "bob"] as const) {
      expect(messagesOf(up)).toMatch(
        provider === "plugin"
          ? new RegExp(
              `${spelled[name]} in project ${projectId} is retained: declared by urn:\\S+::${name}-new`,
            )
          : `${spelled[name]} in project ${projectId} is retained: declared by ProjectMember ${projectId}/${spelled[name]}`,
      );
      expect(await stack.resource(`${name}-new`)).toMatchObject({
        id: `${projectId}/${spelled[name]}`,
        outputs: { status: statuses[name], username: spelled[name] },
      });
      expect(await stack.resource(`${name}-old`)).toBeUndefined();
    }
    expect(writes(sandbox)).toEqual([]);
    expect(membershipsIn(sandbox)).toEqual(before);
    expect((await succeeded(stack.up())).changes).toEqual({ same: 2 });

    // The username is the same one in another case.
    const respelled = { ada: "Ada@Example.COM", bob: "Bob@Example.COM" };
    await stack.setProgram(declare("respelled", respelled));
    const again = await succeeded(stack.up());
    for (const name of ["ada", "bob"] as const)
      expect(messagesOf(again)).toContain(
        `${spelled[name]} in project ${projectId} is retained: declared by`,
      );
    expect(writes(sandbox)).toEqual([]);
    expect(membershipsIn(sandbox)).toEqual(before);

    // With an alias nothing changes.
    const recorded = await Promise.all(["ada", "bob"].map((name) => stack.resource(`${name}-respelled`)));
    await stack.setProgram(declare("aliased", respelled, "respelled"));
    expect((await succeeded(stack.up())).changes).toEqual({ same: 2 });
    expect(writes(sandbox)).toEqual([]);
    expect(membershipsIn(sandbox)).toEqual(before);
    const aliased = await Promise.all(["ada", "bob"].map((name) => stack.resource(`${name}-aliased`)));
    expect(aliased.map((resource) => resource?.outputs?.origin)).toEqual(
      recorded.map((resource) => resource?.outputs?.origin),
    );
  });
});

describe.each(bothProviders)(
  "a ProjectMember that is renamed together with other changes (%s)",
  (provider) => {
    it("keeps the person when settings of the provider and the roles change in the same run", async () => {
      const { sandbox, stack } = await setUpStack({
        provider,
        sandbox: { seed: { projects: [{ name: "payments", members: { [ada]: reader } }] } },
        program: (sandbox) => oneByOne(paymentsId(sandbox), { old: { username: ada } }),
      });
      await succeeded(stack.up());
      const projectId = paymentsId(sandbox);
      const { id } = sandbox.user({ username: ada }) ?? {};
      await stack.setConfig({ "opsmanager:maxRetries": 2 });
      const properties = { projectId, username: ada, roles: ["GROUP_MONITORING_ADMIN"] };
      await stack.setProgram({ resources: { renamed: { type: "ProjectMember", properties } } });
      const up = await succeeded(stack.up());
      expect(messagesOf(up)).toContain(`${ada} in project ${projectId} is retained: declared by`);
      expect(writes(sandbox)).toEqual([
        {
          method: "POST",
          path: `/groups/${projectId}/users`,
          body: [{ id, roles: [{ roleName: "GROUP_MONITORING_ADMIN" }] }],
        },
      ]);
      expect(membershipsIn(sandbox).members).toEqual({ [ada]: ["GROUP_MONITORING_ADMIN"] });
    });
  },
);

describe.each(bothProviders)("a ProjectMembers that was renamed in the program (%s)", (provider) => {
  it("keeps everyone, even with onDestroy: remove", async () => {
    const everybody = (name: string, projectId: string): Program => ({
      resources: {
        [name]: {
          type: "ProjectMembers",
          properties: {
            projectId,
            members: { [ada]: reader, "new@example.com": reader },
            onDestroy: "remove",
          },
        },
      },
    });
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed: { projects: [{ name: "payments", members: { [ada]: reader } }] } },
      program: (sandbox) => everybody("old", paymentsId(sandbox)),
    });
    await succeeded(stack.up());
    const projectId = paymentsId(sandbox);
    const before = membershipsIn(sandbox);
    sandbox.clearRequests();

    await stack.setProgram(everybody("renamed", projectId));
    const up = await succeeded(stack.up());
    expect(operations(up)).toEqual({ renamed: "create", old: "delete" });
    expect(messagesOf(up)).toMatch(
      new RegExp(
        `people of project ${projectId} are retained: declared by (urn:\\S+::renamed|ProjectMembers)`,
      ),
    );
    expect(writes(sandbox)).toEqual([]);
    expect(membershipsIn(sandbox)).toEqual(before);
  });
});

describe("twenty people", () => {
  const names = Array.from({ length: 20 }, (_, index) => `person-${index}@example.com`);
  const pending = names.filter((_, index) => index % 3 === 0);
  const active = names.filter((name) => !pending.includes(name));
  /** As the other resource spells them. */
  const respelled = names.map((name, index) => (index % 2 === 0 ? name : name.toUpperCase()));
  const eachAlone = (projectId: string, spelled: readonly string[]) =>
    oneByOne(
      projectId,
      Object.fromEntries(spelled.map((username, index) => [`person-${index}`, { username }])),
    );
  const together = (projectId: string, spelled: readonly string[], onDestroy?: string): Program => ({
    resources: {
      people: {
        type: "ProjectMembers",
        properties: {
          projectId,
          members: Object.fromEntries(spelled.map((username) => [username, reader])),
          ...(onDestroy && { onDestroy, maxRemovals: 20 }),
        },
      },
    },
  });

  /** A stack that declares all of them; they are members or invited already. */
  async function declareAll(provider: ProviderKind, program: (projectId: string) => Program) {
    const setup = await setUpStack({
      provider,
      sandbox: {
        seed: {
          projects: [
            {
              name: "payments",
              members: Object.fromEntries(active.map((username) => [username, reader])),
              invitations: pending.map((username) => ({ username, roles: reader })),
            },
          ],
        },
      },
      program: (sandbox) => program(paymentsId(sandbox)),
    });
    const before = membershipsIn(setup.sandbox);
    await succeeded(setup.stack.up());
    expect(writes(setup.sandbox)).toEqual([]);
    return { ...setup, before, projectId: paymentsId(setup.sandbox) };
  }

  it.each(bothProviders)(
    "move from ProjectMember resources to one ProjectMembers and back without losing a membership; a move without one of them removes that one alone (%s)",
    async (provider) => {
      const { sandbox, stack, before, projectId } = await declareAll(provider, (id) => eachAlone(id, names));
      const invitations = invitationsTo(sandbox).map(({ id }) => id);
      const expectAllKept = (up: Run) => {
        for (const name of names)
          expect(messagesOf(up)).toContain(`${name} in project ${projectId} is retained: declared by`);
        expect(deletions(sandbox)).toEqual([]);
        expect(writes(sandbox)).toEqual([]);
        expect(membershipsIn(sandbox)).toEqual(before);
        expect(invitationsTo(sandbox).map(({ id }) => id)).toEqual(invitations);
      };

      // To one ProjectMembers, which spells half of them in another case.
      await stack.setProgram(together(projectId, respelled, "remove"));
      const there = await succeeded(stack.up());
      expect(there.changes).toEqual({ create: 1, delete: 20 });
      expectAllKept(there);
      expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });

      // Back, although destroying the ProjectMembers removes everyone.
      await stack.setProgram(eachAlone(projectId, names));
      const back = await succeeded(stack.up());
      expect(back.changes).toEqual({ create: 20, delete: 1 });
      expectAllKept(back);
      expect((await succeeded(stack.up())).changes).toEqual({ same: 20 });

      // To a ProjectMembers that lists all but one.
      const [unlisted = "", ...staying] = respelled.toReversed();
      await stack.setProgram(together(projectId, staying));
      await succeeded(stack.up());
      const { id } = sandbox.user({ username: unlisted }) ?? {};
      expect(deletions(sandbox)).toEqual([`/groups/${projectId}/users/${id}`]);
      const { [unlisted.toLowerCase()]: _removed, ...members } = before.members;
      expect(membershipsIn(sandbox)).toEqual({ ...before, members });
    },
  );

  it("move from one ProjectMembers without onDestroy to ProjectMember resources: it releases them (plugin)", async () => {
    const { sandbox, stack, before, projectId } = await declareAll("plugin", (id) => together(id, respelled));
    await stack.setProgram(eachAlone(projectId, names));
    const up = await succeeded(stack.up());
    expect(up.changes).toEqual({ create: 20, delete: 1 });
    expect(messagesOf(up)).toContain(`The people of project ${projectId} were released`);
    expect(writes(sandbox)).toEqual([]);
    expect(membershipsIn(sandbox)).toEqual(before);
    expect((await succeeded(stack.up())).changes).toEqual({ same: 20 });
  });
});
