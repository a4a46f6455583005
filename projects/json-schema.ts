/**
 * The JSON Schema of project files, for editors: completion, explanations, and most faults while
 * the user types.
 */

import { z } from "zod";
import { projectRoles } from "../provider/resources/contract/roles";
import { MAX_TAGS } from "../provider/resources/project/inputs";
import { OBJECT_ID } from "../provider/text/object-id";
import { projectFileSource } from "./project-file";

const TITLE = "Project file of pulumi-opsmanager";

export function projectFileJsonSchema(): object {
  return {
    ...z.toJSONSchema(projectFileSource, {
      io: "input",
      override: ({ jsonSchema }) => forEditors(jsonSchema),
    }),
    title: TITLE,
  };
}

interface EnumValues {
  readonly values: readonly { readonly value: string; readonly description: string }[];
}

/**
 * Translates this provider's own notes into JSON Schema, which has no keyword for a default that
 * is a sentence.
 */
function forEditors(schema: z.core.JSONSchema.BaseSchema): void {
  const { defaultText, knownValues } = schema as { defaultText?: string; knownValues?: EnumValues };
  for (const note of ["defaultText", "knownValues", "typeName"] as const) delete schema[note];
  if (defaultText !== undefined) schema.description = `${schema.description} Default: ${defaultText}.`;
  // A role may be one that is new; the known ones are suggestions.
  if (knownValues) {
    const known = knownValues.values.map(({ value, description }) => ({ const: value, description }));
    schema.anyOf = [...known, { type: "string", pattern: projectRoles.form.source }];
    delete schema.type;
    delete schema.minLength;
  }
  // JSON Schema has no flag for letter case.
  if (schema.pattern === OBJECT_ID.source) schema.pattern = "^[0-9A-Fa-f]{24}$";
  if (schema.type === "array") schema.uniqueItems = true;
  const tags = schema.properties?.tags;
  if (typeof tags === "object") tags.maxItems = MAX_TAGS;
}
