import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../support/repository";

interface LockedPackage {
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly resolved?: string;
}

/** `npm ci` rejects a lock file without the optional packages of other platforms. */
describe.each([
  "package-lock.json",
  "docs/site/package-lock.json",
  "test/bench/wire/peers/package-lock.json",
  "test/support/formats/package-lock.json",
])("%s", (file) => {
  const { packages } = JSON.parse(readFileSync(join(repositoryRoot, file), "utf8")) as {
    packages: Record<string, LockedPackage>;
  };

  it("holds every optional dependency of its packages, for every platform", () => {
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => !isLocked(packages, path, name))
        .map((name) => `${path} needs ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it("names no registry host", () => {
    const withAddress = Object.entries(packages).filter(([, { resolved }]) => resolved !== undefined);
    expect(withAddress).toEqual([]);
  });
});

/** Searches as Node does: in the package's own `node_modules`, then in that of each folder above it. */
function isLocked(packages: Record<string, LockedPackage>, path: string, name: string): boolean {
  if (packages[join(path, "node_modules", name).replaceAll("\\", "/")] !== undefined) return true;
  const above = path.lastIndexOf("node_modules/");
  return above >= 0 && isLocked(packages, path.slice(0, above).replace(/\/$/, ""), name);
}
