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
