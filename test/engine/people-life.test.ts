/** The life of a person in a project, each step as somebody meets it: a plain `preview`, a plain `up`. */
import { succeeded } from "../support";
import { createEstate, disposeEstates } from "./support/estate";
import { invitationOf, invitedTo, memberProgram, membersOf, paymentsId } from "./support/people-program";
import { changedPaths, said, writes } from "./support/project-program";

afterEach(disposeEstates);

const seed = { projects: [{ name: "payments" }] };
const ada = "ada@example.com";

describe("a person without an account", () => {
  it("is invited, accepts, and stays the same person through drift by hand and back", async () => {
    const { sandbox, stack } = await createEstate({
      sandbox: { seed },
      program: (sandbox) =>
        memberProgram({ projectId: paymentsId(sandbox), username: ada, roles: ["GROUP_READ_ONLY"] }),
    });
    await succeeded(stack.up());
    expect(invitedTo(sandbox)).toEqual({ [ada]: ["GROUP_READ_ONLY"] });
    expect(await stack.resource("ada")).toMatchObject({
      id: `${paymentsId(sandbox)}/${ada}`,
      outputs: { status: "pending", username: ada, origin: "created", groupName: "payments", orgId: sandbox.orgId },
    });

    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    sandbox.acceptInvitation(invitationOf(sandbox, ada).id);
    sandbox.clearRequests();
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect(writes(sandbox)).toEqual([]);
    expect(await stack.resource("ada")).toMatchObject({ outputs: { status: "active", username: ada } });

    sandbox.setMember(paymentsId(sandbox), { username: ada }, ["GROUP_OWNER"]);
    const preview = await succeeded(stack.preview());
    expect(preview.changes).toEqual({ update: 1 });
    expect(changedPaths(preview, "ada")).toEqual({ "roles[0]": "update" });
    expect(membersOf(sandbox)).toEqual({ [ada]: ["GROUP_OWNER"] });
    console.log(said(preview));
  });
});
