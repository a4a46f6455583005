import { everything, formatted } from "../reports";

const html = formatted("html");

it("makes no request: no address, and a policy that allows only its own style", () => {
  const page = html(everything());
  expect(page).toMatch(
    /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-[\w+/=]+'; img-src data:; base-uri 'none'; form-action 'none'">/,
  );
  expect(page.match(/\b(?:src|href|action|url)\s*[=(]/g)).toEqual(["href="]);
  expect(page).toContain('<link rel="icon" href="data:,">');
  expect(page).not.toMatch(/https?:\/\//);
});
