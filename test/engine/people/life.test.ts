/** The lifecycle of a member of a project, each step with a plain `preview` and a plain `up`. */
import { type ProviderKind, succeeded } from "../../support";
import { ada, adaOn, owner, roles } from "../support/ada";
import { differences } from "../support/differences";
import { invitationOf, invitedTo, membersOf, nothing, upAgain } from "../support/people-program";
import { bothProviders, changedPaths, writes } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const { inviteAda } = adaOn(setUpStack);

/** The commands of one life, with what each of them did and left. */
async function liveOnce(provider: ProviderKind) {
  const { personAddedAgain, recordsAcceptance } = differences[provider];
  const { setup, sandbox, stack, projectId, invitation } = await inviteAda({ provider });
  const read = async () => ({
    members: membersOf(sandbox),
    invited: invitedTo(sandbox),
    record: await stack.resource("ada"),
  });
  const after = async (command: "preview" | "up" | "destroy") => {
    sandbox.clearRequests();
    const { changes, steps } = await succeeded(stack[command]());
    return { changes, writes: writes(sandbox), paths: changedPaths({ steps }, "ada"), ...(await read()) };
  };
  const invited = { writes: writes(sandbox), ...(await read()) };
  const repeated = [await upAgain(setup)];

  const { id: userId } = sandbox.acceptInvitation(invitation.id);
  const { changes, writes: written } = await after("preview");
  repeated.push({ changes, writes: written }, await upAgain(setup));
  if (recordsAcceptance === "refresh") await succeeded(stack.refresh());
  const accepted = await read();
  repeated.push(await upAgain(setup));

  sandbox.setMember(projectId, { username: ada }, ["GROUP_OWNER", "GROUP_READ_ONLY"]);
  const otherRoles = { preview: await after("preview"), up: await after("up") };
  repeated.push(await upAgain(setup));

  sandbox.removeMember(projectId, { username: ada });
  const removed = { preview: await after("preview"), up: await after("up") };
  repeated.push(await upAgain(setup));

  const { id: lastInvitation } = invitationOf(sandbox, ada);
  const destroyed = await after("destroy");
  const steps = { invited, accepted, otherRoles, removed, destroyed, repeated };
  const { orgId, publicKey } = sandbox;
  return { ...steps, personAddedAgain, invitation, lastInvitation, userId, projectId, orgId, publicKey };
}

describe.each(bothProviders)("the life of a person without an account (%s)", (provider) => {
  let life: Awaited<ReturnType<typeof liveOnce>>;
  beforeAll(async () => {
    life = await liveOnce(provider);
  });

  const added = () => ({
    method: "POST",
    path: `/groups/${life.projectId}/users`,
    body: [{ id: life.userId, roles: [{ roleName: "GROUP_READ_ONLY" }] }],
  });

  it("a person without an account is invited by one request, and the record describes the invitation", () => {
    const { invited, invitation, projectId, orgId, publicKey } = life;
    const { id, createdAt, expiresAt } = invitation;
    const path = `/groups/${projectId}/invites`;
    expect(invited.writes).toEqual([{ method: "POST", path, body: { username: ada, roles } }]);
    expect(invited.record).toMatchObject({
      id: `${projectId}/${ada}`,
      outputs: {
        status: "pending",
        username: ada,
        roles,
        invitationId: id,
        createdAt,
        expiresAt,
        inviterUsername: publicKey,
        groupName: "payments",
        orgId,
        origin: "created",
        onDestroy: "remove",
      },
    });
  });

  it("a member who is as declared stays so: after the invitation, its acceptance and each correction, an up changes nothing", () => {
    expect(life.repeated).toEqual(Array(6).fill(nothing));
  });

  it("the record of an accepted invitation describes an active member, without the fields of an invitation", () => {
    const { accepted, projectId, userId } = life;
    expect(accepted.record).toMatchObject({
      id: `${projectId}/${ada}`,
      outputs: { status: "active", username: ada, userId, roles, origin: "created" },
    });
    const fields = Object.keys(accepted.record?.outputs ?? {});
    expect(
      fields.filter((field) => /^(invitationId|createdAt|expiresAt|inviterUsername)$/.test(field)),
    ).toEqual([]);
  });

  it("roles that were changed outside Pulumi are shown by the preview and corrected by one request", () => {
    const { preview, up } = life.otherRoles;
    expect([preview.changes, up.changes]).toEqual([{ update: 1 }, { update: 1 }]);
    expect([preview.writes, up.writes]).toEqual([[], [added()]]);
    expect(preview.paths).toEqual(differences[provider].shownPaths({ "roles[0]": "delete" }));
    expect(preview.members).toMatchObject({ [ada]: ["GROUP_OWNER", "GROUP_READ_ONLY"] });
    expect(up.members).toMatchObject({ [ada]: roles });
  });

  it("a member who was removed outside Pulumi is added again, and the service invites this account", () => {
    const { preview, up } = life.removed;
    const changes = { [life.personAddedAgain]: 1 };
    expect([preview.changes, up.changes]).toEqual([changes, changes]);
    expect([preview.writes, up.writes]).toEqual([[], [added()]]);
    expect(Object.keys(preview.members)).toEqual([owner]);
    expect(up.invited).toEqual({ [ada]: roles });
    expect(up.record).toMatchObject({
      id: `${life.projectId}/${ada}`,
      outputs: { status: "pending", invitationId: life.lastInvitation },
    });
  });

  it("destroying a member whose invitation is pending takes the invitation back", () => {
    const { destroyed, projectId, lastInvitation } = life;
    expect(destroyed).toMatchObject({ changes: { delete: 1 }, invited: {}, record: undefined });
    expect(destroyed.writes).toEqual([
      { method: "DELETE", path: `/groups/${projectId}/invites/${lastInvitation}` },
    ]);
  });
});

describe("without the refresh before an update (plugin; the dynamic provider never has it)", () => {
  it("an invitation is read all the same until it is accepted, is sent again if it was taken back, and is read no longer once it is accepted", async () => {
    const circumstances = { provider: "plugin", refreshBeforeUpdate: false } as const;
    const { setup, sandbox, stack, projectId, invitation } = await inviteAda(circumstances);
    expect(await upAgain(setup)).toEqual(nothing);
    expect(sandbox.requests).toContainEqual(
      expect.objectContaining({ method: "GET", path: `/api/public/v1.0/groups/${projectId}/invites` }),
    );

    sandbox.removeInvitation(invitation.id);
    expect((await upAgain(setup)).changes).toEqual({ create: 1 });
    expect(invitedTo(sandbox)).toEqual({ [ada]: ["GROUP_READ_ONLY"] });
    expect(await upAgain(setup)).toEqual(nothing);

    sandbox.acceptInvitation(invitationOf(sandbox, ada).id);
    expect(await upAgain(setup)).toEqual(nothing);
    expect(await stack.resource("ada")).toMatchObject({ outputs: { status: "active", username: ada } });

    sandbox.setMember(projectId, { username: ada }, ["GROUP_OWNER"]);
    expect(await upAgain(setup)).toEqual(nothing);
    expect(sandbox.requests).toEqual([]);
    expect((await succeeded(stack.preview({ refresh: true }))).changes).toEqual({ update: 1 });
  });
});
