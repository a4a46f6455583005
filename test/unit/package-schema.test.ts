import { z } from "zod";
import { components } from "../../provider/component";
import { lookups } from "../../provider/functions";
import { packageSchema } from "../../provider/package-schema";
import { resources } from "../../provider/resources";
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
  readonly enum?: readonly { readonly name: string; readonly value: string; readonly description: string }[];
  readonly properties: PropertyMap;
  readonly required: readonly string[];
}
interface Schema {
  readonly name: string;
  readonly version: string;
  readonly config: { readonly variables: PropertyMap };
  readonly provider: {
    readonly description: string;
    readonly inputProperties: PropertyMap;
    readonly properties: PropertyMap;
  };
  readonly resources: Readonly<
    Record<string, ObjectSpec & { inputProperties: PropertyMap; requiredInputs: string[] }>
  >;
  readonly functions: Readonly<
    Record<string, { description: string; inputs: ObjectSpec; outputs: ObjectSpec }>
  >;
  readonly types: Readonly<Record<string, ObjectSpec>>;
}

const schema = packageSchema() as unknown as Schema;

/** Every group of properties in the schema, by where it is. */
function propertyGroups(): [string, PropertyMap][] {
  return [
    ["config", schema.config.variables],
    ["provider", schema.provider.inputProperties],
    ...Object.entries(schema.resources).flatMap(([token, resource]): [string, PropertyMap][] => [
      [`${token} inputs`, resource.inputProperties],
      [`${token} outputs`, resource.properties],
    ]),
    ...Object.entries(schema.functions).flatMap(([token, lookup]): [string, PropertyMap][] => [
      [`${token} inputs`, lookup.inputs.properties],
      [`${token} outputs`, lookup.outputs.properties],
    ]),
    ...Object.entries(schema.types)
      .filter(([, type]) => type.enum === undefined)
      .map(([token, type]): [string, PropertyMap] => [token, type.properties]),
  ];
}

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

