/** What holds for each kind alike: the form of a program, its faults, previews, what was deleted outside Pulumi, and `onDestroy`. */
import type { ResourceKind } from "../../../provider/resources/kinds";
import type { Sandbox } from "../../../sandbox";
import { bothProviders, errorsOf, writes } from "../../engine/support/project-program";
import { succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import {
  ada,
  begin,
  keyId,
  newcomer,
  olga,
  olgaId,
  orgId,
  owners,
  payments,
  readers,
  search,
  teamId,
} from "./service";

afterEach(tearDownStacks);

interface Lived {
  readonly properties: Readonly<Record<string, unknown>>;
  /** What an update writes. */
  readonly changed: object;
  /** What removes the object when it leaves the program. */
  readonly removing?: "delete";
}

/** Something new of each kind that can be made. */
const lives: Readonly<Record<Exclude<ResourceKind, "Organization">, Lived>> = {
  Project: {
    properties: { orgId, name: "books", tags: ["TEST"] },
    changed: { tags: ["PROD"] },
    removing: "delete",
  },
  ProjectMember: {
    properties: { projectId: payments, username: newcomer, roles: readers },
    changed: { roles: owners },
  },
  ProjectMembers: {
    properties: { projectId: search, members: { [olga]: owners, [newcomer]: readers } },
    changed: { members: { [olga]: owners, [newcomer]: readers, [ada]: readers } },
  },
  Team: {
    properties: { orgId, name: "admins", usernames: [olga] },
    changed: { usernames: [olga, ada] },
    removing: "delete",
  },
  ProjectTeam: { properties: { projectId: payments, teamId, roles: readers }, changed: { roles: owners } },
  AgentApiKey: {
    properties: { projectId: payments, description: "agents" },
    changed: { description: "new agents" },
  },
  ApiKey: {
    properties: { orgId, description: "pipeline", roles: ["ORG_MEMBER"] },
    changed: { description: "deployment" },
  },
  ProjectApiKey: { properties: { projectId: payments, keyId, roles: readers }, changed: { roles: owners } },
  OrganizationMember: {
    properties: { orgId, username: newcomer, roles: ["ORG_MEMBER"] },
    changed: { roles: ["ORG_READ_ONLY"] },
  },
};

/** What the service holds beside its log. */
function held({ state }: Sandbox) {
  const { orgs, projects, users, invitations, teams, keys } = state;
  return JSON.parse(JSON.stringify({ orgs, projects, users, invitations, teams, keys })) as unknown;
}

describe.each(Object.entries(lives))("%s", (type, { properties, changed, removing = "remove" }) => {
  const declaring = (more: object) => ({
    resources: { it: { type, properties: { ...properties, ...more } } },
  });
  const isReplaced = type === "AgentApiKey";
  const failure = { status: 409, body: { error: 409, errorCode: "NOT_NOW", detail: "Not now." } };

  it.each(
    bothProviders.flatMap((provider) => [
      { provider, first: "release" },
      { provider, first: removing },
    ]),
  )(
    "is destroyed by the onDestroy of the last update that succeeded: $first ($provider)",
    async ({ provider, first }) => {
      const { stack, sandbox } = await begin(provider, {});
      const before = held(sandbox);
      await stack.setProgram(declaring({ onDestroy: first }));
      await succeeded(stack.up());
      const existing = held(sandbox);
      expect(existing).not.toEqual(before);
      await stack.setProgram(
        declaring({ ...changed, onDestroy: first === "release" ? removing : "release" }),
      );
      for (const method of ["POST", "PUT", "PATCH"]) sandbox.addFault({ method, times: 0, fault: failure });
      expect(await errorsOf(stack.up())).toContain("409 NOT_NOW");
      sandbox.clearFaults();
      await succeeded(stack.destroy());
      expect(held(sandbox)).toEqual(first === "release" ? existing : before);
    },
  );

  it.each(bothProviders)(
    "is only announced by a preview, and deleted outside Pulumi, it is created again or needs no destroying (%s)",
    async (provider) => {
      const { stack, sandbox } = await begin(provider, {});
      const before = held(sandbox);
      await stack.setProgram(declaring({ onDestroy: removing }));
      expect((await succeeded(stack.preview())).changes).toEqual({ create: 1 });
      expect(held(sandbox)).toEqual(before);
      await succeeded(stack.up());
      const existing = held(sandbox);
      await stack.setProgram(declaring({ ...changed, onDestroy: removing }));
      expect((await succeeded(stack.preview())).changes).toEqual(isReplaced ? { replace: 1 } : { update: 1 });
      expect(held(sandbox)).toEqual(existing);
      const elsewhere = await stack.copy({});
      await succeeded(elsewhere.destroy());
      await succeeded(stack.refresh());
      expect((await stack.state()).resources).toHaveLength(type === "ProjectMembers" ? 1 : 0);
      await succeeded(stack.up());
      await succeeded(stack.up({ expectNoChanges: true }));
      const once = await stack.copy({});
      await succeeded(once.destroy());
      await succeeded(stack.destroy());
      expect(held(sandbox)).toEqual(before);
    },
  );
});

/** Other letter case, and `\u00eb` as two characters. */
const otherwise = (text: string) => text.normalize("NFD").toUpperCase();

test.each(bothProviders)(
  "a program in other letters and another order is the same one (%s)",
  async (provider) => {
    const two = ["GROUP_OWNER", "GROUP_READ_ONLY"];
    const written = (form: (id: string) => string, order: <T>(...entries: T[]) => T[]) =>
      ({
        books: {
          type: "Project",
          properties: { orgId: form(orgId), name: "books", tags: order("PROD", "TEST") },
        },
        ada: {
          type: "ProjectMember",
          properties: { projectId: form(payments), username: form(ada), roles: order(...two) },
        },
        olga: {
          type: "ProjectMember",
          properties: { projectId: form(payments), userId: form(olgaId), roles: order(...two) },
        },
        people: {
          type: "ProjectMembers",
          properties: {
            projectId: form(search),
            members: Object.fromEntries(order([form(newcomer), order(...two)], [form(olga), owners])),
          },
        },
        team: {
          type: "Team",
          properties: { orgId: form(orgId), name: "admins", usernames: order(form(ada), form(olga)) },
        },
        operators: {
          type: "ProjectTeam",
          properties: { projectId: form(payments), teamId: form(teamId), roles: order(...two) },
        },
        agents: { type: "AgentApiKey", properties: { projectId: form(payments), description: "agents" } },
        pipeline: {
          type: "ApiKey",
          properties: {
            ...{ orgId: form(orgId), description: "pipeline", roles: order("ORG_MEMBER", "ORG_READ_ONLY") },
            accessList: order("192.0.2.0/24", "2001:db8::1"),
          },
        },
        access: {
          type: "ProjectApiKey",
          properties: { projectId: form(payments), keyId: form(keyId), roles: order(...two) },
        },
        newcomer: {
          type: "OrganizationMember",
          properties: {
            orgId: form(orgId),
            username: form(newcomer),
            roles: order("ORG_MEMBER", "ORG_READ_ONLY"),
          },
        },
        example: { type: "Organization", properties: { orgId: form(orgId), name: "Example Org" } },
      }) as const;
    const asShown = written(
      (id) => id,
      (...entries) => entries,
    );
    const { stack, sandbox } = await begin(provider, asShown);
    await succeeded(stack.up());
    sandbox.clearRequests();
    await stack.setProgram({ resources: written(otherwise, (...entries) => entries.reverse()) });
    await succeeded(stack.up({ expectNoChanges: true }));
    expect(writes(sandbox)).toEqual([]);
  },
);

test.each(bothProviders)(
  "a program with faults in every resource is refused with all of them, and writes nothing (%s)",
  async (provider) => {
    const inProject = { projectId: payments };
    /** The faulty inputs of each kind, and the beginnings of what is said of them. */
    const faulty: Readonly<Record<ResourceKind, readonly [inputs: object, ...reasons: string[]]>> = {
      Project: [
        { orgId, tags: ["two words"], onDestroy: "keep" },
        ...["tags[0] must have", 'onDestroy must be "delete" or', "name is missing"],
      ],
      ProjectMember: [
        { ...inProject, roles: [], onDestroy: "keep" },
        ...[
          "roles must not be empty",
          'onDestroy must be "remove" or',
          "One of username, userId and invitationId",
        ],
      ],
      ProjectMembers: [
        { ...inProject, members: { [ada]: [] }, maxRemovals: -1 },
        ...[`members["${ada}"] must not be empty`, "maxRemovals must be 0 or more"],
      ],
      Team: [
        { orgId, name: "", usernames: [ada, ada.toUpperCase()] },
        ...["name must not be empty", `usernames contains "${ada}" more than once`],
      ],
      ProjectTeam: [
        { ...inProject, teamId, teamName: "operators", roles: [] },
        ...["roles must not be empty", "teamId and teamName are both set"],
      ],
      AgentApiKey: [
        { projectId: "payments", description: "" },
        ...["projectId must be the id of a project", "description must not be empty"],
      ],
      ApiKey: [
        { orgId, description: "ci", roles: readers, accessList: ["192.0.2.7/24", "::1", "0::1"] },
        ...[
          'roles contains "GROUP_READ_ONLY", which is a role of a project',
          'accessList[0] "192.0.2.7/24" must be',
        ],
        "accessList contains ::1 more than once",
      ],
      ProjectApiKey: [
        { ...inProject, roles: ["Project Owner"] },
        ...["Did you mean GROUP_OWNER?", "The API key is missing: set keyId or publicKey"],
      ],
      OrganizationMember: [
        { orgId: "example", username: ada, roles: ["ORG_MEMBER", "ORG_MEMBER"] },
        ...["orgId must be the id of an organization", 'roles contains "ORG_MEMBER" more than once'],
      ],
      Organization: [
        { orgId, name: "", idpGroupMappings: [{ roleName: "GROUP_OWNER", idpGroups: [] }] },
        ...["name must not be empty", "idpGroupMappings[0].idpGroups must not be empty"],
        'idpGroupMappings[0].roleName contains "GROUP_OWNER", which is a role of a project',
      ],
    };
    const resources = Object.entries(faulty).map(([type, [properties]]) => [
      `of${type}`,
      { type, properties },
    ]);
    const { stack, sandbox } = await begin(provider, Object.fromEntries(resources));
    const errors = await errorsOf(stack.up());
    for (const reason of Object.values(faulty).flatMap(([, ...reasons]) => reasons))
      expect(errors).toContain(reason);
    expect(writes(sandbox)).toEqual([]);
  },
);
