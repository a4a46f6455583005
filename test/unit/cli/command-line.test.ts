/** What all commands share: help with examples, short options, and the exit code of an invalid command line. */
import { runCommand } from "../../support/command";

const commands = ["drift", "access", "adopt", "validate", "summarize", "doctor", "verify"];

it.each(commands)(
  "the help of %s has two examples that work where it was started, and each exit code",
  async (name) => {
    const examplesIn = async (env: Record<string, string>) => {
      const { exitCode, stdout } = await runCommand([name, "--help"], { env });
      expect(exitCode).toBe(0);
      return stdout.split("\nExamples:\n")[1]?.trimEnd().split("\n") ?? [];
    };
    const examples = await examplesIn({});
    expect(examples.length).toBeGreaterThan(1);
    for (const example of examples) expect(example).toMatch(new RegExp(`^  opsmanager ${name}( |$)`));
    const withNpx = examples.map((example) => example.replace("  ", "  npx --no-install "));
    expect(await examplesIn({ npm_command: "exec" })).toEqual(withNpx);
  },
);

it.each([
  [["drifts"]],
  [["drift", "--unmanged"]],
  [["drift", "--parallel", "0"]],
  [["drift", "--parallel", "2.5"]],
  [["drift", "--previous", "monday.json", "--previous", "tuesday.json"]],
  [["drift", "--format", "yaml"]],
  [["drift", "--org", "x"]],
  [["drift", "-C", "/nowhere"]],
  [["access", " "]],
  [["access", "ada@example.com", "--org", "x"]],
  [["access", "ada@example.com", "--format", "html"]],
  [["adopt", "--shard", "4/4"]],
  [["validate", "a", "b"]],
  [["summarize"]],
  [["summarize", "destroy"]],
  [["doctor", "--json=x"]],
  [["verify"]],
])("%j is an invalid command line: 64, which is the code of no result", async (argv) => {
  const { exitCode, stdout, stderr } = await runCommand(argv);
  expect({ exitCode, stdout }).toEqual({ exitCode: 64, stdout: "" });
  expect(stderr).not.toBe("");
});
