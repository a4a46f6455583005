/**
 * The definitions of the Pulumi Kubernetes Operator's objects, as its Go module publishes them. The Go command downloads the
 * module into its own cache and checks it; nothing of it is in this repository.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";

const MODULE = "github.com/pulumi/pulumi-kubernetes-operator/v2@v2.0.0";

type Schema = Readonly<Record<string, unknown>>;

interface Definition {
  readonly spec: {
    readonly names: { readonly kind: string };
    readonly versions: readonly {
      readonly name: string;
      readonly schema: { readonly openAPIV3Schema: Schema };
    }[];
  };
}

/** By kind and version: `Stack v1`. Or why there are none. */
export function operatorSchemas():
  | { readonly schemas: ReadonlyMap<string, Schema> }
  | { readonly missing: string } {
  const { error, stdout } = spawnSync("go", ["mod", "download", "-json", MODULE], {
    cwd: tmpdir(),
    env: { ...process.env, GOWORK: "off", GO111MODULE: "on" },
    encoding: "utf8",
  });
  if (error) return { missing: "there is no go on PATH" };
  const { Dir: folder = "", Error: problem = "" } = JSON.parse(stdout || "{}") as {
    Dir?: string;
    Error?: string;
  };
  const definitions = join(folder, "operator", "config", "crd", "bases");
  if (problem !== "" || !existsSync(definitions)) {
    return { missing: `${MODULE} cannot be had from the Go module proxy` };
  }
  const schemas = readdirSync(definitions).flatMap((file) => {
    const { spec }: Definition = parse(readFileSync(join(definitions, file), "utf8"));
    return spec.versions.map(
      ({ name, schema }) => [`${spec.names.kind} ${name}`, closed(schema.openAPIV3Schema) as Schema] as const,
    );
  });
  return { schemas: new Map(schemas) };
}

/** The API server removes properties that a definition does not have; here they are faults. */
function closed(schema: unknown, isMetadata = false): unknown {
  if (Array.isArray(schema)) return schema.map((entry) => closed(entry));
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema).map(([name, value]) =>
    name === "properties"
      ? [
          name,
          Object.fromEntries(
            Object.entries(value).map(([key, each]) => [key, closed(each, key === "metadata")]),
          ),
        ]
      : [name, closed(value)],
  );
  const own = Object.fromEntries(entries);
  const isOpen = isMetadata || "additionalProperties" in own || "x-kubernetes-preserve-unknown-fields" in own;
  return "properties" in own && !isOpen ? { ...own, additionalProperties: false } : own;
}
