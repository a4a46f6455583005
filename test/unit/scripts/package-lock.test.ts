import { readFileSync } from "node:fs";
import { join } from "node:path";
import { faultsOfLicenses } from "../../../scripts/lib/license-check.mts";
import { faultsOfLock } from "../../../scripts/lib/lock-file.mts";
import { repositoryRoot } from "../../support/repository";

interface LockedPackage {
  integrity?: string;
  resolved?: string;
  license?: string;
  dev?: boolean;
}

function readLock(): { readonly packages: Record<string, LockedPackage> } {
  return JSON.parse(readFileSync(join(repositoryRoot, "package-lock.json"), "utf8"));
}

describe("the lock files", () => {
  it("are incomplete without one platform's build of a tool", () => {
    const lock = readLock();
    for (const [parent, name] of [
      ["@biomejs/biome", "@biomejs/cli-win32-arm64"],
      ["esbuild", "@esbuild/darwin-x64"],
    ]) {
      delete lock.packages[`node_modules/${name}`];
      expect(faultsOfLock(lock)).toContain(`node_modules/${parent} needs ${name}, which is missing`);
    }
  });

  /** As a dependency update on one machine leaves them: neither the package nor its mention. */
  it("name a native dependency that lacks the build of a platform, unless one system alone has it", () => {
    const build = (os: string, cpu: string) => ({ integrity: "sha512-x", os: [os], cpu: [cpu] });
    const needing = (...names: string[]) => ({
      integrity: "sha512-x",
      optionalDependencies: Object.fromEntries(names.map((name) => [name, "1.0.0"])),
    });
    const packages = {
      "node_modules/native": needing("native-linux-x64", "native-linux-arm64"),
      "node_modules/native-linux-x64": build("linux", "x64"),
      "node_modules/native/node_modules/native-linux-arm64": build("linux", "arm64"),
      "node_modules/watcher": needing("fsevents"),
      "node_modules/fsevents": build("darwin", "x64"),
    };
    expect(faultsOfLock({ packages })).toEqual(
      ["darwin x64", "darwin arm64", "win32 x64", "win32 arm64"].map(
        (platform) => `node_modules/native has no build for ${platform}`,
      ),
    );
  });

  it("have an integrity for each package, and name no registry", () => {
    const lock = readLock();
    const zod = lock.packages["node_modules/zod"] as LockedPackage;
    delete zod.integrity;
    zod.resolved = "https://registry.example.com/zod.tgz";
    expect(faultsOfLock(lock)).toEqual([
      "node_modules/zod has no `integrity`",
      "node_modules/zod names the registry https://registry.example.com/zod.tgz",
    ]);
  });
});

describe("the licenses of packages", () => {
  it.each([
    { license: "GPL-3.0-only", inRelease: false, forTools: false },
    { license: "MIT OR GPL-3.0-only", inRelease: true, forTools: true },
    { license: "(MIT AND GPL-3.0-only)", inRelease: false, forTools: false },
    { license: "(BSD-3-Clause AND Apache-2.0)", inRelease: true, forTools: true },
    { license: "MPL-2.0", inRelease: false, forTools: true },
    { license: "SEE LICENSE IN LICENSE", inRelease: false, forTools: false },
    { license: undefined, inRelease: false, forTools: false },
  ])("$license is allowed in a release: $inRelease; for tools: $forTools", (row) => {
    const { license, inRelease, forTools } = row;
    const entry = { version: "1.2.3", ...(license === undefined ? {} : { license }) };
    const lock = { packages: { "": {}, "node_modules/@a/b/node_modules/c": entry } };
    const tool = { packages: { "node_modules/c": { ...entry, dev: true } } };
    const faults = (isAllowed: boolean) => (isAllowed ? [] : [`c 1.2.3: ${license ?? "no license"}`]);
    expect(faultsOfLicenses(lock, { isPublished: true })).toEqual(faults(inRelease));
    expect(faultsOfLicenses(lock, { isPublished: false })).toEqual(faults(forTools));
    expect(faultsOfLicenses(tool, { isPublished: true })).toEqual(faults(forTools));
  });
});
