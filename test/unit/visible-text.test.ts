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
  { what: "a line end", text: "a\r\nb", shown: "a\\u000d\\u000ab" },
  { what: "an escape sequence", text: "\u001b[31mred", shown: "\\u001b[31mred" },
  { what: "a control character of eight bits", text: "\u009b31m", shown: "\\u009b31m" },
  { what: "a change of direction", text: "admin\u202enimda", shown: "admin\\u202enimda" },
  { what: "characters without width", text: "ad\u200bmi\u00adn\ufeff", shown: "ad\\u200bmi\\u00adn\\ufeff" },
  { what: "separators of lines", text: "a\u2028b\u2029c", shown: "a\\u2028b\\u2029c" },
  { what: "half of a character", text: "a\ud83d", shown: "a\\ud83d" },
  { what: "a tag character, above FFFF", text: "a\u{e0041}b", shown: "a\\udb40\\udc41b" },
  { what: "a letter without a glyph", text: "a\u3164b", shown: "a\\u3164b" },
  { what: "no characters", text: "a\ufffe\u{1ffff}", shown: "a\\ufffe\\ud83f\\udfff" },
])("shows $what", ({ text, shown }) => {
  expect(visibleText(text)).toBe(shown);
  expect(visibleText(shown)).toBe(shown);
  expect(JSON.parse(`"${shown}"`)).toBe(text);
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
