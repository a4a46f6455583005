import { startProgress } from "../../../cli/lib/progress";

function watched(columns?: number) {
  const lines: string[] = [];
  const stderr = (text: string) => void lines.push(text.replace("\r\x1b[2K", ""));
  return { lines, terminal: { stderr, isWatched: true, ...(columns && { columns }) } };
}

it("is no longer than the terminal is wide, since a broken line could not be removed", () => {
  const { lines, terminal } = watched(20);
  startProgress(terminal, "resources refreshed").report(1, 2);
  expect(lines).toEqual(["[############------"]);
});

describe("without a terminal", () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it("writes one line with all that is under way every ten seconds, and none for short work", () => {
    const { lines, terminal } = watched();
    const unwatched = { ...terminal, isWatched: false };
    const stacks = startProgress(unwatched, "stacks checked");
    stacks.report(0, 2);
    const read = startProgress(unwatched, "projects read");
    jest.advanceTimersByTime(9000);
    read.report(3);
    expect(lines).toEqual([]);
    jest.advanceTimersByTime(1000);
    read.end();
    stacks.report(1, 2);
    jest.advanceTimersByTime(10_000);
    stacks.end();
    jest.advanceTimersByTime(60_000);
    expect(lines).toEqual([
      "opsmanager: 0/2 stacks checked, 3 projects read\n",
      "opsmanager: 1/2 stacks checked\n",
    ]);
  });
});
