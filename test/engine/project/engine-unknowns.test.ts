/**
 * Values that are unknown before the run. Design, "Identity": an unknown project or person is an update, never a replacement that would
 * remove people first.
 */
import type { Sandbox } from "../../../sandbox";
import { succeeded, unknown } from "../../support";
import { ada, bob, owners, readers } from "../../support/people";
import { differences } from "../support/differences";
import { deletions, membershipsIn } from "../support/people-program";
import {
  bothProviders,
  changedPaths,
  messagesOf,
  operations,
  projectNamed,
  projectsProgram,
  writes,
} from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const notKnown = "not known yet, so this preview checked only the others";
const projectId = "5f00000000000000000000a1";
const present = { "owner@example.com": owners, [ada]: readers };
const users = [{ username: ada }, { username: "owner@example.com" }];

/** Every property of `dependent` takes something from a project that is made in the same run. */
it.each(bothProviders)(
  "a project with unknown values is a create in the preview, one update that leaves the others alone once it exists, and the real run gets them right (%s)",
  async (provider) => {
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { ldap: true },
      program: ({ orgId }) =>
        projectsProgram({
          platform: { properties: { orgId, name: "platform", tags: ["PROD"] } },
          adopted: { properties: { projectId: "${platform.projectId}" } },
          dependent: {
            properties: {
              orgId: "${adopted.orgId}",
              name: "tools-of-${platform.projectId}",
              tags: ["ZONE-1", "OF-${platform.projectId}", "${adopted.tags[0]}"],
              ldapGroupMappings: [
                { roleName: "GROUP_OWNER", ldapGroups: ["cn=${platform.projectId}", "cn=audit"] },
              ],
            },
          },
        }),
    });
    const preview = await succeeded(stack.preview());
    expect(preview.changes).toEqual({ create: 3 });
    expect(sandbox.state.projects).toEqual([]);
    const inputs = preview.steps.find(({ name }) => name === "dependent")?.new?.inputs;
    expect(inputs).toMatchObject({ orgId: unknown, name: unknown });
    expect(inputs?.tags).toEqual(["ZONE-1", unknown, unknown]);
    expect(messagesOf(preview, "warning")).toContain(differences[provider].previewText(notKnown));

    expect((await succeeded(stack.up())).changes).toEqual({ create: 3 });
    const { id } = projectNamed(sandbox, "platform");
    expect(projectNamed(sandbox, `tools-of-${id}`)).toMatchObject({
      orgId: sandbox.orgId,
      tags: [`OF-${id}`, "PROD", "ZONE-1"],
      ldapGroupMappings: [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=audit", `cn=${id}`].sort() }],
    });
    // Trap 14: sets with once unknown entries are in their one order now.
    expect((await succeeded(stack.up({ expectNoChanges: true }))).changes).toEqual({ same: 3 });
    expect(await stack.resource("adopted")).toMatchObject({ id, outputs: { origin: "adopted" } });

    const { orgId } = sandbox;
    const tags = ["OF-${later.projectId}", "PROD"];
    await stack.setProgram(
      projectsProgram({
        platform: { properties: { orgId, name: "platform", tags: ["EU"] } },
        adopted: { properties: { projectId: "${platform.projectId}" } },
        later: { properties: { orgId, name: "later" } },
        dependent: { properties: { orgId: "${platform.orgId}", name: `tools-of-${id}`, tags } },
      }),
    );
    const steps = { platform: "update", adopted: "same", later: "create", dependent: "update" };
    expect(operations(await succeeded(stack.preview()))).toEqual(steps);
    await succeeded(stack.up());
    const later = projectNamed(sandbox, "later").id;
    expect(projectNamed(sandbox, `tools-of-${id}`).tags).toEqual([`OF-${later}`, "PROD"]);
    await succeeded(stack.destroy({ runProgram: true }));
    expect(sandbox.state.projects).toEqual([]);
  },
);

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
  expect(messagesOf(preview, "warning")).toContain(notKnown);
  expect(writes(sandbox)).toEqual([]);

  const up = await succeeded(stack.up());
  expect(operations(up)).toEqual({ orders: "create", ...byName(() => "same") });
  expect(writes(sandbox).map(({ method, path }) => [method, path])).toEqual([["POST", "/groups"]]);
  expect(await read()).toEqual(before);
});

// Trap 5: in a real update the engine requests the differences of dependents while the values are unknown.
it.each(bothProviders)(
  "a project that is deleted before it is replaced takes nothing with it that only depends on it, and a person moves to one that the run creates (%s)",
  async (provider) => {
    const program = (orgId: string, name: string, projectOfBob: string) => ({
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
        moved: {
          type: "ProjectMember",
          properties: { projectId: projectOfBob, username: bob, roles: readers },
        },
      },
    });
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed: { users, projects: [{ id: projectId, name: "payments", members: present }] } },
      program: ({ orgId }) => program(orgId, "platform", projectId),
    });
    await succeeded(stack.up());
    const before = membershipsIn(sandbox);
    const old = projectNamed(sandbox, "platform").id;
    const kept = projectNamed(sandbox, "dependent").id;
    const { resources } = program(sandbox.orgId, "platform-2", "${orders.projectId}");
    const orders = { type: "Project", properties: { orgId: sandbox.orgId, name: "orders" } };
    await stack.setProgram({ resources: { orders, ...resources } });
    expect(operations(await succeeded(stack.preview()))).toMatchObject({ moved: "update" });
    expect(membershipsIn(sandbox)).toEqual(before);
    sandbox.clearRequests();

    await succeeded(stack.up());
    const [invitation] = [...deletions(sandbox)].filter((path) => path.includes("/invites/"));
    expect(deletions(sandbox).sort()).toEqual([`/groups/${old}`, invitation].sort());
    expect(membershipsIn(sandbox)).toEqual({ ...before, invited: {} });
    for (const name of ["platform-2", "orders"])
      expect(membershipsIn(sandbox, projectNamed(sandbox, name).id).invited).toEqual({ [bob]: readers });
    expect(projectNamed(sandbox, "dependent")).toMatchObject({ id: kept, tags: ["OF-platform-2"] });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 6 });
  },
);
