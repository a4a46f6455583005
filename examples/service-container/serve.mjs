// Runs `opsmanager sandbox` for other containers. It listens on the loopback address alone, so this program forwards
// the ports of the container to it. Its options are those of the command.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { createInterface } from "node:readline";

const { PORT = "8080", CONTROL_PORT = "8081" } = process.env;
const command = new URL("package/dist/sandbox/main.js", import.meta.url).pathname;

if (process.argv[2] === "--is-healthy") {
  const response = await fetch(`http://127.0.0.1:${CONTROL_PORT}/switches`);
  process.exit(response.ok ? 0 : 1);
}

const service = spawn(process.execPath, [command, ...process.argv.slice(2)], {
  stdio: ["ignore", "pipe", "inherit"],
});
service.on("exit", (code) => process.exit(code ?? 1));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => service.kill(signal));

// The one line that the command prints when it is ready.
const [line] = await once(createInterface(service.stdout), "line");
const { baseUrl, controlUrl, ...facts } = JSON.parse(line);
const port = await forward(PORT, baseUrl);
const controlPort = await forward(CONTROL_PORT, controlUrl);
process.stdout.write(`${JSON.stringify({ port, controlPort, ...facts })}\n`);

async function forward(port, url) {
  const server = createServer((client) => {
    const inner = connect(Number(new URL(url).port), "127.0.0.1");
    client.pipe(inner).pipe(client);
    // A connection that one side resets, as injected faults do, is reset on the other side too.
    client.on("error", () => inner.resetAndDestroy());
    inner.on("error", () => client.resetAndDestroy());
  });
  server.listen(Number(port));
  await once(server, "listening");
  return server.address().port;
}
