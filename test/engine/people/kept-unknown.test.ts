/** Design, "Identity": an unknown project or person is an update, never a replacement that would remove people first. */
import type { Sandbox } from "../../../sandbox";
import { type ProviderKind, succeeded } from "../../support";
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

const members = { ...present, [bob]: readers };
const member = { username: bob, roles: readers };

/** By the name of the resource and of its project: the property that the preview does not know, and where its difference is. */
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

type Case = keyof typeof cases;
const names = Object.keys(cases) as Case[];
const byName = <Value>(value: (name: Case) => Value) =>
  Object.fromEntries(names.map((name) => [name, value(name)]));

/** A program of all cases. These names have their unknown value. */
function programOf(sandbox: Sandbox, unknowns: readonly Case[]) {
  return byName((name) => {
    const { type, known, unknown } = cases[name];
    const { id: projectId } = projectNamed(sandbox, name);
    return {
      type,
      properties: { projectId, ...known, ...(unknowns.includes(name) && unknown(projectId)) },
    };
  });
}

/** A preview of each unknown value, then an `up` with all of them. */
async function previewEachThenUp() {
  const { sandbox, stack } = await setUpStack({
    sandbox: {
      seed: { users: seed.users, projects: names.map((name) => ({ name, members: present })) },
    },
    program: (service) => ({ resources: programOf(service, []) }),
  });
  const read = async () => ({
    people: byName((name) => membershipsIn(sandbox, projectNamed(sandbox, name).id)),
    ids: await Promise.all(names.map(async (name) => (await stack.resource(name))?.id)),
  });
  const declare = (...unknowns: Case[]) =>
    stack.setProgram({ resources: { orders: orders(sandbox.orgId), ...programOf(sandbox, unknowns) } });
  const run = async (command: "preview" | "up") => {
    sandbox.clearRequests();
    return { run: await succeeded(stack[command]()), writes: writes(sandbox) };
  };
  await succeeded(stack.up());
  const before = await read();
  const previews: Partial<Record<Case, Awaited<ReturnType<typeof run>>>> = {};
  for (const name of names) {
    await declare(name);
    previews[name] = await run("preview");
  }
  await declare(...names);
  return { before, previews, up: await run("up"), after: await read() };
}

describe("a value that is known only in the real run, and is the recorded one then (plugin)", () => {
  let story: Awaited<ReturnType<typeof previewEachThenUp>>;
  beforeAll(async () => {
    story = await previewEachThenUp();
  });

  it.each(names)("%s: the preview shows an unknown value as an update, and warns of it", (name) => {
    const preview = story.previews[name];
    if (preview === undefined) throw new Error(`There is no preview of ${name}.`);
    const { run, writes } = preview;
    expect(operations(run)).toEqual({ orders: "create", ...byName(() => "same"), [name]: "update" });
    expect(run.steps.filter(({ op }) => /replace|delete/.test(op))).toEqual([]);
    expect(Object.keys(changedPaths(run, name))[0]).toContain(cases[name].path);
    expect(messagesOf(run, "warning")).toContain("not known yet, so this preview checked only the others");
    expect(writes).toEqual([]);
  });

  it("the real run changes nothing where an unknown value is the recorded one", () => {
    const { before, up, after } = story;
    expect(operations(up.run)).toEqual({ orders: "create", ...byName(() => "same") });
    expect(up.writes.map(({ method, path }) => [method, path])).toEqual([["POST", "/groups"]]);
    expect(after).toEqual(before);
  });
});

/** A ProjectMember and a ProjectMembers move to projects that the same run creates: a preview, then an `up`. */
async function moveToNewProjects(provider: ProviderKind) {
  const tools = { id: toolsId, name: "tools", members: present };
  const program = (projectOfAda: string, projectOfAll: string) => ({
    ada: { type: "ProjectMember", properties: { projectId: projectOfAda, username: ada, roles: readers } },
    people: { type: "ProjectMembers", properties: { projectId: projectOfAll, members } },
  });
  const { sandbox, stack } = await setUpStack({
    provider,
    sandbox: {
      seed: { users: seed.users, projects: [...seed.projects, tools] },
      bypassInvitations: true,
    },
    program: () => ({ resources: program(projectId, toolsId) }),
  });
  const { orgId } = sandbox;
  const peopleHere = () => [membershipsIn(sandbox, projectId), membershipsIn(sandbox, toolsId)];
  const run = async (command: "preview" | "up") => {
    sandbox.clearRequests();
    const run = await succeeded(stack[command]());
    return { run, writes: writes(sandbox), deletions: deletions(sandbox), peopleHere: peopleHere() };
  };
  await succeeded(stack.up());
  const before = peopleHere();
  const docs = { type: "Project", properties: { orgId, name: "docs" } };
  await stack.setProgram({
    resources: { orders: orders(orgId), docs, ...program("${orders.projectId}", "${docs.projectId}") },
  });
  const [preview, up] = [await run("preview"), await run("up")];
  const there = projectNamed(sandbox, "orders").id;
  const people = {
    orders: membershipsIn(sandbox, there),
    docs: membershipsIn(sandbox, projectNamed(sandbox, "docs").id),
  };
  return { before, preview, up, there, people, userId: sandbox.user({ username: ada })?.id };
}

describe.each(bothProviders)("people of a project that is created in the same run (%s)", (provider) => {
  let story: Awaited<ReturnType<typeof moveToNewProjects>>;
  beforeAll(async () => {
    story = await moveToNewProjects(provider);
  });

  it("the preview of people whose project is created in the same run shows an update and changes nothing", () => {
    const { before, preview } = story;
    const created = { orders: "create", docs: "create" };
    expect(operations(preview.run)).toEqual({ ...created, ada: "update", people: "update" });
    expect([preview.peopleHere, preview.writes]).toEqual([before, []]);
  });

  it("a ProjectMember is added to the created project before it is removed from the former one", () => {
    const { up, there, people, userId } = story;
    const ofTheMember = up.writes.filter(
      ({ path, body }) =>
        path.includes(there) ||
        path.includes(projectId) ||
        JSON.stringify(body ?? "").includes('"name":"orders"'),
    );
    expect(ofTheMember.map(({ method, path }) => [method, path])).toEqual([
      ["POST", "/groups"],
      ["POST", `/groups/${there}/users`],
      ["DELETE", `/groups/${projectId}/users/${userId}`],
    ]);
    expect(people.orders.members).toMatchObject({ [ada]: readers });
  });

  it("a ProjectMembers without onDestroy removes no one from the former project", () => {
    const { before, up, people } = story;
    expect(messagesOf(up.run)).toContain(`The people of project ${toolsId} were released`);
    expect(up.deletions).toHaveLength(1);
    expect(up.peopleHere[1]).toEqual(before[1]);
    expect({ ...people.docs.members, ...people.docs.invited }).toEqual(members);
  });
});

describe.each(bothProviders)("a project that is created in the same run (%s)", (provider) => {
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
          properties: { projectId, username: ada, roles: readers },
          options: { dependsOn: ["${platform}"] },
        },
        team: {
          type: "ProjectMember",
          properties: { projectId: "${platform.projectId}", username: bob, roles: readers },
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
    expect(membershipsIn(sandbox, made).invited).toEqual({ [bob]: readers });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 3 });
  });
});
