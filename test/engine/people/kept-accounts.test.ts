/** Somebody who is recorded under one name and declared under another stays one person, and in the project. */
import { type Program, type Run, succeeded } from "../../support";
import { createEstate, disposeEstates, type Estate } from "../support/estate";
import { deletions, memberProgram, membersProgram, paymentsId, placesIn } from "../support/people-program";
import { doors, emptyProgram, projectNamed, said, writes } from "../support/project-program";

afterEach(disposeEstates);

const reader = ["GROUP_READ_ONLY"];
const ada = "ada@example.com";
const renamed = "ada.lovelace@example.com";

describe.each(doors)("an account that was renamed by hand (%s)", (door) => {
  // The host of the dynamic door does not tell a Create which resource it follows, so the old name is invited.
  const recognised = door === "plugin";
  const places = { members: { [renamed]: reader }, invited: recognised ? {} : { [ada]: reader } };

  async function estateWithAda(program: (projectId: string) => Program) {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { seed: { projects: [{ name: "payments", members: { [ada]: reader } }] } },
      program: (sandbox) => program(paymentsId(sandbox)),
    });
    await succeeded(stack.up());
    sandbox.changeUser(sandbox.user({ username: ada })?.id ?? "", { username: renamed });
    await succeeded(stack.refresh());
    return { sandbox, stack, projectId: paymentsId(sandbox) };
  }

  /** To a ProjectMembers somebody whom it did not recognise is not listed: it says so, and the next up removes them. */
  async function expectItsPlace(
    { sandbox, stack }: Estate,
    up: Run,
    type: "ProjectMember" | "ProjectMembers",
  ) {
    const removedNext = type === "ProjectMembers" && !recognised;
    expect(deletions(sandbox)).toEqual([]);
    expect(writes(sandbox).map(({ method }) => method)).toEqual(recognised ? [] : ["POST"]);
    expect(placesIn(sandbox)).toEqual(places);
    const warning = `though not listed (1 person): ${renamed}`;
    expect(said(up, "warning").includes(warning)).toBe(removedNext);
    expect((await succeeded(stack.up())).changes).toEqual(removedNext ? { update: 1 } : { same: 1 });
    expect(placesIn(sandbox)).toEqual(removedNext ? { ...places, members: {} } : places);
  }

  it("keeps its place through --replace of its ProjectMember", async () => {
    const { sandbox, stack } = await estateWithAda((projectId) =>
      memberProgram({ projectId, username: ada, roles: reader }),
    );
    const recorded = await stack.resource("ada");
    const up = await succeeded(stack.up({ replace: recorded?.urn }));
    expect(said(up)).toContain(`${renamed} in project ${paymentsId(sandbox)} is kept: declared by`);
    expect(await stack.resource("ada")).toMatchObject(
      recognised
        ? { id: recorded?.id, outputs: { username: renamed, status: "active", origin: "adopted" } }
        : { outputs: { username: ada, status: "pending", origin: "created" } },
    );
    await expectItsPlace({ sandbox, stack }, up, "ProjectMember");
  });

  it("keeps its place when its ProjectMember gets another name in the program", async () => {
    const { sandbox, stack, projectId } = await estateWithAda((projectId) =>
      memberProgram({ projectId, username: ada, roles: reader }),
    );
    const properties = { projectId, username: ada, roles: reader };
    await stack.setProgram({ resources: { lovelace: { type: "ProjectMember", properties } } });
    const up = await succeeded(stack.up());
    expect(said(up)).toContain(`${renamed} in project ${projectId} is kept: declared by`);
    expect(await stack.resource("lovelace")).toMatchObject({
      outputs: recognised ? { username: renamed, status: "active" } : { username: ada, status: "pending" },
    });
    await expectItsPlace({ sandbox, stack }, up, "ProjectMember");
  });

  it.each([
    ["ProjectMembers gets another name", "people", "everybody"],
    ["ProjectMember gives way to ProjectMembers", "ada", "people"],
    ["ProjectMembers gives way to ProjectMember", "people", "ada"],
  ])("keeps its place when %s", async (_what, before, after) => {
    const resource = (name: string, projectId: string) =>
      name === "ada"
        ? { type: "ProjectMember", properties: { projectId, username: ada, roles: reader } }
        : {
            type: "ProjectMembers",
            properties: { projectId, members: { [ada]: reader }, onDestroy: "remove" },
          };
    const { sandbox, stack, projectId } = await estateWithAda((id) => ({
      resources: { [before]: resource(before, id) },
    }));
    await stack.setProgram({ resources: { [after]: resource(after, projectId) } });
    const up = await succeeded(stack.up());
    await expectItsPlace({ sandbox, stack }, up, after === "ada" ? "ProjectMember" : "ProjectMembers");
  });

  it("keeps its place through --replace of ProjectMembers", async () => {
    const { sandbox, stack } = await estateWithAda((projectId) =>
      membersProgram({ projectId, members: { [ada]: reader }, onDestroy: "remove" }),
    );
    const urn = (await stack.resource("people"))?.urn;
    const up = await succeeded(stack.up({ replace: urn }));
    await expectItsPlace({ sandbox, stack }, up, "ProjectMembers");
  });
});

