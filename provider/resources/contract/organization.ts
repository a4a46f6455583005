/** The setting `orgId`: the organization of resources and lookups that name none. */
import type { CheckFailure } from "./check";
import { objectId } from "./fields";
import type { Session } from "./session";
import type { Properties } from "./values";

export const orgIdOrSetting = objectId("the id of an organization").optional().meta({
  defaultText: "the setting `orgId`",
  description: "ID of the organization, 24 hexadecimal digits.",
});

/**
 * Adds the organization of the setting, unless the values name an organization or a project.
 *
 * @param recorded inputs in the state: a resource keeps its organization if the setting changes,
 * because another one would replace it
 */
export function withOrganization(
  values: Properties,
  { settings }: Pick<Session, "settings">,
  recorded: Properties = {},
): Properties {
  const isNamed = [values.orgId, values.projectId].some((id) => id !== undefined && id !== null);
  if (settings.orgId === undefined || isNamed) return values;
  return { ...values, orgId: recorded.orgId ?? settings.orgId };
}

/** The fault of values that require an organization and have none. */
export function organizationFailures({ orgId }: Properties): CheckFailure[] {
  if (orgId !== undefined) return [];
  return [
    { property: "orgId", reason: "orgId is missing. Set it here, or as the setting opsmanager:orgId." },
  ];
}
