/** "Start with several stacks" of docs/scale.md: with its commands, each stack imports its own shard, and none changes anything. */
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { succeeded } from "../../support";
import { readPage } from "../../support/documents";
import { setUpAccessFolder } from "../support/access-folder";
import { opsmanager } from "../support/opsmanager";
import { writes } from "../support/project-program";
import { tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

it("starts stacks of two shards with the commands of the page", async () => {
  const block = readPage("docs/scale.md").blocks.find(({ text }) => text.startsWith("pulumi stack init"));
  const members = { "olga@example.com": ["GROUP_OWNER"] };
  const { stack, sandbox } = await setUpAccessFolder({
    provider: "plugin",
    sandbox: { seed: { projects: ["payments", "billing", "eve"].map((name) => ({ name, members })) } },
    select: 'new (require("@pulumi/pulumi").Config)().requireObject("select")',
    files: () => ({}),
  });
  const settingsOf = (name: string) => join(stack.paths.program, `Pulumi.${name}.yaml`);
  const imported: number[] = [];
  for (const index of ["0", "1"]) {
    const commands = (block?.text ?? "")
      .replaceAll("part-0", `part-${index}`)
      .replace("index 0", `index ${index}`)
      .replace("count 4", "count 2")
      .replace("0/4", `${index}/2`);
    for (const command of commands.trimEnd().split("\n")) {
      const [program, ...words] = command.split(" ");
      if (program === "npx") {
        const [, , ...argv] = words;
        const { stdout, stderr, exitCode } = await opsmanager(stack, argv);
        expect([exitCode, stderr]).toEqual([0, ""]);
        imported.push(
          ...[...stdout.matchAll(/^(\d+) resources imported/gm)].map(([, count]) => Number(count)),
        );
        continue;
      }
      const unattended = words[0] === "up" ? ["--yes", "--skip-preview"] : [];
      const { output } = await succeeded(stack.run(...words, ...unattended));
      if (words[1] === "init") await copyFile(settingsOf(stack.name), settingsOf(`part-${index}`));
      if (words[0] === "preview") expect(output).not.toMatch(/to (create|update|delete|replace)/);
    }
  }
  // Each project and its list; the organization's owner is in the shard of its file.
  expect(imported.reduce((sum, count) => sum + count)).toBe(7);
  expect(writes(sandbox)).toEqual([]);
});
