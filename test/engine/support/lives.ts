/**
 * One life of each resource with separate processes for each command, as on a user's machine. The
 * resource is created, unchanged, changed in the program, changed outside Pulumi and corrected,
 * refreshed and destroyed.
 */
import type { Sandbox } from "../../../sandbox";
import { type ProviderKind, type Stack, succeeded } from "../../support";
import { grace, orgId, projectTeamsOf, seed, teamNamed, teamProgram, teamsOf } from "../teams/support";
import { invitedTo, memberProgram, membersOf, membersProgram, paymentsId } from "./people-program";
import { projectNamed, projectProgram, projectsNamed, writes } from "./project-program";
import { type StackSetupOptions, setUpStack, tearDownStacks } from "./stack-setup";

const ada = "ada@example.com";
const owner = "owner@example.com";
const reader = ["GROUP_READ_ONLY"];
const payments = { seed: { projects: [{ name: "payments", members: { [owner]: ["GROUP_OWNER"] } }] } };

/** @param kind with which the resources live */
export function describeLives(kind: ProviderKind): void {
  const start = (options: Pick<StackSetupOptions, "program" | "sandbox">) =>
    setUpStack({ ...options, provider: kind, plugin: "started", processes: "real" });

  afterEach(tearDownStacks);

  describe(`one life through the ${kind === "plugin" ? "provider plugin" : "dynamic provider"}`, () => {
    it("of a project", async () => {
      const { sandbox, stack } = await start({
        program: ({ orgId }) => projectProgram({ orgId, name: "payments", tags: ["PROD"] }),
      });
      const { orgId } = sandbox;
      expect((await succeeded(stack.up())).changes).toEqual({ create: 1 });
      const { id } = projectNamed(sandbox, "payments");
      expect(sandbox.project(id)).toMatchObject({ orgId, tags: ["PROD"] });
      await expectNoChange(stack);

      await stack.setProgram(projectProgram({ orgId, name: "ledger", tags: ["PROD", "TEAM-A"] }));
      sandbox.changeProject(id, { tags: ["URGENT"] });
      expect((await succeeded(stack.up())).changes).toEqual({ update: 1 });
      expect(sandbox.project(id)).toMatchObject({ name: "ledger", tags: ["PROD", "TEAM-A"] });

      sandbox.changeProject(id, { tags: ["URGENT"] });
      expect((await succeeded(stack.refresh())).changes).toEqual({ update: 1 });
      expect(await stack.resource("payments")).toMatchObject({ id, outputs: { tags: ["URGENT"] } });
      expect((await succeeded(stack.destroy())).changes).toEqual({ delete: 1 });
      expect(projectsNamed(sandbox, "ledger")).toEqual([]);
    });

    it("of a person in a project", async () => {
      const { sandbox, stack } = await start({
        sandbox: payments,
        program: (sandbox) => memberProgram({ projectId: paymentsId(sandbox), username: ada, roles: reader }),
      });
      const projectId = paymentsId(sandbox);
      expect((await succeeded(stack.up())).changes).toEqual({ create: 1 });
      expect(invitedTo(sandbox)).toEqual({ [ada]: reader });
      await expectNoChange(stack);

      for (const { id } of sandbox.state.invitations) sandbox.acceptInvitation(id);
      const roles = ["GROUP_MONITORING_ADMIN"];
      await stack.setProgram(memberProgram({ projectId, username: ada, roles }));
      expect((await succeeded(stack.up())).changes).toEqual({ update: 1 });
      expect(membersOf(sandbox)).toEqual({ [owner]: ["GROUP_OWNER"], [ada]: roles });

      sandbox.setMember(projectId, { username: ada }, ["GROUP_OWNER"]);
      expect((await succeeded(stack.refresh())).changes).toEqual({ update: 1 });
      expect(await stack.resource("ada")).toMatchObject({ outputs: { roles: ["GROUP_OWNER"] } });
      expect((await succeeded(stack.destroy())).changes).toEqual({ delete: 1 });
      expect(membersOf(sandbox)).toEqual({ [owner]: ["GROUP_OWNER"] });
    });

    it("of all people of a project", async () => {
      const members = { [owner]: ["GROUP_OWNER"], [ada]: reader };
      const { sandbox, stack } = await start({
        sandbox: { ...payments, bypassInvitations: true },
        program: (sandbox) => membersProgram({ projectId: paymentsId(sandbox), members }),
      });
      const projectId = paymentsId(sandbox);
      sandbox.addUser({ username: ada });
      expect((await succeeded(stack.up())).changes).toEqual({ create: 1 });
      expect(membersOf(sandbox)).toEqual(members);
      await expectNoChange(stack);

      sandbox.setMember(projectId, { username: ada }, ["GROUP_OWNER"]);
      expect((await succeeded(stack.up())).changes).toEqual({ update: 1 });
      expect(membersOf(sandbox)).toEqual(members);

      await stack.setProgram(membersProgram({ projectId, members: { [owner]: ["GROUP_OWNER"] } }));
      expect((await succeeded(stack.up())).changes).toEqual({ update: 1 });
      expect(membersOf(sandbox)).toEqual({ [owner]: ["GROUP_OWNER"] });
      sandbox.clearRequests();
      expect((await succeeded(stack.destroy())).changes).toEqual({ delete: 1 });
      expect(writes(sandbox)).toEqual([]);
    });

    it("of an agent API key", async () => {
      const keyProgram = (service: Sandbox, description: string) => {
        const properties = { projectId: paymentsId(service), description };
        return { resources: { agents: { type: "AgentApiKey", properties } } };
      };
      const { sandbox, stack } = await start({
        sandbox: payments,
        program: (service) => keyProgram(service, "agents"),
      });
      const keys = () => sandbox.project(paymentsId(sandbox))?.agentKeys.slice(1) ?? [];
      expect((await succeeded(stack.up())).changes).toEqual({ create: 1 });
      const [first] = keys();
      expect(first).toMatchObject({ desc: "agents" });
      await expectNoChange(stack);

      await stack.setProgram(keyProgram(sandbox, "new agents"));
      expect((await succeeded(stack.up())).changes).toEqual({ replace: 1 });
      expect(keys()).toEqual([expect.objectContaining({ desc: "new agents" })]);

      expect((await succeeded(stack.refresh())).changes).toEqual({ same: 1 });
      expect(await stack.resource("agents")).toMatchObject({
        outputs: { keyId: keys()[0]?.id, key: { ciphertext: expect.any(String) } },
      });
      expect((await succeeded(stack.destroy())).changes).toEqual({ delete: 1 });
      expect(keys()).toEqual([]);
    });

    it("of a team and its roles in a project", async () => {
      const program = (service: Sandbox, usernames: readonly string[], roles: readonly string[]) =>
        teamProgram(
          { orgId, name: "operators", usernames },
          { inPayments: { projectId: paymentsId(service), teamId: "${operators.teamId}", roles } },
        );
      const { sandbox, stack } = await start({
        sandbox: { seed },
        program: (service) => program(service, [ada, grace], reader),
      });
      const projectId = paymentsId(sandbox);
      expect((await succeeded(stack.up())).changes).toEqual({ create: 2 });
      expect(teamsOf(sandbox)).toEqual({ operators: [ada, grace] });
      await expectNoChange(stack, 2);

      await stack.setProgram(program(sandbox, [ada], ["GROUP_OWNER"]));
      expect((await succeeded(stack.up())).changes).toEqual({ update: 2 });
      expect(teamsOf(sandbox)).toEqual({ operators: [ada] });
      expect(projectTeamsOf(sandbox, projectId)).toEqual({ operators: ["GROUP_OWNER"] });

      const { id: teamId } = teamNamed(sandbox, "operators");
      sandbox.setProjectTeam(projectId, { teamId, roleNames: reader });
      expect((await succeeded(stack.refresh())).changes).toEqual({ same: 1, update: 1 });
      expect(await stack.resource("inPayments")).toMatchObject({ outputs: { teamId, roles: reader } });
      expect((await succeeded(stack.destroy())).changes).toEqual({ delete: 2 });
      expect(teamsOf(sandbox)).toEqual({});
    });
  });

  async function expectNoChange(stack: Stack, resources = 1): Promise<void> {
    const up = await succeeded(stack.up({ expectNoChanges: true }));
    expect(up.changes).toEqual({ same: resources });
  }
}
