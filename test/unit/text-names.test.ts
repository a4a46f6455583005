import {
  faultsOfGroup,
  faultsOfName,
  faultsOfUsername,
  faultsOfUsernamePattern,
} from "../../provider/text/names";
import { hasHidden } from "../../provider/text/visible-text";

const noAddress = "must be one email address, such as ada@example.com";

/** What no name may hold: controls, marks of direction, what has no width or no glyph, halves of characters, tags. */
const hidden = [
  ..."\0\u0007\n\u0085\u009b\u00ad\u034f\u061c\u115f\u180e\u200b\u200c\u200d\u200e\u200f\u2028",
  ..."\u2029\u202e\u2060\u2066\u3164\ud800\ufe0f\ufeff\ufffe\u{e0041}\u{e0101}",
].map((character) => {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return { character, code: `U+${code}` };
});

it.each(hidden)(
  "$code hides, in the name of anyone and anything, and is named with its position",
  ({ character, code }) => {
    const fault = [`must not hold hidden characters: ${code} at position 4`];
    const address = `ada${character}@example.com`;
    expect(faultsOfName(`ada${character}x`)).toEqual(fault);
    expect(faultsOfGroup(`cn=${character}x`)).toEqual(fault);
    expect(faultsOfUsername(`ada${character}x`)).toEqual(fault);
    expect(faultsOfUsername(address)).toEqual(fault);
    expect(faultsOfUsernamePattern(`ad*${character}@*.com`)).toEqual(fault);
    expect(hasHidden(address)).toBe(true);
  },
);

it("names each hidden character once, where it is first, in characters and not in halves of them", () => {
  expect(faultsOfName("🎉\u200b\u200b\u202ex\u200b")).toEqual([
    "must not hold hidden characters: U+200B at position 2, U+202E at position 4",
  ]);
});

/** Scripts and emoji need these: each joins or varies what is beside it. */
const written = [
  { what: "a joiner of Persian", name: "تیم\u200cها" },
  { what: "an abbreviation in Persian", name: "۱۴۰۵ ه\u200d" },
  { what: "joiners of Hindi", name: "क्\u200dष और क्\u200cष" },
  { what: "a joiner of Bengali", name: "র\u200d্যাব" },
  { what: "a joiner of Sinhala", name: "ශ්\u200dරී" },
  { what: "a joiner at an end, in Malayalam", name: "അവന്\u200d" },
  { what: "a variation of Mongolian", name: "ᠠ\u180b" },
  { what: "a variation of a Japanese name", name: "葛\u{e0100}城" },
  { what: "a profession with a color of skin", name: "👩🏽\u200d💻" },
  { what: "a heart", name: "❤\ufe0f" },
  { what: "a key of a telephone", name: "1\ufe0f\u20e3" },
  { what: "the flag of Wales", name: "🏴\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}" },
];

it.each(written)(
  "a name may be written with $what, an address may not, and a message shows it",
  ({ name }) => {
    expect([faultsOfName(name), faultsOfGroup(name), faultsOfUsername(name)]).toEqual([[], [], []]);
    expect(hasHidden(name)).toBe(true);
    expect(faultsOfUsername(`${name}@example.com`)[0]).toMatch(/^must not hold hidden characters: U\+/);
  },
);

it.each([
  ["x\u200dy", "U+200D at position 2"],
  ["تیم\u200c", "U+200C at position 4"],
  ["👩\u200d", "U+200D at position 2"],
  ["a\u{e0100}", "U+E0100 at position 2"],
  ["1\ufe0f", "U+FE0F at position 2"],
  ["🏴\u{e0067}\u{e0062}\u{e007f}", "U+E0067 at position 2, U+E0062 at position 3, U+E007F at position 4"],
])("%j joins or varies nothing", (name, places) => {
  expect(faultsOfName(name)).toEqual([`must not hold hidden characters: ${places}`]);
});

it.each([
  "ada@example.com",
  "Ada.Lovelace+pulumi@sub.example.co.uk",
  "o'neil@example.com",
  '"q q"@example.com',
  "host/db.example.com@EXAMPLE.COM",
  "zoë@exämple.com",
  "ada@localhost",
  "ada@[192.0.2.1]",
  "ada@[IPv6:2001:db8::1]",
])("%s is an address", (name) => {
  expect(faultsOfUsername(name)).toEqual([]);
});

it.each([
  "@example.com",
  "ada@",
  "ada@example.com@example.org",
  "ada@example..com",
  "ada@example.com.",
  "ada@-example.com",
  "mailto:ada@example.com",
  "ada@example.com?subject=hello",
  "Ada <ada@example.com>",
  "(ada@example.com)",
  '"ada@example.com"',
  "“ada@example.com”",
  "ada@example.com, bob@example.com",
  "ada lovelace@example.com",
  "ada＠example.com",
  "ada@example．com",
  "ａda@example.com",
  "𝐚da@example.com",
])("%s is no address", (name) => {
  expect(faultsOfUsername(name)).toEqual([noAddress]);
});

it.each([
  ["ada@example.com ", ["must not begin or end with blanks"]],
  [
    "\u00a0ada",
    ["must not begin or end with blanks", "must not hold blanks other than U+0020: U+00A0 at position 1"],
  ],
  ["ada\u00a0lovelace", ["must not hold blanks other than U+0020: U+00A0 at position 4"]],
  ["ada\u2009lovelace", ["must not hold blanks other than U+0020: U+2009 at position 4"]],
  ["ada lovelace", []],
  ["山田\u3000太郎", []],
  ["CORP\\ada", []],
  ["uid=ada,ou=people,dc=example,dc=com", []],
  ["__proto__", []],
])("the blanks of the account %j", (name, faults) => {
  expect(faultsOfUsername(name)).toEqual(faults);
});

it("a blank that looks like another one is part of a name, but not of a group's: its text decides who has access", () => {
  expect(faultsOfName("Équipe\u00a0: Paiements")).toEqual([]);
  expect(faultsOfGroup("cn=core\u00a0team,dc=example,dc=com")).toEqual([
    "must not hold blanks other than U+0020: U+00A0 at position 8",
  ]);
});

it.each(["*", "svc-*", "svc-?@example.com", "*@*.example.com", "*@example.*", "robot *"])(
  "%s is a pattern of people",
  (pattern) => {
    expect(faultsOfUsernamePattern(pattern)).toEqual([]);
  },
);

it.each([
  "mailto:*@example.com",
  "'*@example.com'",
  "svc-[0-9]@example.com",
  "{ada,bob}@example.com",
  "*＠example.com",
])("%s is a pattern that matches no address", (pattern) => {
  expect(faultsOfUsernamePattern(pattern)).toEqual([noAddress]);
});
