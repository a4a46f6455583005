/** Who a program means: what Check cannot know is found out before the first write, and nothing is half-recorded. */
import type { Sandbox } from "../../sandbox";
import { succeeded } from "../../support";
import { createEstate, disposeEstates } from "../support/estate";
import { invitationOf, invitedTo, memberProgram, membersOf, paymentsId } from "../support/people-program";
import { doors, said, writes } from "../support/project-program";

afterEach(disposeEstates);

const ada = "ada@example.com";
const grace = "grace@example.com";
const joan = "joan@example.com";
const roles = ["GROUP_READ_ONLY"];
const seed = {
  users: [{ username: grace }],
  projects: [{ name: "payments", members: { [ada]: roles }, invitations: [{ username: joan, roles }] }],
};
const nobody = "0123456789abcdef01234567";

const idOf = (service: Sandbox, username: string) => service.user({ username })?.id ?? "";

describe.each(doors)("a person named in a way that cannot be (%s)", (door) => {
  it.each<[string, (service: Sandbox) => object, RegExp]>([
    [
      "username and userId of two members",
      (service) => ({ username: ada, userId: idOf(service, grace), roles }),
      /username "ada@example.com" and userId [0-9a-f]{24} do not name the same person.*found (ada|grace)@example.com \(user [0-9a-f]{24}\)\. Take one of them out, or correct it\. Nothing was written/,
    ],
    [
      "username of an invited person and userId of an account",
      (service) => ({ username: joan, userId: idOf(service, grace), roles }),
      /username "joan@example.com" and userId [0-9a-f]{24} do not name the same person/,
    ],
    [
      "a userId that the service does not know",
      () => ({ userId: nobody, roles }),
      /Looking up account 0123456789abcdef01234567 failed: 404 USER_NOT_FOUND.*Check userId/,
    ],
    [
      "a userId without roles for somebody who is not in",
      (service) => ({ userId: idOf(service, grace) }),
      /user [0-9a-f]{24} is not in project [0-9a-f]{24}, and without roles nobody can be let in. Give roles/,
    ],
    [
      "an invitation that is not pending",
      () => ({ invitationId: nobody }),
      /Invitation 0123456789abcdef01234567 to project [0-9a-f]{24} is not pending.*Give username or userId instead/,
    ],
  ])("is told so, with the way out, and nothing is sent or recorded: %s", async (_, person, message) => {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { seed },
      program: (service) => memberProgram({ projectId: paymentsId(service), ...person(service) }),
    });
    // The host of the dynamic door previews without its provider.
    if (door === "plugin") {
      const preview = await stack.preview();
      expect(preview.exitCode).not.toBe(0);
      expect(said(preview, "error")).toMatch(message);
    }
    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(said(up, "error")).toMatch(message);
    expect(writes(sandbox)).toEqual([]);
    expect(membersOf(sandbox)).toEqual({ [ada]: roles });
    expect(invitedTo(sandbox)).toEqual({ [joan]: roles });
    expect(await stack.resource("ada")).toBeUndefined();
  });

  it.each<[string, object, (service: Sandbox) => object]>([
    ["a member's other userId", { username: ada }, (service) => ({ userId: idOf(service, grace) })],
    ["an invited person's other userId", { username: joan }, (service) => ({ userId: idOf(service, grace) })],
  ])("is told so when an update says it, and the record stays: %s", async (_, person, more) => {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { seed },
      program: (service) => memberProgram({ projectId: paymentsId(service), ...person, roles }),
    });
    await succeeded(stack.up());
    const before = await stack.resource("ada");
    const projectId = paymentsId(sandbox);
    await stack.setProgram(memberProgram({ projectId, ...person, ...more(sandbox), roles: ["GROUP_OWNER"] }));
    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(said(up, "error")).toMatch(/do not name the same person.*Nothing was written/);
    expect(writes(sandbox)).toEqual([]);
    expect(await stack.resource("ada")).toMatchObject({ id: before?.id, outputs: { roles } });

    await stack.setProgram(memberProgram({ projectId, ...person, roles }));
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });

  it("is nobody new where all names mean the same person", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { seed },
      program: (service) =>
        memberProgram({
          projectId: paymentsId(service),
          username: "ADA@example.com",
          userId: idOf(service, ada).toUpperCase(),
          roles,
        }),
    });
    await succeeded(stack.up());
    const { id: invitationId } = invitationOf(sandbox, joan);
    const projectId = paymentsId(sandbox);
    expect((await stack.resource("ada"))?.id).toBe(`${projectId}/ADA@example.com`);
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    await stack.setProgram(memberProgram({ projectId, username: ada, roles }));
    const renamed = await succeeded(stack.up());
    expect(renamed.changes.replace).toBeUndefined();
    expect(writes(sandbox)).toEqual([]);
    expect(invitationOf(sandbox, joan).id).toBe(invitationId);
  });
});
