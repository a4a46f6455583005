import { resourceNamed, resources } from "../../../provider/resources";
import { resourceKinds } from "../../../provider/resources/kinds";

test("each kind is found by its name, and another name is an error", () => {
  expect(resources.map(({ name }) => name)).toEqual(resourceKinds);
  for (const kind of resourceKinds) expect(resourceNamed(kind).name).toBe(kind);
  expect(() => resourceNamed("Cluster")).toThrow(
    "This version of pulumi-opsmanager has no resource Cluster.",
  );
});

test.each([
  ["Project", { projectId: "p1", orgId: "o1", name: "payments" }, "p1"],
  ["Project", { orgId: "o1", name: "payments" }, '"payments" in o1'],
  ["ProjectMember", { projectId: "p1", username: "ada", userId: "u1", invitationId: "i1" }, "p1/ada"],
  ["ProjectMember", { projectId: "p1", userId: "u1", invitationId: "i1" }, "p1/u1"],
  ["ProjectMember", { projectId: "p1", invitationId: "i1" }, "p1/i1"],
  ["ProjectMember", { projectId: "p1" }, "p1"],
  ["ProjectMembers", { projectId: "p1" }, "p1"],
  ["ProjectTeam", { projectId: "p1" }, "p1"],
  ["Team", { orgId: "o1", teamId: "t1", name: "operators" }, "o1/t1"],
  ["Team", { orgId: "o1", name: "operators" }, '"operators" in o1'],
  ["AgentApiKey", { projectId: "p1" }, "p1"],
  ["ApiKey", { orgId: "o1", description: "ci" }, '"ci" in o1'],
  ["ProjectApiKey", { projectId: "p1" }, "p1"],
  ["OrganizationMember", { orgId: "o1", username: "ada" }, "o1/ada"],
  ["OrganizationMember", { username: "ada" }, "ada"],
])("the inputs of %s %j are called %s", (kind, inputs, name) => {
  expect(resourceNamed(kind).subject(inputs)).toBe(name);
});

describe("what was deleted outside Pulumi is restored", () => {
  test.each(["ProjectMember", "ProjectMembers", "ProjectTeam", "ProjectApiKey", "OrganizationMember"])(
    "by an update: %s",
    (kind) => {
      expect(resourceNamed(kind).restoredBy({})).toBe("update");
    },
  );

  test.each([
    ["Project", "projectId"],
    ["Team", "orgId"],
    ["AgentApiKey", "projectId"],
    ["ApiKey", "orgId"],
  ])("by a replacement: %s, because of %s", (kind, property) => {
    expect(resourceNamed(kind).restoredBy({ origin: "created" })).toEqual({ replacing: property });
  });

  test("not at all, if it is a project that the stack did not create", () => {
    const adopted = { origin: "adopted", projectId: "p1", name: "payments" };
    expect(() => resourceNamed("Project").restoredBy(adopted)).toThrow(
      'Project p1 ("payments") was deleted, and this stack did not create it.',
    );
  });
});

test.each(["ProjectMember", "OrganizationMember"])("only a pending %s may change by itself", (kind) => {
  expect(resourceNamed(kind).changesByItself?.({ status: "pending" })).toBe(true);
  expect(resourceNamed(kind).changesByItself?.({ status: "active" })).toBe(false);
});

test("secret inputs are secret as often as they are repeated, and the names in a map are secret too", () => {
  const facts = resources.flatMap(({ name, repeats, maps }) =>
    repeats || maps ? [[name, { repeats, maps }] as const] : [],
  );
  expect(Object.fromEntries(facts)).toEqual({
    ProjectMembers: { repeats: { memberDetails: "members" }, maps: ["members"] },
    Team: { repeats: { people: "usernames" } },
    AgentApiKey: { maps: ["triggers"] },
    ApiKey: { maps: ["triggers"] },
  });
});

test("tags stay protected by ignoreTags during the update that removes it, and no other input lasts", () => {
  const lasting = resources.flatMap((resource) =>
    resource.lasting ? [[resource.name, resource.lasting]] : [],
  );
  expect(lasting).toEqual([["Project", ["ignoreTags"]]]);
});

test.each([
  ["Project", ["created", "adopted", "imported"]],
  ["ProjectMember", ["created", "adopted", "imported"]],
  ["ProjectMembers", ["created", "imported"]],
  ["Team", ["created", "adopted", "imported"]],
  ["ProjectTeam", ["created", "adopted", "imported"]],
  ["AgentApiKey", ["created", "imported"]],
  ["ApiKey", ["created", "imported"]],
  ["ProjectApiKey", ["created", "adopted", "imported"]],
  ["OrganizationMember", ["created", "adopted", "imported"]],
])("the outputs of %s record one of the origins %j", (kind, origins) => {
  const { origin } = resourceNamed(kind).outputs.shape;
  const isOne = (value: string) => origin?.safeParse(value).success;
  expect(["created", "adopted", "imported", ""].filter(isOne)).toEqual(origins);
});
