/** The people of a team can be secrets: then no run shows one, and the state holds none in clear text. */
import { type Run, succeeded } from "../../support";
import { stateText } from "../support/mechanics";
import { bothProviders, messagesOf } from "../support/project-program";
import { tearDownStacks } from "../support/stack-setup";
import { ada, grace, linus, orgId, startTeams, teamNamed, teamProgram, teamsOf } from "./support";

afterEach(tearDownStacks);

const team = (usernames: readonly string[]) =>
  teamProgram({ orgId, name: "operators", usernames: { "fn::secret": usernames } });

const encrypted = { ciphertext: expect.any(String) };
const names = /(ada|grace|linus|eve)(@|%40)example\.com/i;

it.each(bothProviders)(
  "secret people of a team stay encrypted in the state and unnamed in what a run shows (%s)",
  async (provider) => {
    const { sandbox, stack } = await startTeams(provider, () => team([ada, grace]));
    const runs: Run[] = [await succeeded(stack.preview()), await succeeded(stack.up())];
    await stack.setProgram(team([ada, linus]));
    runs.push(await succeeded(stack.preview({ diff: true })), await succeeded(stack.up()));
    expect(teamsOf(sandbox)).toEqual({ operators: [ada, linus] });

    const { id } = teamNamed(sandbox, "operators");
    sandbox.changeTeam(id, { userIds: [sandbox.user({ username: linus })?.id ?? ""] });
    runs.push(await succeeded(stack.refresh()), await succeeded(stack.up()));
    expect(teamsOf(sandbox)).toEqual({ operators: [ada, linus] });
    expect((await stack.resource("operators"))?.outputs).toMatchObject({
      usernames: encrypted,
      people: encrypted,
    });
    expect(await stateText(stack)).not.toMatch(names);

    await stack.setProgram(team([ada, "eve@example.com"]));
    const refused = await stack.up();
    expect(messagesOf(refused, "error")).toContain("has no account with the name [secret]");
    for (const run of [...runs, refused]) expect(`${run.output}\n${messagesOf(run)}`).not.toMatch(names);
  },
);
