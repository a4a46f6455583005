import { outputsOf } from "../../../provider/dynamic/class-outputs";
import { resources } from "../../../provider/resources";

/** The class makes it of the resource's id, which is known in previews where an output is not. */
const madeOtherwise: Readonly<Record<string, readonly string[]>> = { Project: ["projectId"] };

it.each(resources)(
  "a $name of the dynamic provider has a property for each input and output of its handler, and no other",
  ({ name, inputs, outputs }) => {
    const known = new Set([...Object.keys(inputs.shape), ...Object.keys(outputs.shape)]);
    for (const property of madeOtherwise[name] ?? []) expect(known.delete(property)).toBe(true);
    expect(outputsOf).toHaveProperty(name);
    expect([...(outputsOf[name as keyof typeof outputsOf] ?? [])].sort()).toEqual([...known].sort());
  },
);

it("the dynamic provider names the outputs of each resource, and of no other", () => {
  expect(Object.keys(outputsOf).sort()).toEqual(resources.map(({ name }) => name).sort());
});
