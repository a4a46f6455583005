/** The texts that the dynamic provider leaves in a state: how a later run finds the provider of a resource. */
import { resourceKinds } from "../../../provider/resources/kinds";
import type { StackState } from "../../support";

/**
 * Pinned. Every state has these texts, and refresh and destroy of a stack run them with whatever
 * release is installed then. So a released text has to work forever. Another text makes the engine
 * request the differences of every resource of every user.
 */
const PINNED: Readonly<Record<string, string>> = Object.fromEntries(
  resourceKinds.map((kind) => [
    kind,
    `exports.handler = () => require("pulumi-opsmanager/dynamic/adapter").provider("${kind}");\n`,
  ]),
);

/** Of each dynamic resource, whose types are those of earlier states. */
export function expectProviderTexts({ resources }: StackState): void {
  const texts = resources
    .filter(({ type }) => type.startsWith("pulumi-nodejs:dynamic/"))
    .map(({ type, inputs, outputs }) => ({
      type,
      inInputs: inputs?.__provider,
      inOutputs: outputs?.__provider,
    }));
  expect(texts).not.toEqual([]);
  const pinned = texts.map(({ type }) => {
    const kind = type.split(":").at(-1) ?? "";
    const text = PINNED[kind];
    return { type: `pulumi-nodejs:dynamic/opsmanager:${kind}`, inInputs: text, inOutputs: text };
  });
  expect(texts).toEqual(pinned);
}
