/** What carries out the commands of a world: the engine's model, or real `pulumi` commands. */
import type { Sandbox } from "../../../sandbox";
import { connectDynamic } from "../dynamic-connection";
import {
  type Declaration,
  type ImportTarget,
  type Operation,
  type OperationResult,
  type ProviderConnection,
  type Recorded,
  runOperation,
} from "../engine-model";
import { connectPlugin, type ProviderSettings, type TextSink } from "../plugin-connection";
import { eventsOf, type PrintedText } from "./events";
import type { World } from "./world";

/** One `pulumi` command. */
export interface Command {
  readonly operation: Operation;
  readonly declarations: readonly Declaration[];
  /** The state of the stack before the command. */
  readonly state: readonly Recorded[];
  readonly settings: ProviderSettings;
  /** Of an import. */
  readonly target?: ImportTarget | undefined;
  /** The service returns some requests with a fault. */
  readonly isFaulty: boolean;
  /** The user may interrupt the command. */
  readonly isInterruptible: boolean;
  readonly onText: TextSink;
}

/** What a command came to, with the events of the engine, one a line. */
export interface CommandResult extends OperationResult {
  events(): string;
}

export interface RunningCommand {
  readonly result: Promise<CommandResult>;
  interrupt(): void;
}

export interface Engine {
  readonly imports: boolean;
  /** Whether it is the engine's model, which takes any state. */
  readonly isModel: boolean;
  run(command: Command): RunningCommand;
  close(): Promise<void>;
}

/** @param sandbox the service of the world */
export type StartEngine = (world: World, sandbox: Sandbox) => Engine;

/** Carries commands out in this process, by the engine's model and the provider's own handlers. */
export const startModel: StartEngine = ({ provider }) => ({
  // The host of dynamic providers cannot import.
  imports: provider === "plugin",
  isModel: true,
  run(command) {
    let isInterrupted = false;
    let connection: ProviderConnection | undefined;
    return {
      result: runInModel(provider, command, (connected) => {
        connection = connected;
        return () => isInterrupted;
      }),
      interrupt() {
        isInterrupted = true;
        connection?.cancel();
      },
    };
  },
  close: async () => undefined,
});

/** @param onConnect gets the connection, and returns how to learn whether the user has interrupted the command */
export async function runInModel(
  provider: World["provider"],
  { operation, declarations, state, settings, target, onText }: Command,
  onConnect: (connection: ProviderConnection) => () => boolean = () => () => false,
): Promise<CommandResult> {
  const printed: PrintedText[] = [];
  const onPrint: TextSink = (severity, text, urn) => {
    printed.push({ severity: severity === "warn" ? "warning" : severity, text, urn });
    onText(severity, text, urn);
  };
  const connection =
    provider === "plugin" ? await connectPlugin(settings, onPrint) : connectDynamic(settings, onPrint);
  try {
    const isCanceled = onConnect(connection);
    const result = await runOperation(operation, declarations, state, connection, isCanceled, target);
    const isPreview = operation === "preview";
    return { ...result, events: () => eventsOf(result, { provider, isPreview, printed }) };
  } finally {
    await connection.close();
  }
}
