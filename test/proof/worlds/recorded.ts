/** Plays a world and records its commands, in the version of the provider that is beside this file. */
import { repeatIds } from "../../../sandbox/ids";
import { type CommandRecord, recordOf } from "../transcript";
import { type StartEngine, startModel } from "./engine";
import { noCounts } from "./play";
import { counterexampleOf } from "./search";
import type { World } from "./world";

export interface RecordedWorld {
  readonly commands: readonly CommandRecord[];
  /** One line for each step. */
  readonly story: readonly string[];
}

export async function recordWorld(world: World): Promise<RecordedWorld> {
  repeatIds();
  const commands: CommandRecord[] = [];
  const end = await counterexampleOf(world, noCounts(), { startEngine: recording(commands) });
  return { commands, story: end?.story ?? [] };
}

function recording(commands: CommandRecord[]): StartEngine {
  return (world, sandbox) => {
    const engine = startModel(world, sandbox);
    return {
      ...engine,
      run(command) {
        const first = sandbox.requests.at(-1)?.id ?? 0;
        const texts: string[] = [];
        const onText: typeof command.onText = (severity, text, urn) => {
          texts.push(`${severity}: ${text}`);
          command.onText(severity, text, urn);
        };
        let isInterrupted = false;
        const running = engine.run({ ...command, onText });
        const result = running.result.then((done) => {
          const requests = sandbox.requests.filter(({ id }) => id > first);
          commands.push(
            recordOf({ command: command.operation, requests, texts, result: done, isInterrupted }),
          );
          return done;
        });
        return {
          result,
          interrupt() {
            isInterrupted = true;
            running.interrupt();
          },
        };
      },
    };
  };
}
