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
  { kind: "Project", inputs: { projectId: "p1", orgId: "o1", name: "payments" }, called: "p1" },
  { kind: "Project", inputs: { orgId: "o1", name: "payments" }, called: '"payments" in o1' },
  { kind: "ProjectMember", inputs: { projectId: "p1", username: "ada", userId: "u1" }, called: "p1/ada" },
  { kind: "ProjectMember", inputs: { projectId: "p1", userId: "u1", invitationId: "i1" }, called: "p1/u1" },
  { kind: "ProjectMember", inputs: { projectId: "p1", invitationId: "i1" }, called: "p1/i1" },
  { kind: "ProjectMembers", inputs: { projectId: "p1" }, called: "p1" },
  { kind: "ProjectTeam", inputs: { projectId: "p1" }, called: "p1" },
  { kind: "Team", inputs: { orgId: "o1", teamId: "t1", name: "operators" }, called: "o1/t1" },
  { kind: "Team", inputs: { orgId: "o1", name: "operators" }, called: '"operators" in o1' },
  { kind: "AgentApiKey", inputs: { projectId: "p1" }, called: "p1" },
  { kind: "ApiKey", inputs: { orgId: "o1", description: "ci" }, called: '"ci" in o1' },
  { kind: "ProjectApiKey", inputs: { projectId: "p1" }, called: "p1" },
  { kind: "OrganizationMember", inputs: { orgId: "o1", username: "ada" }, called: "o1/ada" },
])("the inputs of $kind $inputs are called $called", ({ kind, inputs, called }) => {
  expect(resourceNamed(kind).subject(inputs)).toBe(called);
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