// In the dynamic door the look at ada may come before the creation of the other: depending on which came first, the other took over
// her account, and nobody was invited. With dependsOn it always comes first.
it.each(
  doors.flatMap((door) => [
    { door, options: {} },
    { door, options: { dependsOn: ["${ada}"] } },
  ]),
)(
  "somebody new who has got a renamed person's former name is somebody else ($door, $options)",
  async ({ door, options }) => {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { seed: { projects: [{ name: "payments", members: { [ada]: reader } }] } },
      program: (sandbox) => memberProgram({ projectId: paymentsId(sandbox), username: ada, roles: reader }),
    });
    await succeeded(stack.up());
    const projectId = paymentsId(sandbox);
    sandbox.changeUser(sandbox.user({ username: ada })?.id ?? "", { username: renamed });
    const one = { type: "ProjectMember", properties: { projectId, username: renamed, roles: reader } };
    await stack.setProgram({ resources: { ada: one } });
    await succeeded(stack.up());

    const properties = { projectId, username: ada, roles: reader };
    const other = { type: "ProjectMember", properties, options };
    await stack.setProgram({ resources: { ada: one, other } });
    await succeeded(stack.up());
    expect(placesIn(sandbox)).toEqual({ members: { [renamed]: reader }, invited: { [ada]: reader } });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 2 });
  },
);

describe.each(doors)("a ProjectMember that was left over by an up with --target (%s)", (door) => {
  it("takes nobody's invitation back whom another resource declares by their account", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { seed: { users: [{ username: ada }], projects: [{ name: "payments" }] } },
      program: (sandbox) => memberProgram({ projectId: paymentsId(sandbox), username: ada, roles: reader }),
    });
    await succeeded(stack.up());
    const projectId = paymentsId(sandbox);
    const before = placesIn(sandbox);
    expect(before.invited).toEqual({ [ada]: reader });
    sandbox.clearRequests();

    const userId = sandbox.user({ username: ada })?.id;
    await stack.setProgram({
      resources: { account: { type: "ProjectMember", properties: { projectId, userId, roles: reader } } },
    });
    expect((await succeeded(stack.up({ target: "**::account" }))).changes).toMatchObject({ create: 1 });
    expect(await stack.resource("ada")).toBeDefined();

    const up = await succeeded(stack.up());
    expect(up.changes).toEqual({ same: 1, delete: 1 });
    expect(said(up)).toContain(`${ada} in project ${projectId} is kept: declared by`);
    expect(writes(sandbox)).toEqual([]);
    expect(placesIn(sandbox)).toEqual(before);
  });

  it("removes nobody whom ProjectMembers declares by the name that the account had", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { seed: { projects: [{ name: "payments", members: { [ada]: reader } }] } },
      program: (sandbox) => memberProgram({ projectId: paymentsId(sandbox), username: ada, roles: reader }),
    });
    await succeeded(stack.up());
    const projectId = paymentsId(sandbox);
    await stack.setProgram(membersProgram({ projectId, members: { [ada]: reader } }));
    await succeeded(stack.up({ target: "**::people" }));
    sandbox.changeUser(sandbox.user({ username: ada })?.id ?? "", { username: renamed });
    sandbox.clearRequests();

    const up = await succeeded(stack.up());
    expect(up.changes).toMatchObject({ delete: 1 });
    expect(deletions(sandbox)).toEqual([]);
    expect(placesIn(sandbox)).toEqual({ members: { [renamed]: reader }, invited: {} });
  });
});

describe.each(doors)("a look at everything before the program runs (%s)", (door) => {
  // The engine asks for differences then too, also of what the program has no longer.
  it.each([{ refresh: true }, { refresh: undefined }])(
    "declares nobody: whoever leaves the program leaves the project (%p)",
    async (flags) => {
      const people = { [ada]: reader, "bob@example.com": reader };
      const { sandbox, stack } = await createEstate({
        door,
        sandbox: {
          seed: {
            projects: [
              { name: "payments", members: people },
              { name: "orders", members: people },
            ],
          },
        },
        program: (sandbox) => ({
          resources: {
            ...memberProgram({ projectId: paymentsId(sandbox), username: ada, roles: reader }).resources,
            ...membersProgram({
              projectId: projectNamed(sandbox, "orders").id,
              members: people,
              onDestroy: "remove",
            }).resources,
          },
        }),
      });
      await succeeded(stack.up());
      await stack.setProgram(emptyProgram);
      expect((await succeeded(stack.up(flags))).changes).toEqual({ delete: 2 });
      expect(placesIn(sandbox).members).toEqual({ "bob@example.com": reader });
      expect(placesIn(sandbox, projectNamed(sandbox, "orders").id).members).toEqual({});
    },
  );
});
