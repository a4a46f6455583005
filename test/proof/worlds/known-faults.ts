/**
 * Faults of commit 6a3688a9. A search that does not find them in that version proves nothing about others:
 * `npm run worlds -- --provider 6a3688a9`.
 */
import type { Counterexample } from "./play";
import type { DeclareStep } from "./program";
import type { World } from "./world";

export interface KnownFault {
  readonly name: string;
  /** @param world in its shortest form: each step is necessary */
  isShownBy(found: Counterexample, world: World): boolean;
}

const declarationsIn = ({ steps }: World): readonly DeclareStep[] =>
  steps.filter((step): step is DeclareStep => "declare" in step);

const isRenamed = ({ steps }: World): boolean => steps.some((step) => "rename" in step);

const isDisturbed = ({ steps }: World): boolean =>
  steps.some((step) => "run" in step && ("fault" in step || "interruptAfter" in step));

const isDeletedFirst = (world: World): boolean =>
  declarationsIn(world).some(({ options }) => options?.deleteBeforeReplace);

const isAnyOf = (invariant: string, names: readonly string[]): boolean => names.includes(invariant);

const taken = [
  "no resource takes over what another resource of the stack holds",
  "no person has a role that neither the program nor an outside change gave",
];
const leftBehind = [
  "no member who left the state is left behind",
  "what leaves the state is deleted or released",
];

export const knownFaults: readonly KnownFault[] = [
  {
    name: "a new Team takes over the team that another Team of the program holds",
    isShownBy: ({ invariant }, world) =>
      isAnyOf(invariant, taken) &&
      !isRenamed(world) &&
      new Set(declarationsIn(world).map((step) => step.declare === "Team" && step.resource)).size > 1,
  },
  {
    name: "a failed deleteBeforeReplace leaves the object behind, outside the state",
    isShownBy: ({ invariant }, world) => isAnyOf(invariant, leftBehind) && isDeletedFirst(world),
  },
  {
    name: "ignoreChanges and a change outside Pulumi: Check refuses what the refresh wrote",
    isShownBy: ({ invariant, detail }, world) =>
      invariant === "nothing fails without a reason" &&
      /CHECK/.test(detail) &&
      declarationsIn(world).some(({ options }) => options?.ignoreChanges !== undefined),
  },
  {
    name: "a Team removes an account whose present name the program lists",
    isShownBy: ({ invariant }) => invariant === "a person whose present name is listed stays in the team",
  },
  {
    name: "an agent API key without a description is imported with inputs that Check refuses",
    isShownBy: ({ invariant, detail }) =>
      invariant === "whatever Read returns, Check accepts" && /AgentApiKey/.test(detail),
  },
  {
    name: "a Team that is renamed without an alias is recorded as adopted",
    isShownBy: ({ invariant }, world) => isAnyOf(invariant, taken) && isRenamed(world),
  },
  {
    name: "a preview of ProjectMembers without refreshBeforeUpdate crashes",
    isShownBy: ({ invariant, detail }, { settings }) =>
      invariant === "no internal error" &&
      /memberDetails\.some/.test(detail) &&
      settings?.refreshBeforeUpdate === false,
  },
  {
    name: "after a fault, the invitation of a person declared by userId leaves the state and stays",
    isShownBy: ({ invariant, detail }, world) =>
      isAnyOf(invariant, leftBehind) &&
      /invitation/.test(detail) &&
      isDisturbed(world) &&
      !isDeletedFirst(world) &&
      declarationsIn(world).some((step) => step.declare === "ProjectMember" && /userId/.test(step.by)),
  },
];
