/** The Java SDK, the Java examples of the package schema and the program of docs/csharp-java.md, compiled against Pulumi's SDK from Maven Central. */
import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { cacheFolder } from "../../../scripts/lib/cache.mjs";
import { filesBelow } from "../../../scripts/lib/files.mjs";
import { writeExampleFiles } from "../../../scripts/lib/schema-examples.mts";
import { describeIf, repositoryRoot } from "../../support";
import { readPage } from "../../support/documents";
import { isOnPath } from "../support/linters";

// The first run downloads Pulumi's SDK.
jest.setTimeout(300_000);

const execute = promisify(execFile);
const sdk = join(repositoryRoot, "sdk", "java");

/** The jar files of the version of Pulumi's SDK that the SDK requires; why there are none. */
function findClassPath(): { readonly classPath: string } | { readonly reason: string } {
  if (!isOnPath("javac", "-version")) return { reason: "there is no javac on PATH" };
  const version = /"com\.pulumi:pulumi:(.*)"/.exec(readFileSync(join(sdk, "build.gradle"), "utf8"))?.[1];
  const known = join(cacheFolder(), `java-class-path-${version}`);
  if (existsSync(known)) {
    const classPath = readFileSync(known, "utf8");
    if (classPath.split(delimiter).every((jar) => existsSync(jar))) return { classPath };
  }
  try {
    const classPath = askMaven(version ?? "");
    writeFileSync(known, classPath);
    return { classPath };
  } catch {
    return { reason: "there is no mvn on PATH, or it cannot download com.pulumi:pulumi" };
  }
}

/** Downloads what is missing. It takes seconds also if nothing is. */
function askMaven(version: string): string {
  const folder = mkdtempSync(join(tmpdir(), "opsmanager-maven-"));
  try {
    const dependency = `<dependency><groupId>com.pulumi</groupId><artifactId>pulumi</artifactId><version>${version}</version></dependency>`;
    const project = "<modelVersion>4.0.0</modelVersion><groupId>x</groupId><artifactId>x</artifactId>";
    writeFileSync(
      join(folder, "pom.xml"),
      `<project>${project}<version>1</version><dependencies>${dependency}</dependencies></project>`,
    );
    const output = join(folder, "classpath");
    const args = ["-q", "-B", "dependency:build-classpath", `-Dmdep.outputFile=${output}`];
    execFileSync("mvn", args, { cwd: folder, stdio: "ignore" });
    return readFileSync(output, "utf8").trim();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const found = findClassPath();

describeIf("classPath" in found, `no Java: ${"reason" in found && found.reason}`)("the Java SDK", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "opsmanager-java-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** @returns the errors */
  async function compile(files: readonly string[], classPath: readonly string[], output: string) {
    const path = [...classPath, "classPath" in found ? found.classPath : ""];
    const args = ["-nowarn", "-d", output, "-cp", path.join(delimiter), ...files];
    const { stderr } = await execute("javac", args).catch((error: { stderr: string }) => error);
    return stderr.replace(/^Note: .*\n/gm, "");
  }

  it("compiles, and so do each example of the package schema and the documented program; a wrong type does not", async () => {
    // Each example has the same package and class. Packages of their own let one javac compile all of them.
    const examples = writeExampleFiles("java", join(folder, "examples"));
    for (const { id, file } of examples) {
      const program = readFileSync(file, "utf8");
      writeFileSync(file, program.replace("package generated_program;", `package ${id.replace("-", "_")};`));
    }
    const files = examples.map(({ file }) => file);
    expect(examples.map(({ id }) => id)).toContain("ProjectMembers-1");
    const typed = readPage("docs/csharp-java.md").blocks.find(({ language }) => language === "java");
    writeFileSync(join(folder, "App.java"), typed?.text ?? "");
    files.push(join(folder, "App.java"));
    const compiled = join(folder, "compiled");
    expect(await compile([...filesBelow(sdk, /\.java$/), ...files], [], compiled)).toBe("");

    const project = files.find((file) => readFileSync(file, "utf8").includes('.name("payments")')) ?? "";
    writeFileSync(project, readFileSync(project, "utf8").replace('.name("payments")', ".name(1)"));
    expect(await compile([project], [compiled], join(folder, "out"))).toContain(
      "no suitable method found for name(int)",
    );
  });
});
