import { withEarlier } from "../../../../../cli/drift/previous";
import type { Report } from "../../../../../cli/drift/report/model";
import { describeIf } from "../../../../support";
import { pythonPackage, runPython } from "../../../../support/formats/python-package";
import { finding, formatted, fullReport, report } from "../reports";

const slack = formatted("slack");

const messageOf = (content: Report) => JSON.parse(slack(content));
const textsIn = (message: { blocks: { text?: { text: string } }[] }) =>
  message.blocks.flatMap(({ text }) => text?.text ?? []);
const earlier = { report: report({ generatedAt: "2026-03-03T05:06:07.890Z", findings: [finding()] }) };
const many = report({
  findings: Array.from({ length: 1500 }, (_, index) =>
    finding({ name: `project-${index}`, urn: `${finding().urn}${index}`, live: "x".repeat(100) }),
  ),
});

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
  const message = messageOf(many);
  expect(message.blocks).toHaveLength(50);
  expect(textsIn(message).at(-1)).toMatch(/^\d+ more sections are only in the other formats\.$/);
});

const sdk = pythonPackage("slack-sdk==3.48.0");
describeIf(sdk.missing === "", sdk.missing)("as the SDK of Slack checks it", () => {
  const program =
    "import sys, json\nfrom slack_sdk.models.blocks import Block\n" +
    "blocks = Block.parse_all(json.load(sys.stdin)['blocks'])\n" +
    "[block.validate_json() for block in blocks]\nprint(len(blocks))";
  const check = (input: string) => Number(runPython(sdk, program, input));

  it("is valid Block Kit, also if there is too much for one message, and a header that is too long is not", () => {
    for (const content of [fullReport(), withEarlier(fullReport(), earlier), many]) {
      expect(check(slack(content))).toBe(messageOf(content).blocks.length);
    }
    const header = { type: "header", text: { type: "plain_text", text: "x".repeat(151) } };
    expect(() => check(JSON.stringify({ blocks: [header] }))).toThrow("cannot exceed 150 characters");
  });
});
