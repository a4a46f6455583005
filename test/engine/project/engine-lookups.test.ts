/** Lookups through the engine; what they return: test/integration/functions. */
import { succeeded } from "../../support";
import { bothProviders, pathOf, projectNamed } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

describe.each(bothProviders)("lookups of projects (%s)", (provider) => {
  it("keep arguments that are secret out of the state, and are made in the real run alone if arguments are not known yet", async () => {
    const hidden = (value: unknown) => ({ "fn::secret": value });
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed: { projects: [{ name: "payments", tags: ["SECRETIVE"] }] } },
      program: (service) => ({
        resources: { orders: { type: "Project", properties: { orgId: service.orgId, name: "orders" } } },
        lookups: {
          byOrganization: { function: "getProjects", arguments: { orgId: hidden(service.orgId) } },
          byTags: { function: "getProjects", arguments: { tags: [hidden("SECRETIVE")] } },
          people: { function: "getProjectMembers", arguments: { projectId: "${orders.projectId}" } },
        },
        outputs: { byOrganization: "${byOrganization}", byTags: "${byTags}", people: "${people.members}" },
      }),
    });
    await succeeded(stack.preview());
    const usersPaths = () => sandbox.requests.map(pathOf).filter((path) => path.endsWith("users"));
    expect(usersPaths()).toEqual([]);
    await succeeded(stack.up());
    expect(usersPaths()).toEqual([`/groups/${projectNamed(sandbox, "orders").id}/users`]);
    const { people, ...secrets } = await stack.outputs();
    expect(people).toEqual([expect.objectContaining({ username: "owner@example.com", status: "active" })]);
    const encrypted = expect.objectContaining({ ciphertext: expect.any(String) });
    expect(secrets).toEqual({ byOrganization: encrypted, byTags: encrypted });
    const inState = async (showSecrets: boolean) =>
      JSON.stringify(await stack.state({ showSecrets })).includes("SECRETIVE");
    expect([await inState(false), await inState(true)]).toEqual([false, true]);
  });
});
