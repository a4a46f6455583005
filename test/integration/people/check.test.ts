/**
 * Check of ProjectMember and ProjectMembers: reports every fault of a program at once, before
 * anything is sent.
 */

import { membersOf, paymentsId } from "../../engine/support/people-program";
import { bothProviders, messagesOf, timesPrinted, writes } from "../../engine/support/project-program";
import { succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";
import { ada } from "../../support/people";

afterEach(tearDownStacks);

const seed = { projects: [{ name: "payments" }] };

describe.each(bothProviders)("a role that is not known to this version (%s)", (provider) => {
  it("is sent as it is, with one warning for all members", async () => {
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed },
      program: (service) => {
        const person = (username: string) => ({
          type: "ProjectMember",
          properties: { projectId: paymentsId(service), username, roles: ["GROUP_GARDENER"] },
        });
        return { resources: { ada: person(ada), grace: person("grace@example.com") } };
      },
    });
    const up = await stack.up({ parallel: 1 });
    expect(timesPrinted(up, 'Role "GROUP_GARDENER" is not a project role that this version knows')).toBe(1);
    // Ops Manager rejects the role too, and its response decides.
    expect(up.exitCode).not.toBe(0);
    expect(messagesOf(up, "error")).toMatch(
      /Inviting .*@example.com .* failed: 400 INVALID_ENUM_VALUE.*This version of the service has no role of that name/,
    );
    expect(writes(sandbox)[0]).toMatchObject({ body: { roles: ["GROUP_GARDENER"] } });
    expect(await stack.resource("ada")).toBeUndefined();
  });
});

describe.each(bothProviders)("values that are unknown before the first up (%s)", (provider) => {
  const origin = (service: { orgId: string }) => ({
    type: "Project",
    properties: { orgId: service.orgId, name: "origin", tags: ["GROUP_OWNER"] },
  });
  const people = (type: string, properties: object) => ({
    type,
    properties: { projectId: "${origin.projectId}", ...properties },
  });

  it("are sent once they are known", async () => {
    const { sandbox, stack } = await setUpStack({
      provider,
      program: (service) => ({
        resources: {
          origin: origin(service),
          people: people("ProjectMembers", {
            members: { [ada]: "${origin.tags}", "owner@example.com": ["GROUP_OWNER"] },
          }),
        },
      }),
    });
    await succeeded(stack.up());
    expect(sandbox.state.invitations).toMatchObject([{ username: ada, roles: ["GROUP_OWNER"] }]);
    expect((await succeeded(stack.up())).changes).toEqual({ same: 2 });
    expect(membersOf(sandbox, sandbox.state.projects[0]?.id)).toEqual({
      "owner@example.com": ["GROUP_OWNER"],
    });
  });
});
