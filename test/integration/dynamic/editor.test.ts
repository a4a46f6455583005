/** What an editor shows of a program of the dynamic provider: TypeScript's language service is asked about the built package. */
import { join } from "node:path";
import ts from "typescript";
import { repositoryRoot } from "../../support/repository";

const text = `import * as opsmanager from "pulumi-opsmanager/dynamic";
import { Project } from "pulumi-opsmanager/dynamic";
const ada = new opsmanager.ProjectMember("ada", { projectId: "p", username: "ada@example.com", roles: [] });
export const status = ada.status;
export const all: Project[] = [];
export const found = opsmanager.getProject({ name: "payments" });
`;
const file = join(repositoryRoot, "test", "program-in-an-editor.ts");

function languageService(): ts.LanguageService {
  const { config } = ts.readConfigFile(join(repositoryRoot, "tsconfig.json"), ts.sys.readFile);
  const compilerOptions = { ...config.compilerOptions, types: [] };
  const { options } = ts.parseJsonConfigFileContent({ compilerOptions, files: [] }, ts.sys, repositoryRoot);
  const read = (path: string) => (path === file ? text : ts.sys.readFile(path));
  return ts.createLanguageService({
    ...ts.sys,
    useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
    fileExists: (path) => path === file || ts.sys.fileExists(path),
    readFile: read,
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot: (path) => {
      const content = read(path);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
    getCurrentDirectory: () => repositoryRoot,
    getCompilationSettings: () => options,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
  });
}

const service = languageService();

/** The first line of what is shown, and the beginning of the documentation. @param before the text in front of the name */
function shownAt(before: string) {
  const info = service.getQuickInfoAtPosition(file, text.indexOf(before) + before.length);
  const [shown = ""] = ts.displayPartsToString(info?.displayParts).split("\n");
  return `${shown}: ${ts.displayPartsToString(info?.documentation)}`;
}

const completed = (before: string) =>
  service
    .getCompletionsAtPosition(file, text.indexOf(before) + before.length, {})
    ?.entries.map((e) => e.name);

it("has no error", () => {
  expect(service.getSemanticDiagnostics(file)).toEqual([]);
});

it("a class, an input, an output and a lookup are documented where the pointer rests on them", () => {
  expect(shownAt("all: ")).toMatch(/^\(alias\) class Project: A project of Ops Manager or Cloud Manager/);
  expect(shownAt("new opsmanager.")).toMatch(
    /^constructor ProjectMember\(name: string, args: opsmanager\.ProjectMemberArgs, opts\?: CustomResourceOptions\)/,
  );
  expect(shownAt('"ada", { ')).toMatch(
    /^\(property\) ProjectMemberArgs\.projectId: Input<string>: ID of the project, 24 hexadecimal digits\./,
  );
  expect(shownAt("ada.")).toMatch(
    /^\(property\) ProjectMember\.status: Output<string>: `active`: in the project\./,
  );
  expect(shownAt("found = opsmanager.")).toMatch(
    /^function getProject\(args\?: opsmanager\.GetProjectArgs, .*Looks up one project/,
  );
});

it("names are completed: of the package, of inputs and of outputs", () => {
  expect(completed("new opsmanager.")).toEqual(
    expect.arrayContaining(["Project", "ProjectMembers", "getProjectOutput", "ProjectRole"]),
  );
  expect(completed('"ada", { ')).toEqual(expect.arrayContaining(["onDestroy"]));
  expect(completed("ada.")).toEqual(expect.arrayContaining(["invitationId", "teamRoles", "id", "urn"]));
});
