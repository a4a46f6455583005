/** Pulumi's own commands accept the package schema. */
import { join } from "node:path";
import { packageSchema } from "../../../provider/package-schema";
import { createStack, disposeStacks, repositoryRoot, succeeded } from "../../support";

afterEach(disposeStacks);

/** The file that Pulumi starts where a folder is not something that its language host can start. */
const launcher = join(
  repositoryRoot,
  `pulumi-resource-opsmanager${process.platform === "win32" ? ".cmd" : ""}`,
);

type Entries = Readonly<Record<string, { readonly description: string }>>;
interface Described extends Readonly<Record<"name" | "version" | "language", unknown>> {
  readonly resources: Entries;
  readonly functions: Entries;
}

function descriptions(entries: Entries): Record<string, string> {
  return Object.fromEntries(Object.entries(entries).map(([token, { description }]) => [token, description]));
}

it("`pulumi schema check` has nothing to remark, and `pulumi package get-schema` prints the whole schema, examples included", async () => {
  const stack = await createStack({ program: { outputs: {} } });
  expect((await succeeded(stack.run("schema", "check", launcher))).output.trim()).toBe("");
  const { stdout } = await succeeded(stack.run("package", "get-schema", launcher));
  const answered: Described = JSON.parse(stdout);
  const ours = packageSchema() as unknown as Described;
  expect(answered).toMatchObject({ name: ours.name, version: ours.version, language: ours.language });
  expect(descriptions(answered.resources)).toEqual(descriptions(ours.resources));
  expect(descriptions(answered.functions)).toEqual(descriptions(ours.functions));
  expect(answered.resources["opsmanager:index:Project"]?.description).toContain("## Example Usage");
});
