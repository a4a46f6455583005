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

test.each([
  {
    text: `Reading project ${projectId} failed.`,
    named: `Reading project ${projectId} ("payments") failed.`,
  },
  {
    text: `Organization ${orgId} has no team.`,
    named: `Organization ${orgId} ("Example Bank") has no team.`,
  },
  { text: `project ${projectId} ("payments")` },
  { text: `team ${teamId} and user ${projectId}` },
  // The mark of a notice is unchanged.
  { text: `[unreadable] [project ${projectId}] It cannot be read.` },
])("$text", ({ text, named = text }) => {
  expect(names().inText(text)).toBe(named);
});

test("a hidden character of a name is visible in messages", () => {
  const known = names();
  known.learn({ id: projectId, name: "pay\u202ements" });
  expect(known.inText(`project ${projectId}`)).toBe(`project ${projectId} ("pay\\u202ements")`);
});

test("a name that one operation keeps secret stays hidden in the messages of others", () => {
  const known = names();
  known.hide(["payments"]);
  expect(known.inText(`project ${projectId}`)).toBe(`project ${projectId}`);
});
