/** Whose interruption ends a shared read. How old a read may be: `test/integration/project/shared-reads.test.ts`. */
import { SharedReads } from "../../../../provider/resources/session/shared-reads";

test("a caller whose read was interrupted by another caller reads again", async () => {
  const begun: PromiseWithResolvers<string>[] = [];
  const load = () => {
    const read = Promise.withResolvers<string>();
    begun.push(read);
    return read.promise;
  };
  const reads = new SharedReads<string>(load, 30);
  const other = new AbortController();
  const { signal } = new AbortController();
  const [theirs, mine] = [reads.shared("a", other.signal), reads.shared("a", signal)];
  other.abort();
  begun[0]?.reject(new Error("canceled"));
  await expect(theirs).rejects.toThrow("canceled");
  begun[1]?.resolve("mine");
  expect(await mine).toBe("mine");
  const fails = reads.fresh("a", signal);
  begun[2]?.reject(new Error("a fault of the service"));
  await expect(fails).rejects.toThrow("a fault of the service");
});
