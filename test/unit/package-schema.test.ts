import { z } from "zod";
import { components } from "../../provider/component";
import { lookups } from "../../provider/functions";
import { packageSchema } from "../../provider/package-schema";
import { resources } from "../../provider/resources/all";
import type { Resource } from "../../provider/resources/contract/resource";
import { settingsInputs } from "../../provider/settings/config";
import { InternalError } from "../../provider/text/errors";

interface Property {
  readonly type?: string;
  readonly $ref?: string;
  readonly description?: string;
  readonly secret?: boolean;
  readonly items?: Property;
  readonly additionalProperties?: Property;
}
type PropertyMap = Readonly<Record<string, Property>>;
interface ObjectSpec {
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly properties: PropertyMap;
  readonly required: readonly string[];
}
interface Schema {
  readonly name: string;
  readonly config: { readonly variables: PropertyMap };
  readonly provider: { readonly inputProperties: PropertyMap; readonly properties: PropertyMap };
  readonly resources: Readonly<
    Record<string, ObjectSpec & { inputProperties: PropertyMap; requiredInputs: string[] }>
  >;
  readonly functions: Readonly<
    Record<string, { description: string; inputs: ObjectSpec; outputs: ObjectSpec }>
  >;
  readonly types: Readonly<Record<string, ObjectSpec>>;
}

const schema = packageSchema() as unknown as Schema;

interface Group {
  readonly where: string;
  readonly properties: PropertyMap;
  /** Of inputs, those that a program must give. */
  readonly required?: readonly string[];
}

/** Every group of properties in the schema, by where it is. */
const groups: readonly Group[] = [
  { where: "config", properties: schema.config.variables, required: [] },
  ...Object.entries(schema.resources).flatMap(([token, { inputProperties, requiredInputs, properties }]) => [
    { where: `${token} inputs`, properties: inputProperties, required: requiredInputs },
    { where: `${token} outputs`, properties },
  ]),
  ...Object.entries(schema.functions).flatMap(([token, { inputs, outputs }]) => [
    { where: `${token} inputs`, properties: inputs.properties, required: inputs.required },
    { where: `${token} outputs`, properties: outputs.properties },
  ]),
  ...Object.entries(schema.types).flatMap(([where, type]) =>
    type.enum === undefined ? [{ where, properties: type.properties }] : [],
  ),
];

test("holds every resource, every lookup and every setting under its name", () => {
  expect(schema.name).toBe("opsmanager");
  const declared = [...resources, ...components];
  expect(Object.keys(schema.resources)).toEqual(declared.map(({ name }) => `opsmanager:index:${name}`));
  expect(Object.keys(schema.functions)).toEqual(lookups.map(({ name }) => `opsmanager:index:${name}`));
  expect(Object.keys(schema.config.variables)).toEqual(Object.keys(settingsInputs.shape));
  expect(schema.provider.inputProperties).toEqual(schema.config.variables);
  // As outputs too: without that an SDK does not pass to the engine which of an explicit provider's settings are secret.
  expect(schema.provider.properties).toEqual(schema.config.variables);
});

