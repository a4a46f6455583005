/** Who made a difference that a run removes, by the recorded, the live and the declared value. */
import { separated } from "../../../cli/lib/causes";
import { pathText } from "../../../provider/resources/contract/property-path";

const readers = ["GROUP_READ_ONLY"];
const owners = ["GROUP_OWNER"];

/** `program tags: -["A"] +["B"]` */
function causesIn(recorded: unknown, live: unknown, declared: unknown): string[] {
  return separated(["it"], { recorded, live, declared }).map(({ cause, path, before, after }) =>
    [
      `${cause} ${pathText(path)}:`,
      ...(before === undefined ? [] : [`-${JSON.stringify(before)}`]),
      ...(after === undefined ? [] : [`+${JSON.stringify(after)}`]),
    ].join(" "),
  );
}

it.each([
  { recorded: "a", live: "a", declared: "a", found: [] },
  { recorded: "a", live: "a", declared: "b", found: ['program it: -"a" +"b"'] },
  { recorded: "a", live: "b", declared: "a", found: ['outside it: -"a" +"b"'] },
  { recorded: "a", live: "b", declared: "c", found: ['outside it: -"a" +"b"', 'program it: -"a" +"c"'] },
  { recorded: "a", live: "b", declared: "b", found: [] },
  { recorded: undefined, live: undefined, declared: "b", found: ['program it: +"b"'] },
  { recorded: "a", live: "a", declared: undefined, found: ['program it: -"a"'] },
  // Sets, whose entries count one by one, and whose order does not.
  { recorded: ["A"], live: ["A"], declared: ["A", "B"], found: ['program it: +["B"]'] },
  { recorded: ["A", "B"], live: ["B"], declared: ["A", "B"], found: ['outside it: -["A"]'] },
  { recorded: ["A"], live: ["A", "X"], declared: ["A"], found: ['outside it: +["X"]'] },
  {
    recorded: ["A", "B"],
    live: ["B", "X"],
    declared: ["A", "C"],
    found: ['outside it: -["A"] +["X"]', 'program it: -["B"] +["C"]'],
  },
  { recorded: ["A"], live: ["A", "B"], declared: ["A", "B", "C"], found: ['program it: +["C"]'] },
  { recorded: ["A", "B"], live: ["A"], declared: ["A"], found: [] },
  { recorded: ["A", "B"], live: ["B", "A"], declared: ["A", "B"], found: [] },
  { recorded: undefined, live: [], declared: ["A"], found: ['program it: +["A"]'] },
  // People of a list.
  {
    recorded: { ada: readers, bob: readers },
    live: { ada: owners, eve: owners },
    declared: { ada: readers, bob: readers, cleo: readers },
    found: [
      'outside it.ada: -["GROUP_READ_ONLY"] +["GROUP_OWNER"]',
      'outside it.bob: -["GROUP_READ_ONLY"]',
      'program it.cleo: +["GROUP_READ_ONLY"]',
      'outside it.eve: +["GROUP_OWNER"]',
    ],
  },
  {
    recorded: { ada: readers },
    live: {},
    declared: { ada: owners },
    found: ['outside it.ada: -["GROUP_READ_ONLY"]', 'program it.ada: -["GROUP_READ_ONLY"] +["GROUP_OWNER"]'],
  },
])("recorded $recorded, live $live, declared $declared: $found", ({ recorded, live, declared, found }) => {
  expect(causesIn(recorded, live, declared)).toEqual(found);
});
