/**
 * How long the plugin takes until it reports its port, by the route of the executable: what an engine waits for, for each
 * provider of each phase of a run. Taken in turns with a Node.js that does nothing, so that a busy machine slows down both.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { connectToPlugin } from "../engine/support/plugin-client";
import { launcher } from "../engine/support/plugin-process";
import { figure, type Row, timed } from "./row";

const reach = { line: 110, response: 250 };

/** Node.js as the machine has it, without the compile cache of another process. */
const env = { PATH: `${dirname(process.execPath)}:${process.env.PATH}` };

export const start: Row = {
  name: "start",
  async run({ quick, print }) {
    const rounds = quick ? 2 : 20;
    print(`start of the plugin, ${rounds} times in turns with \`node -e 0\``);
    const home = await mkdtemp(join(tmpdir(), "opsmanager-bench-home-"));
    const [cached, uncached] = [{ PULUMI_HOME: home }, { NODE_DISABLE_COMPILE_CACHE: "1" }];
    await emptyNode();
    await startOnce(cached); // the files are in the machine's memory and in the cache from here on
    const nothing: number[] = [];
    const [warm, cold]: [Start[], Start[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      nothing.push(await emptyNode());
      warm.push(await startOnce(cached));
      cold.push(await startOnce(uncached));
    }
    await rm(home, { recursive: true });
    const ratioTo = { name: "node -e 0", samples: nothing };
    const compared = (what: string, starts: readonly Start[], of: keyof Start, target?: number) =>
      figure(
        what,
        "ms",
        starts.map((times) => times[of]),
        { ratioTo, ...(target && { target }) },
      );
    const first = "plugin: start to its first response";
    return [
      figure("`node -e 0`", "ms", nothing),
      compared("plugin: start to the port line", warm, "line", reach.line),
      compared(first, warm, "response", reach.response),
      compared("plugin: start to the port line, without the compile cache", cold, "line"),
      compared(`${first}, without the compile cache`, cold, "response"),
    ];
  },
};

interface Start {
  readonly line: number;
  readonly response: number;
}

function emptyNode(): Promise<number> {
  return timed(() => once(spawn(process.execPath, ["-e", "0"], { stdio: "ignore", env }), "exit"));
}

async function startOnce(cache: Readonly<Record<string, string>>): Promise<Start> {
  const started = performance.now();
  const plugin = spawn(launcher, ["127.0.0.1:1"], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...env, ...cache },
  });
  const [port] = await once(plugin.stdout, "data");
  const line = performance.now() - started;
  const client = connectToPlugin(Number(port));
  await client.handshake();
  const response = performance.now() - started;
  client.close();
  plugin.stdin.end();
  await once(plugin, "exit");
  return { line, response };
}
