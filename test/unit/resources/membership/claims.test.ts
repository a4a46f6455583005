import {
  claimAllPeople,
  claimDeclared,
  claimOne,
  claimPerson,
  declarerOf,
  declarerOfAllPeople,
  protectorOf,
} from "../../../../provider/resources/membership/claims";
import { Surroundings } from "./surroundings";

const projectId = "5f00000000000000000000a1";
const other = "5f00000000000000000000a2";
const one = "urn:pulumi:test::shop::opsmanager:index:ProjectMember::one";
const two = "urn:pulumi:test::shop::opsmanager:index:ProjectMember::two";
const all = "urn:pulumi:test::shop::opsmanager:index:ProjectMembers::all";
const more = "urn:pulumi:test::shop::opsmanager:index:ProjectMembers::more";

const ada = { username: "Ada@example.com", userId: "u1", invitationId: "i1" };

/** The claims of one operation. */
function newSession() {
  const { session } = new Surroundings();
  return { session, by: (urn: string) => ({ session, urn }) };
}

describe("a claimed person", () => {
  it.each([
    ["the account", { userId: "u1" }],
    ["the invitation", { invitationId: "i1" }],
    ["the name", { username: "Ada@example.com" }],
    ["the name in other case", { username: "aDA@EXAMPLE.com" }],
    ["the last of several that are known", { userId: "u2", invitationId: "i2", username: "ada@example.com" }],
  ])("is found by %s, in this project alone", (_title, who) => {
    const { session, by } = newSession();
    expect(claimPerson(by(one), projectId, ada)).toBeUndefined();
    expect(declarerOf(session, projectId, who)).toBe(one);
    expect(declarerOf(session, other, who)).toBeUndefined();
    expect(claimPerson(by(two), projectId, who)).toBe(one);
  });

  it("does not match another id, another name or no name", () => {
    const { session, by } = newSession();
    claimPerson(by(one), projectId, ada);
    for (const who of [{ userId: "i1" }, { invitationId: "u1" }, { username: "bob@example.com" }, {}])
      expect(declarerOf(session, projectId, who)).toBeUndefined();
    expect(claimPerson(by(two), projectId, {})).toBeUndefined();
    expect(claimPerson(by(one), projectId, {})).toBeUndefined();
  });

  it("stays with the first resource, and is no rival of itself", () => {
    const { session, by } = newSession();
    claimPerson(by(one), projectId, ada);
    expect(claimPerson(by(two), projectId, { username: "ada@example.com" })).toBe(one);
    expect(declarerOf(session, projectId, ada)).toBe(one);
    expect(claimPerson(by(one), projectId, ada)).toBeUndefined();
  });
});

describe("a name beside an account's id", () => {
  it("protects the person of that name from removal, but excludes no other resource before it is verified", () => {
    const { session, by } = newSession();
    const who = { userId: "u1", username: "ada@example.com" };
    expect(claimDeclared(by(one), projectId, who)).toBeUndefined();
    expect(declarerOf(session, projectId, { username: "ADA@example.com" })).toBeUndefined();
    expect(protectorOf(session, projectId, {}, { username: "ADA@example.com" })).toBe(one);
    expect(claimDeclared(by(two), projectId, { username: "ada@example.com" })).toBeUndefined();
    expect(protectorOf(session, projectId, { username: "ada@example.com" })).toBe(two);
    expect(claimDeclared(by(two), projectId, { userId: "u1" })?.reason).toContain(one);
  });
});

describe("the claim on one person", () => {
  it("fails if another resource declares the same person, and names that resource", () => {
    const { by } = newSession();
    expect(claimOne(by(one), projectId, ada)).toBeUndefined();
    expect(claimOne(by(one), projectId, ada)).toBeUndefined();
    expect(claimOne(by(two), projectId, { username: "ada@example.com" })).toEqual({
      property: "",
      reason: `ada@example.com in project ${projectId} is declared by ${one} already: each would undo what the other changes. Take one of them out.`,
    });
    expect(claimOne(by(two), other, ada)).toBeUndefined();
    expect(claimOne(by(two), projectId, { username: "bob@example.com" })).toBeUndefined();
  });

  // The host of dynamic providers gives no URN, and one resource may get two stand-ins for it.
  it("does not fail if the claimants have no URN", () => {
    const { by } = newSession();
    claimOne(by("ada in payments"), projectId, ada);
    expect(claimOne(by("u1 in payments"), projectId, ada)).toBeUndefined();
  });

  it("fails if all people of the project are declared, and names both", () => {
    const { session, by } = newSession();
    claimAllPeople(by(all), projectId);
    expect(claimOne(by(one), projectId, ada)).toEqual({
      property: "projectId",
      reason: `${one} and ${all} both declare people of project ${projectId}, and ProjectMembers owns all of them: each would undo what the other changes. Use one ProjectMembers, or only ProjectMember.`,
    });
    // The person is claimed all the same: a Delete of this operation must not remove them.
    expect(declarerOf(session, projectId, ada)).toBe(one);
    expect(claimOne(by(one), other, ada)).toBeUndefined();
  });
});

describe("the claim on all people of a project", () => {
  it("fails if one of them is declared alone", () => {
    const { session, by } = newSession();
    claimOne(by(one), projectId, ada);
    expect(claimAllPeople(by(all), projectId)).toMatchObject({
      property: "projectId",
      reason: expect.stringContaining(`${all} and ${one} both declare people of project ${projectId}`),
    });
    expect(declarerOfAllPeople(session, projectId)).toBeUndefined();
    expect(claimAllPeople(by(all), other)).toBeUndefined();
  });

  it("stays with the first resource, and fails for a second one", () => {
    const { session, by } = newSession();
    expect(declarerOfAllPeople(session, projectId)).toBeUndefined();
    expect(claimAllPeople(by(all), projectId)).toBeUndefined();
    expect(claimAllPeople(by(all), projectId)).toBeUndefined();
    expect(claimAllPeople(by(more), projectId)).toMatchObject({
      property: "projectId",
      reason: expect.stringContaining(`${more} and ${all} both`),
    });
    expect(declarerOfAllPeople(session, projectId)).toBe(all);
    expect(declarerOfAllPeople(session, other)).toBeUndefined();
  });
});
