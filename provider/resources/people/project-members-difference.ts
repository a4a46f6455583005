/** How everybody in a project differs from the program, person by person. Pure. */
import { type Difference, setDifferences } from "../difference";
import { hasUnknown, known, sameSet } from "../values";
import { foldName } from "./person";
import { DEFAULT_MAX_REMOVALS, isIgnoredUser, type MembersInputs } from "./project-members-inputs";
import { effectiveOnDestroy, type MembersState } from "./project-members-state";

export function membersDifferences(
  state: MembersState,
  inputs: MembersInputs,
  oldInputs: Partial<MembersInputs>,
  isIgnored: (property: string) => boolean,
): Difference[] {
  const differences = [
    ...projectDifferences(state, inputs),
    ...peopleDifferences(state, inputs),
    ...patternDifferences(inputs, oldInputs),
    ...settingDifferences(inputs, oldInputs),
  ];
  return differences.filter(({ path }) => !isIgnored(String(path[0])));
}

function projectDifferences(state: MembersState, { projectId }: MembersInputs): Difference[] {
  if (projectId === state.projectId) return [];
  return [{ path: ["projectId"], kind: "update", replace: !hasUnknown(projectId) }];
}

function peopleDifferences(state: MembersState, inputs: MembersInputs): Difference[] {
  const { members } = inputs;
  if (typeof members === "symbol") return [{ path: ["members"], kind: "update" }];
  const patterns = known(inputs.ignoreUsers) ?? [];
  const recordedName = recordedNames(state);
  const named = new Set(Object.keys(members).map(recordedName));
  const gone = Object.keys(state.members).filter(
    (name) => !named.has(name) && !isIgnoredUser(patterns, name),
  );
  return [
    ...shadowed(state, patterns).map((name): Difference => ({ path: ["members", name], kind: "delete" })),
    ...gone.map((name): Difference => ({ path: ["members", name], kind: "delete" })),
    ...Object.entries(members).flatMap(([name, roles]): Difference[] => {
      const path = ["members", name];
      const recorded = recordedName(name);
      const before = recorded === undefined ? undefined : state.members[recorded];
      if (before === undefined) return [{ path, kind: "add" }];
      if (hasUnknown(roles)) return [{ path, kind: "update" }];
      const wanted = roles as readonly string[];
      if (sameSet(before, wanted)) return [];
      // The engine finds old values by path: under another spelling it would find none.
      return recorded === name
        ? setDifferences(path, before, wanted, (role) => role)
        : [{ path, kind: "update" }];
    }),
  ];
}

/** Strangers who have got the former name of somebody declared: `members` has one entry for a name. */
function shadowed({ memberDetails }: MembersState, patterns: readonly string[]): string[] {
  const former = new Set(
    memberDetails.flatMap(({ declaredAs }) => (declaredAs === undefined ? [] : [foldName(declaredAs)])),
  );
  return memberDetails
    .filter(({ declaredAs, username }) => declaredAs === undefined && former.has(foldName(username)))
    .filter(({ username }) => !isIgnoredUser(patterns, username))
    .map(({ username }) => username);
}

/** The name in the record that means the same person: any spelling, and the new name of a renamed account. */
function recordedNames({ members, memberDetails }: MembersState): (name: string) => string | undefined {
  const names = new Map(
    memberDetails.map(({ username, declaredAs }) => [foldName(username), declaredAs] as const),
  );
  for (const name of Object.keys(members)) names.set(foldName(name), name);
  return (name) => names.get(foldName(name));
}

function patternDifferences(inputs: MembersInputs, oldInputs: Partial<MembersInputs>): Difference[] {
  const path = ["ignoreUsers"];
  const before = oldInputs.ignoreUsers;
  const after = inputs.ignoreUsers;
  if (hasUnknown(after)) return [{ path, kind: before === undefined ? "add" : "update", inputDiff: true }];
  const olds = (before ?? []) as readonly string[];
  const news = (after ?? []) as readonly string[];
  if (sameSet(olds, news)) return [];
  if (before === undefined || after === undefined) {
    return [{ path, kind: before === undefined ? "add" : "delete", inputDiff: true }];
  }
  const differences = setDifferences(path, olds, news, (pattern) => pattern);
  return differences.map((difference) => ({ ...difference, inputDiff: true }));
}

/** Writing a default down changes nothing, so the effective values are compared. */
function settingDifferences(inputs: MembersInputs, oldInputs: Partial<MembersInputs>): Difference[] {
  const effective = {
    maxRemovals: (values: Partial<MembersInputs>) => values.maxRemovals ?? DEFAULT_MAX_REMOVALS,
    removeUnlistedOnCreate: (values: Partial<MembersInputs>) => values.removeUnlistedOnCreate ?? false,
    onDestroy: (values: Partial<MembersInputs>) =>
      hasUnknown(values.onDestroy) ? undefined : effectiveOnDestroy(values),
  };
  return Object.entries(effective)
    .filter(([, valueIn]) => valueIn(inputs) !== valueIn(oldInputs))
    .map(([property]) => {
      const [before, after] = [oldInputs, inputs].map((values) => values[property as keyof MembersInputs]);
      const kind = before === undefined ? "add" : after === undefined ? "delete" : "update";
      return { path: [property], kind, inputDiff: true };
    });
}
