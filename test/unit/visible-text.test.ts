import {
  ApiError,
  ConfigurationError,
  errorReport,
  PartialFailure,
  RefusedError,
} from "../../provider/text/errors";
import { inOneLine, visibleLines, visibleText } from "../../provider/text/visible-text";
import { createRedact } from "../../provider/transport/redact";

it.each([
  ["a line end", "a\r\nb", "a\\u000d\\u000ab"],
  ["an escape sequence", "\u001b[31mred", "\\u001b[31mred"],
  ["a control character of eight bits", "\u009b31m", "\\u009b31m"],
  ["a change of direction", "admin\u202enimda", "admin\\u202enimda"],
  ["a character without width", "ad\u200bmin\ufeff", "ad\\u200bmin\\ufeff"],
  ["a soft hyphen", "ad\u00admin", "ad\\u00admin"],
  ["a separator of lines or paragraphs", "a\u2028b\u2029c", "a\\u2028b\\u2029c"],
  ["half of a character", "a\ud83d", "a\\ud83d"],
  ["a tag character, above FFFF", "a\u{e0041}b", "a\\udb40\\udc41b"],
  ["a letter without a glyph", "a\u3164b", "a\\u3164b"],
  ["a code point that is no character", "a\ufffe\u{1ffff}", "a\\ufffe\\ud83f\\udfff"],
])("shows %s", (_, text, expected) => {
  expect(visibleText(text)).toBe(expected);
  expect(visibleText(expected)).toBe(expected);
  expect(JSON.parse(`"${expected}"`)).toBe(text);
});

it("leaves text that can be seen unchanged", () => {
  const text = "Zoë's 项目 🎉 \\n ~~~ `x` | ::error:: مشروع";
  expect(visibleText(text)).toBe(text);
});

it("keeps the line ends of a list, and nothing else that hides", () => {
  expect(visibleLines("two faults:\n - a\u200b\n - b\r")).toBe("two faults:\n - a\\u200b\n - b\\u000d");
});

it("quotes a sentence of others in one line", () => {
  expect(inOneLine(" No\r\n  server\tthere\u001b[0m\u2028now. ")).toBe("No server there\\u001b[0m now.");
});

describe("an error text", () => {
  const name = "pay\nments\u001b[2J\u202e";
  const shown = "pay\\u000aments\\u001b[2J\\u202e";

  it.each([
    ["a refusal", new RefusedError(`Project ${name} is deleted.`)],
    ["an error response", new ApiError(`Project ${name} is deleted.`, { status: 404 })],
    ["an operation that did not finish", new PartialFailure("1", {}, [`Project ${name} is deleted.`])],
  ])("stays in one line and shows what hides in a name: %s", (_, error) => {
    expect(errorReport(error)).toBe(`Project ${shown} is deleted.`);
    if (error instanceof PartialFailure) expect(error.reasons).toEqual([`Project ${shown} is deleted.`]);
  });

  it("has a line for each entry of a list, whatever it holds", () => {
    expect(new ConfigurationError(["Two faults:", ` - ${name}`, " - b"]).message).toBe(
      `Two faults:\n - ${shown}\n - b`,
    );
  });

  it("has the lines of the stack, and no others, for a fault of the provider", () => {
    const [first, second, third, ...calls] = errorReport(new TypeError(name)).split("\n");
    expect([first, second, third]).toEqual([
      shown,
      "This is a fault of the provider, please report it with these lines:",
      `TypeError: ${shown}`,
    ]);
    expect(calls.length).toBeGreaterThan(0);
    for (const line of calls) expect(line).toMatch(/^ +at /);
  });

  it("holds no secret, though its hidden characters are shown by then", () => {
    const secret = "first\nsecond\u200bthird";
    const { message } = new RefusedError(`key ${secret} and ${JSON.stringify({ secret })}`);
    expect(createRedact([secret])(message)).toBe('key [secret] and {"secret":"[secret]"}');
  });
});
