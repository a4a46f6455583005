import { slugOf, uniqueSlug } from "../../../cli/adopt/slug";

const id = "5f0000000000000000a1b2c3";

it.each([
  ["payments", "payments"],
  ["Payments EU", "payments-eu"],
  ["Zürich / Ost", "zurich-ost"],
  ["Straße & Łódź & Ærø", "strasse-lodz-aero"],
  ["..hidden_and.dotted..", "hidden-and-dotted"],
  ["_defaults", "defaults"],
  ["C:\\payments:*?", "c-payments"],
  ["ﬁne ①", "fine-1"],
])("%j becomes a file name that every file system takes: %s", (name, slug) => {
  expect(slugOf(name)).toBe(slug);
});

it("a long name is cut, and does not end in a hyphen", () => {
  expect(slugOf(`${"a".repeat(59)} bcd`)).toBe("a".repeat(59));
});

it.each([
  ["東京", "project-a1b2c3"],
  ["", "project-a1b2c3"],
  ["NUL", "nul-a1b2c3"],
  ["com1", "com1-a1b2c3"],
])("%j, which makes no file name, gets one with the end of the project's id: %s", (name, slug) => {
  expect(uniqueSlug({ name, id, noun: "project" }, () => false)).toBe(slug);
});

it("a name that looks like another gets the end of its id, and all of it where that is taken too", () => {
  const taken = new Set(["payments"]);
  const slug = () =>
    uniqueSlug({ name: "Payments!", id, noun: "project" }, (candidate) => taken.has(candidate));
  expect(slug()).toBe("payments-a1b2c3");
  taken.add(slug());
  expect(slug()).toBe(`payments-${id}`);
});
