/** The HTML report as a browser shows it. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { withEarlier } from "../../../cli/drift/previous";
import type { Report } from "../../../cli/drift/report/model";
import { type Browser, browserProblem, openBrowser } from "../../../scripts/lib/browser.mjs";
import { describeIf, itIf } from "../../support";
import { judgesProblem } from "../../support/formats";
import { axeFindings } from "../../support/formats/browser";
import {
  everything,
  finding,
  formatted,
  report,
  unmanaged,
  unowned,
  unownedProject,
} from "../../unit/cli/drift/reports";

/** Names and values that would be markup, a script, or the end of the page's own script. */
const HOSTILE = [
  "<script>document.title = 'broken'</script>",
  "</script><script>document.title = 'broken'</script>",
  "</style><img src=x onerror=\"document.title='broken'\">",
  '"><svg onload="document.title=`broken`">',
  "' autofocus onfocus='document.title=1",
  "<!-- --> ]]> &lt;b&gt; &amp;",
  "\u0000\u0007\u001b[2J\r\nline",
  "\u202egnp.exe\u202c \u2066x\u2069 \u200b\ud800",
];

function hostileReport(): Report {
  const findings = HOSTILE.map((text) =>
    finding({ stack: text, name: text, id: text, property: text, declared: text, live: { [text]: [text] } }),
  );
  return report({
    stacks: HOSTILE.map((stack) => ({ stack, project: stack, resources: 1 })),
    findings: [...findings, ...findings.map((each) => ({ ...each, ignored: { reason: each.name } }))],
    unreadable: HOSTILE.map((text) => ({ what: text, reason: text, stack: text })),
    unmanaged: {
      ...unmanaged,
      rows: HOSTILE.flatMap((text) => {
        const facts = { place: { name: text, id: text }, orgId: text, roles: [text] };
        return [
          unownedProject(text),
          unowned("people", text, { ...facts, status: "active" }),
          unowned("people", text, { ...facts, status: "indirect" }),
          ...(["teams", "teamPeople"] as const).map((kind) => unowned(kind, text, facts)),
        ];
      }),
    },
  });
}

describeIf(browserProblem() === "", browserProblem())("in a browser", () => {
  let browser: Browser;
  let folder = "";
  const problems: string[] = [];
  const pages: Page[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "opsmanager-drift-html-"));
    browser = await openBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  afterEach(async () => {
    await Promise.all(pages.splice(0).map((page) => page.close()));
    expect(problems.splice(0)).toEqual([]);
  });

  async function open(of: Report, options: Parameters<Browser["newPage"]>[0] = {}): Promise<Page> {
    const file = join(folder, "report.html");
    writeFileSync(file, formatted("html")(of));
    const page = await browser.newPage(options);
    pages.push(page);
    page.on("console", (message) => problems.push(message.text()));
    page.on("pageerror", ({ message }) => problems.push(message));
    page.on("request", (request) => {
      if (request.url() !== pathToFileURL(file).href && !request.url().startsWith("data:"))
        problems.push(`request: ${request.url()}`);
    });
    await page.goto(pathToFileURL(file).href);
    return page;
  }

  const textsOf = (page: Page, selector: string) =>
    page.evaluate<string[]>(`[...document.querySelectorAll("${selector}")].map((each) => each.textContent)`);

  it("shows hostile text as text", async () => {
    const page = await open(hostileReport());
    expect(await page.evaluate("document.title")).toMatch(/^Not determined: 8 entries;/);
    expect(await page.evaluate("document.scripts.length")).toBe(0);
    expect(await textsOf(page, "img, main svg[onload], [onfocus]")).toEqual([]);
    const names = await textsOf(page, "h3 > bdi");
    expect(names).toEqual(expect.arrayContaining(HOSTILE.slice(0, 6)));
    expect(names).toContain("\\u0000\\u0007\\u001b[2J\\u000d\\u000aline");
    expect(names).toContain("\\u202egnp.exe\\u202c \\u2066x\\u2069 \\u200b\\ud800");
  });

  /** Colors do not depend on the width, and a printed page has the light ones. */
  itIf(judgesProblem() === "", judgesProblem())(
    "has no findings of axe in either color scheme, wide, narrow and printed",
    async () => {
      const page = await open(everything(), { bypassCSP: true });
      for (const [colorScheme, media, width] of [
        ["light", "screen", 1280],
        ["dark", "screen", 390],
        ["dark", "print", 1280],
      ] as const) {
        await page.emulateMedia({ colorScheme, media });
        await page.setViewportSize({ width, height: 844 });
        const findings = await axeFindings(page);
        const isWider = await page.evaluate(`document.documentElement.scrollWidth > ${width}`);
        expect([colorScheme, media, width, findings, isWider]).toEqual([
          colorScheme,
          media,
          width,
          [],
          false,
        ]);
      }
    },
  );

  it("begins with the differences, and folds long values except on paper", async () => {
    const page = await open(everything());
    expect(await page.evaluate("document.querySelector('.managed').getBoundingClientRect().width > 0")).toBe(
      true,
    );
    expect(await textsOf(page, "main section > h2")).toEqual([
      "Stack prod 4 differences",
      "Stack test | `x` 1 difference",
      "Could not be determined 2",
      "Projects that no resource owns 1",
      "Project memberships that no resource owns 1",
      "Access only through a team or the organization, which a project cannot manage 1 person",
      "Ignored, with the reason 4",
    ]);
    expect(await textsOf(page, ".entry")).toHaveLength(14);

    const before = report({ generatedAt: "2026-03-03T05:06:07.890Z", findings: [finding()] });
    const compared = await open(withEarlier(report(), { report: before }));
    expect(await textsOf(compared, "main section > h2")).toEqual(["Resolved 1"]);

    const long = await open(report({ findings: [finding({ live: "x".repeat(2_000) })] }));
    const height = () =>
      long.evaluate<number>("document.querySelector('.entry details').getBoundingClientRect().height");
    expect(await height()).toBeLessThan(60);
    await long.emulateMedia({ media: "print" });
    expect(await height()).toBeGreaterThan(60);
  });
});
