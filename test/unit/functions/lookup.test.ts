import { canonicalArguments, checkLookup, lookups } from "../../../provider/functions";
import type { Properties } from "../../../provider/resources/contract/values";

const upper = "5F00000000000000000000A1";
const lower = upper.toLowerCase();

test("arguments have ids in lower case, and no nulls; all else stays as it is", () => {
  expect(
    canonicalArguments({
      projectId: upper,
      orgId: null,
      invitationId: 7,
      name: "PAYMENTS",
      username: "Ada@Example.com",
      tags: ["PROD", upper],
    }),
  ).toEqual({
    projectId: lower,
    invitationId: 7,
    name: "PAYMENTS",
    username: "Ada@Example.com",
    tags: ["PROD", upper],
  });
});

test("a lookup's own rules see null and left out as the same", () => {
  const getProject = lookups.find(({ name }) => name === "getProject");
  if (!getProject) throw new Error("There is a lookup of that name.");
  const failures = (args: Properties) => checkLookup(getProject, canonicalArguments(args));
  expect(failures({ projectId: upper, orgId: null, name: null })).toEqual([]);
  expect(failures({ projectId: null, orgId: upper, name: "payments" })).toEqual([]);
  expect(failures({ projectId: null, orgId: upper, name: null })).toHaveLength(1);
});
