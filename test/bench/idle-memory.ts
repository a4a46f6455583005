/** Resident memory of a plugin that waits for work: each provider of a program is a process of its own. */
import { execFileSync } from "node:child_process";
import { startSandbox } from "../../sandbox";
import { connectToPlugin } from "../engine/support/plugin-client";
import { startPlugin } from "../engine/support/plugin-process";
import { figure, type Row } from "./row";

const targets = { idle: 80, working: 120 };

export const idleMemory: Row = {
  name: "idle memory",
  async run({ quick, print }) {
    const rounds = quick ? 2 : 5;
    print(`memory of an idle plugin, ${rounds} processes`);
    const [idle, working]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      const memory = await measure();
      idle.push(memory.idle);
      working.push(memory.working);
    }
    return [
      figure("plugin: resident after Handshake, Configure and one Check", "MB", idle, {
        target: targets.idle,
      }),
      figure("plugin: resident after a first Create", "MB", working, { target: targets.working }),
    ];
  },
};

async function measure(): Promise<{ idle: number; working: number }> {
  const sandbox = await startSandbox();
  const { child, port, ended } = await startPlugin();
  const client = connectToPlugin(port);
  try {
    const { baseUrl, publicKey, privateKey, orgId } = sandbox;
    const inputs = { orgId, name: "payments", tags: ["PROD"] };
    await client.handshake();
    await client.configure({ baseUrl, publicKey, privateKey });
    await client.checkProject("payments", inputs);
    const idle = megabytesOf(child.pid);
    await client.createProject("payments", inputs);
    return { idle, working: megabytesOf(child.pid) };
  } finally {
    client.close();
    child.kill();
    await ended;
    await sandbox.close();
  }
}

function megabytesOf(pid: number | undefined): number {
  const kibibytes = execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" });
  return (Number(kibibytes) * 1024) / 1e6;
}
