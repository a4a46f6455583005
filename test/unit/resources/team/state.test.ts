import { observationOf, toTeamState } from "../../../../provider/resources/team/state";

const orgId = "5f00000000000000000000b1";
const teamId = "5f00000000000000000000c1";
const [ada, grace, linus] = ["ada@example.com", "grace@example.com", "linus@example.com"] as const;

const person = (userId: string, username: string, declared: boolean, declaredAs?: string) => ({
  userId,
  username,
  declared,
  ...(declaredAs !== undefined && { declaredAs }),
});

const team = { orgId, teamId, name: "operators", origin: "created" } as const;
const people = [
  person("u2", grace, true),
  person("u1", "ada.l@example.com", true, ada),
  person("u3", linus, false),
  // The account that has the former name of a declared one.
  person("u4", "Ada@example.com", false),
];

test.each([
  ["the declared people, by the names of the program", {}, [ada, grace]],
  [
    "also all others with removeUnlisted, without an account of a declared name",
    { removeUnlisted: true },
    [ada, grace, linus],
  ],
  [
    "the names as the program spells them",
    { usernames: ["GRACE@example.com", "Ada@Example.com"] },
    ["Ada@Example.com", "GRACE@example.com"],
  ],
])("the usernames of a team are %s", (_, inputs, usernames) => {
  expect(toTeamState({ ...team, people }, inputs)).toEqual({
    ...team,
    people,
    usernames,
    maxRemovals: 5,
    removeUnlisted: false,
    onDestroy: "delete",
    ...("removeUnlisted" in inputs && inputs),
  });
});

test.each([
  ["created", {}, "delete"],
  ["adopted", {}, "release"],
  ["imported", {}, "release"],
  ["created", { onDestroy: "release" }, "release"],
  ["adopted", { onDestroy: "delete" }, "delete"],
] as const)(
  "a team that was %s with %j has the effect %s of destroying in its state",
  (origin, inputs, effect) => {
    expect(toTeamState({ ...team, people, origin }, { maxRemovals: 1, ...inputs })).toMatchObject({
      onDestroy: effect,
      maxRemovals: 1,
    });
  },
);

test("a replacement knows the origin of a team, and the people as they were recorded", () => {
  expect(observationOf(toTeamState({ ...team, people }, {}))).toEqual({
    kind: "Team",
    id: `${orgId}/${teamId}`,
    origin: "created",
    names: [],
    recorded: people,
  });
});
