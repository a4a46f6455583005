/** The `pulumi` command lines in the documents: the engine has each command and each option. */

import { resources } from "../../../provider/resources";
import { createStack, disposeStacks } from "../../support";
import { allPages, type CommandLine, parsePage } from "../../support/documents";

afterEach(disposeStacks);

type Help = (words: readonly string[]) => Promise<string>;

/** The help of the engine, by command without options and arguments. */
async function helpOfEngine(): Promise<Help> {
  const stack = await createStack({ program: { outputs: {} } });
  const texts = new Map<string, Promise<string>>();
  return (words) => {
    const key = words.join(" ");
    const text = texts.get(key) ?? stack.run(...words, "--help").then(({ output }) => output);
    texts.set(key, text);
    return text;
  };
}

/** The options of `pulumi do` for the inputs of a resource. Its help contains them only if it finds the plugin. */
function inputOptions(args: readonly string[]): readonly string[] {
  const resource = args[0] === "do" ? resources.find(({ name }) => args[1]?.endsWith(`:${name}`)) : undefined;
  const inputs = args[2] === "list" ? resource?.listing.inputs : resource?.inputs;
  return Object.keys(inputs?.shape ?? {}).map(
    (name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
  );
}

/** What the engine does not know of this command line; `undefined` for nothing. */
async function faultOf({ words: [, ...args] }: CommandLine, help: Help): Promise<string | undefined> {
  const options = args.filter((arg) => arg.startsWith("-"));
  // Names of commands have small letters only; an argument such as an URN or a path does not.
  const names = args.slice(0, args.findIndex((arg) => !/^[a-z][a-z-]*$/.test(arg)) >>> 0).slice(0, 3);
  const text = await help(names);
  const [, usage = ""] = /^Usage:\n\s+pulumi ([^\n]*)/m.exec(text) ?? [];
  const command = usage.split(" ").filter((word) => /^[a-z][a-z-]*$/.test(word));
  if (names.length > 0 && command.length === 0) return `no command ${names[0]}`;
  // A command with commands below it accepts no other word.
  const isGroup = /^Available Commands:/m.test(text);
  if (isGroup && names.length > command.length) return `no command ${names.join(" ")}`;
  const unknown = options.filter((option) => {
    const name = option.split("=")[0] ?? option;
    if (inputOptions(args).includes(name)) return false;
    return !new RegExp(`(^|[\\s,])${name}\\b`, "m").test(text);
  });
  return unknown.length > 0 ? `no option ${unknown.join(", ")}` : undefined;
}

async function faultsIn(commands: readonly CommandLine[]): Promise<string[]> {
  const help = await helpOfEngine();
  const faults: string[] = [];
  for (const command of commands.filter(({ words }) => words[0] === "pulumi")) {
    const fault = await faultOf(command, help);
    if (fault) faults.push(`${command.page}:${command.line}: ${command.words.join(" ")}: ${fault}`);
  }
  return faults;
}

it("the engine has every command and option of the documents", async () => {
  const commands = allPages()
    .filter(({ path }) => path !== "CHANGELOG.md")
    .flatMap((page) => page.commands);
  expect(commands.filter(({ words }) => words[0] === "pulumi").length).toBeGreaterThan(40);
  expect(await faultsIn(commands)).toEqual([]);
});

it("a wrong command and a wrong option are faults", async () => {
  const lines = [
    "pulumi upp",
    "pulumi config sett a b",
    "pulumi up --skip-previews",
    "pulumi do opsmanager:index:Team list --project-id 5f0000000000000000000001",
    "pulumi refresh --preview-only --expect-no-changes",
  ];
  const { commands } = parsePage("x.md", ["```sh", ...lines, "```"].join("\n"));
  const faults = await faultsIn(commands);
  expect(faults.map((fault) => Number(fault.split(":")[1]) - 2)).toEqual([0, 1, 2, 3]);
});
