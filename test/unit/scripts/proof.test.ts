import { numberOption, proofTable, tooFewWorlds } from "../../../scripts/lib/proof.mjs";
import { explain, readReasons, scoreOf, survivorsOf } from "../../../scripts/mutation.mjs";
import { trendOf } from "../../proof/soak/soak";

describe("the options of npm run proof", () => {
  it("have a default and reject what is no number", () => {
    expect(numberOption("minutes", undefined, 20)).toBe(20);
    expect(numberOption("minutes", "0.5", 20)).toBe(0.5);
    for (const text of ["", "many", "-1"]) {
      expect(() => numberOption("minutes", text, 20)).toThrow("--minutes must be a number, 0 or more");
    }
  });
});

it("the table of npm run proof is Markdown", () => {
  expect(proofTable([{ what: "kills", count: "256", result: "256 recovered" }]).split("\n")).toEqual([
    "| what | count | result |",
    "|---|---|---|",
    "| kills | 256 | 256 recovered |",
  ]);
});

it("fewer random worlds than requested are a failure, unless a counterexample ended the run", () => {
  const part = (worlds: number, ...counterexamples: object[]) => ({ worlds, counterexamples });
  const requested = { worlds: 3000, minutes: 2 };
  expect(tooFewWorlds([part(1500), part(1500)], requested)).toEqual([]);
  expect(tooFewWorlds([part(1500), part(1499)], requested)).toEqual([
    "2,999 of 3,000 worlds were played in 2 minutes. Give more --minutes or fewer --worlds.",
  ]);
  expect(tooFewWorlds([part(10), part(0)], requested)).toHaveLength(1);
  expect(tooFewWorlds([part(10, {}), part(1500)], requested)).toEqual([]);
});

describe("the mutation score", () => {
  const mutant = (status: string, line = 1) => ({
    mutatorName: "StringLiteral",
    replacement: '""',
    status,
    location: { start: { line, column: 11 }, end: { line, column: 16 } },
  });
  const source = 'const a = "one";\nconst b = "two";\n';
  const files = {
    "a.ts": { source, mutants: [mutant("Killed"), mutant("Timeout"), mutant("Survived", 2)] },
    "b.ts": { source, mutants: [mutant("NoCoverage"), mutant("CompileError"), mutant("Ignored")] },
  };

  it("counts a timeout as detected, what no test reaches as undetected, and leaves out what does not compile", () => {
    expect(scoreOf(files)).toEqual({ mutants: 4, score: 50, files: { "a.ts": 66.7, "b.ts": 0 } });
  });

  it("lists each survivor without a reason, and each reason without a survivor", () => {
    const reasons = readReasons('# comment\na.ts\tString*\t"t*\t*\tonly a label\nc.ts\t*\t*\t*\tgone\n');
    expect(explain(survivorsOf(files), reasons)).toEqual({
      unexplained: ['b.ts:1\tNoCoverage\tStringLiteral\t"one"\t""'],
      unused: ["c.ts\t*\t*\t*\tgone"],
    });
  });

  it("requires a reason in each line of the list", () => {
    expect(() => readReasons("a.ts\tStringLiteral\t*\t*\t\n")).toThrow("no reason");
  });
});

it("the trend of a soak compares the last third with the middle third", () => {
  expect(trendOf([900, 800, 700, 10, 30, 20, 40, 60, 50])).toEqual({ earlier: 20, later: 50 });
});
