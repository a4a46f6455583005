/** The inputs of ProjectApiKey and their validation. */
import { z } from "zod";
import type { Access } from "../../access/places";
import { RefusedError } from "../../text/errors";
import { checkedAs, type InputsOf, type KnownOf } from "../contract/border";
import { lowerId, sortedTexts } from "../contract/canonical";
import type { CheckFailure } from "../contract/check";
import { checkedInputs, exactlyOneFailures } from "../contract/checked-inputs";
import { accessOf, projectIn, textIn } from "../contract/declared";
import { nameText, objectId } from "../contract/fields";
import { removeByDefault } from "../contract/on-destroy";
import type { CheckRequest, CheckResult, Context } from "../contract/resource";
import { known, type Properties } from "../contract/values";
import { roleFailures, roleList, warnOfUnknownRoles } from "../people/inputs";
import { apiKeyIn, type KeyIdentity } from "../reads/api-keys";
import { Claims } from "../session/claims";

export const onDestroySetting = removeByDefault(
  "What destroying does: `remove` takes all roles in the project from the key; `release` only removes the resource from the state. The key itself stays in either case.",
);

export const projectApiKeyInputs = z.strictObject({
  projectId: objectId("the id of a project").meta({
    description:
      "ID of the project, 24 hexadecimal digits. If it changes, the key gets its roles in the new project first and loses those in the old one last.",
  }),
  keyId: objectId("the id of an API key").optional().meta({
    description: "ID of the key, 24 hexadecimal digits. Exactly one of `keyId` and `publicKey` is needed.",
  }),
  publicKey: nameText().optional().meta({
    description:
      "Public key of the key, in place of `keyId`. The key must be one of the project's organization.",
  }),
  roles: roleList("a key").meta({
    description:
      "Project roles of the key, a set with at least one entry, such as `GROUP_READ_ONLY`. They replace the roles that the key has in this project. Its roles in other projects and in the organization are not changed.",
  }),
  onDestroy: onDestroySetting.input,
});

export type ProjectApiKeyInputs = InputsOf<typeof projectApiKeyInputs>;

/** Inputs of which nothing is unknown. */
export type KnownProjectApiKeyInputs = KnownOf<typeof projectApiKeyInputs>;

export const asProjectApiKeyInputs = checkedAs<ProjectApiKeyInputs>;

/** The key that the program declares, as far as it is known. */
export function declaredKey({ keyId, publicKey }: Partial<ProjectApiKeyInputs>): KeyIdentity {
  return { keyId: known(keyId), publicKey: known(publicKey) };
}

export function check(request: CheckRequest): CheckResult {
  const forms = { projectId: lowerId, keyId: lowerId, roles: sortedTexts };
  const checked = checkedInputs(projectApiKeyInputs, forms, request, (given) => [
    ...exactlyOneFailures(given, "key", ["keyId", "publicKey"]),
    ...roleFailures(given.roles, ["roles"]),
  ]);
  if (checked.failures.length > 0) return checked;
  const { session, urn, log } = request.context;
  warnOfUnknownRoles(checked.inputs.roles, log);
  const { projectId, ...declared } = asProjectApiKeyInputs(checked.inputs);
  if (typeof projectId !== "string") return checked;
  const key = declaredKey(declared);
  const other = session.of(Claims).claim(apiKeyIn(projectId, key), urn);
  return other === undefined ? checked : { ...checked, failures: [keyConflict(projectId, key, other)] };
}

/**
 * Claims what a resource has found or recorded of its key.
 *
 * @throws RefusedError if another resource has claimed the key
 */
export function claimFound(
  declared: KeyIdentity,
  { projectId, keyId, publicKey }: KeyIdentity & { readonly projectId: string },
  { session }: Pick<Context, "session">,
): void {
  const key = { keyId, publicKey };
  const claims = session.of(Claims);
  const other = claims.claimFound(apiKeyIn(projectId, declared), apiKeyIn(projectId, key));
  if (other !== undefined) throw new RefusedError(keyConflict(projectId, key, other).reason);
}

/** Two resources of one key would overwrite each other's roles. */
function keyConflict(projectId: string, { keyId, publicKey }: KeyIdentity, other: string): CheckFailure {
  const reason = `API key ${publicKey ?? keyId} in project ${projectId} is declared by ${other} already: each would overwrite the other's roles. Remove one of them from the program.`;
  return { property: "", reason };
}

export function declares(inputs: Properties, state?: Properties): readonly Access[] {
  const keyId = textIn(inputs, "keyId") ?? textIn(state, "keyId");
  const publicKey = textIn(inputs, "publicKey") ?? textIn(state, "publicKey");
  const isKnown = keyId !== undefined || publicKey !== undefined;
  const key = isKnown ? ({ kind: "API key", keyId, publicKey } as const) : undefined;
  return accessOf(key, projectIn(inputs, state), inputs.roles);
}
