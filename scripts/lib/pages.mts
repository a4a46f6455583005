import { sep } from "node:path";
import { filesBelow } from "./files.mjs";
import { inRepository } from "./repository.mjs";

/** The pages that the Pulumi Registry reads from the repository. They are in its form, so the documentation site lacks them. */
export const registryPages = ["docs/_index.md", "docs/installation-configuration.md"];

/** The list of all pages, which is the sidebar of the documentation site and no page of it. */
export const indexPage = "docs/README.md";

/** @returns absolute paths of the pages in docs/; docs/site holds what the documentation site is built with */
export function documentPages(): string[] {
  const site = inRepository("docs", "site") + sep;
  return filesBelow(inRepository("docs"), /\.md$/).filter((path) => !path.startsWith(site));
}
