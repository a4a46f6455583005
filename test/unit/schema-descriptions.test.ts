/** What a person who reads the documentation of an SDK has to know of a property, beside its type. */
import { packageSchema } from "../../provider/package-schema";

interface Property {
  readonly type?: string;
  readonly description: string;
}
type Properties = Readonly<Record<string, Property>>;
interface Group {
  readonly properties?: Properties;
  readonly inputProperties?: Properties;
  readonly inputs?: { readonly properties: Properties; readonly required: readonly string[] };
  readonly outputs?: { readonly properties: Properties };
  readonly requiredInputs?: readonly string[];
}
type Groups = Readonly<Record<string, Group>>;

const schema = packageSchema() as unknown as {
  readonly config: { readonly variables: Properties };
  readonly resources: Groups;
  readonly functions: Groups;
  readonly types: Groups;
};
const groups = [schema.resources, schema.functions, schema.types].flatMap((kind) => Object.entries(kind));

/** Every property of the schema with where it is: `opsmanager:index:Project.tags`. */
const all: readonly [string, Property][] = [
  ...withLocation("config", schema.config.variables),
  ...groups.flatMap(([token, { properties, inputProperties, inputs, outputs }]) =>
    [properties, inputProperties, inputs?.properties, outputs?.properties].flatMap((part) =>
      withLocation(token, part ?? {}),
    ),
  ),
];

/** Those that a program may leave out. */
const optional: readonly [string, Property][] = [
  ...withLocation("config", schema.config.variables),
  ...groups.flatMap(([token, { inputProperties, inputs, requiredInputs }]) => {
    const required = new Set([...(requiredInputs ?? []), ...(inputs?.required ?? [])]);
    const given = Object.entries({ ...inputProperties, ...inputs?.properties });
    return withLocation(token, Object.fromEntries(given.filter(([name]) => !required.has(name))));
  }),
];

function withLocation(location: string, properties: Properties): [string, Property][] {
  return Object.entries(properties).map(([name, property]) => [`${location}.${name}`, property]);
}

/** The locations whose description does not contain it. */
function silent(
  properties: readonly [string, Property][],
  concerned: (location: string, property: Property) => boolean,
  pattern: RegExp,
): string[] {
  const found = properties.filter(([location, property]) => concerned(location, property));
  expect(found.length).toBeGreaterThan(0);
  return found.filter(([, { description }]) => !pattern.test(description)).map(([location]) => location);
}

const isNumber = (_: string, { type }: Property) => type === "number" || type === "integer";

test("a number of seconds names its unit, and every other number describes what it counts", () => {
  const inSeconds = (location: string) => location.endsWith("Seconds");
  expect(silent(all, inSeconds, /\bseconds\b/i)).toEqual([]);
  const counts = (location: string, property: Property) =>
    isNumber(location, property) && !inSeconds(location);
  expect(silent(all, counts, /^(N|Largest n)umber of /)).toEqual([]);
});

test("an id describes its format", () => {
  expect(silent(all, (location) => /\.id$|Id$/.test(location), /24 hexadecimal digits/)).toEqual([]);
});

test("a time describes its format", () => {
  expect(silent(all, (location) => /At$/.test(location), /ISO 8601, UTC/)).toEqual([]);
});

test("a list describes whether its order means something, and so does a map of lists", () => {
  const isList = (_: string, { type }: Property) => type === "array";
  expect(silent(all, isList, /\ba set\b|\bsorted\b/)).toEqual([]);
  const members = (location: string) => location.endsWith("ProjectMembers.members");
  expect(silent(all, members, /\ba set\b|\bsorted\b/)).toEqual([]);
});

test("a number, a switch or a choice that may be omitted describes its default", () => {
  const hasDefault = (location: string, property: Property) =>
    isNumber(location, property) || property.type === "boolean" || location.endsWith(".onDestroy");
  expect(silent(optional, hasDefault, / Default: .+\.$/)).toEqual([]);
});
