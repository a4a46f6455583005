/** Design, Lookups: getProjects. */
import type { Sandbox, SandboxOptions } from "../../../sandbox";
import { type ArgumentsFor, lookupProgram, lookupsOf } from "../../engine/support/lookup-program";
import { errorsOf, messagesOf, projectNamed } from "../../engine/support/project-program";
import { succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";

afterEach(tearDownStacks);

const elsewhere = "5f00000000000000000000b9";
const seed = {
  orgs: [{ name: "Example Org" }, { id: elsewhere, name: "Other Org" }],
  projects: [
    { name: "payments", tags: ["PROD", "EU"] },
    { name: "orders", tags: ["PROD"] },
    { name: "Zoo", tags: ["prod", "EU"] },
    { name: "orders", orgId: elsewhere, tags: ["PROD", "EU", "X"] },
  ],
};

interface Summary {
  readonly name: string;
  readonly projectId: string;
}

const { lookUp, lookUpAs, responseOf } = lookupsOf(setUpStack, "plugin");

async function projectsFound(args: ArgumentsFor, options: SandboxOptions = { seed }) {
  const { found, ...setup } = await responseOf("getProjects", args, options);
  const projects = found.projects as Summary[];
  return { ...setup, projects, names: projects.map(({ name }) => name) };
}

const singleReads = ({ requests }: Sandbox) =>
  requests.filter(({ path, authorized }) => authorized && /\/groups\/[0-9a-f]{24}$/.test(path)).length;

describe("getProjects", () => {
  it("returns all projects of all organizations, sorted by name and then by id, with sorted tags", async () => {
    const { projects, sandbox } = await projectsFound(() => ({}));
    const { orgId, state } = sandbox;
    const inOrderOfId = state.projects
      .filter(({ name }) => name === "orders")
      .sort((one, other) => (one.id < other.id ? -1 : 1));
    expect(projects).toEqual([
      { projectId: projectNamed(sandbox, "Zoo").id, orgId, name: "Zoo", tags: ["EU", "prod"] },
      ...inOrderOfId.map(({ id, name, orgId, tags }) => ({
        projectId: id,
        orgId,
        name,
        tags: [...tags].sort(),
      })),
      { projectId: projectNamed(sandbox, "payments").id, orgId, name: "payments", tags: ["EU", "PROD"] },
    ]);
  });

  it("returns those of one organization, whatever the case of its id", async () => {
    const { projects } = await projectsFound(() => ({ orgId: elsewhere.toUpperCase() }));
    expect(projects).toEqual([expect.objectContaining({ name: "orders", orgId: elsewhere })]);
  });

  it("returns projects that have all of the tags, compared exactly, whatever the filter of Ops Manager does", async () => {
    const both = await projectsFound(() => ({ tags: ["EU", "PROD"] }), { seed, tagFilter: "any" });
    expect(both.names).toEqual(["orders", "payments"]);
    expect((await projectsFound(() => ({ tags: ["prod"] }))).names).toEqual(["Zoo"]);
  });

  it.each([
    ["shows tags", "all", 0],
    ["shows no tags", "without-tags-and-mappings", 3],
  ] as const)(
    "reads no project for its tags that it has already: the organization's list %s",
    async (_, orgProjectFields, reads) => {
      const options = { seed, orgProjectFields };
      const tagged = await projectsFound(({ orgId }) => ({ orgId, tags: ["EU", "PROD"] }), options);
      expect(tagged.names).toEqual(["payments"]);
      expect(singleReads(tagged.sandbox)).toBe(reads);
      const all = await projectsFound(({ orgId }) => ({ orgId }), options);
      expect(all.names).toEqual(["Zoo", "orders", "payments"]);
      expect(singleReads(all.sandbox)).toBe(0);
    },
  );

  it("treats an empty list of tags as no filter, and returns an empty list if no project matches", async () => {
    const { names } = await projectsFound(() => ({ tags: [] }));
    expect(names).toEqual(["Zoo", "orders", "orders", "payments"]);
    expect((await projectsFound(() => ({ tags: ["NOWHERE"] }))).projects).toEqual([]);
  });

  const orgOwner = ({ orgId }: Sandbox) => [{ orgId, roleName: "ORG_OWNER" }];
  const poor = { seed, orgProjectFields: "without-tags-and-mappings" } as const;

  it.each([
    ["shows it no tags", { seed, tagsWithoutGlobalRole: "hide" }],
    ["shows it neither these nor those of the list", { ...poor, tagsWithoutGlobalRole: "hide" }],
  ] as const)("refuses to filter by tags, and names the roles, where the service %s", async (_, options) => {
    const { run, privateKey } = await lookUpAs("getProjects", () => ({ tags: ["PROD"] }), options, orgOwner);
    expect(run.exitCode).not.toBe(0);
    expect(messagesOf(run, "error")).toContain(
      "Projects cannot be filtered by tags: the service does not show these credentials the tags of 3 of 3 projects. Use credentials with the role Project Read Only, in older versions Global Owner or Global Read Only, or omit tags.",
    );
    expect(run.output).not.toContain(privateKey);
  });

  it.each([
    { status: 403, message: /the tags of 1 of 3 projects/ },
    { status: 500, message: /Reading project [0-9a-f]{24} failed: 500/ },
  ])("refuses to filter by tags if a project cannot be read: $status", async ({ status, message }) => {
    const { stack, sandbox } = await setUpStack({ sandbox: poor, program: () => ({}) });
    const times = status === 500 ? 0 : 1;
    sandbox.addFault({ pathPattern: "/groups/[0-9a-f]{24}$", fault: { status }, times });
    await stack.setProgram(lookupProgram("getProjects", { orgId: sandbox.orgId, tags: ["EU"] }));
    expect(await errorsOf(stack.up())).toMatch(message);
  });

  it("lists projects without their tags for a key that may not see them", async () => {
    const options = { seed, tagsWithoutGlobalRole: "hide" } as const;
    const { run, stack } = await lookUpAs("getProjects", () => ({}), options, orgOwner);
    await succeeded(Promise.resolve(run));
    const { projects } = (await stack.outputs()).found as { projects: Summary[] };
    expect(projects.map(({ name }) => name)).toEqual(["Zoo", "orders", "payments"]);
    for (const project of projects) expect(project).not.toHaveProperty("tags");
  });

  const nowhere = "0123456789abcdef01234567";

  it.each([
    {
      args: { orgId: nowhere },
      message: `Listing the projects of organization ${nowhere} failed: 404 ORG_NOT_FOUND`,
    },
    { args: { orgId: "xyz" }, message: "orgId must be the id of an organization: 24 hexadecimal digits" },
    { args: { tags: "PROD" }, message: "tags must be a list" },
    { args: { tags: ["PROD", ""] }, message: "tags[1] must not be empty" },
  ])("fails with $args, and the error names what is wrong", async ({ args, message }) => {
    const { run } = await lookUp("getProjects", () => args, { seed });
    expect(messagesOf(run, "error")).toContain(message);
  });
});
