import { hash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readLock } from "./lock-file.mts";
import { run } from "./run.mjs";

/**
 * The production packages of the lock file as CycloneDX JSON, written by npm. npm gets a lock file without the packages for development,
 * because `npm sbom --omit dev` of npm 11 also omits each package that one of those needs too. What differs between two runs is replaced:
 * serial number and time. npm also takes the folder's name for that of the package.
 */
export async function sbom(manifest: { name: string; version: string }, time: Date): Promise<string> {
  const { packages, ...lock } = readLock("package-lock.json");
  const production = Object.entries(packages).filter(([, { dev }]) => !dev);
  const folder = mkdtempSync(join(tmpdir(), "opsmanager-sbom-"));
  const write = (file: string, content: object) => writeFileSync(join(folder, file), JSON.stringify(content));
  try {
    write("package.json", { ...manifest, devDependencies: undefined });
    const root = { ...packages[""], devDependencies: undefined };
    write("package-lock.json", { ...lock, packages: { ...Object.fromEntries(production), "": root } });
    const options = ["--sbom-format", "cyclonedx", "--package-lock-only", "--loglevel", "error"];
    const bom = JSON.parse(await run("npm", ["sbom", ...options], { cwd: folder }));
    const { serialNumber: _, $schema, bomFormat, specVersion, metadata, ...rest } = bom;
    const component = { ...metadata.component, name: manifest.name };
    const content = { ...rest, metadata: { ...metadata, timestamp: time.toISOString(), component } };
    const serialNumber = `urn:uuid:${uuidOf(JSON.stringify(content))}`;
    return `${JSON.stringify({ $schema, bomFormat, specVersion, serialNumber, ...content }, null, 2)}\n`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A UUID of version 8, RFC 9562: any 122 bits, here those of a hash. */
function uuidOf(text: string) {
  const digits = hash("sha256", text, "hex").slice(0, 32);
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-8$3-8$4-$5");
}
