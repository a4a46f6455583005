/**
 * Tests that need a tool the machine may not have. The title of a skipped one reports which, and the report at the end of a run
 * repeats it.
 */
export function itIf(
  condition: boolean,
  reason: string,
): (title: string, run: jest.ProvidesCallback) => void {
  return condition ? (title, run) => it(title, run) : (title, run) => it.skip(skipped(title, reason), run);
}

export function describeIf(condition: boolean, reason: string): (title: string, define: () => void) => void {
  return condition ? describe : (title, define) => describe.skip(skipped(title, reason), define);
}

function skipped(title: string, reason: string): string {
  return `${title} (skipped: ${reason})`;
}
