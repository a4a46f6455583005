import { expect, it } from "@jest/globals";
import * as opsmanager from "pulumi-opsmanager";
import * as dynamic from "pulumi-opsmanager/dynamic";
import { declared, mockedMembers, mockedProjectId, orgId, resolved } from "../declared-resources";
import { projectId } from "../index";

it("the program declares a project with its tags", async () => {
  expect(await resolved(projectId)).toBe(mockedProjectId);
  const project = declared.find(({ type }) => type === "opsmanager:index:Project");
  expect(project?.inputs).toEqual({ orgId, name: "payments", tags: ["PROD", "TEAM_PAYMENTS"] });
});

it("resources and functions of the dynamic provider have mocks too", async () => {
  const refunds = new dynamic.Project("refunds", { orgId, name: "refunds" });
  expect(await resolved(refunds.projectId)).toBe(mockedProjectId);
  const project = declared.find(({ name }) => name === "refunds");
  expect(project?.type).toBe("pulumi-nodejs:dynamic/opsmanager:Project");
  for (const { getProjectMembers } of [opsmanager, dynamic])
    expect((await getProjectMembers({ projectId: mockedProjectId })).members).toEqual(mockedMembers);
});
