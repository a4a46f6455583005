/** The fault matrix with the real engine: one fault per outcome with every operation on all the people of a project. */

import type { Sandbox } from "../../../sandbox";
import { invitationsTo, membersOf } from "../support/people-program";
import { tearDownStacks } from "../support/stack-setup";
import { describeMatrix, type Operation } from "./support/expected";
import { beginLife, type Life, type Subject } from "./support/life";

const reader = ["GROUP_READ_ONLY"];
const owner = { "olga@example.com": ["GROUP_OWNER"] };
const leaver = { "leo@example.com": reader };
const first = { "nina@example.com": reader };
const second = { "noor@example.com": reader };

/** All members and invitations, such as `olga` and `nina?` (invited). A user with two invitations is listed twice. */
const held = ({ projectId }: Subject, sandbox: Sandbox) =>
  listed([
    ...Object.keys(membersOf(sandbox, projectId)),
    ...invitationsTo(sandbox, projectId).map(({ username }) => `${username}?`),
  ]);

interface Detail {
  readonly username: string;
  readonly status: string;
}

const recorded = ({ memberDetails }: Readonly<Record<string, unknown>>) =>
  listed(
    ((memberDetails as readonly Detail[] | undefined) ?? []).map(
      ({ username, status }) => `${username}${status === "pending" ? "?" : ""}`,
    ),
  );

const listed = (people: readonly string[]) =>
  people
    .map((person) => person.replace("@example.com", ""))
    .sort()
    .join(" ");

const observed = { service: held, record: recorded };

const declares =
  (...people: readonly Readonly<Record<string, readonly string[]>>[]) =>
  ({ projectId }: Subject) => ({
    type: "ProjectMembers",
    properties: { projectId, members: Object.assign({}, ...people), onDestroy: "remove" },
  });

const allMembers = (text: string) => ({ service: text, state: text });

/** In the order of their life: each begins where the one before has ended. */
const operations: readonly Operation[] = [
  {
    ...observed,
    name: "declaring all members, of whom one is new",
    declares: declares(owner, leaver, first),
    meets: ({ projectId }) => ({ method: "POST", pathPattern: `/groups/${projectId}/invites$` }),
    action: ({ projectId }) => `Inviting nina@example.com to project ${projectId}`,
    before: "leo olga",
    after: allMembers("leo nina? olga"),
    failed: { state: "leo olga, unfinished", next: "update" },
  },
  {
    ...observed,
    name: "changing all members: one comes, one goes",
    declares: declares(owner, first, second),
    meets: ({ projectId }) => ({ method: "POST", pathPattern: `/groups/${projectId}/invites$` }),
    action: ({ projectId }) => `Inviting noor@example.com to project ${projectId}`,
    before: "leo nina? olga",
    after: allMembers("nina? noor? olga"),
    // A failure for one member does not stop the others.
    failed: { service: "nina? olga", state: "nina? olga, unfinished", next: "update" },
  },
  {
    ...observed,
    name: "destroying with all members",
    meets: ({ projectId }, sandbox) => {
      const invitation = invitationsTo(sandbox, projectId).find(({ username }) => username in first);
      return { method: "DELETE", pathPattern: `/groups/${projectId}/invites/${invitation?.id}` };
    },
    action: ({ projectId }) => `Taking back the invitation of nina@example.com to project ${projectId}`,
    before: "nina? olga",
    // The last owner stays.
    after: { service: "olga", state: "none" },
    failed: { state: "nina? noor? olga", next: "delete" },
  },
];

afterAll(tearDownStacks);

describe("one fault per outcome for all people of a project (plugin)", () => {
  const provider = "plugin";
  let life: Life;
  beforeAll(async () => {
    const makes = (sandbox: Sandbox, name: string) => {
      const project = sandbox.addProject({ name });
      for (const [username, roles] of Object.entries({ ...owner, ...leaver })) {
        sandbox.setMember(project.id, { username }, roles);
      }
      return project;
    };
    life = await beginLife({ provider, makes });
  });

  describeMatrix(() => life, operations);
});
