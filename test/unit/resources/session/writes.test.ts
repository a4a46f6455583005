/** The order of the writes of one project. As a story: `test/integration/grants/project-team.test.ts`. */
import { Writes } from "../../../../provider/resources/session/writes";

/** Writes of one project, whose ends the test decides. */
function startWrites() {
  const writes = new Writes();
  const running = new Set<string>();
  const ends = new Map<string, () => void>();
  const write = (name: string) => async () => {
    running.add(name);
    await new Promise<void>((resolve) => ends.set(name, resolve));
    running.delete(name);
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise(setImmediate);
  };
  return { writes, running, write, end, settled: () => new Promise(setImmediate) };
}

it("people are written side by side, and a team waits for each of them, also for one who begins meanwhile", async () => {
  const { writes, running, write, end, settled } = startWrites();
  const all = [writes.beside("p", write("ada")), writes.beside("p", write("ben"))];
  await settled();
  expect([...running]).toEqual(["ada", "ben"]);
  await end("ada");
  all.push(writes.apart("p", write("team")), writes.beside("p", write("eve")));
  await settled();
  expect([...running]).toEqual(["ben", "eve"]);
  await end("ben");
  await end("eve");
  expect([...running]).toEqual(["team"]);
  await end("team");
  await Promise.all(all);
});

it("a write waits for that of a team, also after it fails", async () => {
  const { writes, running, write, end, settled } = startWrites();
  const failing = writes.apart("p", () => write("team")().then(() => Promise.reject(new Error("refused"))));
  const others = [writes.beside("p", write("ada")), writes.apart("p", write("other team"))];
  await settled();
  expect([...running]).toEqual(["team"]);
  await end("team");
  await expect(failing).rejects.toThrow("refused");
  expect(running.size).toBe(1);
  await end([...running][0] ?? "");
  await end([...running][0] ?? "");
  await Promise.all(others);
});

it("a write of another project, and one inside the write of a person, does not wait", async () => {
  const { writes, running, write, end, settled } = startWrites();
  const outer = writes.beside("p", () => writes.beside("p", write("inner")));
  const team = writes.apart("p", write("team"));
  const elsewhere = writes.apart("q", write("elsewhere"));
  await settled();
  expect([...running]).toEqual(["inner", "elsewhere"]);
  await end("inner");
  await end("team");
  await end("elsewhere");
  await Promise.all([outer, team, elsewhere]);
});
