import { z } from "zod";
import { projectFileJsonSchema } from "../../../projects/json-schema";
import { orgId } from "./folder";

const schema = projectFileJsonSchema();

it("takes what project files take, unknown roles and ids in capitals included, and refuses the rest", () => {
  const type = z.fromJSONSchema(schema as z.core.JSONSchema.JSONSchema);
  const accepts = (value: object) => type.safeParse(value).success;
  expect(accepts({ orgId: orgId.toUpperCase(), members: { "ada@example.com": ["GROUP_BRAND_NEW"] } })).toBe(
    true,
  );
  expect(accepts({ extends: ["a.yaml"], onDestroy: "delete", membership: "additive" })).toBe(true);
  expect(accepts({ orgId: "5f" })).toBe(false);
  expect(accepts({ tagz: [] })).toBe(false);
  expect(accepts({ members: { "ada@example.com": [] } })).toBe(false);
  expect(accepts({ onDestroy: "retain" })).toBe(false);
});

it("explains every property, offers the known roles, and holds none of our own notes", () => {
  const { properties = {} } = schema as { properties?: Record<string, { description?: string }> };
  expect(Object.entries(properties).filter(([, { description }]) => !description)).toEqual([]);
  const text = JSON.stringify(schema);
  expect(text).toContain('"const":"GROUP_READ_ONLY","description":"Project Read Only."');
  expect(text).toContain("Default: `exclusive`.");
  expect(text).not.toMatch(/defaultText|knownValues|typeName|undefined/);
});
