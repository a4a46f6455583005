import { formatNotice, parseNotice } from "../../provider/text/notices";

const placeId = "5f0000000000000000000001";
const invitationId = "5f0000000000000000000002";

it.each([
  { code: "unreadable", subject: "project", placeId },
  { code: "unreadable", subject: "tags", placeId },
  { code: "missing operation", subject: "people", placeId },
  { code: "missing operation", subject: "project" },
  { code: "unreadable", subject: "agent keys", placeId },
  { code: "unverified", subject: "invitation", placeId, invitationId },
] as const)("reads what it writes, whatever Pulumi and the sentence put around it: %j", (notice) => {
  const sentence = "403 of the service:\nyou may not [list] people.";
  const text = formatNotice(notice, sentence);
  expect(parseNotice(text)).toEqual({ ...notice, sentence });
  expect(parseNotice(`warning: [runtime] ${text}\n`)).toEqual({ ...notice, sentence });
});

it("is a notice without an id where the program keeps the id secret and redaction masked it", () => {
  const text = formatNotice({ code: "unreadable", subject: "people", placeId: "[secret]" }, "No right.");
  expect(parseNotice(text)).toEqual({
    code: "unreadable",
    subject: "people",
    sentence: "No right.",
  });
});

it.each(["unreadable", "[unreadable] The people cannot be read.", "[other] [project 1] text", ""])(
  "finds none in %j",
  (text) => {
    expect(parseNotice(text)).toBeUndefined();
  },
);
