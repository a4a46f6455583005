import { resourceNamed } from "../../../../provider/resources";
import { type Properties, UNKNOWN } from "../../../../provider/resources/contract/values";
import { newSession, urnOf } from "../checker";

const orgId = "5f00000000000000000000b1";
const id = "5f00000000000000000000c1";
const [ada, grace, linus] = ["ada@example.com", "grace@example.com", "linus@example.com"] as const;

const inputs = { orgId, name: "operators", usernames: [ada] };
const people = [
  { userId: "u1", username: "ada.l@example.com", declared: true, declaredAs: ada },
  { userId: "u2", username: grace, declared: false },
  { userId: "u3", username: linus, declared: true },
];

interface Circumstances {
  readonly change?: Properties;
  readonly ignoreChanges?: readonly string[];
  /** Whether the program of this run declares the team. */
  readonly isChecked?: boolean;
}

function unlisted({ change = {}, ignoreChanges = [], isChecked = true }: Circumstances) {
  const { check, unlisted: messageOf } = resourceNamed("Team");
  const log = { info: () => undefined, warn: () => undefined };
  const context = { session: newSession(), urn: urnOf("Team", "operators"), log };
  if (isChecked) check({ inputs, context });
  return messageOf?.({
    id: `${orgId}/${id}`,
    state: { ...inputs, name: "admins", teamId: id, people, origin: "created" },
    oldInputs: inputs,
    inputs: { ...inputs, ...change },
    ignoreChanges,
    context,
  });
}

const message = (names: string) =>
  `[undeclared] [organization ${orgId}] People of team "admins" who are not listed stay in it: ${names}. To manage them, list them in usernames. To remove them, set removeUnlisted to true.`;

test.each<[string, Circumstances, string | undefined]>([
  ["people whom the program neither lists nor ever declared", {}, message(grace)],
  ["no one whom it lists by the name of now", { change: { usernames: [grace, ada] } }, undefined],
  ["no one if it removes them", { change: { removeUnlisted: true } }, undefined],
  ["people whom it does not remove", { change: { removeUnlisted: false } }, message(grace)],
  [
    "people if it is not known whether it removes them",
    { change: { removeUnlisted: UNKNOWN } },
    message(grace),
  ],
  ["no one if its list is not known", { change: { usernames: UNKNOWN } }, undefined],
  ["no one if one name is not known", { change: { usernames: [ada, UNKNOWN] } }, undefined],
  ["no one if ignoreChanges names the list", { ignoreChanges: ["usernames"] }, undefined],
  ["people if ignoreChanges names the name of the team", { ignoreChanges: ["name"] }, message(grace)],
  ["no one of a team that another organization's team replaces", { change: { orgId: id } }, undefined],
  ["no one in a refresh, which has no program", { isChecked: false }, undefined],
])("the message about people who stay in a team names %s", (_, circumstances, expected) => {
  expect(unlisted(circumstances)).toBe(expected);
});
