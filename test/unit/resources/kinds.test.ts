import { resourceNamed } from "../../../provider/resources";
import { resources } from "../../../provider/resources/all";
import { resourceKinds } from "../../../provider/resources/kinds";

test("each kind is found by its name, and another name is an error", () => {
  expect(resources.map(({ name }) => name)).toEqual(resourceKinds);
  for (const kind of resourceKinds) expect(resourceNamed(kind).name).toBe(kind);
  expect(() => resourceNamed("Cluster")).toThrow(
    "This version of pulumi-opsmanager has no resource Cluster.",
  );
});

const [projectId, orgId, name, username] = ["p1", "o1", "payments", "ada"];

test.each([
  { kind: "Project", inputs: { projectId, orgId, name }, called: "p1" },
  { kind: "Project", inputs: { orgId, name }, called: '"payments" in o1' },
  { kind: "ProjectMember", inputs: { projectId, username, userId: "u1" }, called: "p1/ada" },
  { kind: "ProjectMember", inputs: { projectId, userId: "u1", invitationId: "i1" }, called: "p1/u1" },
  { kind: "ProjectMember", inputs: { projectId, invitationId: "i1" }, called: "p1/i1" },
  { kind: "Team", inputs: { orgId, teamId: "t1", name }, called: "o1/t1" },
  { kind: "Team", inputs: { orgId, name }, called: '"payments" in o1' },
  { kind: "ApiKey", inputs: { orgId, description: "ci" }, called: '"ci" in o1' },
  { kind: "OrganizationMember", inputs: { orgId, username }, called: "o1/ada" },
])("the inputs of $kind $inputs are called $called", ({ kind, inputs, called }) => {
  expect(resourceNamed(kind).subject(inputs)).toBe(called);
});
