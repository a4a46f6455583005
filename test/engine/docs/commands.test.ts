/** The `pulumi` command lines in the documents: the engine has each command and each option. */
import { readdirSync, readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { resources } from "../../../provider/resources/all";
import { createStack, disposeStacks, succeeded } from "../../support";
import { allPages, type CommandLine, parsePage } from "../../support/documents";

/** The engine's own pages about its commands, such as `pulumi_stack_init`, also by the aliases of commands. */
const help = new Map<string, string>();

beforeAll(async () => {
  const stack = await createStack({ program: { outputs: {} } });
  const folder = join(stack.paths.root, "help");
  await mkdir(folder);
  await succeeded(stack.run("gen-markdown", folder));
  for (const file of readdirSync(folder)) {
    const text = readFileSync(join(folder, file), "utf8");
    for (const [, alias = ""] of text.matchAll(/^ +- \S*\/(pulumi[\w-]*)\/$/gm)) help.set(alias, text);
    help.set(basename(file, ".md"), text);
  }
  await disposeStacks();
});

/** The options of `pulumi do` for the inputs of a resource. Its help contains them only if it finds the plugin. */
function inputOptions(args: readonly string[]): readonly string[] {
  const resource = args[0] === "do" ? resources.find(({ name }) => args[1]?.endsWith(`:${name}`)) : undefined;
  const inputs = args[2] === "list" ? resource?.listing.inputs : resource?.inputs;
  return Object.keys(inputs?.shape ?? {}).map(
    (name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
  );
}

/** What the engine does not know of this command line; `undefined` for nothing. */
function faultOf({ words: [, ...args] }: CommandLine): string | undefined {
  // Names of commands have small letters only; an argument such as an URN or a path does not.
  const names = args.slice(0, args.findIndex((arg) => !/^[a-z][a-z-]*$/.test(arg)) >>> 0).slice(0, 3);
  const pages = names.map((_, index) => ["pulumi", ...names.slice(0, index + 1)].join("_"));
  const page = pages.findLast((name) => help.has(name)) ?? "pulumi";
  // A command with commands below it accepts no other word.
  const isGroup = [...help.keys()].some((name) => name.startsWith(`${page}_`));
  if (isGroup && page !== (pages.at(-1) ?? page)) return `no command ${names.join(" ")}`;
  const unknown = args
    .filter((arg) => arg.startsWith("-"))
    .map((option) => option.split("=")[0] ?? option)
    .filter((name) => !inputOptions(args).includes(name))
    .filter((name) => !new RegExp(`^ +(-\\w, )?${name}\\b`, "m").test(help.get(page) ?? ""));
  return unknown.length > 0 ? `no option ${unknown.join(", ")}` : undefined;
}

function faultsIn(commands: readonly CommandLine[]): string[] {
  return commands
    .filter(({ words }) => words[0] === "pulumi")
    .flatMap((command) => {
      const fault = faultOf(command);
      return fault ? [`${command.page}:${command.line}: ${command.words.join(" ")}: ${fault}`] : [];
    });
}

it("the engine has every command and option of the documents", () => {
  const commands = allPages()
    .filter(({ path }) => path !== "CHANGELOG.md")
    .flatMap((page) => page.commands);
  expect(commands.filter(({ words }) => words[0] === "pulumi").length).toBeGreaterThan(40);
  expect(faultsIn(commands)).toEqual([]);
});

it("a wrong command and a wrong option are faults", () => {
  const lines = [
    "pulumi upp",
    "pulumi config sett a b",
    "pulumi up --skip-previews",
    "pulumi do opsmanager:index:Team list --project-id 5f0000000000000000000001",
    "pulumi refresh --preview-only --expect-no-changes",
  ];
  const { commands } = parsePage("x.md", ["```sh", ...lines, "```"].join("\n"));
  expect(faultsIn(commands).map((fault) => Number(fault.split(":")[1]) - 2)).toEqual([0, 1, 2, 3]);
});
