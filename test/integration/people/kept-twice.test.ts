/** Who is declared twice would be pulled back and forth: the later declaration fails, names both, and writes nothing. */
import { membershipsIn } from "../../engine/support/people-program";
import { errorsOf, messagesOf, projectNamed, writes } from "../../engine/support/project-program";
import { succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import {
  ada,
  allMembers,
  bob,
  owners,
  peopleWith,
  person,
  projectId,
  readers,
  setUpPayments,
} from "./payments";

afterEach(tearDownStacks);

const atOnce = { sandbox: { bypassInvitations: true }, accounts: [ada] };
const afterFirst = { dependsOn: ["${first}"] };

describe("one person by two names (plugin)", () => {
  it.each(["username", "userId"])("is found by a read where the first one declares %s", async (by) => {
    const { sandbox, stack, userId, upWith, previewWith } = await setUpPayments(atOnce);
    const names = [{ username: ada }, { userId: userId(ada) }];
    const [first = {}, second = {}] = by === "username" ? names : names.toReversed();
    const both = { first: person(first), second: person({ ...second, roles: owners }, afterFirst) };
    const errors = await errorsOf(upWith(both));
    expect(errors).toMatch(/ in project \S+ is already declared by urn:\S+::first/);
    expect(errors).toContain("Remove one of them from the program");
    expect(membershipsIn(sandbox)).toEqual(peopleWith({ [ada]: readers }));
    expect(await stack.resource("second")).toBeUndefined();
    expect(await errorsOf(previewWith(both))).toMatch(/is already declared by urn:\S+::first/);
    expect((await succeeded(upWith({ first: person(first) }))).changes).toEqual({ same: 1 });
  });

  it("does not go, when one of two imported ones leaves the program", async () => {
    const { sandbox, stack, upWith } = await setUpPayments({ members: { [ada]: readers } });
    for (const name of ["first", "second"])
      await succeeded(stack.import("ProjectMember", name, `${projectId}/${ada}`));
    const up = await succeeded(upWith({ first: person({ username: ada }) }));
    expect(messagesOf(up)).toMatch(/was kept because urn:\S+::first/);
    expect(membershipsIn(sandbox)).toEqual(peopleWith({ [ada]: readers }));
  });
});

// That they are not distinguished is a known difference (providers/reports).
it("two ProjectMember of one person without URNs count as one, and the person stays when one of them goes (dynamic)", async () => {
  const { sandbox, upWith } = await setUpPayments({ ...atOnce, provider: "dynamic" });
  const first = person({ username: ada });
  await succeeded(upWith({ first, second: person({ username: ada }, afterFirst) }));
  const up = await succeeded(upWith({ first }));
  expect(up.changes).toEqual({ same: 1, delete: 1 });
  expect(messagesOf(up)).toContain(`${ada} in project ${projectId} was kept because`);
  expect(membershipsIn(sandbox)).toEqual(peopleWith({ [ada]: readers }));
});

const twoUrns = /urn:\S+::(first|second) and urn:\S+::(first|second)/;
// Without URNs, the dynamic provider names no resources.
const noUrns = /Use one ProjectMembers, or only ProjectMember/;

// Of a project that is known before: `test/unit/resources/inputs`.
it.each([
  { provider: "plugin", first: "one", isNew: true, named: twoUrns },
  { provider: "plugin", first: "all", isNew: true, named: twoUrns },
  { provider: "dynamic", first: "one", isNew: true, named: noUrns },
  { provider: "dynamic", first: "all", isNew: false, named: noUrns },
] as const)(
  "ProjectMember beside ProjectMembers is rejected by the up, also in a project that the same run creates ($first first, $provider, new: $isNew)",
  async ({ provider, first, isNew, named }) => {
    const { sandbox, stack, upWith, previewWith } = await setUpPayments({ provider });
    const of = { projectId: isNew ? "${orders.projectId}" : projectId };
    const orders = { type: "Project", properties: { orgId: sandbox.orgId, name: "orders" } };
    const one = (options = {}) => person({ ...of, username: ada }, options);
    const all = (options = {}) => allMembers({}, { ...of, members: { [bob]: owners } }, options);
    const program = {
      ...(isNew && { orders }),
      first: first === "one" ? one() : all(),
      second: first === "one" ? all(afterFirst) : one(afterFirst),
    };
    if (isNew) expect((await succeeded(previewWith(program))).changes).toEqual({ create: 3 });
    const errors = await errorsOf(upWith(program));
    const { id } = projectNamed(sandbox, isNew ? "orders" : "payments");
    expect(errors).toContain(`both declare people of project ${id}`);
    expect(errors).toMatch(named);
    expect(Object.keys(membershipsIn(sandbox, id).invited)).toEqual([first === "one" ? ada : bob]);
    expect(writes(sandbox)).toHaveLength(isNew ? 2 : 1);
    expect(await stack.resource("second")).toBeUndefined();
  },
);
