/** A folder of its own for each test, in which the command runs with the settings of a sandbox. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, relative } from "node:path";
import type { Terminal } from "../../../cli/lib/terminal";
import type { Sandbox } from "../../../sandbox";
import { type CommandResult, runCommand } from "../../support/command";

type Files = Readonly<Record<string, string>>;
type Service = Pick<Sandbox, "baseUrl" | "publicKey" | "privateKey">;

export interface CommandFolder {
  readonly path: string;
  read(name: string): string;
  has(name: string): boolean;
  /** Writes files by their names, and the folders above them. */
  write(files: Files, mode?: number): void;
  remove(...names: readonly string[]): void;
  /** Each file below the folder, by its name. */
  files(): Record<string, string>;
  /** Makes the folder a Pulumi project, in which a script is in for `pulumi`. */
  withPulumi(script: string): void;
  /** Runs the command here. */
  run(argv: readonly string[], service?: Service, surroundings?: Partial<Terminal>): Promise<CommandResult>;
  /** A terminal here, for what takes one. */
  terminal(): Terminal;
}

export function commandFolder(): CommandFolder {
  let path = "";
  beforeEach(() => {
    path = mkdtempSync(join(tmpdir(), "opsmanager-command-"));
  });
  afterEach(() => rmSync(path, { recursive: true, force: true }));

  const at = (name: string) => join(path, name);
  const write = (files: Files, mode = 0o644) => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(at(name)), { recursive: true });
      writeFileSync(at(name), text, { mode });
    }
  };
  const environment = (service?: Service) => ({
    PATH: [path, process.env.PATH].join(delimiter),
    OPSMANAGER_MAX_RETRIES: "0",
    ...(service && environmentOf(service)),
  });
  return {
    get path() {
      return path;
    },
    read: (name) => readFileSync(at(name), "utf8"),
    has: (name) => existsSync(at(name)),
    write,
    remove(...names) {
      for (const name of names) rmSync(at(name), { recursive: true });
    },
    files() {
      const entries = readdirSync(path, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile());
      const names = files.map(({ parentPath, name }) => relative(path, join(parentPath, name)));
      return Object.fromEntries(names.sort().map((name) => [name, readFileSync(at(name), "utf8")]));
    },
    withPulumi(script) {
      write({ "Pulumi.yaml": "name: platform\nruntime: nodejs\n" });
      write({ pulumi: script }, 0o755);
    },
    run(argv, service, surroundings) {
      return runCommand(argv, { cwd: path, env: environment(service), ...surroundings });
    },
    terminal() {
      const streams = { stdout: () => {}, stderr: () => {}, isWatched: false, hasColors: false, columns: 80 };
      return { ...streams, env: environment(), cwd: path, stop: new AbortController().signal };
    },
  };
}

export function environmentOf({ baseUrl, publicKey, privateKey }: Service) {
  return {
    OPSMANAGER_BASE_URL: baseUrl,
    OPSMANAGER_PUBLIC_KEY: publicKey,
    OPSMANAGER_PRIVATE_KEY: privateKey,
  };
}

/** A script for `pulumi` that prints the file `state.json` as the state, and a stack without settings. */
export const printsState =
  '#!/bin/sh\ncase "$1" in\n  config) echo "{}" ;;\n  stack) cat state.json ;;\nesac\n';
