import { ProjectCache } from "../../../../provider/resources/reads/projects";
import { newSession } from "../checker";

const { signal } = new AbortController();

/** A cache of an organization, whose list has these ids from the first to the last read. */
function cacheOf(...lists: (readonly string[])[]) {
  const client = { list: async () => (lists.shift() ?? []).map((id) => ({ id })) };
  return newSession({}, client).of(ProjectCache);
}

test("a deletion counts while it is under way and after it was accepted, until the operation ends", async () => {
  const cache = cacheOf();
  expect(cache.deletesProjects()).toBe(false);
  let accept = () => {};
  const request = new Promise<void>((resolve) => {
    accept = resolve;
  });
  const deletion = cache.followDeletion("p1", "o1", request);
  expect([cache.deletesProjects(), cache.isDeleted("p1")]).toEqual([true, false]);
  accept();
  await deletion;
  expect([cache.deletesProjects(), cache.isDeleted("p1")]).toEqual([true, true]);
  cache.forget();
  expect([cache.deletesProjects(), cache.isDeleted("p1")]).toEqual([false, false]);
});

test("a rejected deletion is none, and the list of the organization is read again after it", async () => {
  const cache = cacheOf(["p1"], []);
  expect([...(await cache.idsIn("o1", signal))]).toEqual(["p1"]);
  const rejected = Promise.reject(new Error("403"));
  await expect(cache.followDeletion("p1", "o1", rejected)).rejects.toThrow("403");
  expect([cache.deletesProjects(), cache.isDeleted("p1")]).toEqual([false, false]);
  expect([...(await cache.idsIn("o1", signal))]).toEqual([]);
});

test("a project is new if this operation created it", () => {
  const cache = cacheOf();
  cache.projectCreated("p1");
  expect([cache.isNew("p1"), cache.isNew("p2")]).toEqual([true, false]);
  cache.forget();
  expect(cache.isNew("p1")).toBe(false);
});
