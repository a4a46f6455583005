import { UNMANAGED_UNKNOWN } from "../../../../../cli/drift/report/model";
import { everything, formatted, report } from "../reports";

const html = formatted("html");

it("makes no request: no address, and a policy that allows only its own script and style", () => {
  const page = html(everything());
  expect(page).toMatch(
    /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-[\w+/=]+'; style-src 'sha256-[\w+/=]+'; img-src data:; base-uri 'none'; form-action 'none'">/,
  );
  expect(page.match(/\b(?:src|href|action|url)\s*[=(]/g)).toEqual(["href="]);
  expect(page).toContain('<link rel="icon" href="data:,">');
  expect(page).not.toMatch(/https?:\/\//);
});

it("names --unmanaged if it was not given, and else the reason why unmanaged objects are unknown", () => {
  expect(html(report())).toContain("run the command with <code>--unmanaged</code>.</p>");
  const unknown = { what: UNMANAGED_UNKNOWN, reason: "The settings of <b> could not be read." };
  const page = html(report({ unreadable: [unknown] }));
  expect(page).toContain(
    "Unmanaged objects were not checked. <bdi>The settings of &#60;b&#62; could not be read.</bdi></p>",
  );
  expect(page).not.toContain("--unmanaged");
});
