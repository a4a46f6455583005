import { Claims } from "../../../provider/resources/session/claims";

const projectId = "5f00000000000000000000a1";
const other = "5f00000000000000000000a2";
const one = "urn:pulumi:test::shop::opsmanager:index:ProjectMember::one";
const two = "urn:pulumi:test::shop::opsmanager:index:ProjectMember::two";
const all = "urn:pulumi:test::shop::opsmanager:index:ProjectMembers::all";
const more = "urn:pulumi:test::shop::opsmanager:index:ProjectMembers::more";

const ada = { username: "Ada@example.com", userId: "u1", invitationId: "i1" };

describe("a claimed person", () => {
  it.each([
    ["the account", { userId: "u1" }],
    ["the invitation", { invitationId: "i1" }],
    ["the name", { username: "Ada@example.com" }],
    ["the name in other case", { username: "aDA@EXAMPLE.com" }],
    ["the last of several that are known", { userId: "u2", invitationId: "i2", username: "ada@example.com" }],
  ])("is found by %s, in this project alone", (_title, who) => {
    const claims = new Claims();
    expect(claims.claimMember(one, projectId, ada)).toBeUndefined();
    expect(claims.declarerOf(projectId, who)).toBe(one);
    expect(claims.declarerOf(other, who)).toBeUndefined();
    expect(claims.claimMember(two, projectId, who)).toBe(one);
  });

  it("does not match another id, another name or no name", () => {
    const claims = new Claims();
    claims.claimMember(one, projectId, ada);
    for (const who of [{ userId: "i1" }, { invitationId: "u1" }, { username: "bob@example.com" }, {}])
      expect(claims.declarerOf(projectId, who)).toBeUndefined();
    expect(claims.claimMember(two, projectId, {})).toBeUndefined();
    expect(claims.claimMember(one, projectId, {})).toBeUndefined();
  });

  it("stays with the first resource, and is no rival of itself", () => {
    const claims = new Claims();
    claims.claimMember(one, projectId, ada);
    expect(claims.claimMember(two, projectId, { username: "ada@example.com" })).toBe(one);
    expect(claims.declarerOf(projectId, ada)).toBe(one);
    expect(claims.claimMember(one, projectId, ada)).toBeUndefined();
  });
});

describe("a name beside an account's id", () => {
  it("protects the person of that name from removal, but excludes no other resource before it is verified", () => {
    const claims = new Claims();
    const who = { userId: "u1", username: "ada@example.com" };
    expect(claims.claimDeclared(one, projectId, who)).toBeUndefined();
    expect(claims.declarerOf(projectId, { username: "ADA@example.com" })).toBeUndefined();
    expect(claims.protectorOf(projectId, [{}, { username: "ADA@example.com" }])).toBe(one);
    expect(claims.claimDeclared(two, projectId, { username: "ada@example.com" })).toBeUndefined();
    expect(claims.protectorOf(projectId, [{ username: "ada@example.com" }])).toBe(two);
    expect(claims.claimDeclared(two, projectId, { userId: "u1" })?.reason).toContain(one);
  });
});

describe("the claim on one person", () => {
  it("fails if another resource declares the same person, and names that resource", () => {
    const claims = new Claims();
    expect(claims.claimOne(one, projectId, ada)).toBeUndefined();
    expect(claims.claimOne(one, projectId, ada)).toBeUndefined();
    expect(claims.claimOne(two, projectId, { username: "ada@example.com" })).toEqual({
      property: "",
      reason: `ada@example.com in project ${projectId} is declared by ${one} already: each would revert the other's changes. Remove one of them from the program.`,
    });
    expect(claims.claimOne(two, other, ada)).toBeUndefined();
    expect(claims.claimOne(two, projectId, { username: "bob@example.com" })).toBeUndefined();
  });

  // The host of dynamic providers gives no URN, and one resource may get two stand-ins for it.
  it("does not fail if the claimants have no URN", () => {
    const claims = new Claims();
    claims.claimOne("ada in payments", projectId, ada);
    expect(claims.claimOne("u1 in payments", projectId, ada)).toBeUndefined();
  });

  it("fails if all people of the project are declared, and names both", () => {
    const claims = new Claims();
    claims.claimAll(all, projectId);
    expect(claims.claimOne(one, projectId, ada)).toEqual({
      property: "projectId",
      reason: `${one} and ${all} both declare people of project ${projectId}, and ProjectMembers owns all of them: each would revert the other's changes. Use one ProjectMembers, or only ProjectMember.`,
    });
    // The person is claimed all the same: a Delete of this operation must not remove them.
    expect(claims.declarerOf(projectId, ada)).toBe(one);
    expect(claims.claimOne(one, other, ada)).toBeUndefined();
  });
});

describe("the claim on all people of a project", () => {
  it("fails if one of them is declared alone", () => {
    const claims = new Claims();
    claims.claimOne(one, projectId, ada);
    expect(claims.claimAll(all, projectId)).toMatchObject({
      property: "projectId",
      reason: expect.stringContaining(`${all} and ${one} both declare people of project ${projectId}`),
    });
    expect(claims.declarerOfAll(projectId)).toBeUndefined();
    expect(claims.claimAll(all, other)).toBeUndefined();
  });

  it("stays with the first resource, and fails for a second one", () => {
    const claims = new Claims();
    expect(claims.declarerOfAll(projectId)).toBeUndefined();
    expect(claims.claimAll(all, projectId)).toBeUndefined();
    expect(claims.claimAll(all, projectId)).toBeUndefined();
    expect(claims.claimAll(more, projectId)).toMatchObject({
      property: "projectId",
      reason: expect.stringContaining(`${more} and ${all} both`),
    });
    expect(claims.declarerOfAll(projectId)).toBe(all);
    expect(claims.declarerOfAll(other)).toBeUndefined();
  });
});
