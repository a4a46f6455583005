import { succeeded, unknown } from "../../support";
import { differences } from "../support/differences";
import { bothProviders, messagesOf, projectNamed, projectsProgram, writes } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

/** Every property of `dependent` takes something from a project that is made in the same run. */
describe.each(bothProviders)("values that are unknown before the run (%s)", (provider) => {
  it("previews a project whose organization, name, tags and mappings are unknown, and the real run gets them right", async () => {
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
  });

  it("adds an unknown tag to an existing project as one update", async () => {
    const { sandbox, stack } = await setUpStack({
      provider,
      program: ({ orgId }) =>
        projectsProgram({ dependent: { properties: { orgId, name: "tools", tags: ["PROD"] } } }),
    });
    const { orgId } = sandbox;
    await succeeded(stack.up());
    await stack.setProgram(
      projectsProgram({
        platform: { properties: { orgId, name: "platform" } },
        dependent: { properties: { orgId, name: "tools", tags: ["PROD", "OF-${platform.projectId}"] } },
      }),
    );
    const preview = await succeeded(stack.preview());
    expect(preview.changes).toEqual({ create: 1, update: 1 });
    expect(writes(sandbox).length).toBe(2); // those of the first up
    await succeeded(stack.up());
    const { id } = projectNamed(sandbox, "platform");
    expect(projectNamed(sandbox, "tools").tags).toEqual([`OF-${id}`, "PROD"]);
  });
});

it("a projectId that is not known yet adopts the project in the real run, and previews as a create where there is nothing yet", async () => {
  const { sandbox, stack } = await setUpStack({
    program: ({ orgId }) =>
      projectsProgram({
        platform: { properties: { orgId, name: "platform" } },
        adopted: { properties: { projectId: "${platform.projectId}", tags: ["PROD"] } },
      }),
  });
  const preview = await succeeded(stack.preview());
  expect(preview.changes).toEqual({ create: 2 });
  expect(writes(sandbox)).toEqual([]);

  await succeeded(stack.up());
  const { id } = projectNamed(sandbox, "platform");
  expect(sandbox.project(id)?.tags).toEqual(["PROD"]);
  expect(await stack.resource("adopted")).toMatchObject({ id, outputs: { origin: "adopted" } });
  expect((await succeeded(stack.up({ expectNoChanges: true }))).changes).toEqual({ same: 2 });
});

// Trap 5: in a real update the engine requests the differences of dependents while the values are unknown.
it.each(bothProviders)(
  "does not replace a project because another one, on which it depends, is deleted before it is replaced (%s)",
  async (provider) => {
    const platform = (orgId: string, name: string) => ({
      properties: { orgId, name },
      options: { deleteBeforeReplace: true, replaceOnChanges: ["name"] },
    });
    const dependent = {
      properties: { orgId: "${platform.orgId}", name: "tools", tags: ["OF-${platform.name}"] },
    };
    const { sandbox, stack } = await setUpStack({
      provider,
      program: ({ orgId }) => projectsProgram({ platform: platform(orgId, "platform"), dependent }),
    });
    await succeeded(stack.up());
    const kept = projectNamed(sandbox, "tools");
    const old = projectNamed(sandbox, "platform");
    sandbox.clearRequests();

    await stack.setProgram(projectsProgram({ platform: platform(sandbox.orgId, "platform-2"), dependent }));
    await succeeded(stack.up());
    expect(writes(sandbox).filter(({ method }) => method === "DELETE")).toEqual([
      { method: "DELETE", path: `/groups/${old.id}` },
    ]);
    expect(sandbox.project(kept.id)?.tags).toEqual(["OF-platform-2"]);
    expect(await stack.resource("dependent")).toMatchObject({ id: kept.id });
  },
);
