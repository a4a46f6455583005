import { ObjectNames } from "../../provider/api/names";

const [projectId, orgId, teamId] = ["a", "b", "c"].map((digit) => digit.repeat(24)) as [
  string,
  string,
  string,
];

function names(): ObjectNames {
  const known = new ObjectNames();
  known.learn({ id: projectId, name: "payments" });
  known.learn({ id: orgId, name: "Example Bank" });
  return known;
}
const unmasked = (text: string) => text;

test.each([
  [`Reading project ${projectId} failed.`, `Reading project ${projectId} ("payments") failed.`],
  [`Organization ${orgId} has no team.`, `Organization ${orgId} ("Example Bank") has no team.`],
  [`project ${projectId} ("payments")`, `project ${projectId} ("payments")`],
  [`team ${teamId} and user ${projectId}`, `team ${teamId} and user ${projectId}`],
])("%s", (text, named) => {
  expect(names().maskedBy(unmasked, [])(text)).toBe(named);
});

test("a hidden character of a name is visible in messages", () => {
  const known = names();
  known.learn({ id: projectId, name: "pay\u202ements" });
  expect(known.maskedBy(unmasked, [])(`project ${projectId}`)).toBe(
    `project ${projectId} ("pay\\u202ements")`,
  );
});

test("a name that one operation keeps secret stays hidden in the messages of others", () => {
  const known = names();
  known.maskedBy(unmasked, ["payments"]);
  expect(known.maskedBy(unmasked, [])(`project ${projectId}`)).toBe(`project ${projectId}`);
});

test("the mark of a notice is unchanged", () => {
  const notice = `[unreadable] [project ${projectId}] It cannot be read.`;
  expect(names().maskedBy(unmasked, [])(notice)).toBe(notice);
});
