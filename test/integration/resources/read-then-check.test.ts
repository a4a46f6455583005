/** What Read returns, Check accepts: for each resource, any live value, and each property that `ignoreChanges` may name. */
import fc from "fast-check";
import { resourceNamed } from "../../../provider/resources";
import type { Context } from "../../../provider/resources/contract/resource";
import { Session } from "../../../provider/resources/contract/session";
import type { Properties } from "../../../provider/resources/contract/values";
import { type ResourceKind, resourceKinds } from "../../../provider/resources/kinds";
import { clientFactory } from "../client/with-client";

const start = clientFactory();
const reader = ["GROUP_READ_ONLY"];
const owner = ["GROUP_OWNER"];
const [ada, ben] = ["ada@example.com", "ben@example.com"] as const;
const olga = "owner@example.com";

const text = fc.oneof(
  fc.constantFrom("", " ", " a ", "a\u0001b", "\u202ea", "svc-1", "K8S_A", "__proto__", "x".repeat(2000)),
  fc.string({ unit: "binary", maxLength: 8 }),
);
const texts = fc.uniqueArray(text, { maxLength: 12, selector: (one) => one.toLowerCase() });
const name = text.map((one) => `n${one}`);
const world = fc.record({
  texts,
  name,
  /** What is done to the people: they leave, are renamed, or have other roles. */
  people: fc.record({ stay: fc.boolean(), renamed: name, others: texts, roles: texts }),
  mappings: fc.array(fc.record({ roleName: text, ldapGroups: fc.array(text, { maxLength: 3 }) }), {
    maxLength: 3,
  }),
  description: text,
});
type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

async function startService() {
  const { sandbox, client, settings } = await start.sandbox({
    bypassInvitations: true,
    orgUserChanges: "offered",
  });
  const { orgId } = sandbox;
  const accounts = [ada, ben].map((username) =>
    sandbox.addUser({ username, roles: [{ orgId, roleName: "ORG_MEMBER" }] }),
  );
  const projects = ["one", "two"].map((each) => sandbox.addProject({ name: each }).id);
  const [projectId = "", other = ""] = projects;
  for (const id of projects) sandbox.setMember(id, { username: olga }, owner);
  const { id: teamId } = sandbox.addTeam({ name: "team of the project" });
  const { id: keyId, publicKey } = sandbox.addKey({ desc: "monitoring", orgId });
  const programs: Readonly<Record<ResourceKind, Properties>> = {
    Project: { projectId, name: "one", tags: ["PROD"], ldapGroupMappings: [], ignoreTags: ["K8S_*"] },
    ProjectMember: { projectId: other, username: ada, roles: reader },
    ProjectMembers: { projectId, members: { [olga]: owner, [ada]: reader }, ignoreUsers: ["svc-*"] },
    ProjectTeam: { projectId, teamId, roles: reader },
    Team: { orgId, name: "people", usernames: [ada] },
    AgentApiKey: { projectId, description: "agents" },
    ApiKey: { orgId, description: "pipeline", roles: ["ORG_MEMBER"], accessList: ["192.0.2.7"] },
    ProjectApiKey: { projectId, keyId, roles: reader },
    OrganizationMember: { orgId, username: ben, roles: ["ORG_READ_ONLY"] },
    Organization: { orgId, name: "Example Org", ldapGroupMappings: [] },
  };
  /** Each operation is in a session of its own. */
  const contextOf = (kind: ResourceKind): Context => ({
    session: new Session(client, settings),
    urn: `urn:pulumi:dev::proj::opsmanager:index:${kind}::it`,
    log: { info: () => undefined, warn: () => undefined },
    signal: new AbortController().signal,
  });
  /** Changes the service outside Pulumi. */
  const change = ({ texts: tags, people, name: named, mappings }: World) => {
    sandbox.changeProject(projectId, { name: named, tags, ldapGroupMappings: mappings });
    sandbox.setProjectTeam(projectId, { teamId, roleNames: ["x", ...people.roles] });
    for (const key of sandbox.state.keys.filter(({ desc }) => desc === "pipeline")) {
      const created = new Date(0).toISOString();
      const roles = [{ orgId, roleName: "x" }];
      sandbox.changeKey(key.publicKey, {
        desc: named,
        roles,
        accessList: [{ cidrBlock: "192.0.2.0/24", created }],
      });
    }
    sandbox.changeOrg(orgId, { name: named });
    sandbox.setOrgMember(orgId, { username: ben }, ["x", ...people.roles]);
    const inProject = ["x", ...people.roles].map((roleName) => ({ groupId: projectId, roleName }));
    sandbox.changeKey(publicKey, { roles: inProject });
    const team = sandbox.state.teams.find((one) => one.name === "people");
    sandbox.changeTeam(team?.id ?? "", { name: named, ...(!people.stay && { userIds: [] }) });
    for (const id of projects) {
      sandbox.setMember(id, { username: ada }, people.stay ? ["x", ...people.roles] : []);
      if (!people.stay) sandbox.addInvitation(id, { username: ada, roles: people.roles });
    }
    if (!people.stay) for (const id of projects) sandbox.removeMember(id, { username: olga });
    sandbox.changeUser(accounts[0]?.id ?? "", { username: people.renamed });
    for (const username of people.others) sandbox.addInvitation(projectId, { username, roles: reader });
  };
  return { sandbox, programs, contextOf, change, orgId, projectId };
}

/** What the engine gives Check if `ignoreChanges` names the property: the value of the state's inputs, or none. */
function ignoring(property: string, program: Properties, recorded: Properties): Properties {
  const { [property]: _, ...others } = program;
  return property in recorded ? { ...others, [property]: recorded[property] ?? null } : others;
}

it("Check accepts what a refresh wrote, whichever property is ignored, and what an import returns", async () => {
  await fc.assert(
    fc.asyncProperty(world, async (live) => {
      const { sandbox, programs, contextOf, change, projectId } = await startService();
      const made = new Map<ResourceKind, { id: string; state: Properties; oldInputs: Properties }>();
      for (const kind of resourceKinds) {
        const { check, create } = resourceNamed(kind);
        const { inputs } = check({ inputs: programs[kind], context: contextOf(kind) });
        const created = await create({ inputs, preview: false, context: contextOf(kind) });
        made.set(kind, { ...created, oldInputs: inputs });
      }
      change(live);
      const key = sandbox.addAgentKey(projectId, { desc: live.description });
      const refused: string[] = [];
      const verify = (kind: ResourceKind, what: string, inputs: Properties, oldInputs: Properties) => {
        const { failures } = resourceNamed(kind).check({ inputs, oldInputs, context: contextOf(kind) });
        refused.push(...failures.map(({ reason }) => `${kind}, ${what}: ${reason}`));
      };
      for (const [kind, existing] of made) {
        const { inputs: schema, read } = resourceNamed(kind);
        const refreshed = await read({ ...existing, context: contextOf(kind) });
        for (const property of refreshed ? Object.keys(schema.shape) : []) {
          const oldInputs = refreshed?.inputs ?? {};
          const inputs = ignoring(property, existing.oldInputs, oldInputs);
          verify(kind, `ignoring ${property}`, inputs, oldInputs);
        }
        if (refreshed) verify(kind, "ignoring *", refreshed.inputs, refreshed.inputs);
        const id = kind === "AgentApiKey" ? `${projectId}/${key.id}` : existing.id;
        const imported = await read({ id, context: contextOf(kind) });
        if (imported) verify(kind, "import", imported.inputs, imported.inputs);
      }
      await sandbox.close();
      expect(refused).toEqual([]);
    }),
    { numRuns: 8 },
  );
});
