import ts from "typescript";
import { dictionaryReads } from "../../../scripts/types.mts";

/** The library declares what the sources of this test need, and no more: the real one takes seconds. */
const library = `
interface Array<T> { readonly length: number; [index: number]: T }
interface Boolean {} interface Function {} interface IArguments {} interface Number {} interface Object {}
interface RegExp {} interface String { trim(): string }
type Record<Key extends string, T> = { [Name in Key]: T };
declare const table: Record<string, number>;
declare const fields: { one: number; two: number };
declare const list: number[];
declare const text: string;
declare const known: "one" | "two";
declare const index: number;
declare const anything: any;
`;

function readsIn(code: string): string[] {
  const sources = new Map([
    ["library.d.ts", library],
    ["source.ts", code],
  ]);
  const host = ts.createCompilerHost({});
  const program = ts.createProgram({
    rootNames: [...sources.keys()],
    options: { strict: true, noLib: true, types: [] },
    host: {
      ...host,
      getSourceFile: (name, version) => {
        const content = sources.get(name);
        return content === undefined ? undefined : ts.createSourceFile(name, content, version);
      },
    },
  });
  const source = program.getSourceFile("source.ts");
  return source ? dictionaryReads(source, program.getTypeChecker()).map(({ text }) => text) : [];
}

it("finds an object that is read, written or taken apart by any text", () => {
  const reads = [
    "table[text.trim()]",
    "table[`${text}s`]",
    "table[anything]",
    "fields[text as keyof typeof fields]",
    "text in table",
  ];
  expect(readsIn(reads.map((code, index) => `export const found${index} = ${code};`).join("\n"))).toEqual(
    reads,
  );
  expect(readsIn("table[text] = 1;")).toEqual(["table[text]"]);
  expect(readsIn("export const { [text]: found } = table;")).toEqual(["[text]: found"]);
});

it("accepts declared keys", () => {
  const reads = [
    "table.one",
    'table["one"]',
    "fields[known]",
    "list[index]",
    '"one" in fields',
    "<T, Key extends keyof T>(values: T, key: Key) => values[key]",
  ];
  expect(readsIn(reads.map((code, index) => `export const found${index} = ${code};`).join("\n"))).toEqual([]);
});
