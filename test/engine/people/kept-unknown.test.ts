/** Design, "Identity": an unknown project or person is an update, never a replacement that would remove people first. */
import type { Sandbox } from "../../../sandbox";
import { succeeded } from "../../support";
import { ada, bob, owners, readers } from "../../support/people";
import { deletions, membershipsIn } from "../support/people-program";
import {
  bothProviders,
  changedPaths,
  messagesOf,
  operations,
  projectNamed,
  writes,
} from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const projectId = "5f00000000000000000000a1";
const toolsId = "5f00000000000000000000a2";
const present = { "owner@example.com": owners, [ada]: readers };
const users = [{ username: ada }, { username: "owner@example.com" }];

/** `value`, which is known only once the project `orders` is made in the same run. */
function afterOrders(value: string) {
  return { "fn::select": [1, { "fn::split": ["|", `\${orders.projectId}|${value}`] }] };
}

const members = { ...present, [bob]: readers };
const member = { username: bob, roles: readers };

/** By the name of the resource and of its project: the property that the preview does not know, and where its difference is. */
const cases = {
  "project-itself": {
    type: "Project",
    known: { tags: ["PROD"] },
    unknown: (id: string) => ({ projectId: afterOrders(id) }),
    path: "projectId",
  },
  "project-of-member": {
    type: "ProjectMember",
    known: member,
    unknown: (id: string) => ({ projectId: afterOrders(id) }),
    path: "projectId",
  },
  "username-of-member": {
    type: "ProjectMember",
    known: member,
    unknown: () => ({ username: afterOrders(bob) }),
    path: "username",
  },
  "role-of-member": {
    type: "ProjectMember",
    known: member,
    unknown: () => ({ roles: [afterOrders("GROUP_READ_ONLY")] }),
    path: "roles",
  },
  "project-of-members": {
    type: "ProjectMembers",
    known: { members },
    unknown: (id: string) => ({ projectId: afterOrders(id) }),
    path: "projectId",
  },
  "role-in-members": {
    type: "ProjectMembers",
    known: { members },
    unknown: () => ({ members: { ...members, [bob]: [afterOrders("GROUP_READ_ONLY")] } }),
    path: `members["${bob}"]`,
  },
};

type Case = keyof typeof cases;
const names = Object.keys(cases) as Case[];
const byName = <Value>(value: (name: Case) => Value) =>
  Object.fromEntries(names.map((name) => [name, value(name)]));

function programOf(sandbox: Sandbox, isUnknown: boolean) {
  return byName((name) => {
    const { type, known, unknown } = cases[name];
    const { id: projectId } = projectNamed(sandbox, name);
    return { type, properties: { projectId, ...known, ...(isUnknown && unknown(projectId)) } };
  });
}

it("a value that is known only in the real run, and is the recorded one then, previews as an update and changes nothing (plugin)", async () => {
  const { sandbox, stack } = await setUpStack({
    sandbox: { seed: { users, projects: names.map((name) => ({ name, members: present })) } },
    program: (service) => ({ resources: programOf(service, false) }),
  });
  const read = async () => ({
    people: byName((name) => membershipsIn(sandbox, projectNamed(sandbox, name).id)),
    ids: await Promise.all(names.map(async (name) => (await stack.resource(name))?.id)),
  });
  await succeeded(stack.up());
  const before = await read();
  sandbox.clearRequests();

  const orders = { type: "Project", properties: { orgId: sandbox.orgId, name: "orders" } };
  await stack.setProgram({ resources: { orders, ...programOf(sandbox, true) } });
  const preview = await succeeded(stack.preview());
  expect(operations(preview)).toEqual({ orders: "create", ...byName(() => "update") });
  expect(preview.steps.filter(({ op }) => /replace|delete/.test(op))).toEqual([]);
  expect(byName((name) => Object.keys(changedPaths(preview, name))[0])).toEqual(
    byName((name) => expect.stringContaining(cases[name].path)),
  );
  expect(messagesOf(preview, "warning")).toContain("not known yet, so this preview checked only the others");
  expect(writes(sandbox)).toEqual([]);

  const up = await succeeded(stack.up());
  expect(operations(up)).toEqual({ orders: "create", ...byName(() => "same") });
  expect(writes(sandbox).map(({ method, path }) => [method, path])).toEqual([["POST", "/groups"]]);
  expect(await read()).toEqual(before);
});

