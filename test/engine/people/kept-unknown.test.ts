/** Design, "Identity": an unknown project or person is an update, never a replacement that would remove people first. */
import { type Program, succeeded } from "../../support";
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

const reader = ["GROUP_READ_ONLY"];
const owner = ["GROUP_OWNER"];
const ada = "ada@example.com";
const bob = "bob@example.com";
const projectId = "5f00000000000000000000a1";
const everybodyHere = "5f00000000000000000000a2";
const present = { "owner@example.com": owner, [ada]: reader };
const seed = {
  users: [{ username: ada }, { username: "owner@example.com" }],
  projects: [{ id: projectId, name: "payments", members: present }],
};

function orders(orgId: string) {
  return { type: "Project", properties: { orgId, name: "orders" } };
}

/** `value`, which is known only once the project `orders` is made in the same run. */
function afterOrders(value: string) {
  return { "fn::select": [1, { "fn::split": ["|", `\${orders.projectId}|${value}`] }] };
}

it("a value that is known only in the real run, and is the recorded one then, previews as an update and changes nothing (plugin)", async () => {
  const members = { ...present, [bob]: reader };
  const member = { username: bob, roles: reader };
  // By the name of the resource and of its project.
  const cases = {
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
  const byName = <Value>(value: (one: (typeof cases)[keyof typeof cases], name: string) => Value) =>
    Object.fromEntries(Object.entries(cases).map(([name, one]) => [name, value(one, name)]));
  const { sandbox, stack } = await setUpStack({
    sandbox: {
      seed: {
        users: seed.users,
        projects: Object.keys(cases).map((name) => ({ name, members: present })),
      },
    },
    program: (service) => ({
      resources: byName(({ type, known }, name) => ({
        type,
        properties: { projectId: projectNamed(service, name).id, ...known },
      })),
    }),
  });
  const idOf = (name: string) => projectNamed(sandbox, name).id;
  const peopleNow = () => byName((_, name) => membershipsIn(sandbox, idOf(name)));
  const recordedIds = async () =>
    Promise.all(Object.keys(cases).map(async (name) => (await stack.resource(name))?.id));
  await succeeded(stack.up());
  const [before, ids] = [peopleNow(), await recordedIds()];
  sandbox.clearRequests();
  const withUnknown = (isUnknown: (name: string) => boolean): Program => ({
    resources: {
      orders: orders(sandbox.orgId),
      ...byName(({ type, known, unknown }, name) => ({
        type,
        properties: { projectId: idOf(name), ...known, ...(isUnknown(name) && unknown(idOf(name))) },
      })),
    },
  });

  for (const [name, { path }] of Object.entries(cases)) {
    await stack.setProgram(withUnknown((candidate) => candidate === name));
    const preview = await succeeded(stack.preview());
    expect(operations(preview)).toEqual({ orders: "create", ...byName(() => "same"), [name]: "update" });
    expect(preview.steps.filter(({ op }) => /replace|delete/.test(op))).toEqual([]);
    expect(Object.keys(changedPaths(preview, name))[0]).toContain(path);
    expect(messagesOf(preview, "warning")).toContain(
      "not known yet, so this preview checked only the others",
    );
    expect(writes(sandbox)).toEqual([]);
  }

  await stack.setProgram(withUnknown(() => true));
  expect(operations(await succeeded(stack.up()))).toEqual({ orders: "create", ...byName(() => "same") });
  expect(writes(sandbox).map(({ method, path }) => [method, path])).toEqual([["POST", "/groups"]]);
  expect(peopleNow()).toEqual(before);
  expect(await recordedIds()).toEqual(ids);
});

describe.each(bothProviders)("a project that is created in the same run (%s)", (provider) => {
  it("is an update in the preview; in the real run people are added there before ProjectMember removes them here", async () => {
    const members = { ...present, [bob]: reader };
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: {
        seed: {
          users: seed.users,
          projects: [...seed.projects, { id: everybodyHere, name: "tools", members: present }],
        },
        bypassInvitations: true,
      },
      program: () => ({
        resources: {
          ada: { type: "ProjectMember", properties: { projectId, username: ada, roles: reader } },
          people: { type: "ProjectMembers", properties: { projectId: everybodyHere, members } },
        },
      }),
    });
    await succeeded(stack.up());
    const before = [membershipsIn(sandbox, projectId), membershipsIn(sandbox, everybodyHere)];
    sandbox.clearRequests();
    await stack.setProgram({
      resources: {
        orders: orders(sandbox.orgId),
        docs: { type: "Project", properties: { orgId: sandbox.orgId, name: "docs" } },
        ada: {
          type: "ProjectMember",
          properties: { projectId: "${orders.projectId}", username: ada, roles: reader },
        },
        people: { type: "ProjectMembers", properties: { projectId: "${docs.projectId}", members } },
      },
    });
    const preview = await succeeded(stack.preview());
    expect(operations(preview)).toEqual({
      orders: "create",
      docs: "create",
      ada: "update",
      people: "update",
    });
    expect([membershipsIn(sandbox, projectId), membershipsIn(sandbox, everybodyHere)]).toEqual(before);
    expect(writes(sandbox)).toEqual([]);

    const up = await succeeded(stack.up());
    const there = projectNamed(sandbox, "orders").id;
    const ofTheMember = writes(sandbox).filter(
      ({ path, body }) =>
        path.includes(there) ||
        path.includes(projectId) ||
        JSON.stringify(body ?? "").includes('"name":"orders"'),
    );
    expect(ofTheMember.map(({ method, path }) => [method, path])).toEqual([
      ["POST", "/groups"],
      ["POST", `/groups/${there}/users`],
      ["DELETE", `/groups/${projectId}/users/${sandbox.user({ username: ada })?.id}`],
    ]);
    expect(membershipsIn(sandbox, there).members).toMatchObject({ [ada]: reader });

    // A ProjectMembers without onDestroy removes no member.
    expect(messagesOf(up)).toContain(`The people of project ${everybodyHere} were released`);
    expect(deletions(sandbox)).toHaveLength(1);
    expect(membershipsIn(sandbox, everybodyHere)).toEqual(before[1]);
    const everybodyThere = membershipsIn(sandbox, projectNamed(sandbox, "docs").id);
    expect({ ...everybodyThere.members, ...everybodyThere.invited }).toEqual(members);
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
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed },
      program: ({ orgId }) => program(orgId, "platform"),
    });
    await succeeded(stack.up());
    const before = membershipsIn(sandbox);
    const old = projectNamed(sandbox, "platform").id;
    sandbox.clearRequests();

    await stack.setProgram(program(sandbox.orgId, "platform-2"));
    await succeeded(stack.up());
    const made = projectNamed(sandbox, "platform-2").id;
    expect(deletions(sandbox)).toEqual([`/groups/${old}`]);
    expect(membershipsIn(sandbox)).toEqual(before);
    expect(membershipsIn(sandbox, made).invited).toEqual({ [bob]: reader });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 3 });
  });
});
