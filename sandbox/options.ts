import { readJsonFile } from "./data-file";
import { readObject } from "./fields";
import type { SandboxOptions } from "./sandbox";
import { faultIn } from "./seed";
import {
  checkSwitches,
  type Switches,
  type SwitchName,
  switchGroups,
  switchNames,
  switchTable,
} from "./switches";

/** The command line: its own flags, and one for every switch. */

/** The command line cannot be understood; the message reports what to change. */
export class CommandLineError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "CommandLineError";
  }
}

/** One flag. Without `value` it takes none. */
interface Flag {
  readonly name: string;
  readonly value?: string;
  readonly about: string;
}

const ownFlags: readonly Flag[] = [
  { name: "port", value: "NUMBER", about: "port of the API; default 0, a free one" },
  { name: "control-port", value: "NUMBER", about: "port of the control address; default 0, a free one" },
  {
    name: "seed",
    value: "FILE",
    about: "JSON file with the initial organizations, keys, service accounts, accounts, teams and projects",
  },
  {
    name: "data",
    value: "FILE",
    about: "keep the state in this file; if it exists, it is loaded instead of the seed",
  },
  {
    name: "tls",
    about: "serve the API over TLS; the JSON line holds caCert, the authority made for it, in PEM",
  },
  {
    name: "mutual-tls",
    about:
      "as --tls, and only for clients with a certificate: the JSON line holds clientCert and clientKey too",
  },
  {
    name: "like",
    value: "FILE",
    about: "switches from a file that opsmanager verify wrote; a switch of the command line overrides it",
  },
  { name: "log", about: "one line per request on stderr, without secrets" },
  { name: "help", about: "this text" },
];

/** Name of a switch on the command line, such as `only-documented`. */
export const flagOf = (name: SwitchName): string =>
  switchTable[name].flag ?? name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const valueForms = { choice: "VALUE", boolean: undefined, number: "NUMBER", text: "TEXT" } as const;

function switchFlag(name: SwitchName): Flag {
  const { kind, values, about, initial } = switchTable[name];
  const value = values?.join("|") ?? valueForms[kind];
  const flag = { name: flagOf(name), about: `${about} (default ${initial === "" ? "empty" : initial})` };
  return value === undefined ? flag : { ...flag, value };
}

/** All flags, in the order of the help text. */
export const flags: readonly Flag[] = [...ownFlags, ...switchNames.map(switchFlag)];

/** The flags in groups, for the help. */
const flagGroups: readonly (readonly [title: string, flags: readonly Flag[]])[] = [
  ["Options", ownFlags],
  ...Object.entries(switchGroups).map(
    ([title, group]) => [title, (Object.keys(group) as SwitchName[]).map(switchFlag)] as const,
  ),
];

export function helpText(): string {
  const lines = flagGroups.flatMap(([title, group]) => [
    `${title}:`,
    ...group.map(
      ({ name, value, about }) => `  --${name}${value === undefined ? "" : ` ${value}`}\n      ${about}`,
    ),
    "",
  ]);
  return [
    "Usage: opsmanager sandbox [FLAG]...",
    "",
    "Starts the sandbox, a simulation of the project administration API, on the loopback address.",
    "When it is ready it prints one JSON line: baseUrl, publicKey, privateKey, orgId, controlUrl.",
    "",
    ...lines,
    "Exit codes: 0 stopped by a signal, 1 it could not start, 64 the command line is invalid.",
    "",
    "Examples:",
    "  opsmanager sandbox",
    "  opsmanager sandbox --ldap --seed seed.json --port 8080",
    "",
  ].join("\n");
}

/** The options of the command line. */
export type Command =
  | { readonly kind: "help" }
  | { readonly kind: "start"; readonly log: boolean; readonly options: SandboxOptions };

/** The words as pairs of flag and value; a flag without a value has `undefined`. */
function splitWords(argv: readonly string[]): Map<string, string | undefined> {
  const given = new Map<string, string | undefined>();
  const words = [...argv];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const [, name = "", inline] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    const flag = flags.find((known) => known.name === name);
    if (flag === undefined) throw new CommandLineError(`Unknown argument ${word}. Try --help.`);
    if (given.has(name)) throw new CommandLineError(`--${name} is given twice.`);
    const value = flag.value === undefined ? inline : (inline ?? words.shift());
    if (flag.value !== undefined && value === undefined) {
      throw new CommandLineError(`--${name} needs a value: ${flag.value}.`);
    }
    given.set(name, value);
  }
  return given;
}

function portOf(name: string, text: string | undefined): number {
  if (text === undefined) return 0;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new CommandLineError(`--${name} must be a port, 0 to 65535.`);
  return port;
}

/** A boolean flag may be written `--ldap`, `--ldap=true` or `--ldap=false`. */
function switchValue(name: SwitchName, text: string | undefined): unknown {
  const { kind } = switchTable[name];
  if (kind === "boolean")
    return text === undefined || (text === "true" ? true : text === "false" ? false : text);
  return kind === "number" && text?.trim() ? Number(text) : text;
}

function switchesOf(given: ReadonlyMap<string, string | undefined>): Partial<Switches> {
  const named = switchNames.filter((name) => given.has(flagOf(name)));
  try {
    return checkSwitches(
      Object.fromEntries(named.map((name) => [name, switchValue(name, given.get(flagOf(name)))])),
    );
  } catch (error) {
    throw new CommandLineError(`${(error as Error).message}.`);
  }
}

/**
 * The switches of a file that `opsmanager verify` wrote. `notFoundOut` holds the reasons for the switches that are missing.
 *
 * @throws CommandLineError that names the file and every switch that is unknown or has a wrong value
 */
function switchesLike(path: string): Partial<Switches> {
  try {
    const value = readJsonFile(path);
    return readObject(value, "", faultIn(path), (fields) => {
      const version = fields.required("formatVersion", fields.number("formatVersion"));
      if (version !== 1) fields.refuse("formatVersion", "1");
      fields.record("notFoundOut");
      return checkSwitches(fields.required("switches", fields.record("switches")));
    });
  } catch (error) {
    const { message } = error as Error;
    throw new CommandLineError(`--like: ${message.startsWith(path) ? message : `${path}: ${message}`}.`);
  }
}

/** Understands a command line, or throws a CommandLineError. */
export function parseCommandLine(argv: readonly string[]): Command {
  const given = splitWords(argv);
  if (given.has("help")) return { kind: "help" };
  const [seed, dataFile, like] = [given.get("seed"), given.get("data"), given.get("like")];
  const options: SandboxOptions = {
    ...(like === undefined ? {} : switchesLike(like)),
    ...switchesOf(given),
    port: portOf("port", given.get("port")),
    controlPort: portOf("control-port", given.get("control-port")),
    ...(seed === undefined ? {} : { seed }),
    ...(dataFile === undefined ? {} : { dataFile }),
    tls: given.has("mutual-tls") ? "mutual" : given.has("tls"),
  };
  return { kind: "start", log: given.has("log"), options };
}
