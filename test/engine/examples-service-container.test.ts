/** `examples/service-container`: the instructions of its Dockerfile, carried out in an empty folder and in a container. */
import { type ChildProcessByStdio, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { extract } from "tar";
import type { State } from "../../sandbox";
import { createStack, describeIf, disposeStacks, packRepository, succeeded } from "../support";
import { startProcess } from "../support/child-process";
import { examples } from "./support/examples";
import { hadolint } from "./support/linters";
import { projectProgram } from "./support/project-program";
import { connection } from "./support/stack-setup";

const recipe = join(examples, "service-container");
const dockerfile = join(recipe, "Dockerfile");

/** Each instruction with its arguments, without comments. */
const instructions = readFileSync(dockerfile, "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)] as const);

const argumentsOf = (name: string) => instructions.flatMap(([found, text]) => (found === name ? [text] : []));
const commandOf = (name: string): string[] =>
  JSON.parse(/\[.*\]$/.exec(argumentsOf(name)[0] ?? "")?.[0] ?? "");

const seed = JSON.parse(readFileSync(join(recipe, "seed.json"), "utf8"));
const [{ id: orgId }] = seed.orgs;
const [{ publicKey, privateKey }] = seed.keys;

const linter = hadolint();
describeIf(linter.missing === "", linter.missing)("hadolint", () => {
  it("finds no fault in the Dockerfile", () => {
    const { status, stdout } = spawnSync(linter.path, ["--no-color", dockerfile], {
      encoding: "utf8",
    });
    expect([status, stdout]).toEqual([0, ""]);
  });
});

it("the container runs as a user without rights, by its number", () => {
  expect(argumentsOf("USER")).toEqual(["1000"]);
  expect(argumentsOf("EXPOSE")).toEqual(["8080 8081"]);
  expect(instructions.at(-1)?.[0]).toBe("CMD");
});

let folder: string;
let tarball: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "opsmanager-container-"));
  ({ tarball } = await packRepository(folder));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(disposeStacks);

/** A program creates a project through the published port, and the control address shows it. */
async function expectToServe(baseUrl: string, controlUrl: string): Promise<void> {
  const stack = await createStack({
    program: projectProgram({ orgId, name: "payments", tags: ["PROD"] }),
    config: connection({ baseUrl, publicKey, privateKey }),
  });
  const fault = { method: "POST", pathPattern: "/groups$", fault: "reset-after-write" };
  await fetch(`${controlUrl}/faults`, { method: "POST", body: JSON.stringify(fault) });
  expect((await succeeded(stack.up())).changes).toEqual({ create: 1 });
  expect(await (await fetch(`${controlUrl}/faults`)).json()).toEqual([]);
  const { projects } = (await (await fetch(`${controlUrl}/state`)).json()) as State;
  expect(projects).toMatchObject([{ name: "payments", orgId, tags: ["PROD"] }]);
}

describe("the instructions in an empty folder", () => {
  let image: string;
  let service: ChildProcessByStdio<null, Readable, null> | undefined;
  beforeAll(async () => {
    image = mkdtempSync(join(folder, "image-"));
    for (const [archive = ""] of argumentsOf("ADD").map((text) => text.split(" ")))
      await extract({ file: join(folder, archive), cwd: image }); // as Docker does with a local archive
    for (const names of argumentsOf("COPY").map((text) => text.split(" ").slice(0, -1)))
      for (const name of names) cpSync(join(recipe, name), join(image, name));
  });
  afterEach(() => service?.kill("SIGKILL"));

  const inImage = (ports: Record<string, string>) => ({
    cwd: image,
    env: { PATH: process.env.PATH ?? "", ...ports },
  });
  const run = ([command = "", ...args]: readonly string[], ports: Record<string, string> = {}) =>
    startProcess(command, args, inImage(ports)).finished;

  it("serve the API and the control address, report their health, and end with the signal", async () => {
    const [command = "", ...args] = [...commandOf("ENTRYPOINT"), ...commandOf("CMD")];
    service = spawn(command, args, {
      ...inImage({ PORT: "0", CONTROL_PORT: "0" }),
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [line] = await once(createInterface(service.stdout), "line");
    const { port, controlPort, ...facts } = JSON.parse(line);
    expect(facts).toEqual({ publicKey, privateKey, orgId });
    const isHealthy = () => run(commandOf("HEALTHCHECK"), { CONTROL_PORT: String(controlPort) });
    expect(await isHealthy()).toMatchObject({ exitCode: 0 });

    await expectToServe(`http://127.0.0.1:${port}`, `http://127.0.0.1:${controlPort}`);

    const ended = once(service, "exit");
    service.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
    expect((await isHealthy()).exitCode).not.toBe(0);
  });

  it("end with the exit code of the command if its options are wrong", async () => {
    const { exitCode, output } = await run([...commandOf("ENTRYPOINT"), "--colour"]);
    expect([exitCode, output]).toEqual([64, expect.stringContaining("Unknown argument --colour")]);
  });
});

const docker = (...args: string[]) =>
  execFileSync("docker", args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();

/** Why no image can be built; empty if it can. */
function dockerProblem(): string {
  try {
    docker("info");
  } catch {
    return "there is no container runtime: docker info fails";
  }
  try {
    docker("pull", "--quiet", argumentsOf("FROM")[0] ?? "");
    return "";
  } catch {
    return "docker cannot pull the base image";
  }
}

const problem = dockerProblem();
describeIf(problem === "", problem)("the image", () => {
  const tag = `opsmanager-sandbox-test-${process.pid}`;
  let container = "";
  afterAll(() => {
    if (container !== "") docker("rm", "--force", container);
    docker("image", "rm", "--force", tag);
  });

  it("becomes healthy and serves programs outside the container", async () => {
    const context = mkdtempSync(join(folder, "context-"));
    cpSync(recipe, context, { recursive: true });
    cpSync(tarball, join(context, basename(tarball)));
    docker("build", "--quiet", "--tag", tag, context);
    const ports = ["8080", "8081"];
    const publish = ports.flatMap((port) => ["--publish", `127.0.0.1::${port}`]);
    container = docker("run", "--detach", ...publish, tag);
    while (docker("inspect", "--format", "{{.State.Health.Status}}", container) !== "healthy")
      await new Promise((resolve) => setTimeout(resolve, 500));
    const [api, control] = ports.map((port) => `http://${docker("port", container, port)}`);
    await expectToServe(api ?? "", control ?? "");
  });
});
