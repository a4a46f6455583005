/**
 * A hidden input that records which inputs in the state come from a read and not from the program.
 *
 * A refresh, also the one before each `up`, writes live values into the state's inputs. If the
 * update then fails, the state declares whatever was changed outside Pulumi. The marker keeps that
 * visible: Read adds it. The checked inputs of the program never have it. So the next successful
 * create, update or "same" removes it without a write to the service.
 *
 * It is an input and no output because the engine replaces all inputs of a resource that is as
 * declared, and keeps its outputs.
 */

import { own } from "../../text/own";
import { INPUTS_READ } from "../../text/sentinels";
import { canonicalText, knownTexts } from "./canonical";
import type { Resource } from "./resource";
import { withMarksOf } from "./until";
import type { Properties } from "./values";

/** The properties whose values in these inputs of a state come from a read. */
export function propertiesRead(inputs: Readonly<Record<string, unknown>>): string[] {
  return knownTexts(inputs[INPUTS_READ]);
}

/** The same resource, whose methods do not see the marker. */
export function withReadMarker(resource: Resource): Resource {
  return {
    ...resource,
    check: ({ oldInputs = {}, ...request }) =>
      resource.check({
        ...request,
        inputs: withoutMarker(request.inputs),
        oldInputs: onlyInputsOf(resource, oldInputs),
      }),
    diff: (request) =>
      resource.diff({
        ...request,
        inputs: withoutMarker(request.inputs),
        oldInputs: withoutMarker(request.oldInputs),
      }),
    read: async (request) => {
      const { oldInputs } = request;
      if (oldInputs === undefined) return resource.read(request);
      const result = await resource.read({ ...request, oldInputs: withoutMarker(oldInputs) });
      return result && { ...result, inputs: marked(result.inputs, oldInputs) };
    },
    update: (request) => resource.update({ ...request, oldInputs: withoutMarker(request.oldInputs) }),
    delete: (request) => resource.delete({ ...request, oldInputs: withoutMarker(request.oldInputs) }),
  };
}

function marked(live: Properties, oldInputs: Properties): Properties {
  const before = withoutMarker(oldInputs);
  const changed = [...Object.keys(live), ...Object.keys(before)].filter(
    (name) => canonicalText(own(live, name)) !== canonicalText(own(before, name)),
  );
  const names = [...new Set([...propertiesRead(oldInputs), ...changed])].sort();
  return names.length === 0 ? live : { ...live, [INPUTS_READ]: names };
}

/** A state of an earlier version may have properties that no longer exist. */
function onlyInputsOf({ inputs }: Resource, recorded: Properties): Properties {
  const entries = Object.entries(recorded).filter(([name]) => Object.hasOwn(inputs.shape, name));
  return withMarksOf(recorded, Object.fromEntries(entries));
}

export function withoutMarker(inputs: Properties): Properties {
  const { [INPUTS_READ]: _, ...others } = inputs;
  return others;
}
