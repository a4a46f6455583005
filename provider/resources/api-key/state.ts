/** The recorded state of an API key. Pure. */
import { z } from "zod";
import type { ApiKeyResponse } from "../../api/api-keys";
import { splitId } from "../../text/object-id";
import { recordedAs, type StateOf } from "../contract/border";
import { optionalText, requiredText } from "../contract/fields";
import { rolesAmong, withoutAddedRole } from "../contract/roles";
import { known, type Properties, sameSet } from "../contract/values";
import { endToRecord } from "../keys/key-end";
import { publicKeyToRecord } from "../reads/api-keys";
import type { Observation } from "../session/observations";
import { type ApiKeyInputs, type apiKeyInputs, onDestroySetting } from "./inputs";

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
    "The last four characters of the private key that the service shows. If they differ from those of `privateKey`, the key was regenerated outside Pulumi. Empty if the service showed others from the beginning, as some gateways do, because then they prove nothing.",
  ),
  origin: z.enum(["created", "imported"]).meta({
    description: "Whether this resource created the key or imported it.",
  }),
  onDestroy: onDestroySetting.output,
});

type Recorded = StateOf<typeof apiKeyInputs, typeof apiKeyOutputs>;

export type ApiKeyState = Omit<Recorded, "privateKey"> & { readonly privateKey?: string | undefined };

/** State comes from our own replies. The id has the ids of organization and key. */
export function asApiKeyState(state: Properties, id: string): ApiKeyState {
  const recorded = recordedAs<ApiKeyState>(state);
  const { placeId: orgId, name: keyId } = splitId(id);
  return {
    ...recorded,
    orgId: recorded.orgId ?? orgId,
    keyId: recorded.keyId ?? keyId,
    publicKey: recorded.publicKey ?? "",
    description: recorded.description ?? "",
    roles: recorded.roles ?? [],
    origin: recorded.origin ?? "imported",
    onDestroy: recorded.onDestroy ?? "remove",
  };
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

export interface ApiKeyFacts extends Pick<ApiKeyState, "orgId" | "privateKey" | "privateKeyEnd" | "origin"> {
  /** The recorded public key, if there is a record. */
  readonly publicKey?: string | undefined;
  /** Entries in their one form; `undefined` if they are not managed. */
  readonly accessList: readonly string[] | undefined;
}

export function toApiKeyState(
  key: ApiKeyResponse,
  inputs: Partial<ApiKeyInputs>,
  { orgId, accessList, privateKey, privateKeyEnd, publicKey, origin }: ApiKeyFacts,
): ApiKeyState {
  return {
    orgId,
    description: key.description ?? "",
    roles: liveRoles(key, orgId, known(inputs.roles)),
    accessList: accessList === undefined ? undefined : [...accessList].sort(),
    triggers: known(inputs.triggers) as ApiKeyState["triggers"],
    keyId: key.keyId,
    publicKey: publicKeyToRecord(publicKey, key.publicKey),
    privateKey,
    privateKeyEnd: endToRecord({ secret: privateKey, recorded: privateKeyEnd }, key.privateKeyEnd),
    origin,
    onDestroy: onDestroySetting.effective(inputs),
  };
}

/** The key as a resource of this stack holds it. */
export function observationOf(id: string, origin: ApiKeyState["origin"]): Observation {
  return { kind: "ApiKey", id, origin, names: [] };
}
