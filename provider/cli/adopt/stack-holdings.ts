/**
 * Reads which of the organization's projects a stack's state holds. Projects that the stack owns
 * are not adopted again.
 */
import { kindOf, nameOf } from "../own-resources";
import { type PulumiEnvironment, runPulumi } from "../pulumi";
import { exportArguments, readStackExport, type StackExport, type StateResource } from "../stack-export";
import { FOLDER_TYPE } from "./import-list";

export interface StackHoldings {
  /** Key of each project that is a child of the ProjectFolder, by project id. */
  readonly keys: ReadonlyMap<string, string>;
  /** URN of each project that another resource of the stack declares, by project id. */
  readonly elsewhere: ReadonlyMap<string, string>;
  holds(type: string, id: string | undefined): boolean;
}

export const noHoldings: StackHoldings = { keys: new Map(), elsewhere: new Map(), holds: () => false };

/** @param component name of the ProjectFolder */
export async function readStackHoldings(
  stack: string,
  component: string,
  terminal: PulumiEnvironment,
): Promise<StackHoldings> {
  const result = await runPulumi(exportArguments(stack), terminal);
  return holdingsOf(readStackExport(result, stack), component);
}

export function holdingsOf({ resources }: Pick<StackExport, "resources">, component: string): StackHoldings {
  const isChild = ({ parent = "" }: StateResource) => parent.endsWith(`${FOLDER_TYPE}::${component}`);
  const projects = resources.filter(({ type }) => kindOf(type) === "Project");
  const [children, others] = [projects.filter(isChild), projects.filter((resource) => !isChild(resource))];
  const held = new Set(resources.filter(isChild).map(({ type, id }) => `${type} ${id}`));
  return {
    keys: new Map(children.map(({ id = "", urn }) => [id, nameOf(urn)])),
    elsewhere: new Map(others.map(({ id = "", urn }) => [id, urn])),
    holds: (type, id) => held.has(`${type} ${id}`),
  };
}
