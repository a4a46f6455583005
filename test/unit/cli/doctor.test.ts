/** Findings of `opsmanager doctor` that need no service. */
import type { DetailedPeerCertificate } from "node:tls";
import { describeChain } from "../../../cli/doctor/certificates";
import { checkNode, judgePulumi } from "../../../cli/doctor/environment";
import { asJson, asText, failed, named, ok, skipped, warning } from "../../../cli/doctor/results";
import { judgeClock, judgeVersion } from "../../../cli/doctor/service";

describe("the clocks", () => {
  const sent = Date.parse("2026-01-01T00:00:00Z");
  const judge = (there: string | undefined, roundTrip = 200) => judgeClock({ sent, roundTrip, date: there });

  test.each([
    [
      "agree within the error of the measurement",
      "Thu, 01 Jan 2026 00:00:00 GMT",
      200,
      "ok",
      "agree (± 0.6 s)",
    ],
    [
      "are reported as ahead",
      "Thu, 01 Jan 2026 00:00:10 GMT",
      200,
      "ok",
      "ahead of this machine's by 10.4 s ± 0.6 s",
    ],
    ["are warned of when far ahead", "Thu, 01 Jan 2026 00:10:00 GMT", 200, "warning", "ahead of"],
    [
      "are warned of when far behind",
      "Wed, 31 Dec 2025 23:50:00 GMT",
      200,
      "warning",
      "behind this machine's by 599.6 s",
    ],
    [
      "agree when a slow response allows no better measurement",
      "Thu, 01 Jan 2026 00:00:40 GMT",
      90_000,
      "ok",
      "agree (± 45.5 s)",
    ],
  ] as const)("%s", (_, date, roundTrip, outcome, text) => {
    expect(judge(date, roundTrip)).toMatchObject({ outcome, text: expect.stringContaining(text) });
  });

  test.each([undefined, "soon"])("cannot be compared by a Date of %s", (date) => {
    expect(judge(date).outcome).toBe("skipped");
  });
});

describe("a version", () => {
  test.each([
    ["8.0.5.100.20260101T0000Z", "ok", "Ops Manager 8.0.5 "],
    ["4.2.4.56729.20191105T2247Z", "warning", "has no invitations"],
    ["v20260101", "ok", "Cloud Manager v20260101"],
    [undefined, "warning", "No response names"],
  ])("of the service: %s", (version, outcome, text) => {
    expect(judgeVersion(version)).toMatchObject({ outcome, text: expect.stringContaining(text) });
  });

  test.each([
    ["22.19.0", "ok"],
    ["24.1.0", "ok"],
    ["22.9.0", "failed"],
    ["20.20.2", "failed"],
  ])("of Node.js: %s", (version, outcome) => {
    expect(checkNode(version).outcome).toBe(outcome);
  });

  test.each([
    ["v3.227.0\n", "ok"],
    ["v3.1000.0", "ok"],
    ["v3.99.0", "failed"],
    ["v2.300.0", "failed"],
    ["(devel)", "warning"],
  ])("of pulumi: %s", (text, outcome) => {
    expect(judgePulumi(text).outcome).toBe(outcome);
  });
});

describe("a chain of certificates", () => {
  const now = Date.parse("2026-06-01T00:00:00Z");
  const certificate = (CN: string, from: string, to: string): DetailedPeerCertificate =>
    ({
      subject: { CN },
      issuer: { CN: "Root" },
      valid_from: from,
      valid_to: to,
      fingerprint256: CN,
    }) as unknown as DetailedPeerCertificate;

  test.each([
    ["Jan  1 00:00:00 2026 GMT", "Jan  1 00:00:00 2027 GMT", "ok", "valid 2026-01-01 to 2027-01-01"],
    ["Jan  1 00:00:00 2026 GMT", "Jun 11 00:00:00 2026 GMT", "warning", "10 days are left"],
    ["Jan  1 00:00:00 2026 GMT", "May  1 00:00:00 2026 GMT", "warning", "it has expired"],
    ["Jan  1 00:00:00 2027 GMT", "Jan  1 00:00:00 2028 GMT", "warning", "not valid yet"],
  ])("valid from %s to %s", (from, to, outcome, text) => {
    const [finding] = describeChain(certificate("Service", from, to), undefined, now);
    expect(finding).toMatchObject({ outcome, text: expect.stringContaining(text) });
  });

  test("ends where a certificate is its own issuer, and its names cannot control a terminal", () => {
    const root = certificate("Root", "Jan  1 00:00:00 2026 GMT", "Jan  1 00:00:00 2030 GMT");
    root.issuerCertificate = root;
    const own = certificate("Evil\u001b[2J\nService", "Jan  1 00:00:00 2026 GMT", "Jan  1 00:00:00 2027 GMT");
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

  test("are printed as text by section, each with its solution below it", () => {
    expect(asText(findings, { hasColors: false })).toBe(
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
        "",
        "1 ok, 1 warning, 1 failed, 1 skipped",
        "",
      ].join("\n"),
    );
    // Titles are bold and outcomes colored only where the terminal supports them.
    expect(asText(findings, { hasColors: true })).toContain("\u001b[31mfailed");
  });

  test("share a line of the text if their text is the same, and the line names the checks", () => {
    const [none, advice] = ["Not checked, because the key can see no project.", "Give it a role."];
    const same = ["key.tags", "key.people", "key.invitations"].map((check) => named(check, skipped(none)));
    const others = [named("key.roles", warning(none)), named("key.creating", warning(none, advice))];
    const text = asText([...same, ...others], { hasColors: false });
    expect(text).toBe(
      [
        "API key",
        "  skipped  Not checked, because the key can see no project. (tags, people, invitations)",
        "  warning  Not checked, because the key can see no project.",
        "  warning  Not checked, because the key can see no project.",
        "           -> Give it a role.",
        "",
        "0 ok, 2 warnings, 0 failed, 3 skipped",
        "",
      ].join("\n"),
    );
  });

  test("are printed as JSON with counts and the worst outcome", () => {
    expect(JSON.parse(asJson(findings, "https://ops-manager.example.com"))).toEqual({
      schemaVersion: 1,
      address: "https://ops-manager.example.com",
      outcome: "failed",
      counts: { ok: 1, warning: 1, failed: 1, skipped: 1 },
      checks: findings.map(({ text, ...others }) => ({ ...others, says: text })),
    });
    expect(JSON.parse(asJson(findings.slice(0, 2), undefined))).toMatchObject({ outcome: "warning" });
  });
});
