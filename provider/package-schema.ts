/**
 * The Pulumi package schema, derived from the descriptions of the resources, functions and settings.
 *
 * The converter supports the few types in use and throws on any other: an SDK with a wrong type is
 * worse than no SDK.
 */
import { z } from "zod";
import { type Component, components } from "./component";
import { type Lookup, lookups } from "./functions";
import { resources } from "./resources/all";
import type { Resource } from "./resources/contract/resource";
import { withExamples } from "./schema-examples";
import { settingsInputs } from "./settings/config";
import { InternalError } from "./text/errors";
import { packageVersion, pluginDownloadUrl, REPOSITORY } from "./version";

const PACKAGE = "opsmanager";

type Json = { readonly [key: string]: unknown };

/** The parts of JSON Schema that zod emits for our types, together with our own notes. */
interface JsonSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly defaultText?: string;
  readonly secret?: boolean;
  /** The program must give the value itself, not an output of a resource. */
  readonly plain?: boolean;
  readonly typeName?: string;
  readonly knownValues?: KnownValues;
}

/** The known values of a text, which the SDKs suggest. */
interface KnownValues {
  readonly typeName: string;
  /** The text must be one of the values. Otherwise it may be anything. */
  readonly isClosed?: boolean;
  readonly description: string;
  readonly values: readonly Json[];
}

interface ObjectShape {
  readonly properties: Readonly<Record<string, Json>>;
  readonly required: readonly string[];
}

let text: string | undefined;

/** The schema as the engine receives it. An engine that attaches to a running plugin requests it with each command. */
export function packageSchemaText(): string {
  text ??= JSON.stringify(packageSchema());
  return text;
}

/** @throws InternalError on a zod type that has no Pulumi counterpart here */
export function packageSchema(): Json {
  const types: Record<string, Json> = {};
  const settings = shapeOf(settingsInputs, types);
  return {
    name: PACKAGE,
    displayName: "MongoDB Ops Manager",
    version: packageVersion(),
    description:
      "Manages projects of MongoDB Ops Manager and Cloud Manager and everyone who can reach them: people, teams and API keys.",
    keywords: ["pulumi", "mongodb", "ops-manager", "cloud-manager", "kind/native", "category/database"],
    homepage: REPOSITORY,
    repository: REPOSITORY,
    license: "Apache-2.0",
    publisher: "pulumi-opsmanager",
    pluginDownloadURL: pluginDownloadUrl,
    language: {
      nodejs: { packageName: "pulumi-opsmanager", respectSchemaVersion: true },
      python: {
        packageName: "pulumi_opsmanager",
        respectSchemaVersion: true,
        pyproject: { enabled: true },
        pythonRequires: ">=3.10",
        inputTypes: "classes-and-dicts",
      },
      go: {
        importBasePath: `${REPOSITORY.replace("https://", "")}/sdk/go/opsmanager`,
        modulePath: `${REPOSITORY.replace("https://", "")}/sdk/go/opsmanager`,
        generateResourceContainerTypes: true,
        respectSchemaVersion: true,
      },
      csharp: { namespaces: { [PACKAGE]: "OpsManager" }, respectSchemaVersion: true },
      java: { buildFiles: "gradle", dependencies: { "com.pulumi:pulumi": "1.36.1" } },
    },
    config: { variables: settings.properties },
    provider: {
      description: withExamples(
        "Provider",
        "Address and API key of one service. Several providers reach several services in one program.",
      ),
      inputProperties: settings.properties,
      properties: settings.properties,
    },
    resources: {
      ...Object.fromEntries(
        resources.map((resource) => [token(resource.name), resourceSpec(resource, types)]),
      ),
      ...Object.fromEntries(
        components.map((component) => [
          token(component.name),
          { isComponent: true, ...componentSpec(component, types) },
        ]),
      ),
    },
    functions: Object.fromEntries(lookups.map((lookup) => [token(lookup.name), functionSpec(lookup, types)])),
    types,
  };
}

function token(name: string): string {
  return `${PACKAGE}:index:${name}`;
}

