/** Where documents and examples get code from: any user may register a name that is free on the npm registry. */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { packageVersion } from "../../../provider/version";
import { repositoryRoot } from "../../support/repository";

const documents = /\.(md|ya?ml|json|sh|[cm]?[jt]s)$/;

function filesBelow(folder: string): string[] {
  return readdirSync(join(repositoryRoot, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (path === join("docs", "site")) return []; // It builds the site from the other pages.
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : filesBelow(path);
    return documents.test(entry.name) ? [path] : [];
  });
}

const files = [
  ...readdirSync(repositoryRoot).filter((name) => name.endsWith(".md")),
  ...["docs", "examples", "cli", "sandbox", "sdk"].flatMap(filesBelow),
];

/** Each occurrence in these files, with its file. */
function occurrences(pattern: RegExp): string[] {
  return files.flatMap((path) => {
    const found = readFileSync(join(repositoryRoot, path), "utf8").match(pattern) ?? [];
    return found.map((text) => `${path}: ${text}`);
  });
}

it("examples take the package from a file that the reader makes, never from a registry", () => {
  const manifests = files.filter((path) => path.startsWith("examples") && basename(path) === "package.json");
  const sources = manifests.map(
    (path) => JSON.parse(readFileSync(join(repositoryRoot, path), "utf8")).dependencies["pulumi-opsmanager"],
  );
  expect(sources.length).toBeGreaterThan(3);
  expect(new Set(sources)).toEqual(new Set([`file:pulumi-opsmanager-${packageVersion()}.tgz`]));
});

it("documents and examples never download the command with npx", () => {
  expect(occurrences(/npx --no-install opsmanager/g).length).toBeGreaterThan(2);
  expect(
    occurrences(/(?:npx|npm exec|npm x|pnpm dlx|yarn dlx|bunx) (?!--no-install )[^\n`]*opsmanager.*/g),
  ).toEqual([]);
});

it("documents install from the repository only by commit", () => {
  // `github:owner/name` is npm's; `github://api.github.com/...` is where Pulumi finds the archive of one release.
  const installs = occurrences(
    /(?:git\+https:|go get |pip install (?!\.\.\/)|github:(?!\/\/))[^\n`]*pulumi-opsmanager.*/g,
  );
  expect(installs.length).toBeGreaterThan(1);
  const isPinned = (line: string) => /[@#](?:<commit>|[0-9a-f]{40}|v\d+\.\d+\.\d+)(?=["`#\s]|$)/.test(line);
  expect(installs.filter((line) => !isPinned(line))).toEqual([]);
});