it.each(bothProviders)(
  "people move to projects that the same run creates: one is added there before, and a list without onDestroy removes no one (%s)",
  async (provider) => {
    const seeded = [
      { id: projectId, name: "payments", members: present },
      { id: toolsId, name: "tools", members: present },
    ];
    const program = (projectOfAda: string, projectOfAll: string) => ({
      ada: { type: "ProjectMember", properties: { projectId: projectOfAda, username: ada, roles: readers } },
      people: { type: "ProjectMembers", properties: { projectId: projectOfAll, members } },
    });
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed: { users, projects: seeded }, bypassInvitations: true },
      program: () => ({ resources: program(projectId, toolsId) }),
    });
    const peopleHere = () => [membershipsIn(sandbox, projectId), membershipsIn(sandbox, toolsId)];
    await succeeded(stack.up());
    const before = peopleHere();
    sandbox.clearRequests();
    const project = (name: string) => ({ type: "Project", properties: { orgId: sandbox.orgId, name } });
    const created = { orders: project("orders"), docs: project("docs") };
    await stack.setProgram({
      resources: { ...created, ...program("${orders.projectId}", "${docs.projectId}") },
    });
    const preview = await succeeded(stack.preview());
    expect(operations(preview)).toEqual({
      orders: "create",
      docs: "create",
      ada: "update",
      people: "update",
    });
    expect([peopleHere(), writes(sandbox)]).toEqual([before, []]);

    const up = await succeeded(stack.up());
    const [orders, docs] = [projectNamed(sandbox, "orders").id, projectNamed(sandbox, "docs").id];
    const ofAda = writes(sandbox).filter(({ path }) => path.includes(orders) || path.includes(projectId));
    expect(ofAda.map(({ method, path }) => [method, path])).toEqual([
      ["POST", `/groups/${orders}/users`],
      ["DELETE", `/groups/${projectId}/users/${sandbox.user({ username: ada })?.id}`],
    ]);
    expect(membershipsIn(sandbox, orders).members).toMatchObject({ [ada]: readers });
    expect(messagesOf(up)).toContain(`The people of project ${toolsId} were released`);
    expect(deletions(sandbox)).toHaveLength(1);
    expect(peopleHere()[1]).toEqual(before[1]);
    const inDocs = membershipsIn(sandbox, docs);
    expect({ ...inDocs.members, ...inDocs.invited }).toEqual(members);
  },
);

// Trap 5: in a real update the engine requests the differences of dependents while the values are unknown.
it.each(bothProviders)(
  "a project that is deleted before it is replaced takes nothing with it that only depends on it (%s)",
  async (provider) => {
    const program = (orgId: string, name: string) => ({
      resources: {
        platform: {
          type: "Project",
          properties: { orgId, name },
          options: { deleteBeforeReplace: true, replaceOnChanges: ["name"] },
        },
        dependent: {
          type: "Project",
          properties: { orgId: "${platform.orgId}", name: "dependent", tags: ["OF-${platform.name}"] },
        },
        ada: {
          type: "ProjectMember",
          properties: { projectId, username: ada, roles: readers },
          options: { dependsOn: ["${platform}"] },
        },
        inPlatform: {
          type: "ProjectMember",
          properties: { projectId: "${platform.projectId}", username: bob, roles: readers },
        },
      },
    });
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed: { users, projects: [{ id: projectId, name: "payments", members: present }] } },
      program: ({ orgId }) => program(orgId, "platform"),
    });
    await succeeded(stack.up());
    const before = membershipsIn(sandbox);
    const old = projectNamed(sandbox, "platform").id;
    const kept = projectNamed(sandbox, "dependent").id;
    sandbox.clearRequests();

    await stack.setProgram(program(sandbox.orgId, "platform-2"));
    await succeeded(stack.up());
    expect(deletions(sandbox)).toEqual([`/groups/${old}`]);
    expect(membershipsIn(sandbox)).toEqual(before);
    expect(membershipsIn(sandbox, projectNamed(sandbox, "platform-2").id).invited).toEqual({
      [bob]: readers,
    });
    expect(projectNamed(sandbox, "dependent")).toMatchObject({ id: kept, tags: ["OF-platform-2"] });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 4 });
  },
);
