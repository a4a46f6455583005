import { withReadMarker } from "../../../provider/resources/contract/read-marker";
import type { Context, Resource } from "../../../provider/resources/contract/resource";
import type { Properties } from "../../../provider/resources/contract/values";
import { INPUTS_READ } from "../../../provider/text/sentinels";

const context = {} as Context;

/** Responses each read with these inputs, and notes which old inputs the resource was given. */
function resourceWith(live: Properties | undefined) {
  const seen: Properties[] = [];
  const inner = {
    name: "Thing",
    check: ({ inputs }) => ({ inputs, failures: [] }),
    diff: ({ oldInputs, inputs }) => {
      seen.push(oldInputs, inputs);
      return [];
    },
    read: async ({ oldInputs }) => {
      if (oldInputs) seen.push(oldInputs);
      return live && { id: "1", state: {}, inputs: live };
    },
    update: async ({ oldInputs }) => {
      seen.push(oldInputs);
      return {};
    },
    delete: async ({ oldInputs }) => void seen.push(oldInputs),
  } as Partial<Resource> as Resource;
  return { resource: withReadMarker(inner), seen };
}

const readOf = async (live: Properties, oldInputs?: Properties) =>
  (await resourceWith(live).resource.read({ id: "1", state: {}, oldInputs, context }))?.inputs;

it("names the inputs that a read replaced, and keeps the names of earlier reads", async () => {
  expect(await readOf({ name: "b", tags: [] }, { name: "a", tags: [] })).toEqual({
    name: "b",
    tags: [],
    [INPUTS_READ]: ["name"],
  });
  expect(await readOf({ name: "b", tags: ["X"] }, { name: "b", tags: [], [INPUTS_READ]: ["name"] })).toEqual({
    name: "b",
    tags: ["X"],
    [INPUTS_READ]: ["name", "tags"],
  });
  const again = { name: "b", tags: ["X"], [INPUTS_READ]: ["name", "tags"] };
  expect(await readOf({ name: "b", tags: ["X"] }, again)).toEqual(again);
});

it("names nothing where the live values are the declared ones, in an import, and where the object no longer exists", async () => {
  const members = { a: ["1"], b: ["2"] };
  expect(await readOf({ members }, { members: { b: ["2"], a: ["1"] } })).toEqual({ members });
  expect(await readOf({ members }, undefined)).toEqual({ members });
  const { resource } = resourceWith(undefined);
  expect(await resource.read({ id: "1", state: {}, oldInputs: { members }, context })).toBeUndefined();
});

it("is hidden from the resources, and no checked input has it", async () => {
  const { resource, seen } = resourceWith({ name: "a" });
  const inputs = { name: "a", [INPUTS_READ]: ["name"] };
  const request = { id: "1", state: {}, inputs, oldInputs: inputs, ignoreChanges: [], context };
  expect(resource.check({ inputs, context }).inputs).toEqual({ name: "a" });
  resource.diff(request);
  await resource.read(request);
  await resource.update({ ...request, preview: false });
  await resource.delete(request);
  expect(seen).toEqual(Array(5).fill({ name: "a" }));
});