test.each(propertyGroups())(
  "%s: every property has a type and a description that ends its sentence",
  (_, properties) => {
    expect(Object.keys(properties).length).toBeGreaterThan(0);
    for (const [name, property] of Object.entries(properties)) {
      expect([name, property.type ?? property.$ref]).toEqual([name, expect.any(String)]);
      expect([name, property.description]).toEqual([name, expect.stringMatching(/^[A-Z`].*\.$/s)]);
    }
  },
);

test("a role is a text that may be anything, with the known ones suggested by name, at every location", () => {
  const role = {
    type: "string",
    oneOf: [{ type: "string" }, { type: "string", $ref: "#/types/opsmanager:index:ProjectRole" }],
  };
  const { resources: managed, functions, types } = schema;
  const lists = [
    managed["opsmanager:index:ProjectMember"]?.inputProperties.roles,
    managed["opsmanager:index:ProjectMembers"]?.inputProperties.members?.additionalProperties,
    managed["opsmanager:index:ProjectMembers"]?.properties.members?.additionalProperties,
    functions["opsmanager:index:getProjectInvitation"]?.outputs.properties.roles,
    ...["ProjectMemberDetail", "ProjectPerson", "ProjectInvitation"].map(
      (name) => types[`opsmanager:index:${name}`]?.properties.roles,
    ),
  ];
  for (const list of lists) expect(list).toMatchObject({ type: "array", items: role });
  expect(types["opsmanager:index:LdapGroupMapping"]?.properties.roleName).toMatchObject(role);
  expect(types["opsmanager:index:ProjectRole"]).toMatchObject({ type: "string" });
  expect(types["opsmanager:index:ProjectRole"]?.enum).toContainEqual({
    name: "DataAccessReadWrite",
    value: "GROUP_DATA_ACCESS_READ_WRITE",
    description: "Project Data Access Read/Write.",
  });
});

test("every resource, lookup and type is described", () => {
  const described = [
    ...Object.values(schema.resources),
    ...Object.values(schema.functions),
    ...Object.values(schema.types),
  ];
  for (const { description } of described) expect(description).toEqual(expect.stringMatching(/\S/));
});

test("marks the settings that open a provider as secret, and no others", () => {
  const secret = Object.entries(schema.config.variables).filter(([, property]) => property.secret);
  expect(secret.map(([name]) => name)).toEqual(["privateKey", "clientSecret", "clientKey", "proxyUrl"]);
});

test("takes no value from the environment or as a default: both would be kept in state", () => {
  expect(JSON.stringify(schema)).not.toMatch(/"(defaultInfo|default|environment)":/);
});

test("describes what holds when a setting is omitted", () => {
  expect(schema.config.variables.maxRetries?.description).toMatch(/Default: 4\.$/);
});

test("a Project needs no input by itself, and always has its identity as outputs", () => {
  const project = schema.resources["opsmanager:index:Project"];
  expect(project?.requiredInputs).toEqual([]);
  expect(project?.required).toEqual(expect.arrayContaining(["name", "orgId", "origin", "projectId"]));
  expect(Object.keys(project?.properties ?? {})).toEqual(
    expect.arrayContaining(Object.keys(project?.inputProperties ?? {})),
  );
  expect(project?.inputProperties).not.toHaveProperty("origin");
});

describe("of people", () => {
  const one = schema.resources["opsmanager:index:ProjectMember"];
  const all = schema.resources["opsmanager:index:ProjectMembers"];
  const texts = { type: "array", items: { type: "string" } };
  const ref = (name: string) => ({ $ref: `#/types/opsmanager:index:${name}` });

  test("a ProjectMember requires its project alone, because there are three ways to identify the member", () => {
    expect(one?.requiredInputs).toEqual(["projectId"]);
    expect(Object.keys(one?.inputProperties ?? {})).toEqual([
      ...["projectId", "username", "userId", "invitationId", "roles", "onDestroy"],
    ]);
    expect(one?.required).toEqual(["onDestroy", "origin", "projectId", "status"]);
    expect(one?.inputProperties.roles).toMatchObject(texts);
  });

  test("a ProjectMember returns what it read and accepts none of it as input", () => {
    const found = ["status", "createdAt", "expiresAt", "inviterUsername", "groupName", "orgId", "origin"];
    expect(Object.keys(one?.properties ?? {})).toEqual(expect.arrayContaining(found));
    for (const name of found) expect(one?.inputProperties).not.toHaveProperty(name);
  });

  test("a ProjectMembers needs its project and its people: a map of lists, as input and as output", () => {
    expect(all?.requiredInputs).toEqual(["members", "projectId"]);
    expect(all?.required).toEqual(["memberDetails", "members", "onDestroy", "origin", "projectId"]);
    const mapOfLists = { type: "object", additionalProperties: texts };
    expect(all?.inputProperties.members).toMatchObject(mapOfLists);
    expect(all?.properties.members).toMatchObject(mapOfLists);
    expect(all?.inputProperties).toMatchObject({
      ignoreUsers: texts,
      maxRemovals: { type: "integer" },
      removeUnlisted: { type: "boolean" },
    });
  });

  test("the details of everyone are a type of its own, and an output alone", () => {
    expect(all?.properties.memberDetails).toMatchObject({ type: "array", items: ref("ProjectMemberDetail") });
    expect(all?.inputProperties).not.toHaveProperty("memberDetails");
    const detail = schema.types["opsmanager:index:ProjectMemberDetail"];
    expect(detail?.required).toEqual(["declared", "ignored", "roles", "status", "username"]);
    expect(detail?.properties).toMatchObject({ declared: { type: "boolean" }, roles: texts });
  });

  test("onDestroy is an enum, so a misspelled value does not compile", () => {
    for (const resource of [one, all]) {
      for (const properties of [resource?.inputProperties, resource?.properties])
        expect(properties?.onDestroy).toMatchObject({ $ref: "#/types/opsmanager:index:AccessOnDestroy" });
    }
  });

  test("a choice of words in an output is text: an SDK must take a word that a later version knows", () => {
    const choices = [one, all].map((resource) => resource?.properties.origin);
    const stages = ["ProjectMemberDetail", "ProjectPerson"].map(
      (name) => schema.types[`opsmanager:index:${name}`]?.properties.status,
    );
    for (const choice of [...choices, one?.properties.status, ...stages]) {
      expect(choice).toEqual({ type: "string", description: expect.any(String) });
    }
  });

  test("getProjects needs nothing, getProjectMembers its project; both return lists of named types", () => {
    const projects = schema.functions["opsmanager:index:getProjects"];
    expect(projects?.inputs.required).toEqual([]);
    expect(Object.keys(projects?.inputs.properties ?? {})).toEqual(["orgId", "tags"]);
    expect(projects?.outputs.required).toEqual(["projects"]);
    expect(projects?.outputs.properties.projects).toMatchObject({
      type: "array",
      items: ref("ProjectSummary"),
    });
    expect(schema.types["opsmanager:index:ProjectSummary"]?.required).toEqual(["name", "orgId", "projectId"]);

    const members = schema.functions["opsmanager:index:getProjectMembers"];
    expect(members?.inputs.required).toEqual(["projectId"]);
    expect(members?.inputs.properties.includeIndirect?.description).toMatch(/Default: false\.$/);
    expect(members?.outputs.required).toEqual(["members", "projectId"]);
    expect(members?.outputs.properties.members).toMatchObject({ type: "array", items: ref("ProjectPerson") });
    expect(schema.types["opsmanager:index:ProjectPerson"]?.required).toEqual(["roles", "status", "username"]);
  });
});

test("names object types once and refers to them", () => {
  const mappings = schema.resources["opsmanager:index:Project"]?.inputProperties.ldapGroupMappings;
  expect(mappings).toMatchObject({
    type: "array",
    items: { $ref: "#/types/opsmanager:index:LdapGroupMapping" },
  });
  expect(schema.types["opsmanager:index:LdapGroupMapping"]?.required).toEqual(["ldapGroups", "roleName"]);
});

test("holds no agent key", () => {
  expect(JSON.stringify(schema)).not.toContain("agentApiKey");
});

describe("of a property that the schema cannot express", () => {
  /** The schema with one resource more, which has this input. */
  function schemaWith(type: z.ZodType): unknown {
    const [project] = resources;
    if (!project) throw new Error("There is no resource to take as a pattern.");
    const list = resources as Resource[];
    list.push({ ...project, name: "Odd", inputs: z.object({ odd: type }), outputs: z.object({}) });
    try {
      return packageSchema();
    } finally {
      list.pop();
    }
  }
  const described = { description: "Odd." };

  test.each([
    ["a union", z.union([z.string(), z.number()])],
    ["null", z.string().nullable()],
    ["an object without a name", z.object({ a: z.string() })],
    ["anything at all", z.unknown()],
    ["a tuple", z.tuple([z.string(), z.number()])],
    ["a date", z.date()],
    ["a big integer", z.bigint()],
  ])("%s, no description is made: it throws", (_, type) => {
    expect(() => schemaWith(type.meta(described))).toThrow();
  });

  test("the error names the property", () => {
    expect(() => schemaWith(z.unknown().meta(described))).toThrow(InternalError);
    expect(() => schemaWith(z.unknown().meta(described))).toThrow("The type of property odd");
  });

  test("a property without a description throws, and names it", () => {
    expect(() => schemaWith(z.string())).toThrow("Property odd has no description");
  });

  test.each([
    ["text", z.string()],
    ["a choice of texts", z.enum(["a", "b"])],
    ["a whole number", z.int()],
    ["a list", z.array(z.boolean())],
    ["a map", z.record(z.string(), z.number())],
  ])("%s is none", (_, type) => {
    expect(() => schemaWith(type.meta(described))).not.toThrow();
  });
});
