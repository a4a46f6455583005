/** Design, "Identity": an unknown project or person is an update, never a replacement that would remove people first. */
import { succeeded } from "../../support";
import { createEstate, disposeEstates } from "../support/estate";
import { deletions, placesIn } from "../support/people-program";
import { changedPaths, doors, operations, projectNamed, said, writes } from "../support/project-program";

afterEach(disposeEstates);

const reader = ["GROUP_READ_ONLY"];
const owner = ["GROUP_OWNER"];
const ada = "ada@example.com";
const bob = "bob@example.com";
const projectId = "5f00000000000000000000a1";
const seed = {
  users: [{ username: ada }, { username: "owner@example.com" }],
  projects: [{ id: projectId, name: "payments", members: { "owner@example.com": owner, [ada]: reader } }],
};

function orders(orgId: string) {
  return { type: "Project", properties: { orgId, name: "orders" } };
}

/** `value`, which is known only once the project `orders` is made in the same run. */
function afterOrders(value: string) {
  return { "fn::select": [1, { "fn::split": ["|", `\${orders.projectId}|${value}`] }] };
}

const member = { projectId, username: bob, roles: reader };
const everybody = { projectId, members: { "owner@example.com": owner, [ada]: reader, [bob]: reader } };

describe("a value that is known in the real run only, and is the recorded one then (plugin)", () => {
  it.each([
    ["projectId", "ProjectMember", member, { projectId: afterOrders(projectId) }],
    ["username", "ProjectMember", member, { username: afterOrders(bob) }],
    ["roles[0]", "ProjectMember", member, { roles: [afterOrders("GROUP_READ_ONLY")] }],
    ["projectId", "ProjectMembers", everybody, { projectId: afterOrders(projectId) }],
    [
      `members["${bob}"]`,
      "ProjectMembers",
      everybody,
      { members: { ...everybody.members, [bob]: [afterOrders("GROUP_READ_ONLY")] } },
    ],
  ] as const)("previews %s of a %s as an update, and changes nothing", async (path, type, known, unknown) => {
    const { sandbox, stack } = await createEstate({
      sandbox: { seed },
      program: () => ({ resources: { people: { type, properties: known } } }),
    });
    await succeeded(stack.up());
    const recorded = await stack.resource("people");
    const before = placesIn(sandbox);
    sandbox.clearRequests();
    await stack.setProgram({
      resources: { orders: orders(sandbox.orgId), people: { type, properties: { ...known, ...unknown } } },
    });

    const preview = await succeeded(stack.preview());
    expect(operations(preview)).toEqual({ orders: "create", people: "update" });
    expect(preview.steps.filter(({ op }) => /replace|delete/.test(op))).toEqual([]);
    expect(Object.keys(changedPaths(preview, "people"))[0]).toContain(path.replace("[0]", ""));
    expect(said(preview, "warning")).toContain("not known yet, so this preview could check the rest only");
    expect(writes(sandbox)).toEqual([]);

    expect(operations(await succeeded(stack.up()))).toEqual({ orders: "create", people: "same" });
    expect(writes(sandbox).map(({ method, path: place }) => [method, place])).toEqual([["POST", "/groups"]]);
    expect(placesIn(sandbox)).toEqual(before);
    expect(await stack.resource("people")).toMatchObject({ id: recorded?.id });
  });
});

describe.each(doors)("a project that is made in the same run (%s)", (door) => {
  it("takes over a person: an update in the preview; in the real run in there first, then out here", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { seed, bypassInvitations: true },
      program: () => ({
        resources: {
          ada: { type: "ProjectMember", properties: { projectId, username: ada, roles: reader } },
        },
      }),
    });
    await succeeded(stack.up());
    const before = placesIn(sandbox);
    await stack.setProgram({
      resources: {
        orders: orders(sandbox.orgId),
        ada: {
          type: "ProjectMember",
          properties: { projectId: "${orders.projectId}", username: ada, roles: reader },
        },
      },
    });
    const preview = await succeeded(stack.preview());
    expect(operations(preview)).toEqual({ orders: "create", ada: "update" });
    expect(placesIn(sandbox)).toEqual(before);
    expect(writes(sandbox)).toEqual([]);

    await succeeded(stack.up());
    const there = projectNamed(sandbox, "orders").id;
    expect(writes(sandbox).map(({ method, path }) => [method, path])).toEqual([
      ["POST", "/groups"],
      ["POST", `/groups/${there}/users`],
      ["DELETE", `/groups/${projectId}/users/${sandbox.user({ username: ada })?.id}`],
    ]);
    expect(placesIn(sandbox, there).members).toMatchObject({ [ada]: reader });
  });

  it("takes over everybody, and nobody is removed here", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { seed },
      program: () => ({ resources: { people: { type: "ProjectMembers", properties: everybody } } }),
    });
    await succeeded(stack.up());
    const before = placesIn(sandbox);
    await stack.setProgram({
      resources: {
        orders: orders(sandbox.orgId),
        people: { type: "ProjectMembers", properties: { ...everybody, projectId: "${orders.projectId}" } },
      },
    });
    const preview = await succeeded(stack.preview());
    expect(operations(preview)).toEqual({ orders: "create", people: "update" });

    const up = await succeeded(stack.up());
    expect(said(up)).toContain(`The people of project ${projectId} were released`);
    expect(deletions(sandbox)).toEqual([]);
    expect(placesIn(sandbox, projectId)).toEqual(before);
    const there = placesIn(sandbox, projectNamed(sandbox, "orders").id);
    expect({ ...there.members, ...there.invited }).toEqual(everybody.members);
  });

  it("is replaced, deleted first, together with its id: a person elsewhere stays a person elsewhere", async () => {
    const program = (orgId: string, name: string) => ({
      resources: {
        platform: {
          type: "Project",
          properties: { orgId, name },
          options: { deleteBeforeReplace: true, replaceOnChanges: ["name"] },
        },
        ada: {
          type: "ProjectMember",
          properties: { projectId, username: ada, roles: reader },
          options: { dependsOn: ["${platform}"] },
        },
        team: {
          type: "ProjectMember",
          properties: { projectId: "${platform.projectId}", username: bob, roles: reader },
        },
      },
    });
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { seed },
      program: ({ orgId }) => program(orgId, "platform"),
    });
    await succeeded(stack.up());
    const before = placesIn(sandbox);
    const old = projectNamed(sandbox, "platform").id;
    sandbox.clearRequests();

    await stack.setProgram(program(sandbox.orgId, "platform-2"));
    await succeeded(stack.up());
    const made = projectNamed(sandbox, "platform-2").id;
    expect(deletions(sandbox)).toEqual([`/groups/${old}`]);
    expect(placesIn(sandbox)).toEqual(before);
    expect(placesIn(sandbox, made).invited).toEqual({ [bob]: reader });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 3 });
  });
});
