import type { Identity } from "../../../../provider/access/person";
import {
  allMembersOf,
  claimAll,
  claimDeclared,
  claimOne,
  leaverFrom,
  membersOf,
} from "../../../../provider/resources/people/member-claims";
import { Claims } from "../../../../provider/resources/session/claims";
import { newSession } from "../checker";

const projectId = "5f00000000000000000000a1";
const other = "5f00000000000000000000a2";
const one = "urn:pulumi:test::shop::opsmanager:index:ProjectMember::one";
const two = "urn:pulumi:test::shop::opsmanager:index:ProjectMember::two";
const all = "urn:pulumi:test::shop::opsmanager:index:ProjectMembers::all";
const more = "urn:pulumi:test::shop::opsmanager:index:ProjectMembers::more";

const ada = { username: "Ada@example.com", userId: "u1", invitationId: "i1" };

/** The claims of one operation, with the functions bound to them. */
function newClaims() {
  const session = newSession();
  const claims = session.of(Claims);
  return {
    claim: (urn: string, who: Identity) => claims.claim(membersOf(projectId, who), urn),
    claimDeclared: (urn: string, who: Identity) => claimDeclared(who, { session, urn, projectId }),
    claimOne: (urn: string, who: Identity, project = projectId) =>
      claimOne(who, { session, urn, projectId: project }),
    claimAll: (urn: string, project = projectId) => claimAll({ session, urn, projectId: project }),
    declarerOf: (who: Identity, project = projectId) => claims.declarerOf(membersOf(project, who)),
    declarerOfAll: (project = projectId) => claims.declarerOf(allMembersOf(project)),
    protectorOf: (...identities: Identity[]) => claims.declarerOf(leaverFrom(projectId, ...identities)),
  };
}

describe("a claimed person", () => {
  it.each([
    ["the account", { userId: "u1" }],
    ["the invitation", { invitationId: "i1" }],
    ["the name", { username: "Ada@example.com" }],
    ["the name in other case", { username: "aDA@EXAMPLE.com" }],
    ["the last of several that are known", { userId: "u2", invitationId: "i2", username: "ada@example.com" }],
  ])("is found by %s, in this project alone", (_title, who) => {
    const claims = newClaims();
    expect(claims.claim(one, ada)).toBeUndefined();
    expect(claims.declarerOf(who)).toBe(one);
    expect(claims.declarerOf(who, other)).toBeUndefined();
    expect(claims.claim(two, who)).toBe(one);
  });

  it("does not match another id, another name or no name", () => {
    const claims = newClaims();
    claims.claim(one, ada);
    for (const who of [{ userId: "i1" }, { invitationId: "u1" }, { username: "bob@example.com" }, {}])
      expect(claims.declarerOf(who)).toBeUndefined();
    expect(claims.claim(two, {})).toBeUndefined();
    expect(claims.claim(one, {})).toBeUndefined();
  });

  it("stays with the first resource, and is no rival of itself", () => {
    const claims = newClaims();
    claims.claim(one, ada);
    expect(claims.claim(two, { username: "ada@example.com" })).toBe(one);
    expect(claims.declarerOf(ada)).toBe(one);
    expect(claims.claim(one, ada)).toBeUndefined();
  });
});

describe("a name beside an account's id", () => {
  it("protects the person of that name from removal, but excludes no other resource before it is verified", () => {
    const claims = newClaims();
    const who = { userId: "u1", username: "ada@example.com" };
    expect(claims.claimDeclared(one, who)).toBeUndefined();
    expect(claims.declarerOf({ username: "ADA@example.com" })).toBeUndefined();
    expect(claims.protectorOf({}, { username: "ADA@example.com" })).toBe(one);
    expect(claims.claimDeclared(two, { username: "ada@example.com" })).toBeUndefined();
    expect(claims.protectorOf({ username: "ada@example.com" })).toBe(two);
    expect(claims.claimDeclared(two, { userId: "u1" })?.reason).toContain(one);
  });
});

describe("the claim on one person", () => {
  it("fails if another resource declares the same person, and names that resource", () => {
    const claims = newClaims();
    expect(claims.claimOne(one, ada)).toBeUndefined();
    expect(claims.claimOne(one, ada)).toBeUndefined();
    expect(claims.claimOne(two, { username: "ada@example.com" })).toEqual({
      property: "",
      reason: `ada@example.com in project ${projectId} is already declared by ${one}: each would revert the other's changes. Remove one of them from the program.`,
    });
    expect(claims.claimOne(two, ada, other)).toBeUndefined();
    expect(claims.claimOne(two, { username: "bob@example.com" })).toBeUndefined();
  });

  // The host of dynamic providers gives no URN, and one resource may get two stand-ins for it.
  it("does not fail if the claimants have no URN", () => {
    const claims = newClaims();
    claims.claimOne("ada in payments", ada);
    expect(claims.claimOne("u1 in payments", ada)).toBeUndefined();
  });

  it("fails if all people of the project are declared, and names both", () => {
    const claims = newClaims();
    claims.claimAll(all);
    expect(claims.claimOne(one, ada)).toEqual({
      property: "projectId",
      reason: `${one} and ${all} both declare people of project ${projectId}, and ProjectMembers owns all of them: each would revert the other's changes. Use one ProjectMembers, or only ProjectMember.`,
    });
    // The person is claimed all the same: a Delete of this operation must not remove them.
    expect(claims.declarerOf(ada)).toBe(one);
    expect(claims.claimOne(one, ada, other)).toBeUndefined();
  });
});

describe("the claim on all people of a project", () => {
  it("fails if one of them is declared alone", () => {
    const claims = newClaims();
    claims.claimOne(one, ada);
    expect(claims.claimAll(all)).toMatchObject({
      property: "projectId",
      reason: expect.stringContaining(`${all} and ${one} both declare people of project ${projectId}`),
    });
    expect(claims.declarerOfAll()).toBeUndefined();
    expect(claims.claimAll(all, other)).toBeUndefined();
  });

  it("stays with the first resource, and fails for a second one", () => {
    const claims = newClaims();
    expect(claims.declarerOfAll()).toBeUndefined();
    expect(claims.claimAll(all)).toBeUndefined();
    expect(claims.claimAll(all)).toBeUndefined();
    expect(claims.claimAll(more)).toMatchObject({
      property: "projectId",
      reason: expect.stringContaining(`${more} and ${all} both`),
    });
    expect(claims.declarerOfAll()).toBe(all);
    expect(claims.declarerOfAll(other)).toBeUndefined();
  });
});
