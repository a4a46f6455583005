/**
 * Responses of Ops Manager to a removal: status and body are undocumented, or documented in two
 * ways. Each one is a success.
 */
import { invitationOf, membershipsIn } from "../../engine/support/people-program";
import { writes } from "../../engine/support/project-program";
import { succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import { ada, grace } from "../../support/people";
import { owners, peopleWith, person, projectId, readers, setUpPayments } from "./payments";

afterEach(tearDownStacks);

const members = { [ada]: readers };

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
      const { sandbox, stack, userId, upWith } = await setUpPayments({
        sandbox: { deleteUserStatus: status, deleteInvitationStatus: status, deletionBody },
        members,
      });
      await succeeded(upWith({ ada: person({ username: ada }), grace: person({ username: grace }) }));
      const invitation = invitationOf(sandbox, grace).id;

      sandbox.clearRequests();
      expect((await succeeded(stack.destroy())).changes).toEqual({ delete: 2 });
      expect(membershipsIn(sandbox)).toEqual(peopleWith({}));
      const paths = writes(sandbox).map(({ method, path }) => `${method} ${path}`);
      expect(paths.sort()).toEqual([
        `DELETE /groups/${projectId}/invites/${invitation}`,
        `DELETE /groups/${projectId}/users/${userId(ada)}`,
      ]);
      expect((await stack.state()).resources).toEqual([]);
    },
  );

  // Such a body precedes the next response. A client that parses it as a response loses the
  // connection.
  it("continues on the same connection after a 204 with a body", async () => {
    const { sandbox, stack, upWith } = await setUpPayments({
      sandbox: { deleteUserStatus: "204", deletionBody: "empty-object" },
      members,
      invited: { [ada]: owners },
      config: { "opsmanager:maxConcurrentRequests": 1, "opsmanager:maxRetries": 0 },
    });
    await succeeded(upWith({ ada: person({ username: ada }) }));

    sandbox.clearRequests();
    await succeeded(stack.destroy());
    expect(writes(sandbox).map(({ path }) => path.split("/")[3])).toEqual(["users", "invites"]);
    expect(membershipsIn(sandbox)).toEqual(peopleWith({}));
  });
});
