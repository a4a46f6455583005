/** Design, Lookups: getProjects. */
import type { Sandbox, SandboxOptions } from "../../../sandbox";
import { type ProviderKind, succeeded } from "../../support";
import { type ArgumentsFor, lookupsThrough } from "../support/lookup-program";
import { bothProviders, projectNamed } from "../support/project-program";
import { tearDownStacks } from "../support/stack-setup";

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

describe("getProjects", () => {
  const { lookUp, lookUpAs } = lookupsThrough("plugin");

  async function projectsFound(
    provider: ProviderKind,
    args: ArgumentsFor,
    options: SandboxOptions = { seed },
  ) {
    const { found, ...setup } = await lookupsThrough(provider).responseOf("getProjects", args, options);
    const projects = found.projects as Summary[];
    return { ...setup, projects, names: projects.map(({ name }) => name) };
  }

  it.each(bothProviders)(
    "returns all projects of all organizations, sorted by name and then by id, with sorted tags (%s)",
    async (provider) => {
      const { projects, sandbox } = await projectsFound(provider, () => ({}));
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
    },
  );

  it("returns those of one organization, whatever the case of its id", async () => {
    const { projects } = await projectsFound("plugin", () => ({ orgId: elsewhere.toUpperCase() }));
    expect(projects).toEqual([expect.objectContaining({ name: "orders", orgId: elsewhere })]);
  });

  it("returns projects that have all of the tags, compared exactly, whatever the filter of Ops Manager does", async () => {
    const both = await projectsFound("plugin", () => ({ tags: ["EU", "PROD"] }), { seed, tagFilter: "any" });
    expect(both.names).toEqual(["orders", "payments"]);
    const here = await projectsFound("plugin", ({ orgId }) => ({ orgId, tags: ["PROD"] }));
    expect(here.names).toEqual(["orders", "payments"]);
    const lower = await projectsFound("plugin", () => ({ tags: ["prod"] }));
    expect(lower.names).toEqual(["Zoo"]);
  });

  it("treats an empty list of tags as no filter", async () => {
    const { names } = await projectsFound("plugin", () => ({ tags: [] }));
    expect(names).toEqual(["Zoo", "orders", "orders", "payments"]);
  });

  it("returns an empty list if no project matches, and if there is none", async () => {
    const unfit = await projectsFound("plugin", () => ({ tags: ["NOWHERE"] }));
    expect(unfit.projects).toEqual([]);
    const none = await projectsFound("plugin", ({ orgId }) => ({ orgId }), { seed: { projects: [] } });
    expect(none.projects).toEqual([]);
  });

  it("reads all pages of more than 500 projects", async () => {
    const projects = Array.from({ length: 1001 }, (_, index) => ({ name: `p${1000 + index}`, tags: ["A"] }));
    const { names, sandbox } = await projectsFound("plugin", () => ({ tags: ["A"] }), { seed: { projects } });
    expect(names).toEqual(projects.map(({ name }) => name));
    const pages = sandbox.requests.filter(({ authorized }) => authorized).map(({ query }) => query);
    expect(pages).toEqual([1, 2, 3].map((page) => `pageNum=${page}&itemsPerPage=500`));
  });

  it("returns mappings if Ops Manager is LDAP-backed", async () => {
    const ldapGroupMappings = [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=dba,dc=example,dc=com"] }];
    const { projects } = await projectsFound("plugin", () => ({}), {
      seed: { projects: [{ name: "payments", ldapGroupMappings }] },
      ldap: true,
    });
    expect(projects).toEqual([expect.objectContaining({ ldapGroupMappings })]);
  });

  describe("with a key that may not see tags", () => {
    const hidden = { seed, tagsWithoutGlobalRole: "hide" } as const;
    const orgOwner = ({ orgId }: Sandbox) => [{ orgId, roleName: "ORG_OWNER" }];

    it("refuses to filter by them, and names the correction", async () => {
      const { run, privateKey } = await lookUpAs("getProjects", () => ({ tags: ["PROD"] }), hidden, orgOwner);
      expect(run.exitCode).not.toBe(0);
      expect(run.output).toContain(
        "Projects cannot be filtered by tags: the service does not show this API key the tags of 3 of 3 projects. Use a key with the role Project Read Only, in older versions Global Owner",
      );
      expect(run.output).not.toContain(privateKey);
    });

    it("lists projects without them", async () => {
      const { run, stack } = await lookUpAs("getProjects", () => ({}), hidden, orgOwner);
      await succeeded(Promise.resolve(run));
      const { projects } = (await stack.outputs()).found as { projects: Summary[] };
      expect(projects.map(({ name }) => name)).toEqual(["Zoo", "orders", "payments"]);
      for (const project of projects) expect(project).not.toHaveProperty("tags");
    });
  });

  const nowhere = "0123456789abcdef01234567";

  it.each([
    [
      "an organization that is not there",
      { orgId: nowhere },
      `Listing the projects of organization ${nowhere} failed: 404 ORG_NOT_FOUND`,
    ],
    [
      "an id that is none",
      { orgId: "xyz" },
      "orgId must be the id of an organization: 24 hexadecimal digits",
    ],
    ["tags that are no list", { tags: "PROD" }, "tags must be a list"],
    ["an empty tag", { tags: ["PROD", ""] }, "tags[1] must not be empty"],
  ])("fails with an error that names %s", async (_, args, message) => {
    const { run } = await lookUp("getProjects", () => args, { seed });
    expect(run.exitCode).not.toBe(0);
    expect(run.output).toContain(message);
  });

  it.each<[string, ArgumentsFor, RegExp]>([
    ["everywhere", () => ({}), /Listing the projects of this API key failed: 404/],
    [
      "in an organization",
      ({ orgId }) => ({ orgId }),
      /Listing the projects of organization \w+ failed: 404/,
    ],
  ])(
    "names the missing operation %s on a service that offers only the four documented ones",
    async (_, args, message) => {
      const { run } = await lookUp("getProjects", args, { seed, onlyDocumented: true });
      expect(run.exitCode).not.toBe(0);
      expect(run.output).toMatch(message);
      expect(run.output).toContain("The service has no such operation or no such object. Check baseUrl");
    },
  );
});
