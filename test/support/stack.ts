import { writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { type ProcessResult, type RunningProcess, startProcess } from "./child-process";
import { settingsOfTest } from "./drawn-settings";
import { engine } from "./engine";
import {
  countChanges,
  type Diagnostic,
  diagnosticsOf,
  type EngineEvent,
  nameOf,
  readEvents,
  type Step,
  stepsOf,
} from "./engine-events";
import { type Flags, toArguments } from "./flags";
import { isProgramFolder, type Program, type ProgramFolder, type ProviderKind } from "./program";
import { repositoryRoot } from "./repository";
import { residents } from "./resident";
import { PulumiOnPath, type PulumiRequest, type PulumiResponse } from "./resident/pulumi-on-path";
import { recordRun } from "./resident/trace";
import { type RealReason, whyReal } from "./resident/why-real";
import { type ConfigValue, passphrase, stackConfigFile } from "./stack-config";
import { createStackFolder, removeStackFolder, type StackFolder, writeProgram } from "./stack-folder";
import { initializeStack, type ResourceState, readState, type StackState } from "./state-backend";

export interface StackOptions {
  readonly program: Program | ProgramFolder;
  /** `plugin` by default. A program in a folder of its own has its provider written into it. */
  readonly provider?: ProviderKind;
  /** Replaces the settings that are drawn for the test: see `drawn-settings.ts`. */
  readonly config?: Readonly<Record<string, ConfigValue>>;
  readonly env?: Environment;
  /** `real` starts each process again, as on a user's machine, also where the resident processes could do the run. */
  readonly processes?: "real";
}

type Environment = Readonly<Record<string, string>>;

/** What one `pulumi` command did: its printed output, and the engine's event log. */
export interface Run extends ProcessResult {
  readonly events: readonly EngineEvent[];
  readonly steps: readonly Step[];
  /** `{ create: 1, same: 2 }`: our resources only, as the engine counts them. */
  readonly changes: Readonly<Record<string, number>>;
  readonly diagnostics: readonly Diagnostic[];
}

export interface RunningPulumi extends Omit<RunningProcess, "finished"> {
  readonly finished: Promise<Run>;
}

/** The one thing that stacks share: no Node process of a run has to compile Pulumi's SDK again. */
export const compileCache = join(repositoryRoot, "node_modules", ".cache", "node-compile");

const projectName = "platform";
const stackName = "test";

const stacks = new Set<Stack>();

/** A stack of the real engine that shares nothing with the machine's own Pulumi, nor with other stacks. */
export async function createStack(options: StackOptions): Promise<Stack> {
  const { program, provider = "plugin", processes } = options;
  const paths = await createStackFolder();
  const isInPlace = isProgramFolder(program) && program.inPlace;
  const own = isInPlace ? { ...paths, program: program.folder } : paths;
  const stack = new Stack(own, provider, processes === "real");
  stacks.add(stack);
  stack.setEnv(options.env ?? {});
  await stack.setProgram(program);
  await initializeStack(stack.paths.state, stack.project, stack.name);
  await stack.setConfig({ ...drawnConfig(), ...options.config });
  return stack;
}

function drawnConfig(): Record<string, ConfigValue> {
  return Object.fromEntries(
    Object.entries(settingsOfTest()).map(([name, value]) => [`opsmanager:${name}`, value]),
  );
}

/** For `afterEach`: ends and removes every stack that is left. */
export async function disposeStacks(): Promise<void> {
  await Promise.all([...stacks].map((stack) => stack.dispose()));
}

export class Stack {
  readonly name = stackName;
  project = projectName;

  private env: Environment = {};
  private readonly config = new Map<string, ConfigValue>();
  private readonly running = new Set<RunningPulumi>();
  private residentRun: Promise<ProcessResult> | undefined;
  private onPath: PulumiOnPath | undefined;
  private attachesNodeHosts = false;
  private runs = 0;

  constructor(
    readonly paths: StackFolder,
    readonly provider: ProviderKind,
    private readonly requestsProcesses: boolean,
  ) {}

  /** Without a preview, unless requested: `up({ skipPreview: false })`. */
  up(flags: Flags = {}): Promise<Run> {
    return this.operate("up", { yes: true, skipPreview: true, ...flags });
  }

  preview(flags: Flags = {}): Promise<Run> {
    return this.operate("preview", flags);
  }

  refresh(flags: Flags = {}): Promise<Run> {
    const mode = flags.previewOnly ? {} : { yes: true, skipPreview: true };
    return this.operate("refresh", { ...mode, ...flags });
  }

  destroy(flags: Flags = {}): Promise<Run> {
    const mode = flags.previewOnly ? {} : { yes: true, skipPreview: true };
    return this.operate("destroy", { ...mode, ...flags });
  }

  /** `pulumi import TYPE NAME ID`; not protected afterwards, unlike the command's own default. */
  import(token: string, name: string, id: string, flags: Flags = {}): Promise<Run> {
    const defaults = { yes: true, skipPreview: true, protect: false, generateCode: false };
    return this.operate("import", { ...defaults, ...flags }, [token, name, id]);
  }

  /** Any other command. `run("config", "--show-secrets")` */
  async run(...args: string[]): Promise<Run> {
    const started = Date.now();
    const reason = this.whyReal(args, false);
    const run = await (reason === undefined ? this.runInResidents(args) : this.startProcesses(args).finished);
    recordRun({ args, reason, exitCode: run.exitCode, milliseconds: Date.now() - started });
    return run;
  }

  /** Starts a command, for tests that interrupt it: always with processes of its own. */
  start(args: readonly string[]): RunningPulumi {
    recordRun({ args, reason: this.whyReal(args, true) });
    return this.startProcesses(args);
  }

  private whyReal(
    args: readonly string[],
    isInterruptible: boolean,
    env: Readonly<Record<string, string>> = this.env,
  ): RealReason | undefined {
    const { requestsProcesses, attachesNodeHosts } = this;
    return whyReal({ args, env, requestsProcesses, isInterruptible, attachesNodeHosts }, residents());
  }

  private startProcesses(args: readonly string[]): RunningPulumi {
    const { bin } = engine();
    const log = this.nextEventLog();
    const child = startProcess(join(bin, "pulumi"), [...args, ...this.commonFlags(args, log)], {
      cwd: this.paths.program,
      env: this.environment(),
    });
    const running = {
      ...child,
      finished: child.finished.then((result) => describe(args[0] ?? "", result, log)),
    };
    this.running.add(running);
    running.finished.finally(() => this.running.delete(running)).catch(() => {});
    return running;
  }

  private async runInResidents(args: readonly string[]): Promise<Run> {
    const log = this.nextEventLog();
    const result = await this.callResidents({
      args: [...args, ...this.commonFlags(args, log)],
      environment: this.environment(),
      workingDirectory: this.paths.program,
    });
    return describe(args[0] ?? "", result, log);
  }

  private callResidents(request: PulumiRequest): Promise<ProcessResult> {
    const run = residents()
      .oneAtATime(async () => {
        const { commandLine } = residents();
        if (commandLine === undefined) throw new Error("There is no resident command line.");
        const env = await this.residentEnvironment(request);
        return commandLine.run(request.args, { cwd: request.workingDirectory, env });
      })
      .finally(() => {
        this.residentRun = undefined;
      });
    this.residentRun = run;
    return run;
  }

  /** That of real processes, and where the resident processes are found. */
  private async residentEnvironment({
    environment,
    workingDirectory,
  }: PulumiRequest): Promise<Record<string, string>> {
    const executable = engine().residentCommandLine ?? "";
    const resident = { ...environment, PATH: [dirname(executable), environment.PATH].join(delimiter) };
    if (!this.attachesNodeHosts) return resident;
    return { ...resident, ...(await residents().nodeHosts(environment, workingDirectory)) };
  }

  /**
   * The environment of a command that starts `pulumi` itself, such as `opsmanager drift`. What it starts runs in the resident processes
   * under the same conditions as the commands of this stack.
   */
  async environmentOfCommands(): Promise<Record<string, string>> {
    if (this.requestsProcesses || residents().commandLine === undefined) return this.environment();
    const socket = join(this.paths.root, "pulumi.sock");
    this.onPath ??= await PulumiOnPath.start(socket, (request) => this.responseCommand(request));
    return this.onPath.environment(this.environment());
  }

  private async responseCommand(request: PulumiRequest): Promise<PulumiResponse> {
    const started = Date.now();
    const { args, environment } = request;
    const fixed = this.fixedEnvironment();
    const env = Object.fromEntries(
      Object.entries(environment).filter(([name, value]) => fixed[name] !== value),
    );
    const reason = this.whyReal(args, false, env);
    if (reason !== undefined) {
      recordRun({ args, reason });
      return { command: join(engine().bin, "pulumi") };
    }
    const { exitCode, stdout, stderr } = await this.callResidents(request);
    recordRun({ args, reason, exitCode, milliseconds: Date.now() - started });
    return { exitCode, stdout, stderr };
  }

  private nextEventLog(): string {
    this.runs += 1;
    return join(this.paths.root, `events-${this.runs}.jsonl`);
  }

  /** With `showSecrets` decrypted, through `pulumi stack export`. */
  async state(options: { showSecrets?: boolean } = {}): Promise<StackState> {
    if (!options.showSecrets) return readState(this.paths.state, this.project, this.name);
    const { stdout } = await succeeded(this.run("stack", "export", "--show-secrets"));
    return { resources: [], ...JSON.parse(stdout).deployment };
  }

  /** What the state holds of the resource with this name. */
  async resource(name: string): Promise<ResourceState | undefined> {
    const { resources } = await this.state();
    return resources.find((resource) => nameOf(resource.urn) === name);
  }

  /** The stack's outputs, from its state. */
  async outputs(): Promise<Readonly<Record<string, unknown>>> {
    const { resources } = await this.state();
    return resources.find((resource) => resource.type === "pulumi:pulumi:Stack")?.outputs ?? {};
  }

  async setProgram(program: Program | ProgramFolder): Promise<void> {
    this.attachesNodeHosts = isProgramFolder(program)
      ? program.hosts === "resident"
      : this.provider === "dynamic";
    this.project = await writeProgram(this.paths, this.provider, projectName, program);
    await this.writeConfig();
  }

  /** Adds to the configuration; `undefined` takes a key away. Secrets are written `secret("...")`. */
  async setConfig(config: Readonly<Record<string, ConfigValue | undefined>>): Promise<void> {
    for (const [key, value] of Object.entries(config)) {
      if (value === undefined) this.config.delete(key);
      else this.config.set(key, value);
    }
    await this.writeConfig();
  }

  /** Replaces what is set beside the fixed environment of every run. */
  setEnv(env: Environment): void {
    this.env = env;
  }

  /**
   * What its commands run with, also those that are not Pulumi's own. Nothing is inherited but what a process needs to run: no
   * login, no settings, no proxy.
   */
  environment(): Record<string, string> {
    return { ...this.fixedEnvironment(), ...this.env };
  }

  private fixedEnvironment(): Record<string, string> {
    const { bin } = engine();
    const inherited = ["LANG", "USER", "SystemRoot", "ComSpec", "PATHEXT"].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    });
    return {
      ...Object.fromEntries(inherited),
      PATH: [bin, join(repositoryRoot, "node_modules", ".bin"), process.env.PATH].join(delimiter),
      HOME: this.paths.home,
      NODE_COMPILE_CACHE: compileCache,
      TMPDIR: this.paths.temporary,
      PULUMI_HOME: join(this.paths.home, ".pulumi"),
      PULUMI_BACKEND_URL: `file://${this.paths.state}`,
      PULUMI_CONFIG_PASSPHRASE: passphrase,
      PULUMI_DEBUG_COMMANDS: "true", // makes --event-log known
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
      PULUMI_SKIP_UPDATE_CHECK: "true",
      PULUMI_STACK: this.name,
    };
  }

  async dispose(): Promise<void> {
    stacks.delete(this);
    await Promise.all([...this.running].map((running) => running.kill()));
    if (this.residentRun !== undefined) {
      residents().endRuns(); // a test that ran out of time
      await this.residentRun.catch(() => {});
    }
    await this.onPath?.close();
    await removeStackFolder(this.paths);
  }

  private operate(command: string, flags: Flags, args: readonly string[] = []): Promise<Run> {
    return this.run(command, ...args, ...toArguments(flags));
  }

  private commonFlags([command = ""]: readonly string[], log: string): string[] {
    const writesLog = ["up", "preview", "refresh", "destroy", "import"].includes(command);
    return toArguments({ nonInteractive: true, color: "never", ...(writesLog && { eventLog: log }) });
  }

  private async writeConfig(): Promise<void> {
    await writeFile(join(this.paths.program, `Pulumi.${this.name}.yaml`), await stackConfigFile(this.config));
  }
}

/** Waits for a run that has to succeed, and shows what it printed where it did not. */
export async function succeeded<Outcome extends Pick<Run, "exitCode" | "output">>(
  run: Promise<Outcome>,
): Promise<Outcome> {
  const result = await run;
  if (result.exitCode !== 0)
    throw new Error(`pulumi ended with exit code ${result.exitCode}:\n${result.output}`);
  return result;
}

async function describe(command: string, result: ProcessResult, log: string): Promise<Run> {
  const events = await readEvents(log);
  const steps = stepsOf(events);
  return {
    ...result,
    events,
    steps,
    changes: countChanges(command, steps),
    diagnostics: diagnosticsOf(events),
  };
}
