import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { summary } from "../../../cli/adopt/report";

const draft = { counts: { people: 0, invited: 0, teams: 0, keys: 0 } };
const found = {
  kinds: [{ noun: "project", drafts: [draft] }],
  adopted: [draft],
  entries: 1,
  earlier: 0,
  ended: [],
} as unknown as Parameters<typeof summary>[0];
const options = {
  layout: "projects" as const,
  out: "projects",
  importFile: "import.json",
  component: "projects",
};

it.each([
  ["nodejs", 'new opsmanager.ProjectFolder("projects", { folder: "projects" });'],
  ["python", 'opsmanager.ProjectFolder("projects", folder="projects")'],
  ["go", 'opsmanager.NewProjectFolder(ctx, "projects", &opsmanager.ProjectFolderArgs{Folder: "projects"})'],
  ["dotnet", 'new OpsManager.ProjectFolder("projects", new() { Folder = "projects" });'],
  ["java", 'new ProjectFolder("projects", ProjectFolderArgs.builder().folder("projects").build());'],
  ["{ name: yaml }", '"projects": { type: opsmanager:ProjectFolder, properties: { folder: "projects" } }'],
])("ends with the component in the language of the program: %s", async (runtime, component) => {
  const folder = await mkdtemp(join(tmpdir(), "opsmanager-adopt-report-"));
  await writeFile(join(folder, "Pulumi.yaml"), `name: platform\nruntime: ${runtime}\n`);
  const text = summary(found, options, { cwd: folder, env: {} });
  await rm(folder, { recursive: true });
  expect(text).toContain(`The program must declare the folder:\n  ${component}\n`);
});
