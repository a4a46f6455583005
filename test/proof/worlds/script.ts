/** A counterexample as a test that can be pasted into a file of `test/proof/regressions`. */

import type { Counterexample } from "./play";
import type { World } from "./world";

export function asRegressionTest(
  { provider, keyRoles, switches, settings, steps }: World,
  found: Pick<Counterexample, "invariant" | "detail" | "story">,
  engine: "model" | "real" = "model",
): string {
  const isReal = engine === "real";
  const lines = [
    `import { ${isReal ? "noCounts, " : ""}playWorld } from "../worlds/play";`,
    ...(isReal ? ['import { startRealEngine } from "../worlds/real-engine";'] : []),
    "",
    `// ${found.invariant}: ${found.detail.split("\n")[0]}`,
    ...found.story.map((line) => `//   ${line}`),
    `test(${JSON.stringify(found.invariant)}, () =>`,
    `  playWorld({`,
    `    provider: ${JSON.stringify(provider)},`,
    ...(keyRoles === undefined ? [] : [`    keyRoles: ${asCode(keyRoles)},`]),
    `    switches: ${asCode(switches)},`,
    ...(Object.keys(settings ?? {}).length > 0 ? [`    settings: ${asCode(settings)},`] : []),
    "    steps: [",
    ...steps.map((step) => `      ${asCode(step)},`),
    "    ],",
    isReal ? "  }, noCounts(), { startEngine: startRealEngine }));" : "  }));",
  ];
  return `${lines.join("\n")}\n`;
}

/** JSON with the keys of TypeScript. */
function asCode(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(asCode).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, entry]) => {
    const name = /^[a-z]\w*$/i.test(key) ? key : JSON.stringify(key);
    return `${name}: ${asCode(entry)}`;
  });
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}
