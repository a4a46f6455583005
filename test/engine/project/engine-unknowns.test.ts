import { succeeded, unknown } from "../../support";
import { differences } from "../support/differences";
import { bothProviders, messagesOf, projectNamed, projectsProgram, writes } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

/** Every property of `dependent` takes something from a project that is made in the same run. */
describe.each(bothProviders)("values that are unknown before the run (%s)", (provider) => {
  it("previews a project with unknown values as a create, and as one update if it exists, and the real run gets them right", async () => {
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { ldap: true },
      program: ({ orgId }) =>
        projectsProgram({
          platform: { properties: { orgId, name: "platform", tags: ["PROD"] } },
          adopted: { properties: { projectId: "${platform.projectId}" } },
          dependent: {
            properties: {
              orgId: "${adopted.orgId}",
              name: "tools-of-${platform.projectId}",
              tags: ["ZONE-1", "OF-${platform.projectId}", "${adopted.tags[0]}"],
              ldapGroupMappings: [
                { roleName: "GROUP_OWNER", ldapGroups: ["cn=${platform.projectId}", "cn=audit"] },
              ],
            },
          },
        }),
    });
    const preview = await succeeded(stack.preview());
    expect(preview.changes).toEqual({ create: 3 });
    expect(sandbox.state.projects).toEqual([]);
    expect(writes(sandbox)).toEqual([]);
    const inputs = preview.steps.find(({ name }) => name === "dependent")?.new?.inputs;
    expect(inputs).toMatchObject({ orgId: unknown, name: unknown });
    expect(inputs?.tags).toEqual(["ZONE-1", unknown, unknown]);
    expect(messagesOf(preview, "warning")).toContain(
      differences[provider].previewText("not known yet, so this preview checked only the others"),
    );

    expect((await succeeded(stack.up())).changes).toEqual({ create: 3 });
    const { id } = projectNamed(sandbox, "platform");
    expect(projectNamed(sandbox, `tools-of-${id}`)).toMatchObject({
      orgId: sandbox.orgId,
      tags: [`OF-${id}`, "PROD", "ZONE-1"],
      ldapGroupMappings: [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=audit", `cn=${id}`].sort() }],
    });
    // Trap 14: sets with once unknown entries are in their one order now.
    expect((await succeeded(stack.up({ expectNoChanges: true }))).changes).toEqual({ same: 3 });
    expect(await stack.resource("adopted")).toMatchObject({ id, outputs: { origin: "adopted" } });

    const { orgId } = sandbox;
    await stack.setProgram(
      projectsProgram({
        platform: { properties: { orgId, name: "platform", tags: ["PROD"] } },
        later: { properties: { orgId, name: "later" } },
        dependent: { properties: { orgId, name: `tools-of-${id}`, tags: ["OF-${later.projectId}", "PROD"] } },
      }),
    );
    expect((await succeeded(stack.preview())).changes).toEqual({ create: 1, update: 1, same: 1, delete: 1 });
    await succeeded(stack.up());
    const later = projectNamed(sandbox, "later").id;
    expect(projectNamed(sandbox, `tools-of-${id}`).tags).toEqual([`OF-${later}`, "PROD"]);
  });
});
