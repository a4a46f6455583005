/** Design, "One remote object, two names": people stay where they are when only the program's words for them change. */
import type { Program, ResourceOptions } from "../../support";
import { succeeded } from "../../support";
import { createEstate, disposeEstates } from "../support/estate";
import { deletions, invitationsTo, paymentsId, placesIn } from "../support/people-program";
import { doors, operations, said, writes } from "../support/project-program";

afterEach(disposeEstates);

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

describe.each(doors)("a ProjectMember that was renamed in the program (%s)", (door) => {
  describe.each(["active", "pending"])("of somebody who is %s", (status) => {
    async function estateWithAda() {
      const estate = await createEstate({
        door,
        sandbox: {
          seed: { projects: [{ name: "payments", members: status === "active" ? { [ada]: reader } : {} }] },
        },
        program: (sandbox) => oneByOne(paymentsId(sandbox), { old: { username: ada } }),
      });
      await succeeded(estate.stack.up());
      estate.sandbox.clearRequests();
      return { ...estate, projectId: paymentsId(estate.sandbox), before: placesIn(estate.sandbox) };
    }

    it("keeps the person without an alias: they are declared by the new name", async () => {
      const { sandbox, stack, projectId, before } = await estateWithAda();
      await stack.setProgram(oneByOne(projectId, { renamed: { username: ada } }));
      const up = await succeeded(stack.up());
      expect(operations(up)).toEqual({ renamed: "create", old: "delete" });
      expect(said(up)).toMatch(
        door === "plugin"
          ? new RegExp(`${ada} in project ${projectId} is kept: declared by urn:\\S+::renamed`)
          : `${ada} in project ${projectId} is kept: declared by ProjectMember ${projectId}/${ada}`,
      );
      expect(writes(sandbox)).toEqual([]);
      expect(placesIn(sandbox)).toEqual(before);
      expect(await stack.resource("renamed")).toMatchObject({
        id: `${projectId}/${ada}`,
        outputs: { status, username: ada },
      });
      expect(await stack.resource("old")).toBeUndefined();
      expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    });

    it("is no change with an alias", async () => {
      const { sandbox, stack, projectId, before } = await estateWithAda();
      const renamed = { username: ada, options: { aliases: [{ name: "old" }] } };
      const recorded = await stack.resource("old");
      await stack.setProgram(oneByOne(projectId, { renamed }));
      expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
      expect(writes(sandbox)).toEqual([]);
      expect(placesIn(sandbox)).toEqual(before);
      expect((await stack.resource("renamed"))?.outputs?.origin).toBe(recorded?.outputs?.origin);
    });

    it("keeps the person when the new one spells them in another case and says the roles anew", async () => {
      const { sandbox, stack, projectId, before } = await estateWithAda();
      await stack.setProgram(oneByOne(projectId, { renamed: { username: "Ada@Example.COM" } }));
      const up = await succeeded(stack.up());
      expect(said(up)).toContain(`${ada} in project ${projectId} is kept: declared by`);
      expect(writes(sandbox)).toEqual([]);
      expect(placesIn(sandbox)).toEqual(before);
    });
  });
});

describe.each(doors)("a ProjectMember that is renamed together with other changes (%s)", (door) => {
  it("keeps the person when settings of the provider and the roles change in the same run", async () => {
    const { sandbox, stack } = await createEstate({
      door,
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
    expect(said(up)).toContain(`${ada} in project ${projectId} is kept: declared by`);
    expect(writes(sandbox)).toEqual([
      {
        method: "POST",
        path: `/groups/${projectId}/users`,
        body: [{ id, roles: [{ roleName: "GROUP_MONITORING_ADMIN" }] }],
      },
    ]);
    expect(placesIn(sandbox).members).toEqual({ [ada]: ["GROUP_MONITORING_ADMIN"] });
  });
});

describe.each(doors)("a ProjectMembers that was renamed in the program (%s)", (door) => {
  it("keeps everybody, even with onDestroy: remove", async () => {
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
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { seed: { projects: [{ name: "payments", members: { [ada]: reader } }] } },
      program: (sandbox) => everybody("old", paymentsId(sandbox)),
    });
    await succeeded(stack.up());
    const projectId = paymentsId(sandbox);
    const before = placesIn(sandbox);
    sandbox.clearRequests();

    await stack.setProgram(everybody("renamed", projectId));
    const up = await succeeded(stack.up());
    expect(operations(up)).toEqual({ renamed: "create", old: "delete" });
    expect(said(up)).toMatch(
      new RegExp(`people of project ${projectId} are kept: declared by (urn:\\S+::renamed|ProjectMembers)`),
    );
    expect(writes(sandbox)).toEqual([]);
    expect(placesIn(sandbox)).toEqual(before);
  });
});

describe.each(doors)("twenty people (%s)", (door) => {
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

  async function estateWithAll(program: (projectId: string) => Program) {
    const estate = await createEstate({
      door,
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
    const before = placesIn(estate.sandbox);
    await succeeded(estate.stack.up());
    expect(writes(estate.sandbox)).toEqual([]);
    return { ...estate, before, projectId: paymentsId(estate.sandbox) };
  }

  it("move from ProjectMember resources to one ProjectMembers, spelled in another case, without losing a place", async () => {
    const { sandbox, stack, before, projectId } = await estateWithAll((id) => eachAlone(id, names));
    const invitations = invitationsTo(sandbox).map(({ id }) => id);
    await stack.setProgram(together(projectId, respelled));
    const up = await succeeded(stack.up());
    expect(up.changes).toEqual({ create: 1, delete: 20 });
    for (const name of names)
      expect(said(up)).toContain(`${name} in project ${projectId} is kept: declared by`);
    expect(deletions(sandbox)).toEqual([]);
    expect(writes(sandbox)).toEqual([]);
    expect(placesIn(sandbox)).toEqual(before);
    expect(invitationsTo(sandbox).map(({ id }) => id)).toEqual(invitations);
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });

  it.each([undefined, "remove"])("move back, with %s as onDestroy", async (onDestroy) => {
    const { sandbox, stack, before, projectId } = await estateWithAll((id) =>
      together(id, respelled, onDestroy),
    );
    await stack.setProgram(eachAlone(projectId, names));
    const up = await succeeded(stack.up());
    expect(up.changes).toEqual({ create: 20, delete: 1 });
    if (onDestroy === undefined)
      expect(said(up)).toContain(`The people of project ${projectId} were released`);
    else
      for (const name of names)
        expect(said(up)).toContain(`${name} in project ${projectId} is kept: declared by`);
    expect(writes(sandbox)).toEqual([]);
    expect(placesIn(sandbox)).toEqual(before);
    expect((await succeeded(stack.up())).changes).toEqual({ same: 20 });
  });

  it("move but for one, who is left out and removed, nobody else", async () => {
    const { sandbox, stack, before, projectId } = await estateWithAll((id) => eachAlone(id, names));
    const [left = "", ...staying] = respelled.toReversed();
    await stack.setProgram(together(projectId, staying));
    await succeeded(stack.up());
    const { id } = sandbox.user({ username: left }) ?? {};
    expect(deletions(sandbox)).toEqual([`/groups/${projectId}/users/${id}`]);
    const { [left.toLowerCase()]: _gone, ...members } = before.members;
    expect(placesIn(sandbox)).toEqual({ ...before, members });
  });
});
