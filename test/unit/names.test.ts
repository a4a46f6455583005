/** Names of the provider: an exported name is declared in one file, and no two differ by one letter. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { repositoryRoot } from "../support/repository";

/** Each resource folder exports these for its resource. */
const perResource = [
  ...["check", "create", "diff", "read", "remove", "unlisted", "update"],
  ...["observationOf", "onDestroySetting", "previewState"],
];
/** Pairs and names of the package schema, whose resources and functions differ by one letter. */
const ofSchema = [
  ...["projectMember", "projectMemberInputs", "projectMemberOutputs"],
  ...["getProject", "getProjectInvitation", "getTeam"],
];
const allowed = new Set([...perResource, ...ofSchema]);

const filesByName = new Map<string, string[]>();
for (const file of globSync("provider/**/*.ts", { cwd: repositoryRoot })) {
  if (file.endsWith("generated.ts")) continue;
  const source = ts.createSourceFile(
    file,
    readFileSync(join(repositoryRoot, file), "utf8"),
    ts.ScriptTarget.Latest,
  );
  for (const statement of source.statements) {
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (!isExported) continue;
    const declarations = ts.isVariableStatement(statement)
      ? statement.declarationList.declarations
      : [statement as ts.DeclarationStatement];
    for (const { name } of declarations) {
      if (name && ts.isIdentifier(name))
        filesByName.set(name.text, [...(filesByName.get(name.text) ?? []), file]);
    }
  }
}

/** Whether one letter was replaced, added or removed. */
function areTwins(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (short.length < 4 || long.length > short.length + 1) return false;
  const start = [...short].findIndex((letter, index) => letter !== long[index]);
  if (start < 0) return long.length > short.length;
  return long.slice(start + 1) === short.slice(start + (long.length === short.length ? 1 : 0));
}

it("an exported name is declared in one file", () => {
  const repeated = [...filesByName].filter(([name, files]) => files.length > 1 && !allowed.has(name));
  expect(repeated).toEqual([]);
});

it("exported names of different files differ by more than one letter", () => {
  const names = [...filesByName].filter(([name]) => !allowed.has(name));
  const twins = names.flatMap(([one, files], index) =>
    names
      .slice(index + 1)
      .filter(([other, others]) => areTwins(one, other) && others.some((file) => !files.includes(file)))
      .map(([other]) => [one, other]),
  );
  expect(twins).toEqual([]);
});
