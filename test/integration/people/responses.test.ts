/**
 * Responses of Ops Manager to a removal: status and body are undocumented, or documented in two
 * ways. Each one is a success.
 */
import type { SandboxOptions } from "../../../sandbox";
import {
  invitationOf,
  invitedTo,
  memberProgram,
  membersOf,
  paymentsId,
} from "../../engine/support/people-program";
import { writes } from "../../engine/support/project-program";
import { succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";
import { ada, grace, owner } from "../../support/people";

afterEach(tearDownStacks);

const roles = ["GROUP_READ_ONLY"];
const seed = { projects: [{ name: "payments", members: { [owner]: ["GROUP_OWNER"], [ada]: roles } }] };

/** The member `ada`, and `grace`, who gets invited. */
const twoPeople = (sandbox: SandboxOptions) =>
  setUpStack({
    sandbox: { seed, ...sandbox },
    program: (service) => ({
      resources: {
        ada: { type: "ProjectMember", properties: { projectId: paymentsId(service), username: ada, roles } },
        grace: {
          type: "ProjectMember",
          properties: { projectId: paymentsId(service), username: grace, roles },
        },
      },
    }),
  });

describe("destroy of an active member and of a pending invitation", () => {
  it.each([
    ["200", "none"],
    ["200", "empty-object"],
    ["202", "none"],
    ["202", "empty-object"],
    ["204", "none"],
    ["204", "empty-object"],
  ] as const)(
    "succeeds with one request for each if Ops Manager returns %s with the body: %s",
    async (status, deletionBody) => {
      const { sandbox, stack } = await twoPeople({
        deleteUserStatus: status,
        deleteInvitationStatus: status,
        deletionBody,
      });
      await succeeded(stack.up());
      const projectId = paymentsId(sandbox);
      const invitation = invitationOf(sandbox, grace).id;
      const user = sandbox.user({ username: ada })?.id;

      sandbox.clearRequests();
      expect((await succeeded(stack.destroy())).changes).toEqual({ delete: 2 });
      expect([membersOf(sandbox), invitedTo(sandbox)]).toEqual([{ [owner]: ["GROUP_OWNER"] }, {}]);
      const paths = writes(sandbox).map(({ method, path }) => `${method} ${path}`);
      expect(paths.sort()).toEqual([
        `DELETE /groups/${projectId}/invites/${invitation}`,
        `DELETE /groups/${projectId}/users/${user}`,
      ]);
      expect(await stack.resource("ada")).toBeUndefined();
      expect(await stack.resource("grace")).toBeUndefined();
    },
  );

  // Such a body precedes the next response. A client that parses it as a response loses the
  // connection.
  it("continues on the same connection after a 204 with a body", async () => {
    const { sandbox, stack } = await setUpStack({
      sandbox: { seed, deleteUserStatus: "204", deletionBody: "empty-object" },
      program: (service) => memberProgram({ projectId: paymentsId(service), username: ada, roles }),
      config: { "opsmanager:maxConcurrentRequests": 1, "opsmanager:maxRetries": 0 },
    });
    sandbox.addInvitation(paymentsId(sandbox), { username: ada, roles: ["GROUP_OWNER"] });
    await succeeded(stack.up());

    sandbox.clearRequests();
    await succeeded(stack.destroy());
    expect(writes(sandbox).map(({ path }) => path.split("/")[3])).toEqual(["users", "invites"]);
    expect([membersOf(sandbox), invitedTo(sandbox)]).toEqual([{ [owner]: ["GROUP_OWNER"] }, {}]);
  });
});
