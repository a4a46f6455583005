import type { Resource } from "../../../../provider/resources/contract/resource";
import { withClaimStages } from "../../../../provider/resources/session/claim-stages";
import { Claims, existing, isUrn, type Subject } from "../../../../provider/resources/session/claims";
import { newSession, urnOf } from "../checker";

const one = urnOf("Team", "one");
const two = urnOf("Team", "two");
const byId: Subject = [["team", "org", "t1"]];
const byName: Subject = [["team name", "org", "operators"]];
const both: Subject = [...byId, ...byName];

test("the first claim of any part of an identity counts, and names its resource to the second", () => {
  const claims = new Claims();
  expect(claims.claim(byId, one)).toBeUndefined();
  expect(claims.claim(both, two)).toBe(one);
  expect(claims.claim(byId, one)).toBeUndefined();
  // The part that was free is claimed all the same.
  expect(claims.declarerOf(byName)).toBe(two);
  expect(claims.claim([["team", "other org", "t1"]], two)).toBeUndefined();
});

test("the latest of two claims counts where one replaces the other, and the former is named", () => {
  const claims = new Claims();
  expect(claims.take(byId, one)).toBeUndefined();
  expect(claims.take(byId, one)).toBeUndefined();
  expect(claims.take(byId, two)).toBe(one);
  expect(claims.declarerOf(byId)).toBe(two);
});

test("what was found is claimed for the resource that declares it, and by no other", () => {
  const claims = new Claims();
  expect(claims.claimFound(byName, byId)).toBeUndefined();
  expect(claims.declarerOf(byId)).toBeUndefined();
  claims.claim(byName, one);
  expect(claims.claimFound(byName, byId)).toBeUndefined();
  expect(claims.declarerOf(byId)).toBe(one);
  claims.claim([["team name", "org", "admins"]], two);
  expect(claims.claimFound([["team name", "org", "admins"]], byId)).toBe(one);
});

describe("a claim protects an object from the Delete", () => {
  test("of another resource, and of its own only once the resource keeps or takes an object", () => {
    const claims = new Claims();
    claims.declares(one);
    claims.claim(byId, one);
    expect(claims.declarerOf(byId, two)).toBe(one);
    expect(claims.declarerOf(byId, one)).toBeUndefined();
    claims.holds(one);
    expect(claims.declarerOf(byId, one)).toBe(one);
    claims.declares(one);
    claims.claim(byId, one);
    expect(claims.declarerOf(byId, one)).toBeUndefined();
  });

  test("of its own resource, if the program gives the object by its id or no URN is known", () => {
    const claims = new Claims();
    claims.take(existing("org", "t1"), one);
    expect(claims.declarerOf(existing("org", "t1"), one)).toBe(one);
    claims.claim(byName, "Team operators");
    expect(claims.declarerOf(byName, "Team operators")).toBe("Team operators");
    expect(existing("org", undefined)).toEqual([]);
  });
});

test("a second Check of a resource gives up its earlier claims, and those of others stay", () => {
  const claims = new Claims();
  claims.claim(byId, one);
  claims.claim(byName, two);
  claims.declares(one);
  expect([claims.declarerOf(byId), claims.declarerOf(byName)]).toEqual([undefined, two]);
  claims.claim(byId, "Team t1");
  claims.declares("Team t1");
  expect(claims.declarerOf(byId)).toBe("Team t1");
});

test("the program has the resources that Check has seen, until the operation ends", () => {
  const claims = new Claims();
  claims.declares(one);
  claims.declares("Team t1");
  claims.claim(byId, one);
  claims.holds(one);
  expect([one, two, "Team t1"].map((urn) => claims.isDeclared(urn))).toEqual([true, false, false]);
  claims.forget();
  expect(claims.isDeclared(one)).toBe(false);
  expect(claims.declarerOf(byId)).toBeUndefined();
  claims.claim(byId, one);
  expect(claims.declarerOf(byId, one)).toBeUndefined();
});

test("only a text that begins as a URN is one", () => {
  expect([isUrn(one), isUrn("Team urn:pulumi")]).toEqual([true, false]);
});

test.each(["diff", "create", "update"] as const)("%s begins to hold what Check has declared", (operation) => {
  const session = newSession();
  const request = { context: { session, urn: one } } as never;
  const resource = withClaimStages({
    check: () => ({ inputs: {}, failures: [] }),
    diff: () => [],
    create: async () => ({ id: "", state: {} }),
    update: async () => ({}),
    declares: () => [],
  } as unknown as Resource);
  const claims = session.of(Claims);
  resource.check(request);
  expect(claims.isDeclared(one)).toBe(true);
  claims.claim(byId, one);
  expect(claims.declarerOf(byId, one)).toBeUndefined();
  void resource[operation](request);
  expect(claims.declarerOf(byId, one)).toBe(one);
});
