/** The inputs of a Project and their validation. */

import { z } from "zod";
import type { Access } from "../../access/places";
import { own } from "../../text/own";
import { checkedAs, type InputsOf } from "../contract/border";
import { knownTexts, lowerId, sortedTexts, withForms, withoutNulls } from "../contract/canonical";
import {
  type CheckFailure,
  failuresOfProgram,
  isListOf,
  isText,
  type LocatedFailure,
  listOf,
  locatedShapeFailures,
  repeatedValues,
} from "../contract/check";
import { textIn } from "../contract/declared";
import { nameText, objectId, patternList } from "../contract/fields";
import { deleteIfCreated } from "../contract/on-destroy";
import { withOrganization } from "../contract/organization";
import { matcherOf, patternsIn } from "../contract/pattern";
import type { CheckRequest, CheckResult, Log } from "../contract/resource";
import { projectRoles } from "../contract/roles";
import type { Properties, Value } from "../contract/values";
import {
  canonicalMappings,
  groupsWithAccess,
  mappingFailures,
  mappingInputs,
  warnOfDoubtfulMappings,
} from "../managed/group-mappings";
import { claimProject } from "./claims";

/** Limits of the service (API document "Limits"; tag rules of the reference's PATCH page). */
export const MAX_TAGS = 10;

const TAG = /^[A-Za-z0-9._-]{1,32}$/;

export const onDestroySetting = deleteIfCreated("project");

export const projectInputs = z.strictObject({
  projectId: objectId("the id of a project").optional().meta({
    description:
      "ID of an existing project to adopt, 24 hexadecimal digits. Without it a project named `name` is created in `orgId`.",
  }),
  orgId: objectId("the id of an organization").optional().meta({
    defaultText: "the setting `orgId`, without `projectId`",
    description:
      "ID of the organization, 24 hexadecimal digits. Required to create a project. With `projectId`, the project must belong to this organization.",
  }),
  name: nameText().optional().meta({
    description:
      "Name of the project. Required to create a project. If omitted for an adopted project, the name is not managed.",
  }),
  tags: z
    .array(
      z.string("must be text").regex(TAG, "must have 1 to 32 characters: letters, digits, `.`, `_` and `-`"),
      "must be a list",
    )
    .optional()
    .meta({
      description:
        "Tags of the project, a set of at most 10, each of 1 to 32 letters, digits, `.`, `_` or `-`. If omitted, tags are not managed. `[]` removes all tags. Writing tags requires Project Automation Admin. Seeing them requires Project Read Only. Older versions require Global Owner (writing) and Global Owner or Global Read Only (seeing).",
    }),
  ...mappingInputs(projectRoles, {
    ldap: "`[]` removes all of them if the service allows it.",
    idp: "`[]` removes all of them.",
  }),
  ignoreTags: patternList().optional().meta({
    description:
      "Patterns (`*` any characters, `?` one) of tags that others own, a set, such as `K8S_*`: these tags are never removed and never shown as drift. Changing the patterns sends nothing.",
  }),
  withDefaultAlertsSettings: z.boolean("must be true or false").optional().meta({
    defaultText: "the service's own",
    description:
      "Whether a new project gets the default alerts. Used at creation only. Set it to `false` if the service returns BILLING_UNSUPPORTED.",
  }),
  projectOwnerId: objectId("the id of a user").optional().meta({
    description:
      "ID of the user who becomes owner of a new project, 24 hexadecimal digits. Used at creation only. If omitted, the service chooses.",
  }),
  onDestroy: onDestroySetting.input,
});

export type ProjectInputs = InputsOf<typeof projectInputs>;

export const asProjectInputs = checkedAs<ProjectInputs>;

