import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { repositoryRoot, succeeded } from "../../support";
import { connectToPlugin } from "../support/plugin-client";
import { endPlugins, isAlive, preload, recordPluginProcesses, startPlugin } from "../support/plugin-process";
import { messagesOf, projectProgram, timesPrinted } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "opsmanager-plugin-"));
});
afterEach(async () => {
  await tearDownStacks();
  await endPlugins();
  await rm(folder, { recursive: true });
});

describe("the plugin's start", () => {
  it("prints nothing on stdout but its port, whatever flags the engine gives", async () => {
    const plugin = await startPlugin(["--logtostderr", "-v=9", "--tracing", "127.0.0.1:2", "127.0.0.1:1"]);
    expect(plugin.port).toBeGreaterThan(0);
    plugin.child.kill("SIGINT");
    expect(await plugin.ended).toEqual({ code: 0, signal: null });
    expect(plugin.stdout()).toBe(`${plugin.port}\n`);
    expect(plugin.stderr()).toBe("");
  });

  it("has loaded nothing but gRPC and the text of errors by the time it reports its port", async () => {
    const log = join(folder, "modules.json");
    const plugin = await startPlugin([], await preload(folder, writesModules("atFirstWrite", log)));
    plugin.child.kill("SIGTERM");
    expect(await plugin.ended).toEqual({ code: 0, signal: null });
    const modules = await modulesIn(log);
    expect(packagesOf(modules)).toEqual(["@grpc/grpc-js", "@js-sdsl/ordered-map"]);
    const own = modules.filter((path) => !path.includes("node_modules"));
    expect(own.sort()).toEqual([
      "dist/provider/compile-cache.js",
      "dist/provider/index.js",
      "dist/provider/plugin/rejections.js",
      "dist/provider/plugin/serve.js",
      "dist/provider/text/errors.js",
      "dist/provider/text/visible-text.js",
      "pulumi-resource-opsmanager",
    ]);
  });

  it("loads a kind of resource when it is first used, and the lookups when one is called", async () => {
    const log = join(folder, "modules.json");
    const plugin = await startPlugin([], await preload(folder, writesModules("atExit", log)));
    const client = connectToPlugin(plugin.port);
    await client.configure({ baseUrl: "http://127.0.0.1:1", publicKey: "key", privateKey: "secret" });
    await client.checkProject("payments", { orgId: "0123456789abcdef01234567", name: "payments" });
    client.close();
    plugin.child.kill("SIGTERM");
    expect(await plugin.ended).toEqual({ code: 0, signal: null });
    const modules = await modulesIn(log);
    expect(modules).toContain("dist/provider/resources/project/index.js");
    const others =
      /^dist\/provider\/(functions\/get-|resources\/(team|project-members|organization|keys|grants|members)\/)/;
    expect(modules.filter((path) => others.test(path))).toEqual([]);
  });
});

describe("the compile cache of the plugin's start", () => {
  /** Starts the plugin with this home of Pulumi, and ends it as the engine does. */
  async function startOnce(home: string, env: Readonly<Record<string, string>> = {}) {
    const plugin = await startPlugin([], { PULUMI_HOME: home, ...env });
    const client = connectToPlugin(plugin.port);
    await client.handshake();
    client.close();
    plugin.child.kill("SIGINT");
    expect(await plugin.ended).toEqual({ code: 0, signal: null });
    expect(plugin.stdout()).toBe(`${plugin.port}\n`);
    return plugin;
  }

  it("is below Pulumi's home, and the next start compiles no module again", async () => {
    await startOnce(folder);
    const plugin = await startOnce(folder, { NODE_DEBUG_NATIVE: "COMPILE_CACHE" });
    const modules = [...plugin.stderr().matchAll(/cache for .*?(\S+) was (accepted|rejected)/g)];
    const rejected = modules.filter(([, , result]) => result === "rejected").map(([, path]) => path);
    expect(modules.length).toBeGreaterThan(100);
    expect(rejected).toEqual([]);
  });

  it("is left out without a message where Pulumi has no home, and where it cannot be written", async () => {
    const home = join(folder, "missing");
    expect((await startOnce(home)).stderr()).toBe("");
    expect(existsSync(home)).toBe(false);

    await mkdir(join(folder, "cache"));
    await writeFile(join(folder, "cache", "opsmanager"), "no folder");
    expect((await startOnce(folder)).stderr()).toBe("");
  });
});

