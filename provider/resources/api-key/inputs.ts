/** The inputs of ApiKey and their validation. */
import { z } from "zod";
import type { Access } from "../../access/places";
import { checkedAs, type InputsOf, type KnownOf, type Present } from "../contract/border";
import { knownTexts, lowerId, sortedTexts } from "../contract/canonical";
import { type LocatedFailure, repeatedValues } from "../contract/check";
import { checkedInputs } from "../contract/checked-inputs";
import { accessOf, organizationIn, textIn } from "../contract/declared";
import { anyText, nameText, objectId } from "../contract/fields";
import { removeByDefault } from "../contract/on-destroy";
import { pathText } from "../contract/property-path";
import type { CheckRequest, CheckResult } from "../contract/resource";
import { organizationRoles } from "../contract/roles";
import { canonicalTriggers, triggersInput } from "../contract/triggers";
import { isList, type Properties, type Value } from "../contract/values";
import { roleFailures, roleList, warnOfUnknownRoles } from "../people/inputs";
import { accessListFault, normalEntry } from "./access-list";

/** The service's limit (Ops Manager documentation, "Create One Organization API Key"). */
const LONGEST_DESCRIPTION = 250;

export const onDestroySetting = removeByDefault(
  "What destroying or replacing does with the key: `remove` deletes it from the service, and so from all projects; `release` only removes the resource from the state.",
);

export const apiKeyInputs = z.strictObject({
  orgId: objectId("the id of an organization").optional().meta({
    defaultText: "the setting `orgId`",
    description: "ID of the organization, 24 hexadecimal digits. If it changes, the key is replaced.",
  }),
  description: nameText()
    .max(LONGEST_DESCRIPTION, `must have at most ${LONGEST_DESCRIPTION} characters`)
    .meta({
      description:
        "What the key is for, 1 to 250 characters. Several keys may have the same description. Changing it keeps the key.",
    }),
  roles: roleList("a key", organizationRoles).meta({
    description:
      "Roles of the key in the organization, a set with at least one entry, such as `ORG_MEMBER`. `ProjectApiKey` gives a key roles in a project. If the service adds `ORG_MEMBER`, that is not a difference.",
  }),
  accessList: z.array(anyText(), "must be a list").optional().meta({
    description:
      "IPv4 and IPv6 addresses, and blocks such as `192.0.2.0/24`, from which the key may be used: a set. If omitted, the access list is not managed. `[]` removes all entries. If an organization requires access lists, a key without an entry is rejected. Entries are added before others are removed.",
  }),
  triggers: triggersInput,
  onDestroy: onDestroySetting.input,
});

/** Checked inputs: the organization is that of the program or of the setting. */
export type ApiKeyInputs = Present<InputsOf<typeof apiKeyInputs>, "orgId">;

/** Inputs of which nothing is unknown. */
export type KnownApiKeyInputs = Present<KnownOf<typeof apiKeyInputs>, "orgId">;

export const asApiKeyInputs = checkedAs<ApiKeyInputs>;

export function check(request: CheckRequest): CheckResult {
  const accessList = (entries: Value) =>
    isList(entries)
      ? sortedTexts(entries.map((entry) => (typeof entry === "string" ? normalEntry(entry) : entry)))
      : entries;
  const forms = { orgId: lowerId, roles: sortedTexts, accessList, triggers: canonicalTriggers };
  const checked = checkedInputs(apiKeyInputs, forms, request, (given) => [
    ...roleFailures(given.roles, ["roles"], organizationRoles),
    ...accessListFailures(given.accessList),
  ]);
  const { inputs, context } = request;
  if (checked.failures.length === 0) warnOfUnknownRoles(inputs.roles, context.log, organizationRoles);
  return checked;
}

/** @param path where the list stands */
export function accessListFailures(
  accessList: Value | undefined,
  path: readonly string[] = ["accessList"],
): LocatedFailure[] {
  const [property = ""] = path;
  const at = pathText(path);
  const entries = isList(accessList) ? accessList : [];
  const faults = entries.flatMap((entry, index) => {
    const fault = typeof entry === "string" && entry !== "" ? accessListFault(entry) : undefined;
    return fault === undefined
      ? []
      : [{ property, path: [...path, index], reason: `${at}[${index}] "${entry as string}" ${fault}.` }];
  });
  const repeated = repeatedValues(knownTexts(accessList).map(normalEntry)).map((entry) => ({
    property,
    path,
    reason: `${at} contains ${entry} more than once.`,
  }));
  return [...faults, ...repeated];
}

export function declares(inputs: Properties, state?: Properties): readonly Access[] {
  const key = {
    kind: "API key",
    keyId: textIn(state, "keyId"),
    publicKey: textIn(state, "publicKey"),
  } as const;
  return accessOf(key, organizationIn(inputs), inputs.roles);
}
