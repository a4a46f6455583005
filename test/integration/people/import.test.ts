/** What `pulumi import` of a ProjectMember takes into the state. The code that it writes: `test/engine/people/life-import`. */
import { invitationOf, invitedTo, membershipsIn } from "../../engine/support/people-program";
import { errorsOf, messagesOf, writes } from "../../engine/support/project-program";
import { succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import { admins, eve, owners, peopleWith, person, projectId, readers, setUpPayments } from "./payments";

afterEach(tearDownStacks);

// The dynamic provider is not here: nothing can be imported into a dynamic resource (known difference).
const token = "opsmanager:index:ProjectMember";
const absent = "0".repeat(24);
const ada = "Ada@Example.com";
const roles = [...readers, ...admins];

describe("a member", () => {
  it.each(["username", "other case", "userId"] as const)(
    "is imported by projectId/%s, and a program with the imported inputs has no difference",
    async (form) => {
      const { sandbox, stack, userId, upWith, previewWith } = await setUpPayments({
        members: { [ada]: roles },
      });
      const account = { username: ada, userId: userId(ada) };
      const name = { ...account, "other case": "ada@EXAMPLE.com", userId: userId(ada).toUpperCase() }[form];
      const run = await succeeded(stack.import(token, "ada", `${projectId.toUpperCase()}/${name}`));
      expect(run.changes).toEqual({ import: 1 });
      const inputs = { projectId, username: ada, roles };
      expect(await stack.resource("ada")).toMatchObject({
        id: `${projectId}/${ada}`,
        inputs,
        outputs: {
          ...account,
          status: "active",
          groupName: "payments",
          origin: "imported",
          onDestroy: "remove",
        },
      });
      expect((await succeeded(previewWith({ ada: person(inputs) }))).changes).toEqual({ same: 1 });
      expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
      const byId = { ada: person({ userId: userId(ada), roles }) };
      expect((await succeeded(upWith(byId))).changes).toEqual({ same: 1 });
      expect(writes(sandbox)).toEqual([]);
      expect(await stack.resource("ada")).toMatchObject({ outputs: { origin: "imported" } });
      await succeeded(stack.destroy());
      expect(membershipsIn(sandbox)).toEqual(peopleWith({}));
    },
  );

  it("is not imported if the key may not list the members", async () => {
    const { sandbox, stack } = await setUpPayments({ members: { [ada]: roles } });
    sandbox.addFault({ method: "GET", pathPattern: "/groups/\\w+/users", times: 0, fault: { status: 403 } });
    expect(await errorsOf(stack.import(token, "ada", `${projectId}/${ada}`))).toContain("failed: 403");
    expect(await stack.resource("ada")).toBeUndefined();
  });
});

describe("an invited user", () => {
  it.each(["username", "invitationId"] as const)(
    "is imported by projectId/%s, and a program with the imported inputs has no difference",
    async (form) => {
      const { sandbox, stack, upWith } = await setUpPayments({ invited: { [eve]: readers } });
      const { id: invitationId } = invitationOf(sandbox, eve);
      const name = { username: eve, invitationId: invitationId.toUpperCase() }[form];
      await succeeded(stack.import(token, "eve", `${projectId}/${name}`));
      const inputs = { projectId, username: eve, roles: readers };
      expect(await stack.resource("eve")).toMatchObject({
        id: `${projectId}/${eve}`,
        inputs,
        outputs: { status: "pending", invitationId, origin: "imported" },
      });
      expect((await succeeded(upWith({ eve: person(inputs) }))).changes).toEqual({ same: 1 });
      expect(writes(sandbox)).toEqual([]);
      sandbox.acceptInvitation(invitationId);
      expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
      await succeeded(stack.refresh());
      expect(await stack.resource("eve")).toMatchObject({
        outputs: { status: "active", origin: "imported" },
      });
      expect(invitedTo(sandbox)).toEqual({});
    },
  );
});

describe("an id without a member or invitation in the project", () => {
  it("is not imported, and nothing enters the state: a username, an id, a project that does not exist", async () => {
    const { sandbox, stack } = await setUpPayments({ members: { [ada]: roles } });
    for (const id of [`${projectId}/grace@example.com`, `${projectId}/${absent}`, `${absent}/${ada}`]) {
      const run = await stack.import(token, "ada", id);
      expect({ exitCode: run.exitCode, errors: messagesOf(run, "error") }).toEqual({
        exitCode: 1,
        errors: "",
      });
      expect(await stack.resource("ada")).toBeUndefined();
    }
    expect(writes(sandbox)).toEqual([]);
  });

  it("is that of a user with access only through a team, who is not imported", async () => {
    const { sandbox, stack, userId } = await setUpPayments({ accounts: [ada] });
    const { id: teamId } = sandbox.addTeam({ name: "platform", userIds: [userId(ada)] });
    sandbox.setProjectTeam(projectId, { teamId, roleNames: owners });
    expect((await stack.import(token, "ada", `${projectId}/${ada}`)).exitCode).not.toBe(0);
    expect(await stack.resource("ada")).toBeUndefined();
  });

  it("is no id of a person at all: the error shows the three forms, and no request is sent", async () => {
    const { sandbox, stack } = await setUpPayments();
    for (const id of [ada, `payments/${ada}`, `${absent}/`, absent]) {
      const errors = await errorsOf(stack.import(token, "ada", id));
      expect(errors).toContain(`"${id}" does not name a person: ProjectMember is imported by`);
      expect(errors).toContain("<projectId>/<username>, <projectId>/<userId> or <projectId>/<invitationId>");
      expect(await stack.resource("ada")).toBeUndefined();
    }
    expect(sandbox.requests).toEqual([]);
  });
});
