import {
  faultsOfGroup,
  faultsOfName,
  faultsOfUsername,
  faultsOfUsernamePattern,
} from "../../provider/text/names";
import { hasHidden } from "../../provider/text/visible-text";

const noAddress = "must be one email address, such as ada@example.com";

/** What no name may hold, by its code point. */
const hidden: readonly (readonly [string, string])[] = [
  ["U+0000", "\0"],
  ["U+0007", "\u0007"],
  ["U+000A", "\n"],
  ["U+0085", "\u0085"],
  ["U+009B", "\u009b"],
  ["U+00AD", "\u00ad"],
  ["U+034F", "\u034f"],
  ["U+061C", "\u061c"],
  ["U+115F", "\u115f"],
  ["U+180E", "\u180e"],
  ["U+200B", "\u200b"],
  ["U+200C", "\u200c"],
  ["U+200D", "\u200d"],
  ["U+200E", "\u200e"],
  ["U+200F", "\u200f"],
  ["U+2028", "\u2028"],
  ["U+2029", "\u2029"],
  ["U+202E", "\u202e"],
  ["U+2060", "\u2060"],
  ["U+2066", "\u2066"],
  ["U+3164", "\u3164"],
  ["U+D800", "\ud800"],
  ["U+FE0F", "\ufe0f"],
  ["U+FEFF", "\ufeff"],
  ["U+FFFE", "\ufffe"],
  ["U+E0041", "\u{e0041}"],
  ["U+E0101", "\u{e0101}"],
];

it.each(hidden)(
  "%s hides, in the name of anyone and anything, and is named with its position",
  (code, character) => {
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
  ["a joiner of Persian", "تیم\u200cها"],
  ["an abbreviation in Persian", "۱۴۰۵ ه\u200d"],
  ["joiners of Hindi", "क्\u200dष और क्\u200cष"],
  ["a joiner of Bengali", "র\u200d্যাব"],
  ["a joiner of Sinhala", "ශ්\u200dරී"],
  ["a joiner at an end, in Malayalam", "അവന്\u200d"],
  ["a variation of Mongolian", "ᠠ\u180b"],
  ["a variation of a Japanese name", "葛\u{e0100}城"],
  ["a family", "👩\u200d👩\u200d👧 team"],
  ["a profession with a color of skin", "👩🏽\u200d💻"],
  ["a heart", "❤\ufe0f"],
  ["a key of a telephone", "1\ufe0f\u20e3"],
  ["the flag of Wales", "🏴\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}"],
] as const;

it.each(written)("a name and an account may be written with %s, and a message shows it", (_, name) => {
  expect([faultsOfName(name), faultsOfGroup(name), faultsOfUsername(name)]).toEqual([[], [], []]);
  expect(hasHidden(name)).toBe(true);
});

it.each(written)("an address may not: %s", (_, name) => {
  expect(faultsOfUsername(`${name}@example.com`)[0]).toMatch(/^must not hold hidden characters: U\+/);
});

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
  "first.@example.com",
  '"q q"@example.com',
  "host/db.example.com@EXAMPLE.COM",
  "zoë@exämple.com",
  "ユーザー@例え.テスト",
  "ada@localhost",
  "ada@[192.0.2.1]",
  "ada@[IPv6:2001:db8::1]",
])("%s is an address", (name) => {
  expect(faultsOfUsername(name)).toEqual([]);
});

it.each([
  "@example.com",
  "ada@",
  "ada@@example.com",
  "ada@example.com@example.org",
  "ada@example..com",
  "ada@example.com.",
  "ada@.example.com",
  "ada@-example.com",
  "mailto:ada@example.com",
  "MAILTO:ada@example.com",
  "ada@example.com?subject=hello",
  "Ada <ada@example.com>",
  "<ada@example.com>",
  "(ada@example.com)",
  "[ada@example.com](mailto:ada@example.com)",
  '"ada@example.com"',
  "'ada@example.com'",
  "`ada@example.com`",
  "“ada@example.com”",
  "«ada@example.com»",
  "ada@example.com, bob@example.com",
  "ada@example.com;bob@example.com",
  "ada lovelace@example.com",
  "ada\u00a0lovelace@example.com",
  "ada＠example.com",
  "ada﹫example.com",
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
