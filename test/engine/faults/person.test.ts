/** The fault matrix with the real engine: one fault per outcome with every operation on one person in a project. */

import type { Sandbox, SandboxOptions } from "../../../sandbox";
import type { ProviderKind } from "../../support";
import { invitationsTo, membersOf } from "../support/people-program";
import { tearDownStacks } from "../support/stack-setup";
import { describeMatrix, type Operation } from "./support/expected";
import { beginLife, type Life, type Subject } from "./support/life";

const ada = "ada@example.com";

/** All memberships of Ada in the project: two invitations would be two. */
const held = ({ projectId }: Subject, sandbox: Sandbox) => {
  const roles = membersOf(sandbox, projectId)[ada];
  const memberships = [
    ...(roles ? [`active ${roles.join()}`] : []),
    ...invitationsTo(sandbox, projectId).map(({ roles: given }) => `pending ${given.join()}`),
  ];
  return memberships.join(" and ") || "none";
};

const observed = {
  service: held,
  /** The stack has added everyone here; a person whom it only finds again after a lost response is still its own. */
  record: ({ status, roles, origin }: Readonly<Record<string, unknown>>) =>
    `${status} ${roles}${origin === "created" ? "" : ` ${origin}`}`,
};

const declares =
  (...roles: string[]) =>
  ({ projectId }: Subject) => ({ type: "ProjectMember", properties: { projectId, username: ada, roles } });

const meets = (method: string, path: string) => (subject: Subject) => ({
  method,
  pathPattern: `/groups/${subject.projectId}${path}`,
});

const both = (text: string) => ({ service: text, state: text });

/** In the order of a person's life: each begins where the one before has ended. */
const invited: readonly Operation[] = [
  {
    ...observed,
    name: "inviting a user",
    declares: declares("GROUP_READ_ONLY"),
    meets: meets("POST", "/invites$"),
    action: ({ projectId }) => `Inviting ${ada} to project ${projectId}`,
    before: "none",
    after: both("pending GROUP_READ_ONLY"),
    failed: { state: "none", next: "create" },
  },
  {
    ...observed,
    name: "changing an invitation's roles",
    declares: declares("GROUP_OWNER"),
    meets: meets("PATCH", "/invites/"),
    action: ({ projectId }) => `Giving the invitation of ${ada} to project ${projectId} GROUP_OWNER`,
    before: "pending GROUP_READ_ONLY",
    after: both("pending GROUP_OWNER"),
    failed: { state: "pending GROUP_READ_ONLY", next: "update" },
  },
  {
    ...observed,
    name: "taking an invitation back",
    meets: meets("DELETE", "/invites/"),
    action: ({ projectId }) => `Taking back the invitation of ${ada} to project ${projectId}`,
    before: "pending GROUP_OWNER",
    after: both("none"),
    failed: { state: "pending GROUP_OWNER", next: "delete" },
  },
];

const added: readonly Operation[] = [
  {
    ...observed,
    name: "adding an account",
    declares: declares("GROUP_READ_ONLY"),
    meets: meets("POST", "/users$"),
    action: ({ projectId }) => `Giving ${ada} GROUP_READ_ONLY in project ${projectId}`,
    before: "none",
    after: both("active GROUP_READ_ONLY"),
    failed: { state: "none", next: "create" },
  },
  {
    ...observed,
    name: "changing a member's roles",
    declares: declares("GROUP_OWNER"),
    meets: meets("POST", "/users$"),
    action: ({ projectId }) => `Giving ${ada} GROUP_OWNER in project ${projectId}`,
    before: "active GROUP_READ_ONLY",
    after: both("active GROUP_OWNER"),
    failed: { state: "active GROUP_READ_ONLY", next: "update" },
  },
  {
    ...observed,
    name: "removing a member",
    meets: meets("DELETE", "/users/"),
    action: ({ projectId }) => `Removing ${ada} from project ${projectId}`,
    before: "active GROUP_OWNER",
    after: both("none"),
    failed: { state: "active GROUP_OWNER", next: "delete" },
  },
];

afterAll(tearDownStacks);

/** What an outcome means is shared code, so each life is played with one provider. */
const lives: readonly (readonly [string, ProviderKind, readonly Operation[], SandboxOptions])[] = [
  ["a user without an account", "plugin", invited, {}],
  ["a user with an account", "dynamic", added, { bypassInvitations: true }],
];

describe.each(lives)("%s handles one fault per outcome (%s)", (_, provider, operations, options) => {
  let life: Life;
  beforeAll(async () => {
    const makes = (sandbox: Sandbox, name: string) => {
      const project = sandbox.addProject({ name });
      sandbox.setMember(project.id, { username: "owner@example.com" }, ["GROUP_OWNER"]);
      return project;
    };
    life = await beginLife({ provider, options, makes });
    if (options.bypassInvitations) life.setup.sandbox.addUser({ username: ada });
  });

  describeMatrix(() => life, operations);
});
