import { spawn } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { status } from "@grpc/grpc-js";
import { type Sandbox, startSandbox } from "../../../sandbox";
import { repositoryRoot, type Stack } from "../../support";
import { holdResponsesOf } from "../support/held-responses";
import { connectToPlugin } from "../support/plugin-client";
import {
  endPlugins,
  endWatches,
  launcher,
  preload,
  startPlugin,
  watchPlugins,
} from "../support/plugin-process";
import { projectNamed, projectProgram } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

const services: { close(): Promise<void> }[] = [];
const leftovers: (() => void)[] = [];
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "opsmanager-plugin-"));
});
afterEach(async () => {
  for (const end of leftovers.splice(0)) end();
  await tearDownStacks();
  await endPlugins();
  endWatches();
  await Promise.all(services.splice(0).map((service) => service.close()));
  await rm(folder, { recursive: true });
});

/** What the engine reports where a process ended that has not acknowledged a Cancel (Plugin.Close in plugin.go). */
const crashReport = "exited prematurely";

/** A stack that declares one project, in front of a service whose responses can be held back. */
async function setUpSlowStack() {
  const setup = await setUpStack({
    plugin: "started",
    program: ({ orgId }) => projectProgram({ orgId, name: "payments" }),
  });
  const slow = await holdResponsesOf(setup.sandbox.baseUrl);
  services.push(slow);
  await setup.stack.setConfig({ "opsmanager:baseUrl": slow.baseUrl });
  return { ...setup, slow };
}

/** A plugin with the settings of a stack, in front of such a service, and a client in place of the engine. */
async function setUpPlugin(code: (sandbox: Sandbox) => string = () => "") {
  const sandbox = await startSandbox();
  const slow = await holdResponsesOf(sandbox.baseUrl);
  services.push(slow, sandbox);
  const plugin = await startPlugin(["127.0.0.1:1"], await preload(folder, code(sandbox)));
  const client = connectToPlugin(plugin.port);
  leftovers.push(() => client.close());
  const { publicKey, privateKey, orgId } = sandbox;
  await client.configure({ baseUrl: slow.baseUrl, publicKey, privateKey });
  const create = () => client.createProject("payments", { orgId, name: "payments" });
  return { sandbox, slow, plugin, client, create };
}

describe("the plugin's process ends", () => {
  // As when the engine that started it is killed.
  it("when its stdin closes in the middle of a create", async () => {
    const { plugin, slow, create } = await setUpPlugin();
    const held = slow.hold("POST");
    const created = create().then(
      () => "created",
      () => "failed",
    );
    await held;
    plugin.child.stdin?.end();
    expect(await plugin.ended).toEqual({ code: 0, signal: null });
    expect(await created).toBe("failed");
  });

  // A language host starts the plugin with /dev/null as its stdin, and outlives the engine for minutes.
  it("when the engine is killed, although the process that started the plugin continues and its stdin is /dev/null", async () => {
    const { stack, slow } = await setUpSlowStack();
    await usePluginBehind(stack, `${JSON.stringify(launcher)} "$@" </dev/null &\nwait`);
    const plugins = await watchPlugins(stack.paths.root);
    stack.setEnv(plugins.env);
    const held = slow.hold("POST");
    const up = stack.start(["up", "--yes", "--skip-preview"]);
    await held;
    expect(plugins.running()).not.toEqual([]);
    leftovers.push(await up.killAlone());
    await plugins.allEnded();
  });

  it("when the process that started it is killed, although the engine continues and its stdin is /dev/null", async () => {
    const plugins = await watchPlugins(folder);
    const engine = await startPlugin(); // any process that serves gRPC
    const start = `const { spawn } = require("node:child_process");
      const args = ${JSON.stringify([launcher, `127.0.0.1:${engine.port}`])};
      spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"], env: ${JSON.stringify(plugins.env)} })
        .stdout.pipe(process.stdout);`;
    const host = spawn(process.execPath, ["-e", start], { stdio: ["ignore", "pipe", "inherit"], env: {} });
    const port = await new Promise<number>((resolve) => {
      host.stdout.once("data", (line) => resolve(Number(line)));
    });
    const client = connectToPlugin(port);
    await client.handshake();
    client.close();
    expect(plugins.running()).toHaveLength(1);
    host.kill("SIGKILL");
    await plugins.allEnded();
  });
});

describe("Cancel", () => {
  it("is answered at once, during a request to the service, and prevents later calls from starting", async () => {
    const { sandbox, slow, client, create } = await setUpPlugin();
    const held = slow.hold("POST");
    const responses: string[] = [];
    const created = create().finally(() => responses.push("create"));
    await held;
    await client.cancel().then(() => responses.push("cancel"));
    // The project is there although its response never came: its id is recorded.
    expect((await created).getId()).toBe(projectNamed(sandbox, "payments").id);
    expect(responses).toEqual(["cancel", "create"]);

    sandbox.clearRequests();
    await expect(create()).rejects.toMatchObject({ code: status.CANCELLED });
    expect(sandbox.requests).toEqual([]);
  });
});

describe("a fault of the plugin itself ends it with a report for the user, but without a secret:", () => {
  const report = "This is a fault of the provider, please report it with these lines";
  /** At SIGUSR2, a plugin breaks with the key in the message. */
  const breaks = (fail: string, { privateKey }: Sandbox) =>
    `process.on("SIGUSR2", () => { const error = new Error("It broke with ${privateKey}"); ${fail} });`;

  it("an uncaught exception, which the engine prints", async () => {
    const { sandbox, stack, slow } = await setUpSlowStack();
    const plugins = await watchPlugins(stack.paths.root, breaks("throw error;", sandbox));
    stack.setEnv(plugins.env);
    const held = slow.hold("POST");
    const running = stack.start(["up", "--yes", "--skip-preview"]);
    await held;
    for (const pid of plugins.running()) process.kill(pid, "SIGUSR2");
    const up = await running.finished;
    expect(up.exitCode).not.toBe(0);
    for (const text of [crashReport, report, "It broke with [secret]"]) expect(up.output).toContain(text);
    expect(up.output).not.toContain(sandbox.privateKey);
    await plugins.allEnded();
  });

  it("an unhandled rejection", async () => {
    const { plugin, sandbox } = await setUpPlugin((service) => breaks("Promise.reject(error);", service));
    plugin.child.kill("SIGUSR2");
    expect((await plugin.ended).code).not.toBe(0);
    for (const text of [report, "It broke with [secret]"]) expect(plugin.stderr()).toContain(text);
    expect(plugin.stderr()).not.toContain(sandbox.privateKey);
  });
});

/** Puts a shell script instead of the plugin. */
async function usePluginBehind(stack: Stack, script: string): Promise<void> {
  const plugin = join(stack.paths.root, "plugin");
  const executable = join(plugin, "pulumi-resource-opsmanager");
  await mkdir(plugin);
  await writeFile(executable, `#!/bin/sh\n${script}\n`);
  await chmod(executable, 0o755);
  const project = join(stack.paths.program, "Pulumi.yaml");
  const text = await readFile(project, "utf8");
  await writeFile(project, text.replace(JSON.stringify(repositoryRoot), JSON.stringify(plugin)));
}
