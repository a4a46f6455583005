/**
 * How long the plugin takes until it reports its port, by the route of the executable: what an engine waits for, for each
 * provider of each phase of a run. Taken in turns with a Node.js that does nothing, so that a busy machine slows down both.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname } from "node:path";
import { connectToPlugin } from "../engine/support/plugin-client";
import { launcher } from "../engine/support/plugin-process";
import { figure, type Row, timed } from "./row";

const reach = { line: 110, response: 250 };

/** Node.js as the machine has it, without a shared compile cache. */
const env = { PATH: `${dirname(process.execPath)}:${process.env.PATH}` };

export const start: Row = {
  name: "start",
  async run({ quick, print }) {
    const rounds = quick ? 2 : 20;
    print(`start of the plugin, ${rounds} times in turns with \`node -e 0\``);
    await emptyNode();
    await startOnce(); // the files are in the machine's memory from here on
    const [nothing, line, response]: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round < rounds; round++) {
      nothing.push(await emptyNode());
      const times = await startOnce();
      line.push(times.line);
      response.push(times.response);
    }
    const ratioTo = { name: "node -e 0", samples: nothing };
    return [
      figure("`node -e 0`", "ms", nothing),
      figure("plugin: start to the port line", "ms", line, { target: reach.line, ratioTo }),
      figure("plugin: start to its first response, everything loaded", "ms", response, {
        target: reach.response,
        ratioTo,
      }),
    ];
  },
};

function emptyNode(): Promise<number> {
  return timed(() => once(spawn(process.execPath, ["-e", "0"], { stdio: "ignore", env }), "exit"));
}

async function startOnce(): Promise<{ line: number; response: number }> {
  const started = performance.now();
  const plugin = spawn(launcher, ["127.0.0.1:1"], { stdio: ["pipe", "pipe", "inherit"], env });
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
