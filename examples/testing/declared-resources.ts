import * as pulumi from "@pulumi/pulumi";

/** What the program has declared so far. Import this module before the program, because it sets the mocks. */
export const declared: pulumi.runtime.MockResourceArgs[] = [];
export const orgId = "5f0000000000000000000001";
export const mockedProjectId = "5f0000000000000000000002";
export const mockedMembers = [{ username: "ada@example.com", roles: ["GROUP_OWNER"] }];

pulumi.runtime.setMocks(
  {
    newResource: (resource) => {
      declared.push(resource);
      return { id: mockedProjectId, state: { ...resource.inputs, projectId: mockedProjectId } };
    },
    call: ({ token }) => {
      if (token === "opsmanager:index:getProjectMembers") return { members: mockedMembers };
      throw new Error(`There is no mock of ${token}.`);
    },
  },
  "testing", // The name in Pulumi.yaml.
);
pulumi.runtime.setConfig("testing:orgId", orgId);

export function resolved<T>(output: pulumi.Output<T>): Promise<T> {
  return new Promise((resolve) => {
    output.apply(resolve);
  });
}
