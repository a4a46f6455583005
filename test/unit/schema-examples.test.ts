import { components } from "../../provider/component";
import { lookups } from "../../provider/functions";
import { packageSchema } from "../../provider/package-schema";
import { resources } from "../../provider/resources/all";
import { examplesOf, LANGUAGES, withExamples } from "../../provider/schema-examples";
import { readSource, readSources } from "../../scripts/lib/schema-examples.mts";

const named = [...resources, ...components, ...lookups].map(({ name }) => name);

test.each([...named, "Provider"])("%s has an example in every language", (name) => {
  expect(examplesOf(name).length).toBeGreaterThan(0);
  for (const { programs } of examplesOf(name)) {
    for (const language of LANGUAGES) expect(programs[language].join("\n")).toMatch(/opsmanager/i);
  }
});

test("every example belongs to something that exists, and what is shown is what is written", () => {
  for (const { id, name, title, text, program } of readSources()) {
    expect([...named, "Provider"]).toContain(name);
    const shown = examplesOf(name)[Number(id.split("-")[1]) - 1];
    expect({ id, title: shown?.title, text: shown?.text, yaml: shown?.programs.yaml }).toEqual({
      id,
      title,
      text,
      yaml: program.trimEnd().split("\n"),
    });
  }
});

test("follows the description, in the form that Pulumi's generators know", () => {
  const shown = withExamples("getProjects", "Looks projects up.");
  expect(shown).toMatch(
    /^Looks projects up\.\n\n\{\{% examples %\}\}\n\n## Example Usage\n\n\{\{% example %\}\}\n\n### /,
  );
  expect(shown).toMatch(/```\n\n\{\{% \/example %\}\}\n\n\{\{% \/examples %\}\}$/);
  const blocks = [...shown.matchAll(/^```(\w+)$/gm)].map(([, language]) => language);
  expect(blocks).toEqual(["typescript", "python", "go", "csharp", "java", "yaml"]);
});

test("what has no example is described all the same, and the provider shows its own", () => {
  expect(examplesOf("toString")).toEqual([]);
  expect(withExamples("getNothing", "Nothing.")).toBe("Nothing.");
  expect(packageSchema()).toMatchObject({
    provider: { description: expect.stringContaining("new opsmanager.Provider(") },
  });
});

test.each([
  { id: "Thing", content: "# A title\nresources: {}\n", fault: "the name of Thing.yaml must be" },
  { id: "Thing-1", content: "resources: {}\n", fault: 'Thing-1.yaml must begin with "# <title>"' },
  { id: "Thing-1", content: "# A title\n# Text\n", fault: 'Thing-1.yaml must begin with "# <title>"' },
])("$id with $content is refused", ({ id, content, fault }) => {
  expect(() => readSource(id, content)).toThrow(fault);
});
