/** Compares the program with the recorded state of one person. */

import { sameName } from "../../access/person";
import { changeKind, type Difference, unsureSetDifferences } from "../contract/difference";
import { ignoresProperty } from "../contract/property-path";
import type { DiffRequest } from "../contract/resource";
import { hasUnknown, known } from "../contract/values";
import { ObservationLog } from "../session/observations";
import {
  asOrganizationMemberInputs,
  claimFound,
  type OrganizationMemberInputs,
  onDestroySetting,
} from "./inputs";
import { asOrganizationMemberState, type OrganizationMemberState, observationOf } from "./state";

export function diff({ id, state, oldInputs, inputs, ignoreChanges, context }: DiffRequest): Difference[] {
  const recorded = asOrganizationMemberState(state, id);
  const [declared, before] = [asOrganizationMemberInputs(inputs), asOrganizationMemberInputs(oldInputs)];
  const isIgnored = ignoresProperty(ignoreChanges);
  context.session
    .of(ObservationLog)
    .record(context.urn, observationOf(id, recorded.origin, known(before.username), recorded));
  const differences = [
    ...organizationDifferences(recorded, declared),
    ...personDifferences(recorded, declared, before),
    ...unsureSetDifferences("roles", recorded.roles, declared.roles),
    ...onDestroySetting.differences(declared, before),
  ].filter(({ path }) => !isIgnored(String(path[0])));
  const username = known(declared.username);
  if (username !== undefined && !differences.some(({ replace }) => replace)) {
    claimFound(recorded.orgId, username, recorded, context);
  }
  return differences;
}

function organizationDifferences(
  { orgId }: OrganizationMemberState,
  declared: OrganizationMemberInputs,
): Difference[] {
  if (declared.orgId === orgId) return [];
  return [{ path: ["orgId"], kind: "update", replace: !hasUnknown(declared.orgId), byProgram: true }];
}

/** The same person, by the present name of the account or by the name in the program before. */
function personDifferences(
  recorded: OrganizationMemberState,
  { username }: OrganizationMemberInputs,
  before: OrganizationMemberInputs,
): Difference[] {
  const kind = changeKind(before.username, username);
  if (hasUnknown(username)) return [{ path: ["username"], kind }];
  const isSame = [recorded.username, before.username].some((name) =>
    sameName(name as string | undefined, username as string),
  );
  return isSame ? [] : [{ path: ["username"], kind, replace: true }];
}
