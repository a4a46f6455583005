/** Programs of the dynamic provider under `pulumi.runtime.setMocks`, with a service and keys that they must not use. */
import * as pulumi from "@pulumi/pulumi";
import * as opsmanager from "../../../provider/dynamic";
import { type Sandbox, startSandbox } from "../../../sandbox";

const projectId = "5f0000000000000000000001";
const members = [{ username: "ada@example.com", roles: ["GROUP_OWNER"] }];

let sandbox: Sandbox;
let calls: pulumi.runtime.MockCallArgs[];
beforeAll(async () => {
  sandbox = await startSandbox();
  process.env.OPSMANAGER_BASE_URL = sandbox.baseUrl;
  process.env.OPSMANAGER_PUBLIC_KEY = sandbox.publicKey;
  process.env.OPSMANAGER_PRIVATE_KEY = sandbox.privateKey;
});
afterAll(async () => {
  for (const name of ["BASE_URL", "PUBLIC_KEY", "PRIVATE_KEY"]) delete process.env[`OPSMANAGER_${name}`];
  await sandbox.close();
});
beforeEach(() => {
  calls = [];
});

function setMocks(state: Record<string, unknown> = {}): Promise<void> {
  return pulumi.runtime.setMocks({
    newResource: ({ inputs }) => ({ id: "mocked-id", state: { ...inputs, ...state } }),
    call: (call) => {
      calls.push(call);
      return { members };
    },
  });
}

const value = <T>(output: pulumi.Output<T>): Promise<T> =>
  new Promise((resolve) => {
    output.apply(resolve);
  });

it("under mocks, functions get the result of the mocks' call, and no request is sent", async () => {
  await setMocks();
  expect((await opsmanager.getProjectMembers({ projectId })).members).toEqual(members);
  const project = new opsmanager.Project("payments", { orgId: projectId, name: "payments" });
  const later = opsmanager.getProjectMembersOutput({ projectId: project.projectId });
  expect((await value(later)).members).toEqual(members);
  expect(calls).toMatchObject([
    { token: "opsmanager:index:getProjectMembers", inputs: { projectId } },
    { token: "opsmanager:index:getProjectMembers", inputs: { projectId: "mocked-id" } },
  ]);
  expect(sandbox.requests).toEqual([]);
});

it("under mocks, Project.projectId is that of the mocked state, or else the mocked id", async () => {
  await setMocks({ projectId });
  const stated = new opsmanager.Project("payments", { orgId: projectId, name: "payments" });
  expect(await value(stated.projectId)).toBe(projectId);
  await setMocks();
  const unstated = new opsmanager.Project("refunds", { orgId: projectId, name: "refunds" });
  expect(await value(unstated.projectId)).toBe("mocked-id");
});

// Each class inherited `isInstance` from the SDK's CustomResource, which is true of every resource.
it("isInstance of a class recognizes its own resources and no others", async () => {
  await setMocks();
  const project = new opsmanager.Project("payments", { orgId: projectId, name: "payments" });
  const values = [project, opsmanager.Project.get("other", projectId), undefined, "text"];
  expect(values.map((value) => opsmanager.Project.isInstance(value))).toEqual([true, true, false, false]);
  expect(opsmanager.Team.isInstance(project)).toBe(false);
});
