/** The .NET SDK and the C# examples of the package schema, built against Pulumi's SDK from NuGet. */
import { execFile } from "node:child_process";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { writeExampleFiles } from "../../../scripts/lib/schema-examples.mts";
import { describeIf, repositoryRoot } from "../../support";
import { isOnPath } from "../support/linters";

// The first run downloads Pulumi's SDK, and each example is a project of its own.
jest.setTimeout(900_000);

describeIf(isOnPath("dotnet"), "no .NET: there is no dotnet on PATH")("the .NET SDK", () => {
  it("builds, and so does each example of the package schema", async () => {
    const folder = await mkdtemp(join(tmpdir(), "opsmanager-dotnet-"));
    try {
      const sdk = join(folder, "sdk");
      await cp(join(repositoryRoot, "sdk", "dotnet"), sdk, { recursive: true });
      const examples = writeExampleFiles("csharp", join(folder, "examples"));
      for (const { id, file } of examples) {
        const project = join(dirname(file), `${id}.csproj`);
        await writeFile(project, projectFile(join(sdk, "Pulumi.OpsManager.csproj")));
        await promisify(execFile)("dotnet", ["build", "--nologo", project], { maxBuffer: 1e8 });
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

function projectFile(sdk: string): string {
  return `<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType>
    <TargetFramework>net6.0</TargetFramework>
    <Nullable>enable</Nullable>
  </PropertyGroup>
  <ItemGroup>
    <ProjectReference Include="${sdk}" />
  </ItemGroup>
</Project>
`;
}
