import { dirname, join } from "node:path";
import ts from "typescript";
import { repositoryRoot } from "../../support/repository";

it("classes and lookups of the dynamic provider have the arguments, outputs and responses of the plugin's SDK", () => {
  const path = join(repositoryRoot, "tsconfig.json");
  const { config } = ts.readConfigFile(path, ts.sys.readFile);
  const { options, projectReferences = [] } = ts.parseJsonConfigFileContent(config, ts.sys, dirname(path));
  const file = join(__dirname, "same-types.ts");
  const program = ts.createProgram({ rootNames: [file], options, projectReferences });
  const faults = [...program.getSemanticDiagnostics(), ...program.getSyntacticDiagnostics()];
  expect(faults.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))).toEqual([]);
  expect(program.getSourceFile(file)).toBeDefined();
});
