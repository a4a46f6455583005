/** The harness of the engine tests; `test/README.md` shows how to use it. */

export { type DrawnSetting, keepDefault } from "./drawn-settings";
export { type Engine, engine } from "./engine";
export { type Diagnostic, type PropertyDiff, type Step, unknown } from "./engine-events";
export { npm, type PackedPackage, packRepository, registryProblem } from "./npm";
export {
  isProgramFolder,
  type Program,
  type ProgramFolder,
  type ProviderKind,
  type ResourceDeclaration,
  type ResourceOptions,
} from "./program";
export { repositoryRoot } from "./repository";
export { describeIf, itIf } from "./skip";
export { createStack, disposeStacks, type Run, type Stack, type StackOptions, succeeded } from "./stack";
export { type ConfigValue, secret } from "./stack-config";
export type { ResourceState, StackState } from "./state-backend";
