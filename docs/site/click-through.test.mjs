/** Reads the built site as a person does: in a browser, page by page. Run by `npm run docs:test`. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, describe, it } from "node:test";
import { browserProblem, openBrowser } from "../../scripts/lib/browser.mjs";
import { inRepository } from "../../scripts/lib/repository.mjs";
import { generatedFolder, sidebar, sitePages } from "./contents.mjs";

const screenshots = inRepository("docs", generatedFolder, "screenshots");
const missing = browserProblem();

const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };

/** Pages with their first headings. The first page has a hero instead. */
const headings = new Map(
  [...sitePages()]
    .filter(([source]) => source !== "README.md")
    .map(([source, page]) => [page, /^# (.+)$/m.exec(readFileSync(inRepository(source), "utf8"))?.[1] ?? ""]),
);

describe(`the documentation site${missing ? ` (skipped: ${missing})` : ""}`, {
  skip: missing !== "",
}, () => {
  /** @type {import("../../scripts/lib/browser.mjs").Browser} */
  let browser;
  /** @type {import("playwright-core").Page} */
  let page;
  /** @type {{ address: string, close: () => Promise<void> }} */
  let server;
  /** @type {string[]} */
  const problems = [];

  before(async () => {
    mkdirSync(screenshots, { recursive: true });
    const { serveSite } = await import("./build.mjs");
    server = await serveSite();
    browser = await openBrowser();
    page = await browser.newPage({ viewport: desktop, colorScheme: "light" });
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("requestfailed", (request) => {
      const error = request.failure()?.errorText;
      // The site fetches pages ahead, and a click on another link gives that up.
      if (error !== "net::ERR_ABORTED") problems.push(`${request.url()}: ${error}`);
    });
    page.on("response", (response) => {
      if (response.status() >= 400) problems.push(`${response.url()}: ${response.status()}`);
    });
    page.on("request", (request) => {
      if (!/^(data:|blob:)/.test(request.url()) && !request.url().startsWith(server.address))
        problems.push(`${request.url()}: not of this site`);
    });
  });

  after(async () => {
    await browser?.close();
    await server?.close();
  });

  afterEach(() => {
    assert.deepEqual(problems.splice(0), [], "console errors and failed requests");
  });

  it("begins with the facts, the picture, the installation and the program of README.md", async () => {
    await open("");
    await shows("h1", "pulumi-opsmanager");
    const picture = page.locator(".VPHome img").first();
    assert.ok(
      await picture.evaluate((/** @type {HTMLImageElement} */ image) =>
        image.decode().then(() => image.naturalWidth > 0),
      ),
    );
    await page.getByRole("heading", { name: "Install" }).waitFor();
    await page.getByText("new opsmanager.ProjectMembers(").first().waitFor();
    await screenshot("home");
  });

  it("shows each page with its heading when its link in the sidebar is clicked", async () => {
    await open("");
    await page.getByRole("link", { name: "Get started", exact: true }).first().click();
    const links = sidebar()
      .flatMap(({ items }) => items.map(({ link }) => link))
      .filter((link) => link.startsWith("/"));
    const pageOf = (/** @type {string} */ link) => link.slice(1).replace(/#.*/, "");
    assert.deepEqual([...new Set(links.map(pageOf))].sort(), [...headings.keys()].sort());
    for (const link of links) {
      await page.locator(`.VPSidebar a[href="${link.replace(".md", ".html")}"]`).click();
      await shows(".vp-doc h1", headings.get(pageOf(link)) ?? "");
    }
  });

  it("has the classes and functions of each entry point in the API reference", async () => {
    const entryPoints = {
      "pulumi-opsmanager": ["Project", "ProjectMember", "ProjectMembers", "Provider", "getProjects()"],
      "pulumi-opsmanager/access": ["owningRoles()", "OwningRight"],
      "pulumi-opsmanager/dynamic": ["Project", "ProjectMember", "ProjectMembers", "getProjects"],
      "pulumi-opsmanager/projects": ["AccessFolder", "FileSelection"],
      "pulumi-opsmanager/sandbox": ["startSandbox()", "SandboxOptions"],
    };
    await open("api/index.html");
    for (const [name, members] of Object.entries(entryPoints)) {
      await page.locator(".VPSidebar").getByRole("link", { name, exact: true }).click();
      await shows(".vp-doc h1", name);
      for (const member of members) await shows(".vp-doc h3", member);
    }
  });

  it("shows every example in the language that was last chosen, on every page", async () => {
    await open("resources/project.html");
    assert.deepEqual(await chosenLanguages(), new Set(["TypeScript"]));
    await screenshot("resources-project");
    await page.getByRole("tab", { name: "YAML", exact: true }).last().click();
    assert.deepEqual(await chosenLanguages(), new Set(["YAML"]));
    await page.getByText("type: opsmanager:Project").first().waitFor();
    await page.locator('.VPSidebar a[href="/functions.html"]').click();
    await shows(".vp-doc h1", "Functions");
    assert.deepEqual(await chosenLanguages(), new Set(["YAML"]));
    await open("resources/teams.html");
    await page.getByText("type: opsmanager:Team").first().waitFor();
    assert.deepEqual(await chosenLanguages(), new Set(["YAML"]));
    await page.getByRole("tab", { name: "TypeScript", exact: true }).first().click();
    assert.equal(await page.locator(".vp-doc details").count(), 0);
  });

  it("finds a setting by its name", async () => {
    await open("get-started.html");
    await page.locator(".VPNavBarSearch button").click();
    await page.locator("#localsearch-input").fill("maxRemovalsPerRun");
    await page.locator(".VPLocalSearchBox .result").filter({ hasText: "Settings" }).first().click();
    await shows(".vp-doc h1", "Settings");
  });

  it("finds each resource by the words of a user", async () => {
    const queries = {
      "create project": "Project",
      "invite user": "ProjectMember",
      "project members": "ProjectMembers",
      team: "Team and ProjectTeam",
      "api key": "ApiKey and ProjectApiKey",
      "agent key": "AgentApiKey",
      "organization user": "OrganizationMember",
      "ldap mapping": "Project",
    };
    await open("get-started.html");
    await page.locator(".VPNavBarSearch button").click();
    /** @type {Record<string, string[]>} */
    const found = {};
    for (const [query, heading] of Object.entries(queries)) {
      await page.locator("#localsearch-input").fill(query);
      await page.waitForTimeout(500);
      const results = await page.locator(".VPLocalSearchBox .result .titles").allInnerTexts();
      const pages = results.map((text) => text.replaceAll(/[#\n]+/g, " ").trim());
      if (!pages.slice(0, 5).some((text) => text.startsWith(heading))) found[query] = pages;
    }
    assert.deepEqual(found, {});
  });

  it("changes to dark and stays dark", async () => {
    await open("settings.html");
    assert.equal(await isDark(), false);
    await screenshot("settings");
    await page.locator(".VPNavBarAppearance .VPSwitchAppearance").click();
    assert.equal(await isDark(), true);
    await open("");
    assert.equal(await isDark(), true);
    await screenshot("home-dark");
    for (const name of ["settings", "resources/project", "api/pulumi-opsmanager/index"]) {
      await open(`${name}.html`);
      await screenshot(`${name.replaceAll("/", "-")}-dark`);
    }
    await page.locator(".VPNavBarAppearance .VPSwitchAppearance").click();
    assert.equal(await isDark(), false);
  });

  it("needs no horizontal scrolling on a phone, also for outputs; its menu has the same links", async () => {
    await page.setViewportSize(phone);
    for (const name of ["index.md", ...headings.keys(), "api/pulumi-opsmanager/index.md"]) {
      await open(name.replace(/\.md$/, ".html"));
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= phone.width, `${name} is ${width} pixels wide`);
      const cut = await page
        .locator(".vp-doc div.language-text pre")
        .evaluateAll((blocks) => blocks.filter((block) => block.scrollWidth > block.clientWidth).length);
      assert.equal(cut, 0, `${name} has outputs that are cut off`);
      if (/index|settings|drift|resources\/project\./.test(name))
        await screenshot(`${name.replaceAll("/", "-").replace(".md", "")}-phone`);
    }
    await open("get-started.html");
    await page.getByRole("button", { name: "Menu" }).click();
    await page.locator('.VPSidebar a[href="/drift.html"]').click();
    await shows(".vp-doc h1", "Detect drift");
    await page.setViewportSize(desktop);
  });

  /** @param {string} path */
  async function open(path) {
    await page.goto(server.address + path, { waitUntil: "networkidle" });
  }

  /** @param {string} selector @param {string} text with a space where the page has a link to the heading */
  async function shows(selector, text) {
    const exactly = new RegExp(`^\\s*${text.replace(/[()[\]{}.*+?^$|\\]/g, "\\$&")}\\s*\u200b?\\s*$`);
    await page.locator(selector).filter({ hasText: exactly }).first().waitFor({ timeout: 10_000 });
  }

  /** The languages of the selected tabs of the page. */
  async function chosenLanguages() {
    return new Set(await page.getByRole("tab", { selected: true }).allInnerTexts());
  }

  function isDark() {
    return page.evaluate(() => document.documentElement.classList.contains("dark"));
  }

  /** @param {string} name */
  async function screenshot(name) {
    await page.screenshot({ path: join(screenshots, `${name}.png`) });
  }
});