export function check(request: CheckRequest): CheckResult {
  const { inputs, oldInputs, context } = request;
  const given = withOrganization(withoutNulls(inputs), context.session, oldInputs);
  const shape = failuresOfProgram(
    [...locatedShapeFailures(projectInputs, given), ...identityFailures(given)],
    request,
  );
  const failures = [...shape, ...failuresOfProgram(setFailures(given), request)];
  if (shape.length > 0) return { inputs: given, failures };
  const canonical = canonicalForm(given);
  if (failures.length > 0) return { inputs: canonical, failures };
  const declared = asProjectInputs(canonical);
  warnOfDoubtfulValues(declared, context.log);
  return { inputs: canonical, failures: claimProject(declared, oldInputs, context) };
}

/** Faults between entries of sets: duplicates, too many entries, tags that ignoreTags matches. */
export function setFailures(given: Properties): LocatedFailure[] {
  return [...tagFailures(asProjectInputs(onlyWellFormed(given))), ...mappingFailures(given, projectRoles)];
}

/**
 * Only the properties of the right type, for rules between values. Others are reported as faults of
 * shape.
 */
function onlyWellFormed(inputs: Properties): Properties {
  const rightForm: Readonly<Record<string, (value: Value) => boolean>> = {
    tags: isListOf(isText),
    ignoreTags: isListOf(isText),
  };
  return Object.fromEntries(
    Object.entries(inputs).filter(([property, value]) => own(rightForm, property)?.(value) ?? true),
  );
}

function identityFailures(inputs: Properties): CheckFailure[] {
  if (inputs.projectId !== undefined) return [];
  const missing = (["orgId", "name"] as const).filter((property) => inputs[property] === undefined);
  if (missing.length === 0) return [];
  const reason = `${missing.join(" and ")} ${missing.length > 1 ? "are" : "is"} missing: give projectId to adopt an existing project, or orgId and name to create one.`;
  return [{ property: "", reason }];
}

function canonicalForm(inputs: Properties): Properties {
  const ids = { projectId: lowerId, orgId: lowerId, projectOwnerId: lowerId };
  const sets = { tags: sortedTexts, ignoreTags: sortedTexts };
  return withForms(inputs, { ...ids, ...sets, ...canonicalMappings });
}

function tagFailures(inputs: ProjectInputs): LocatedFailure[] {
  const tags = knownTexts(inputs.tags);
  const failure = (reason: string, index?: number) => ({
    property: "tags",
    path: index === undefined ? ["tags"] : ["tags", index],
    reason,
  });
  const positions = new Map(listOf(inputs.tags).map((tag, index) => [tag, index]));
  const failures = repeatedValues(tags).map((tag) =>
    failure(`tags contains "${tag}" more than once.`, positions.get(tag)),
  );
  if (tags.length > MAX_TAGS) {
    failures.push(failure(`tags has ${tags.length} entries; a project has at most ${MAX_TAGS}.`));
  }
  const foreign = tags.filter(matcherOf(patternsIn(inputs.ignoreTags)));
  for (const tag of new Set(foreign)) {
    const reason = `tags contains "${tag}", which ignoreTags matches: remove the tag from tags or the pattern from ignoreTags.`;
    failures.push(failure(reason, positions.get(tag)));
  }
  return failures;
}

function warnOfDoubtfulValues(inputs: ProjectInputs, log: Log): void {
  for (const tag of knownTexts(inputs.tags).filter((value) => value !== value.toUpperCase())) {
    log.warn(
      `Tag "${tag}" has lower-case letters: the service's documentation lists A to Z only, and some versions store tags in capitals.`,
    );
  }
  warnOfDoubtfulMappings(inputs, projectRoles, log);
}

/** The groups to which the project's mappings give roles. */
export function declares(inputs: Properties, state?: Properties): readonly Access[] {
  const id = textIn(inputs, "projectId") ?? textIn(state, "projectId");
  if (id === undefined) return [];
  const place = { kind: "project", id, orgId: textIn(state, "orgId") ?? textIn(inputs, "orgId") } as const;
  return groupsWithAccess(inputs, place);
}
