/** Findings of `opsmanager doctor` that need no service. */
import type { DetailedPeerCertificate } from "node:tls";
import { describeChain } from "../../../cli/doctor/certificates";
import { checkNode, judgePulumi } from "../../../cli/doctor/environment";
import { asText, failed, named, ok, skipped, warning } from "../../../cli/doctor/results";
import { judgeClock, judgeVersion } from "../../../cli/doctor/service";

it.each([
  { date: "Thu, 01 Jan 2026 00:00:00 GMT", outcome: "ok", text: "agree (± 0.6 s)" },
  {
    date: "Thu, 01 Jan 2026 00:00:10 GMT",
    outcome: "ok",
    text: "ahead of this machine's by 10.4 s ± 0.6 s",
  },
  { date: "Thu, 01 Jan 2026 00:10:00 GMT", outcome: "warning", text: "ahead of" },
  { date: "Wed, 31 Dec 2025 23:50:00 GMT", outcome: "warning", text: "behind this machine's by 599.6 s" },
  // A slow response allows no better measurement.
  { date: "Thu, 01 Jan 2026 00:00:40 GMT", roundTrip: 90_000, outcome: "ok", text: "agree (± 45.5 s)" },
  { date: undefined, outcome: "skipped", text: "" },
])("a clock that shows $date: $outcome $text", ({ date, roundTrip = 200, outcome, text }) => {
  const sent = Date.parse("2026-01-01T00:00:00Z");
  expect(judgeClock({ sent, roundTrip, date })).toMatchObject({
    outcome,
    text: expect.stringContaining(text),
  });
});

it.each([
  { found: judgeVersion("8.0.5.100.20260101T0000Z"), outcome: "ok", text: "Ops Manager 8.0.5 " },
  { found: judgeVersion("4.2.4.56729.20191105T2247Z"), outcome: "warning", text: "has no invitations" },
  { found: judgeVersion("v20260101"), outcome: "ok", text: "Cloud Manager v20260101" },
  { found: checkNode("22.19.0"), outcome: "ok", text: "22.19.0" },
  { found: checkNode("22.9.0"), outcome: "failed", text: "22.9.0" },
  { found: judgePulumi("v3.1000.0"), outcome: "ok", text: "3.1000.0" },
  { found: judgePulumi("v3.99.0"), outcome: "failed", text: "3.99.0" },
  { found: judgePulumi("v2.300.0"), outcome: "failed", text: "2.300.0" },
  { found: judgePulumi("(devel)"), outcome: "warning", text: "no version" },
])("a version of the service, of Node.js or of pulumi: $found.text", ({ found, outcome, text }) => {
  expect(found).toMatchObject({ outcome, text: expect.stringContaining(text) });
});

describe("a chain of certificates", () => {
  const now = Date.parse("2026-06-01T00:00:00Z");
  const certificate = (CN: string, from: string, to: string): DetailedPeerCertificate =>
    ({
      subject: { CN },
      issuer: { CN: "Root" },
      valid_from: from.replace(/ (\d{4})$/, " 00:00:00 $1 GMT"),
      valid_to: to.replace(/ (\d{4})$/, " 00:00:00 $1 GMT"),
      fingerprint256: CN,
    }) as unknown as DetailedPeerCertificate;

  it.each([
    { from: "Jan  1 2026", to: "Jan  1 2027", outcome: "ok", text: "valid 2026-01-01 to 2027-01-01" },
    { from: "Jan  1 2026", to: "Jun 11 2026", outcome: "warning", text: "10 days are left" },
    { from: "Jan  1 2026", to: "May  1 2026", outcome: "warning", text: "it has expired" },
    { from: "Jan  1 2027", to: "Jan  1 2028", outcome: "warning", text: "not valid yet" },
  ])("valid from $from to $to: $outcome $text", ({ from, to, outcome, text }) => {
    const [found] = describeChain(certificate("Service", from, to), undefined, now);
    expect(found).toMatchObject({ outcome, text: expect.stringContaining(text) });
  });

  test("ends where a certificate is its own issuer, and its names cannot control a terminal", () => {
    const root = certificate("Root", "Jan  1 2026", "Jan  1 2030");
    root.issuerCertificate = root;
    const own = certificate("Evil\u001b[2J\nService", "Jan  1 2026", "Jan  1 2027");
    own.issuerCertificate = root;
    const findings = describeChain(own, undefined, now);
    expect(findings.map(({ text }) => text.split(",")[0])).toEqual([
      "Evil\\u001b[2J Service",
      "Root",
      "The chain ends at Root",
    ]);
  });
});

describe("findings", () => {
  const findings = [
    named("environment.node", ok("Node.js 24.1.0")),
    named("key.tags", warning("Tags are hidden.", "Give the key a role.")),
    named("connection.tls", failed("No handshake.", "Check the port.")),
    named("key.roles", skipped("Not checked.")),
  ];

  test("are printed as text by section, each with its solution below it, and those of one text in one line", () => {
    const none = "Not checked, because the key can see no project.";
    const same = ["key.people", "key.invitations"].map((check) => named(check, skipped(none)));
    const others = [
      ...same,
      named("key.roles", warning(none)),
      named("key.ip", warning(none, "Give it one.")),
    ];
    expect(asText([...findings, ...others], { hasColors: false })).toBe(
      [
        "Environment",
        "  ok       Node.js 24.1.0",
        "",
        "Connection",
        "  failed   No handshake.",
        "           -> Check the port.",
        "",
        "API key",
        "  warning  Tags are hidden.",
        "           -> Give the key a role.",
        "  skipped  Not checked.",
        `  skipped  ${none} (people, invitations)`,
        `  warning  ${none}`,
        `  warning  ${none}`,
        "           -> Give it one.",
        "",
        "1 ok, 3 warnings, 1 failed, 3 skipped",
        "",
      ].join("\n"),
    );
    // Titles are bold and outcomes colored only where the terminal supports them.
    expect(asText(findings, { hasColors: true })).toContain("\u001b[31mfailed");
  });
});
