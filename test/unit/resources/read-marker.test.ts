import { withReadMarker } from "../../../provider/resources/contract/read-marker";
import type { Context, Resource } from "../../../provider/resources/contract/resource";
import type { Properties } from "../../../provider/resources/contract/values";
import { INPUTS_READ } from "../../../provider/text/sentinels";

/** The inputs after a read that finds these values. */
async function readOf(live: Properties, oldInputs?: Properties): Promise<Properties | undefined> {
  const inner = { read: async () => ({ id: "1", state: {}, inputs: live }) } as Partial<Resource> as Resource;
  const request = { id: "1", state: {}, oldInputs, context: {} as Context };
  return (await withReadMarker(inner).read(request))?.inputs;
}

it("names the inputs that a read replaced, and keeps the names of earlier reads", async () => {
  const first = { name: "b", tags: [], [INPUTS_READ]: ["name"] };
  expect(await readOf({ name: "b", tags: [] }, { name: "a", tags: [] })).toEqual(first);
  const second = { name: "b", tags: ["X"], [INPUTS_READ]: ["name", "tags"] };
  expect(await readOf({ name: "b", tags: ["X"] }, first)).toEqual(second);
  expect(await readOf({ name: "b", tags: ["X"] }, second)).toEqual(second);
});

it("names nothing in an import, and where the live values are the declared ones in any order", async () => {
  const members = { a: ["1"], b: ["2"] };
  expect(await readOf({ members }, { members: { b: ["2"], a: ["1"] } })).toEqual({ members });
  expect(await readOf({ members }, undefined)).toEqual({ members });
});