// The port is printed before everything is loaded; ending then would make the engine dial for ten seconds and hide the cause.
it("reports what is missing where the installation is not complete", async () => {
  const { stack } = await setUpStack({
    plugin: "started",
    program: ({ orgId }) => projectProgram({ orgId, name: "payments" }),
  });
  // Without the second, not even an error can be sent as usual.
  for (const missing of ["zod", "google-protobuf"]) {
    const hide = `const Module = require("node:module");
      const load = Module._load;
      Module._load = (name, ...rest) => {
        if (name === "${missing}") throw Object.assign(new Error("Cannot find module '${missing}'"), { code: "MODULE_NOT_FOUND" });
        return load(name, ...rest);
      };`;
    stack.setEnv(await preload(folder, hide));
    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(up.output).toContain(
      `The provider could not be loaded: Cannot find module '${missing}'. Its installation is not complete; install pulumi-opsmanager again.`,
    );
  }
});

// Trap 11: processes multiply with providers, so one project more must not mean one sign-in more.
// Trap 9: stdout and stderr of the process are hidden, so messages for users go to the engine. gRPC
// uses the proxy of the environment even for loopback addresses. Users behind a company's proxy did
// not get the warnings.
it("a run starts one process for each provider that it uses, which loads nothing of Pulumi's SDK, speaks to the engine directly where the environment names a proxy, and ends however the run does", async () => {
  const log = join(folder, "modules.json");
  const { sandbox, stack } = await setUpStack({
    plugin: "started",
    program: ({ orgId, baseUrl, publicKey, privateKey }) => ({
      resources: {
        service: {
          type: "Provider",
          properties: { baseUrl, publicKey, privateKey: { "fn::secret": privateKey } },
        },
        payments: {
          type: "Project",
          properties: { orgId, name: "payments" },
          options: { provider: "${service}" },
        },
        billing: { type: "Project", properties: { orgId, name: "billing", tags: ["Lower"] } },
        // The engine begins nothing after a failure, so it comes last: what is destroyed uses both providers.
        tools: {
          type: "Project",
          properties: { orgId, name: "tools" },
          options: { dependsOn: ["${payments}", "${billing}"] },
        },
      },
    }),
  });
  const proxy = "http://127.0.0.1:9";
  const proxies = { http_proxy: proxy, https_proxy: proxy, grpc_proxy: proxy };
  const processes = await recordPluginProcesses(stack, writesModules("atExit", log), proxies);
  sandbox.addFault({ method: "POST", bodyPattern: "tools", fault: { status: 400 } });
  const failed = await stack.up();
  expect(failed.exitCode).not.toBe(0);
  expect(messagesOf(failed, "error")).toContain("Creating project");
  expect(timesPrinted(failed, 'Tag "Lower" has lower-case letters')).toBe(1);
  // A plugin that has not acknowledged a Cancel, and words that frighten people about their state.
  expect(failed.output).not.toMatch(/exited prematurely|corrupt/i);
  // One more reads the schema for the YAML program, before there is any provider.
  const started = await processes();
  expect(started).toHaveLength(3);

  sandbox.clearRequests();
  await succeeded(stack.destroy());
  started.push(...(await processes()));
  expect(started).toHaveLength(5);
  expect(started.filter(isAlive)).toEqual([]);
  expect(sandbox.requests.filter(({ publicKey }) => publicKey === undefined)).toHaveLength(2);
  expect(packagesOf(await modulesIn(log))).toEqual([
    "@grpc/grpc-js",
    "@js-sdsl/ordered-map",
    "@pulumi/pulumi/proto",
    "google-protobuf",
    "ipaddr.js",
    "leven",
    "undici",
    "zod",
  ]);
});

/** Makes a process write which modules it has loaded at that moment, one JSON list in a line. */
function writesModules(moment: "atFirstWrite" | "atExit", log: string): string {
  const write = `require("node:fs").appendFileSync(${JSON.stringify(log)}, JSON.stringify(Object.keys(require.cache)) + "\\n");`;
  if (moment === "atExit") return `process.on("exit", () => { ${write} });`;
  return `const write = process.stdout.write;
    process.stdout.write = (...args) => { process.stdout.write = write; ${write} return process.stdout.write(...args); };`;
}

/** Paths of all modules, relative to the repository, without the one that writes this. */
async function modulesIn(log: string): Promise<string[]> {
  const lines = (await readFile(log, "utf8")).trim().split("\n");
  const paths = new Set(lines.flatMap((line) => JSON.parse(line) as string[]));
  return [...paths].filter((path) => !path.startsWith(folder)).map((path) => relative(repositoryRoot, path));
}

function packagesOf(modules: readonly string[]): string[] {
  const names = modules.flatMap((path) => {
    const name = /.*node_modules\/(@pulumi\/pulumi\/proto|@[^/]+\/[^/]+|[^/]+)/.exec(path)?.[1];
    return name === undefined ? [] : [name];
  });
  return [...new Set(names)].sort();
}
