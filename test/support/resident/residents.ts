/**
 * The resident processes: the command line, a host for Node.js programs, a host for dynamic
 * providers, and the plugin. A Jest worker starts each of them once, instead of once for each
 * `pulumi` command. Each worker has its own and starts each when it is first needed. They end with
 * the worker, because their stdin closes with it.
 */
import { type Engine, findEngine } from "../find-engine";
import { CommandLine } from "./command-line";
import type { JsonProcess } from "./json-process";
import { type NodeHost, type NodeHostRole, startNodeHost } from "./node-host";
import { type ResidentPlugin, startResidentPlugin } from "./plugin";

/** Each command leaves some memory behind, so the command line is started again after so many. */
const runsOfCommandLine = 150;

export class Residents {
  private foundEngine: Engine | undefined;
  private commands: CommandLine | undefined;
  private active: Promise<unknown> | undefined;
  private readonly hosts = new Map<NodeHostRole, Promise<NodeHost>>();
  private plugin: Promise<ResidentPlugin> | undefined;
  private readonly remembered = new Map<string, Promise<unknown>>();

  get engine(): Engine {
    this.foundEngine ??= findEngine();
    return this.foundEngine;
  }

  /** `undefined` where this machine has none: the engine was not built here. */
  get commandLine(): CommandLine | undefined {
    const { residentCommandLine } = this.engine;
    if (residentCommandLine === undefined) return undefined;
    const isSpent = !this.isBusy && (this.commands?.runs ?? 0) >= runsOfCommandLine;
    if (isSpent) this.commands?.process.kill();
    if (isSpent || !this.commands?.process.isAlive) this.commands = new CommandLine(residentCommandLine);
    return this.commands;
  }

  programs(): Promise<NodeHost> {
    return this.host("programs");
  }

  /** The environment of a command whose Node.js programs and dynamic providers run in the resident hosts. Announces it to them. */
  async nodeHosts(
    environment: Readonly<Record<string, string>>,
    cwd: string,
  ): Promise<Readonly<Record<string, string>>> {
    const [programs, providers] = await Promise.all([this.programs(), this.host("providers")]);
    await programs.begin(environment, cwd);
    return {
      PULUMI_DEBUG_LANGUAGES: `nodejs:${programs.port}`,
      OPSMANAGER_TEST_PROVIDERS: String(providers.port),
    };
  }

  /** The port of the plugin process that runs attach to. */
  async pluginPort(): Promise<number> {
    this.plugin = keepAlive(this.plugin, startResidentPlugin);
    return (await this.plugin).port;
  }

  /** Whether a command is under way, from the first thing that is prepared for it. */
  get isBusy(): boolean {
    return this.active !== undefined;
  }

  /** Runs one command at a time: the environment and the directory of the resident processes are the command's. */
  async oneAtATime<T>(run: () => Promise<T>): Promise<T> {
    if (this.isBusy) throw new Error("The resident processes run one command at a time.");
    const active = run();
    this.active = active;
    try {
      return await active;
    } finally {
      this.active = undefined;
    }
  }

  /** Ends what takes part in a run, so that nothing of it continues. The next run starts it again. */
  endRuns(): void {
    this.commands?.process.kill();
    this.commands = undefined;
    for (const host of this.hosts.values()) host.then((started) => started.process.kill()).catch(() => {});
    this.hosts.clear();
  }

  /** What is slow to make and the same in each test file is made once per worker. */
  once<T>(name: string, make: () => Promise<T>): Promise<T> {
    const made = (this.remembered.get(name) as Promise<T> | undefined) ?? make();
    this.remembered.set(name, made);
    return made;
  }

  private host(role: NodeHostRole): Promise<NodeHost> {
    const host = keepAlive(this.hosts.get(role), () => startNodeHost(role));
    this.hosts.set(role, host);
    return host;
  }
}

/** Those that run, or new ones where they have ended. */
async function keepAlive<T extends { readonly process: JsonProcess }>(
  known: Promise<T> | undefined,
  start: () => Promise<T>,
): Promise<T> {
  const running = await known;
  return running?.process.isAlive ? running : start();
}