function resourceSpec(
  { name, description, inputs, outputs, listing }: Resource,
  types: Record<string, Json>,
): Json {
  const input = shapeOf(inputs, types);
  const output = shapeOf(outputs, types);
  return {
    description: withExamples(name, description),
    inputProperties: input.properties,
    requiredInputs: input.required,
    // Outputs hold the live value under the name of the input that declares it.
    properties: { ...input.properties, ...output.properties },
    required: [...new Set([...input.required, ...output.required])].sort(),
    listInputs: { type: "object", ...shapeOf(listing.inputs, types) },
  };
}

/** The files declare what the inputs of a component name, so no output has the value of an input. */
function componentSpec({ name, description, inputs, outputs }: Component, types: Record<string, Json>): Json {
  const input = shapeOf(inputs, types);
  return {
    description: withExamples(name, description),
    inputProperties: input.properties,
    requiredInputs: input.required,
    ...shapeOf(outputs, types),
  };
}

function functionSpec({ name, description, inputs, outputs }: Lookup, types: Record<string, Json>): Json {
  return {
    description: withExamples(name, description),
    inputs: { type: "object", ...shapeOf(inputs, types) },
    outputs: { type: "object", ...shapeOf(outputs, types) },
  };
}

function shapeOf(type: z.ZodObject, types: Record<string, Json>): ObjectShape {
  return objectShape(z.toJSONSchema(type, { io: "output", unrepresentable: "throw" }) as JsonSchema, types);
}

function objectShape(schema: JsonSchema, types: Record<string, Json>): ObjectShape {
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => [
    name,
    propertySpec(name, property, types),
  ]);
  return { properties: Object.fromEntries(properties), required: [...(schema.required ?? [])].sort() };
}

function propertySpec(name: string, schema: JsonSchema, types: Record<string, Json>): Json {
  if (!schema.description) throw new InternalError(`Property ${name} has no description.`);
  const standard = schema.defaultText === undefined ? "" : ` Default: ${schema.defaultText}.`;
  return {
    ...typeSpec(name, schema, types),
    description: schema.description + standard,
    ...(schema.secret ? { secret: true } : {}),
    ...(schema.plain ? { plain: true } : {}),
  };
}

function typeSpec(name: string, schema: JsonSchema, types: Record<string, Json>): Json {
  switch (schema.type) {
    case "string":
      return schema.knownValues ? enumSpec(schema.knownValues, types) : { type: "string" };
    case "boolean":
    case "number":
    case "integer":
      return { type: schema.type };
    case "array":
      if (!schema.items) break;
      return { type: "array", items: typeSpec(name, schema.items, types) };
    case "object":
      if (schema.typeName) return namedType(schema.typeName, schema, types);
      if (typeof schema.additionalProperties !== "object") break;
      return { type: "object", additionalProperties: typeSpec(name, schema.additionalProperties, types) };
  }
  throw new InternalError(`The type of property ${name} has no counterpart in a Pulumi package schema.`);
}

/**
 * An enum. An open one accepts any text: a value that a newer service supports must not need a newer
 * SDK.
 */
function enumSpec(
  { typeName, description, values, isClosed = false }: KnownValues,
  types: Record<string, Json>,
): Json {
  const name = token(typeName);
  defineOnce(types, name, () => ({ type: "string", description, enum: values }));
  if (isClosed) return { $ref: `#/types/${name}` };
  return { type: "string", oneOf: [{ type: "string" }, { type: "string", $ref: `#/types/${name}` }] };
}

function namedType(typeName: string, schema: JsonSchema, types: Record<string, Json>): Json {
  const name = token(typeName);
  defineOnce(types, name, () => ({
    type: "object",
    description: schema.description,
    ...objectShape(schema, types),
  }));
  return { $ref: `#/types/${name}` };
}

function defineOnce(types: Record<string, Json>, name: string, spec: () => Json): void {
  if (!Object.hasOwn(types, name)) Object.assign(types, { [name]: spec() });
}
