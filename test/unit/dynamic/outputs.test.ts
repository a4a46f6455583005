import { type Output, outputs } from "../../../provider/dynamic/outputs";
import { resourceNamed } from "../../../provider/resources";
import { secretNames } from "../../../provider/resources/contract/secret-texts";
import { resourceKinds } from "../../../provider/resources/kinds";

// outputs.ts says it again, because it must not load the resources.
test.each(resourceKinds)("the outputs of %s are as secret as its resource says", (kind) => {
  const resource = resourceNamed(kind);
  const named = Object.entries<Output>(outputs[kind]);
  const secret = named.flatMap(([name, { isSecret }]) => (isSecret ? [name] : []));
  const repeating = named.flatMap(([name, { repeats }]) => (repeats ? [[name, repeats]] : []));
  expect(secret).toEqual([...secretNames(resource, new Set())]);
  expect(Object.fromEntries(repeating)).toEqual(resource.repeats ?? {});
});
