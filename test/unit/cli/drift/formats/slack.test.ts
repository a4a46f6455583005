import { withEarlier } from "../../../../../cli/drift/previous";
import type { Report } from "../../../../../cli/drift/report/model";
import { finding, formatted, fullReport, manyFindings, report } from "../reports";

const slack = formatted("slack");

const messageOf = (content: Report) => JSON.parse(slack(content));
const textsIn = (message: { blocks: { text?: { text: string } }[] }) =>
  message.blocks.flatMap(({ text }) => text?.text ?? []);
const earlier = { report: report({ generatedAt: "2026-03-03T05:06:07.890Z", findings: [finding()] }) };

it("begins with what is new, and has the differences of each stack", () => {
  const message = messageOf(withEarlier(fullReport(), earlier));
  const [header, summary, ...texts] = textsIn(message);
  expect(header).toMatch(/^\d+ new/);
  expect(summary).toContain("since the report of 2026-03-03 05:06 UTC.");
  expect(texts.join("\n")).toContain("(new)");
  expect(message.text).toBe(header);
});

it("formats no text of the service and mentions no one", () => {
  const evil = "<!channel> *bold* :smile:";
  const message = messageOf(report({ findings: [finding({ name: evil, live: evil })] }));
  expect(textsIn(message).join("\n")).toContain(evil);
  expect(message.blocks.map(({ text }: { text?: object }) => text).filter(Boolean)).toEqual(
    expect.not.arrayContaining([expect.not.objectContaining({ type: "plain_text", emoji: false })]),
  );
});

it("counts what does not fit into a message", () => {
  const message = messageOf(manyFindings(1500));
  expect(message.blocks).toHaveLength(50);
  expect(textsIn(message).at(-1)).toMatch(/^\d+ more sections are only in the other formats\.$/);
});
