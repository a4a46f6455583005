/** Preloaded by processes of a test: this machine's clock at the time in OPSMANAGER_TEST_NOW. */
const { createRequire } = require("node:module");

const { OPSMANAGER_TEST_NOW: now } = process.env;
// The program of a stack has no such package.
const { withGlobal } = createRequire(__filename)("@sinonjs/fake-timers");
if (now !== undefined) {
  const offset = Date.parse(now) - Date.now();
  const { Date: Today } = globalThis;
  withGlobal(globalThis).install({ now: Date.parse(now), toFake: ["Date"] });
  globalThis.Date.now = () => Today.now() + offset;
}
