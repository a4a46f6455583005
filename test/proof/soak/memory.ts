/** Memory, file descriptors and sockets of the plugin process, measured by code that runs in it before its own. */
import { type AddressInfo, createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";

export interface Sample {
  /** Bytes in use after a full garbage collection. */
  readonly heap: number;
  /** Resident bytes of the process. */
  readonly resident: number;
  /** Open sockets. Where the system has no `/proc`, only those that keep the process alive. */
  readonly sockets: number;
  /** Open file descriptors; absent where the system has no `/proc`. */
  readonly descriptors?: number;
}

export interface MemoryProbe {
  /** Code for `preload`. */
  readonly code: string;
  measure(): Promise<Sample>;
  close(): void;
}

/** The plugin process connects to this process, and answers each line with a sample. */
export async function openMemoryProbe(): Promise<MemoryProbe> {
  const waiting: ((sample: Sample) => void)[] = [];
  let plugin: Socket | undefined;
  const server = createServer((socket) => {
    plugin = socket.on("error", () => {}); // a plugin that is killed resets its connection
    createInterface({ input: socket }).on("line", (line) => waiting.shift()?.(JSON.parse(line)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    code: `(${probe})(${port});`,
    measure: () =>
      new Promise((resolve, reject) => {
        if (plugin === undefined) return reject(new Error("The plugin process has not connected."));
        waiting.push(resolve);
        plugin.write("measure\n");
      }),
    close: () => {
      plugin?.destroy();
      server.close();
    },
  };
}

/** Runs in the plugin process. The connection does not keep that process alive. */
const probe = `(port) => {
  require("node:v8").setFlagsFromString("--expose-gc");
  const collect = require("node:vm").runInNewContext("gc");
  const { readdirSync, readlinkSync } = require("node:fs");
  const folder = "/proc/self/fd";
  // A descriptor may be closed meanwhile, such as that of the folder itself.
  const target = (name) => { try { return readlinkSync(folder + "/" + name); } catch { return ""; } };
  const open = () => { try { return readdirSync(folder).map(target); } catch { return undefined; } };
  const counted = () => process.getActiveResourcesInfo().filter((name) => name.startsWith("TCP")).length;
  const socket = require("node:net").connect(port, "127.0.0.1").unref();
  socket.on("error", () => {}).on("data", () => {
    collect();
    // What a first collection finalizes is free after a second one.
    setImmediate(() => {
      collect();
      const { heapUsed: heap, rss: resident } = process.memoryUsage();
      const descriptors = open();
      const sockets = descriptors?.filter((name) => name.startsWith("socket:")).length ?? counted();
      socket.write(JSON.stringify({ heap, resident, sockets, descriptors: descriptors?.length }) + "\\n");
    });
  });
}`;
