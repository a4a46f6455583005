/** What programs declare and states record of an API key. Nothing here sends a request. */

import { z } from "zod";
import type { ApiKeyResponse } from "../../api/api-keys";
import {
  checkedAs,
  type InputsOf,
  type KnownOf,
  type Present,
  type StateOf,
  toProperties,
} from "../contract/border";
import { lowerId, sortedTexts } from "../contract/canonical";
import { checkedInputs } from "../contract/checked-inputs";
import { textIn } from "../contract/declared";
import { nameText, objectId, optionalText, requiredText } from "../contract/fields";
import { removeByDefault } from "../contract/on-destroy";
import { roleFailures, roleList, warnOfUnknownRoles } from "../contract/people-inputs";
import type { CheckRequest, CheckResult } from "../contract/resource";
import { organizationRoles, rolesAmong, withoutAddedRole } from "../contract/roles";
import { endOutputs, untilInput } from "../contract/until";
import { known, type Properties, sameSet } from "../contract/values";
import { publicKeyToRecord } from "../reads/api-keys";
import { accessListFailures, accessListInput, canonicalAccessList } from "./api-key-access-list";
import { canonicalTriggers, endToRecord, keyOutputs, triggersInput } from "./declared";

/** The service's limit (Ops Manager documentation, "Create One Organization API Key"). */
const LONGEST_DESCRIPTION = 250;

export const onDestroy = removeByDefault(
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
  accessList: accessListInput,
  triggers: triggersInput,
  until: untilInput("the key", "deletes the key", "makes a new key"),
  onDestroy: onDestroy.input,
});

/** Checked inputs: the organization is that of the program or of the setting. */
export type ApiKeyInputs = Present<InputsOf<typeof apiKeyInputs>, "orgId">;

/** Inputs of which nothing is unknown. */
export type KnownApiKeyInputs = Present<KnownOf<typeof apiKeyInputs>, "orgId">;

export const asApiKeyInputs = checkedAs<ApiKeyInputs>;

export function check(request: CheckRequest): CheckResult {
  const forms = {
    orgId: lowerId,
    roles: sortedTexts,
    accessList: canonicalAccessList,
    triggers: canonicalTriggers,
  };
  const checked = checkedInputs(apiKeyInputs, forms, request, (given) => [
    ...roleFailures(given.roles, ["roles"], organizationRoles),
    ...accessListFailures(given.accessList),
  ]);
  const { inputs, context } = request;
  if (checked.failures.length === 0) warnOfUnknownRoles(inputs.roles, context.log, organizationRoles);
  return checked;
}

/** Outputs beside those that hold the live value of an input. */
export const apiKeyOutputs = z.object({
  orgId: requiredText("ID of the organization, 24 hexadecimal digits."),
  keyId: requiredText("ID of the key, 24 hexadecimal digits."),
  publicKey: requiredText("The public key: the name with which programs authenticate."),
  privateKey: z.string().meta({
    secret: true,
    description:
      "The private key, with which programs authenticate. Absent after an import, because the service shows it only once.",
  }),
  privateKeyEnd: optionalText(
    "The last four characters of the private key that the service shows. If they differ from those of `privateKey`, the key was regenerated outside Pulumi. Empty if the service, or a gateway, showed other characters from the beginning, because they then prove nothing.",
  ),
  ...keyOutputs(onDestroy),
  ...endOutputs,
});

type Recorded = StateOf<typeof apiKeyInputs, typeof apiKeyOutputs>;

export type ApiKeyState = Omit<Recorded, "privateKey"> & { readonly privateKey?: string | undefined };

/** The key in a state, as `declares` and `deletes` report it. */
export function holderIn(state: Properties | undefined) {
  return { kind: "API key", keyId: textIn(state, "keyId"), publicKey: textIn(state, "publicKey") } as const;
}

/** The roles in the organization, without an ORG_MEMBER that the service added. */
export function liveRoles(
  { roles }: Pick<ApiKeyResponse, "roles">,
  orgId: string,
  declared: readonly string[] | undefined,
): string[] {
  const live = rolesAmong(roles, (role) => role.orgId === orgId);
  return withoutAddedRole(live, declared);
}

/** Whether the key has the roles in the organization that are declared. */
export function hasRoles(key: ApiKeyResponse, orgId: string, declared: readonly string[]): boolean {
  return sameSet(liveRoles(key, orgId, declared), declared);
}

/** What is known of the key beside the response and the inputs. */
export type ApiKeyFacts = Pick<ApiKeyState, "orgId" | "privateKey" | "origin"> & Partial<ApiKeyState>;

/** @param facts with the entries of the access list in their one form; absent if they are not managed */
export function toApiKeyState(
  key: ApiKeyResponse,
  inputs: Partial<ApiKeyInputs>,
  facts: ApiKeyFacts,
): ApiKeyState {
  const { orgId, accessList, privateKey, privateKeyEnd, publicKey, origin } = facts;
  return {
    orgId,
    description: key.description ?? "",
    roles: liveRoles(key, orgId, known(inputs.roles)),
    accessList: accessList && [...accessList].sort(),
    triggers: known(inputs.triggers) as ApiKeyState["triggers"],
    keyId: key.keyId,
    publicKey: publicKeyToRecord(publicKey, key.publicKey),
    privateKey,
    privateKeyEnd: endToRecord({ secret: privateKey, recorded: privateKeyEnd }, key.privateKeyEnd),
    origin,
    onDestroy: onDestroy.effective(inputs),
  };
}

/** The outputs of a preview of a key that stays. */
export function previewOfUpdate(
  { orgId, keyId, publicKey, privateKey, privateKeyEnd, origin }: ApiKeyState,
  inputs: ApiKeyInputs,
): Properties {
  const kept = { orgId, keyId, publicKey, privateKey, privateKeyEnd, origin };
  return toProperties({ ...inputs, ...kept, onDestroy: onDestroy.inPreview(inputs) });
}