test.each(groups)(
  "$where: every property has a type and a description that ends its sentence",
  ({ properties }) => {
    expect(Object.keys(properties).length).toBeGreaterThan(0);
    for (const [name, property] of Object.entries(properties)) {
      expect([name, property.type ?? property.$ref]).toEqual([name, expect.any(String)]);
      expect([name, property.description]).toEqual([name, expect.stringMatching(/^[A-Z`].*\.$/s)]);
    }
  },
);

describe("what a reader of an SDK has to know of a property, beside its type:", () => {
  const isNumber = ({ type }: Property) => type === "number" || type === "integer";
  const isTime = (name: string) => name.endsWith("Seconds");

  test.each<{ what: string; of: (name: string, property: Property) => boolean; says: RegExp }>([
    { what: "a number of seconds names its unit", of: isTime, says: /\bseconds\b/i },
    {
      what: "every other number says what it counts",
      of: (name, property) => isNumber(property) && !isTime(name),
      says: /^(N|Largest n)umber of /,
    },
    { what: "an id has a format", of: (name) => /^id$|Id$/.test(name), says: /24 hexadecimal digits/ },
    { what: "a time has a format", of: (name) => /At$/.test(name), says: /ISO 8601, UTC/ },
    {
      what: "a list says whether its order means something",
      of: (_, { type, additionalProperties }) => [type, additionalProperties?.type].includes("array"),
      says: /\ba set\b|\bsorted\b/,
    },
  ])("$what", ({ of, says }) => {
    expect(silent(groups, of, says)).toEqual([]);
  });

  test("a number, a switch or a choice that may be omitted has a default", () => {
    const inputs = groups.map(({ where, properties, required }) => ({
      where,
      properties: Object.fromEntries(
        Object.entries(properties).filter(([name]) => required?.includes(name) === false),
      ),
    }));
    const hasDefault = (name: string, property: Property) =>
      isNumber(property) || property.type === "boolean" || name === "onDestroy";
    expect(silent(inputs, hasDefault, / Default: .+\.$/)).toEqual([]);
  });

  /** Where the description of a concerned property does not say it. */
  function silent(all: readonly Group[], of: (name: string, property: Property) => boolean, says: RegExp) {
    const concerned = all.flatMap(({ where, properties }) =>
      Object.entries(properties).flatMap(([name, property]) =>
        of(name, property) ? [{ at: `${where}.${name}`, description: property.description ?? "" }] : [],
      ),
    );
    expect(concerned.length).toBeGreaterThan(0);
    return concerned.filter(({ description }) => !says.test(description)).map(({ at }) => at);
  }
});

test("every resource, lookup and type is described", () => {
  const described = [schema.resources, schema.functions, schema.types].flatMap((kind) => Object.values(kind));
  for (const { description } of described) expect(description).toEqual(expect.stringMatching(/\S/));
});

test("a role is a text that may be anything, with the known ones suggested by name; a choice is an enum as an input only", () => {
  const role = {
    type: "string",
    oneOf: [{ type: "string" }, { type: "string", $ref: "#/types/opsmanager:index:ProjectRole" }],
  };
  const { inputProperties, properties } = schema.resources["opsmanager:index:ProjectMember"] ?? {};
  expect(inputProperties?.roles).toMatchObject({ type: "array", items: role });
  expect(inputProperties?.onDestroy).toMatchObject({ $ref: "#/types/opsmanager:index:AccessOnDestroy" });
  // An SDK must take a word that a later version knows.
  expect(properties?.status).toEqual({ type: "string", description: expect.any(String) });
  expect(schema.types["opsmanager:index:ProjectRole"]?.enum).toContainEqual({
    name: "DataAccessReadWrite",
    value: "GROUP_DATA_ACCESS_READ_WRITE",
    description: "Project Data Access Read/Write.",
  });
});

test("marks the settings that open a provider as secret, and no others", () => {
  const secret = Object.entries(schema.config.variables).filter(([, property]) => property.secret);
  expect(secret.map(([name]) => name)).toEqual(["privateKey", "clientSecret", "clientKey", "proxyUrl"]);
});

test("takes no value from the environment or as a default: both would be kept in state", () => {
  expect(JSON.stringify(schema)).not.toMatch(/"(defaultInfo|default|environment)":/);
});

test("holds no agent key", () => {
  expect(JSON.stringify(schema)).not.toContain("agentApiKey");
});

test("a property without a description, or of a type that the schema cannot express, is an error that names it", () => {
  /** The schema with one resource more, which has this input. */
  function schemaWith(type: z.ZodType): unknown {
    const [project] = resources;
    if (!project) throw new Error("There is no resource to take as a pattern.");
    const list = resources as Resource[];
    list.push({ ...project, name: "Odd", inputs: z.object({ odd: type }) });
    try {
      return packageSchema();
    } finally {
      list.pop();
    }
  }
  const described = { description: "Odd." };
  expect(() => schemaWith(z.unknown().meta(described))).toThrow("The type of property odd");
  expect(() => schemaWith(z.union([z.string(), z.number()]).meta(described))).toThrow(InternalError);
  expect(() => schemaWith(z.string())).toThrow("Property odd has no description");
  expect(() => schemaWith(z.record(z.string(), z.number()).meta(described))).not.toThrow();
});
