/** Design, Lookups: getProjects. */
import type { Sandbox, SandboxOptions } from "../../sandbox";
import { succeeded } from "../../support";
import { disposeEstates } from "../support/estate";
import { type ArgumentsFor, lookupsThrough } from "../support/lookup-program";
import { doors, projectNamed } from "../support/project-program";

afterEach(disposeEstates);

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

describe.each(doors)("getProjects through the %s door", (door) => {
  const { answerOf, lookUp, lookUpAs } = lookupsThrough(door);

  async function projectsFound(args: ArgumentsFor, options: SandboxOptions = { seed }) {
    const { found, ...estate } = await answerOf("getProjects", args, options);
    const projects = found.projects as Summary[];
    return { ...estate, projects, names: projects.map(({ name }) => name) };
  }

  it("answers all projects of all organizations, sorted by name and then by id, with sorted tags", async () => {
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

  it("answers those of one organization, whatever the case of its id", async () => {
    const { projects } = await projectsFound(() => ({ orgId: elsewhere.toUpperCase() }));
    expect(projects).toEqual([expect.objectContaining({ name: "orders", orgId: elsewhere })]);
  });

  it("takes projects that have all of the tags, compared exactly, whatever the service's own filter does", async () => {
    const both = await projectsFound(() => ({ tags: ["EU", "PROD"] }), { seed, tagFilter: "any" });
    expect(both.names).toEqual(["orders", "payments"]);
    const here = await projectsFound(({ orgId }) => ({ orgId, tags: ["PROD"] }));
    expect(here.names).toEqual(["orders", "payments"]);
    const lower = await projectsFound(() => ({ tags: ["prod"] }));
    expect(lower.names).toEqual(["Zoo"]);
  });

  it("takes an empty list of tags as no choice at all", async () => {
    const { names } = await projectsFound(() => ({ tags: [] }));
    expect(names).toEqual(["Zoo", "orders", "orders", "payments"]);
  });

  it("answers an empty list where no project fits, and where there is none", async () => {
    const unfit = await projectsFound(() => ({ tags: ["NOWHERE"] }));
    expect(unfit.projects).toEqual([]);
    const none = await projectsFound(({ orgId }) => ({ orgId }), { seed: { projects: [] } });
    expect(none.projects).toEqual([]);
  });

  it("reads all pages of more than 500 projects", async () => {
    const projects = Array.from({ length: 1001 }, (_, index) => ({ name: `p${1000 + index}`, tags: ["A"] }));
    const { names, sandbox } = await projectsFound(() => ({ tags: ["A"] }), { seed: { projects } });
    expect(names).toEqual(projects.map(({ name }) => name));
    const pages = sandbox.requests.filter(({ authorized }) => authorized).map(({ query }) => query);
    expect(pages).toEqual([1, 2, 3].map((page) => `pageNum=${page}&itemsPerPage=500`));
  });

  it("answers mappings where the service is LDAP-backed", async () => {
    const ldapGroupMappings = [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=dba,dc=example,dc=com"] }];
    const { projects } = await projectsFound(() => ({}), {
      seed: { projects: [{ name: "payments", ldapGroupMappings }] },
      ldap: true,
    });
    expect(projects).toEqual([expect.objectContaining({ ldapGroupMappings })]);
  });

  describe("with a key that may not see tags", () => {
    const orgOwner = ({ orgId }: Sandbox) => [{ orgId, roleName: "ORG_OWNER" }];

    it("refuses to choose by them, and says what to do", async () => {
      const { run, privateKey } = await lookUpAs(
        "getProjects",
        () => ({ tags: ["PROD"] }),
        { seed },
        orgOwner,
      );
      expect(run.exitCode).not.toBe(0);
      expect(run.output).toContain(
        "Projects cannot be chosen by tags: the service shows this API key no tags of 3 of 3 projects. Use a key with a global role",
      );
      expect(run.output).not.toContain(privateKey);
    });

    it("lists projects without them", async () => {
      const { run, stack } = await lookUpAs("getProjects", () => ({}), { seed }, orgOwner);
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
  ])("ends with an error that names %s", async (_, args, message) => {
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
    "says %s which operation is missing on a service that offers only the four documented ones",
    async (_, args, message) => {
      const { run } = await lookUp("getProjects", args, { seed, onlyDocumented: true });
      expect(run.exitCode).not.toBe(0);
      expect(run.output).toMatch(message);
      expect(run.output).toContain("The service has no such operation or no such object: check baseUrl");
    },
  );
});
