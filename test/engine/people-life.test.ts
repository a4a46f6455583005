/** The life of a person in a project, each step as somebody meets it: a plain `preview`, a plain `up`. */
import { succeeded } from "../support";
import { createEstate, disposeEstates } from "./support/estate";
import { invitationOf, invitedTo, memberProgram, membersOf, paymentsId } from "./support/people-program";
import { changedPaths, doors, writes } from "./support/project-program";

afterEach(disposeEstates);

const seed = { projects: [{ name: "payments" }] };
const ada = "ada@example.com";

describe.each(doors)("a person without an account (%s)", (door) => {
  it("is invited, accepts, and stays the same person through drift by hand and back", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { seed },
      program: (sandbox) =>
        memberProgram({ projectId: paymentsId(sandbox), username: ada, roles: ["GROUP_READ_ONLY"] }),
    });
    await succeeded(stack.up());
    expect(invitedTo(sandbox)).toEqual({ [ada]: ["GROUP_READ_ONLY"] });
    expect(await stack.resource("ada")).toMatchObject({
      id: `${paymentsId(sandbox)}/${ada}`,
      outputs: {
        status: "pending",
        username: ada,
        origin: "created",
        groupName: "payments",
        orgId: sandbox.orgId,
      },
    });

    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    sandbox.acceptInvitation(invitationOf(sandbox, ada).id);
    sandbox.clearRequests();
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect(writes(sandbox)).toEqual([]);
    // The host of the dynamic door has no refresh before an update: there the record waits for the next one.
    if (door === "dynamic") await succeeded(stack.refresh());
    expect(await stack.resource("ada")).toMatchObject({ outputs: { status: "active", username: ada } });

    sandbox.setMember(paymentsId(sandbox), { username: ada }, ["GROUP_OWNER"]);
    const preview = await succeeded(stack.preview());
    expect(preview.changes).toEqual({ update: 1 });
    if (door === "plugin") expect(changedPaths(preview, "ada")).toEqual({ "roles[0]": "update" });
    expect(membersOf(sandbox)).toEqual({ [ada]: ["GROUP_OWNER"] });
  });
});
