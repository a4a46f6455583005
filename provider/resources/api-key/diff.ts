/** Compares the program with the recorded key. */

import { RefusedError } from "../../text/errors";
import { changeKind, type Difference, unsureSetDifferences } from "../contract/difference";
import { ignoresProperty } from "../contract/property-path";
import type { DiffRequest } from "../contract/resource";
import { replacementOf } from "../contract/triggers";
import { hasUnknown } from "../contract/values";
import { wasMadeAgain } from "../keys/key-end";
import { apiKeyIn, refuseForOwnKey } from "../reads/api-keys";
import { Claims } from "../session/claims";
import { ObservationLog } from "../session/observations";
import { type ApiKeyInputs, asApiKeyInputs, onDestroySetting } from "./inputs";
import { type ApiKeyState, asApiKeyState, observationOf } from "./state";

export function diff({ id, state, oldInputs, inputs, ignoreChanges, context }: DiffRequest): Difference[] {
  const recorded = asApiKeyState(state, id);
  const { session, urn } = context;
  session.of(ObservationLog).record(urn, observationOf(id, recorded.origin));
  const [declared, before] = [asApiKeyInputs(inputs), asApiKeyInputs(oldInputs)];
  const isIgnored = ignoresProperty(ignoreChanges);
  const differences = [
    ...organizationDifferences(recorded, declared),
    ...(declared.description === recorded.description
      ? []
      : [{ path: ["description"], kind: "update" } as const]),
    ...unsureSetDifferences("roles", recorded.roles, declared.roles),
    ...accessListDifferences(recorded, declared, before),
    ...replacementOf("triggers", before.triggers, declared.triggers),
    ...onDestroySetting.differences(declared, before),
    ...secretDifferences(recorded, session.client.publicKey),
  ].filter(({ path }) => !isIgnored(String(path[0])));
  if (differences.some(({ replace }) => replace)) {
    // The Delete that follows would be refused, in this run and in each later one.
    if (onDestroySetting.effective(before) === "remove") {
      refuseForOwnKey(recorded, "was not replaced", session);
    }
  } else if (session.of(Claims).isDeclared(urn)) {
    // The key that a replacement deletes is no longer declared, so only a key that stays is claimed.
    const other = session.of(Claims).claim(apiKeyIn(recorded.orgId, recorded), urn);
    if (other !== undefined) {
      throw new RefusedError(
        `API key ${recorded.keyId} of organization ${recorded.orgId} is already declared by ${other}: each would revert the other's changes. Remove one of them from the program.`,
      );
    }
  }
  return differences;
}

function organizationDifferences({ orgId }: ApiKeyState, declared: ApiKeyInputs): Difference[] {
  if (declared.orgId === orgId) return [];
  return [{ path: ["orgId"], kind: "update", replace: !hasUnknown(declared.orgId), byProgram: true }];
}

function accessListDifferences(
  recorded: ApiKeyState,
  { accessList }: ApiKeyInputs,
  before: ApiKeyInputs,
): Difference[] {
  if (accessList !== undefined) {
    // A list that was never read may have entries, also if the program declares none.
    return recorded.accessList === undefined
      ? [{ path: ["accessList"], kind: "add" }]
      : unsureSetDifferences("accessList", recorded.accessList, accessList);
  }
  // The update records that the list is no longer managed.
  const kind = changeKind(before.accessList, accessList);
  return before.accessList === undefined ? [] : [{ path: ["accessList"], kind, inputDiff: true }];
}

/**
 * A key that no program can use is replaced: the response to its creation lacked the private key, or
 * the service shows the end of another one. The provider can use its own key, and cannot delete it.
 */
function secretDifferences(
  { origin, publicKey, privateKey, privateKeyEnd }: ApiKeyState,
  ownPublicKey: string | undefined,
): Difference[] {
  if (publicKey === ownPublicKey) return [];
  if (privateKey === undefined) {
    return origin === "created" ? [{ path: ["privateKey"], kind: "add", replace: true }] : [];
  }
  return wasMadeAgain({ secret: privateKey, recorded: privateKeyEnd })
    ? [{ path: ["privateKey"], kind: "update", replace: true }]
    : [];
}
