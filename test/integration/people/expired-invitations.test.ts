/** An invitation that has expired: the preview names the time, and the next up invites the person again. */
import { bothProviders, messagesOf, projectNamed } from "../../engine/support/project-program";
import { keepDefault, succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";
import { bob, readers } from "../../support/people";

beforeEach(() => keepDefault("refreshBeforeUpdate", "the preview has to read the invitations"));
afterEach(tearDownStacks);

const [carol, dana] = ["carol@example.com", "dana@example.com"];
const month = 32 * 86_400;

describe.each(bothProviders)("three people who were invited (%s)", (provider) => {
  async function invite() {
    const setup = await setUpStack({
      provider,
      sandbox: { seed: { projects: [{ name: "payments" }, { name: "billing" }] }, orgUserChanges: "offered" },
      program: (sandbox) => {
        const [projectId, other] = ["payments", "billing"].map((name) => projectNamed(sandbox, name).id);
        const organization = { orgId: sandbox.orgId, username: dana, roles: ["ORG_READ_ONLY"] };
        return {
          resources: {
            bob: { type: "ProjectMember", properties: { projectId, username: bob, roles: readers } },
            people: {
              type: "ProjectMembers",
              properties: { projectId: other, members: { [carol]: readers } },
            },
            dana: { type: "OrganizationMember", properties: organization },
          },
        };
      },
    });
    await succeeded(setup.stack.up());
    const expiredInPreview = async () => {
      const text = messagesOf(await succeeded(setup.stack.preview()));
      const found = text.matchAll(/The invitation of (\S+) to \w+ \w+ expired on \d{4}-/g);
      return [...new Set([...found].map(([, name]) => name))].sort();
    };
    return { ...setup, expiredInPreview };
  }

  it.each([{}, { expiredInvitation: "shown" }] as const)(
    "and whose invitations expired are named, and invited again (a service with %j)",
    async (switches) => {
      const { sandbox, stack, expiredInPreview } = await invite();
      sandbox.setSwitches(switches);
      expect(await expiredInPreview()).toEqual([]);
      sandbox.advanceClock(month);
      expect(await expiredInPreview()).toEqual([bob, carol, dana]);
      await succeeded(stack.up());
      const now = Date.parse(sandbox.time);
      const pending = sandbox.state.invitations.filter(({ expiresAt }) => Date.parse(expiresAt) > now);
      expect(pending.map(({ username }) => username).sort()).toEqual([bob, carol, dana]);
    },
  );

  it("and whose invitations were accepted, or deleted before their end, are not said to have expired", async () => {
    const { sandbox, stack, expiredInPreview } = await invite();
    for (const { id, username } of sandbox.state.invitations)
      if (username === carol) sandbox.acceptInvitation(id);
      else sandbox.removeInvitation(id);
    expect(await expiredInPreview()).toEqual([]);
    sandbox.advanceClock(month);
    await succeeded(stack.up());
    expect(await expiredInPreview()).toEqual([]);
  });
});
