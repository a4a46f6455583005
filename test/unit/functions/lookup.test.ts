import { canonicalArguments, checkLookup, lookups } from "../../../provider/functions";
import type { SessionSettings } from "../../../provider/resources/contract/session";
import type { Properties } from "../../../provider/resources/contract/values";

const upper = "5F00000000000000000000A1";
const lower = upper.toLowerCase();

const lookupOf = (name: string) => {
  const lookup = lookups.find((candidate) => candidate.name === name);
  if (!lookup) throw new Error(`There is no lookup ${name}.`);
  return lookup;
};
const sessionWith = (orgId?: string) => ({ settings: { orgId } as SessionSettings });

test("a lookup's own rules see null and left out as the same", () => {
  const getProject = lookupOf("getProject");
  const failures = (args: Properties) =>
    checkLookup(getProject, canonicalArguments(getProject, args, sessionWith()));
  expect(failures({ projectId: upper, orgId: null, name: null })).toEqual([]);
  expect(failures({ projectId: null, orgId: upper, name: "payments" })).toEqual([]);
  expect(failures({ projectId: null, orgId: upper, name: null })).toHaveLength(1);
});

test.each([
  ["getProjects", {}, { orgId: lower }],
  ["getTeams", { orgId: null }, { orgId: lower }],
  ["getTeams", { orgId: "A".repeat(24) }, { orgId: "a".repeat(24) }],
  ["getProject", { name: "payments" }, { name: "payments", orgId: lower }],
  ["getProject", { projectId: lower }, { projectId: lower }],
])("%s with %p and the setting orgId: %p", (name, args: Properties, canonical) => {
  expect(canonicalArguments(lookupOf(name), args, sessionWith(lower))).toEqual(canonical);
});
