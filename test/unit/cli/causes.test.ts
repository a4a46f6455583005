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
  ["nothing differs", "a", "a", "a", []],
  ["the program changes a value", "a", "a", "b", ['program it: -"a" +"b"']],
  ["somebody changes a value", "a", "b", "a", ['outside it: -"a" +"b"']],
  ["both change a value", "a", "b", "c", ['outside it: -"a" +"b"', 'program it: -"a" +"c"']],
  ["both make the same change", "a", "b", "b", []],
  ["the program declares a property", undefined, undefined, "b", ['program it: +"b"']],
  ["the program declares no more", "a", "a", undefined, ['program it: -"a"']],
  ["an entry of a set that the program adds", ["A"], ["A"], ["A", "B"], ['program it: +["B"]']],
  ["an entry that somebody removes", ["A", "B"], ["B"], ["A", "B"], ['outside it: -["A"]']],
  ["an entry that somebody adds", ["A"], ["A", "X"], ["A"], ['outside it: +["X"]']],
  [
    "one entry by each",
    ["A", "B"],
    ["B", "X"],
    ["A", "C"],
    ['outside it: -["A"] +["X"]', 'program it: -["B"] +["C"]'],
  ],
  ["an entry that both add", ["A"], ["A", "B"], ["A", "B", "C"], ['program it: +["C"]']],
  ["an entry that both remove", ["A", "B"], ["A"], ["A"], []],
  ["the order of a set", ["A", "B"], ["B", "A"], ["A", "B"], []],
  [
    "people of a list",
    { ada: readers, bob: readers },
    { ada: owners, eve: owners },
    { ada: readers, bob: readers, cleo: readers },
    [
      'outside it.ada: -["GROUP_READ_ONLY"] +["GROUP_OWNER"]',
      'outside it.bob: -["GROUP_READ_ONLY"]',
      'program it.cleo: +["GROUP_READ_ONLY"]',
      'outside it.eve: +["GROUP_OWNER"]',
    ],
  ],
  [
    "a person whom somebody removed and the program makes an owner",
    { ada: readers },
    {},
    { ada: owners },
    ['outside it.ada: -["GROUP_READ_ONLY"]', 'program it.ada: -["GROUP_READ_ONLY"] +["GROUP_OWNER"]'],
  ],
  ["a list that was not recorded", undefined, [], ["A"], ['program it: +["A"]']],
])("%s", (_title, recorded, live, declared, expected) => {
  expect(causesIn(recorded, live, declared)).toEqual(expected);
});
