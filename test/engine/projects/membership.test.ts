/** A file declares the same people in another way: no member loses a role. */
import { succeeded } from "../../support";
import { deletions, membersOf } from "../support/people-program";
import { doings, setUpProjectFolder, writeProjectFiles } from "../support/project-folder";
import { bothProviders, projectNamed } from "../support/project-program";
import { tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const accounts = ["ada@example.com", "bob@example.com", "eve@example.com"];
const people = {
  "ada@example.com": ["GROUP_OWNER"],
  "bob@example.com": ["GROUP_READ_ONLY"],
  "eve@example.com": ["GROUP_OWNER"],
};
const members = JSON.stringify(people);

describe.each(bothProviders)(
  "a project file whose people are declared otherwise, through the %s provider",
  (provider) => {
    it("removes no member when membership changes and changes back in a moved file, nor when people are omitted", async () => {
      const setup = await setUpProjectFolder({
        provider,
        sandbox: { bypassInvitations: true, seed: { users: accounts.map((username) => ({ username })) } },
        files: ({ orgId }) => ({
          "_people.yaml": `members: ${members}\n`,
          "payments.yaml": `name: payments\norgId: ${orgId}\nextends: _people.yaml\nonDestroy: delete\n`,
        }),
      });
      const { sandbox, stack } = setup;
      await succeeded(stack.up());
      const { id } = projectNamed(sandbox, "payments");
      const own = `name: payments\norgId: ${sandbox.orgId}\nonDestroy: delete\n`;
      const steps = [
        { "payments.yaml": `${own}extends: _people.yaml\nmembership: additive\n` },
        { "payments.yaml": undefined, "team/payments.yml": `${own}members: ${members}\n` },
        { "team/payments.yml": own },
      ];
      const done: string[][] = [];
      sandbox.clearRequests();
      for (const files of steps) {
        await writeProjectFiles(setup, files);
        done.push(doings(await succeeded(stack.up())));
      }
      const each = (op: string) => accounts.map((name) => `${op} ProjectMember payments/${name}`);
      expect(done).toEqual([
        [...each("create"), "delete ProjectMembers payments"],
        ["create ProjectMembers payments", ...each("delete")],
        ["delete ProjectMembers payments"],
      ]);
      expect(deletions(sandbox)).toEqual([]);
      expect(membersOf(sandbox, id)).toEqual(people);
    });
  },
);
