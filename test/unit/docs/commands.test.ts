/** Command lines in the documents: programs, commands and options exist. `test/engine/docs` checks those of `pulumi`. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { commandLine } from "../../../cli";
import { kindsOfUnmanaged } from "../../../cli/drift/report/unmanaged-kinds";
import { flags as sandboxFlags } from "../../../sandbox/options";
import { allPages, type CommandLine, parsePage, readPage, userPages } from "../../support/documents";
import { repositoryRoot } from "../../support/repository";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly repository: { readonly url: string };
}

const manifest: Manifest = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8"));
const repositoryUrl = manifest.repository.url.replace(/^git\+|\.git$/g, "");

const silent = () => undefined;
const stop = new AbortController().signal;
const terminal = { stdout: silent, stderr: silent, isWatched: false, hasColors: false, columns: 80 };
const program = commandLine({ ...terminal, env: {}, cwd: ".", stop }, silent);

function commandNamed(name: string | undefined): Command | undefined {
  return program.commands.find((command) => command.name() === name);
}

type Check = (args: readonly string[]) => string | undefined;

/** What is wrong with the arguments of each program; `undefined` for nothing. */
const checks: Readonly<Record<string, Check>> = {
  opsmanager: faultOfOpsmanager,
  npx: ([option, name, ...args]) => {
    if (option !== "--no-install") return "npx without --no-install";
    return name === "opsmanager" ? faultOfOpsmanager(args) : `npx ${name}`;
  },
  npm: faultOfNpm,
  pulumi: () => undefined,
  git: (args) =>
    [`clone ${repositoryUrl}`, "fetch", "checkout COMMIT"].includes(args.join(" "))
      ? undefined
      : "neither a new commit nor the address of this repository",
  cd: ([folder]) => (folder ? undefined : "no folder"),
  mkdir: ([folder]) => (folder ? undefined : "no folder"),
  cp: ([option, folder = ""]) => {
    const path = folder.replace("../pulumi-opsmanager/", "");
    return option === "-r" && existsSync(join(repositoryRoot, path)) ? undefined : `no folder ${path}`;
  },
  echo: () => undefined,
  python3: ([option, module]) => (option === "-m" && module === "venv" ? undefined : "not -m venv"),
  source: () => undefined,
  pip: ([command, source = ""]) => {
    const [, folder = "missing"] = /^\.\.\/pulumi-opsmanager\/(.+)/.exec(source) ?? [];
    if (command !== "install") return `pip ${command}`;
    return existsSync(join(repositoryRoot, folder, "pyproject.toml"))
      ? undefined
      : `no Python package in ${folder}`;
  },
  go: ([command, ...args]) => {
    if (command !== "mod") return `go ${command}`;
    const [, path = "", folder = ""] = /^(\S+)=\.\.\/pulumi-opsmanager\/(\S+)$/.exec(args.at(-1) ?? "") ?? [];
    if (args[0] !== "edit") return args[0] === "init" ? undefined : `go mod ${args[0]}`;
    const isOwn = `https://${path}` === `${repositoryUrl}/${folder}`;
    return isOwn && existsSync(join(repositoryRoot, folder, "go.mod")) ? undefined : `no Go module ${path}`;
  },
  // Of docs/scale.md: `test/engine/projects/shards.test.ts` does the same. Of docs/drift-ci.md: `test/engine/docs/messages.test.ts` runs them.
  jq: ([option = ""]) => (["-r", "-f", "-Rs"].includes(option) ? undefined : `jq ${option}`),
  tr: () => undefined,
  xargs: ([option, name]) => (option === "-0" && name === "pulumi" ? undefined : "not xargs -0 pulumi"),
  // Messages to others, and the sandbox, whose README has tests of its own.
  curl: () => undefined,
  node: ([file]) => {
    const isOwn = /^(dist|scripts)\//.test(file ?? "");
    const [, script = ""] = /^node_modules\/pulumi-opsmanager\/(action\/.+)/.exec(file ?? "") ?? [];
    return isOwn || (script !== "" && existsSync(join(repositoryRoot, script))) ? undefined : "no such file";
  },
};

function faultOfOpsmanager([name, ...args]: readonly string[]): string | undefined {
  if (name === undefined) return undefined; // Prints the help.
  const command = commandNamed(name);
  if (!command) return `opsmanager has no command ${name}`;
  // After the command of pulumi, its own arguments follow.
  const end = name === "summarize" ? args.findIndex((arg) => arg === "preview" || arg === "up") : -1;
  const options = (end < 0 ? args : args.slice(0, end))
    .filter((arg) => arg.startsWith("-"))
    .map((arg) => arg.split("=")[0] ?? arg);
  const known =
    name === "sandbox"
      ? sandboxFlags.map((flag) => `--${flag.name}`)
      : command.options.flatMap(({ long, short }) => [long, short]);
  const unknown = options.filter((option) => !known.includes(option));
  if (unknown.length > 0) return `opsmanager ${name} has no option ${unknown.join(", ")}`;
  if (name === "sandbox" || end >= 0) return undefined;
  const operands = command.parseOptions([...args]).operands.slice(command.registeredArguments.length);
  return operands.length > 0 ? `opsmanager ${name} accepts no argument ${operands.join(" ")}` : undefined;
}

