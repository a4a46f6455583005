/** The texts that the dynamic provider leaves in a state: how a later run finds the provider of a resource. */
import type { StackState } from "../../support";

/**
 * Pinned. Every state has these texts, and refresh and destroy of a stack run them with whatever
 * release is installed then. So a released text has to work forever. Another text makes the engine
 * request the differences of every resource of every user.
 */
const PINNED: Readonly<Record<string, string>> = Object.fromEntries(
  ["Project", "ProjectMember", "ProjectMembers"].map((kind) => [
    kind,
    `exports.handler = () => require("pulumi-opsmanager/dynamic/adapter").provider("${kind}");\n`,
  ]),
);

interface ProviderText {
  readonly kind: string;
  readonly text: unknown;
}

/** In inputs and outputs of each dynamic resource, sorted by kind. */
export function providerTexts({ resources }: StackState): ProviderText[] {
  return resources
    .filter(({ type }) => type.startsWith("pulumi-nodejs:dynamic/"))
    .map(({ type, inputs, outputs }) => {
      expect(outputs?.__provider).toEqual(inputs?.__provider);
      return { kind: type.split(":").at(-1) ?? "", text: inputs?.__provider };
    })
    .sort((one, other) => (one.kind < other.kind ? -1 : 1));
}

export function expectProviderTexts(state: StackState): void {
  const texts = providerTexts(state);
  expect(texts).not.toEqual([]);
  expect(texts).toEqual(texts.map(({ kind }) => ({ kind, text: PINNED[kind] })));
  for (const { text } of texts) expect(String(text).length).toBeLessThan(2048);
}
