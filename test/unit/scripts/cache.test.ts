import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cacheFolder, keyOf } from "../../../scripts/lib/cache.mjs";

describe("the cache of engines", () => {
  const home = join("/home", "ada");

  it.each([
    ["linux", {}, join(home, ".cache", "pulumi-opsmanager", "engine")],
    ["linux", { XDG_CACHE_HOME: "/cache" }, join("/cache", "pulumi-opsmanager", "engine")],
    ["darwin", {}, join(home, "Library", "Caches", "pulumi-opsmanager", "engine")],
    ["win32", { LOCALAPPDATA: "/local" }, join("/local", "pulumi-opsmanager", "engine")],
    ["linux", { OPSMANAGER_ENGINE_CACHE: "/named" }, "/named"],
  ])("is on %s with %j where that system keeps caches", (platform, env, expected) => {
    expect(cacheFolder({ platform, env, home })).toBe(expected);
  });
});

describe("the key of a set of files", () => {
  let folder: string;
  const file = () => join(folder, "go.mod");

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "opsmanager-key-"));
    writeFileSync(file(), "go 1.26");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("stays the same while the files do", () => {
    const key = keyOf([file()], "1");
    writeFileSync(file(), "go 1.26");
    expect(keyOf([file()], "1")).toBe(key);
    expect(key).toMatch(/^[0-9a-f]{16}$/);
  });

  it("changes with a file's content, with the salt, and when a file goes", () => {
    const keys = new Set([keyOf([file()], "1"), keyOf([file()], "2")]);
    writeFileSync(file(), "go 1.27");
    keys.add(keyOf([file()], "1"));
    rmSync(file());
    keys.add(keyOf([file()], "1"));
    expect(keys.size).toBe(4);
  });
});
