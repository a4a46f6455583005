/**
 * Below a provider whose settings are known only during the update, the engine guesses in a preview. It does not ask the
 * provider, so it compares inputs that are not checked, and it does not construct components, whose resources then seem
 * to be deleted. Pure.
 */

import type { EngineRun, Step } from "./engine-events";

/** Which steps of a preview are below such a provider. */
export function belowUnconfigured({
  steps,
  unconfigured,
}: Pick<EngineRun, "steps" | "unconfigured">): (step: Step) => boolean {
  if (unconfigured.size === 0) return () => false;
  const staying = steps.filter(({ op, isRefresh }) => !isRefresh && op !== "delete");
  const parents = new Map(steps.map(({ urn, old, new: now }) => [urn, (now ?? old)?.parent]));
  const declared = new Set(staying.map(({ urn }) => urn));
  const constructed = new Set(staying.map(({ urn }) => parents.get(urn)));
  // Events do not show the provider of a component.
  const isInComponent = (urn: string): boolean => {
    const parent = parents.get(urn);
    if (parent === undefined || !parents.has(parent)) return false;
    return (declared.has(parent) && !constructed.has(parent)) || isInComponent(parent);
  };
  return ({ op, urn, provider = "", isRefresh }) =>
    !isRefresh &&
    (unconfigured.has(provider.slice(0, provider.lastIndexOf("::"))) ||
      (op === "delete" && isInComponent(urn)));
}
