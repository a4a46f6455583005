import { execFile, execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { itIf, succeeded } from "../../support";
import { createEstate, disposeEstates } from "../support/estate";
import { endPlugins, isAlive, launcher, recordPluginProcesses, startPlugin } from "../support/plugin-process";
import {
  changedPaths,
  operations,
  projectNamed,
  projectProgram,
  projectsNamed,
  projectsProgram,
  said,
  timesSaid,
} from "../support/project-program";

// All of this is about the plugin; the dynamic door's process belongs to Pulumi's own host.
afterEach(async () => {
  await disposeEstates();
  await endPlugins();
});

describe("a plugin that was started by hand", () => {
  it("serves preview, up, drift, refresh and destroy one after the other to an engine that attaches to it", async () => {
    const plugin = await startPlugin();
    const { sandbox, stack } = await createEstate({
      program: ({ orgId }) => projectProgram({ orgId, name: "payments", tags: ["Lower"] }),
    });
    stack.setEnv({ PULUMI_DEBUG_PROVIDERS: `opsmanager:${plugin.port}` });
    // Trap 9: what a person has to read goes to the engine that attached, in each operation anew.
    const preview = await succeeded(stack.preview());
    expect(timesSaid(preview, 'Tag "Lower" has lower-case letters')).toBe(1);
    const up = await succeeded(stack.up());
    expect(timesSaid(up, 'Tag "Lower" has lower-case letters')).toBe(1);
    expect(up.changes).toEqual({ create: 1 });
    const { id } = projectNamed(sandbox, "payments");

    sandbox.changeProject(id, { tags: ["URGENT"] });
    const drift = await succeeded(stack.preview());
    expect(changedPaths(drift)).toEqual({ "tags[0]": "update" });
    expect((await succeeded(stack.refresh())).changes).toEqual({ update: 1 });
    expect(operations(await succeeded(stack.up()))).toEqual({ payments: "update" });
    expect(sandbox.project(id)?.tags).toEqual(["Lower"]);
    await succeeded(stack.destroy());
    expect(sandbox.project(id)).toBeUndefined();

    expect(plugin.stdout()).toBe(`${plugin.port}\n`);
    expect(plugin.child.exitCode).toBeNull();
    plugin.child.kill("SIGTERM");
    expect(await plugin.ended).toEqual({ code: 0, signal: null });
  });

  // Two operations of one process: what the first one declared must not protect anything in the second.
  it("forgets at the end of an operation what its program declared", async () => {
    const plugin = await startPlugin();
    const { sandbox, stack } = await createEstate({
      program: ({ orgId }) => projectsProgram({ payments: { properties: { orgId, name: "payments" } } }),
    });
    stack.setEnv({ PULUMI_DEBUG_PROVIDERS: `opsmanager:${plugin.port}` });
    await succeeded(stack.up());
    await succeeded(stack.destroy());
    expect(projectsNamed(sandbox, "payments")).toEqual([]);
  });

  it("ends when its stdin closes, as it does when the engine is killed", async () => {
    const plugin = await startPlugin(["127.0.0.1:1"]);
    plugin.child.stdin?.end();
    expect(await plugin.ended).toEqual({ code: 0, signal: null });
  });

  it("takes the engine's flags and says nothing on stdout but its port", async () => {
    const plugin = await startPlugin(["--logtostderr", "-v=9", "--tracing", "127.0.0.1:2", "127.0.0.1:1"]);
    expect(plugin.port).toBeGreaterThan(0);
    plugin.child.kill("SIGINT");
    expect(await plugin.ended).toEqual({ code: 0, signal: null });
    expect(plugin.stdout()).toBe(`${plugin.port}\n`);
  });
});

// Trap 11: processes multiply with providers, so one project more must not mean one sign-in more.
describe("the plugin's processes", () => {
  it("are one for each provider that a run uses", async () => {
    const { sandbox, stack } = await createEstate({
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
          billing: { type: "Project", properties: { orgId, name: "billing" } },
          tools: { type: "Project", properties: { orgId, name: "tools" } },
        },
      }),
    });
    const processes = await recordPluginProcesses(stack);
    await succeeded(stack.up());
    // One more reads the schema for the YAML program, before there is any provider.
    expect(await processes()).toHaveLength(3);
    await succeeded(stack.refresh());
    expect(await processes()).toHaveLength(2);

    sandbox.clearRequests();
    await succeeded(stack.destroy());
    expect(await processes()).toHaveLength(2);
    const challenges = sandbox.requests.filter(({ publicKey }) => publicKey === undefined);
    expect(challenges).toHaveLength(2);
  });

  it("are gone when the run is over, whatever way it ended", async () => {
    const { sandbox, stack } = await createEstate({
      program: ({ orgId }) => projectProgram({ orgId, name: "payments", tags: ["PROD"] }),
    });
    const processes = await recordPluginProcesses(stack);
    sandbox.addFault({ method: "POST", fault: { status: 400 } });
    const failed = await stack.up();
    expect(failed.exitCode).not.toBe(0);
    expect(said(failed, "error")).toContain("Creating project");
    // An unacknowledged Cancel would make the engine print all that the plugin ever wrote (trap 9).
    expect(failed.output).not.toMatch(/plugin.*(crashed|exited)/i);
    await succeeded(stack.up());
    const started = await processes();
    expect(started.length).toBeGreaterThanOrEqual(2);
    expect(started.filter(isAlive)).toEqual([]);
  });
});

const oldNode = [...(process.env.PATH ?? "").split(":"), "/usr/bin", "/usr/local/bin"]
  .map((folder) => join(folder, "node"))
  .find((path) => existsSync(path) && majorOf(path) < 22);

itIf(oldNode !== undefined, "no Node.js older than 22 here")(
  "the launcher says in one line that it needs a newer Node.js, and ends",
  async () => {
    const child = execFile(oldNode ?? "", [launcher, "127.0.0.1:1"]);
    let [stdout, stderr] = ["", ""];
    child.stdout?.on("data", (text: string) => {
      stdout += text;
    });
    child.stderr?.on("data", (text: string) => {
      stderr += text;
    });
    const [code] = await once(child, "close");
    expect(code).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toMatch(
      /^pulumi-resource-opsmanager needs Node\.js 22\.19 or newer on PATH; this is [\d.]+\.\n$/,
    );
  },
);

function majorOf(node: string): number {
  return Number(execFileSync(node, ["-p", "process.versions.node.split('.')[0]"], { encoding: "utf8" }));
}
