/**
 * The JSON Schemas of the files, for editors: completion, explanations, and most faults while the user
 * types.
 */

import { z } from "zod";
import { organizationRoles, projectRoles, type RoleKind } from "../provider/resources/contract/roles";
import { MAX_TAGS } from "../provider/resources/project/inputs";
import { capitalized } from "../provider/text/capitalized";
import { OBJECT_ID } from "../provider/text/object-id";
import type { FileKind } from "./declared-file";
import type { Endable } from "./ends";
import { organizationKind } from "./organization-file";
import { projectKind } from "./project-file";
import { teamKind } from "./team-file";

export const projectFileJsonSchema = () => jsonSchema(projectKind, projectRoles);
export const teamFileJsonSchema = () => jsonSchema(teamKind, projectRoles);
export const organizationFileJsonSchema = () => jsonSchema(organizationKind, organizationRoles);

/** @param roles those that the files give */
function jsonSchema(
  { noun, source, endable }: Pick<FileKind<never>, "noun" | "source" | "endable">,
  roles: RoleKind,
): object {
  const schema = z.toJSONSchema(source, {
    io: "input",
    override: ({ jsonSchema }) => forEditors(jsonSchema, roles),
  });
  for (const each of endable) allowEnds(schema, each);
  return {
    ...schema,
    title: `${capitalized(noun)} file of pulumi-opsmanager`,
  };
}

const UNTIL: z.core.JSONSchema.JSONSchema = {
  type: "string",
  format: "date",
  pattern: "^\\d{4}-\\d{2}-\\d{2}$",
  description:
    "Last day of this access, which ends at 24:00 UTC: `2026-12-31`. The entry may stay in the file after it.",
};

/** Each entry of the property may be a map with its value and `until`. */
function allowEnds({ properties = {} }: z.core.JSONSchema.BaseSchema, { property, value }: Endable): void {
  const list = properties[property];
  const place = typeof list === "object" && list.type === "array" ? "items" : "additionalProperties";
  const entry = typeof list === "object" ? list[place] : undefined;
  if (typeof list !== "object" || typeof entry !== "object" || Array.isArray(entry)) return;
  if (value === undefined) entry.properties = { ...entry.properties, until: UNTIL };
  else {
    const ending = { type: "object", properties: { [value]: entry, until: UNTIL } } as const;
    list[place] = { anyOf: [entry, { ...ending, required: [value], additionalProperties: false }] };
  }
}

interface EnumValues {
  readonly values: readonly { readonly value: string; readonly description: string }[];
}

/**
 * Translates this provider's own notes into JSON Schema, which has no keyword for a default that
 * is a sentence.
 */
function forEditors(schema: z.core.JSONSchema.BaseSchema, roles: RoleKind): void {
  const { defaultText, knownValues } = schema as { defaultText?: string; knownValues?: EnumValues };
  for (const note of ["defaultText", "knownValues", "typeName"] as const) delete schema[note];
  if (defaultText !== undefined) schema.description = `${schema.description} Default: ${defaultText}.`;
  // A role may be one that is new; the known ones are suggestions.
  if (knownValues) {
    const known = knownValues.values.map(({ value, description }) => ({ const: value, description }));
    schema.anyOf = [...known, { type: "string", pattern: roles.form.source }];
    delete schema.type;
    delete schema.minLength;
  }
  // JSON Schema has no flag for letter case.
  if (schema.pattern === OBJECT_ID.source) schema.pattern = "^[0-9A-Fa-f]{24}$";
  if (schema.type === "array") schema.uniqueItems = true;
  const tags = schema.properties?.tags;
  if (typeof tags === "object") tags.maxItems = MAX_TAGS;
}
