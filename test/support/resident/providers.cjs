"use strict";
/**
 * Hosts of dynamic providers: one for each connection of a launcher (`test/engine/pulumi-resource-pulumi-nodejs`). The
 * launcher sends its arguments, working directory and environment as one line of JSON. It receives frames: one byte for
 * the kind, four bytes for the length (big-endian), and the payload.
 */
const { createServer } = require("node:net");
const { EmulatedProcess, runScript } = require("./emulated-process.cjs");

const script = "@pulumi/pulumi/cmd/dynamic-provider";

/** The payload of `exit` is the exit code as four bytes, big-endian. */
const frameKinds = { stdout: 1, stderr: 2, exit: 3 };

/** Listens for launchers. @returns {Promise<number>} its port */
function serveProviders() {
  const server = createServer((socket) => {
    let received = Buffer.alloc(0);
    /** @type {EmulatedProcess | undefined} */
    let provider;
    socket.on("data", (chunk) => {
      if (provider !== undefined) return;
      received = Buffer.concat([received, chunk]);
      const end = received.indexOf("\n");
      if (end >= 0) provider = startProvider(socket, JSON.parse(received.toString("utf8", 0, end)));
    });
    socket.on("close", () => provider?.kill());
    socket.on("error", () => socket.destroy());
  });
  return new Promise((resolve, reject) => {
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
}

/**
 * @param {import("node:net").Socket} socket
 * @param {{ args: string[], cwd: string, environment: Record<string, string> }} launcher
 */
function startProvider(socket, { args, cwd, environment }) {
  const provider = new EmulatedProcess({
    argv: [require.resolve(script), ...args],
    environment,
    cwd,
    write: (stream, chunk) => void socket.write(frame(frameKinds[stream], chunk)),
    exited: (code) => {
      const payload = Buffer.alloc(4);
      payload.writeInt32BE(code);
      socket.end(frame(frameKinds.exit, payload));
    },
  });
  provider.start(() => runScript(script));
  return provider;
}

/** @param {number} kind @param {Buffer} payload */
function frame(kind, payload) {
  const header = Buffer.alloc(5);
  header.writeUInt8(kind);
  header.writeUInt32BE(payload.length, 1);
  return Buffer.concat([header, payload]);
}

module.exports = { serveProviders };
