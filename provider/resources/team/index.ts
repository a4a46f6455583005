/** One team of an organization, with its name and its people. */
import { changeKind, type Difference, setDifferences } from "../difference";
import { foldName } from "../membership/membership";
import { ignoresProperty } from "../property-path";
import type { DiffRequest, Resource } from "../resource";
import { hasUnknown, known } from "../values";
import { remove } from "./delete";
import { asTeamInputs, checkTeam, type TeamInputs, teamInputs } from "./inputs";
import { personNamed } from "./plan";
import { readTeam } from "./read";
import {
  asTeamState,
  effectiveOnDestroy,
  effectiveSettings,
  observationOf,
  type TeamState,
  teamOutputs,
} from "./state";
import { create, update } from "./write";

export const team: Resource<"Team"> = {
  name: "Team",
  description: `A team of an organization: its name and its people. \`ProjectTeam\` gives a team roles in a project.

Creating adopts a team of the same name if there is one. People are added and removed one by one, additions first. A person who was declared and leaves \`usernames\` is removed. People whom this resource never declared stay, unless \`removeUnlisted\` is \`true\`. One operation removes at most \`maxRemovals\` people, and adopting a team removes no one. Destroying deletes a team that this resource created, unless a project still has it, and releases an adopted or imported one.`,
  importId: "`<orgId>/` and the id or the name of the team",
  inputs: teamInputs,
  outputs: teamOutputs,
  repeats: { people: "usernames" },
  check: checkTeam,
  diff,
  create,
  read: readTeam,
  update,
  delete: remove,
  // A team that is created again has another ID.
  restoredBy: () => ({ replacing: "orgId" }),
};

function diff({ id, state, oldInputs, inputs, ignoreChanges, context }: DiffRequest): Difference[] {
  const recorded = asTeamState(state, id);
  const declared = asTeamInputs(inputs);
  const { session, urn } = context;
  session.observations.record(urn, observationOf(recorded));
  const isIgnored = ignoresProperty(ignoreChanges);
  const differences = [
    ...valueDifferences(recorded, declared),
    ...peopleDifferences(recorded, declared),
    ...settingDifferences(recorded, declared, asTeamInputs(oldInputs)),
  ].filter(({ path }) => !isIgnored(String(path[0])));
  if (declared.orgId === recorded.orgId) {
    session.claims.claimTeamId(recorded.orgId, { teamName: known(declared.name) }, recorded.teamId);
  }
  return differences;
}

function valueDifferences(recorded: TeamState, { orgId, name }: TeamInputs): Difference[] {
  return [
    ...(orgId === recorded.orgId
      ? []
      : [{ path: ["orgId"], kind: "update", replace: !hasUnknown(orgId) } as const]),
    ...(name === recorded.name ? [] : [{ path: ["name"], kind: "update" } as const]),
  ];
}

function peopleDifferences(
  { usernames: recorded, people }: TeamState,
  { usernames }: TeamInputs,
): Difference[] {
  if (hasUnknown(usernames)) return [{ path: ["usernames"], kind: "update" }];
  const wanted = usernames as readonly string[];
  const names = recorded.map(foldName);
  // An account that is not listed may have got the name of one that is.
  const repeated = names.flatMap((name, index): Difference[] =>
    names.indexOf(name) < index ? [{ path: ["usernames", index], kind: "delete" }] : [],
  );
  const differences = [...setDifferences(["usernames"], recorded, wanted, foldName), ...repeated];
  // A person who was not declared before and is listed now: an update records the person as
  // declared, so that a later name of the account means the same person.
  const isNew = wanted.some((name) => personNamed(name, people)?.declared === false);
  return differences.length === 0 && isNew ? [{ path: ["usernames"], kind: "update" }] : differences;
}

/** Writing a default down changes nothing, so the effective values are compared. */
function settingDifferences({ origin }: TeamState, inputs: TeamInputs, oldInputs: TeamInputs): Difference[] {
  const effective = (values: TeamInputs) => ({
    ...effectiveSettings(values),
    onDestroy: hasUnknown(values.onDestroy) ? undefined : effectiveOnDestroy(values, origin),
  });
  const [before, after] = [effective(oldInputs), effective(inputs)];
  return (["maxRemovals", "removeUnlisted", "onDestroy"] as const)
    .filter((property) => hasUnknown(inputs[property]) || before[property] !== after[property])
    .map((property) => ({
      path: [property],
      kind: changeKind(oldInputs[property], inputs[property]),
      inputDiff: true,
    }));
}
