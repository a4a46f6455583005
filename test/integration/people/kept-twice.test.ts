/** Who is declared twice would be pulled back and forth: the later declaration fails, names both, and writes nothing. */

import { membershipsIn } from "../../engine/support/people-program";
import { errorsOf, messagesOf, projectNamed, writes } from "../../engine/support/project-program";
import { type Program, type ResourceOptions, succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";
import { ada, owners, readers } from "../../support/people";

afterEach(tearDownStacks);

const projectId = "5f00000000000000000000a1";
const seed = { users: [{ username: ada }], projects: [{ id: projectId, name: "payments" }] };

const person = (identity: object, options?: ResourceOptions) => ({
  type: "ProjectMember",
  properties: { projectId, roles: readers, ...identity },
  ...(options && { options }),
});
const allMembers = (members: object, options?: ResourceOptions) => ({
  type: "ProjectMembers",
  properties: { projectId, members },
  ...(options && { options }),
});
const afterFirst = { dependsOn: ["${first}"] };

/** The first one is made, the second one fails: what was written is what the first one needs. */
async function upWith(program: Program, provider: "plugin" | "dynamic" = "plugin") {
  const { sandbox, stack } = await setUpStack({
    provider,
    sandbox: { seed, bypassInvitations: true },
    program: () => program,
  });
  const up = await stack.up();
  expect(up.exitCode).not.toBe(0);
  expect(await stack.resource("first")).toBeDefined();
  expect(await stack.resource("second")).toBeUndefined();
  return { sandbox, stack, up };
}

describe("one person by two names (plugin)", () => {
  it.each(["username", "userId"])("is found by a read where the first one declares %s", async (by) => {
    const { sandbox, stack } = await setUpStack({
      sandbox: { seed, bypassInvitations: true },
      program: () => ({}),
    });
    const names = [{ username: ada }, { userId: sandbox.user({ username: ada })?.id }];
    const [first = {}, second = {}] = by === "username" ? names : names.toReversed();
    await stack.setProgram({
      resources: { first: person(first), second: person({ ...second, roles: owners }, afterFirst) },
    });
    const errors = await errorsOf(stack.up());
    expect(errors).toMatch(/ in project \S+ is already declared by urn:\S+::first/);
    expect(errors).toContain("Remove one of them from the program");
    expect(membershipsIn(sandbox).members).toEqual({ [ada]: readers });
    expect(await stack.resource("second")).toBeUndefined();

    expect(await errorsOf(stack.preview())).toMatch(/is already declared by urn:\S+::first/);
    await stack.setProgram({ resources: { first: person(first) } });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });

  it("does not go, when one of two imported ones leaves the program", async () => {
    const { sandbox, stack } = await setUpStack({
      sandbox: { seed: { projects: [{ id: projectId, name: "payments", members: { [ada]: readers } }] } },
      program: () => ({}),
    });
    await succeeded(stack.import("opsmanager:index:ProjectMember", "first", `${projectId}/${ada}`));
    await succeeded(stack.import("opsmanager:index:ProjectMember", "second", `${projectId}/${ada}`));
    await stack.setProgram({ resources: { first: person({ username: ada }) } });
    const up = await succeeded(stack.up());
    expect(messagesOf(up)).toMatch(/was kept because urn:\S+::first/);
    expect(membershipsIn(sandbox).members).toEqual({ [ada]: readers });
  });
});

// The host of dynamic providers configures each type of resource separately.
it.each([
  ["after it", allMembers({ "bob@example.com": owners }), person({ username: ada }, afterFirst)],
  ["before it", person({ username: ada }), allMembers({ "bob@example.com": owners }, afterFirst)],
])("ProjectMember beside ProjectMembers is rejected, %s (dynamic)", async (_order, first, second) => {
  const { sandbox, up } = await upWith({ resources: { first, second } }, "dynamic");
  expect(messagesOf(up, "error")).toMatch(
    /both declare people of project .* Use one ProjectMembers, or only ProjectMember/,
  );
  expect(writes(sandbox)).toHaveLength(1);
});

it.each([
  { provider: "plugin", order: "one", named: /urn:\S+::(first|second) and urn:\S+::(first|second)/ },
  { provider: "plugin", order: "all", named: /urn:\S+::(first|second) and urn:\S+::(first|second)/ },
  // Without URNs, the dynamic provider names no resources.
  { provider: "dynamic", order: "one", named: /both declare people/ },
] as const)(
  "ProjectMember beside ProjectMembers of a project that the same run creates is rejected by the up, not by the preview ($order first, $provider)",
  async ({ provider, order, named }) => {
    const made = { projectId: "${payments.projectId}" };
    const one = { type: "ProjectMember", properties: { ...made, username: ada, roles: readers } };
    const all = { type: "ProjectMembers", properties: { ...made, members: { "bob@example.com": owners } } };
    const [first, second] = order === "one" ? [one, all] : [all, one];
    const { sandbox, stack } = await setUpStack({
      provider,
      program: ({ orgId }) => ({
        resources: {
          payments: { type: "Project", properties: { orgId, name: "payments" } },
          first,
          second: { ...second, options: afterFirst },
        },
      }),
    });
    expect((await succeeded(stack.preview())).changes).toEqual({ create: 3 });
    const errors = await errorsOf(stack.up());
    const { id } = projectNamed(sandbox, "payments");
    expect(errors).toContain(`both declare people of project ${id}`);
    expect(errors).toMatch(named);
    expect(Object.keys(membershipsIn(sandbox, id).invited)).toEqual([
      order === "one" ? ada : "bob@example.com",
    ]);
    expect(await stack.resource("second")).toBeUndefined();
  },
);

// That they are not distinguished is a known difference (providers/reports).
describe("two resources without URNs (dynamic)", () => {
  it("two ProjectMember of one person count as one, and the person stays when one of them goes", async () => {
    const { sandbox, stack } = await setUpStack({
      provider: "dynamic",
      sandbox: { seed, bypassInvitations: true },
      program: () => ({
        resources: { first: person({ username: ada }), second: person({ username: ada }, afterFirst) },
      }),
    });
    await succeeded(stack.up());
    await stack.setProgram({ resources: { first: person({ username: ada }) } });
    const up = await succeeded(stack.up());
    expect(up.changes).toEqual({ same: 1, delete: 1 });
    expect(messagesOf(up)).toContain(`${ada} in project ${projectId} was kept because`);
    expect(membershipsIn(sandbox).members).toEqual({ [ada]: readers });
  });
});
