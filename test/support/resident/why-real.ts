/** The one place that decides which runs need processes of their own, and why. */
import type { Residents } from "./residents";

/**
 * - `engine`: the engine was not built here, so there is no resident command line
 * - `requested`: the test is about processes, or compares both kinds of processes
 * - `command`: the command is none that the resident command line has
 * - `flag`: the flag changes how a process starts or logs
 * - `environment`: a variable is read when a process starts
 * - `interruptible`: the test sends signals to the run
 * - `concurrent`: another run of this worker is under way
 */
export type RealReason =
  | "engine"
  | "requested"
  | "command"
  | "flag"
  | "environment"
  | "interruptible"
  | "concurrent";

export interface WantedRun {
  readonly args: readonly string[];
  /** Variables of the test's own, beside those that every run has. */
  readonly env: Readonly<Record<string, string>>;
  readonly requestsProcesses: boolean;
  readonly isInterruptible: boolean;
  /** Whether programs and dynamic providers run in resident hosts. Otherwise, the command starts each process of Node.js itself. */
  readonly attachesNodeHosts: boolean;
}

/** The commands of `test/engine/resident-command-line`. */
const residentCommands = ["up", "preview", "refresh", "destroy", "import", "stack", "config", "state"];

/** Logging is set up at the start of a process. One operation at a time leaves a chain in the module state of Pulumi's SDK. */
const processFlags =
  /^(-v|--verbose|--logtostderr|--logflow|--tracing|--otel|--profiling|--parallel=1$|-C$|--cwd)/;

/** Read for each operation, by the provider, the engine or a program. Others are read when a process starts. */
const operationVariables =
  /^(OPSMANAGER_|HTTPS?_PROXY$|NO_PROXY$|PULUMI_DEBUG_PROVIDERS$|PULUMI_NODEJS_TRANSPILE_ONLY$|PULUMI_EXPERIMENTAL$|PULUMI_SKIP_CHECKPOINTS$|PULUMI_ENABLE_STREAMING_JSON_PREVIEW$)/;

/** Read when a process of Node.js starts. */
const nodeVariables = /^NODE_OPTIONS$/;

/** `undefined` where the resident processes can do it. */
export function whyReal(
  { args, env, requestsProcesses, isInterruptible, attachesNodeHosts }: WantedRun,
  { commandLine, isBusy }: Pick<Residents, "commandLine" | "isBusy">,
): RealReason | undefined {
  if (commandLine === undefined) return "engine";
  if (requestsProcesses) return "requested";
  if (isInterruptible) return "interruptible";
  if (!residentCommands.includes(args[0] ?? "")) return "command";
  if (args.some((arg) => processFlags.test(arg))) return "flag";
  const isRead = (name: string) =>
    operationVariables.test(name) || (!attachesNodeHosts && nodeVariables.test(name));
  if (!Object.keys(env).every(isRead)) return "environment";
  if (isBusy) return "concurrent";
  return undefined;
}
