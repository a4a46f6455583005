import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messagesInSources } from "../../../scripts/lib/message-sources.mjs";
import { mergedCatalog } from "../../../scripts/lib/messages.mjs";

describe("the messages of a source", () => {
  let folder: string;
  const textsIn = (source: string) => {
    const file = join(folder, "source.ts");
    writeFileSync(file, source);
    return messagesInSources([file]).map(({ text }) => text);
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "opsmanager-messages-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it.each([
    [
      "an error",
      "throw new RefusedError(`Project ${project.id} cannot be read.`);",
      ["Project <id> cannot be read."],
    ],
    [
      "a class of errors",
      'class NoProject extends TypeError {}\nthrow new NoProject("No project could be created.");',
      ["No project could be created."],
    ],
    [
      "both branches of a condition",
      'log.warn(isNew ? "The project is a new one." : "The project exists already.");',
      ["The project exists already.", "The project is a new one."],
    ],
    [
      "a function that returns the text",
      'context.log.info(text());\nfunction text() { return "The project was released."; }',
      ["The project was released."],
    ],
    [
      "a parameter, through the callers",
      'refuse("The file is not a map.");\nfunction refuse(reason: string) { faults.push({ reason }); }',
      ["The file is not a map."],
    ],
    [
      "a callback that returns the text",
      "shared((key) => `The key ${key} occurs twice.`);\nfunction shared(reasonOf) { return { reason: reasonOf(1) }; }",
      ["The key <key> occurs twice."],
    ],
    [
      "the parts of a template",
      "throw new Error(`${action} failed: no response. ${hint}`);\nconst hint = `Check the address ${origin}.`;",
      ["<action> failed: no response. <hint>", "Check the address <origin>."],
    ],
    ["a list of texts", 'for (const one of ["The first of them."]) log.warn(one);', ["The first of them."]],
    [
      "the values of a table",
      'const table = { one: "The first of them." };\nObject.entries(table).map(([name, reason]) => ({ name, reason }));',
      ["The first of them."],
    ],
    ["a check of zod", 'z.string("must be text");', ["must be text"]],
  ])("are those of %s", (_, source, expected) => {
    expect(textsIn(source).sort()).toEqual(expected);
  });

  it.each([
    ["the output of a command", 'terminal.stdout("Nothing to do here.");'],
    ["a description", 'z.meta({ description: "The name of the project." });'],
    ["the path of a request", "throw new RefusedError(`${project}/issues?state=opened&labels=${label}`);"],
  ])("do not include %s", (_, source) => {
    expect(textsIn(source)).toEqual([]);
  });
});

describe("the catalog of messages", () => {
  const source = "provider/resources/project/delete.ts#remove";
  const message = { text: "Project <id> is retained: declared by <owner>.", source };
  const entry = { cause: "Another resource declares it.", messages: [message] };

  it("keeps the explanation of a text that was changed", () => {
    const changed = { text: "Project <id> is left unchanged: <owner> declares it.", source };
    expect(mergedCatalog([entry], [changed])).toEqual({
      entries: [{ ...entry, messages: [changed] }],
      removed: [],
    });
  });

  it("keeps the explanation of a text that was moved", () => {
    const moved = { ...message, source: "provider/resources/project/release.ts#release" };
    expect(mergedCatalog([entry], [moved])).toEqual({
      entries: [{ ...entry, messages: [moved] }],
      removed: [],
    });
  });

  it("leaves out a message without an explanation: most say enough themselves", () => {
    const other = { text: "Deleting failed.", source };
    expect(mergedCatalog([entry], [message, other])).toEqual({ entries: [entry], removed: [] });
  });

  it("names an explanation whose message was deleted", () => {
    expect(mergedCatalog([entry], []).removed).toEqual([message]);
  });

  it("gives each of two similar texts its own explanation", () => {
    const other = { text: "Project <id> is retained: declared by <other>.", source };
    const second = { cause: "Another one.", messages: [other] };
    expect(mergedCatalog([second, entry], [message, other]).entries).toEqual([entry, second]);
  });
});
