import { createHash } from "node:crypto";
import { productionPackages } from "./license-check.mts";
import { readLock } from "./lock-file.mts";
import { repositoryRoot } from "./repository.mjs";
import { run } from "./run.mjs";

/**
 * The production packages of the lock file as CycloneDX JSON, written by npm. What differs between two runs is replaced:
 * serial number and time. npm also takes the folder's name for that of the package.
 *
 * The lock file decides what is a production package. `npm sbom --omit dev` of npm 11 is wrong: it
 * omits each package that a development dependency also needs, and marks it as needed for
 * development only.
 */
export async function sbom(
  { name, version, dependencies }: { name: string; version: string; dependencies: Record<string, string> },
  time: Date,
): Promise<string> {
  const options = ["--sbom-format", "cyclonedx", "--package-lock-only", "--loglevel", "error"];
  const bom = JSON.parse(await run("npm", ["sbom", ...options], { cwd: repositoryRoot }));
  const { serialNumber: _, $schema, bomFormat, specVersion, metadata, ...rest } = bom;
  const production = new Set(
    productionPackages(readLock("package-lock.json")).map((entry) => `${entry.name}@${entry.version}`),
  );
  const components = bom.components
    .filter((component: Component) => production.has(component["bom-ref"]))
    .map(withoutMark);
  const content = {
    ...rest,
    metadata: { ...metadata, timestamp: time.toISOString(), component: { ...metadata.component, name } },
    components,
    dependencies: productionEdges(bom.dependencies, components, `${name}@${version}`, dependencies),
  };
  const serialNumber = `urn:uuid:${uuidOf(JSON.stringify(content))}`;
  return `${JSON.stringify({ $schema, bomFormat, specVersion, serialNumber, ...content }, null, 2)}\n`;
}

type Component = { "bom-ref": string; properties?: { name: string; value: string }[] };
type Edges = { ref: string; dependsOn?: string[] };

function withoutMark({ properties = [], ...component }: Component) {
  return {
    ...component,
    properties: properties.filter(({ name }) => name !== "cdx:npm:package:development"),
  };
}

/** @param direct what the package itself depends on */
function productionEdges(
  edges: readonly Edges[],
  components: readonly Component[],
  root: string,
  direct: Record<string, string>,
) {
  const known = new Set(components.map((component) => component["bom-ref"]));
  const isDirect = (ref: string) => Object.hasOwn(direct, ref.slice(0, ref.lastIndexOf("@")));
  return edges
    .filter(({ ref }) => ref === root || known.has(ref))
    .map(({ ref, dependsOn = [] }) => ({
      ref,
      dependsOn: dependsOn.filter((target) => known.has(target) && (ref !== root || isDirect(target))),
    }));
}

/** A UUID of version 8, RFC 9562: any 122 bits, here those of a hash. */
function uuidOf(text: string) {
  const bytes = createHash("sha256").update(text).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
