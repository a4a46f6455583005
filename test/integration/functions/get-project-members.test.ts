/** Design, Lookups: getProjectMembers. */
import { getProjectMembers } from "../../../provider/functions/get-project-members";
import { Session } from "../../../provider/resources/contract/session";
import type { Sandbox, SandboxOptions } from "../../../sandbox";
import { type ArgumentsFor, lookupProgram, lookupsOf } from "../../engine/support/lookup-program";
import { invitationOf, paymentsId } from "../../engine/support/people-program";
import { errorsOf } from "../../engine/support/project-program";
import { setUpStack, tearDownStacks } from "../../support/model-stack";
import { eve, readers } from "../../support/people";
import { clientFactory } from "../client/with-client";

afterEach(tearDownStacks);

const { sandbox: connect } = clientFactory();

it("getProjectMembers has pending people also if the first response means that there is no list of them", async () => {
  const seed = { projects: [{ name: "payments", invitations: [{ username: eve, roles: readers }] }] };
  const { sandbox, client, settings } = await connect({ seed });
  const context = { session: new Session(client, settings), signal: new AbortController().signal };
  const args = { projectId: sandbox.state.projects[0]?.id ?? "" };
  const lookUp = () => getProjectMembers.invoke({ args, context });
  const fault = { status: 404, body: "", contentType: "text/plain" };
  const refuseList = () => sandbox.addFault({ method: "GET", pathPattern: "/invites(\\?|$)", fault });
  refuseList();
  expect((await lookUp()).members).toMatchObject([{ username: eve, status: "pending" }]);
  refuseList();
  await expect(lookUp()).rejects.toThrow("it has listed invitations before");
});

const orgId = "5f00000000000000000000b1";
const zoe = "zoe@example.com";
const invited = "new@example.com";
const seed = {
  orgs: [{ id: orgId, name: "Example Org" }],
  users: [{ username: "boss@example.com", roles: [{ orgId, roleName: "ORG_OWNER" }] }],
  projects: [
    {
      name: "payments",
      members: { [zoe]: ["GROUP_READ_ONLY", "GROUP_BACKUP_ADMIN"], "Ada@example.com": ["GROUP_OWNER"] },
      invitations: [{ username: invited, roles: readers }],
    },
  ],
};

interface Person {
  readonly username: string;
  readonly status: string;
}

const { responseOf, setUpEmptyStack } = lookupsOf(setUpStack, "plugin");
const ofPayments =
  (more: object): ArgumentsFor =>
  (service) => ({ projectId: paymentsId(service), ...more });

/** The people that the lookup finds, and their names and stages: `["Ada@example.com active"]`. */
async function peopleFound(
  change?: (sandbox: Sandbox) => void,
  options: SandboxOptions = { seed },
  more: object = {},
) {
  const { found, sandbox } = await responseOf("getProjectMembers", ofPayments(more), options, change);
  const people = found.members as Person[];
  return { people, sandbox, stages: people.map(({ username, status }) => `${username} ${status}`) };
}

const direct = ["Ada@example.com active", `${invited} pending`, `${zoe} active`];
const active = ["Ada@example.com active", `${zoe} active`];

describe("getProjectMembers", () => {
  it("returns a member with an additional invitation once, with both ids", async () => {
    const extra = { username: "ZOE@example.com", roles: ["GROUP_OWNER"] };
    const { people, stages, sandbox } = await peopleFound((service) => {
      service.addInvitation(paymentsId(service), extra);
    });
    expect(stages).toEqual(direct);
    expect(people[2]).toMatchObject({
      roles: ["GROUP_BACKUP_ADMIN", "GROUP_READ_ONLY"],
      userId: sandbox.user({ username: zoe })?.id,
      invitationId: invitationOf(sandbox, extra.username).id,
    });
  });

  it("leaves out invitations that have expired, also where the service still lists them", async () => {
    const { stages, sandbox } = await peopleFound((service) => {
      const { teamIds, ...invitation } = invitationOf(service, invited);
      const past = { createdAt: "2026-01-01T00:00:00Z", expiresAt: "2026-01-31T00:00:00Z" };
      const body = [{ ...invitation, ...past, groupName: "payments" }];
      service.addFault({ pathPattern: "/invites", fault: { status: 200, body } });
    });
    expect([sandbox.faults, stages]).toEqual([[], active]);
  });

  it("returns the members of a service that has no invitations, and none of a project without members", async () => {
    const fault = { status: 404, body: { error: 404, reason: "Not Found" } };
    const { stages } = await peopleFound((service) =>
      service.addFault({ pathPattern: "/invites", times: 0, fault }),
    );
    expect(stages).toEqual(active);
    const empty = await peopleFound(undefined, { seed: { users: [], projects: [{ name: "payments" }] } });
    expect(empty.people).toEqual([]);
  });

  it("reads all pages of more than 500 people", async () => {
    const names = Array.from({ length: 501 }, (_, index) => `p${1000 + index}@example.com`);
    const members = Object.fromEntries(names.map((name) => [name, readers]));
    const { people } = await peopleFound(undefined, { seed: { projects: [{ name: "payments", members }] } });
    expect(people.map(({ username }) => username)).toEqual(names);
  });

  it.each([
    [
      "includeIndirect is true",
      { includeIndirect: true },
      ["boss@example.com indirect", "tim@example.com indirect"],
    ],
    ["includeIndirect is false", { includeIndirect: false }, []],
    ["includeIndirect is not set", {}, []],
  ])(
    "lists of those who are in only through a team or the organization, each once, where %s: %j",
    async (_, more, indirect) => {
      /** Two teams of the project, one person in both; some are members or invited as well. */
      const addTeams = (service: Sandbox) => {
        const usernames = ["tim@example.com", invited, zoe];
        for (const username of usernames.slice(0, 2)) service.addUser({ username });
        for (const name of ["platform", "support"]) {
          const userIds = usernames.map((username) => service.user({ username })?.id ?? "");
          const { id: teamId } = service.addTeam({ name, userIds });
          service.setProjectTeam(paymentsId(service), { teamId, roleNames: ["GROUP_OWNER"] });
        }
      };
      const { people, stages, sandbox } = await peopleFound(addTeams, { seed }, more);
      expect([...stages].sort()).toEqual([...direct, ...indirect].sort());
      const userId = sandbox.user({ username: "tim@example.com" })?.id;
      expect(people.filter(({ username }) => username.startsWith("tim"))).toEqual(
        indirect.slice(1).map(() => ({ username: "tim@example.com", status: "indirect", roles: [], userId })),
      );
    },
  );

  const nowhere = "0123456789abcdef01234567";

  it("is refused before anything is sent, where the id is missing or malformed, or a flag is no boolean", async () => {
    const { stack, sandbox } = await setUpEmptyStack({ seed });
    for (const [args, message] of [
      [{ includeIndirect: true }, "projectId"],
      [{ projectId: "xyz" }, "projectId must be the id of a project: 24 hexadecimal digits"],
      [{ projectId: nowhere, includeIndirect: "sure" }, "includeIndirect"],
    ] as const) {
      await stack.setProgram(lookupProgram("getProjectMembers", args));
      expect(await errorsOf(stack.up())).toContain(message);
    }
    expect(sandbox.requests).toEqual([]);
  });
});
