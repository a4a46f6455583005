/**
 * Responses of Ops Manager to a removal: status and body are undocumented, or documented in two
 * ways. Each one is a success.
 */
import { invitationOf, membershipsIn } from "../../engine/support/people-program";
import { writes } from "../../engine/support/project-program";
import { succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import { ada, grace } from "../../support/people";
import { peopleWith, person, projectId, readers, setUpPayments } from "./payments";

afterEach(tearDownStacks);

const members = { [ada]: readers };

describe("destroy of an active member and of a pending invitation", () => {
  it.each([
    ["200", "none"],
    ["202", "empty-object"],
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
});
