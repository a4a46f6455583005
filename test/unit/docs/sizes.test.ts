/** README.md and DESIGN.md stay short: details belong to a page of docs/, to a comment or to a test. */
import { readPage } from "../../support/documents";

it("README.md has at most 250 lines", () => {
  expect(readPage("README.md").text.trimEnd().split("\n").length).toBeLessThanOrEqual(250);
});

it("DESIGN.md has fewer than 1,500 words", () => {
  expect(readPage("DESIGN.md").text.trim().split(/\s+/).length).toBeLessThan(1500);
});
