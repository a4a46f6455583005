import { asDeclared, unlistedInTeam } from "../../../../provider/resources/team/plan";

const [ada, grace, linus] = ["ada@example.com", "grace@example.com", "linus@example.com"] as const;
const person = (userId: string, username: string, declared: boolean, declaredAs?: string) => ({
  userId,
  username,
  declared,
  declaredAs,
});

test("the people who stay in a team without being listed are named with what to do; without them, there is no message", () => {
  expect(unlistedInTeam("operators", [])).toBeUndefined();
  expect(unlistedInTeam("operators", [person("u1", ada, false), person("u2", grace, false)])).toBe(
    `People of team "operators" who are not listed stay in it: ${ada}, ${grace}. To manage them, list them in usernames. To remove them, set removeUnlisted to true.`,
  );
});

test("after an update of a team, a person is declared if the program lists them, or if their removal failed", () => {
  const people = [
    person("u1", "ada.l@example.com", false),
    person("u2", grace, false),
    person("u3", linus, true),
    person("u4", "eve@example.com", true, "eva@example.com"),
  ];
  const named = new Map([
    [ada, person("u1", "ada.l@example.com", false)],
    [grace.toUpperCase(), person("u2", grace, false)],
  ]);
  const removals = [person("u4", "eve@example.com", true, "eva@example.com")];
  expect(asDeclared(people, { named, removals })).toEqual([
    person("u1", "ada.l@example.com", true, ada),
    person("u2", grace, true),
    person("u3", linus, false),
    person("u4", "eve@example.com", true, "eva@example.com"),
  ]);
});