function faultOfNpm([command, ...args]: readonly string[]): string | undefined {
  if (command === "install" || command === "ci") {
    const byName = args.find((arg) => !/^(-|\.\.?\/|git\+https:)/.test(arg));
    return byName ? `npm install of ${byName} from a registry` : undefined;
  }
  if (["audit", "version"].includes(command ?? "")) return undefined;
  const [name = "", ...rest] = command === "run" ? args : [command ?? "", ...args];
  const script = manifest.scripts[name];
  if (script === undefined) return `package.json has no script ${name}`;
  const options = rest.filter((arg) => /^--\w/.test(arg)).map((arg) => arg.slice(2));
  const file = /(scripts\/[\w-]+\.m[jt]s)[^&/]*$/.exec(script)?.[1];
  if (options.length === 0 || name === "test") return undefined;
  const source = file ? readFileSync(join(repositoryRoot, file), "utf8") : "";
  const unknown = options.filter((option) => !new RegExp(`[\\s{]${option}: (option|\\{ type)`).test(source));
  return unknown.length > 0 ? `${file} has no option ${unknown.join(", ")}` : undefined;
}

function faultOf({ words: [name = "", ...args] }: CommandLine): string | undefined {
  const check = checks[name];
  return check ? check(args) : `unknown program ${name}`;
}

const faultsIn = (commands: readonly CommandLine[]) =>
  commands.flatMap((command) => {
    const fault = faultOf(command);
    return fault ? [`${command.page}:${command.line}: ${command.words.join(" ")}: ${fault}`] : [];
  });

it("every command line of the documents names programs, commands and options that exist", () => {
  // CHANGELOG.md describes commands of earlier versions too.
  const commands = allPages()
    .filter(({ path }) => path !== "CHANGELOG.md")
    .flatMap((page) => page.commands);
  expect(commands.length).toBeGreaterThan(100);
  expect(faultsIn(commands)).toEqual([]);
});

it("a wrong program, command, option or script is a fault", () => {
  const lines = [
    "opsmanager drift --unmanged",
    "opsmanager drifts",
    "opsmanager drift prod",
    "opsmanager sandbox --ldaps",
    "npx opsmanager drift",
    "npm run pictures",
    "npm run bench -- --just wire",
    "npm install pulumi-opsmanager",
    "rm -r /",
    "opsmanager drift --stack prod --format json=a.json && npm run bench -- --only wire",
  ];
  const page = parsePage("x.md", ["```sh", ...lines, "```"].join("\n"));
  expect(faultsIn(page.commands).map((fault) => Number(fault.split(":")[1]) - 2)).toEqual([
    0, 1, 2, 3, 4, 5, 6, 7, 8,
  ]);
});

it("the help of drift and its page list the same kinds of unmanaged objects", () => {
  const help = commandNamed("drift")?.options.find(({ long }) => long === "--unmanaged")?.description;
  expect(help).toContain(`${kindsOfUnmanaged()} that no resource`);
  const [section = ""] = /^## Unmanaged objects$.*?(?=^## )/ms.exec(readPage("docs/drift.md").text) ?? [];
  const described = [...section.matchAll(/^- \*\*([^*]+)\*\*/gm)].map(([, kind]) => kind);
  expect(described.length).toBeGreaterThan(5);
  expect(described.sort()).toEqual(
    kindsOfUnmanaged()
      .split(/, (?:and )?/)
      .sort(),
  );
});

it("the table of options of each command's page names every option, and no other", () => {
  const pages = {
    drift: "docs/drift.md",
    access: "docs/access.md",
    offboard: "docs/offboard.md",
    adopt: "docs/adopt.md",
    import: "docs/import.md",
    validate: "docs/files.md",
    summarize: "docs/summarize.md",
    doctor: "docs/doctor.md",
    verify: "docs/verify.md",
  };
  const documented = (path: string) => {
    const text = userPages().find((page) => page.path === path)?.text ?? "";
    const cells = text.split("\n").map((line) => /^\| (`-[^|]*) \|/.exec(line)?.[1] ?? "");
    return cells.flatMap((cell) => [...cell.matchAll(/`(--[\w-]+)/g)].map(([, option]) => option)).sort();
  };
  for (const [name, path] of Object.entries(pages)) {
    const options = commandNamed(name)?.options.map(({ long }) => long);
    expect([name, documented(path)]).toEqual([name, options?.sort()]);
  }
  expect(Object.keys(pages).sort()).toEqual(
    program.commands
      .map((command) => command.name())
      .filter((name) => name !== "sandbox")
      .sort(),
  );
});
