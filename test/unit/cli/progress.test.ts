import { startProgress } from "../../../cli/progress";

function watched(columns?: number) {
  const lines: string[] = [];
  const stderr = (text: string) => void lines.push(text.replace("\r\x1b[2K", ""));
  return { lines, terminal: { stderr, isWatched: true, ...(columns && { columns }) } };
}

it("shows all that is under way in one line, and removes it at the end", () => {
  const { lines, terminal } = watched();
  const stacks = startProgress(terminal, "stacks checked");
  stacks.report(0, 2);
  const a = startProgress({ ...terminal }, "resources (a)");
  a.report(3, 12);
  a.report(3, 12);
  const b = startProgress({ ...terminal }, "resources (b)");
  b.report(5);
  a.end();
  stacks.report(1, 2);
  b.end();
  stacks.end();
  expect(lines).toEqual([
    "[------------------------] 0/2 stacks checked",
    "[------------------------] 0/2 stacks checked, 3/12 resources (a)",
    "[------------------------] 0/2 stacks checked, 3/12 resources (a), 5 resources (b)",
    "[------------------------] 0/2 stacks checked, 5 resources (b)",
    "[############------------] 1/2 stacks checked, 5 resources (b)",
    "[############------------] 1/2 stacks checked",
    "",
  ]);
});

it("is no longer than the terminal is wide, since a broken line could not be removed", () => {
  const { lines, terminal } = watched(20);
  startProgress(terminal, "resources refreshed").report(1, 2);
  expect(lines).toEqual(["[############------"]);
});

it("writes nothing without a terminal", () => {
  const { lines, terminal } = watched();
  const progress = startProgress({ ...terminal, isWatched: false }, "stacks checked");
  progress.report(1, 2);
  progress.end();
  expect(lines).toEqual([]);
});
