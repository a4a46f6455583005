/** The Go SDK as a user has it: a module of its own, that programs request by its path. */
import { cp, mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeExampleFiles } from "../../../scripts/lib/schema-examples.mts";
import { describeIf, itIf, repositoryRoot } from "../../support";
import { tearDownStacks } from "../support/stack-setup";
import { createWorkspace, go, sdk, sdkModule, whyNoGo } from "./support/go";
import { hasLanguageHost } from "./support/language-hosts";
import { openProgram, playProgram, programs } from "./support/play";

// Where no engine was built on this machine, Pulumi's SDK is compiled first: two minutes of work.
jest.setTimeout(900_000);

const missing = whyNoGo();

describeIf(missing === undefined, `no Go: ${missing}`)("the Go SDK", () => {
  let folder: string;
  let env: Record<string, string>;
  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "opsmanager-go-types-")));
    await cp(join(programs, "go"), folder, { recursive: true });
    env = await createWorkspace(folder, [folder]);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  afterEach(tearDownStacks);

  it("is a complete module with nothing that is not needed, and names its plugin and the version of this repository", async () => {
    const tidy = await go(["mod", "tidy", "-diff"], sdk, { GOWORK: "off" });
    expect(tidy).toEqual({ succeeded: true, output: "" });
    expect(await readFile(join(sdk, "go.mod"), "utf8")).toContain(`module ${sdkModule}\n`);
    const { version } = JSON.parse(await readFile(join(repositoryRoot, "package.json"), "utf8"));
    const plugin = JSON.parse(await readFile(join(sdk, "pulumi-plugin.json"), "utf8"));
    expect(plugin).toEqual({ resource: true, name: "opsmanager", version, server: expect.any(String) });
  });

  it("passes go vet, and so do programs and the examples in its documentation", async () => {
    const ids = writeExampleFiles("go", join(folder, "examples")).map(({ id }) => id);
    expect(ids).toContain("Project-1");
    const vet = ["vet", "./...", `${sdkModule}/...`];
    expect(await go(vet, folder, env)).toEqual({ succeeded: true, output: "" });
  });

  it("does not compile where it is used wrongly", async () => {
    const { output } = await go(["build", "-gcflags=-e", "-tags=wrong", "./types"], folder, env);
    const refused = [...output.matchAll(/^types\/wrong\.go:(\d+):/gm)].map(([, line]) => Number(line));
    const lines = (await readFile(join(folder, "types", "wrong.go"), "utf8")).split("\n");
    const marked = lines.flatMap((line, index) => (line.endsWith("// wrong") ? [index + 1] : []));
    expect(marked.length).toBeGreaterThan(10);
    expect(refused).toEqual(marked);
  });

  itIf(hasLanguageHost("go"), "the engine has no pulumi-language-go")(
    "runs a program: people come in by roles and names as written, a second up has nothing to do",
    async () => {
      const setup = await openProgram("go");
      const { root, program } = setup.stack.paths;
      setup.stack.setEnv(await createWorkspace(root, [program]));
      await playProgram(setup);
    },
  );
});
