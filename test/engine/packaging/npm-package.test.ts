/** What `npm run pack` puts into the package: all that it needs, and nothing else. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type PackedPackage, packRepository, repositoryRoot } from "../../support";
import { filesOf } from "./support/archive-files";

let folder: string;
let packed: PackedPackage;
/** Content by path inside the package. */
let content: ReadonlyMap<string, string>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "opsmanager-pack-"));
  packed = await packRepository(folder);
  const files = await filesOf(packed.tarball);
  content = new Map([...files].map(([path, { text }]) => [path.replace("package/", ""), text]));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const atTheTop = [
  "CHANGELOG.md",
  "LICENSE",
  "PulumiPlugin.yaml",
  "README.md",
  "package.json",
  "pulumi-resource-opsmanager",
  "pulumi-resource-opsmanager.cmd",
];

describe("the npm package", () => {
  it("holds documents, launchers, JSON Schemas, the scripts for CI and what was compiled, of the tests the sandbox only", () => {
    const paths = [...content.keys()];
    expect(paths.filter((path) => !path.includes("/")).sort()).toEqual(atTheTop);
    const compiled = /^dist\/(cli|projects|provider|sandbox|sdk\/nodejs)\/([\w-]+\/)*[\w-]+(\.js|\.d\.ts)$/;
    const others = paths.filter((path) => path.includes("/") && !compiled.test(path));
    expect(others.sort()).toEqual([
      "action/forge.mjs",
      "action/publish-summary.mjs",
      "action/publish.mjs",
      "action/run.mjs",
      "dist/provider/schema-examples/translated.json",
      "dist/sdk/nodejs/package.json",
      "schemas/drift-report.schema.json",
      "schemas/organization-file.schema.json",
      "schemas/project-file.schema.json",
      "schemas/team-file.schema.json",
    ]);
    const executable = packed.files.filter(({ mode }) => (mode & 0o111) === 0o111).map(({ path }) => path);
    expect(executable.sort()).toEqual(["pulumi-resource-opsmanager", "pulumi-resource-opsmanager.cmd"]);
  });

  // Current language hosts run `npm install` in its folder. It once installed 1,055 packages, Jest and cspell among them.
  it("has a manifest without the tools and scripts of the repository", () => {
    const own = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8"));
    const manifest = JSON.parse(content.get("package.json") ?? "");
    const removed = Object.keys(own).filter((field) => !(field in manifest));
    expect(removed.sort()).toEqual(["allowScripts", "devDependencies", "overrides", "private", "scripts"]);
    expect({ ...own, ...manifest }).toEqual(own);
  });

  it("has every file that its manifest names", () => {
    const { main, types, bin, exports, typesVersions } = JSON.parse(content.get("package.json") ?? "");
    const named = JSON.stringify([main, types, bin, exports, typesVersions]);
    const paths = [...named.matchAll(/"(?:\.\/)?(dist\/[^"]+|package\.json|pulumi-resource-[^"]+)"(?!:)/g)];
    expect(paths.length).toBeGreaterThan(8);
    expect(paths.map(([, path]) => path).filter((path) => !content.has(path ?? ""))).toEqual([]);
  });

  // Language hosts read every package.json below node_modules, and would download the plugin that it requires.
  it("holds no source map, no key, no path of the machine that built it, and no package.json that requires a plugin", () => {
    const suspicious =
      /\/\/# sourceMappingURL=|-----BEGIN [A-Z ]*PRIVATE KEY-----|_authToken|^ *"pulumi": \{/m;
    const found = [...content].filter(([, text]) => suspicious.test(text) || text.includes(repositoryRoot));
    expect(found.map(([path]) => path)).toEqual([]);
  });
});
