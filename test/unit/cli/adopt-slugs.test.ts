import { slugOf, uniqueSlug } from "../../../cli/adopt/slug";

const id = "5f0000000000000000a1b2c3";

it.each([
  { name: "payments", slug: "payments" },
  { name: "Payments EU", slug: "payments-eu" },
  { name: "Zürich / Ost", slug: "zurich-ost" },
  { name: "Straße & Łódź & Ærø", slug: "strasse-lodz-aero" },
  { name: "..hidden_and.dotted..", slug: "hidden-and-dotted" },
  { name: "_defaults", slug: "defaults" },
  { name: "C:\\payments:*?", slug: "c-payments" },
  { name: "ﬁne ①", slug: "fine-1" },
  { name: `${"a".repeat(59)} bcd`, slug: "a".repeat(59) },
])("$name becomes a file name that every file system takes: $slug", ({ name, slug }) => {
  expect(slugOf(name)).toBe(slug);
});

it.each([
  { name: "東京", slug: "project-a1b2c3" },
  { name: "", slug: "project-a1b2c3" },
  // Documented by Microsoft in "Naming Files, Paths, and Namespaces"; an extension does not help.
  ...["CON", "nul ", "Aux", "prn.", "COM1", "com9", "LPT1"].map((name) => {
    return { name, slug: `${name.toLowerCase().replace(/\W/, "")}-a1b2c3` };
  }),
  { name: "Com\u00b9", slug: "com1-a1b2c3" },
])("$name makes no file name, and gets the end of the project's id: $slug", ({ name, slug }) => {
  expect(uniqueSlug({ name, id, noun: "project" }, () => false)).toBe(slug);
});
