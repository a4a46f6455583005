/** The inputs of Team and their validation. */
import { z } from "zod";
import { foldName } from "../../access/person";
import type { Access } from "../../access/places";
import type { InputsOf, KnownOf, Present } from "../contract/border";
import { knownTexts, lowerId, sortedTexts } from "../contract/canonical";
import {
  type CheckFailure,
  type LocatedFailure,
  locatedShapeFailures,
  repeatedValues,
} from "../contract/check";
import { checkedInputs } from "../contract/checked-inputs";
import { accessOf, organizationIn, textIn } from "../contract/declared";
import { nameText, objectId } from "../contract/fields";
import { deleteIfCreated } from "../contract/on-destroy";
import { usernameText } from "../contract/people-inputs";
import { recordedPeople } from "../contract/people-outputs";
import { emptyListFailures, maxRemovalsInput, removeUnlistedInput } from "../contract/removal-settings";
import type { CheckRequest, CheckResult } from "../contract/resource";
import { known, type Properties } from "../contract/values";
import { listUntilFailures, listUntilInput, type Split, splitEnded } from "../lists/ends";
import { personNamed } from "../people/resolve";
import { Claims, existing } from "../session/claims";
import { claimTeam, type TeamIdentity } from "../session/team-claims";

export const onDestroySetting = deleteIfCreated("team");

export const teamInputs = z.strictObject({
  teamId: objectId("the id of a team").optional().meta({
    description:
      "ID of an existing team of the organization to adopt, 24 hexadecimal digits. Without it, a team named `name` is created. If it changes to the id of another team, that team replaces this one.",
  }),
  orgId: objectId("the id of an organization").optional().meta({
    defaultText: "the setting `orgId`",
    description:
      "ID of the organization, 24 hexadecimal digits. If it changes, another team replaces this one.",
  }),
  name: nameText().meta({
    description:
      "Name of the team, unique in the organization. A team that has this name already is adopted only by `teamId` or by an import. If the name changes, the team is renamed.",
  }),
  usernames: z.array(usernameText(), "must be a list").meta({
    description:
      "Usernames of the people in the team, a set with at least one entry. Each needs an account that is active in the organization. Case does not count.",
  }),
  until: listUntilInput(usernameText(), "usernames"),
  maxRemovals: maxRemovalsInput(
    "people that one update may remove from the team; a deletion has no such limit",
  ),
  removeUnlisted: removeUnlistedInput(
    "What an update does with people of the team whom `usernames` does not name. `false`: the update removes people who were declared and left `usernames`. People whom this resource never declared stay; each preview names them, and `opsmanager drift` reports them. `true`: the update removes everyone else. Adopting a team never removes anybody.",
  ),
  onDestroy: onDestroySetting.input,
});

type Checked<Inputs extends { readonly orgId?: unknown }> = Split<Present<Inputs, "orgId">>;

/**
 * Checked inputs: the organization is that of the program or of the setting, and `usernames` lacks those whose last day is
 * over.
 */
export type TeamInputs = Checked<InputsOf<typeof teamInputs>>;

/** Inputs of which nothing is unknown. */
export type KnownTeamInputs = Checked<KnownOf<typeof teamInputs>>;

export function asTeamInputs(inputs: Properties): TeamInputs {
  return splitEnded<Present<InputsOf<typeof teamInputs>, "orgId">>(inputs, "usernames");
}

export function check(request: CheckRequest): CheckResult {
  const { context } = request;
  const forms = { teamId: lowerId, orgId: lowerId, usernames: sortedTexts };
  const checked = checkedInputs(teamInputs, forms, request, (given) => [
    ...usernameFailures(given),
    ...emptyListFailures(given, "usernames"),
    ...listUntilFailures(given, "usernames", locatedShapeFailures(teamInputs, given)),
  ]);
  if (checked.failures.length > 0) return checked;
  const { orgId, ...declared } = asTeamInputs(checked.inputs);
  if (typeof orgId !== "string") return checked;
  const team = { teamId: known(declared.teamId), teamName: known(declared.name) };
  context.session.of(Claims).take(existing(orgId, team.teamId), context.urn);
  const other = claimTeam(orgId, team, context);
  return other === undefined ? checked : { ...checked, failures: [teamConflict(team, other)] };
}

/** The same person under two spellings. */
export function usernameFailures({ usernames }: Properties): LocatedFailure[] {
  return repeatedValues(knownTexts(usernames).map(foldName)).map((name) => ({
    property: "usernames",
    path: ["usernames"],
    reason: `usernames contains "${name}" more than once; case does not count.`,
  }));
}

export function teamConflict({ teamId, teamName }: TeamIdentity, other: string): CheckFailure {
  const reason = `Team ${teamName === undefined ? teamId : `"${teamName}"`} is already declared by ${other}: each would revert the other's changes. Remove one of them from the program.`;
  return { property: "", reason };
}

export function declares(inputs: Properties, state?: Properties): readonly Access[] {
  const organization = organizationIn(inputs);
  const people = recordedPeople(state?.people);
  const recordOf = personNamed(people, people);
  const place = organization && {
    kind: "team" as const,
    id: textIn(inputs, "teamId") ?? textIn(state, "teamId"),
    name: textIn(inputs, "name"),
    orgId: organization.id,
  };
  return knownTexts(asTeamInputs(inputs).usernames).flatMap((username) =>
    accessOf({ kind: "person", userId: recordOf(username)?.userId, username }, place, undefined),
  );
}
